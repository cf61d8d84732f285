//! The differences between two CRDs or schemas.
//!
//! Schemas are compared by meaning: an absent keyword equals its neutral value, order does not matter, and bounds of
//! integers are integers. One difference is one change: what is below a removed field, or a field whose type changed,
//! is not reported again.

mod bounds;
pub(in crate::schema) mod cel;
mod definition;
mod hidden;
mod logic;
mod node;
mod normal;
mod patterns;
mod rules;
mod shape;
mod types;

use serde_json::Value as Json;

use super::change::{Change, ChangeKind, Effect};
use super::definition::Definition;
use super::node::Schema;
use crate::source::Location;

pub(super) use node::KEPT;
pub(super) use shape::{contains, shape};

pub(crate) use hidden::Types;
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
pub(crate) fn definitions(old: &Definition, new: &Definition) -> Result<Vec<Change>, TooMuch> {
    let mut comparison = Comparison::default();
    comparison.definition(old, new);
    comparison.finish()
}

/// The differences between two schemas of the same value.
///
/// # Errors
///
/// If the differences need too much memory.
pub(crate) fn schemas(old: &Schema, new: &Schema) -> Result<Vec<Change>, TooMuch> {
    let mut comparison = Comparison::default();
    comparison.node(old, new);
    comparison.finish()
}

/// A value for the old and one for the new text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sides<T> {
    pub(crate) old: T,
    pub(crate) new: T,
}

/// A comparison in progress: the path so far, and the changes found.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    changes: Vec<Change>,
    bytes: usize,
    version: Option<String>,
    path: String,
    places: Sides<Option<Location>>,
    /// The lines at which the documents begin.
    begin: Sides<u32>,
    /// Whether the old CRD keeps unlisted fields.
    kept_unknown: bool,
    /// The schemas that references lead to.
    types: Sides<Option<Types>>,
    /// References on both sides, which are compared separately.
    links: Vec<hidden::Link>,
    /// Alternatives that refer to others.
    hidden: Vec<hidden::Hidden>,
}

impl Comparison {
    pub(super) fn finish(self) -> Result<Vec<Change>, TooMuch> {
        if self.bytes > MOST_BYTES {
            return Err(TooMuch);
        }
        Ok(self.changes)
    }

    /// Adds a change without values at the current path.
    pub(super) fn push(&mut self, kind: ChangeKind, effect: Effect) {
        self.add(kind, effect, None, [None, None]);
    }

    /// Adds a change from an old to a new value.
    pub(super) fn between(&mut self, kind: ChangeKind, effect: Effect, old: Option<Json>, new: Option<Json>) {
        self.add(kind, effect, None, [old, new]);
    }

    /// Adds a change of a keyword, a name or a value at the current path.
    fn add(&mut self, kind: ChangeKind, effect: Effect, subject: Option<&str>, [old, new]: [Option<Json>; 2]) {
        self.bytes = self.bytes.saturating_add(self.path.len() + subject.map_or(0, str::len));
        if self.bytes > MOST_BYTES {
            self.changes.clear();
            return;
        }
        self.changes.push(Change {
            kind,
            version: self.version.clone(),
            path: self.path.clone(),
            subject: subject.map(str::to_owned),
            old,
            new,
            effect,
            defaulted: false,
            old_place: self.places.old,
            new_place: self.places.new,
        });
    }

    /// Adds the change of something that is set or not, if it differs.
    fn toggle(&mut self, [old, new]: [bool; 2], set: (ChangeKind, Effect), unset: (ChangeKind, Effect)) {
        if old != new {
            let (kind, effect) = if new { set } else { unset };
            self.push(kind, effect);
        }
    }

    /// Compares one step further down.
    pub(super) fn within(&mut self, step: &str, places: Sides<Option<Location>>, go: impl FnOnce(&mut Self)) {
        let (length, before) = (self.path.len(), self.places);
        self.path.push_str(step);
        self.places = Sides {
            old: places.old.map(|place| place.below(self.begin.old)).or(before.old),
            new: places.new.map(|place| place.below(self.begin.new)).or(before.new),
        };
        go(self);
        self.path.truncate(length);
        self.places = before;
    }
}

fn text(text: Option<&str>) -> Option<Json> {
    text.map(Json::from)
}
