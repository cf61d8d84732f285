//! What a search for a way starts from.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::grammar::EntryKey;
use crate::model::{Event, EventKind, Model};
use crate::plan::fixed;
use crate::policy::Law;
use crate::release::Release;
use crate::stability::Stage;

use super::super::Reasoning;

/// An event no later than a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) event: Event,
    /// The removal of the version of a kind, if all its kinds are to be removed.
    pub(crate) whole: Option<Event>,
    pub(crate) by: Release,
}

/// What a search for a way knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terrain<'r> {
    /// The model as it is.
    pub(crate) facts: Reasoning<'r>,
    /// The same model with events on the way supposed, whose obligations bind.
    pub(crate) stated: Reasoning<'r>,
    pub(crate) law: &'r Law,
    /// The first releases of events that no bound, but a finding about the model with them, asks for.
    pub(crate) floors: &'r HashMap<Event, Release>,
    /// Deprecations that happen in one of these releases, before what they announce.
    pub(crate) chosen: &'r HashMap<Event, Range<Release>>,
    /// The only undeclared events that may be on the way, if not all may.
    pub(crate) within: Option<&'r HashSet<Event>>,
}

/// Whether an event may be declared, for another release if it is declared already: an end, or a step towards one.
pub(crate) fn may_be_declared(model: &Model, event: Event) -> bool {
    use EventKind::{Deprecated, Dropped, Hidden, Migrated, Removed, Step};
    let is_end = matches!(event.what, Deprecated | Step(_) | Hidden | Migrated | Removed | Dropped);
    is_end && event.step == 0 && event.life == model.last_life(event.element)
}

/// Whether an event is declared for a release that may change.
pub(super) fn is_movable(model: &Model, event: Event) -> bool {
    let is_open = fixed(model, event).is_none_or(|release| release >= model.calendar.next());
    // Entries of gates, which later entries follow, do not move.
    let has_key = model.element(event.element).kind.has_key(EntryKey::Event(event.what));
    let gate = model
        .gate(event.element)
        .filter(|_| event.what == EventKind::Deprecated);
    let is_entry = gate.is_some_and(|gate| gate.first(Stage::Deprecated).is_some());
    let is_own = model.in_force(event).is_some() && has_key && !is_entry;
    is_open && is_own && may_be_declared(model, event)
}
