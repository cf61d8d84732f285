//! Rules about nothing but which fields are set, however they are written: they are evaluated for all sets of fields.
//! `[has(self.a), has(self.b)].filter(x, x).size() == 1` is `has(self.a) != has(self.b)`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::held::Read;
use super::steps::take;
use crate::cel::eval::{Value, truth};

/// Fields of which all sets are tried.
const MOST_FIELDS: usize = 6;

/// Whether some rules demand, for every set of fields, what another one does. `false` also where that is not known.
pub(super) fn is_demanded(rule: &Read, by: &[&Read], left: &mut usize) -> bool {
    let by: Vec<&Read> = by.iter().copied().filter(|held| held.is_about_presence).collect();
    let rules = by.iter().copied().chain([rule]);
    let fields: BTreeSet<&str> = rules.clone().flat_map(Read::fields).collect();
    let fields: Vec<&str> = fields.into_iter().collect();
    let cost: usize = rules.map(|rule| rule.cost).sum();
    if !rule.is_about_presence || by.is_empty() || fields.len() > MOST_FIELDS || !take(cost << fields.len(), left) {
        return false;
    }
    (0..1_usize << fields.len()).all(|set| {
        let set = fields.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        let set: Vec<&str> = set.map(|(_, field)| *field).collect();
        truth_for(rule, &set) == Some(true) || by.iter().any(|held| truth_for(held, &set) == Some(false))
    })
}

/// Whether an object with some fields, of whose values nothing is known, meets a rule.
fn truth_for(rule: &Read, set: &[&str]) -> Option<bool> {
    let fields = set.iter().map(|field| ((*field).to_owned(), Value::Other));
    let object = Value::Map(Rc::new(fields.collect::<BTreeMap<_, _>>()));
    truth(&rule.parsed.tree, rule.parsed.root, &object)
}
