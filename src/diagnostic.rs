//! What is wrong, where, why and what to do: the one shape of every finding.
//!
//! A diagnostic knows no rule and no output format; both know it.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use crate::release::Release;
use crate::source::Span;

/// How grave a finding is, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Not reported.
    Off,
    /// Told; no reason to fail unless asked for.
    Note,
    /// Something to look at.
    Warning,
    /// Breaks the policy, or cannot be read.
    Error,
}

impl Severity {
    /// All of them, gravest first.
    pub const ALL: [Self; 4] = [Self::Error, Self::Warning, Self::Note, Self::Off];

    /// As policy files and reports write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Reads the four names.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.as_str() == text)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The lasting name of a rule or of a kind of fault, such as `version-lifetime`.
pub type RuleId = &'static str;

/// The page of a sort of findings that no rule of the policy covers, such as `history`.
///
/// It stands in the module that emits the findings; the module `evaluate` gathers all of them.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The slug that the findings carry.
    pub slug: RuleId,
    /// What it is about, in one line.
    pub title: &'static str,
    /// The page, in Markdown.
    pub text: &'static str,
    /// The codes of the findings with their default severities; empty where severities cannot be changed.
    pub codes: &'static [(&'static str, Severity)],
}

impl Page {
    /// The default severity of a finding.
    pub fn severity(&self, code: &str) -> Severity {
        let listed = self.codes.iter().find(|(known, _)| *known == code);
        listed.map_or(Severity::Error, |(_, severity)| *severity)
    }
}

/// A place with a few words about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be seen there; may be empty.
    pub text: String,
}

impl Label {
    /// A place with words.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self {
            span,
            text: text.into(),
        }
    }
}

/// One step of a reason: a sentence, the rule that says so, and where the user or the policy said it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fact {
    /// The rule, if it is the law that speaks.
    pub rule: Option<RuleId>,
    /// The rule's number in the policy in force.
    pub number: Option<String>,
    /// The sentence.
    pub text: String,
    /// Where it was written.
    pub span: Option<Span>,
}

/// A change to a text that mends what a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A string becomes another value.
    Set {
        /// The string, quotes included.
        place: Span,
        /// The value, as it is to stand there.
        value: String,
    },
    /// An entry says one thing more.
    Add {
        /// A value of the entry.
        beside: Span,
        /// The key.
        key: &'static str,
        /// The value, as it is to stand there.
        value: String,
    },
    /// An entry of a list of tables goes.
    Delete {
        /// From its header to the end of its last value.
        entry: Span,
    },
}

impl Change {
    /// The place from which the edit is made out.
    pub fn place(&self) -> Span {
        match self {
            Self::Set { place, .. } | Self::Add { beside: place, .. } | Self::Delete { entry: place } => *place,
        }
    }
}

/// Why a finding is no news.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// The base of the change has it too.
    Base,
    /// The baseline lists it.
    Baseline,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that was broken, or the kind of fault.
    pub rule: RuleId,
    /// The rule's number in the policy in force; `None` for what no policy numbers.
    pub number: Option<String>,
    /// Which of the rule's findings: `early`, `overdue`, …
    pub code: Cow<'static, str>,
    /// How grave.
    pub severity: Severity,
    /// The id of the element it is about.
    pub element: Option<String>,
    /// The finding in one sentence, with the releases and dates that matter.
    pub message: String,
    /// Where it is.
    pub primary: Option<Label>,
    /// Other places that explain it.
    pub related: Vec<Label>,
    /// The next step.
    pub help: Option<String>,
    /// The soonest release in which it would be legal.
    pub earliest: Option<Release>,
    /// Which of the element's lives it is about, from 0.
    pub life: u8,
    /// By how many releases a declared event misses its bound.
    pub missed_by: Option<u32>,
    /// Why, step by step.
    pub because: Vec<Fact>,
    /// What mends it, where there is one right answer: all of these together.
    pub fix: Vec<Change>,
    /// Whether it was there before.
    pub known: Option<Known>,
    /// The exception that makes a note of it, by its position in the model.
    pub agreed: Option<usize>,
}

impl Diagnostic {
    /// An error with a message and nothing else yet.
    pub fn error(rule: RuleId, code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            rule,
            number: None,
            code: code.into(),
            severity: Severity::Error,
            element: None,
            message: message.into(),
            primary: None,
            related: Vec::new(),
            help: None,
            earliest: None,
            life: 0,
            missed_by: None,
            because: Vec::new(),
            fix: Vec::new(),
            known: None,
            agreed: None,
        }
    }

    /// The same finding, at another severity.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// The same finding, in another sentence.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// The same finding, at a place.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.primary = Some(Label::new(span, text));
        self
    }

    /// The same finding, with another place that explains it.
    #[must_use]
    pub fn seen_at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push(Label::new(span, text));
        self
    }

    /// The same finding, with a next step.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same finding, about an element.
    #[must_use]
    pub fn about(mut self, element: impl Into<String>) -> Self {
        self.element = Some(element.into());
        self
    }

    /// The changes that mend it; `None` where there are none, or where it was agreed to.
    pub fn mends(&self) -> Option<&[Change]> {
        (self.agreed.is_none() && !self.fix.is_empty()).then_some(self.fix.as_slice())
    }

    /// Orders findings as they are listed: by place, then rule, code and element; those without a place last.
    pub fn listing_order(&self, other: &Self) -> std::cmp::Ordering {
        let place = |d: &Self| d.primary.as_ref().map(|label| label.span);
        let key = |d: &Self| (place(d).is_none(), place(d));
        key(self)
            .cmp(&key(other))
            .then_with(|| self.rule.cmp(other.rule))
            .then_with(|| self.code.cmp(&other.code))
            .then_with(|| self.element.cmp(&other.element))
    }
}

/// The name nearest to what was typed, if one is near enough to be meant.
///
/// A third of the letters may differ; of several equally near names the first one given is taken.
pub fn nearest<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = (typed.chars().count() / 3).clamp(1, 8);
    let distance = |name: &str| strsim::damerau_levenshtein(&typed.to_lowercase(), &name.to_lowercase());
    names
        .into_iter()
        .filter(|name| name.len().abs_diff(typed.len()) <= allowed * 4)
        .map(|name| (distance(name), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// "did you mean `x`?", or nothing.
pub fn did_you_mean<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    nearest(typed, names).map(|name| format!("did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_keyboard_finds_the_name() {
        let names = ["introduced", "deprecated", "removed"];
        assert_eq!(nearest("depricated", names), Some("deprecated"));
        assert_eq!(nearest("Removed", names), Some("removed"));
        assert_eq!(nearest("owner", names), None);
    }

    #[test]
    fn findings_without_a_place_come_last() {
        let span = Span {
            file: crate::source::FileId(0),
            start: 1,
            end: 2,
        };
        let placed = Diagnostic::error("z", "z", "").at(span, "");
        let nowhere = Diagnostic::error("a", "a", "");
        assert!(placed.listing_order(&nowhere).is_lt());
    }
}
