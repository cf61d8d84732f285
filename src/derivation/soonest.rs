//! The first release in which a life may end: one answer for the plan, `why`, judged removals and proposals.

use std::collections::BTreeMap;

use crate::model::succession::Succession;
use crate::model::{ElementId, Event, EventKind};
use crate::obligation::{Demand, Obligation};
use crate::plan::fixed;
use crate::release::{Bound, Release};

use super::{Decisive, Reasoning};

/// A deprecation that the model neither declares nor plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Supposed {
    pub(crate) event: Event,
    pub(crate) release: Release,
}

/// The first release in which a life may end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Soonest<'r> {
    /// The end of the life.
    pub(super) removed: Event,
    /// Of a version, the part that may end last; else the element itself.
    pub(crate) last: ElementId,
    /// It has not shipped, and is [`Release::NEVER`] where none is in sight.
    pub(crate) release: Release,
    /// The lower bound of the law that decides; it may lie in the past.
    pub(crate) decisive: Option<Decisive<'r>>,
    /// The deprecation that it counts from, if that is only supposed.
    pub(crate) supposed: Option<Supposed>,
}

impl Soonest<'_> {
    /// Whether the law alone does not say when the life may end: no lifetime applies, or none has begun.
    pub(crate) fn is_first_open(&self) -> bool {
        let from = self.decisive.and_then(|found| found.worked.term.event());
        self.supposed.is_some() || from.is_none_or(|from| from.what == EventKind::Introduced)
    }
}

impl<'r> Reasoning<'r> {
    /// The same with a deprecation that the model neither declares nor plans.
    pub(crate) fn supposing(self, supposed: Option<Supposed>) -> Self {
        Self { supposed, ..self }
    }

