//! Names of the variables of macros that do not depend on how a rule writes them.

use super::tree::{Expr, Id, Tree};

/// Names the variables of macros by how deep they nest.
pub(super) fn rename(tree: &mut Tree, root: Id) {
    visit(tree, root, &mut Vec::new());
}

/// `scope`: the variables as written, the innermost last.
fn visit(tree: &mut Tree, id: Id, scope: &mut Vec<String>) {
    let mut expr = tree.get(id).clone();
    match &mut expr {
        Expr::Name(name) => {
            if let Some(at) = scope.iter().rposition(|variable| variable == name) {
                tree.replace(id, Expr::Name(named(at)));
            }
        }
        Expr::Loop(of) => {
            for part in [of.range, of.start] {
                visit(tree, part, scope);
            }
            let before = scope.len();
            scope.push(std::mem::replace(&mut of.variable, named(before)));
            if let Some(second) = &mut of.second {
                scope.push(std::mem::replace(second, named(before + 1)));
            }
            for part in [of.condition, of.step, of.result] {
                visit(tree, part, scope);
            }
            scope.truncate(before);
            tree.replace(id, expr);
        }
        _ => {
            for child in expr.children() {
                visit(tree, child, scope);
            }
        }
    }
}

fn named(at: usize) -> String {
    format!("@{at}")
}
