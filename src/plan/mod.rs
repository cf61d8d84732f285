//! The plan: the earliest releases of undeclared events that meet every obligation.
//!
//! [`intend()`] finds the open events and adds the obligations of planning (principles P1 to P9). [`solve()`] finds the
//! earliest releases that meet those and the law. It has no side effects.
//!
//! **P8 uses the version.** A version whose entry names a later version of its group as its `replacement` is
//! superseded as a whole. A kind in it without a successor waits for the deprecation of the version, which waits for
//! the kinds that have one. So the number of edges is linear; between kinds it would be quadratic. Edition 2019 is
//! about versions, so a kind that the successor of its version does not serve is deprecated with the version there too.
//!
//! **GA deprecates a gate** (rule 8). This event is *implied*: it is not declared, and not planned either, so P1 does
//! not move it. Rule 9 requires a warning only for declared deprecations, because the gate machinery warns about GA
//! gates.

mod intend;
mod solve;

use crate::model::{ElementId, ElementKind, Event, EventKind, Model};
use crate::obligation::{Anchor, Demand, Obligation};
use crate::release::Release;
use crate::stability::Stage;

pub(crate) use intend::{Intentions, intend};
pub(crate) use solve::solve;

/// The page of the principles, P1 to P9, in Markdown.
pub const PAGE: &str = include_str!("planning.md");

/// The page of each principle, in Markdown.
pub const PRINCIPLES: [&str; 9] = [
    include_str!("principles/p1.md"),
    include_str!("principles/p2.md"),
    include_str!("principles/p3.md"),
    include_str!("principles/p4.md"),
    include_str!("principles/p5.md"),
    include_str!("principles/p6.md"),
    include_str!("principles/p7.md"),
    include_str!("principles/p8.md"),
    include_str!("principles/p9.md"),
];

/// The page of a principle by its name, such as `P8`.
pub fn principle(name: &str) -> Option<&'static str> {
    let number: usize = name.strip_prefix(['P', 'p'])?.parse().ok()?;
    PRINCIPLES.get(number.checked_sub(1)?).copied()
}

/// What decides the release of a planned event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// An obligation, by its position: its latest lower bound.
    Obligation(usize),
    /// Nothing is planned at or before the current release (P1).
    Current,
}

/// A planned event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Planned {
    pub(crate) event: Event,
    /// Its release; [`Release::NEVER`] if it waits for something without a release.
    pub(crate) release: Release,
    pub(crate) decision: Decision,
}

/// Obligations that no plan can meet together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Contradiction {
    /// The event that no release fits.
    pub(crate) event: Event,
    /// The obligations, by their positions, in the order in which one leads to the next.
    pub(crate) ring: Vec<usize>,
    /// Whether they form a cycle; if not, the last one is an upper bound below the others.
    pub(crate) circular: bool,
}

/// A plan: the releases of the open events, and contradictions.
#[derive(Debug, Default)]
pub(crate) struct Assignment {
    /// Ordered by event.
    planned: Vec<Planned>,
    /// Where those of each element begin.
    starts: Vec<u32>,
    /// Of each element's first life, the releases of the events in [`ASKED`], in that order; empty before
    /// [`Self::resolved`].
    releases: Vec<[Option<Release>; ASKED.len()]>,
    /// In the order of the events.
    pub(crate) contradictions: Vec<Contradiction>,
}

/// The events whose releases are worked out once, because every answer asks for them.
const ASKED: [EventKind; 4] = [
    EventKind::Introduced,
    EventKind::Deprecated,
    EventKind::Hidden,
    EventKind::Removed,
];

/// Where an event stands in [`ASKED`], if it is of a first life.
fn asked_at(event: Event) -> Option<usize> {
    if (event.life, event.step) != (0, 0) {
        return None;
    }
    ASKED.iter().position(|what| *what == event.what)
}

impl Assignment {
    /// What is planned, in the order of events, for a model with so many elements.
    fn new(planned: Vec<Planned>, contradictions: Vec<Contradiction>, elements: usize) -> Self {
        let mut starts = vec![0; elements + 1];
        for planned in &planned {
            starts[planned.event.element.0 as usize + 1] += 1;
        }
        for at in 0..elements {
            starts[at + 1] += starts[at];
        }
        Self {
            planned,
            starts,
            releases: Vec::new(),
            contradictions,
        }
    }

    /// The same with releases that are found at once, for the plan that every answer asks.
    #[must_use]
    pub(crate) fn resolved(mut self, model: &Model) -> Self {
        self.releases.reserve_exact(model.elements().len());
        for (id, _) in model.elements() {
            let releases = if model.judges(id) {
                let end = self.owner_end(model, Event::new(id, 0, EventKind::Removed));
                ASKED.map(|what| self.within(model, Event::new(id, 0, what), end))
            } else {
                Default::default()
            };
            self.releases.push(releases);
        }
        self
    }

