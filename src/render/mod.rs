//! The report in the formats that people and machines read: one file per format.
//!
//! A renderer sees the report, and the sources for snippets, and nothing else. It fails only if its output cannot be
//! written, or its template cannot be rendered.

#![expect(clippy::missing_errors_doc, reason = "all renderers fail for the reasons above")]
#![warn(
    clippy::wildcard_enum_match_arm,
    reason = "a new state or event must be met by every format"
)]

mod alike;
mod below;
pub mod by_when;
mod ci;
mod clashes;
mod columns;
mod concise;
mod csv;
pub mod deadlines;
mod diff;
mod dot;
pub mod feed;
mod findings;
mod folded;
pub mod formats;
mod github;
pub mod html;
mod ics;
pub mod json;
mod junit;
pub mod kubepug;
pub mod law;
pub mod markdown;
pub mod marks;
mod mermaid;
mod needed;
pub mod notes;
mod overview;
pub mod pluto;
pub mod prerelease;
pub mod promises;
pub mod record;
pub mod removal;
pub mod rollout;
mod sarif;
pub mod schemas;
mod shipped;
pub mod side_by_side;
pub mod snippet;
pub mod statistics;
mod svg;
pub mod table;
pub mod tasks;
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is of another crate")]
mod template;
#[expect(clippy::wildcard_enum_match_arm, reason = "the enums are of another crate")]
pub mod terminal_page;
pub mod usage;
pub mod what_if;
pub mod why;
mod words;
mod wrap;
mod xml;
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is of another crate")]
mod yaml;

pub use ci::{Findings, Listed};
pub use template::{FILTERS, TemplateError, Templates};

use crate::report::{FactReport, Moment};
use crate::source::{one_line, turns_direction};

/// What output for people may use.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// The number of columns.
    pub width: u16,
    /// Whether colors are allowed.
    pub color: bool,
}

/// How much of a list of schema changes or findings is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Of many, those that are alike together.
    #[default]
    Folded,
    /// Every one.
    Expanded,
    /// Only how many there are.
    Summary,
}

/// What is not more than this is listed one by one, even where some are alike.
const FEW: usize = 20;

impl Detail {
    /// What two options ask for.
    pub fn of(expand: bool, summary: bool) -> Self {
        match (expand, summary) {
            (true, _) => Self::Expanded,
            (_, true) => Self::Summary,
            (false, false) => Self::Folded,
        }
    }

    /// Whether, of so many, those that are alike are shown together.
    pub fn folds(self, count: usize) -> bool {
        self == Self::Folded && count > FEW
    }
}

/// Whether a character ends a line or a paragraph in Unicode, which a terminal or a page may show as such.
fn separates(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Text without control characters: names and messages contain what users typed, and an escape sequence among it must
/// not reach the terminal.
pub fn visible(text: &str) -> String {
    text.chars()
        .map(|c| {
            let hidden = (c.is_control() && c != '\n' && c != '\t') || turns_direction(c) || separates(c);
            if hidden { char::REPLACEMENT_CHARACTER } else { c }
        })
        .collect()
}

/// Whether an event is `declared`, itself or by implication, or `planned`; empty for a bound.
fn origin(moment: Moment<'_>) -> &'static str {
    match moment.declared {
        None => "",
        Some(true) => "declared",
        Some(false) => "planned",
    }
}

/// An explanation with the number of its rule: `#4a: a beta version stays served…`.
fn numbered_fact(fact: &FactReport<'_>) -> String {
    match &fact.number {
        Some(number) => format!("#{number}: {}", fact.text),
        None => fact.text.clone(),
    }
}

/// An explanation on one line, with its rule.
fn fact(fact: &FactReport<'_>) -> String {
    match (fact.rule, &fact.number) {
        (Some(rule), Some(number)) => format!("{rule} #{number}: {}", fact.text),
        (Some(rule), None) => format!("{rule}: {}", fact.text),
        (None, _) => fact.text.clone(),
    }
}
