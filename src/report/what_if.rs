//! What a change of a model moves.

use serde::Serialize;

use super::{DiagnosticReport, Moment, PolicyReport};
use crate::grammar::EventWord;

/// What a change of a model moves: first what becomes illegal and what was announced for an earlier day.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct WhatIfReport<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The changes, as the user asked for them.
    pub changes: Vec<String>,
    /// How much moves.
    pub counts: WhatIfCounts,
    /// The errors that the change adds.
    pub illegal: Vec<DiagnosticReport<'a>>,
    /// What was announced, and comes later now, or not at all.
    pub missed: Vec<MissedReport<'a>>,
    /// The warnings and notes that the change adds.
    pub findings: Vec<DiagnosticReport<'a>>,
    /// The findings that miss their bound by more than before.
    pub grown: Vec<DiagnosticReport<'a>>,
    /// The findings that the change resolves.
    pub resolved: Vec<DiagnosticReport<'a>>,
    /// The editions of the policy, where others apply now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policies: Option<PolicyMove<'a>>,
    /// The releases that are listed, gone, or on another day.
    pub releases: Vec<ReleaseMove<'a>>,
    /// The releases that keep their day, and have shipped, are announced, or are only projected now.
    pub same_day: Vec<ReleaseMove<'a>>,
    /// The events that are new, gone, in another release, or no longer only planned.
    pub events: Vec<EventMove<'a>>,
    /// The events that move alike, together, without those of parts that move with their whole.
    pub event_groups: Vec<EventGroup<'a>>,
}

/// Events that move alike: between the same releases, for one reason.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EventGroup<'a> {
    /// How they move.
    pub change: Movement,
    /// What happens.
    pub event: MovingEvent<'a>,
    /// When it happened before.
    pub from: Option<Moment<'a>>,
    /// When it happens now.
    pub to: Option<Moment<'a>>,
    /// The reason that all of them have, or else what their reasons rest on.
    pub reason: String,
    /// How many parts move with them.
    pub parts: usize,
    /// The positions of the moves in the list.
    pub events: Vec<usize>,
}

/// How much a change moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct WhatIfCounts {
    /// Errors that it adds.
    pub illegal: usize,
    /// Announcements that it breaks.
    pub missed: usize,
    /// Warnings and notes that it adds.
    pub findings: usize,
    /// Findings that miss their bound by more.
    pub grown: usize,
    /// Findings that it resolves.
    pub resolved: usize,
    /// Releases that it moves.
    pub releases: usize,
    /// Events that it adds.
    pub added: usize,
    /// Events that it moves.
    pub moved: usize,
    /// Events that it removes.
    pub removed: usize,
}

/// How something moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Movement {
    /// It was not there before.
    Added,
    /// It was another one.
    Moved,
    /// It is no longer there.
    Removed,
}

impl Movement {
    /// The mark of a line: `+`, `~` or `-`.
    pub fn mark(self) -> char {
        match self {
            Self::Added => '+',
            Self::Moved => '~',
            Self::Removed => '-',
        }
    }

    /// Of something that was there, is there, or both.
    pub(crate) fn between<T>(from: Option<&T>, to: Option<&T>) -> Self {
        match (from, to) {
            (None, _) => Self::Added,
            (Some(_), Some(_)) => Self::Moved,
            (Some(_), None) => Self::Removed,
        }
    }
}

/// An announcement that no longer holds: the day of a release, or a declared event.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MissedReport<'a> {
    /// The element; null for the day of a release.
    pub element: Option<&'a str>,
    /// What was announced of it.
    pub event: Option<MovingEvent<'a>>,
    /// When it was announced for.
    pub from: Moment<'a>,
    /// When it comes now; null for never.
    pub to: Option<Moment<'a>>,
    /// Of a release: how many declared events come with it.
    pub with: usize,
    /// The owner.
    pub owner: Option<&'a str>,
}

/// The editions of the policy before and after.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PolicyMove<'a> {
    /// Before.
    pub from: Vec<PolicyReport<'a>>,
    /// After.
    pub to: Vec<PolicyReport<'a>>,
}

/// A release on another day.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReleaseMove<'a> {
    /// How it moves.
    pub change: Movement,
    /// Its name.
    pub release: &'a str,
    /// Before.
    pub from: Option<Moment<'a>>,
    /// After.
    pub to: Option<Moment<'a>>,
    /// What is removed in it after the change, declared or planned, without parts of what is removed.
    pub removals: Vec<&'a str>,
}

/// What happens in an event that may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum MovingEvent<'a> {
    /// An event of the model.
    Event(EventWord<'a>),
    /// A gate or a metric enters a stage or a class.
    Stage(&'static str),
}

impl<'a> MovingEvent<'a> {
    /// As reports write it.
    pub fn as_str(self) -> &'a str {
        match self {
            Self::Event(what) => what.as_str(),
            Self::Stage(stage) => stage,
        }
    }
}

/// An event in another release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EventMove<'a> {
    /// How it moves.
    pub change: Movement,
    /// The element.
    pub element: &'a str,
    /// What happens.
    pub event: MovingEvent<'a>,
    /// In which of its lives, from 1.
    pub life: u8,
    /// When it happened before.
    pub from: Option<Moment<'a>>,
    /// When it happens now.
    pub to: Option<Moment<'a>>,
    /// Why.
    pub reason: String,
    /// What the reason rests on: the reason without the releases that it counts from.
    pub basis: String,
    /// What it is part of, if the same happens to that.
    pub with: Option<&'a str>,
    /// The owner.
    pub owner: Option<&'a str>,
}

impl WhatIfReport<'_> {
    /// Whether nothing moves.
    pub fn is_empty(&self) -> bool {
        self.counts == WhatIfCounts::default() && self.policies.is_none() && self.same_day.is_empty()
    }
}
