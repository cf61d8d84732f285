//! Obligations computed on a calendar: the release of each, which one decides, and why, in words.
//!
//! `check`, the plan per element and `why` all use this module, so they cannot disagree.

mod backward;
mod judgement;
mod last_kind;
mod open_ends;
mod replanned;
mod soonest;
mod together;
mod words;

use crate::diagnostic::{RuleId, Severity};
use crate::model::{ElementId, Event, EventKind, Model};
use crate::obligation::{Anchor, Demand, Obligation, Obligations, Reach, Source, Term};
use crate::plan::{Assignment, Planned, removed_with};
use crate::policy::Law;
use crate::release::{Bound, KindSet, Release};
use crate::report::DecidedBy;

pub(crate) use backward::{Clash, Mobility, Step, Target, Terrain, Way, may_be_declared};
pub(crate) use judgement::{Judgement, changes};
pub(crate) use open_ends::open_ends;
pub(crate) use replanned::Replanned;
pub(crate) use soonest::{Soonest, Supposed};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Reasoning<'r> {
    pub(crate) model: &'r Model,
    pub(crate) obligations: &'r Obligations,
    pub(crate) assignment: &'r Assignment,
    /// A deprecation to count from that the model does not have.
    pub(crate) supposed: Option<Supposed>,
    /// The first releases of ends that are planned again.
    pub(crate) replanned: Option<&'r Replanned>,
}

/// A term with the release of its anchor and its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Worked {
    pub(crate) term: Term,
    /// The release of its anchor; `None` if the anchor is neither declared nor planned.
    pub(crate) anchor: Option<Release>,
    /// Its own release; `None` without an anchor.
    pub(crate) bound: Option<Bound>,
}

/// A bound on an event: the obligation that states it, and the term that decides it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decisive<'r> {
    /// Where it is stated; `None` for an obligation of the plan without a declared end.
    pub(crate) position: Option<usize>,
    pub(crate) obligation: &'r Obligation,
    pub(crate) worked: Worked,
}

impl Worked {
    /// The release; [`Release::NEVER`] without one.
    pub(crate) fn release(&self) -> Release {
        self.bound.map_or(Release::NEVER, |bound| bound.release)
    }

    /// Whether the calendar ends before it: the real bound is this release or a later one.
    pub(crate) fn is_open(&self) -> bool {
        self.bound.is_some_and(|bound| bound.open)
    }
}

impl<'r> Reasoning<'r> {
    /// The release of an event: declared, implied, planned or supposed.
    pub(crate) fn release(&self, event: Event) -> Option<Release> {
        let supposed = self.supposed.filter(|supposed| supposed.event == event);
        let known = self.assignment.release(self.model, event);
        known
            .or(supposed.map(|supposed| supposed.release))
            .or_else(|| self.step_supposed(event))
    }

    /// Whether the declared removal of a part does not happen, because what the part is in is planned to end before it.
    pub(crate) fn is_cut_short(&self, removed: Event) -> bool {
        let Some(with) = removed_with(self.model, removed) else {
            return false;
        };
        let declared = self.model.declared_release(removed);
        self.model.find_declared(with).is_none() && declared.is_some() && self.release(removed) < declared
    }

    /// The supposed deprecation of a declared end: without one, its bounds count from the end itself.
    pub(super) fn supposed_before(&self, end: Event) -> Option<Release> {
        let is_end = matches!(end.what, EventKind::Removed | EventKind::Hidden);
        let supposed = self
            .supposed
            .filter(|supposed| supposed.event == end.sibling(EventKind::Deprecated));
        let waits = is_end && supposed.is_some() && self.lacks_announcement(end);
        supposed.filter(|_| waits).map(|supposed| supposed.release)
    }

    /// The first release for a step that follows a supposed deprecation.
    fn step_supposed(&self, event: Event) -> Option<Release> {
        let is_step = matches!(event.what, EventKind::Step(_));
        let supposed = self.supposed.filter(|_| is_step)?;
        let deprecated = event.sibling(EventKind::Deprecated);
        let bound = self.lower(event).filter(|_| supposed.event == deprecated)?;
        let bound = bound.worked.release();
        (!bound.is_never()).then(|| bound.max(supposed.release))
    }

    /// Whether two parts of one whole have the same events for the same reasons, so that their answers differ in their
    /// ids only.
    pub(crate) fn are_alike(&self, one: ElementId, other: ElementId) -> bool {
        self.model.are_declared_alike(one, other)
            && self.assignment.are_alike(one, other)
            && self.obligations.are_alike(one, other)
    }

