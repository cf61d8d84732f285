//! The calendar of a draft: dates in order, the cadence, and releases that a source names beyond it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::release::{NAMEABLE_AHEAD, ReleaseName};

use super::draft::DraftCalendar;
use super::notice::{Notice, Topic};

/// A gap between two releases of one major version is filled if it is no wider than this.
const WIDEST_GAP: u64 = 200;

impl DraftCalendar {
    pub(crate) fn of(releases: BTreeMap<ReleaseName, Option<NaiveDate>>) -> Self {
        Self {
            releases,
            ..Self::default()
        }
    }

    /// Adds releases that have shipped, and estimates the cadence where none is declared.
    pub(super) fn ship(&mut self, releases: impl IntoIterator<Item = (ReleaseName, Option<NaiveDate>)>) {
        for (release, day) in releases {
            self.current = self.current.take().max(Some(release.clone()));
            self.releases.insert(release, day);
        }
        self.estimate_cadence();
    }

    /// Sets the cadence, if none is declared, to the usual number of months between two releases: the median. Fewer
    /// than three releases with a day have none.
    pub(super) fn estimate_cadence(&mut self) {
        self.cadence = self.cadence.or_else(|| usual_months(self.releases.values()));
    }

    /// Makes dates follow the order of the releases: a release that is dated before the one it follows gets the date of
    /// that one, which is reported.
    pub(super) fn order_days(&mut self, topic: Topic, notices: &mut Vec<Notice>) {
        let mut before: Option<(&ReleaseName, NaiveDate)> = None;
        for (release, date) in &mut self.releases {
            let Some(day) = date else { continue };
            if let Some((earlier, earlier_day)) = before.filter(|(_, earlier_day)| *day < *earlier_day) {
                let text = format!(
                    "{release} is dated {day}, before {earlier} ({earlier_day}): it is imported with the date {earlier_day}"
                );
                notices.push(Notice::new(topic, text));
                *day = earlier_day;
            }
            before = Some((release, *day));
        }
    }

    /// A release without a day and a later one with a day: a calendar needs all days up to the last dated release.
    pub(super) fn undated(&self) -> Option<[&ReleaseName; 2]> {
        let mut after = self.releases.iter().skip_while(|(_, day)| day.is_some());
        let (undated, _) = after.next()?;
        let (later, _) = after.find(|(_, day)| day.is_some())?;
        Some([undated, later])
    }

    pub(super) fn last(&self) -> Option<&ReleaseName> {
        self.releases.keys().next_back()
    }

    pub(super) fn can_have(&self, release: &ReleaseName) -> bool {
        self.releases.contains_key(release) || self.last().is_some_and(|last| last < release)
    }

    /// Whether the cadence projects a release, so that it need not be listed.
    pub(super) fn projects(&self, release: &ReleaseName) -> bool {
        self.cadence.is_some()
            && self
                .last()
                .is_some_and(|last| release.major() == last.major() && *release <= last.later(NAMEABLE_AHEAD))
    }

    /// Adds named releases after the last known one (`known` is all that is known), without a date, unless the cadence
    /// projects them all. Returns the earlier ones that are not known: they would need a date.
    pub(crate) fn add_later(&mut self, known: &Self, named: &BTreeSet<ReleaseName>) -> Vec<ReleaseName> {
        let unknown = named.iter().filter(|release| !known.releases.contains_key(*release));
        let (later, missing): (Vec<_>, Vec<_>) = unknown
            .cloned()
            .partition(|release| known.last().is_none_or(|last| release > last));
        if !later.iter().all(|release| known.projects(release)) {
            self.releases.extend(later.into_iter().map(|release| (release, None)));
        }
        missing
    }

    /// Adds the releases up to one that is after the last one, without dates, unless the cadence projects them.
    pub(super) fn reach(&mut self, release: &ReleaseName) {
        let Some(last) = self.last().filter(|last| *last < release).cloned() else {
            return;
        };
        if !self.projects(release) {
            let releases = between(&last, release, NAMEABLE_AHEAD).chain([release.clone()]);
            self.releases.extend(releases.map(|release| (release, None)));
        }
    }

    /// Adds the releases between those of one major version: windows count them.
    pub(super) fn fill_gaps(&mut self) {
        let known: Vec<ReleaseName> = self.releases.keys().cloned().collect();
        for (from, to) in known.iter().zip(known.iter().skip(1)) {
            self.releases
                .extend(between(from, to, WIDEST_GAP).map(|release| (release, None)));
        }
    }
}

/// The releases between two of one major version that are no further apart than `widest`.
pub(super) fn between(from: &ReleaseName, to: &ReleaseName, widest: u64) -> impl Iterator<Item = ReleaseName> {
    let gap = to.minor().saturating_sub(from.minor());
    let is_near = from.major() == to.major() && gap <= widest;
    (1..if is_near { gap } else { 0 }).map(|ahead| from.later(ahead))
}

pub(super) fn listed<'r>(releases: impl IntoIterator<Item = &'r ReleaseName>) -> String {
    let names: Vec<String> = releases.into_iter().map(ToString::to_string).collect();
    names.join(", ")
}

fn usual_months<'d>(days: impl Iterator<Item = &'d Option<NaiveDate>>) -> Option<u32> {
    let mut days: Vec<NaiveDate> = days.flatten().copied().collect();
    days.sort_unstable();
    let mut gaps: Vec<i64> = days.windows(2).map(|pair| (pair[1] - pair[0]).num_days()).collect();
    gaps.sort_unstable();
    let median = *gaps.get(gaps.len() / 2).filter(|_| gaps.len() > 1)?;
    // A month has 30.5 days.
    let months = u32::try_from((median * 2 + 30) / 61).ok()?;
    Some(months.clamp(1, 120))
}
