//! The states that a filter names: of an element now, and of what is left to do about it.

use crate::model::{ElementId, EventKind, Model};
use crate::release::Release;
use crate::report::{ElementReport, Moment, State};

use super::super::Material;
use super::super::delays::Delays;
use super::event_index::EventIndex;

/// A state that a filter names. An element can be in several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementState {
    /// Not introduced yet.
    Upcoming,
    /// Served, and not deprecated.
    Served,
    /// Deprecated, and still served; hidden ones too.
    Deprecated,
    /// Served on explicit request only.
    Hidden,
    /// No longer served.
    Removed,
    /// Not removed, and something is left: it is deprecated, or an event or a deadline lies ahead.
    Open,
    /// A deadline has passed, and no exception allows that.
    Overdue,
    /// The next release may remove it.
    Removable,
    /// The model declares an event of a future release.
    Declared,
    /// An event of a future release is planned, and not declared.
    Planned,
}

impl ElementState {
    /// All of them, as users write them, with what they mean.
    pub const ALL: [(&'static str, Self, &'static str); 10] = [
        ("upcoming", Self::Upcoming, "Not introduced yet"),
        ("served", Self::Served, "Served, and not deprecated"),
        ("deprecated", Self::Deprecated, "Deprecated, and still served"),
        ("hidden", Self::Hidden, "Served on explicit request only"),
        ("removed", Self::Removed, "No longer served"),
        (
            "open",
            Self::Open,
            "Not removed; deprecated, or an event or a deadline lies ahead",
        ),
        (
            "overdue",
            Self::Overdue,
            "A deadline has passed, and no exception allows that",
        ),
        ("removable", Self::Removable, "The next release may remove it"),
        ("declared", Self::Declared, "An event of a future release is declared"),
        (
            "planned",
            Self::Planned,
            "An event of a future release is planned, not declared",
        ),
    ];

    /// As users write it.
    pub fn as_str(self) -> &'static str {
        let row = Self::ALL.iter().find(|(_, state, _)| *state == self);
        row.map_or("", |(name, ..)| name)
    }
}

/// The states of elements in the current release.
pub(in crate::answer) struct States<'a, 'h> {
    pub(in crate::answer) current: Release,
    pub(in crate::answer) next: Release,
    pub(in crate::answer) index: &'h EventIndex<'a>,
    model: &'a Model,
    excepted: Delays<'a>,
}

impl<'a, 'h> States<'a, 'h> {
    /// The states of a model; `None` if no release is current.
    pub(in crate::answer) fn of(material: Material<'a>, index: &'h EventIndex<'a>) -> Option<Self> {
        let model = material.reasoning.model;
        Some(Self {
            current: model.calendar.current()?,
            next: model.calendar.next(),
            index,
            model,
            excepted: Delays::excepted(material),
        })
    }

    pub(in crate::answer) fn is(&self, wanted: ElementState, id: ElementId) -> bool {
        let now = self.now(id);
        let report = self.index.report(id);
        match wanted {
            ElementState::Upcoming => now.is_none(),
            ElementState::Served => now == Some(State::Served),
            ElementState::Deprecated => matches!(now, Some(State::Deprecated | State::Hidden)),
            ElementState::Hidden => now == Some(State::Hidden),
            ElementState::Removed => now == Some(State::Removed),
            ElementState::Open => now != Some(State::Removed) && self.is_open(now, id, report),
            ElementState::Overdue => self.is_overdue(id),
            ElementState::Removable => self.is_removable(id),
            ElementState::Declared => self.has_ahead(id, true),
            ElementState::Planned => self.has_ahead(id, false),
        }
    }

    /// The state in the current release; none before the introduction.
    pub(in crate::answer) fn now(&self, id: ElementId) -> Option<State> {
        self.index.state(id, self.current)
    }

    /// Whether a deadline of an element that is still served has passed, and no exception allows that.
    pub(in crate::answer) fn is_overdue(&self, id: ElementId) -> bool {
        let report = self.index.report(id);
        let late_deprecation = self.has_come(report.latest_deprecation)
            && !self.has_come(report.deprecated)
            && !self.may_be_late(id, EventKind::Deprecated);
        let late_removal = self.has_come(report.removal_due) && !self.may_be_late(id, EventKind::Removed);
        let ended = matches!(self.now(id), None | Some(State::Removed));
        !ended && (late_deprecation || late_removal)
    }

    /// Whether an exception allows that an event of an element misses its deadline.
    pub(in crate::answer) fn may_be_late(&self, id: ElementId, event: EventKind) -> bool {
        self.excepted.settle(self.model, id, event)
    }

    fn is_removable(&self, id: ElementId) -> bool {
        let ended = matches!(self.now(id), None | Some(State::Removed));
        let earliest = self.index.removable_from(id);
        !ended && earliest.is_some_and(|earliest| earliest <= self.next)
    }

    fn is_open(&self, now: Option<State>, id: ElementId, report: &ElementReport<'a>) -> bool {
        let due = [report.latest_deprecation, report.removal_due];
        let mut ahead = self.index.all_of(id).filter(|(release, _)| *release > self.current);
        now != Some(State::Served)
            || ahead.next().is_some()
            || due.into_iter().flatten().any(|due| self.is_pending(due, report))
    }

    /// Whether a served element has a deadline that it has not met. One that is met is not pending: a deprecation is
    /// declared, or a removal.
    fn is_pending(&self, due: Moment<'a>, report: &ElementReport<'a>) -> bool {
        let is_removal = report.removal_due == Some(due);
        is_removal || !self.has_come(report.deprecated)
    }

    fn has_ahead(&self, id: ElementId, declared: bool) -> bool {
        let mut events = self.index.all_of(id);
        events.any(|(release, is_declared)| release > self.current && is_declared == declared)
    }

    fn has_come(&self, moment: Option<Moment<'_>>) -> bool {
        let release = moment.and_then(|moment| self.index.release(&moment));
        release.is_some_and(|release| release <= self.current)
    }
}
