//! The forms of expressions that make conditions.

use std::collections::BTreeSet;

use super::about::Scope;
use super::hoisted::strict_operands;
use super::order::Sign;
use crate::cel::canonical::Reader;
use crate::cel::tree::{Expr, Id, Literal, Tree};
use crate::pattern::Pattern;

/// Whether an expression is true or false by its form.
pub(super) fn is_condition(tree: &Tree, id: Id) -> bool {
    match tree.get(id) {
        Expr::Literal(literal) => matches!(literal, Literal::Bool(_)),
        Expr::Select { tests, .. } => *tests,
        Expr::Call {
            function, arguments, ..
        } => match function.as_str() {
            "!_" | "_&&_" | "_||_" | "_==_" | "_!=_" | "_<_" | "_<=_" | "_>_" | "_>=_" | "@in" => true,
            "_?_:_" => arguments.iter().skip(1).all(|part| is_condition(tree, *part)),
            _ => false,
        },
        _ => false,
    }
}

pub(super) fn literals(tree: &Tree, list: Id) -> Option<Vec<Id>> {
    let Expr::List(items) = tree.get(list) else { return None };
    let are_literals = items
        .iter()
        .all(|item| !item.is_optional && matches!(tree.get(item.value), Expr::Literal(_)));
    (are_literals && !items.is_empty()).then(|| items.iter().map(|item| item.value).collect())
}

/// The texts for which a method with a literal argument is true.
pub(super) fn pattern(tree: &Tree, function: &str, arguments: &[Id]) -> Option<Pattern> {
    let [argument] = arguments else { return None };
    let text = tree.text(*argument)?;
    match function {
        "matches" => Pattern::of(text),
        "startsWith" => Pattern::of_text(text, true, false),
        "endsWith" => Pattern::of_text(text, false, true),
        "contains" => Pattern::of_text(text, false, false),
        _ => None,
    }
}

/// Whether it is a literal, a variable, or a field of one.
pub(super) fn is_path(tree: &Tree, id: Id) -> bool {
    match tree.get(id) {
        Expr::Literal(_) | Expr::Name(_) => true,
        Expr::Select {
            operand, tests: false, ..
        } => is_path(tree, *operand),
        _ => false,
    }
}

/// The sides and the sign of a call that compares two values.
pub(super) fn bound(function: &str, arguments: &[Id]) -> Option<([Id; 2], Sign)> {
    let [one, other] = *arguments else { return None };
    match function {
        "_<_" => Some(([one, other], Sign::Below)),
        "_<=_" => Some(([one, other], Sign::AtMost)),
        "_>_" => Some(([other, one], Sign::Below)),
        "_>=_" => Some(([other, one], Sign::AtMost)),
        _ => None,
    }
}

/// The fields without which some expressions fail.
pub(super) struct RequiredFields<'r> {
    pub(super) tree: &'r Tree,
    pub(super) reader: &'r Reader<'r>,
    pub(super) scope: &'r Scope<'r>,
    /// The presence of each.
    pub(super) reads: BTreeSet<String>,
    /// Whether all objects have each.
    pub(super) is_all_there: bool,
}

impl RequiredFields<'_> {
    pub(super) fn add(&mut self, id: Id) {
        let expr = self.tree.get(id);
        if let Expr::Select {
            operand,
            field,
            tests: false,
        } = expr
        {
            self.reads
                .insert(format!("(has {} {field:?})", self.reader.text(*operand)));
            self.is_all_there &= self.scope.is_set(self.tree, *operand, field) == Some(true);
        }
        for operand in strict_operands(expr) {
            self.add(operand);
        }
    }
}