    /// What is planned for an event, if nothing ends it before: a part is removed with its owner, at the latest.
    pub(crate) fn planned(&self, event: Event) -> Option<&'r Planned> {
        let planned = self.assignment.planned(event)?;
        (self.release(event) == Some(planned.release)).then_some(planned)
    }

    pub(crate) fn work(&self, term: Term) -> Worked {
        let anchor = match term.anchor {
            Anchor::Release(release) => Some(release),
            Anchor::Event(event) => self.supposed_before(event).or_else(|| self.release(event)),
        };
        Worked {
            term,
            anchor,
            bound: anchor.map(|anchor| term.worth(&self.model.calendar, anchor)),
        }
    }

    /// The term that decides a lower bound: the earliest.
    pub(crate) fn deciding(&self, demand: &Demand) -> Option<Worked> {
        demand
            .lower_terms()
            .iter()
            .map(|term| self.work(*term))
            .min_by_key(Worked::release)
    }

    /// Whether a release comes before a lower bound. One of the wrong kind comes late enough where the bound only waits
    /// for the next one of the right kind.
    pub(crate) fn misses(&self, worked: &Worked, release: Release) -> bool {
        let of_any_kind = Term {
            only_in: KindSet::default(),
            ..worked.term
        };
        release < self.work(of_any_kind).release()
    }

    /// The latest lower bound of the law on an event. Of equal bounds, the first one.
    pub(crate) fn lower(&self, event: Event) -> Option<Decisive<'r>> {
        self.obligations
            .on(event)
            .filter(|(_, obligation)| matches!(obligation.source, Source::Rule(_)))
            .filter_map(|(position, obligation)| {
                let worked = self.deciding(&obligation.demand)?;
                Some(Decisive {
                    position: Some(position),
                    obligation,
                    worked,
                })
            })
            .reduce(|best, next| {
                if next.worked.release() > best.worked.release() {
                    next
                } else {
                    best
                }
            })
    }

    /// The latest lower bound of the law on an event, if another event came in a release.
    pub(crate) fn lower_if(&self, event: Event, other: Event, release: Release) -> Release {
        let obligations = self.obligations.on(event);
        let obligations = obligations.filter(|(_, obligation)| matches!(obligation.source, Source::Rule(_)));
        let bounds = obligations.filter_map(|(_, obligation)| {
            let terms = obligation.demand.lower_terms().iter();
            let releases = terms.map(|term| {
                if term.event() == Some(other) {
                    term.worth(&self.model.calendar, release).release
                } else {
                    self.work(*term).release()
                }
            });
            releases.min()
        });
        bounds.max().unwrap_or(Release(0))
    }

    /// The earliest upper bound of the law on an event.
    pub(crate) fn upper(&self, event: Event) -> Option<Decisive<'r>> {
        self.obligations
            .on(event)
            .filter_map(|(position, obligation)| {
                let worked = self.work(*obligation.demand.upper_term()?);
                Some(Decisive {
                    position: Some(position),
                    obligation,
                    worked,
                })
            })
            .filter(|decisive| decisive.worked.bound.is_some())
            .min_by_key(|decisive| decisive.worked.release())
    }

    /// The kind of release that a bound waits for, and that the calendar does not have yet: "major".
    pub(crate) fn awaited_kind(&self, worked: &Worked) -> Option<String> {
        let calendar = &self.model.calendar;
        worked.anchor.filter(|anchor| !anchor.is_never())?;
        let bound = worked.bound.filter(|bound| bound.release.is_never())?;
        let (Reach::After(window) | Reach::Within(window)) = worked.term.reach else {
            return Some("major".to_owned());
        };
        match window.of_kind {
            _ if bound.by_major == Some(Release::NEVER) => Some("major".to_owned()),
            Some((kind, _)) if bound.by_kind == Some(Release::NEVER) => Some(calendar.kind_words(kind.into())),
            _ => Some(worked.term.only_in)
                .filter(|kinds| !kinds.is_empty())
                .map(|kinds| calendar.kind_words(kinds)),
        }
    }

    /// The kind of release that the lower bound of an event waits for.
    pub(crate) fn awaits_kind(&self, event: Event) -> Option<String> {
        let obligations = self.obligations.on(event).map(|(_, obligation)| obligation);
        let mut terms = obligations.flat_map(|obligation| obligation.demand.lower_terms());
        terms.find_map(|term| self.awaited_kind(&self.work(*term)))
    }

    /// The release whose edition judges an event. What the edition that announced an end demands holds for the end,
    /// also under an edition without the rule.
    pub(crate) fn judged_in(&self, law: &Law, rule: RuleId, event: Event, release: Release) -> Release {
        let ends = matches!(event.what, EventKind::Hidden | EventKind::Removed);
        if ends && law.rule(rule).at(release).is_none() {
            return self.model.announced(event.sibling(EventKind::Removed));
        }
        release
    }

    /// How severe it is not to meet an obligation in a release; `None` if its rule is not in force.
    pub(crate) fn severity(&self, law: &Law, obligation: &Obligation, release: Release) -> Option<Severity> {
        let (rule, event) = (obligation.rule()?, obligation.event);
        let track = self.model.track_at(event.element, release);
        let judged = self.judged_in(law, rule, event, release);
        law.severity(rule, obligation.code, track, judged)
    }

    /// What decides a bound. A tie of months and releases is for the releases.
    pub(crate) fn binding(decisive: &Decisive<'r>) -> DecidedBy<'r> {
        match (decisive.worked.term.reach, decisive.worked.bound) {
            (Reach::After(window) | Reach::Within(window), Some(bound)) if !window.is_empty() => {
                DecidedBy::Window(bound.binding)
            }
            (Reach::NextMajor, _) => DecidedBy::Major,
            _ => DecidedBy::Rule(decisive.obligation.rule().unwrap_or("plan")),
        }
    }
}
