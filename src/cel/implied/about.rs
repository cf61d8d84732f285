//! What is known of the values that rules name.

use std::collections::BTreeSet;

use crate::cel::known::{Facts, Known};
use crate::cel::tree::{Expr, Id, Tree};

/// What is known of the value that rules are about, now and before an update.
#[derive(Debug, Clone)]
pub(crate) struct About<'k> {
    /// The names of values that are integers: `self.n`.
    pub(crate) integers: &'k BTreeSet<String>,
    pub(crate) value: Known,
}

impl<'k> About<'k> {
    /// A value of which only this is known.
    pub(crate) fn with_integers(integers: &'k BTreeSet<String>) -> Self {
        Self {
            integers,
            value: Known::Any,
        }
    }
}

/// What is known of the variables that expressions name, the innermost last.
#[derive(Debug, Clone)]
pub(super) struct Scope<'t>(Vec<(&'t str, Known)>);

impl<'t> Scope<'t> {
    pub(super) fn of(value: &Known) -> Self {
        Self(["self", "oldSelf"].map(|name| (name, value.clone())).to_vec())
    }

    /// The same with one variable more.
    pub(super) fn with(&self, variable: &'t str, value: Known) -> Self {
        let mut all = self.clone();
        all.0.push((variable, value));
        all
    }

    /// What is known of a variable, or of a field of one.
    pub(super) fn known(&self, tree: &Tree, id: Id) -> Option<&Known> {
        match tree.get(id) {
            Expr::Name(name) => {
                let mut variables = self.0.iter().rev();
                variables.find(|(variable, _)| variable == name).map(|(_, known)| known)
            }
            Expr::Select {
                operand,
                field,
                tests: false,
            } => Some(&self.fields(tree, *operand)?.get(field)?.value),
            _ => None,
        }
    }

    /// What is known of the fields of an object.
    pub(super) fn fields(&self, tree: &Tree, id: Id) -> Option<&Facts> {
        match self.known(tree, id)? {
            Known::Object(facts) => Some(facts),
            _ => None,
        }
    }

    /// Whether all objects have a field, or none; `None` if that is not known.
    pub(super) fn is_set(&self, tree: &Tree, object: Id, field: &str) -> Option<bool> {
        self.fields(tree, object)?.get(field)?.is_set
    }
}
