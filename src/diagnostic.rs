//! Diagnostics: what is wrong, where, why, and what to do. Every finding has this form.
//!
//! A finding is identified by rule, code, element, event and life. Lines, dates, amounts and messages may change; a
//! finding that becomes more severe, or that misses its bound by more because of a declaration, is a new one.

mod folded;
mod lacked_by;
mod merged;
mod nearest;

use std::borrow::Cow;

use serde::Serialize;

use crate::release::{DateKind, Release};
use crate::source::Span;

pub(crate) use folded::{Folded, folded};
pub(crate) use lacked_by::LackedBy;
pub use nearest::did_you_mean;
pub(crate) use nearest::nearest;

/// The severity of a finding, in ascending order.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Default,
    Serialize,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Severity {
    /// Not reported.
    Off,
    /// Reported, without failing the run by default.
    Note,
    /// To review.
    Warning,
    /// A policy violation, or an error in a file.
    #[default]
    Error,
}

impl Severity {
    /// As policy files and reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The slug of a rule or page, such as `version-lifetime`.
pub(crate) type RuleId = &'static str;

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
    pub(crate) fn severity(&self, code: &str) -> Severity {
        let listed = self.codes.iter().find(|(known, _)| *known == code);
        listed.map_or(Severity::Error, |(_, severity)| *severity)
    }
}

/// A place with a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The label; may be empty.
    pub text: String,
}

impl Label {
    /// A place with words.
    pub(crate) fn new(span: Span, text: impl Into<String>) -> Self {
        Self {
            span,
            text: text.into(),
        }
    }
}

/// One step of a reason: a sentence, its rule, and its place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fact {
    /// The rule, if a rule demands it.
    pub rule: Option<RuleId>,
    /// The rule's number in the policy in force.
    pub number: Option<String>,
    /// The sentence.
    pub text: String,
    /// Its place.
    pub span: Option<Span>,
}

/// An edit that fixes a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A string becomes another value.
    Set {
        /// The string, quotes included.
        place: Span,
        /// The new value, as TOML.
        value: String,
    },
    /// An entry gets another key.
    Add {
        /// A value of the entry.
        beside: Span,
        /// The key.
        key: &'static str,
        /// The new value, as TOML.
        value: String,
    },
    /// A part of a text that is no model becomes another one.
    Replace {
        /// The part.
        place: Span,
        /// The new text.
        text: String,
    },
    /// An entry of a list of tables is deleted.
    Delete {
        /// From its header to the end of its last value.
        entry: Span,
    },
}

impl Change {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Set { place, .. }
            | Self::Add { beside: place, .. }
            | Self::Replace { place, .. }
            | Self::Delete { entry: place } => *place,
        }
    }
}

/// What happens to an element that an object uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Used {
    /// Since when it is deprecated.
    pub deprecated: Option<UsedEvent>,
    /// The first release without it.
    pub removed: Option<UsedEvent>,
    /// The id of what replaces it.
    pub replacement: Option<String>,
}

/// A deprecation or a removal of what an object uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UsedEvent {
    /// The release.
    pub release: String,
    /// Its date; null if unknown.
    pub date: Option<String>,
    /// How certain the date is.
    pub date_kind: DateKind,
    /// Whether the model declares it; otherwise it is planned.
    pub declared: bool,
}

/// Why a finding is not new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Known {
    /// The base of the change has it too.
    Base,
    /// The baseline lists it.
    Baseline,
}

/// What is left to do about a violation in a release that has shipped.
pub(crate) const EXCUSE: &str = "record a baseline or add an exception";

/// How long a violation lasts: it decides whether an exception covers it that ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Violation {
    /// An event in this release breaks the rule: a removal that is too early.
    Event(Release),
    /// Something is missing until the model is corrected: a warning, a counterpart. From this release on, if one is
    /// known.
    Lasting(Option<Release>),
}

impl Default for Violation {
    fn default() -> Self {
        Self::Lasting(None)
    }
}

/// The event that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundEvent {
    /// As the model names it: `removed`.
    pub what: Box<str>,
    /// The release for which it is declared, by its name; `None` if it is not declared.
    pub declared: Option<String>,
    /// The release for which the event is declared that its bound counts from.
    pub counted_from: Option<String>,
}

