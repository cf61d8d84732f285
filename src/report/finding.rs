//! What is wrong, what it was held against, and what speaks against a proposal.

use serde::Serialize;

use super::Moment;

/// A proposed removal, answered.
#[derive(Debug, Clone, Serialize)]
pub struct ProposalReport<'a> {
    /// The element.
    pub element: &'a str,
    /// The release proposed.
    pub release: Option<Moment<'a>>,
    /// Whether nothing forbids it.
    pub allowed: bool,
    /// The soonest release that would be allowed, if it is in sight.
    pub soonest: Option<Moment<'a>>,
    /// The major release before which it is not removed, where the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// The release in which it has to be deprecated for that; null where it is announced.
    pub if_deprecated: Option<Moment<'a>>,
    /// What speaks against it, or is to be looked at.
    pub reasons: Vec<String>,
    /// What still names it then.
    pub named_by: Vec<NamedByReport<'a>>,
}

/// Somebody who names an element.
#[derive(Debug, Clone, Serialize)]
pub struct NamedByReport<'a> {
    /// Who.
    pub element: &'a str,
    /// In what way: "is gated by it".
    pub how: &'static str,
    /// The file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
}

/// What findings were held against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedReport {
    /// The base of the change: a revision, a file.
    pub base: Option<String>,
    /// How many findings the base has too.
    pub known_in_base: usize,
    /// The baseline file.
    pub baseline: Option<String>,
    /// How many findings it puts aside.
    pub put_aside: usize,
}

/// A step of a reason.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FactReport<'a> {
    /// The rule that says so, or the principle of planning (`P1` to `P9`).
    pub rule: Option<&'a str>,
    /// Its number in the policy.
    pub number: Option<&'a str>,
    /// The sentence.
    pub text: String,
}

/// A finding.
#[derive(Debug, Serialize)]
pub struct DiagnosticReport<'a> {
    /// The rule.
    pub rule: &'static str,
    /// Its number in the policy.
    pub number: Option<String>,
    /// Which of its findings.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// The element.
    pub element: Option<String>,
    /// The finding.
    pub message: String,
    /// The file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The character in the line, from 1.
    pub column: Option<u32>,
    /// The next step.
    pub help: Option<String>,
    /// The soonest release in which it would be legal.
    pub earliest: Option<Moment<'a>>,
    /// Why.
    pub because: Vec<FactReport<'a>>,
    /// The places, the first one the finding's own.
    pub labels: Vec<LabelReport>,
    /// What stays the same when lines move: rule, code, element, and which of several alike.
    pub fingerprint: String,
    /// `base` or `baseline`, if the finding was there before; such a one fails no run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<&'static str>,
    /// The edits that mend it, where there is one right answer: all of these together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fix: Vec<EditReport>,
}

/// A stretch of a file, and what is to stand there instead.
#[derive(Debug, Clone, Serialize)]
pub struct EditReport {
    /// The file.
    pub file: String,
    /// The line in which the stretch begins, from 1.
    pub line: u32,
    /// Its first character in that line, from 1.
    pub column: u32,
    /// The line in which it ends.
    pub end_line: u32,
    /// The character after its last one.
    pub end_column: u32,
    /// What is to stand there.
    pub text: String,
}

/// A place of a finding.
#[derive(Debug, Clone, Serialize)]
pub struct LabelReport {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
    /// The line in which the place ends.
    pub end_line: u32,
    /// The character after its last one.
    pub end_column: u32,
    /// What is to be seen there.
    pub text: String,
    /// The bytes of the source, for snippets.
    #[serde(skip)]
    pub span: crate::source::Span,
}
