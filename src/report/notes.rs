//! What is announced about releases: what templates see.
//!
//! The documentation of these fields goes into the schema of the templates' context, and from there into
//! `docs/templates.md`.

use serde::Serialize;

use super::{ConsumerReport, ExceptionReport, FactReport, Moment, PolicyReport, Voice, WarningsReport, WordsReport};
use crate::grammar::{Duty, ElementKind, EventKind, EventWord, KindName};
use crate::stability::Level;

/// The context of a template.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NotesReport<'a> {
    /// The version of the contract. Fields may be added within a version; none is renamed or removed.
    pub schema_version: u32,
    /// The release that the notes are about; null if they are about all.
    pub release: Option<Moment<'a>>,
    /// The release that readers upgrade from: the notes cover every release after it. Null if they cover `release`
    /// only.
    pub since: Option<Moment<'a>>,
    /// The newest release that has shipped.
    pub current: Option<Moment<'a>>,
    /// The editions of the policy that were applied, earliest first.
    pub policies: Vec<PolicyReport<'a>>,
    /// Whether upcoming removals are worded as "no earlier than" even if the model declares their release.
    pub tentative: bool,
    /// Whether nothing happens in any of the releases.
    pub nothing: bool,
    /// The releases, oldest first.
    pub releases: Vec<ReleaseNotesReport<'a>>,
    /// What the releases remove, oldest first.
    pub removals: Vec<RemovalReport<'a>>,
    /// What the releases deprecate without a scheduled removal.
    pub unscheduled: Vec<SubjectReport<'a>>,
    /// What is deprecated as of `release` and not removed by then, also if an earlier release deprecated it.
    pub standing: StandingReport<'a>,
    /// The warnings that servers and programs print about deprecated elements in `release`, or in any.
    pub warnings: WarningsReport<'a>,
    /// The words of the product.
    pub words: WordsReport<'a>,
}

/// One release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReleaseNotesReport<'a> {
    /// The release.
    pub release: Moment<'a>,
    /// Whether it has shipped.
    pub shipped: bool,
    /// Whether nothing happens in it; exceptions may still apply.
    pub nothing: bool,
    /// Everything that requires users to act; each is in its section as well. If readers skip releases, what was both
    /// introduced and removed in between is in its section only.
    pub urgent: Vec<AnnouncementReport<'a>>,
    /// What happens, by section. Empty sections are left out.
    pub sections: Vec<SectionReport<'a>>,
    /// The exceptions that apply in this release, of elements that exist by then.
    pub exceptions: Vec<ExceptionReport<'a>>,
}

/// A section of the notes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SectionReport<'a> {
    /// Its name.
    pub name: SectionName,
    /// Its heading.
    pub title: &'a str,
    /// What happens.
    pub items: Vec<AnnouncementReport<'a>>,
}

/// The sections that notes can have, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum SectionName {
    /// Deprecations of APIs and configurations.
    Deprecations,
    /// Removals of APIs and configurations.
    Removals,
    /// New APIs and other changes of APIs.
    ApiChanges,
    /// What became more stable.
    Graduations,
    /// Changes of preferred and storage versions.
    Moves,
    /// Feature gates.
    Gates,
    /// Metrics.
    Metrics,
    /// Commands and flags.
    Cli,
    /// Behaviors.
    Behaviors,
    /// Elements of a kind that is not built in: one section per kind, with a title of its own.
    Others,
}

impl SectionName {
    /// All of them, in the order of notes.
    pub(crate) const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Deprecations => "Deprecations",
            Self::Removals => "Removals",
            Self::ApiChanges => "API changes",
            Self::Graduations => "Graduations",
            Self::Moves => "Preferred and storage versions",
            Self::Gates => "Feature gates",
            Self::Metrics => "Metrics",
            Self::Cli => "Command line",
            Self::Behaviors => "Behaviors",
            Self::Others => "Others",
        }
    }
}

/// What an announcement is about: an event of the model, or a change that only announcements distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum AnnouncedEvent<'a> {
    /// It moves to a less stable stage or class.
    Demoted,
    /// A gate is on, or off, by default from now on.
    DefaultChanged,
    /// A metric has other labels from now on.
    LabelsChanged,
    /// An event of the model.
    #[serde(untagged)]
    Event(EventWord<'a>),
}

impl<'a> AnnouncedEvent<'a> {
    /// Whether it is an event of this kind.
    pub(crate) fn is(self, what: EventKind) -> bool {
        matches!(self, Self::Event(event) if event == what)
    }

    /// As reports write it.
    pub fn as_str(self) -> &'a str {
        match self {
            Self::Event(what) => what.as_str(),
            Self::Demoted => "demoted",
            Self::DefaultChanged => "default-changed",
            Self::LabelsChanged => "labels-changed",
        }
    }
}

