//! The answer as plain data: what `--format json` prints and every renderer sees.
//!
//! The field names are a contract: fields may be added, but none is renamed or removed without a new
//! [`SCHEMA_VERSION`].

mod by_when;
mod comparison;
mod deprecations;
mod derivation;
mod diff;
mod effective;
mod elements;
mod feed;
mod finding;
mod groups;
mod notes;
mod overview;
mod picture;
mod promises;
mod record;
mod rollout;
mod rule;
mod side_by_side;
mod tasks;
mod usage;
mod warnings;
mod what_if;

use std::fmt;

use serde::Serialize;

use crate::grammar::{Duty, KindName};
use crate::release::{Binding, DateKind};
use crate::stability::Level;

pub use by_when::{
    ByWhenReport, ClashReport, ClashingReport, HappenedReport, InsteadReport, NeededReport, NextReport, Standing,
    TargetReport, WayReport,
};
pub use comparison::{
    ComparedFact, ComparisonCounts, ComparisonReport, DisagreementReport, ReasonCode, ReasonReport, StatementReport,
    titles,
};
pub use deprecations::DeprecationsReport;
pub(crate) use deprecations::{DeprecationReport, api_group};
pub use derivation::{DemandKind, Derivation, DerivationsReport, EventDerivation, EventName, Origin, StepReport};
pub use diff::{ChangeGroup, DiffReport, DiffSummary, DifferenceReport, MessageCount, TypeCount};
pub use effective::{EffectiveEdition, EffectiveReport, EffectiveSetting, EffectiveTable};
pub use elements::{ElementReports, MakeElements};
pub use feed::{FEED_VERSION, FeedEntry, FeedMoment, FeedReport, FeedStatus, FeedStep};
pub use finding::{
    ComparedReport, DiagnosticReport, EditReport, FactReport, FindingGroup, LabelReport, NamedByReport, ProposalReport,
    StepBeforeReport,
};
pub use groups::{
    GroupReport, GroupReports, KindReport, MakeGroups, MovesReport, NoteReport, ReleaseReport, VersionReport,
};
pub use notes::{
    AnnouncedEvent, AnnouncementReport, ChangeReport, MigrationReport, NotesReport, ReleaseNotesReport, RemovalReport,
    SectionName, SectionReport, StandingReport, SubjectReport,
};
pub use overview::{
    AgendaItem, AgendaReport, ElementsBelow, GroupOverview, OverviewReport, OverviewRow, ReleaseSpan, Turn,
};
pub use picture::{
    BandReport, DayReport, Overlay, OverlayReport, PictureReport, RowReport, RowsReport, SlackReport, SpanReport,
    ViolationReport,
};
pub use promises::{OutcomeCount, PromiseOutcome, PromiseReport, PromisesReport};
pub use record::{JudgementReport, RecordReport, Tally, TallyRow, Verdict};
pub use rollout::{
    ProposalKind, RolloutEntryReport, RolloutItemReport, RolloutReleaseReport, RolloutReport, StepAtReport,
};
pub(crate) use rule::{EditionRulesReport, GradeReport, RuleReport, SeverityReport};
pub use rule::{ExceptionReport, ExceptionState, ExceptionsReport, PageReport, RulesReport};
pub use side_by_side::{NewMoment, SharedEvent, SharedFinding, SharedRelease, SideBySideReport};
pub(crate) use tasks::ANY_ELEMENT;
pub use tasks::{Action, TaskGroup, TaskReport, TasksReport, Urgency};
pub use usage::{Consumer, ConsumerReport, Evidence, EvidenceSource, LostLine, Period, SourceFormat, Usage};
pub use warnings::{
    ApiWarningReport, AuditReport, CommandWarningReport, GateWarningReport, MetricWarningReport, WarningsReport,
    WordsReport,
};
pub use what_if::{
    EventGroup, EventMove, MissedReport, Movement, MovingEvent, PolicyMove, ReleaseMove, WhatIfCounts, WhatIfReport,
};

/// The version of the contract.
pub const SCHEMA_VERSION: u32 = 1;

/// The whole answer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Report<'a> {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The newest release that has shipped, if the calendar says.
    pub current: Option<Moment<'a>>,
    /// The editions of the policy that were applied, earliest first.
    pub policies: Vec<PolicyReport<'a>>,
    /// Each group through the releases.
    #[cfg_attr(test, schemars(with = "Vec<GroupReport<'a>>"))]
    pub groups: GroupReports<'a>,
    /// Each element with its bounds.
    #[cfg_attr(test, schemars(with = "Vec<ElementReport<'a>>"))]
    pub elements: ElementReports<'a>,
    /// What the findings were compared with, if anything: known findings do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<ComparedReport>,
    /// The proposed removals. The findings are then those that forbid them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<ProposalReport<'a>>,
    /// The findings.
    pub diagnostics: Vec<DiagnosticReport<'a>>,
    /// The same findings, those that are alike together, where a command folds them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub finding_groups: Vec<FindingGroup>,
    /// The exceptions.
    pub exceptions: Vec<ExceptionReport<'a>>,
    /// What moves with the calendar, if the change is one of the calendar too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<WhatIfReport<'a>>,
}

impl Report<'_> {
    /// Removes the findings that are in the base or the baseline.
    pub fn leave_out_known(&mut self) {
        self.diagnostics.retain(|finding| finding.known.is_none());
    }
}