/// By how much an event misses its bound, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missed {
    /// By so many releases.
    By(u32),
    /// The event or its bound has no release.
    Unknown,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagnostic {
    /// The violated rule, or the page of the finding.
    pub rule: RuleId,
    /// The rule's number in the policy in force; `None` for what no policy numbers.
    pub number: Option<String>,
    /// Which of the rule's findings: `early`, `overdue`, …
    pub code: Cow<'static, str>,
    /// Its severity.
    pub severity: Severity,
    /// The id of the element it is about.
    pub element: Option<String>,
    /// The finding in one sentence, with the releases and dates that matter.
    pub message: String,
    /// Its place.
    pub primary: Option<Label>,
    /// Other places that explain it.
    pub related: Vec<Label>,
    /// The next step.
    pub help: Option<String>,
    /// The earliest release in which it would be legal.
    pub earliest: Option<Release>,
    /// The event that it is about, if its message names releases or dates of it.
    pub event: Option<FoundEvent>,
    /// What it is found in, where that tells it from others about the element: an object. Without an element, what it
    /// is about: a release.
    pub object: Option<String>,
    /// Which of the element's lives it is about, from 0.
    pub life: u8,
    /// By how many releases an event misses its bound.
    pub missed_by: Option<Missed>,
    /// How long the violation lasts.
    pub(crate) violation: Violation,
    /// The id of another element whose beginning or end causes it.
    pub(crate) caused_by: Option<String>,
    /// The kinds in other versions that have no counterpart of it, by their ids.
    pub(crate) lacked_by: Vec<LackedBy<String>>,
    /// What the same entry says of other elements alike.
    pub(crate) also: Vec<Self>,
    /// Why, step by step.
    pub because: Vec<Fact>,
    /// The edits that fix it, all together, if there is a single right fix.
    pub fix: Vec<Change>,
    /// Whether it is not new.
    pub known: Option<Known>,
    /// The exception that covers it, by its position in the model.
    pub exception: Option<usize>,
    /// The release that has shipped with what it is about: it can be recorded or excepted, but no longer changed.
    pub shipped: Option<Release>,
    /// What happens to the element, if an object uses it.
    pub used: Option<Box<Used>>,
}

/// The name of a rule or finding as options take it, `version-lifetime:early`, where it is copied from an output:
/// `version-lifetime #4a: early`, or with its severity, `error[version-lifetime #4a: early]`. Other texts stay as they
/// are.
pub fn as_typed(name: &str) -> Cow<'_, str> {
    let inner = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let inner = inner.map_or(name, |(_, inner)| inner);
    let (numbered, code) = match inner.split_once(':') {
        Some((numbered, code)) => (numbered, Some(code.trim())),
        None => (inner, None),
    };
    let numbered = numbered.split_once(" #").filter(|(_, number)| !number.is_empty());
    let rule = numbered.map_or_else(|| inner.split(':').next().unwrap_or(inner), |(rule, _)| rule);
    code.map_or(Cow::Borrowed(rule), |code| Cow::Owned(format!("{rule}:{code}")))
}

impl Diagnostic {
    /// An error with a message and nothing else yet.
    pub fn error(rule: RuleId, code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            rule,
            code: code.into(),
            message: message.into(),
            ..Self::default()
        }
    }

    #[must_use]
    pub(crate) fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// The finding at a place.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.primary = Some(Label::new(span, text));
        self
    }

    #[must_use]
    pub(crate) fn seen_at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push(Label::new(span, text));
        self
    }

    /// The finding with a next step.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    #[must_use]
    pub(crate) fn of_event(mut self, what: impl Into<Cow<'static, str>>, declared: Option<String>) -> Self {
        self.event = Some(FoundEvent {
            what: what.into().into_owned().into_boxed_str(),
            declared,
            counted_from: None,
        });
        self
    }

    #[must_use]
    pub(crate) fn found_in(mut self, object: impl Into<String>) -> Self {
        self.object = Some(object.into());
        self
    }

    #[must_use]
    pub(crate) fn about(mut self, element: impl Into<String>) -> Self {
        self.element = Some(element.into());
        self
    }

    /// The edits that fix it; `None` if there are none, or an exception covers it.
    pub(crate) fn changes(&self) -> Option<&[Change]> {
        (self.exception.is_none() && !self.fix.is_empty()).then_some(self.fix.as_slice())
    }

    /// Whether a declared event lacks words that an edit can add: a warning, a prefix of a help text, a tombstone. What
    /// is proposed is declared together with them.
    pub(crate) fn lacks_words(&self) -> bool {
        matches!(self.violation, Violation::Lasting(_)) && !self.fix.is_empty()
    }

    /// The order of lists: by place, then rule, code and element; findings without a place last.
    pub(crate) fn listing_order(&self, other: &Self) -> std::cmp::Ordering {
        self.listing_key().cmp(&other.listing_key())
    }

    fn listing_key(&self) -> impl Ord {
        (
            self.primary.is_none(),
            self.span(),
            self.rule,
            &self.code,
            &self.element,
        )
    }

    pub(crate) fn span(&self) -> Option<Span> {
        self.primary.as_ref().map(|label| label.span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_be_typed_as_it_is_printed() {
        for (printed, typed) in [
            ("version-lifetime #4a: early", "version-lifetime:early"),
            ("crd-float: number", "crd-float:number"),
            ("version-lifetime #4a:early", "version-lifetime:early"),
            ("error[version-lifetime #4a: early]", "version-lifetime:early"),
            ("version-lifetime #4a", "version-lifetime"),
            ("version-lifetime #", "version-lifetime #"),
            ("#4a:early", "#4a:early"),
            ("4a:early", "4a:early"),
            ("gate 4a", "gate 4a"),
        ] {
            assert_eq!(as_typed(printed), typed);
        }
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