    pub(crate) fn planned(&self, event: Event) -> Option<&Planned> {
        let planned = self.of(event.element).iter().find(|planned| planned.event == event)?;
        (!planned.release.is_never()).then_some(planned)
    }

    /// Whether more obligations may move something that is planned, or be the reason for its release. A lower bound
    /// before that release does neither, and nor does the demand for a declaration.
    pub(crate) fn may_change(&self, model: &Model, more: &[Obligation]) -> bool {
        let mut bounds = more.iter().filter(|more| !matches!(more.demand, Demand::Requires(_)));
        bounds.any(|obligation| {
            let mut planned = self.of(obligation.event.element).iter();
            let planned = planned.find(|planned| planned.event == obligation.event);
            planned.is_some_and(|planned| !self.is_before(model, &obligation.demand, planned.release))
        })
    }

    /// Whether a demand is a lower bound before a release.
    fn is_before(&self, model: &Model, demand: &Demand, release: Release) -> bool {
        let anchors = demand.lower_terms().iter().filter_map(|term| match term.anchor {
            Anchor::Release(anchor) => Some((term, anchor)),
            Anchor::Event(event) => Some((term, self.release(model, event)?)),
        });
        let mut bounds = anchors.map(|(term, anchor)| term.worth(&model.calendar, anchor).release);
        bounds.any(|bound| bound < release)
    }

    /// Whether the same is planned for two elements.
    pub(crate) fn are_alike(&self, one: ElementId, other: ElementId) -> bool {
        let (own, others) = (self.of(one), self.of(other));
        let mut pairs = own.iter().zip(others);
        own.len() == others.len()
            && pairs.all(|(own, others)| own.event.of(other) == others.event && own.release == others.release)
    }

    /// What is planned for an element, ordered.
    pub(crate) fn of(&self, element: ElementId) -> &[Planned] {
        let at = element.0 as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(start), Some(end)) => &self.planned[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// All planned events, ordered.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Planned> {
        self.planned.iter().filter(|planned| !planned.release.is_never())
    }

    /// The release of an event: declared, implied by a declaration, or planned. No part outlives its owner, or begins
    /// after its planned removal.
    pub(crate) fn release(&self, model: &Model, event: Event) -> Option<Release> {
        let known = asked_at(event).zip(self.releases.get(event.element.0 as usize));
        match known {
            Some((at, releases)) => releases[at],
            None => self.resolve(model, event),
        }
    }

    fn resolve(&self, model: &Model, event: Event) -> Option<Release> {
        let is_bounded = matches!(event.what, EventKind::Introduced | EventKind::Removed);
        let end = is_bounded.then(|| self.owner_end(model, event.sibling(EventKind::Removed)));
        self.within(model, event, end.flatten())
    }

    /// The release of the removal that ends a part with its owner. What is part of a life that never begins ends with
    /// what that is part of.
    pub(crate) fn owner_end(&self, model: &Model, removed: Event) -> Option<Release> {
        let with = removed_with(model, removed)?;
        let begin = with.sibling(EventKind::Introduced);
        self.release(model, with).or_else(|| {
            let never_begins = model.find_declared(begin).is_some() && self.release(model, begin).is_none();
            never_begins.then(|| self.owner_end(model, with)).flatten()
        })
    }

    /// The release of an event of an element whose owner is removed in `end`.
    fn within(&self, model: &Model, event: Event, end: Option<Release>) -> Option<Release> {
        let own = fixed(model, event).or_else(|| self.planned(event).map(|planned| planned.release));
        let is_bounded = matches!(event.what, EventKind::Introduced | EventKind::Removed);
        let Some(end) = end.filter(|_| is_bounded) else {
            return own;
        };
        let begin = model.declared_release(event.sibling(EventKind::Introduced));
        if begin.is_some_and(|begin| end <= begin) {
            return None;
        }
        match event.what {
            EventKind::Introduced => own,
            _ => Some(own.map_or(end, |own| own.min(end))),
        }
    }
}

/// The release of an event by declarations alone. The GA entry of a gate implies its deprecation (rule 8).
pub(crate) fn fixed(model: &Model, event: Event) -> Option<Release> {
    if let Some(declared) = model.in_force(event) {
        return Some(declared.release);
    }
    let is_gate = model.element(event.element).kind == ElementKind::Gate;
    let gate = (is_gate && event.what == EventKind::Deprecated).then(|| model.gate(event.element))??;
    gate.first(Stage::Ga).map(|(_, spec)| spec.since)
}

/// The removal that implies another one: a part is removed with its owner, at the latest.
pub(crate) fn removed_with(model: &Model, event: Event) -> Option<Event> {
    (event.what == EventKind::Removed).then(|| model.owner_removal(event))?
}
