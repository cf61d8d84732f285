//! Obligations computed on a calendar: the release of each, which one decides, and why, in words.
//!
//! `check`, the plan per element and `why` all use this module, so they cannot disagree.

use std::fmt::Write as _;

use crate::model::{Event, EventKind, Model};
use crate::obligation::{Anchor, Demand, Obligation, Obligations, Reach, Source, Term};
use crate::plan::Assignment;
use crate::release::{Binding, Bound, Calendar, Months, Release, Window};
use crate::report::DecidedBy;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Reasoning<'r> {
    pub(crate) model: &'r Model,
    pub(crate) obligations: &'r Obligations,
    pub(crate) assignment: &'r Assignment,
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
    pub(crate) position: usize,
    pub(crate) obligation: &'r Obligation,
    pub(crate) worked: Worked,
}

/// The usual length of a sentence after its beginning: the text is allocated once.
const LONGEST_REASON: usize = 96;

/// The end of a reason that says when something may happen ("a deprecated metric is hidden no earlier than"), and not
/// for how long something lasts ("a beta version stays served").
const NO_EARLIER: &str = " no earlier than";

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
    /// The release of an event: declared, implied or planned.
    pub(crate) fn release(&self, event: Event) -> Option<Release> {
        self.assignment.release(self.model, event)
    }

    pub(crate) fn work(&self, term: Term) -> Worked {
        let anchor = match term.anchor {
            Anchor::Release(release) => Some(release),
            Anchor::Event(event) => self.release(event),
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

    /// The latest lower bound of the law on an event. Of equal bounds, the first one.
    pub(crate) fn lower(&self, event: Event) -> Option<Decisive<'r>> {
        self.obligations
            .on(event)
            .filter(|(_, obligation)| matches!(obligation.source, Source::Rule(_)))
            .filter_map(|(position, obligation)| {
                let worked = self.deciding(&obligation.demand)?;
                Some(Decisive {
                    position,
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

    /// The earliest upper bound of the law on an event.
    pub(crate) fn upper(&self, event: Event) -> Option<Decisive<'r>> {
        self.obligations
            .on(event)
            .filter_map(|(position, obligation)| {
                let worked = self.work(*obligation.demand.upper_term()?);
                Some(Decisive {
                    position,
                    obligation,
                    worked,
                })
            })
            .filter(|decisive| decisive.worked.bound.is_some())
            .min_by_key(|decisive| decisive.worked.release())
    }

    /// Whether the lower bound of an event waits for a major release that the calendar does not have.
    pub(crate) fn awaits_major(&self, event: Event) -> Option<&'r Obligation> {
        self.obligations
            .on(event)
            .map(|(_, obligation)| obligation)
            .find(|obligation| {
                let mut terms = obligation.demand.lower_terms().iter();
                terms.any(|term| term.reach == Reach::NextMajor && self.work(*term).release().is_never())
            })
    }

    /// What decides a bound. A tie of months and releases is for the releases.
    pub(crate) fn binding(decisive: &Decisive<'r>) -> DecidedBy<'r> {
        match (decisive.worked.term.reach, decisive.worked.bound) {
            (Reach::After(window) | Reach::Within(window), Some(bound)) if window.months > 0 || window.releases > 0 => {
                DecidedBy::Window(bound.binding)
            }
            (Reach::NextMajor, _) => DecidedBy::Major,
            _ => DecidedBy::Rule(decisive.obligation.rule().unwrap_or("plan")),
        }
    }

    /// The release in words: its name and date, and whether the date is projected.
    pub(crate) fn moment(&self, release: Release) -> String {
        moment(&self.model.calendar, release)
    }

    /// The reason for the release of an obligation, in one sentence:
    /// "a beta version stays served for at least 9 months or 3 releases (whichever is longer) after it is deprecated
    /// (1.8): 3 releases → 1.11; 9 months → 2018-06-28 (1.11 is 1 day short of 9 months) → 1.12; decided by months".
    pub(crate) fn sentence(&self, obligation: &Obligation, worked: &Worked) -> String {
        let mut text = String::with_capacity(obligation.because.len() + LONGEST_REASON);
        let (because, least) = match obligation.because.strip_suffix(NO_EARLIER) {
            Some(because) => (because, NO_EARLIER),
            None => (obligation.because.as_ref(), " for at least"),
        };
        text.push_str(because);
        if worked.term.reach == Reach::After(Window::default()) {
            text.push_str(": not before ");
            self.write_anchor(&mut text, obligation, worked);
            return text;
        }
        let mut from = String::new();
        self.write_anchor(&mut from, obligation, worked);
        let what = obligation.event.what;
        let ends = matches!(what, EventKind::Removed | EventKind::Hidden | EventKind::Dropped);
        let _ = match worked.term.reach {
            Reach::After(window) if obligation.demand.upper_term().is_some() => {
                write!(text, ", {window} after {from}")
            }
            Reach::After(window) if ends => write!(text, "{least} {window} after {from}"),
            Reach::After(window) => write!(text, ": not before {window} after {from}"),
            Reach::Within(window) => write!(text, " within {window} after {from}"),
            Reach::NextMajor => write!(text, ": not before the next major release after {from}"),
        };
        if let Some(steps) = self.arithmetic(worked) {
            let _ = write!(text, ": {steps}");
        }
        text
    }

    /// The anchor of a term: "it is deprecated (1.8)", "apps/v1beta1 is removed (not planned)", "1.19".
    fn write_anchor(&self, text: &mut String, obligation: &Obligation, worked: &Worked) {
        let calendar = &self.model.calendar;
        let event = match worked.term.anchor {
            Anchor::Release(release) => {
                text.push_str(&calendar.name(release));
                text.push_str(", when the rule took effect");
                return;
            }
            Anchor::Event(event) => event,
        };
        let who = if event.element == obligation.event.element {
            "it"
        } else {
            self.model.id(event.element)
        };
        if worked.anchor.is_some() && event == obligation.event {
            text.push_str("the removal itself");
        } else {
            for part in [who, " ", event.what.verb()] {
                text.push_str(part);
            }
        }
        text.push_str(" (");
        match worked.anchor {
            Some(anchor) => text.push_str(&calendar.name(anchor)),
            None => text.push_str("not planned"),
        }
        text.push(')');
        if worked.anchor.is_some() && event == obligation.event {
            text.push_str(", because no deprecation is declared");
        }
    }

    /// Both counts, and which one decides: "3 releases → 1.11; 9 months → 2018-06-28 (1.11 is 1 day short of 9 months)
    /// → 1.12; decided by months". `None` without a window.
    pub(crate) fn arithmetic(&self, worked: &Worked) -> Option<String> {
        let calendar = &self.model.calendar;
        let bound = worked.bound?;
        let (Reach::After(window) | Reach::Within(window)) = worked.term.reach else {
            return None;
        };
        let mut text = String::new();
        if window.releases > 0 {
            let (releases, s) = (window.releases, plural(window.releases.into()));
            let _ = write!(text, "{releases} release{s} → {}", calendar.name(bound.by_releases));
        }
        if let Some(months) = bound.by_months {
            if !text.is_empty() {
                text.push_str("; ");
            }
            text.push_str(&month_words(calendar, worked.term.reach, window, bound, months));
        }
        if window.releases > 0 && window.months > 0 {
            let _ = write!(text, "; decided by {}", bound.binding.as_str());
        }
        if window.then > 0 {
            let (then, s) = (window.then, plural(window.then.into()));
            let _ = write!(text, "; {then} release{s} more → {}", calendar.name(bound.release));
        }
        (!text.is_empty()).then_some(text)
    }
}

fn plural(count: i64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn month_words(calendar: &Calendar, reach: Reach, window: Window, bound: Bound, months: Months) -> String {
    let mut text = format!("{} month{} → ", window.months, plural(window.months.into()));
    if let Some(target) = months.target {
        let _ = write!(text, "{target}");
        if window.releases > 0
            && let (Binding::Months, Reach::After(_), Some(date)) =
                (bound.binding, reach, calendar.date(bound.by_releases))
        {
            let short = (target - date).num_days();
            let (s, months, counted) = (plural(short), window.months, calendar.name(bound.by_releases));
            let _ = write!(text, " ({counted} is {short} day{s} short of {months} months)");
        }
        if window.grace_days > 0 {
            let (days, s) = (window.grace_days, plural(window.grace_days.into()));
            let _ = write!(text, ", less {days} day{s} of grace");
        }
        text.push_str(" → ");
    }
    match months.release {
        Some(release) => text.push_str(&calendar.name(release)),
        None => text.push_str("after the last dated release"),
    }
    text
}

/// A release in words: "1.12 (2018-09-27)", "1.39 (projected 2027-04-26)", "X+6".
pub(crate) fn moment(calendar: &Calendar, release: Release) -> String {
    use crate::release::DateKind;
    let name = calendar.name(release);
    match (calendar.date_kind(release), calendar.date(release)) {
        (DateKind::Symbolic, _) => name,
        (DateKind::Projected, Some(date)) => format!("{name} (projected {date})"),
        (_, Some(date)) => format!("{name} ({date})"),
        (_, None) => format!("{name} (no date yet)"),
    }
}
