//! Findings, what they were compared with, and proposed removals.

use std::borrow::Cow;

use serde::Serialize;

use super::Moment;
use crate::diagnostic::{Known, Severity, Used};
use crate::source::Region;

/// A proposed removal.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ProposalReport<'a> {
    /// The element.
    pub element: &'a str,
    /// The release proposed.
    pub release: Option<Moment<'a>>,
    /// Whether the policy allows it.
    pub allowed: bool,
    /// The earlier release that the model declares its removal for, unless that has shipped: this misses what was
    /// announced.
    pub misses: Option<Moment<'a>>,
    /// The earliest allowed release, if it is known.
    pub soonest: Option<Moment<'a>>,
    /// The major release before which it is not removed, if the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// The release that must deprecate it for that; null if its deprecation is declared.
    pub if_deprecated: Option<Moment<'a>>,
    /// The steps between deprecation and removal that the policy requires and nobody has declared.
    pub steps: Vec<StepBeforeReport<'a>>,
    /// Why it is forbidden, or what to review.
    pub reasons: Vec<String>,
    /// The file that declares what forbids it.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// The next step after a refusal.
    pub help: Option<String>,
    /// Elements that still refer to it.
    pub named_by: Vec<NamedByReport<'a>>,
}

/// A step that has to be declared for a removal.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StepBeforeReport<'a> {
    /// What happens: "warns (runtime)".
    pub what: String,
    /// The first release for it.
    pub release: Option<Moment<'a>>,
}

/// An element that refers to another one.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NamedByReport<'a> {
    /// The element.
    pub element: &'a str,
    /// How: "is gated by it".
    pub how: &'static str,
    /// The file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
}

/// What findings were compared with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ComparedReport {
    /// The base of the change: a revision, a file.
    pub base: Option<String>,
    /// How many findings the base has as well.
    pub known_in_base: usize,
    /// The baseline file.
    pub baseline: Option<String>,
    /// How many findings it suppresses.
    #[serde(rename = "put_aside")]
    pub suppressed: usize,
}

impl ComparedReport {
    /// A comparison with a base that shares no findings.
    pub fn with_base(base: String) -> Self {
        Self {
            base: Some(base),
            ..Self::default()
        }
    }
}

/// A step of an explanation.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FactReport<'a> {
    /// The rule, or the principle of planning (`P1` to `P9`), that it follows from.
    pub rule: Option<&'a str>,
    /// Its number in the policy.
    pub number: Option<Cow<'a, str>>,
    /// The sentence.
    pub text: String,
}

/// A finding.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DiagnosticReport<'a> {
    /// The rule.
    pub rule: &'static str,
    /// Its number in the policy.
    pub number: Option<String>,
    /// Which finding of the rule.
    pub code: String,
    /// How severe it is.
    pub severity: Severity,
    /// The element.
    pub element: Option<String>,
    /// The message.
    pub message: String,
    /// The file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The character in the line, from 1.
    pub column: Option<u32>,
    /// The next step.
    pub help: Option<String>,
    /// The earliest release in which it would be allowed.
    pub earliest: Option<Moment<'a>>,
    /// Why.
    pub because: Vec<FactReport<'a>>,
    /// The places that it points at, its own first.
    pub labels: Vec<LabelReport>,
    /// Identifies the finding although lines move: rule, code, element, and a count among equal ones.
    pub fingerprint: String,
    /// Where the finding is known from; a known one fails no run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
    /// The release that has shipped with what it is about: it can be recorded or excepted, but no longer changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipped: Option<Moment<'a>>,
    /// What happens to the element, if an object uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used: Option<Used>,
    /// The edits that fix it together, if there is one right fix.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fix: Vec<EditReport>,
}

/// Findings that are alike, over kinds, versions and paths.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FindingGroup {
    /// How severe they are.
    pub severity: Severity,
    /// The rule.
    pub rule: &'static str,
    /// Which finding of the rule.
    pub code: String,
    /// Where they are known from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
    /// The message, without what differs.
    pub message: String,
    /// The next step, without what differs.
    pub help: Option<String>,
    /// The kinds.
    pub kinds: Vec<String>,
    /// The positions of the findings in the list.
    pub findings: Vec<usize>,
}

/// A replacement for a part of a file.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EditReport {
    /// The part that is replaced.
    #[serde(flatten)]
    pub region: Region,
    /// The text that replaces it.
    pub text: String,
}

/// A place that a finding points at.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LabelReport {
    /// The place.
    #[serde(flatten)]
    pub region: Region,
    /// What is to be seen there.
    pub text: String,
}
