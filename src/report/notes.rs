//! What is announced of a release, or of all: what templates see.
//!
//! The documentation of these fields is that of the templates' context: it goes into the schema, and from there into
//! `docs/templates.md`.

use serde::Serialize;

use super::{ExceptionReport, FactReport, Moment, PolicyReport};

/// The context of a template.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotesReport<'a> {
    /// The version of the contract. Names may be added without a new one; none is changed or taken away.
    pub schema_version: u32,
    /// The release told of; null where all are.
    pub release: Option<Moment<'a>>,
    /// The release that readers have: what came after it is told. Null where nothing before `release` is told.
    pub since: Option<Moment<'a>>,
    /// The newest release that has shipped.
    pub current: Option<Moment<'a>>,
    /// The editions of the policy that judged, in turn.
    pub policies: Vec<PolicyReport<'a>>,
    /// Whether removals to come are told as "no earlier than" even where the model declares their release.
    pub tentative: bool,
    /// Whether nothing happens in any release told of.
    pub nothing: bool,
    /// The releases told of, oldest first.
    pub releases: Vec<ReleaseNotesReport<'a>>,
    /// What leaves in the releases told of, by the release of its removal, oldest first.
    pub removals: Vec<RemovalReport<'a>>,
    /// What is deprecated in the releases told of, and removed in none that is known.
    pub unscheduled: Vec<SubjectReport<'a>>,
    /// What a running server and its programs say of what is deprecated in `release`, or in any.
    pub warnings: WarningsReport<'a>,
}

/// One release.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReleaseNotesReport<'a> {
    /// The release.
    pub release: Moment<'a>,
    /// Whether it has shipped.
    pub shipped: bool,
    /// Whether nothing happens in it; exceptions may still hold.
    pub nothing: bool,
    /// Everything that users have to do something for. Each is in its section too. Where readers skip releases, what
    /// both came and went on the way is in its section only.
    pub urgent: Vec<AnnouncementReport<'a>>,
    /// What happens, by section, in this order: `deprecations`, `removals`, `api-changes`, `graduations`, `moves`,
    /// `gates`, `metrics`, `cli`, `behaviors`. Sections in which nothing happens are not there.
    pub sections: Vec<SectionReport<'a>>,
    /// The breaches of the policy that were agreed to and hold in this release, of elements that are there by then.
    pub exceptions: Vec<ExceptionReport<'a>>,
}

/// What happens in one release to one sort of things.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SectionReport<'a> {
    /// Its lasting name.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What happens.
    pub items: Vec<AnnouncementReport<'a>>,
}

/// One thing that happens.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnnouncementReport<'a> {
    /// What: `tolerated`, `introduced`, `promoted`, `demoted`, `default-changed`, `locked`, `deprecated`,
    /// `undeprecated`, `hidden`, `preferred`, `stored`, `migrated`, `removed`, `dropped`.
    pub event: &'static str,
    /// When.
    pub release: Moment<'a>,
    /// `announced`: the model declares it. `tentative`: it is planned, and may move. `assumed`: it was to happen in a
    /// release that has shipped, and the model does not declare it.
    pub voice: &'static str,
    /// Whether users have to do something.
    pub action_required: bool,
    /// Whether it was there before, and gone in between.
    pub again: bool,
    /// Where it comes from: the stage before, the version preferred or stored before.
    pub from: Option<&'a str>,
    /// Where it goes: the stage it enters, the version preferred or stored from now on.
    pub to: Option<&'a str>,
    /// Of a gate: whether it is on by default from now on.
    pub default: Option<bool>,
    /// Of a metric that is hidden: the flag that shows it again in this release.
    pub show_again: Option<String>,
    /// What it happens to.
    pub element: SubjectReport<'a>,
    /// Of a version: its kinds that it happens to, by name.
    pub kinds: Vec<SubjectReport<'a>>,
}

/// An element, as announcements speak of it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubjectReport<'a> {
    /// Its id.
    pub id: &'a str,
    /// What sort of thing: `api-version`, `kind`, `subresource`, `field`, `enum-value`, `annotation`, `config-version`,
    /// `config-kind`, `cli-command`, `cli-flag`, `gate`, `metric`, `behavior`.
    pub kind: &'static str,
    /// Its own name: `Deployment`, `spec.replicas`, `Frobber2D`; of a version, its id.
    pub name: &'a str,
    /// Its API group or configuration; null for what has none.
    pub group: Option<&'a str>,
    /// Its version in the group.
    pub version: Option<&'a str>,
    /// The plural of the kind in URLs.
    pub resource: Option<&'a str>,
    /// How stable it is: `alpha`, `beta`, `ga`, a metric also `internal` or `stable`, a gate also `deprecated`.
    pub stability: &'static str,
    /// When it was introduced.
    pub introduced: Option<Moment<'a>>,
    /// When it is deprecated.
    pub deprecated: Option<Moment<'a>>,
    /// When it is hidden.
    pub hidden: Option<Moment<'a>>,
    /// When it is no longer served.
    pub removed: Option<Moment<'a>>,
    /// The soonest it may be removed.
    pub earliest_removal: Option<Moment<'a>>,
    /// The major release before which it is not removed, where the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// The id of what replaces it.
    pub replacement: Option<&'a str>,
    /// The id of what to move to: the end of the chain of replacements.
    pub migrate_to: Option<&'a str>,
    /// Since when that is there.
    pub available_since: Option<Moment<'a>>,
    /// The warning that it prints, as the model declares it.
    pub warning: Option<&'a str>,
    /// Of a deprecated gate: whether it still does anything, as far as the model says.
    pub operational: Option<bool>,
    /// Who looks after it.
    pub owner: Option<&'a str>,
    /// What tracks it.
    pub tracking: Option<&'a str>,
    /// Why it is not removed sooner.
    pub because: Vec<FactReport<'a>>,
}

