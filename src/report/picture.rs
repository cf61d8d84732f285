//! The timeline of every element: what pictures are drawn from.

mod overlay;

use serde::Serialize;

pub use overlay::{Overlay, OverlayReport, SlackReport};

use super::{ConsumerReport, DecidedBy, FactReport, Moment, PolicyReport, RecordReport, State};
use crate::diagnostic::Severity;
use crate::grammar::KindName;
use crate::stability::Level;

/// What pictures are drawn from. Releases are positions in `releases`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PictureReport<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The newest release that has shipped.
    pub current: Option<usize>,
    /// The editions of the policy that were applied, earliest first.
    pub policies: Vec<PolicyReport<'a>>,
    /// The releases along the top, in order.
    pub releases: Vec<Moment<'a>>,
    /// The rows by group, in the order of the plan.
    pub groups: Vec<RowsReport<'a>>,
    /// Findings that are about no element.
    pub violations: Vec<ViolationReport<'a>>,
    /// How the product kept its policy, with the worst breaches only. Null if there is nothing to judge.
    pub record: Option<RecordReport<'a>>,
    /// What is laid over the picture, if anything is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlay: Option<OverlayReport>,
}

impl<'a> PictureReport<'a> {
    /// The rows of all groups.
    pub fn rows(&self) -> impl Iterator<Item = &RowReport<'a>> {
        self.groups.iter().flat_map(|group| &group.rows)
    }
}

impl PictureReport<'_> {
    /// Keeps the releases from one position to another. Rows that ended before, or begin after, are left out.
    pub fn clip(&mut self, first: usize, last: usize) {
        let window = Window { first, last };
        self.releases.truncate(last.saturating_add(1));
        self.releases.drain(..first.min(self.releases.len()));
        self.current = self.current.filter(|at| *at >= first).map(|at| at.min(last) - first);
        for group in &mut self.groups {
            group.rows.retain_mut(|row| window.clip(row));
        }
        self.groups.retain(|group| !group.rows.is_empty());
        for violation in &mut self.violations {
            violation.at = window.position(violation.at);
        }
    }
}

/// The releases that a picture keeps.
#[derive(Clone, Copy)]
struct Window {
    first: usize,
    last: usize,
}

impl Window {
    fn position(self, at: Option<usize>) -> Option<usize> {
        at.filter(|at| (self.first..=self.last).contains(at))
            .map(|at| at - self.first)
    }

    /// What a stretch has in common with the window.
    fn stretch(self, from: usize, until: Option<usize>) -> Option<(usize, Option<usize>)> {
        let is_seen = from <= self.last && until.is_none_or(|until| until > self.first);
        let until = until.filter(|until| *until <= self.last);
        is_seen.then(|| (from.max(self.first) - self.first, until.map(|until| until - self.first)))
    }

    /// Cuts a row. Returns whether anything of it is seen.
    fn clip(self, row: &mut RowReport<'_>) -> bool {
        row.bands.retain_mut(|band| {
            let seen = self.stretch(band.from, band.until);
            (band.from, band.until) = seen.unwrap_or_default();
            seen.is_some()
        });
        for spans in [&mut row.preferred, &mut row.stored] {
            spans.retain_mut(|span| {
                let seen = self.stretch(span.from, span.until);
                (span.from, span.until) = seen.unwrap_or_default();
                seen.is_some()
            });
        }
        row.earliest_removal = self.position(row.earliest_removal);
        row.removal_due = self.position(row.removal_due);
        for violation in &mut row.violations {
            violation.at = self.position(violation.at);
        }
        row.bands.iter().any(|band| band.state != State::Removed)
    }
}

/// The rows of a group.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RowsReport<'a> {
    /// An API group, `config ` and a group, `cli ` and a program, `gates`, `metrics` or `behaviors`.
    pub group: String,
    /// One row per element.
    pub rows: Vec<RowReport<'a>>,
}

/// The timeline of one element.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RowReport<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its id without the group.
    pub label: &'a str,
    /// The id of what it is part of: of a kind its version, of a field its kind.
    pub parent: Option<&'a str>,
    /// Its kind.
    pub kind: KindName<'a>,
    /// Its stability.
    pub stability: Level,
    /// Its depth in the group: 0 for a version, 1 for a kind, 2 for a part of a kind.
    pub depth: usize,
    /// What replaces it.
    pub replacement: Option<&'a str>,
    /// Where the chain of replacements ends.
    pub migrate_to: Option<&'a str>,
    /// Its owner.
    pub owner: Option<&'a str>,
    /// The issue or proposal that tracks it.
    pub tracking: Option<&'a str>,
    /// Its states, in order.
    pub bands: Vec<BandReport>,
    /// While it is the preferred version of its group.
    pub preferred: Vec<SpanReport>,
    /// While it is the storage version: of its kind, or for a version of all kinds of its group.
    pub stored: Vec<SpanReport>,
    /// The earliest release that may remove it, if known.
    pub earliest_removal: Option<usize>,
    /// Whether the calendar ends before that bound: it is this release or a later one.
    pub earliest_removal_open: bool,
    /// The major release before which it is not removed, if the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// The latest release that must remove it.
    pub removal_due: Option<usize>,
    /// What decides the earliest removal.
    pub binding: Option<DecidedBy<'a>>,
    /// Why.
    pub because: Vec<FactReport<'a>>,
    /// The findings about it.
    pub violations: Vec<ViolationReport<'a>>,
    /// Its states before a change, if they were others; empty if it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Vec<BandReport>>,
    /// Its events on the way to a target.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<SlackReport>,
    /// How often it was used on each day, if there is evidence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub usage: Vec<DayReport>,
    /// Who uses it, most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consumers: Vec<ConsumerReport>,
}

/// A state over a range of releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BandReport {
    /// The state.
    pub state: State,
    /// Its first release.
    pub from: usize,
    /// The first release after it; null if it outlasts the picture.
    pub until: Option<usize>,
    /// Whether the model declares its beginning.
    pub declared: bool,
    /// The stage of a gate or the class of a metric; null for other elements.
    pub level: Option<Level>,
}

/// A range of releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpanReport {
    /// Its first release.
    pub from: usize,
    /// The first release after it; null if it outlasts the picture.
    pub until: Option<usize>,
}

/// A finding about an element.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ViolationReport<'a> {
    /// The rule.
    pub rule: &'a str,
    /// The rule's number.
    pub number: Option<&'a str>,
    /// The finding.
    pub code: &'a str,
    /// How severe.
    pub severity: Severity,
    /// The message.
    pub message: String,
    /// The earliest release in which it would be allowed, if there is one.
    pub at: Option<usize>,
    /// The file it is in.
    pub file: Option<String>,
    /// Its line, from 1.
    pub line: Option<u32>,
    /// The next step.
    pub help: Option<&'a str>,
}

/// How often something was used on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DayReport {
    /// The day.
    pub day: String,
    /// How often.
    pub count: u64,
}
