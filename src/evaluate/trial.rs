//! What is supposed for the trial of proposed removals: the removals, and what has to come before them.

use std::collections::BTreeMap;

use crate::derivation::Reasoning;
use crate::diagnostic::Diagnostic;
use crate::model::{ElementId, EventKind};
use crate::obligation::{Obligation, Term};
use crate::release::{Calendar, Release};

use super::planning::Planned;
use super::{Evaluation, Supposition};

/// For how many removals that wait for others the first release is worked out with these. For the rest it is that
/// without them.
const MOST_BESIDE: usize = 64;

/// A proposed removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removal {
    /// The element.
    pub element: ElementId,
    /// The release in which it would be removed.
    pub(crate) release: Release,
    /// The release that the model declares for it: of a version, that of the kind that is removed last.
    pub(super) declared: Option<Release>,
}

impl Removal {
    /// The release that it is declared for, if it has not shipped and the proposed one is later.
    pub(super) fn misses(self, calendar: &Calendar) -> Option<Release> {
        let open = calendar.next()..self.release;
        self.declared.filter(|declared| open.contains(declared))
    }
}

/// How the kinds of a version that is removed are deprecated and removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum KindSchedule {
    /// All are deprecated in one release, and removed in one.
    #[default]
    Together,
    /// Each is deprecated when the plan has it, and all are removed in one release.
    DeprecatedApart,
    /// Each is deprecated and removed when the plan has it, the last one in the release of the removal.
    Apart,
}

/// Removals that are tried together.
pub(super) struct RemovalTrial<'t> {
    pub(super) removals: &'t [Removal],
    /// Every finding of the model with them.
    pub(super) all: &'t [Diagnostic],
    /// Those that count against them.
    pub(super) added: &'t [Diagnostic],
    /// What follows from the model with them.
    pub(super) reasoning: Reasoning<'t>,
}

impl RemovalTrial<'_> {
    /// Whether a removal meets a bound beside the others.
    pub(super) fn permits(&self, removal: Removal, bound: &Obligation) -> bool {
        let first = self.reasoning.deciding(&bound.demand);
        first.is_some_and(|first| first.release() <= removal.release)
    }
}

/// The removals not declared.
pub(super) fn withdrawn(removals: &[Removal]) -> impl Iterator<Item = Supposition> {
    let removals = removals.iter();
    removals.map(|removal| (removal.element, EventKind::Removed, None))
}

impl Evaluation {
    /// The parts of an element that have to be deprecated before their removal and are not, with the first release in
    /// which they can be.
    pub(super) fn unannounced(&self, removal: Removal) -> Vec<(ElementId, Release)> {
        let parts = self.model.served_by(removal.element).into_iter();
        let announced = parts.filter_map(|part| {
            let removed = self.model.last_event(part, EventKind::Removed);
            Some((
                part,
                self.reasoning().announcement_of_removal(removed, removal.release)?,
            ))
        });
        announced.collect()
    }

    /// What is supposed to try some of the proposed removals, none of which the model declares then.
    pub(super) fn suppositions(
        &self,
        proposed: &[Removal],
        tried: &[Removal],
        kinds: KindSchedule,
    ) -> Vec<Supposition> {
        withdrawn(proposed).chain(self.trial(tried, kinds)).collect()
    }

    /// Whether the parts of an element that have to be deprecated before its removal would be in several releases.
    pub(super) fn has_kinds_apart(&self, removal: Removal) -> bool {
        let announced = self.unannounced(removal).into_iter();
        let mut releases = announced.map(|(_, release)| release.min(removal.release));
        let first = releases.next();
        releases.any(|release| Some(release) != first)
    }

    /// Whether removals may be allowed with another schedule for the kinds of versions. One deprecation for all kinds
    /// of a version is tried only where none is removed sooner than the plan permits with its own deprecations.
    pub(super) fn is_worth_trying(&self, removals: &[Removal], kinds: KindSchedule) -> bool {
        let reasoning = self.reasoning();
        match kinds {
            KindSchedule::DeprecatedApart => true,
            KindSchedule::Together => {
                let apart = removals.iter().filter(|removal| self.has_kinds_apart(**removal));
                let mut are_late =
                    apart.map(|removal| reasoning.soonest_end(removal.element).release <= removal.release);
                are_late.next().is_some_and(|first| first && are_late.all(|late| late))
            }
            KindSchedule::Apart => removals.iter().any(|removal| {
                let first = reasoning.kinds_ending_first(removal.element, removal.release);
                !first.is_empty()
            }),
        }
    }

