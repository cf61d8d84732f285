//! Rules that hold, and how they are read and searched.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::atoms::Atoms;
use super::formula::Formula;
use super::hoisted;
use super::search::{Relations, is_implied};
use crate::cel::canonical::is_transition;
use crate::cel::named;
use crate::cel::parser::{self, Parsed};

/// Conditions of all rules that may be related to one, where values are searched that meet them and not that one.
pub(super) const MOST_OF_ALL: usize = 64;

/// The steps of one search, so that others are not left without any.
const MOST_STEPS: usize = 200_000;

/// Rules about one value that compare others, from where on no more are looked for.
const MOST_LINKED: usize = 16;

/// The steps that reading a pattern costs.
const STEPS_OF_A_PATTERN: usize = 200;

/// A rule that is read.
#[derive(Debug)]
pub(crate) struct Read {
    pub(super) parsed: Parsed,
    /// The fields that it names.
    fields: BTreeSet<String>,
    /// What reading its conditions costs, in steps.
    pub(super) cost: usize,
    /// Whether it says nothing about new objects.
    on_updates: bool,
    pub(super) is_about_presence: bool,
    /// Whether it compares two values with each other: `self.a < self.b`.
    pub(super) links_values: bool,
}

/// Rules that hold together, found by the fields that they name.
#[derive(Debug, Default)]
pub(crate) struct Held {
    rules: Vec<Rc<Read>>,
    by_field: BTreeMap<String, Vec<usize>>,
    /// Those that name no field.
    without_fields: Vec<usize>,
}

impl Read {
    /// The fields that it names.
    pub(super) fn fields(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(String::as_str)
    }
}

impl FromIterator<Rc<Read>> for Held {
    fn from_iter<I: IntoIterator<Item = Rc<Read>>>(rules: I) -> Self {
        let mut held = Self::default();
        for rule in rules {
            let at = held.rules.len();
            for field in &rule.fields {
                held.by_field.entry(field.clone()).or_default().push(at);
            }
            if rule.fields.is_empty() {
                held.without_fields.push(at);
            }
            held.rules.push(rule);
        }
        held
    }
}

impl Held {
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Some rules with those that compare one of their values with another one, which may be compared with a third.
    fn linked(&self, mut among: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut waiting: Vec<usize> = among.iter().copied().collect();
        while let Some(at) = waiting.pop().filter(|_| among.len() <= MOST_LINKED) {
            if !self.rules[at].links_values {
                continue;
            }
            let named = self.rules[at]
                .fields
                .iter()
                .filter_map(|field| self.by_field.get(field));
            let others = named.flatten().copied().filter(|other| self.rules[*other].links_values);
            for other in others {
                if among.insert(other) {
                    waiting.push(other);
                }
            }
        }
        among
    }

    /// The rules that may be about the same values as another one, and hold wherever that one is evaluated.
    pub(super) fn concerning(&self, rule: &Read) -> Vec<&Read> {
        let among: BTreeSet<usize> = if rule.fields.is_empty() {
            (0..self.rules.len()).collect()
        } else {
            let named = rule.fields.iter().filter_map(|field| self.by_field.get(field));
            named.flatten().chain(&self.without_fields).copied().collect()
        };
        let among = if rule.links_values { self.linked(among) } else { among };
        let rules = among.into_iter().map(|at| &*self.rules[at]);
        rules.filter(|held| rule.on_updates || !held.on_updates).collect()
    }
}

/// Reads a rule; `None` if that is not possible.
pub(crate) fn read(rule: &str) -> Option<Read> {
    let on_updates = is_transition(rule);
    let mut parsed = parser::parse(rule).ok().filter(|parsed| parsed.unjudged.is_empty())?;
    named::rename(&mut parsed.tree, parsed.root);
    parsed.root = hoisted::hoisted(&mut parsed.tree, parsed.root)?;
    let cost = parsed.tree.size(parsed.root) + STEPS_OF_A_PATTERN * parsed.tree.calls("matches");
    let fields = parsed.tree.fields();
    Some(Read {
        is_about_presence: parsed.tree.is_about_presence(parsed.root),
        links_values: parsed.tree.links_values(),
        parsed,
        fields,
        cost,
        on_updates,
    })
}

/// `None` if the steps did not suffice.
pub(super) fn is_met(
    held: &[Formula],
    wanted: &Formula,
    known: (&Atoms<'_>, &mut Relations),
    left: &mut usize,
) -> Option<bool> {
    let given = (*left).min(MOST_STEPS);
    let mut own = given;
    let is_met = is_implied(held, wanted, known, &mut own);
    *left -= given - own;
    (is_met || own > 0).then_some(is_met)
}
