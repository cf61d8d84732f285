//! Which rules are in force, and the breaches that were agreed to.

use serde::Serialize;

use super::Moment;

/// A rule, or a sort of findings that are no rule's, as reports that explain themselves carry it.
#[derive(Debug, Clone, Copy)]
pub struct PageReport<'a> {
    /// Its lasting name.
    pub slug: &'a str,
    /// What it says, in one line.
    pub title: &'a str,
    /// Its number in the policy.
    pub number: Option<&'a str>,
    /// Its page, in Markdown.
    pub page: &'a str,
}

/// A breach of the policy that was agreed to.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExceptionReport<'a> {
    /// The rule.
    pub rule: &'a str,
    /// The element.
    pub element: &'a str,
    /// Why.
    pub reason: &'a str,
    /// Who agreed.
    pub approved_by: &'a str,
    /// The first release in which it no longer holds.
    pub until: Option<Moment<'a>>,
    /// `in-force`, `unneeded`, `expired`, or `unjudged`: it may be from a change of schemas, which was not looked at.
    pub state: &'static str,
    /// How many findings it makes notes of.
    pub covers: usize,
    /// The file in which it stands.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
}

/// The exceptions alone: what `exceptions` prints.
#[derive(Debug, Serialize)]
pub struct ExceptionsReport<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The breaches of the policy that were agreed to.
    pub exceptions: Vec<ExceptionReport<'a>>,
}

/// Which rules are in force: what `rules` prints.
#[derive(Debug, Serialize)]
pub struct RulesReport<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The editions of the policy, earliest first.
    pub editions: Vec<EditionRulesReport<'a>>,
    /// Findings that are no rule's and can be graded.
    pub outside: Vec<RuleReport<'a>>,
}

/// The rules of one edition.
#[derive(Debug, Serialize)]
pub struct EditionRulesReport<'a> {
    /// The policy.
    pub policy: &'a str,
    /// Its edition.
    pub edition: &'a str,
    /// The release from which it holds, if the user gave one.
    pub from: Option<&'a str>,
    /// Its rules, in the order of the law.
    pub rules: Vec<RuleReport<'a>>,
}

/// A rule, and how grave its findings are.
#[derive(Debug, Serialize)]
pub struct RuleReport<'a> {
    /// Its lasting name.
    pub rule: &'a str,
    /// Its number in the edition.
    pub number: Option<&'a str>,
    /// What it says, in one line.
    pub title: &'a str,
    /// Whether the edition has it.
    pub in_force: bool,
    /// Its findings; none where it is not in force.
    pub findings: Vec<GradeReport>,
}

/// How grave one finding of a rule is.
#[derive(Debug, Serialize)]
pub struct GradeReport {
    /// The finding.
    pub code: &'static str,
    /// How grave, by the stability of what it is about.
    pub severity: SeverityReport,
    /// Who says so: the command line's words, a place in the model or the policy.
    pub set_by: String,
}

/// A severity by stability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SeverityReport {
    /// For alpha elements.
    pub alpha: &'static str,
    /// For beta elements.
    pub beta: &'static str,
    /// For GA elements.
    pub ga: &'static str,
}
