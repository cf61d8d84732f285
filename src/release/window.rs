//! The two bounds that a policy sets, and how months, releases and kinds of releases decide between them.

use std::fmt;

use chrono::{Datelike, Days, NaiveDate};

use super::cadence::months_later;
use super::kind::ReleaseKind;
use super::{Calendar, Release};

/// A span of time as a policy states it: "9 months or 3 releases, whichever is longer".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Window {
    /// Calendar months; the day is clamped to the end of a shorter month.
    pub(crate) months: u16,
    /// Days, which a window has instead of months.
    pub(crate) days: u16,
    /// Entries of the calendar.
    pub(crate) releases: u16,
    /// Whether it ends with the next major release, at the earliest.
    pub(crate) next_major: bool,
    /// So many releases of a kind, the first one included.
    pub(crate) of_kind: Option<(ReleaseKind, u16)>,
    /// Days by which a lower bound in months may be missed.
    pub(crate) grace_days: u16,
    /// Releases that follow its end: a metric that may be hidden is deleted one release later.
    pub(crate) then: u16,
    /// Months that follow its end, from the day of the release that it ends with; of both, the longer one counts.
    pub(crate) then_months: u16,
}

/// What decided a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Binding {
    /// The count of releases, also where others agree.
    Releases,
    /// The months.
    Months,
    /// The days.
    Days,
    /// The count of releases of a kind.
    Kind,
    /// The next major release.
    Major,
}

/// The months or days of a window, computed on a calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Months {
    /// The day they are over; `None` on a symbolic calendar.
    pub(crate) target: Option<NaiveDate>,
    /// The first (lower bound) or last (upper bound) release they allow; `None` past the last dated release.
    pub(crate) release: Option<Release>,
}

/// A window computed from one release: the release that it allows, and what decided it.
///
/// Deprecated in Kubernetes 1.8 (2017-09-28) with a window of 9 months or 3 releases: three releases later is 1.11
/// (2018-06-27), nine months later is 2018-06-28, so the bound is 1.12 and the months decided it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bound {
    /// The result, with the releases that follow the window.
    pub(crate) release: Release,
    /// The result of the count of releases alone.
    pub(crate) by_releases: Release,
    /// The result of the months or days alone; `None` where the window has none.
    pub(crate) by_months: Option<Months>,
    /// The result of the count of a kind alone: [`Release::NEVER`] if the calendar has too few.
    pub(crate) by_kind: Option<Release>,
    /// The next major release, where the window has it: [`Release::NEVER`] if the calendar has none.
    pub(crate) by_major: Option<Release>,
    /// Which of them decided.
    pub(crate) binding: Binding,
    /// The calendar has no date there: the real bound is this release or a later one.
    pub(crate) open: bool,
}

impl Window {
    /// Whether it may end sooner than another one, on some calendar. Both are as a policy states them: they count no
    /// kind of release of a calendar, and nothing follows their end.
    pub(crate) fn is_shorter_than(self, other: Self) -> bool {
        self.months < other.months
            || self.days < other.days
            || (!self.next_major && other.next_major)
            || self.releases < other.releases
            || self.grace_days > other.grace_days
    }

    /// Whether it sets no time at all.
    pub(crate) fn is_empty(self) -> bool {
        !self.has_time() && self.releases == 0 && self.of_kind.is_none() && !self.next_major
    }

    /// What decides where its months or days do.
    fn clock(self) -> Binding {
        if self.days > 0 { Binding::Days } else { Binding::Months }
    }

    /// Its months, or its days rounded up to months, for a calendar without dates.
    fn whole_months(self) -> u32 {
        u32::from(self.months) + (u32::from(self.days) * 12).div_ceil(365)
    }

    /// Whether it has months or days.
    pub(crate) fn has_time(self) -> bool {
        self.months > 0 || self.days > 0
    }

    /// `months` months or `releases` releases, whichever is longer, without grace.
    pub(crate) fn new(months: u16, releases: u16) -> Self {
        Self {
            months,
            releases,
            ..Self::default()
        }
    }

    /// What follows its end.
    fn rest(self) -> Self {
        Self::new(self.then_months, self.then)
    }

    /// Both windows, one after the other: the second one counts from the release in which the first one ends, by its
    /// date.
    #[must_use]
    pub(crate) fn followed_by(self, next: Self) -> Self {
        let counts_only = [self, next]
            .iter()
            .all(|window| Self::new(0, window.releases) == *window);
        match (self, next) {
            _ if counts_only => Self {
                releases: self.releases.saturating_add(next.releases),
                ..self
            },
            _ if self.is_empty() => next,
            _ => Self {
                then: self.then.saturating_add(next.releases),
                then_months: self.then_months.saturating_add(next.months),
                ..self
            },
        }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_words("", f)
    }
}

