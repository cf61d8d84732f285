//! Obligations in words: the reason for a release, with its arithmetic.

use std::fmt::{self, Write as _};

use crate::model::EventKind;
use crate::obligation::{Anchor, Obligation, Reach};
use crate::release::{Binding, Bound, Calendar, Months, Release, Window};

use super::{Reasoning, Worked};

/// The usual length of a sentence after its beginning: the text is allocated once.
const LONGEST_REASON: usize = 96;

/// The end of a reason that says when something may happen ("a deprecated metric is hidden no earlier than"), and not
/// for how long something lasts ("a beta version stays served").
const NO_EARLIER: &str = " no earlier than";

impl Reasoning<'_> {
    /// The release in words: its name and date, and whether the date is projected.
    pub(crate) fn moment(&self, release: Release) -> String {
        moment(&self.model.calendar, release)
    }

    /// The reason for the release of an obligation, in one sentence:
    /// "a beta version stays served for at least 9 months or 3 releases (whichever is longer) after it is deprecated
    /// (1.8): 3 releases → 1.11; 9 months → 2018-06-28 (1.11 is 1 day short of 9 months) → 1.12; decided by months".
    pub(crate) fn sentence(&self, obligation: &Obligation, worked: &Worked) -> String {
        self.worded(obligation, worked, true)
    }

    /// The same without releases and arithmetic: "a beta version stays served for at least 9 months or 3 releases
    /// (whichever is longer) after it is deprecated".
    pub(crate) fn basis(&self, obligation: &Obligation, worked: &Worked) -> String {
        self.worded(obligation, worked, false)
    }

    fn worded(&self, obligation: &Obligation, worked: &Worked, with_releases: bool) -> String {
        let mut text = String::with_capacity(obligation.because.len() + LONGEST_REASON);
        let (because, least) = match obligation.because.strip_suffix(NO_EARLIER) {
            Some(because) => (because, NO_EARLIER),
            None => (obligation.because.as_ref(), " for at least"),
        };
        text.push_str(because);
        if worked.term.reach == Reach::After(Window::default()) {
            if let (Anchor::Release(target), true) = (worked.term.anchor, obligation.demand.upper_term().is_some()) {
                let _ = write!(text, ": by {}", self.model.calendar.name(target));
                return text;
            }
            if let Anchor::Release(next) = worked.term.anchor {
                let next = self.model.calendar.name(next);
                let _ = if worked.term.only_in.is_empty() {
                    write!(text, "; from {next} on, the policy permits it")
                } else {
                    write!(text, ", from {next} on")
                };
            } else if self.counts_from_itself(obligation, worked) {
                text.push_str(": no deprecation is declared, and none is needed");
            } else {
                text.push_str(if least == NO_EARLIER {
                    NO_EARLIER
                } else {
                    ": not before"
                });
                text.push(' ');
                self.write_anchor(&mut text, obligation, worked, with_releases);
            }
            if with_releases {
                self.write_kinds(&mut text, worked);
            }
            return text;
        }
        let mut from = String::new();
        self.write_anchor(&mut from, obligation, worked, with_releases);
        let what = obligation.event.what;
        let ends = matches!(what, EventKind::Removed | EventKind::Hidden | EventKind::Dropped);
        let _ = match worked.term.reach {
            Reach::After(window) if obligation.demand.upper_term().is_some() => {
                write!(text, ", {} after {from}", self.in_words(window))
            }
            Reach::After(window) if ends => write!(text, "{least} {} after {from}", self.in_words(window)),
            Reach::After(window) => write!(text, ": not before {} after {from}", self.in_words(window)),
            Reach::Within(window) => write!(text, " within {} after {from}", self.in_words(window)),
            Reach::NextMajor => write!(text, ": not before the next major release after {from}"),
        };
        if with_releases {
            if let Some(steps) = self.arithmetic(worked) {
                let _ = write!(text, ": {steps}");
            }
            self.write_kinds(&mut text, worked);
        }
        text
    }

    /// A window in words, with the kind of release that it counts.
    fn in_words(&self, window: Window) -> InWords {
        let kind = window
            .of_kind
            .map(|(kind, _)| self.model.calendar.kind_words(kind.into()));
        InWords {
            window,
            kind: kind.unwrap_or_default(),
        }
    }

    /// The release of a kind in which a bound ends: "; the first major release then is 2.0".
    fn write_kinds(&self, text: &mut String, worked: &Worked) {
        let kinds = worked.term.only_in;
        let Some(bound) = worked.bound.filter(|_| !kinds.is_empty()) else {
            return;
        };
        let calendar = &self.model.calendar;
        let words = calendar.kind_words(kinds);
        let _ = match bound.release {
            release if release.is_never() => write!(text, "; the calendar has no {words} release then"),
            release => write!(text, "; the first {words} release then is {}", calendar.name(release)),
        };
    }

    /// Whether a bound counts from the end that it is on, because nothing announces that.
    fn counts_from_itself(&self, obligation: &Obligation, worked: &Worked) -> bool {
        let counted = worked.anchor.and(worked.term.event());
        counted == Some(obligation.event) && self.supposed_before(obligation.event).is_none()
    }

    /// The anchor of a term: "it is deprecated (1.8)", "apps/v1beta1 is removed (not planned)", "1.19".
    fn write_anchor(&self, text: &mut String, obligation: &Obligation, worked: &Worked, with_release: bool) {
        let calendar = &self.model.calendar;
        let event = match worked.term.anchor {
            Anchor::Release(release) => {
                text.push_str(&calendar.name(release));
                text.push_str(match obligation.event.what {
                    EventKind::Migrated => ", when storage moves (planned)",
                    _ => ", when the rule took effect",
                });
                return;
            }
            Anchor::Event(event) => event,
        };
        let who = if event.element == obligation.event.element {
            "it"
        } else {
            self.model.id(event.element)
        };
        let is_itself = self.counts_from_itself(obligation, worked);
        if is_itself {
            text.push_str(match event.what {
                EventKind::Hidden => "the hiding itself",
                _ => "the removal itself",
            });
        } else {
            let what = if self.supposed_before(event).is_some() {
                EventKind::Deprecated
            } else {
                event.what
            };
            let gate = self.model.gate(event.element).filter(|_| what == EventKind::Promoted);
            let verb = if gate.is_some_and(|gate| gate.keeps_stage(event.step.into())) {
                "changes"
            } else {
                self.model.event_word(what).verb()
            };
            for part in [who, " ", verb] {
                text.push_str(part);
            }
        }
        if with_release {
            text.push_str(" (");
            match worked.anchor {
                Some(anchor) => text.push_str(&calendar.name(anchor)),
                None => text.push_str("not planned"),
            }
            if self.supposed.is_some_and(|supposed| supposed.event == event) {
                text.push_str(" at the earliest");
            }
            text.push(')');
        }
        if is_itself {
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
        let mut parts = usize::from(window.releases > 0);
        if let Some(months) = bound.by_months {
            separate(&mut text);
            text.push_str(&month_words(calendar, worked.term.reach, window, bound, months));
            parts += 1;
        }
        for (end, what) in [
            (bound.by_kind, self.kind_counted(window)),
            (bound.by_major, "next major release".to_owned()),
        ] {
            let Some(end) = end else { continue };
            separate(&mut text);
            let name = if end.is_never() {
                "not in the calendar".to_owned()
            } else {
                calendar.name(end)
            };
            let _ = write!(text, "{what} → {name}");
            parts += 1;
        }
        if parts > 1 {
            let _ = write!(text, "; decided by {}", decider(bound.binding));
        }
        if window.then > 0 || window.then_months > 0 {
            let rest = Window::new(window.then_months, window.then);
            let _ = write!(text, "; {rest} more → {}", calendar.name(bound.release));
        }
        (!text.is_empty()).then_some(text)
    }

    /// The count of a kind of release: "1 lts release".
    fn kind_counted(&self, window: Window) -> String {
        let only = Window {
            of_kind: window.of_kind,
            ..Window::default()
        };
        self.in_words(only).to_string()
    }
}

/// A window, and the name of the kind of release that it counts.
struct InWords {
    window: Window,
    kind: String,
}

impl fmt::Display for InWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.window.write_words(&self.kind, f)
    }
}

fn separate(text: &mut String) {
    if !text.is_empty() {
        text.push_str("; ");
    }
}

/// What decides a bound, in words.
fn decider(binding: Binding) -> &'static str {
    match binding {
        Binding::Kind => "the kind of release",
        Binding::Major => "the major release",
        other => other.as_str(),
    }
}

fn plural(count: i64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn month_words(calendar: &Calendar, reach: Reach, window: Window, bound: Bound, months: Months) -> String {
    let (length, unit) = match window.days {
        0 => (window.months, "month"),
        days => (days, "day"),
    };
    let mut text = format!("{length} {unit}{} → ", plural(length.into()));
    if let Some(target) = months.target {
        let _ = write!(text, "{target}");
        if window.releases > 0
            && let (Binding::Months | Binding::Days, Reach::After(_), Some((last, short))) =
                (bound.binding, reach, calendar.nearest_miss(target, window))
        {
            let (s, units, last) = (plural(short), plural(length.into()), calendar.name(last));
            let _ = write!(text, " ({last} is {short} day{s} short of {length} {unit}{units})");
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
