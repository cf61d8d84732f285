//! What differs between two states of a product's schemas.

use serde::Serialize;
use serde_json::Value as Json;

use crate::diagnostic::{Known, RuleId, Severity};
use crate::schema::{ChangeKind, Effect, Verdict};
use crate::stability::Track;

/// Two states, compared.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DiffReport {
    /// [`super::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The policy that sets the severities.
    pub policy: String,
    /// How many changes there are, listed or not.
    pub summary: DiffSummary,
    /// The kinds whose rules, combinations or patterns take more steps than a run has: what was not compared counts as
    /// a change that may reject objects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partly_compared: Vec<String>,
    /// The changes, kind by kind.
    pub changes: Vec<DifferenceReport>,
    /// The same changes, those that are alike together: errors first.
    pub groups: Vec<ChangeGroup>,
}

/// Changes that are alike, over kinds, versions and paths.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChangeGroup {
    /// How severe the policy finds them.
    pub severity: Severity,
    /// What happened.
    pub code: ChangeKind,
    /// The verdict for clients that write.
    #[serde(rename = "requests")]
    pub writers: Verdict,
    /// The verdict for clients that read.
    pub readers: Verdict,
    /// What happened in words, with the number of places, most places first.
    pub messages: Vec<MessageCount>,
    /// The kinds.
    pub kinds: Vec<String>,
    /// Of changes within embedded types of Kubernetes, which make one group: the types.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub embedded: Vec<TypeCount>,
    /// The positions of the changes in the list.
    pub changes: Vec<usize>,
}

/// A type of Kubernetes, and in how many places it changed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TypeCount {
    /// Its name: `core/v1 PodTemplateSpec`.
    #[serde(rename = "type")]
    pub name: String,
    /// In how many places.
    pub places: usize,
}

/// What happened in several places.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MessageCount {
    /// What happened, in words.
    pub message: String,
    /// In how many places.
    pub places: usize,
}

/// Counts of changes by verdict.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DiffSummary {
    /// Kinds that both states have.
    pub compared: usize,
    /// Breaking changes.
    pub breaking: usize,
    /// Risky changes.
    pub risky: usize,
    /// Compatible changes.
    pub compatible: usize,
    /// How many of all these a baseline suppresses.
    #[serde(skip_serializing_if = "is_zero")]
    pub suppressed: usize,
}

/// A change.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DifferenceReport {
    /// The rule that findings about it carry.
    pub rule: RuleId,
    /// What happened: `field-removed`, `bound-tightened`, ….
    pub code: ChangeKind,
    /// The more severe one of the next two.
    pub verdict: Verdict,
    /// The verdict for clients that write objects as they did before.
    #[serde(rename = "requests")]
    pub writers: Verdict,
    /// The verdict for clients that read objects as they did before.
    pub readers: Verdict,
    /// What it does to the set of valid values.
    pub effect: Effect,
    /// How severe the policy finds it.
    pub severity: Severity,
    /// The track of what changed.
    pub track: Track,
    /// The element: `example.com/v1 Widget .spec.size`.
    pub element: String,
    /// What happened, in words.
    pub message: String,
    /// Why it matters.
    pub reason: Option<String>,
    /// What to do instead.
    pub help: Option<String>,
    /// The API group.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The version; null for a change of all versions.
    pub version: Option<String>,
    /// The field: `.spec.ports[].name`; empty where no field changed.
    pub path: String,
    /// What changed there: a keyword, a name, a value, a validation rule.
    pub subject: Option<String>,
    /// The type of Kubernetes that the change is within: `core/v1 PodTemplateSpec`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedded: Option<String>,
    /// The other places that use the same schema, where the same happened: one for each kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The old value.
    pub old: Option<Json>,
    /// The new value.
    pub new: Option<Json>,
    /// The new file, or the old one if the new one has no place for the change.
    pub file: Option<String>,
    /// The line, from 1; null where it is not known.
    pub line: Option<u32>,
    /// The character in the line, from 1.
    pub column: Option<u32>,
    /// What objects lose because of the change: the losses that follow from a removed conversion webhook.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<DifferenceReport>,
    /// An object that shows the change, where that says more than words.
    pub example: Option<Json>,
    /// Where the change is known from; a known one fails no run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}