impl Window {
    /// Writes it in words; `kind` is the name of the kind of release that it counts.
    pub(crate) fn write_words(self, kind: &str, out: &mut impl fmt::Write) -> fmt::Result {
        let of_kind = self.of_kind.map_or(0, |(_, count)| count);
        let space = if kind.is_empty() { "" } else { " " };
        let counts = [
            (self.months, ["", "", "month"]),
            (self.days, ["", "", "day"]),
            (self.releases, ["", "", "release"]),
            (of_kind, [kind, space, "release"]),
        ];
        let mut parts = 0;
        for (count, [kind, space, unit]) in counts.into_iter().filter(|(count, _)| *count > 0) {
            let (or, plural) = (if parts > 0 { " or " } else { "" }, if count == 1 { "" } else { "s" });
            write!(out, "{or}{count} {kind}{space}{unit}{plural}")?;
            parts += 1;
        }
        if self.next_major {
            out.write_str(if parts > 0 { " or " } else { "" })?;
            out.write_str("until the next major release")?;
            parts += 1;
        }
        match parts {
            0 => out.write_str("no time")?,
            1 => {}
            _ => out.write_str(" (whichever is longer)")?,
        }
        match self.rest() {
            rest if rest.is_empty() => Ok(()),
            rest => write!(out, " and {rest} more"),
        }
    }
}

impl Calendar {
    /// The lower bound, which rounds up: the first release that is at least the window after `from`.
    ///
    /// `max(from + n, first r with D(r) >= D(from) + m months)` (policy rules 4a to 9b; "whichever is longer").
    pub(crate) fn earliest(&self, from: Release, window: Window) -> Bound {
        let bound = self.earliest_end(from, window);
        let rest = window.rest();
        if rest.is_empty() {
            return bound;
        }
        let last = self.earliest_end(bound.release, rest);
        Bound {
            release: last.release,
            open: bound.open || last.open,
            ..bound
        }
    }

    /// The same without what follows the window.
    fn earliest_end(&self, from: Release, window: Window) -> Bound {
        let by_releases = from.plus(u32::from(window.releases));
        let mut bound = Bound::counted(by_releases);
        if window.has_time() {
            let by_months = self.first_after_months(from, window);
            let floor = by_months.release.unwrap_or_else(|| self.first_undated());
            bound.by_months = Some(by_months);
            bound.open = by_months.release.is_none();
            bound.reach(floor, window.clock());
        }
        self.count_kinds(from, window, &mut bound);
        bound
    }

    /// Lets the count of a kind and the next major release decide where they come later.
    fn count_kinds(&self, from: Release, window: Window, bound: &mut Bound) {
        if let Some((kind, count)) = window.of_kind {
            let end = self.after_kinds(from, kind, count).unwrap_or(Release::NEVER);
            bound.by_kind = Some(end);
            bound.reach(end, Binding::Kind);
        }
        if window.next_major {
            let major = self.next_major(from).unwrap_or(Release::NEVER);
            bound.by_major = Some(major);
            bound.reach(major, Binding::Major);
        }
    }

    /// The upper bound, which rounds down: the last release that is no more than the window after `from`.
    ///
    /// `max(from + n, last r with D(r) <= D(from) + m months)` (policy rule 4a, "no more than").
    pub(crate) fn latest(&self, from: Release, window: Window) -> Bound {
        let by_releases = from.plus(u32::from(window.releases));
        let mut bound = Bound::counted(by_releases);
        if window.has_time() {
            let (by_months, open) = self.last_within_months(from, window);
            bound.by_months = Some(by_months);
            bound.open = open;
            bound.reach(by_months.release.unwrap_or(from), window.clock());
        }
        self.count_kinds(from, window, &mut bound);
        bound
    }

    fn first_after_months(&self, from: Release, window: Window) -> Months {
        if let Some(cadence) = self.symbolic_cadence() {
            let count = window.whole_months().div_ceil(cadence);
            return Months {
                target: None,
                release: Some(from.plus(count)),
            };
        }
        let target = self.end_of(from, window);
        let release = target
            .and_then(|day| day.checked_sub_days(Days::new(u64::from(window.grace_days))))
            .and_then(|day| self.first_on_or_after(day))
            .map(|release| release.max(from));
        Months { target, release }
    }

    /// The last release before the months or days of a lower bound are over, and how many days it is short of them.
    pub(crate) fn nearest_miss(&self, target: NaiveDate, window: Window) -> Option<(Release, i64)> {
        let last = target.checked_sub_days(Days::new(u64::from(window.grace_days) + 1))?;
        let release = self.last_on_or_before(last)?;
        Some((release, (target - self.date(release)?).num_days()))
    }

    fn last_within_months(&self, from: Release, window: Window) -> (Months, bool) {
        if let Some(cadence) = self.symbolic_cadence() {
            let count = window.whole_months() / cadence;
            let release = Some(from.plus(count));
            return (Months { target: None, release }, false);
        }
        let target = self.end_of(from, window);
        let release = target
            .and_then(|day| self.last_on_or_before(day))
            .map(|release| release.max(from));
        let open = match target {
            Some(day) => self.first_on_or_after(day).is_none(),
            None => true,
        };
        (Months { target, release }, open)
    }

    /// The day on which the months or days of a window are over.
    fn end_of(&self, from: Release, window: Window) -> Option<NaiveDate> {
        let day = months_later(self.date(from)?, u32::from(window.months))?;
        let end = day.checked_add_days(Days::new(u64::from(window.days)))?;
        (end.year() <= 9999).then_some(end)
    }
}

impl Bound {
    fn counted(release: Release) -> Self {
        Self {
            release,
            by_releases: release,
            by_months: None,
            by_kind: None,
            by_major: None,
            binding: Binding::Releases,
            open: false,
        }
    }

    /// Moves the result to a later release, by what decides that.
    fn reach(&mut self, release: Release, binding: Binding) {
        if release > self.release {
            self.release = release;
            self.binding = binding;
        }
    }
}

impl Binding {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
