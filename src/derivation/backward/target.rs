//! What a search for a way starts from.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::model::{Event, EventKind, Model};
use crate::policy::Law;
use crate::release::Release;

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
