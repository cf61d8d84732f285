//! `f(a ? b : c)` as `a ? f(b) : f(c)`.

use crate::cel::tree::{Expr, Id, Tree};

/// Conditions that are moved out of one rule.
const MOST_CONDITIONS: usize = 64;

/// Parts of one rule that are visited: what is moved into both branches is visited in each.
const MOST_VISITS: usize = 2_000;

const CONDITION: &str = "_?_:_";

/// The expression with conditions outside of what they are operands of; `None` if that makes it too large.
pub(super) fn hoisted(tree: &mut Tree, root: Id) -> Option<Id> {
    let mut left = Left {
        conditions: MOST_CONDITIONS,
        visits: MOST_VISITS,
    };
    hoist(tree, root, &mut left)
}

/// What may still be done.
struct Left {
    conditions: usize,
    visits: usize,
}

fn hoist(tree: &mut Tree, id: Id, left: &mut Left) -> Option<Id> {
    left.visits = left.visits.checked_sub(1)?;
    let mut expr = tree.get(id).clone();
    for child in expr.children_mut() {
        *child = hoist(tree, *child, left)?;
    }
    let span = tree.span(id);
    // The test of a condition stays where it is.
    let is_condition = matches!(&expr, Expr::Call { function, .. } if function == CONDITION);
    let operands = if is_condition {
        Vec::new()
    } else {
        strict_operands(&expr)
    };
    let found = operands.into_iter().find_map(|operand| match tree.get(operand) {
        Expr::Call {
            function, arguments, ..
        } if function == CONDITION => {
            let [test, then, otherwise] = arguments.as_slice() else {
                return None;
            };
            Some((operand, *test, *then, *otherwise))
        }
        _ => None,
    });
    let Some((operand, test, then, otherwise)) = found else {
        return tree.add(expr, span).ok();
    };
    left.conditions = left.conditions.checked_sub(1)?;
    let mut arguments = vec![test];
    for chosen in [then, otherwise] {
        let mut with = expr.clone();
        for child in with.children_mut() {
            if *child == operand {
                *child = chosen;
            }
        }
        let with = tree.add(with, span).ok()?;
        arguments.push(hoist(tree, with, left)?);
    }
    let function = CONDITION.to_owned();
    let target = None;
    tree.add(
        Expr::Call {
            function,
            target,
            arguments,
        },
        span,
    )
    .ok()
}

/// The operands that are always evaluated, and in which an error is one of the whole.
pub(super) fn strict_operands(expr: &Expr) -> Vec<Id> {
    match expr {
        Expr::Select { operand, .. } => vec![*operand],
        Expr::Call { function, .. } if matches!(function.as_str(), "_&&_" | "_||_" | "!_") => Vec::new(),
        Expr::Call {
            function, arguments, ..
        } if function == CONDITION => arguments.first().copied().into_iter().collect(),
        Expr::Call { function, .. } if function.contains('@') && function != "@in" => Vec::new(),
        Expr::Call { target, arguments, .. } => target.iter().chain(arguments).copied().collect(),
        Expr::Loop(of) => vec![of.range],
        _ => Vec::new(),
    }
}
