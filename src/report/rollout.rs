//! Staged rollouts: what happens in which release, and what to add to the model.

use serde::Serialize;

use super::{AnnouncementReport, ConsumerReport, Moment, WordsReport};

/// A staged rollout.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RolloutReport<'a> {
    /// [`super::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// What is proposed.
    pub proposal: ProposalKind,
    /// The id of what is proposed.
    pub element: &'a str,
    /// The gate that guards it.
    pub gate: Option<&'a str>,
    /// Whether it is allowed: it introduces no new errors.
    pub allowed: bool,
    /// Why it is not allowed.
    pub against: &'a [String],
    /// What to do instead.
    pub next_steps: &'a [String],
    /// The earliest releases of steps that were requested too early.
    pub soonest: Vec<StepAtReport<'a>>,
    /// The major release before which it is not removed, if the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// Warnings and notes that it causes.
    pub remarks: &'a [String],
    /// What happens, release by release.
    pub releases: Vec<RolloutReleaseReport<'a>>,
    /// The new entries, as tables to append to the model. Additions to existing entries are comments in it.
    pub fragment: String,
    /// Additions to existing entries.
    pub entries: Vec<RolloutEntryReport>,
    /// Of a removal: who has to move first, most frequent first, if there is evidence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consumers: Vec<ConsumerReport>,
    /// The words of the product.
    pub words: WordsReport<'a>,
}

/// What a rollout is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum ProposalKind {
    /// A new field.
    Field,
    /// A new value of an enumeration.
    EnumValue,
    /// A new API version.
    ApiVersion,
    /// A feature gate.
    Gate,
    /// A deprecation.
    Deprecation,
    /// A removal.
    Removal,
}

/// A step and its release.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StepAtReport<'a> {
    /// The step's name.
    pub step: &'a str,
    /// The release.
    pub release: Moment<'a>,
}

/// What happens in one release because of a proposal.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RolloutReleaseReport<'a> {
    /// The release.
    pub release: Moment<'a>,
    /// What happens.
    pub items: Vec<RolloutItemReport<'a>>,
}

/// One thing that happens.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RolloutItemReport<'a> {
    /// The step's name; null for what is planned and not declared.
    pub step: Option<&'a str>,
    /// The ids of the elements of the step, and of others that it announces.
    pub elements: Vec<&'a str>,
    /// Its announcements, that of the step itself first; empty if there is nothing to announce.
    pub announcements: Vec<AnnouncementReport<'a>>,
    /// The step that it follows, with its release.
    pub after: Option<StepAtReport<'a>>,
    /// By at least how many releases.
    pub after_releases: u32,
    /// Why it cannot come earlier, if the policy decides that: the rule with its number, and the explanation.
    pub not_before: Option<String>,
    /// Until when a gate stays by custom, whatever the policy requires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom: Option<String>,
    /// Of a new value: the release that first tolerates it, whose clients have to cope with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oldest_clients: Option<Moment<'a>>,
}

/// An addition to an entry of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RolloutEntryReport {
    /// The keys that lead to the entry, as TOML writes them.
    pub entry: String,
    /// The file it is in.
    pub file: Option<String>,
    /// The line at which it begins.
    pub line: Option<u32>,
    /// The lines to add.
    pub lines: Vec<String>,
}
