//! What holds where a part of a rule is evaluated: the values that have names, and the conditions that were met.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::values::{Known, Texts, sizes_of};
use crate::cel::tree::{Expr, Id, Literal, Tree};

/// Values about which conditions are kept; what more conditions say is not.
const MOST_ASSUMED: usize = 64;

#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    variables: BTreeMap<String, Known>,
    /// By the path of a value: `self.a[0]`.
    assumed: BTreeMap<String, Assumed>,
}

/// What a condition that was met says about a value.
#[derive(Debug, Clone, Default)]
pub(super) struct Assumed {
    pub(super) is_set: Option<bool>,
    /// The texts that it is one of, or none of.
    pub(super) texts: Option<(BTreeSet<String>, bool)>,
    pub(super) size: Option<[i64; 2]>,
    pub(super) number: Option<[i64; 2]>,
}

impl Scope {
    pub(super) fn with(&self, name: &str, value: Known) -> Self {
        let mut scope = self.clone();
        scope.variables.insert(name.to_owned(), value);
        scope
    }

    pub(super) fn variable(&self, name: &str) -> Option<&Known> {
        self.variables.get(name)
    }

    /// Whether a field is set, if a condition said so.
    pub(super) fn is_set(&self, path: &str) -> Option<bool> {
        self.assumed.get(path)?.is_set
    }

    /// Adds what a condition says.
    pub(super) fn assume(&self, path: String, said: Assumed) -> Self {
        let mut scope = self.clone();
        if scope.assumed.len() >= MOST_ASSUMED && !scope.assumed.contains_key(&path) {
            return scope;
        }
        let known = scope.assumed.entry(path).or_default();
        known.is_set = said.is_set.or(known.is_set);
        known.texts = match (known.texts.take(), said.texts) {
            (Some((one, true)), Some((other, true))) => Some((&one & &other, true)),
            (Some((one, true)), Some((other, false))) | (Some((other, false)), Some((one, true))) => {
                Some((&one - &other, true))
            }
            (Some((one, false)), Some((other, false))) => Some((&one | &other, false)),
            (known, said) => said.or(known),
        };
        known.size = within(known.size, said.size);
        known.number = within(known.number, said.number);
        scope
    }

    /// What is known of a value at a path, by what conditions said about it; `None` if there is no such value.
    pub(super) fn narrowed(&self, path: &str, known: Known) -> Option<Known> {
        let Some(said) = self.assumed.get(path) else {
            return Some(known);
        };
        let narrowed = match known {
            Known::Text(texts) => Known::Text(of_texts(&texts, said)?),
            Known::Int(range) => Known::Int(within(Some(range), said.number)?),
            Known::List { items, sizes } => Known::List {
                items,
                sizes: within(Some(sizes), said.size)?,
            },
            Known::Map { values, sizes } => Known::Map {
                values,
                sizes: within(Some(sizes), said.size)?,
            },
            other => return Some(other),
        };
        match &narrowed {
            Known::Text(Texts { of: Some(of), .. }) if of.is_empty() => None,
            Known::Int([low, high]) if low > high => None,
            other if other.sizes().is_some_and(|[low, high]| low > high) => None,
            _ => Some(narrowed),
        }
    }
}

fn of_texts(known: &Texts, said: &Assumed) -> Option<Texts> {
    let of = match (&known.of, &said.texts) {
        (Some(known), Some((texts, true))) => Some(&**known & texts),
        (Some(known), Some((texts, false))) => Some(&**known - texts),
        (None, Some((texts, true))) => Some(texts.clone()),
        (None, _) => None,
        (Some(known), None) => Some((**known).clone()),
    };
    let sizes = within(Some(known.sizes), said.size)?;
    let sizes = of
        .as_ref()
        .and_then(sizes_of)
        .map_or(Some(sizes), |own| within(Some(sizes), Some(own)))?;
    Some(Texts {
        of: of.map(Rc::new),
        sizes,
    })
}

/// What two ranges have in common.
fn within(one: Option<[i64; 2]>, other: Option<[i64; 2]>) -> Option<[i64; 2]> {
    match (one, other) {
        (Some(one), Some(other)) => Some([one[0].max(other[0]), one[1].min(other[1])]),
        (one, other) => one.or(other),
    }
}

/// The path of a value: `self.a[0]`; `None` if it is another expression.
pub(super) fn path(tree: &Tree, id: Id) -> Option<String> {
    match tree.get(id) {
        Expr::Name(name) => Some(name.clone()),
        Expr::Select { operand, field, .. } => Some(format!("{}.{field}", path(tree, *operand)?)),
        Expr::Call {
            function, arguments, ..
        } if function == "_[_]" => match (arguments.as_slice(), arguments.get(1).map(|at| tree.get(*at))) {
            ([of, _], Some(Expr::Literal(Literal::Int(at)))) => Some(format!("{}[{at}]", path(tree, *of)?)),
            _ => None,
        },
        _ => None,
    }
}
