//! The report in the formats people and machines read: one file a format.
//!
//! A renderer sees the report, and the sources for snippets, and nothing else.

mod ci;
pub mod csv;
pub mod deprecations;
pub mod diff;
pub mod dot;
pub mod github;
pub mod html;
pub mod ics;
pub mod json;
pub mod junit;
pub mod kubepug;
pub mod markdown;
pub mod marks;
pub mod mermaid;
pub mod notes;
pub mod pluto;
pub mod prerelease;
pub mod rollout;
pub mod sarif;
pub mod snippet;
pub mod svg;
pub mod table;
mod template;
pub mod why;
mod words;
mod xml;
mod yaml;

pub use ci::CiReading;
pub use template::{FILTERS, TemplateError, Templates};

use crate::report::{FactReport, Moment};

/// How output for people may look.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Columns there are.
    pub width: u16,
    /// Whether colors are shown.
    pub color: bool,
}

/// Characters that make what follows run the other way: text would not read as it is.
fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text that goes to a terminal, without the control characters that would move it about.
///
/// What users type ends up in names and messages; an escape sequence among it must not reach the terminal.
pub fn visible(text: &str) -> String {
    text.chars()
        .map(|c| {
            let hidden = (c.is_control() && c != '\n' && c != '\t') || turns_direction(c);
            if hidden { char::REPLACEMENT_CHARACTER } else { c }
        })
        .collect()
}

/// Who says when an event comes: `declared`, also by what implies it, or `planned`; empty for a bound.
fn origin(moment: Moment<'_>) -> &'static str {
    match moment.declared {
        None => "",
        Some(true) => "declared",
        Some(false) => "planned",
    }
}

/// A reason on one line, with its rule.
fn fact(fact: &FactReport<'_>) -> String {
    match (fact.rule, fact.number) {
        (Some(rule), Some(number)) => format!("{rule} #{number}: {}", fact.text),
        (Some(rule), None) => format!("{rule}: {}", fact.text),
        (None, _) => fact.text.clone(),
    }
}
