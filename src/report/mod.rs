//! The answer as plain data: what `--format json` prints and every renderer sees.
//!
//! The names are a contract; more may be added, none is changed or taken away without a new [`SCHEMA_VERSION`].

mod comparison;
mod derivation;
mod diff;
mod elements;
mod finding;
mod notes;
mod picture;
mod rollout;
mod rule;

use serde::Serialize;

use crate::release::DateKind;

pub use comparison::{
    ComparedFact, ComparisonCounts, ComparisonReport, DisagreementReport, ReasonCode, ReasonReport, StatementReport,
    titles,
};
pub use derivation::{Derivation, EventDerivation, StepReport};
pub use diff::{DiffReport, DiffSummary, DifferenceReport};
pub use elements::{ElementReports, MakeElements};
pub use finding::{
    ComparedReport, DiagnosticReport, EditReport, FactReport, LabelReport, NamedByReport, ProposalReport,
};
pub use notes::{
    AnnouncementReport, ApiWarningReport, AuditReport, ChangeReport, CommandWarningReport, GateWarningReport,
    MetricWarningReport, MigrationReport, NotesReport, ReleaseNotesReport, RemovalReport, SectionReport, SubjectReport,
    WarningsReport,
};
pub use picture::{BandReport, PictureReport, RowReport, RowsReport, SpanReport, ViolationReport};
pub use rollout::{RolloutEntryReport, RolloutItemReport, RolloutReleaseReport, RolloutReport, StepAtReport};
pub use rule::{
    EditionRulesReport, ExceptionReport, ExceptionsReport, GradeReport, PageReport, RuleReport, RulesReport,
    SeverityReport,
};

/// The version of the contract.
pub const SCHEMA_VERSION: u32 = 1;

/// The whole answer.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The newest release that has shipped, if the calendar says.
    pub current: Option<Moment<'a>>,
    /// The editions of the policy that judged, in turn.
    pub policies: Vec<PolicyReport<'a>>,
    /// Each group through the releases.
    pub groups: Vec<GroupReport<'a>>,
    /// Each element with its bounds.
    pub elements: ElementReports<'a>,
    /// What the findings were held against, if they were: only what is not known from there counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<ComparedReport>,
    /// The removals that were proposed; the findings are then what speaks against them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<ProposalReport<'a>>,
    /// The findings.
    pub diagnostics: Vec<DiagnosticReport<'a>>,
    /// The breaches that were agreed to.
    pub exceptions: Vec<ExceptionReport<'a>>,
}

impl Report<'_> {
    /// Leaves out the findings that are no news.
    pub fn leave_out_known(&mut self) {
        self.diagnostics.retain(|finding| finding.known.is_none());
    }
}

/// An edition of a policy.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PolicyReport<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its edition.
    pub edition: &'a str,
    /// The release from which it holds, if the user gave one.
    pub from: Option<&'a str>,
}

/// A release with its date, as an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moment<'a> {
    /// The release.
    pub release: &'a str,
    /// Its day, `2017-09-28`; null where there is none.
    pub date: Option<&'a str>,
    /// `actual`, `announced`, `projected` or `symbolic`.
    pub date_kind: DateKind,
    /// Whether the user declared it, or something that implies it, where the moment is that of an event; if not, it is
    /// planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<bool>,
    /// Present and true where the calendar ends before the bound: this release or a later one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub at_least: bool,
}

/// A group through the releases.
#[derive(Debug, Serialize)]
pub struct GroupReport<'a> {
    /// Its name; a configuration's begins with `config `.
    pub group: String,
    /// One row a release.
    pub releases: Vec<ReleaseReport<'a>>,
}

/// A group in one release.
#[derive(Debug, Serialize)]
pub struct ReleaseReport<'a> {
    /// The release.
    pub release: &'a str,
    /// Its day.
    pub date: Option<&'a str>,
    /// How sure that is.
    pub date_kind: DateKind,
    /// The versions served, newest generation first.
    pub versions: Vec<VersionReport<'a>>,
    /// The preferred version.
    pub preferred: Option<&'a str>,
    /// The storage version; null where the group's kinds differ.
    pub storage: Option<&'a str>,
    /// Whether preferred and storage versions were declared by a move in this very release.
    pub moves: MovesReport,
    /// The kinds.
    pub kinds: Vec<KindReport<'a>>,
    /// What to tell users.
    pub notes: Vec<NoteReport<'a>>,
}

/// Which moves of a release the user declared.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MovesReport {
    /// The preferred version.
    pub preferred_declared: bool,
    /// The storage version of every kind.
    pub storage_declared: bool,
}

/// A version in one release.
#[derive(Debug, Serialize)]
pub struct VersionReport<'a> {
    /// Its name.
    pub version: &'a str,
    /// `served` or `deprecated`.
    pub state: &'static str,
}

/// A kind in one release.
#[derive(Debug, Serialize)]
pub struct KindReport<'a> {
    /// Its name.
    pub kind: &'a str,
    /// The versions that serve it.
    pub versions: Vec<&'a str>,
    /// Its storage version.
    pub storage: Option<&'a str>,
}

/// Something to tell users of a group in a release.
#[derive(Debug, Serialize)]
pub struct NoteReport<'a> {
    /// What happens.
    pub event: &'static str,
    /// To which version.
    pub version: &'a str,
    /// Whether users have to do something.
    pub action_required: bool,
    /// Whether the user declared it.
    pub declared: bool,
    /// In words.
    pub text: String,
}

/// An element with what is known, planned and allowed of it.
#[derive(Debug, Serialize)]
pub struct ElementReport<'a> {
    /// Its id.
    pub id: &'a str,
    /// What sort of thing.
    pub kind: &'static str,
    /// Its stability.
    pub stability: &'static str,
    /// What replaces it.
    pub replacement: Option<&'a str>,
    /// What the model says replaces it: an id, or the text as written where the model has no such element. Not in the
    /// JSON.
    #[serde(skip)]
    pub declared_replacement: Option<&'a str>,
    /// Where the chain of replacements ends.
    pub migrate_to: Option<&'a str>,
    /// When it was introduced.
    pub introduced: Option<Moment<'a>>,
    /// When it is deprecated.
    pub deprecated: Option<Moment<'a>>,
    /// When it is hidden.
    pub hidden: Option<Moment<'a>>,
    /// When it is no longer served.
    pub removed: Option<Moment<'a>>,
    /// The soonest it may be deprecated.
    pub earliest_deprecation: Option<Moment<'a>>,
    /// The latest it is to be deprecated.
    pub latest_deprecation: Option<Moment<'a>>,
    /// The soonest it may be removed.
    pub earliest_removal: Option<Moment<'a>>,
    /// The release in which it is to be gone.
    pub removal_due: Option<Moment<'a>>,
    /// The major release before which it is not removed, where the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// What decides the earliest removal: `releases`, `months`, `major`, or a rule.
    pub binding: Option<&'a str>,
    /// Why.
    pub because: Vec<FactReport<'a>>,
    /// Lives before this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier_lives: Vec<LifeReport<'a>>,
    /// Who looks after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<&'a str>,
    /// What tracks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracking: Option<&'a str>,
}

/// A life that is over.
#[derive(Debug, Serialize)]
pub struct LifeReport<'a> {
    /// When it began.
    pub introduced: Option<Moment<'a>>,
    /// When its end was announced.
    pub deprecated: Option<Moment<'a>>,
    /// When it ended.
    pub removed: Option<Moment<'a>>,
}
