//! The timeline of every element: what pictures are drawn from.

use serde::Serialize;

use super::{DecidedBy, FactReport, Moment, PolicyReport, State};
use crate::diagnostic::Severity;
use crate::grammar::ElementKind;
use crate::stability::Level;

/// What pictures are drawn from. Releases are positions in `releases`.
#[derive(Debug, Serialize)]
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
}

impl<'a> PictureReport<'a> {
    /// The rows of all groups.
    pub fn rows(&self) -> impl Iterator<Item = &RowReport<'a>> {
        self.groups.iter().flat_map(|group| &group.rows)
    }
}

/// The rows of a group.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct RowsReport<'a> {
    /// An API group, `config ` and a group, `cli ` and a program, `gates`, `metrics` or `behaviors`.
    pub group: String,
    /// One row per element.
    pub rows: Vec<RowReport<'a>>,
}

/// The timeline of one element.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct RowReport<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its id without the group.
    pub label: &'a str,
    /// The id of what it is part of: of a kind its version, of a field its kind.
    pub parent: Option<&'a str>,
    /// Its kind.
    pub kind: ElementKind,
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
}

/// A state over a range of releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
pub struct SpanReport {
    /// Its first release.
    pub from: usize,
    /// The first release after it; null if it outlasts the picture.
    pub until: Option<usize>,
}

/// A finding about an element.
#[derive(Debug, Serialize)]
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
