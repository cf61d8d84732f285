//! What differs between two states of a product's definitions.

use serde::Serialize;
use serde_json::Value as Json;

/// Two states held against each other.
#[derive(Debug, Serialize)]
pub struct DiffReport {
    /// [`super::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The policy that graded the changes.
    pub policy: String,
    /// How much there is of what.
    pub summary: DiffSummary,
    /// The changes, kind by kind.
    pub changes: Vec<DifferenceReport>,
}

/// How many changes there are, whether or not they are listed.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DiffSummary {
    /// Kinds that both states have.
    pub compared: usize,
    /// Changes by which something that worked stops working.
    pub breaking: usize,
    /// Changes that work for those who expected them.
    pub risky: usize,
    /// Changes by which nothing stops working.
    pub compatible: usize,
}

/// A change.
#[derive(Debug, Clone, Serialize)]
pub struct DifferenceReport {
    /// What happened: `field-removed`, `bound-tightened`, ….
    pub code: &'static str,
    /// `breaking`, `risky` or `compatible`: the graver one of the next two.
    pub verdict: &'static str,
    /// The same for those who write objects as they did before.
    pub requests: &'static str,
    /// The same for those who read objects as they did before.
    pub readers: &'static str,
    /// What it does to the set of valid values: `same`, `wider`, `narrower` or `unclear`.
    pub effect: &'static str,
    /// How grave the policy finds it: `error`, `warning`, `note` or `off`.
    pub severity: &'static str,
    /// The track of what changed: `alpha`, `beta` or `ga`.
    pub track: &'static str,
    /// The element: `example.com/v1 Widget .spec.size`.
    pub element: String,
    /// What happened, in words.
    pub message: String,
    /// Why that matters.
    pub reason: Option<String>,
    /// What to do instead.
    pub help: Option<String>,
    /// The API group.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The version; null for what is of all of them.
    pub version: Option<String>,
    /// The field: `.spec.ports[].name`; empty for what is of none.
    pub path: String,
    /// What of it: a keyword, a name, a value, a rule.
    pub subject: Option<String>,
    /// The other places at which the same schema is used, so that the same happened there: one a kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// What was there.
    pub old: Option<Json>,
    /// What is there now.
    pub new: Option<Json>,
    /// The new file, or the old one if the new one has no place for it.
    pub file: Option<String>,
    /// The line, from 1; null where the format tells none.
    pub line: Option<u32>,
    /// The character in the line, from 1.
    pub column: Option<u32>,
    /// What follows from it, and is no change of its own: of a conversion that is lost, what objects lose without it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<DifferenceReport>,
    /// An object that shows it, where one tells more than words.
    pub example: Option<Json>,
}
