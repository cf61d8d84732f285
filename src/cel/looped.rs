//! What the loops of macros compute.

use super::tree::{Expr, Id, Literal, Loop, Tree};

/// The word of a quantifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    All,
    Exists,
    ExistsOne,
}

/// The word and the condition of a quantifier.
pub(super) fn quantifier(tree: &Tree, of: &Loop) -> Option<(Word, Id)> {
    let Expr::Call {
        function, arguments, ..
    } = tree.get(of.step)
    else {
        return None;
    };
    let start = tree.get(of.start);
    match (function.as_str(), arguments.as_slice(), start) {
        ("_&&_", [sum, body], Expr::Literal(Literal::Bool(true))) if is_sum(tree, *sum, of) => Some((Word::All, *body)),
        ("_||_", [sum, body], Expr::Literal(Literal::Bool(false))) if is_sum(tree, *sum, of) => {
            Some((Word::Exists, *body))
        }
        ("_?_:_", [body, _, sum], Expr::Literal(Literal::Int(0))) if is_sum(tree, *sum, of) => {
            Some((Word::ExistsOne, *body))
        }
        _ => None,
    }
}

/// The condition, if there is one, and the value of `filter` and `map`.
pub(super) fn listed(tree: &Tree, of: &Loop) -> Option<(Option<Id>, Id)> {
    if !is_empty(tree, of.start) || !is_sum(tree, of.result, of) {
        return None;
    }
    if let Some(value) = appended(tree, of.step, of) {
        return Some((None, value));
    }
    match tree.get(of.step) {
        Expr::Call {
            function, arguments, ..
        } if function == "_?_:_" => match arguments.as_slice() {
            [filter, step, sum] if is_sum(tree, *sum, of) => Some((Some(*filter), appended(tree, *step, of)?)),
            _ => None,
        },
        _ => None,
    }
}

/// The value that a step adds to a list.
fn appended(tree: &Tree, step: Id, of: &Loop) -> Option<Id> {
    match tree.get(step) {
        Expr::Call {
            function, arguments, ..
        } if function == "_+_" => match (arguments.as_slice(), arguments.get(1).map(|list| tree.get(*list))) {
            ([sum, _], Some(Expr::List(items))) if is_sum(tree, *sum, of) && items.len() == 1 => Some(items[0].value),
            _ => None,
        },
        _ => None,
    }
}

fn is_empty(tree: &Tree, id: Id) -> bool {
    matches!(tree.get(id), Expr::List(items) if items.is_empty())
}

fn is_sum(tree: &Tree, id: Id, of: &Loop) -> bool {
    matches!(tree.get(id), Expr::Name(name) if *name == of.accumulator)
}
