//! A proposal worked out: what happens in which release, and what the model is to say.

use serde::Serialize;

use super::{AnnouncementReport, Moment};

/// A staged rollout.
#[derive(Debug, Serialize)]
pub struct RolloutReport<'a> {
    /// [`super::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// `field`, `enum-value`, `api-version`, `gate` or `removal`.
    pub proposal: &'static str,
    /// The id of what is proposed.
    pub element: &'a str,
    /// The gate that guards it.
    pub gate: Option<&'a str>,
    /// Whether nothing forbids it: with it, the model has no error that it does not have without.
    pub allowed: bool,
    /// What forbids it.
    pub against: &'a [String],
    /// Where steps that were asked for too soon may be.
    pub soonest: Vec<StepAtReport<'a>>,
    /// The major release before which it does not go, where the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// What else comes up because of it.
    pub remarks: &'a [String],
    /// What happens, release by release.
    pub releases: Vec<RolloutReleaseReport<'a>>,
    /// The new entries, as tables to append to the model. What is to go into an entry that is there is told in
    /// comments.
    pub fragment: String,
    /// What is to go into entries that are there.
    pub entries: Vec<RolloutEntryReport>,
}

/// A step and its release.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct StepAtReport<'a> {
    /// The step's name.
    pub step: &'a str,
    /// The release.
    pub release: Moment<'a>,
}

/// What happens in one release because of a proposal.
#[derive(Debug, Serialize)]
pub struct RolloutReleaseReport<'a> {
    /// The release.
    pub release: Moment<'a>,
    /// What happens.
    pub items: Vec<RolloutItemReport<'a>>,
}

/// One thing that happens.
#[derive(Debug, Serialize)]
pub struct RolloutItemReport<'a> {
    /// The step's name; null of what is planned and not declared.
    pub step: Option<&'a str>,
    /// The ids of what the step happens to.
    pub elements: &'a [String],
    /// What it is announced as, the step itself first; empty where nobody need be told.
    pub announcements: Vec<AnnouncementReport<'a>>,
    /// The step that it comes after, with that one's release.
    pub after: Option<StepAtReport<'a>>,
    /// By how many releases, at the soonest.
    pub after_releases: u32,
    /// Why it comes no sooner, where that is the law's doing: the rule with its number, and the sentence.
    pub not_before: Option<String>,
}

/// What is to go into an entry that is there, or is not to be appended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RolloutEntryReport {
    /// The keys that lead to the entry, as TOML writes them.
    pub entry: String,
    /// The file it is in.
    pub file: Option<String>,
    /// The line at which it begins.
    pub line: Option<u32>,
    /// The lines to put there.
    pub lines: Vec<String>,
}