    /// The removals, with the deprecations and steps that they need and the model does not declare.
    fn trial(&self, removals: &[Removal], kinds: KindSchedule) -> Vec<Supposition> {
        let removed = removals.iter().flat_map(|removal| self.parts_removed(*removal, kinds));
        let announced = removals.iter().flat_map(|removal| self.announced(*removal, kinds));
        let steps = removals.iter().flat_map(|removal| self.steps_supposed(*removal));
        removed.chain(announced).chain(steps).collect()
    }

    /// The plans of the model with all of these removals but one, for the elements of those that come too early without
    /// the others and wait for them.
    pub(super) fn beside(
        &self,
        removals: &[Removal],
        kinds: KindSchedule,
    ) -> Result<BTreeMap<ElementId, Planned>, Box<Diagnostic>> {
        let waiting = removals.iter().enumerate().filter(|(_, removal)| {
            let is_early = self.reasoning().soonest_end(removal.element).release > removal.release;
            is_early && self.waits_for_another(**removal, removals)
        });
        let plans = waiting.take(MOST_BESIDE).map(|(at, removal)| {
            let others = [&removals[..at], &removals[at + 1..]].concat();
            Ok((removal.element, self.planned_supposing(&self.trial(&others, kinds))?))
        });
        plans.collect()
    }

    /// Whether a bound on a removal, or on that of a part, counts from another one.
    fn waits_for_another(&self, removal: Removal, all: &[Removal]) -> bool {
        let parts = self.model.served_by(removal.element).into_iter();
        let ends = parts.map(|part| self.model.last_event(part, EventKind::Removed));
        let mut bounds = ends.flat_map(|end| self.obligations.on(end)).map(|(_, bound)| bound);
        bounds.any(|bound| {
            let mut terms = bound.demand.lower_terms().iter().filter_map(Term::event);
            terms.any(|event| {
                let id = self.model.id(event.element);
                let mut others = all.iter().filter(|other| **other != removal);
                others.any(|other| self.is_within(id, *other))
            })
        })
    }

    /// The deprecations that a removal needs and the model does not declare, not after the removal itself: one for a
    /// version if all its kinds agree and take it from their version, and it may be deprecated then.
    fn announced(&self, removal: Removal, kinds: KindSchedule) -> Vec<Supposition> {
        let together = (kinds == KindSchedule::Together).then(|| {
            let parts = self.model.served_by(removal.element);
            self.reasoning().announced_together(&parts, removal.release)
        });
        let announced = self.unannounced(removal).into_iter().map(|(part, own)| {
            let release = together.flatten().unwrap_or(own).min(removal.release);
            (part, EventKind::Deprecated, Some(release))
        });
        let announced: Vec<Supposition> = announced.collect();
        let undeprecated = self.model.last_event(removal.element, EventKind::Undeprecated);
        let withdrawn = self
            .model
            .repeated(undeprecated)
            .last()
            .map(|withdrawn| withdrawn.release);
        let alone = self.model.announced_alone(removal.element);
        let are_together = announced.iter().all(|(part, _, release)| {
            let takes = *part == removal.element || self.model.takes_deprecations(*part);
            *release == announced[0].2 && takes && !alone.contains(part)
        });
        match announced.first() {
            Some((_, what, release)) if withdrawn < *release && are_together => {
                vec![(removal.element, *what, *release)]
            }
            _ => announced,
        }
    }

    /// The steps that the policy requires before the removal of each part and the model does not declare, not after the
    /// removal itself.
    fn steps_supposed(&self, removal: Removal) -> impl Iterator<Item = Supposition> {
        let parts = self.model.served_by(removal.element).into_iter();
        parts.flat_map(move |part| {
            let steps = self
                .reasoning()
                .steps_before(self.model.last_event(part, EventKind::Removed));
            let steps = steps.into_iter();
            steps.map(move |(step, release)| (part, step.what, Some(release.min(removal.release))))
        })
    }

    /// The removal of an element, and of those of its kinds that declare a later one of their own or end earlier.
    fn parts_removed(&self, removal: Removal, kinds: KindSchedule) -> Vec<Supposition> {
        let parts = self.model.served_by(removal.element).into_iter().filter(|part| {
            let removed = self.model.last_event(*part, EventKind::Removed);
            let mut own = self.model.declared_of(*part).iter();
            own.any(|declared| declared.event == removed && declared.release > removal.release)
        });
        let parts = parts.filter(|part| *part != removal.element);
        let whole = std::iter::once(removal.element)
            .chain(parts)
            .map(|part| (part, removal.release));
        let earlier = match kinds {
            KindSchedule::Together | KindSchedule::DeprecatedApart => Vec::new(),
            KindSchedule::Apart => self.reasoning().kinds_ending_first(removal.element, removal.release),
        };
        let all = whole.chain(earlier);
        all.map(|(part, end)| (part, EventKind::Removed, Some(end))).collect()
    }
}
