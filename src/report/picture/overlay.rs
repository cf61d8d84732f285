//! What is laid over a picture: what a change moves, or the way to targets.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{BandReport, PictureReport, RowReport, RowsReport};
use crate::report::{ByWhenReport, Moment, Standing, WayReport};

/// What is laid over a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct OverlayReport {
    /// What it is.
    pub kind: Overlay,
    /// The changes or the targets.
    pub about: Vec<String>,
    /// What came of them: how much moves, or whether each target can be reached.
    pub results: Vec<String>,
}

/// Something laid over a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Overlay {
    /// What changes move.
    WhatIf,
    /// What has to happen by when for targets.
    ByWhen,
}

/// An event on the way to a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SlackReport {
    /// What happens.
    pub event: String,
    /// Where it stands.
    pub standing: Standing,
    /// The earliest release; null if none is in sight.
    pub earliest: Option<usize>,
    /// The latest release; null if none is early enough, or if it only follows.
    pub latest: Option<usize>,
    /// How many releases lie between them; null if it cannot come in time, or if it only follows.
    pub slack: Option<u32>,
    /// Whether it decides when the tightest target can be reached.
    pub critical: bool,
    /// Why it is not earlier.
    pub reason: String,
}

impl<'a> PictureReport<'a> {
    /// Lays over a picture of a changed model what it was before. Elements that are no longer there have rows too.
    pub fn lay_over(&mut self, before: Self, changes: Vec<String>, counts: String) {
        self.reach(&before.releases);
        let positions = self.positions();
        let of_before = before
            .releases
            .iter()
            .map(|moment| positions.get(moment.release).copied());
        let axis: Vec<Option<usize>> = of_before.collect();
        let mut lost: Vec<(String, RowReport<'a>)> = Vec::new();
        let mut rows: BTreeMap<&'a str, &mut RowReport<'a>> = BTreeMap::new();
        for row in self.groups.iter_mut().flat_map(|group| &mut group.rows) {
            rows.insert(row.id, row);
        }
        for group in before.groups {
            for mut row in group.rows {
                let bands = on_axis(&row.bands, &axis);
                match rows.remove(row.id) {
                    Some(now) => now.before = (now.bands != bands).then_some(bands),
                    None => {
                        row.clear();
                        row.before = Some(bands);
                        lost.push((group.group.clone(), row));
                    }
                }
            }
        }
        // What is left is new.
        for (_, row) in rows {
            row.before = Some(Vec::new());
        }
        for (name, row) in lost {
            match self.groups.iter_mut().find(|group| group.group == name) {
                Some(group) => group.rows.push(row),
                None => self.groups.push(RowsReport {
                    group: name,
                    rows: vec![row],
                }),
            }
        }
        self.overlay = Some(OverlayReport {
            kind: Overlay::WhatIf,
            about: changes,
            results: vec![counts],
        });
    }

    /// Lays the way to targets over a picture: of each event on it, the earliest and the latest release.
    pub fn mark_way(&mut self, way: &ByWhenReport<'a>, results: Vec<String>) {
        self.reach(&way.releases);
        let positions = self.positions();
        let mut steps: BTreeMap<&str, Vec<SlackReport>> = BTreeMap::new();
        // What is a fact and in time leaves nothing to do.
        let ahead = way.steps.iter();
        for step in ahead.filter(|step| step.standing != Standing::Fact || step.slack.is_none()) {
            steps.entry(step.element).or_default().push(slack(step, &positions));
        }
        for row in self.groups.iter_mut().flat_map(|group| &mut group.rows) {
            row.way = steps.remove(row.id).unwrap_or_default();
        }
        self.overlay = Some(OverlayReport {
            kind: Overlay::ByWhen,
            about: way.targets.iter().map(|target| target.target.clone()).collect(),
            results,
        });
    }

    /// Adds the releases after the last one that both have.
    fn reach(&mut self, others: &[Moment<'a>]) {
        let known = self.positions();
        let common = others.iter().rposition(|moment| known.contains_key(moment.release));
        let last = self.releases.last().map(|moment| moment.release);
        if let Some(common) = common.filter(|at| others.get(*at).map(|moment| moment.release) == last) {
            self.releases.extend(others.iter().skip(common + 1).copied());
        }
    }

    fn positions(&self) -> BTreeMap<&'a str, usize> {
        let releases = self.releases.iter().enumerate();
        releases.map(|(at, moment)| (moment.release, at)).collect()
    }
}

impl RowReport<'_> {
    /// Leaves only what the element is.
    fn clear(&mut self) {
        self.bands.clear();
        self.preferred.clear();
        self.stored.clear();
        self.because.clear();
        self.violations.clear();
        self.earliest_removal = None;
        self.removal_due = None;
        self.binding = None;
    }
}

/// Bands on another axis; what it does not have begins with the next release that it has.
fn on_axis(bands: &[BandReport], axis: &[Option<usize>]) -> Vec<BandReport> {
    let bands = bands.iter().filter_map(|band| {
        Some(BandReport {
            from: next_on(axis, band.from)?,
            until: band.until.and_then(|until| next_on(axis, until)),
            ..band.clone()
        })
    });
    bands.collect()
}

fn next_on(axis: &[Option<usize>], at: usize) -> Option<usize> {
    axis.get(at..)?.iter().flatten().next().copied()
}

fn slack(step: &WayReport<'_>, positions: &BTreeMap<&str, usize>) -> SlackReport {
    let [earliest, latest] =
        [step.earliest, step.latest].map(|moment| moment.and_then(|moment| positions.get(moment.release).copied()));
    SlackReport {
        event: step.event.as_str().to_owned(),
        standing: step.standing,
        earliest,
        latest,
        slack: step.slack,
        critical: step.critical,
        reason: step.reason.clone(),
    }
}