    /// The first release in which a life may end.
    ///
    /// A life whose end has to be announced, and is not, is supposed to be deprecated in the first release still open.
    /// If it may not be deprecated, or is declared never to be, no release is in sight, nor is one of a part that never
    /// begins.
    pub(crate) fn soonest_removal(self, removed: Event) -> Soonest<'r> {
        self.replanned_end(removed)
            .unwrap_or_else(|| self.soonest_as_declared(removed))
    }

    pub(super) fn soonest_as_declared(self, removed: Event) -> Soonest<'r> {
        let supposed = self.supposed_deprecation(removed);
        let supposed = supposed.filter(|supposed| !self.is_forbidden(supposed.event));
        let decisive = self.supposing(supposed).lower(removed);
        let never_begins = self.ends_before_it_begins(removed.element).is_some();
        let is_kept = supposed.is_some() && self.model.keeps(removed.element).is_some();
        let first = if never_begins || is_kept {
            Release::NEVER
        } else {
            self.first_open(removed)
        };
        Soonest {
            removed,
            last: removed.element,
            release: decisive.map_or(first, |found| found.worked.release().max(first)),
            decisive,
            supposed: supposed.filter(|_| !is_kept),
        }
    }

    /// The first release of an end that is planned again.
    pub(crate) fn replanned_end(self, removed: Event) -> Option<Soonest<'r>> {
        self.replanned?.end(removed)
    }

    /// The release in which an end that is planned again is announced, before a gate makes the life more stable.
    pub(crate) fn announced_before_promotion(self, removed: Event) -> Option<Release> {
        Some(self.replanned?.before_promotion(removed)?.announced)
    }

    /// The first release of an end that nothing announces, because a gate makes the life more stable only then.
    pub(crate) fn end_before_promotion(self, removed: Event) -> Option<Release> {
        let before = self.replanned?.before_promotion(removed)?;
        let end = self.replanned_end(removed)?.release;
        (before.is_free && before.announced < self.model.calendar.next()).then_some(end)
    }

    /// The deprecation on which the first release of an end rests, if the model neither declares nor plans it.
    pub(crate) fn condition(self, soonest: &Soonest<'_>) -> Option<Release> {
        let supposed = soonest.supposed.map(|supposed| supposed.release);
        supposed.or_else(|| {
            self.announced_before_promotion(soonest.removed)?;
            self.announcement(soonest.removed, soonest.release)
        })
    }

    /// Whether the last life of an element ended in a release that has shipped.
    pub(crate) fn has_ended(self, element: ElementId) -> bool {
        let removed = self.model.last_event(element, EventKind::Removed);
        let end = self.release(removed);
        end.is_some_and(|end| end < self.model.calendar.next())
    }

    /// The release in which what a part is part of ends before the part begins, which is later declared.
    pub(crate) fn ends_before_it_begins(self, part: ElementId) -> Option<Release> {
        let begin = self.model.last_event(part, EventKind::Introduced);
        let never_begins = self.model.find_declared(begin).is_some() && self.release(begin).is_none();
        let removed = begin.sibling(EventKind::Removed);
        never_begins
            .then(|| self.assignment.owner_end(self.model, removed))
            .flatten()
    }

    /// Whether a life of a part begins: what it is part of is served then.
    pub(crate) fn ever_begins(self, part: ElementId) -> bool {
        let mut begins = (0..self.model.lives(part)).map(|life| Event::new(part, life, EventKind::Introduced));
        begins.any(|begin| self.model.find_declared(begin).is_none() || self.release(begin).is_some())
    }

    /// Why a life may end only in its first open release, where the law alone would permit an earlier one.
    pub(crate) fn reason_to_wait(self, soonest: &Soonest<'r>) -> Option<String> {
        let lower = soonest.decisive.map_or(Release(0), |found| found.worked.release());
        if soonest.release.is_never() || lower >= soonest.release {
            return None;
        }
        let calendar = &self.model.calendar;
        let name = calendar.name(soonest.release);
        let steps = [EventKind::Deprecated, EventKind::Hidden].into_iter();
        let mut steps = steps.filter(|what| fixed(self.model, soonest.removed.sibling(*what)) == Some(soonest.release));
        Some(match steps.next() {
            _ if soonest.release == calendar.next() => format!("{name} is the first release that has not shipped"),
            Some(step) => format!("what is declared does not move: it {} in {name}", step.verb()),
            None if self.entry(soonest.removed) == Some(soonest.release) => {
                format!("what is declared does not move: its last entry is for {name}")
            }
            None if self.withdrawn(soonest.removed) >= Some(Release(soonest.release.0.saturating_sub(1))) => {
                format!("its deprecation is withdrawn in the release before {name}")
            }
            None => format!("it is served in a release before {name}"),
        })
    }

    /// The release that the end of a life waits for, if the calendar does not have it yet: a major one by its number,
    /// another one by its kind.
    pub(crate) fn major_awaited(self, soonest: &Soonest<'r>) -> Option<String> {
        if !soonest.release.is_never() {
            return None;
        }
        let reasoning = self.supposing(soonest.supposed);
        let kind = reasoning.awaits_kind(soonest.removed)?;
        if kind != "major" {
            return Some(format!("next {kind} release"));
        }
        // The calendar has none that is late enough.
        let last = Release(self.model.calendar.listed().saturating_sub(1));
        let deprecated = reasoning.release(soonest.removed.sibling(EventKind::Deprecated));
        let major = deprecated.and_then(|deprecated| self.model.calendar.next_major_name(deprecated.max(last)));
        Some(major.unwrap_or_else(|| "next major".to_owned()))
    }

    /// The deprecation by which the end of a life in a release would be announced: before a gate makes the life more
    /// stable, or else as planned or supposed. `None` if it is declared, or if nothing waits for it.
    pub(crate) fn announcement(self, removed: Event, at: Release) -> Option<Release> {
        let deprecated = removed.sibling(EventKind::Deprecated);
        if fixed(self.model, deprecated).is_some() || !self.waits_for(removed, deprecated) {
            return None;
        }
        if let Some(before) = self.replanned.and_then(|ends| ends.before_promotion(removed)) {
            let promised = self.model.track_at(removed.element, before.announced);
            if before.is_free && self.model.track_unannounced(removed.element, at) <= promised {
                return None;
            }
            let due = self
                .upper(deprecated)
                .map_or(Release::NEVER, |due| due.worked.release());
            if (self.model.calendar.next()..=due).contains(&before.announced) {
                return Some(before.announced);
            }
        }
        match self.release(deprecated) {
            Some(planned) => Some(planned),
            None => Some(self.supposed_deprecation(removed)?.release),
        }
    }

    /// The same for a removal that is proposed. What needs no deprecation now may need one by then, because a gate
    /// makes it more stable before: it is announced while it is less stable.
    pub(crate) fn announcement_of_removal(self, removed: Event, at: Release) -> Option<Release> {
        self.announcement(removed, at)
            .or_else(|| self.while_less_stable(removed, at))
    }

    fn while_less_stable(self, removed: Event, at: Release) -> Option<Release> {
        let deprecated = removed.sibling(EventKind::Deprecated);
        if self.model.in_force(deprecated).is_some() || self.model.element(removed.element).kind.is_member() {
            return None;
        }
        let announced = self.release(deprecated).or_else(|| self.first_announcement(removed))?;
        let [is, would_be] = [
            self.model.track_at(removed.element, announced),
            self.model.track_unannounced(removed.element, at),
        ];
        (announced < at && is < would_be).then_some(announced)
    }

    /// The element whose entry rules out a removal: the end of a part has to be announced, and is declared never to be.
    pub(crate) fn kept(self, element: ElementId) -> Option<ElementId> {
        self.unannounced(element).find_map(|part| self.model.keeps(part))
    }

    /// The parts of an element whose end has to be announced, and is not.
    pub(crate) fn unannounced(self, element: ElementId) -> impl Iterator<Item = ElementId> {
        let parts = self.model.served_by(element).into_iter();
        parts.filter(move |part| {
            let removed = self.model.last_event(*part, EventKind::Removed);
            self.announcement(removed, Release::NEVER).is_some()
        })
    }

    /// The deprecation that the end of a life needs and that is neither declared nor planned. Nothing has to announce
    /// the end of a flag whose command ends first.
    fn supposed_deprecation(self, removed: Event) -> Option<Supposed> {
        let event = removed.sibling(EventKind::Deprecated);
        if self.release(event).is_some() {
            return None;
        }
        if self.lacks_announcement(removed) {
            let release = self.expected_announcement(removed)?;
            return Some(Supposed { event, release });
        }
        if !self.waits_for(removed, event) {
            return None;
        }
        let release = self.first_announcement(removed)?;
        let supposed = Supposed { event, release };
        let [with, without] = [Some(supposed), None].map(|supposed| {
            let decisive = self.supposing(supposed).lower(removed);
            decisive.map_or(Release(0), |found| found.worked.release())
        });
        (without.is_never() || with < without).then_some(supposed)
    }

    /// When the end of a life is due, after the deprecation that it is supposed to have.
    pub(crate) fn due(self, removed: Event) -> Option<Bound> {
        let lacking = self.lacks_announcement(removed);
        let supposed = lacking.then(|| self.supposed_deprecation(removed)).flatten();
        self.supposing(supposed).upper(removed)?.worked.bound
    }

    /// Whether a declared end that has not shipped is too early because nothing announces it: the bound counts from the
    /// end itself.
    pub(crate) fn lacks_announcement(self, end: Event) -> bool {
        let Some(declared) = fixed(self.model, end).filter(|declared| *declared >= self.model.calendar.next()) else {
            return false;
        };
        let waiting = self.waiting(end, end);
        let bound = waiting.and_then(|obligation| self.supposing(None).deciding(&obligation.demand));
        bound.is_some_and(|bound| bound.term.event() == Some(end) && bound.release() > declared)
    }

    /// The release in which the plan would announce such an end: once it may be, and its successor is there or the
    /// deadline has come.
    pub(crate) fn expected_announcement(self, end: Event) -> Option<Release> {
        let due = self.upper(end.sibling(EventKind::Deprecated));
        let due = due.map(|due| due.worked.release());
        let expected = self.replaced(end.element).into_iter().chain(due).min();
        Some(self.first_announcement(end)?.max(expected.unwrap_or(Release(0))))
    }

    /// The first release in which the end of a life may be announced: it has not shipped, and is not before a step that
    /// is declared.
    pub(crate) fn first_announcement(self, removed: Event) -> Option<Release> {
        let introduced = removed.sibling(EventKind::Introduced);
        if self.model.find_declared(introduced).is_some() {
            self.release(introduced)?;
        }
        let permitted = self.lower(removed.sibling(EventKind::Deprecated));
        let permitted = permitted.map_or(Release(0), |found| found.worked.release());
        let first = self.model.first_announcement(removed).max(permitted);
        (!first.is_never()).then_some(first)
    }

    /// The release that introduces the first successor of a version or kind.
    pub(crate) fn replaced(self, element: ElementId) -> Option<Release> {
        let (succession, at) = Succession::around(self.model, element)?;
        self.release(succession.first_successor(self.model, at)?.since)
    }

    /// Whether the law forbids an event.
    pub(crate) fn is_forbidden(self, event: Event) -> bool {
        let mut obligations = self.obligations.on(event);
        obligations.any(|(_, obligation)| obligation.demand == Demand::Forbidden)
    }

    /// The obligation of the law by which an event waits for another one.
    pub(crate) fn waiting(self, event: Event, other: Event) -> Option<&'r Obligation> {
        let mut obligations = self.obligations.on(event);
        let waiting = obligations.find(|(_, obligation)| {
            let mut terms = obligation.demand.lower_terms().iter();
            obligation.rule().is_some() && terms.any(|term| term.event() == Some(other))
        });
        waiting.map(|(_, obligation)| obligation)
    }

    /// The steps that the end of a life waits for and that are not declared, with their releases as planned, or else as
    /// early as they may follow the deprecation that is supposed.
    pub(crate) fn steps_before(self, removed: Event) -> Vec<(Event, Release)> {
        let reasoning = self.supposing(self.supposed_deprecation(removed));
        let steps = self.model.steps.iter().map(|(what, _)| removed.sibling(what));
        let open = steps.filter(|step| self.model.find_declared(*step).is_none() && self.waits_for(removed, *step));
        open.filter_map(|step| Some((step, reasoning.release(step)?))).collect()
    }

    /// The same for several parts, in the order of the steps, with the releases by which all of them may have taken
    /// each.
    pub(crate) fn steps_of_all(self, parts: &[ElementId]) -> BTreeMap<EventKind, Release> {
        let mut steps: BTreeMap<EventKind, Release> = BTreeMap::new();
        for part in parts {
            for (step, release) in self.steps_before(self.model.last_event(*part, EventKind::Removed)) {
                let known = steps.entry(step.what).or_insert(release);
                *known = release.max(*known);
            }
        }
        steps
    }

    /// Whether an event waits for another one, or for a step that does.
    fn waits_for(self, event: Event, other: Event) -> bool {
        let mut steps = self.model.steps.iter().map(|(what, _)| event.sibling(what));
        self.waiting(event, other).is_some()
            || steps.any(|step| self.waiting(event, step).is_some() && self.waits_for(step, other))
    }

    /// The release of the last entry of a gate or metric.
    fn entry(self, removed: Event) -> Option<Release> {
        self.model.last_entry(removed).map(|entry| entry.release)
    }

    /// The last release that withdraws a deprecation of a life, before it ends with what it is part of.
    fn withdrawn(self, removed: Event) -> Option<Release> {
        let withdrawn = self.model.repeated(removed.sibling(EventKind::Undeprecated));
        let end = self.assignment.owner_end(self.model, removed).unwrap_or(Release::NEVER);
        withdrawn
            .map(|declared| declared.release)
            .filter(|release| *release < end)
            .last()
    }

    /// The first release in which a life may end at all: it has not shipped, follows the introduction and the
    /// withdrawal of a deprecation, and is not before a step or an entry that is declared.
    pub(crate) fn first_open(self, removed: Event) -> Release {
        let introduced = self.release(removed.sibling(EventKind::Introduced));
        let served = introduced.map_or(Release(0), |introduced| introduced.plus(1));
        let steps = [EventKind::Deprecated, EventKind::Hidden];
        let declared = steps
            .into_iter()
            .filter_map(|what| fixed(self.model, removed.sibling(what)));
        let withdrawn = self.withdrawn(removed).map(|withdrawn| withdrawn.plus(1));
        let declared = declared.chain(withdrawn).chain(self.entry(removed));
        declared.fold(served.max(self.model.calendar.next()), Release::max)
    }
}