/// One thing that happens.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AnnouncementReport<'a> {
    /// What happens.
    pub event: AnnouncedEvent<'a>,
    /// Of a step between deprecation and removal: what it means for users, `warn` for example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duty: Option<Duty>,
    /// When.
    pub release: Moment<'a>,
    /// How certain it is.
    pub voice: Voice,
    /// Whether users must act.
    pub action_required: bool,
    /// Whether it is among what is urgent: users must act, and readers had it before.
    pub urgent: bool,
    /// Whether it had been removed and comes back.
    pub again: bool,
    /// The previous stage, or the previous preferred or storage version.
    pub from: Option<&'a str>,
    /// The new stage, or the new preferred or storage version.
    pub to: Option<&'a str>,
    /// Of a gate: whether it is now on by default.
    pub default: Option<bool>,
    /// Of a metric with other labels: those from now on.
    pub labels: Option<&'a [String]>,
    /// Of a metric with other labels: those before.
    pub labels_before: Option<&'a [String]>,
    /// Of a hidden metric: the option that shows it in this release, if the product has one.
    pub show_again: Option<String>,
    /// Of a gate: the option that sets it, if the product has one.
    pub gate_option: Option<&'a str>,
    /// What it happens to.
    pub element: SubjectReport<'a>,
    /// Of a version: the kinds that it happens to.
    pub kinds: Vec<SubjectReport<'a>>,
}

/// An element as announcements describe it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SubjectReport<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its kind.
    pub kind: KindName<'a>,
    /// What an element of its kind is called, if the kind is not built in: `HTTP endpoint`.
    pub kind_word: Option<&'a str>,
    /// Its name: `Deployment`, `spec.replicas`, `Frobber2D`; of a version, its id.
    pub name: &'a str,
    /// Its API group or configuration, if it has one.
    pub group: Option<&'a str>,
    /// Its version in the group.
    pub version: Option<&'a str>,
    /// The plural of the kind in URLs.
    pub resource: Option<&'a str>,
    /// How stable it is.
    pub stability: Level,
    /// When it was introduced.
    pub introduced: Option<Moment<'a>>,
    /// When it is deprecated.
    pub deprecated: Option<Moment<'a>>,
    /// When it is hidden.
    pub hidden: Option<Moment<'a>>,
    /// The first release that no longer serves it.
    pub removed: Option<Moment<'a>>,
    /// The earliest release that may remove it.
    pub earliest_removal: Option<Moment<'a>>,
    /// The earliest release that removes it by the project's custom, where that is later than its removal.
    pub custom_removal: Option<Moment<'a>>,
    /// The major release before which it is not removed, if the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// The id of what replaces it, if that is served in the release of the announcement and in that of the removal.
    pub replacement: Option<&'a str>,
    /// The id to migrate to: the last such replacement in the chain.
    pub migrate_to: Option<&'a str>,
    /// Whether there is none because the replacement is introduced, or becomes as stable, later.
    pub replacement_to_come: bool,
    /// The first release that has what to migrate to.
    pub available_since: Option<Moment<'a>>,
    /// The warning that it prints, as the model declares it.
    pub warning: Option<&'a str>,
    /// Of a deprecated gate: whether it still has an effect, if the model says so.
    pub operational: Option<bool>,
    /// Its owner.
    pub owner: Option<&'a str>,
    /// The issue or proposal that tracks it.
    pub tracking: Option<&'a str>,
    /// Why it is not removed earlier.
    pub because: Vec<FactReport<'a>>,
    /// Who uses it, most frequent first, if there is evidence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consumers: Vec<ConsumerReport>,
}

/// What one release removes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RemovalReport<'a> {
    /// The release; for planned removals the earliest one.
    pub release: Moment<'a>,
    /// Whether it has shipped.
    pub shipped: bool,
    /// Versions of API groups and configurations, by kind.
    pub apis: Vec<MigrationReport<'a>>,
    /// Everything else.
    pub others: Vec<SubjectReport<'a>>,
}

/// What is deprecated as of a release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StandingReport<'a> {
    /// By the release that removes it, oldest first. Empty if the notes are about all releases: then `removals` of the
    /// context has them.
    pub removals: Vec<RemovalReport<'a>>,
    /// What has no scheduled removal.
    pub unscheduled: Vec<SubjectReport<'a>>,
}

/// Versions of a kind that are no longer served, and what to migrate to.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MigrationReport<'a> {
    /// The kind; for a group without kinds, the group.
    pub kind: &'a str,
    /// The plural in URLs.
    pub resource: Option<&'a str>,
    /// The group.
    pub group: &'a str,
    /// The versions that are no longer served: `batch/v1beta1`.
    pub versions: Vec<&'a str>,
    /// How certain it is: `announced` where the model declares the removal of each.
    pub voice: Voice,
    /// The id to migrate to.
    pub migrate_to: Option<&'a str>,
    /// The first release that has it.
    pub available_since: Option<Moment<'a>>,
    /// What differs there, if the model says so.
    pub changes: Vec<ChangeReport<'a>>,
    /// The elements: the kind in each version, or the version.
    pub elements: Vec<SubjectReport<'a>>,
}

/// A part of a kind that the new version does not have, or has under another name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChangeReport<'a> {
    /// Its kind: `field`, `subresource`, `enum-value` or `annotation`.
    pub kind: ElementKind,
    /// Its name.
    pub name: &'a str,
    /// Its name there; null if there is no such part.
    pub becomes: Option<&'a str>,
}
