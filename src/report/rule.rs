//! Which rules are in force, and exceptions from them.

use serde::Serialize;

use super::Moment;
use crate::diagnostic::Severity;

/// A page of documentation: of a rule, or of findings outside the rules. SARIF carries it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PageReport<'a> {
    /// Its name, which never changes.
    pub slug: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its number in the policy.
    pub number: Option<&'a str>,
    /// Its page, in Markdown.
    pub page: &'a str,
}

/// A granted exception from the policy.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ExceptionReport<'a> {
    /// The rule.
    pub rule: &'a str,
    /// Which of the rule's findings it covers, if it names one.
    pub code: Option<&'a str>,
    /// The element.
    pub element: &'a str,
    /// The reason.
    pub reason: &'a str,
    /// Who approved it.
    pub approved_by: &'a str,
    /// The first release in which it no longer applies.
    pub until: Option<Moment<'a>>,
    /// Whether it is needed.
    pub state: ExceptionState,
    /// How many findings it turns into notes.
    pub covers: usize,
    /// Its file.
    pub file: Option<String>,
    /// Its line.
    pub line: Option<u32>,
}

impl ExceptionReport<'_> {
    /// The rule and the code, as a model writes them.
    pub(crate) fn violation(&self) -> String {
        match self.code {
            Some(code) => format!("{}:{code}", self.rule),
            None => self.rule.to_owned(),
        }
    }
}

/// Whether an exception is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum ExceptionState {
    /// It covers at least one finding.
    InForce,
    /// It covers none.
    Unneeded,
    /// It ended, or ends before the violation.
    Expired,
    /// It covers nothing, because it names a rule with several codes and none of them.
    NoCode,
    /// It may cover changes of schemas, which were not compared.
    Unjudged,
}

impl ExceptionState {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The exceptions alone: what `exceptions` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ExceptionsReport<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The exceptions.
    pub exceptions: Vec<ExceptionReport<'a>>,
}

/// Which rules are in force: what `rules` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RulesReport<'a> {
    pub(crate) schema_version: u32,
    /// The editions of the policy, earliest first.
    pub(crate) editions: Vec<EditionRulesReport<'a>>,
    /// Findings outside the rules whose severity can be set.
    pub(crate) outside: Vec<RuleReport<'a>>,
}

/// The rules of one edition.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EditionRulesReport<'a> {
    pub(crate) policy: &'a str,
    pub(crate) edition: &'a str,
    /// The release from which it applies, if the model says so.
    pub(crate) from: Option<&'a str>,
    /// In the order of the law.
    pub(crate) rules: Vec<RuleReport<'a>>,
}

/// A rule with the severities of its findings.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RuleReport<'a> {
    /// Its name, which never changes.
    pub(crate) rule: &'a str,
    pub(crate) number: Option<&'a str>,
    pub(crate) title: &'a str,
    /// Whether the edition has it.
    pub(crate) in_force: bool,
    /// None if it is not in force.
    pub(crate) findings: Vec<GradeReport>,
}

/// The severity of one finding of a rule.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GradeReport {
    pub(crate) code: &'static str,
    pub(crate) severity: SeverityReport,
    /// What sets it: an option of the command line, a place in the model, or the policy.
    pub(crate) set_by: String,
}

/// A severity by the stability of the element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SeverityReport {
    pub(crate) alpha: Severity,
    pub(crate) beta: Severity,
    pub(crate) ga: Severity,
}