/// What leaves in one release.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemovalReport<'a> {
    /// The release. Of removals that are only planned, the one they come in at the earliest.
    pub release: Moment<'a>,
    /// Whether it has shipped.
    pub shipped: bool,
    /// Versions of API groups and configurations, by kind.
    pub apis: Vec<MigrationReport<'a>>,
    /// Everything else.
    pub others: Vec<SubjectReport<'a>>,
}

/// A kind that is no longer served in some versions, and where its users go.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MigrationReport<'a> {
    /// The kind's name; of a group without kinds, the group's.
    pub kind: &'a str,
    /// The plural in URLs.
    pub resource: Option<&'a str>,
    /// The group.
    pub group: &'a str,
    /// The versions that are no longer served: `batch/v1beta1`.
    pub versions: Vec<&'a str>,
    /// `announced`: the model declares it of each. `tentative`: it is planned, and may move.
    pub voice: &'static str,
    /// The id of what to move to.
    pub migrate_to: Option<&'a str>,
    /// Since when that is there.
    pub available_since: Option<Moment<'a>>,
    /// What differs there, as far as the model says.
    pub changes: Vec<ChangeReport<'a>>,
    /// The elements: the kind in each version, or the version.
    pub elements: Vec<SubjectReport<'a>>,
}

/// A part of a kind that is not in the version to move to, or is there under another name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangeReport<'a> {
    /// What sort of part: `field`, `subresource`, `enum-value`, `annotation`.
    pub kind: &'static str,
    /// Its name.
    pub name: &'a str,
    /// Its name there; null where there is no such part.
    pub becomes: Option<&'a str>,
}

/// What a running server and its programs say of what is deprecated.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WarningsReport<'a> {
    /// Of each deprecated kind in a version.
    pub apis: Vec<ApiWarningReport<'a>>,
    /// Of each deprecated command and flag.
    pub commands: Vec<CommandWarningReport<'a>>,
    /// Of each deprecated metric.
    pub metrics: Vec<MetricWarningReport<'a>>,
    /// Of each gate that is GA, deprecated or locked.
    pub gates: Vec<GateWarningReport<'a>>,
}

/// What an API server says when a deprecated kind is asked for.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApiWarningReport<'a> {
    /// The kind in the version.
    pub element: &'a str,
    /// `announced`: the model declares the deprecation, and the removal if there is one. `tentative`: one of them is
    /// planned.
    pub voice: &'static str,
    /// When it is deprecated.
    pub deprecated: Moment<'a>,
    /// When it is no longer served.
    pub removed: Option<Moment<'a>>,
    /// The text of the `Warning` header.
    pub warning: String,
    /// The header as it is sent.
    pub header: String,
    /// The annotations of the audit event.
    pub audit: Vec<AuditReport<'a>>,
    /// The series of the server's gauge of deprecated APIs that are asked for; null where the model does not name the
    /// resource.
    pub gauge: Option<String>,
    /// The query in `PromQL` for who asks for it; null as above.
    pub query: Option<String>,
}

/// An annotation of an audit event.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditReport<'a> {
    /// Its key.
    pub key: &'static str,
    /// Its value.
    pub value: &'a str,
}

/// What a program says when a deprecated command or flag is used.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommandWarningReport<'a> {
    /// The command or flag.
    pub element: &'a str,
    /// The warning, as the model declares it; null where it declares none.
    pub warning: Option<&'a str>,
}

/// What the help of a deprecated metric says.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetricWarningReport<'a> {
    /// The metric.
    pub element: &'a str,
    /// What its help begins with.
    pub prefix: String,
    /// When it is hidden.
    pub hidden: Option<Moment<'a>>,
    /// The flag that shows it in the release in which it is hidden.
    pub show_again: Option<String>,
}

/// What a component logs when a gate is set.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateWarningReport<'a> {
    /// The gate.
    pub element: &'a str,
    /// Its stage.
    pub stage: &'static str,
    /// Since when.
    pub since: Moment<'a>,
    /// The warning when it is set to its default; null where there is none.
    pub warning: Option<String>,
    /// The error when it is set to the other value; null while it is not locked.
    pub error: Option<String>,
    /// Whether it still does anything, as far as the model says.
    pub operational: Option<bool>,
    /// The warning that the model declares.
    pub declared_warning: Option<&'a str>,
}
