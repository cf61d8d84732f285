//! The two bounds that a policy sets, and how months and releases decide between them.

use chrono::NaiveDate;

use super::cadence::months_later;
use super::{Calendar, Release};

/// A span of time as a policy states it: "9 months or 3 releases, whichever is longer".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Window {
    /// Calendar months; the day is clamped to the end of a shorter month.
    pub(crate) months: u16,
    /// Entries of the calendar.
    pub(crate) releases: u16,
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
pub enum Binding {
    /// The count of releases, also where both agree.
    Releases,
    /// The months.
    Months,
}

/// The months of a window, computed on a calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Months {
    /// The day the months are over; `None` on a symbolic calendar.
    pub(crate) target: Option<NaiveDate>,
    /// The first (lower bound) or last (upper bound) release the months allow; `None` past the last dated release.
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
    /// The result of the months alone; `None` where the window has none.
    pub(crate) by_months: Option<Months>,
    /// Which of the two decided.
    pub(crate) binding: Binding,
    /// The calendar has no date there: the real bound is this release or a later one.
    pub(crate) open: bool,
}

impl Window {
    /// Whether it may end sooner than another one, on some calendar.
    pub(crate) fn is_shorter_than(self, other: Self) -> bool {
        self.months < other.months
            || self.releases < other.releases
            || self.grace_days > other.grace_days
            || self.then < other.then
            || self.then_months < other.then_months
    }

    /// Whether it sets no time at all.
    pub(crate) fn is_empty(self) -> bool {
        self.months == 0 && self.releases == 0
    }

    /// `months` months or `releases` releases, whichever is longer, without grace.
    pub(crate) fn new(months: u16, releases: u16) -> Self {
        Self {
            months,
            releases,
            grace_days: 0,
            then: 0,
            then_months: 0,
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
        match (self.months, next.months) {
            (0, 0) => Self {
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

impl std::fmt::Display for Window {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let months = counted(self.months, "month");
        let releases = counted(self.releases, "release");
        match (self.months, self.releases) {
            (0, 0) => f.write_str("no time"),
            (0, _) => f.write_str(&releases),
            (_, 0) => f.write_str(&months),
            _ => write!(f, "{months} or {releases} (whichever is longer)"),
        }?;
        match self.rest() {
            rest if rest.is_empty() => Ok(()),
            rest => write!(f, " and {rest} more"),
        }
    }
}

fn counted(count: u16, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
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
        if window.months == 0 {
            return Bound::counted(by_releases);
        }
        let by_months = self.first_after_months(from, window);
        let floor = by_months.release.unwrap_or_else(|| self.first_undated());
        Bound {
            release: by_releases.max(floor),
            by_releases,
            by_months: Some(by_months),
            binding: Binding::of(floor > by_releases),
            open: by_months.release.is_none(),
        }
    }

    /// The upper bound, which rounds down: the last release that is no more than the window after `from`.
    ///
    /// `max(from + n, last r with D(r) <= D(from) + m months)` (policy rule 4a, "no more than").
    pub(crate) fn latest(&self, from: Release, window: Window) -> Bound {
        let by_releases = from.plus(u32::from(window.releases));
        if window.months == 0 {
            return Bound::counted(by_releases);
        }
        let (by_months, open) = self.last_within_months(from, window);
        let reached = by_months.release.unwrap_or(from);
        Bound {
            release: by_releases.max(reached),
            by_releases,
            by_months: Some(by_months),
            binding: Binding::of(reached > by_releases),
            open,
        }
    }

    fn first_after_months(&self, from: Release, window: Window) -> Months {
        if let Some(cadence) = self.symbolic_cadence() {
            let count = u32::from(window.months).div_ceil(cadence);
            return Months {
                target: None,
                release: Some(from.plus(count)),
            };
        }
        let target = self.months_after(from, window.months);
        let release = target
            .and_then(|day| day.checked_sub_days(chrono::Days::new(u64::from(window.grace_days))))
            .and_then(|day| self.first_on_or_after(day))
            .map(|release| release.max(from));
        Months { target, release }
    }

    fn last_within_months(&self, from: Release, window: Window) -> (Months, bool) {
        if let Some(cadence) = self.symbolic_cadence() {
            let count = u32::from(window.months) / cadence;
            let release = Some(from.plus(count));
            return (Months { target: None, release }, false);
        }
        let target = self.months_after(from, window.months);
        let release = target
            .and_then(|day| self.last_on_or_before(day))
            .map(|release| release.max(from));
        let open = match target {
            Some(day) => self.first_on_or_after(day).is_none(),
            None => true,
        };
        (Months { target, release }, open)
    }

    fn months_after(&self, from: Release, months: u16) -> Option<NaiveDate> {
        months_later(self.date(from)?, u32::from(months))
    }
}

impl Bound {
    fn counted(release: Release) -> Self {
        Self {
            release,
            by_releases: release,
            by_months: None,
            binding: Binding::Releases,
            open: false,
        }
    }
}

impl Binding {
    fn of(months_decided: bool) -> Self {
        if months_decided { Self::Months } else { Self::Releases }
    }

    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
