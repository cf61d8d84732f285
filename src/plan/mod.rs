//! When things happen where the user is silent: the least assignment that meets every obligation.
//!
//! [`intend()`] says which events are open and what a plan wants of them (the principles of planning, P1 to P9);
//! [`solve()`] finds the least releases that meet intentions and law alike. Solving has no side effects and can be
//! repeated at will.

mod intend;
mod solve;

use crate::model::{ElementKind, Event, EventKind, Model};
use crate::release::Release;
use crate::stability::Stage;

pub use intend::{Intentions, intend};
pub use solve::solve;

/// Why a planned event falls where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// An obligation, by its position, is the greatest of its lower bounds.
    Obligation(usize),
    /// Nothing is planned at or before the current release (P1).
    Current,
}

/// A planned event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// The event.
    pub event: Event,
    /// Where it falls; [`Release::NEVER`] if what it waits for is not in sight.
    pub release: Release,
    /// Why there.
    pub decision: Decision,
}

/// Obligations that no plan can meet together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The event that would have to come both before and after.
    pub event: Event,
    /// The obligations, by their positions, in the order in which one leads to the next.
    pub ring: Vec<usize>,
    /// Whether they lead round without end; if not, the last one is an upper bound that the others pass.
    pub circular: bool,
}

/// A plan: the releases of the open events, and what no plan can meet.
#[derive(Debug, Default)]
pub struct Assignment {
    /// Ordered by event.
    planned: Vec<Planned>,
    /// What cannot be met, in the order of the events.
    pub contradictions: Vec<Contradiction>,
}

impl Assignment {
    /// What was planned of an event.
    pub fn planned(&self, event: Event) -> Option<&Planned> {
        let at = self
            .planned
            .binary_search_by_key(&event, |planned| planned.event)
            .ok()?;
        self.planned.get(at).filter(|planned| !planned.release.is_never())
    }

    /// All planned events, ordered.
    pub fn iter(&self) -> impl Iterator<Item = &Planned> {
        self.planned.iter().filter(|planned| !planned.release.is_never())
    }

    /// When an event falls: as declared, as implied by a declaration, or as planned.
    pub fn release(&self, model: &Model, event: Event) -> Option<Release> {
        fixed(model, event)
            .or_else(|| self.planned(event).map(|planned| planned.release))
            .or_else(|| {
                let container = leaves_with(model, event)?;
                self.release(model, container)
            })
    }
}

/// When an event falls by declaration alone.
///
/// A gate whose feature has gone GA is deprecated by that (rule 8), without a word of its own.
pub fn fixed(model: &Model, event: Event) -> Option<Release> {
    let declared = model.in_force(event);
    let implied = || {
        let is_gate = model.element(event.element).kind == ElementKind::Gate;
        let gate = (is_gate && event.what == EventKind::Deprecated).then(|| model.gate(event.element))??;
        gate.first(Stage::Ga).map(|(_, spec)| spec.since)
    };
    declared.map(|declared| declared.release).or_else(implied)
}

/// The removal that takes an element with it: a part of a kind goes with the kind, at the latest.
pub(crate) fn leaves_with(model: &Model, event: Event) -> Option<Event> {
    let element = model.element(event.element);
    let container = element.parent.filter(|_| element.kind.is_member())?;
    (event.what == EventKind::Removed).then(|| Event {
        life: event.life.min(model.lives(container) - 1),
        ..event.of(container)
    })
}
