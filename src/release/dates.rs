//! The dates of releases: those that were listed, and those that the cadence projects.

use chrono::{Datelike, NaiveDate};

use super::cadence::{PROJECTED_AHEAD, project};
use super::{Calendar, Naming, Release};

/// How certain the date of a release is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, strum::Display, strum::IntoStaticStr,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum DateKind {
    /// The release has shipped.
    Actual,
    /// The release has a date, and has not shipped as far as the model declares.
    Announced,
    /// The date, if there is one, is computed from the cadence.
    Projected,
    /// The release has a symbolic name, such as X+3, and no date.
    Symbolic,
}

impl DateKind {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl PartialEq<&str> for DateKind {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl Calendar {
    /// The day of a release, worked out from the cadence past the last listed one.
    pub(crate) fn date(&self, release: Release) -> Option<NaiveDate> {
        if let Some(date) = self.dates.get(release.0 as usize) {
            return *date;
        }
        let ahead = self.ahead(release).saturating_add(self.unscheduled());
        let anchor = *self
            .dates
            .get(self.dates.len().checked_sub(1 + self.unscheduled() as usize)?)?;
        (ahead <= PROJECTED_AHEAD).then(|| project(anchor, self.cadence(), ahead))?
    }

    pub(crate) fn date_kind(&self, release: Release) -> DateKind {
        match self.naming() {
            Naming::Symbolic { .. } => DateKind::Symbolic,
            Naming::Numbered(_) | Naming::Listed(_) => {
                let is_listed = release.0 < self.listed();
                if is_listed && self.current().is_some_and(|current| release <= current) {
                    DateKind::Actual
                } else if self.own_day(release.0 as usize).is_some() {
                    DateKind::Announced
                } else {
                    DateKind::Projected
                }
            }
        }
    }

    /// The year of a release, if it has a date.
    pub(crate) fn year(&self, release: Release) -> Option<i32> {
        self.date(release).map(|date| date.year())
    }

    /// The days from one release to another, in either direction, if both have dates.
    pub(crate) fn days_between(&self, one: Release, other: Release) -> Option<i64> {
        let days = self.date(one)?.signed_duration_since(self.date(other)?);
        Some(days.num_days().abs())
    }

    /// The first release on or after a day; `None` if no date reaches it.
    pub(super) fn first_on_or_after(&self, day: NaiveDate) -> Option<Release> {
        let at = self.dates.partition_point(|date| date.is_some_and(|date| date < day));
        match self.dates.get(at) {
            Some(Some(_)) => Some(Release::at(at)),
            Some(None) => None,
            None => self.projected_on_or_after(day),
        }
    }

    /// The last release on or before a day; `None` if the day is before all of them.
    pub(super) fn last_on_or_before(&self, day: NaiveDate) -> Option<Release> {
        let at = self.dates.partition_point(|date| date.is_some_and(|date| date <= day));
        let next = match self.dates.get(at) {
            Some(_) => Release::at(at),
            None => match self.projected_on_or_after(day) {
                Some(release) if self.date(release) == Some(day) => release.plus(1),
                Some(release) => release,
                None if self.date(Release::at(at)).is_some() => Release::at(at).plus(PROJECTED_AHEAD),
                None => Release::at(at),
            },
        };
        next.previous()
    }

    /// The first release without any date, known or projected.
    pub(super) fn first_undated(&self) -> Release {
        Release::at(self.dates.partition_point(Option::is_some))
    }

    fn projected_on_or_after(&self, day: NaiveDate) -> Option<Release> {
        let cadence = self.cadence()?;
        let last = (*self.dates.last()?)?;
        let cadence = cadence.max(1);
        let months = (day.year() - last.year()) * 12 + day.month0().cast_signed() - last.month0().cast_signed();
        // Clamping days can move a month's end by a few days: start one step early and look.
        let start = (u32::try_from(months).unwrap_or(0) / cadence).saturating_sub(1);
        let end = Release::at(self.dates.len());
        (start..=start.saturating_add(3))
            .map(|step| end.plus(step))
            .find(|&release| self.date(release).is_some_and(|date| date >= day))
    }

    /// The day that is listed for a release, if any is.
    fn own_day(&self, at: usize) -> Option<NaiveDate> {
        match self.naming() {
            Naming::Symbolic { .. } => None,
            Naming::Numbered(listed) => listed.get(at)?.date,
            Naming::Listed(listed) => listed.get(at)?.date,
        }
    }

    /// How many of the listed releases, the last ones, have no day of their own.
    fn unscheduled(&self) -> u32 {
        let last = (0..self.dates.len()).rev();
        let without = last.take_while(|at| self.own_day(*at).is_none());
        Release::at(without.count()).0
    }
}
