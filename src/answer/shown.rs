//! The events that a derivation shows, in the order of time.

use crate::derivation::Reasoning;
use crate::model::{Declared, ElementId, Event, EventKind};
use crate::release::Release;
use crate::timeline;

/// What is derived: an event, or something of which only the release is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown<'a> {
    /// An event, as it is in force.
    Event(Event),
    /// A deprecation that was withdrawn.
    Withdrawn(&'a Declared),
    /// The end or the beginning of a time in which no kind of a version is served.
    Gap(Event, Release),
}

impl Shown<'_> {
    pub(super) fn event(self) -> Event {
        match self {
            Self::Event(event) | Self::Gap(event, _) => event,
            Self::Withdrawn(declared) => declared.event,
        }
    }

    fn release(self, reasoning: Reasoning<'_>) -> Option<Release> {
        match self {
            Self::Event(event) => reasoning.release(event),
            Self::Withdrawn(declared) => Some(declared.release),
            Self::Gap(_, release) => Some(release),
        }
    }
}

/// The events of an element that are declared, planned or bounded, in the order of time; of a version with kinds,
/// also those of the kinds.
pub(super) fn events(reasoning: Reasoning<'_>, element: ElementId, only: Option<EventKind>) -> Vec<Shown<'_>> {
    let model = reasoning.model;
    let is_version = model.element(element).kind.is_version();
    let union = Some(element).filter(|_| is_version).and_then(|id| model.version_of(id));
    let kinds: &[ElementId] = union.map_or(&[], |version| &version.kinds);
    let mut events = Vec::new();
    for life in 0..model.lives(element) {
        let mut own = of_life(reasoning, element, life);
        if model.lives(element) == 1 {
            own.extend(gaps(reasoning, element, kinds));
        }
        own.sort_by_key(|shown| shown.release(reasoning).unwrap_or(Release::NEVER));
        events.extend(own);
    }
    for kind in kinds {
        events.extend(self::events(reasoning, *kind, None));
    }
    events.retain(|shown| only.is_none_or(|only| shown.event().what == only));
    events
}

fn of_life(reasoning: Reasoning<'_>, element: ElementId, life: u8) -> Vec<Shown<'_>> {
    let model = reasoning.model;
    let mut events = Vec::new();
    for event in model.event_kinds().map(|what| Event::new(element, life, what)) {
        let bounded = reasoning.obligations.on(event).next().is_some();
        if bounded || reasoning.release(event).is_some() {
            events.push(Shown::Event(event));
        }
    }
    let deprecated = Event::new(element, life, EventKind::Deprecated);
    let withdrawn = model.repeated(deprecated);
    events.extend(
        withdrawn
            .filter(|declared| model.in_force(deprecated) != Some(*declared))
            .map(Shown::Withdrawn),
    );
    let undeprecated = model.repeated(deprecated.sibling(EventKind::Undeprecated));
    let entries = model.declared_of(element).iter();
    let again = entries.filter(|declared| declared.event.what == EventKind::Promoted && declared.event.life == life);
    let again = undeprecated.chain(again).map(|declared| declared.event);
    events.extend(again.filter(|event| event.step > 0).map(Shown::Event));
    events
}

/// The releases from which on no kind of a version is served, and those that serve one again.
fn gaps<'a>(reasoning: Reasoning<'a>, version: ElementId, kinds: &[ElementId]) -> Vec<Shown<'a>> {
    let spans = kinds
        .iter()
        .flat_map(|kind| timeline::spans(reasoning.model, reasoning.assignment, *kind));
    let mut services: Vec<(Release, Release)> = spans.map(|span| (span.service.since, span.service.until)).collect();
    services.sort_unstable();
    let mut gaps = Vec::new();
    let (mut life, mut end) = (0, services.first().map_or(Release::NEVER, |(_, until)| *until));
    for (since, until) in services {
        if since > end && !since.is_never() {
            gaps.push(Shown::Gap(Event::new(version, life, EventKind::Removed), end));
            life += 1;
            gaps.push(Shown::Gap(Event::new(version, life, EventKind::Introduced), since));
        }
        end = end.max(until);
    }
    gaps
}
