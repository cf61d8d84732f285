//! The differences between two CRDs or schemas.
//!
//! Schemas are compared by meaning: an absent keyword equals its neutral value, order does not matter, and bounds of
//! integers are integers. One difference is one change: what is below a removed field, or a field whose type changed,
//! is not reported again.

mod alternatives;
mod bounds;
mod definition;
mod demand;
mod deprecated;
mod distinct;
mod elsewhere;
mod embedded;
mod facts;
mod folded;
mod held;
mod hidden;
mod implicit;
mod lifted;
mod listed;
mod logic;
mod meaning;
mod met;
mod naming;
mod node;
mod normal;
mod number;
mod optional;
mod patterns;
mod place;
mod presence;
mod readings;
mod restated;
mod rules;
mod shape;
mod steps;
mod typed;
mod types;
mod unread;
mod values;
mod within;

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value as Json;

use super::change::{Change, ChangeKind, Effect};
use super::definition::Definition;
use super::node::Schema;
use super::path::OF_EVERY_OBJECT;
use crate::source::Location;

pub(super) use shape::{KEPT, contains, shape};

pub(crate) use hidden::Types;
pub(crate) use steps::Steps;
pub(crate) use types::{Documents, SharedChange, TypeName, types};

/// Bytes of all paths, names and values of changes. In deep schemas with long names, they can exceed the text by far.
const MOST_BYTES: usize = 256 << 20;

/// The differences exceed the limit of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the differences take more than {} MiB", MOST_BYTES >> 20)]
pub struct TooMuch;

/// The differences between two CRDs of one kind, in the order of the document.
///
/// # Errors
///
/// If the differences need too much memory.
pub(crate) fn definitions(old: &Definition, new: &Definition, steps: &mut Steps) -> Result<Vec<Change>, TooMuch> {
    let mut comparison = Comparison::with(steps);
    comparison.definition(old, new);
    *steps = std::mem::take(&mut comparison.steps);
    comparison.finish()
}

/// The differences between two schemas of the same value.
///
/// # Errors
///
/// If the differences need too much memory.
pub(crate) fn schemas(old: &Schema, new: &Schema, steps: &mut Steps) -> Result<Vec<Change>, TooMuch> {
    let mut comparison = Comparison::with(steps);
    comparison.node(old, new);
    *steps = std::mem::take(&mut comparison.steps);
    comparison.finish()
}

/// A comparison in progress: the path so far, and the changes found. Of two values, the first is that of the old text.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    changes: Vec<Change>,
    bytes: usize,
    version: Option<String>,
    path: String,
    places: [Option<Location>; 2],
    /// The lines at which the documents begin.
    begin: [u32; 2],
    /// Whether a rule around the current value was removed: a rule of the value may say the same.
    rules_gone: bool,
    /// What is known of the rules of fields, by path, from the rules of objects around them.
    around: BTreeMap<String, elsewhere::Around>,
    steps: Steps,
    readings: Rc<readings::Readings>,
    asked: restated::Asked,
    /// Whether each CRD keeps unlisted fields everywhere.
    kept_unknown: [bool; 2],
    /// The schemas that references lead to.
    types: [Option<Types>; 2],
    /// References on both sides, which are compared separately.
    links: Vec<hidden::Link>,
    /// Alternatives that refer to others.
    hidden: Vec<hidden::Hidden>,
}

impl Comparison {
    /// A comparison that takes the steps of others with it, until it is done.
    fn with(steps: &mut Steps) -> Self {
        Self {
            steps: std::mem::take(steps),
            ..Self::default()
        }
    }

    pub(super) fn finish(self) -> Result<Vec<Change>, TooMuch> {
        if self.bytes > MOST_BYTES {
            return Err(TooMuch);
        }
        Ok(self.changes)
    }

    /// The fields at the current path that objects have even where they are not listed.
    fn of_every_object(&self) -> &'static [&'static str] {
        if self.path.is_empty() { &OF_EVERY_OBJECT } else { &[] }
    }

    /// Adds a change without values at the current path.
    pub(super) fn push(&mut self, kind: ChangeKind, effect: Effect) {
        self.add(kind, effect, None, [None::<&str>; 2]);
    }

    /// Adds a change from an old to a new value.
    pub(super) fn between<T: Into<Json>>(&mut self, kind: ChangeKind, effect: Effect, values: [Option<T>; 2]) {
        self.add(kind, effect, None, values);
    }

    /// Adds the change of a text, if it differs.
    fn texts(&mut self, kind: ChangeKind, effect: Effect, values: [Option<&str>; 2]) {
        if values[0] != values[1] {
            self.between(kind, effect, values);
        }
    }

    /// Adds a change of a keyword, a name or a value at the current path.
    fn add<T: Into<Json>>(&mut self, kind: ChangeKind, effect: Effect, subject: Option<&str>, values: [Option<T>; 2]) {
        self.bytes = self.bytes.saturating_add(self.path.len() + subject.map_or(0, str::len));
        if self.bytes > MOST_BYTES {
            self.changes.clear();
            return;
        }
        let [old, new] = values.map(|value| value.map(Into::into));
        let [old_place, new_place] = self.places;
        self.changes.push(Change {
            kind,
            version: self.version.clone(),
            path: self.path.clone(),
            subject: subject.map(str::to_owned),
            old,
            new,
            effect,
            defaulted: false,
            breaks_lines_only: false,
            embedded: None,
            old_place,
            new_place,
        });
    }

    /// Adds the change of something that is set or not, if it differs. The kinds are that with the wider set of valid
    /// values, and its reverse.
    fn toggle(&mut self, is_wide: [bool; 2], [wider, narrower]: [ChangeKind; 2]) {
        match is_wide {
            [false, true] => self.push(wider, Effect::Wider),
            [true, false] => self.push(narrower, Effect::Narrower),
            _ => {}
        }
    }

    /// Compares one step further down.
    pub(super) fn within(&mut self, step: &str, places: [Option<Location>; 2], go: impl FnOnce(&mut Self)) {
        let (length, before) = (self.path.len(), self.places);
        self.path.push_str(step);
        self.places = [0, 1].map(|at| places[at].map(|place| place.below(self.begin[at])).or(before[at]));
        go(self);
        self.path.truncate(length);
        self.places = before;
    }
}