/// An edition of a policy.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PolicyReport<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its edition.
    pub edition: &'a str,
    /// The release from which it applies, if the model says so.
    pub from: Option<&'a str>,
}

/// How certain something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Voice {
    /// The model declares it.
    Announced,
    /// It is planned, and may move.
    Tentative,
    /// It was planned for a release that has shipped, and the model does not declare it.
    Assumed,
}

impl Voice {
    /// Of something that has not shipped.
    pub fn of(declared: bool) -> Self {
        if declared { Self::Announced } else { Self::Tentative }
    }
}

/// A release with its date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Moment<'a> {
    /// The release.
    pub release: &'a str,
    /// Its date, such as `2017-09-28`; null if unknown.
    pub date: Option<&'a str>,
    /// How certain the date is.
    pub date_kind: DateKind,
    /// Of an event: true if the model declares it, or something that implies it; false if it is planned. Absent from
    /// bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<bool>,
    /// Present and true if the calendar ends before the bound: this release or a later one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, schemars(default))]
    pub at_least: bool,
}

/// A step that the policy names, and when it is taken.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StepMoment<'a> {
    /// Its name.
    pub step: &'a str,
    /// What it means for users.
    pub duty: Duty,
    /// When.
    #[serde(flatten)]
    pub at: Moment<'a>,
}

/// An element with its events and the bounds on them.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ElementReport<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its kind.
    pub kind: KindName<'a>,
    /// Its stability.
    pub stability: Level,
    /// Its class, where its kind has classes of its own: `preview`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<&'a str>,
    /// What replaces it: as declared, or what is served when it is deprecated and when it is removed.
    pub replacement: Option<&'a str>,
    /// The last replacement in the chain that is served now (when it is deprecated, if that is to come) and when it is
    /// removed.
    pub migrate_to: Option<&'a str>,
    /// When it was introduced.
    pub introduced: Option<Moment<'a>>,
    /// When it is deprecated.
    pub deprecated: Option<Moment<'a>>,
    /// The steps that it takes between its deprecation and its removal, by the names of the policy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepMoment<'a>>,
    /// When it is hidden.
    pub hidden: Option<Moment<'a>>,
    /// The first release that no longer serves it.
    pub removed: Option<Moment<'a>>,
    /// The earliest release that may deprecate it.
    pub earliest_deprecation: Option<Moment<'a>>,
    /// The latest release that must deprecate it.
    pub latest_deprecation: Option<Moment<'a>>,
    /// The earliest release that may still remove it; once it has been removed, the one that permitted that. Null where
    /// the deprecation is neither declared nor planned, and where the calendar does not have it yet.
    pub earliest_removal: Option<Moment<'a>>,
    /// The release from which the policy permits the removal; only where that has shipped, and the removal has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permitted_since: Option<Moment<'a>>,
    /// When it might be removed if it were deprecated first; only where that is needed, and not in sight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_deprecated: Option<IfDeprecated<'a>>,
    /// The earliest release that removes it by the project's custom, where that is later than the policy requires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_removal: Option<Moment<'a>>,
    /// The latest release that must remove it.
    pub removal_due: Option<Moment<'a>>,
    /// Whether that is before the earliest release that may still remove it; only where it is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub due_before_possible: bool,
    /// The major release before which it is not removed, if the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// What decides the earliest removal.
    pub binding: Option<DecidedBy<'a>>,
    /// Why.
    pub because: Vec<FactReport<'a>>,
    /// Its earlier lives: it was removed and introduced again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier_lives: Vec<LifeReport<'a>>,
    /// Its owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<&'a str>,
    /// The issue or proposal that tracks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracking: Option<&'a str>,
}

/// The earliest removal under a deprecation that the model neither declares nor plans.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct IfDeprecated<'a> {
    /// The release that would have to deprecate it: the next one.
    pub deprecated: Moment<'a>,
    /// The earliest release that may then remove it.
    pub earliest_removal: Moment<'a>,
}

/// The state of an element in a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum State {
    /// Accepted where an object has it already, not yet on creation.
    Tolerated,
    /// Served.
    Served,
    /// Served, and deprecated.
    Deprecated,
    /// Served only on explicit request.
    Hidden,
    /// No longer served.
    #[serde(rename = "gone")]
    Removed,
}

impl State {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tolerated => "tolerated",
            Self::Served => "served",
            Self::Deprecated => "deprecated",
            Self::Hidden => "hidden",
            Self::Removed => "gone",
        }
    }
}

/// As people write it.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Removed => "removed",
            other => other.as_str(),
        })
    }
}

/// What decides a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum DecidedBy<'a> {
    /// The next major release.
    Major,
    /// The releases or the months of a window.
    #[serde(untagged)]
    Window(Binding),
    /// A rule that counts nothing.
    #[serde(untagged)]
    Rule(&'a str),
}

impl<'a> DecidedBy<'a> {
    /// As reports write it.
    pub fn as_str(self) -> &'a str {
        match self {
            Self::Major => "major",
            Self::Window(binding) => binding.as_str(),
            Self::Rule(rule) => rule,
        }
    }
}

/// A life that has ended.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LifeReport<'a> {
    /// When it began.
    pub introduced: Option<Moment<'a>>,
    /// When it was deprecated.
    pub deprecated: Option<Moment<'a>>,
    /// When it ended.
    pub removed: Option<Moment<'a>>,
}
