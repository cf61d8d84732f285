//! The surface through the releases, a row an element: what pictures are drawn from.

use serde::Serialize;

use super::{FactReport, Moment, PolicyReport};

/// What pictures are drawn from. Releases are named by their positions in `releases`.
#[derive(Debug, Serialize)]
pub struct PictureReport<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The newest release that has shipped.
    pub current: Option<usize>,
    /// The editions of the policy that judged, in turn.
    pub policies: Vec<PolicyReport<'a>>,
    /// The releases along the top, in order.
    pub releases: Vec<Moment<'a>>,
    /// The rows, in the order of the plan.
    pub groups: Vec<RowsReport<'a>>,
    /// What breaks the policy and is about none of the elements.
    pub violations: Vec<ViolationReport<'a>>,
}

/// The rows that belong together.
#[derive(Debug, Serialize)]
pub struct RowsReport<'a> {
    /// The group's name, `config ` and the name, `cli ` and the program, `gates`, `metrics`, `behaviors`.
    pub group: String,
    /// One row an element.
    pub rows: Vec<RowReport<'a>>,
}

/// One element through the releases.
#[derive(Debug, Serialize)]
pub struct RowReport<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its id without what its group's name says.
    pub label: &'a str,
    /// The id of what it is part of: of a kind its version, of a field its kind.
    pub parent: Option<&'a str>,
    /// What sort of thing.
    pub kind: &'static str,
    /// Its stability.
    pub stability: &'static str,
    /// How deep it lies in its group: a version 0, a kind 1, its parts 2.
    pub depth: usize,
    /// What replaces it.
    pub replacement: Option<&'a str>,
    /// Where the chain of replacements ends.
    pub migrate_to: Option<&'a str>,
    /// Who looks after it.
    pub owner: Option<&'a str>,
    /// What tracks it.
    pub tracking: Option<&'a str>,
    /// Its states, in order.
    pub bands: Vec<BandReport>,
    /// While it is the preferred version of its group.
    pub preferred: Vec<SpanReport>,
    /// While it is the storage version, of its kind or, for a version, of all kinds of its group.
    pub stored: Vec<SpanReport>,
    /// The soonest it may be removed, where that is in sight.
    pub earliest_removal: Option<usize>,
    /// Whether that release may be too early: the calendar ends before the bound.
    pub earliest_removal_open: bool,
    /// The major release before which it is not removed.
    pub never_before_major: Option<String>,
    /// The release in which it is to be gone.
    pub removal_due: Option<usize>,
    /// What decides the soonest removal: `releases`, `months`, `major`, or a rule.
    pub binding: Option<&'a str>,
    /// Why.
    pub because: Vec<FactReport<'a>>,
    /// What breaks the policy.
    pub violations: Vec<ViolationReport<'a>>,
}

/// A state that lasts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BandReport {
    /// `tolerated`, `served`, `deprecated`, `hidden` or `gone`.
    pub state: &'static str,
    /// Its first release.
    pub from: usize,
    /// The first release after it; null if it lasts past the last one drawn.
    pub until: Option<usize>,
    /// Whether the user declared its beginning.
    pub declared: bool,
    /// The stage of a gate or class of a metric meanwhile; null for other elements.
    pub level: Option<&'static str>,
}

/// A stretch of releases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpanReport {
    /// Its first release.
    pub from: usize,
    /// The first release after it; null if it lasts past the last one drawn.
    pub until: Option<usize>,
}

/// A finding about an element.
#[derive(Debug, Serialize)]
pub struct ViolationReport<'a> {
    /// The rule.
    pub rule: &'a str,
    /// The rule's number.
    pub number: Option<&'a str>,
    /// The finding.
    pub code: &'a str,
    /// How grave.
    pub severity: &'static str,
    /// The sentence.
    pub message: String,
    /// The soonest release in which it would be legal, if there is one.
    pub at: Option<usize>,
    /// The file it is in.
    pub file: Option<String>,
    /// Its line, from 1.
    pub line: Option<u32>,
    /// The next step.
    pub help: Option<&'a str>,
}
