//! Errors in the files of a model, all in one form: what is wrong, where, and what to write instead.

use crate::diagnostic::{Diagnostic, RuleId, Severity, did_you_mean};
use crate::source::{FileId, Span};
use crate::text::shortened;

use super::MOST_SYNTAX_ERRORS;

/// The slug of errors in the files of a model.
pub(crate) const RULE: RuleId = "model";

/// The errors found so far in the files being read.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// How many were found beyond those in the list.
    more: usize,
}

/// How many errors are listed: more of them rarely say anything new.
const MOST_ERRORS: usize = 200;

impl Diagnostics {
    /// All errors, in the order they were found.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        if self.more > 0 {
            let plural = if self.more == 1 { "" } else { "s" };
            let message = format!("and {} more error{plural}", self.more);
            let more = Diagnostic::error(RULE, "more", message).help("fix the ones above first");
            self.list.push(more);
        }
        self.list
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many errors were found, without warnings.
    pub(crate) fn errors(&self) -> usize {
        let errors = self.list.iter().filter(|found| found.severity == Severity::Error);
        errors.count()
    }

    /// Adds an error.
    pub fn push(&mut self, mut error: Diagnostic) {
        if self.is_full() {
            self.more += 1;
            return;
        }
        error.message = shortened(error.message);
        error.help = error.help.map(shortened);
        self.list.push(error);
    }

    /// Adds errors found elsewhere, and the number of those that were only counted.
    pub fn extend(&mut self, errors: Vec<Diagnostic>, more: usize) {
        for error in errors {
            self.push(error);
        }
        self.more += more;
    }

    /// The listed errors, and how many more there are.
    pub(crate) fn into_parts(self) -> (Vec<Diagnostic>, usize) {
        (self.list, self.more)
    }

    /// Whether further errors are only counted, so that describing them is wasted work.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MOST_ERRORS
    }

    /// How many have been found.
    pub(crate) fn count(&self) -> usize {
        self.list.len() + self.more
    }

    /// Adds an error about a required key that a table lacks. `place` is the table, `why` an example.
    pub(crate) fn missing_key(&mut self, place: Span, key: &str, why: &str) {
        self.push(
            Diagnostic::error(RULE, "missing-key", format!("`{key}` is missing"))
                .at(place, format!("needs `{key}`"))
                .help(why),
        );
    }

    /// Adds an error about a word that is none of the `known` ones.
    pub(crate) fn unknown_word(&mut self, what: &str, typed: &str, span: Span, known: &[&str]) {
        let help =
            did_you_mean(typed, known.iter().copied()).unwrap_or_else(|| format!("one of: {}", known.join(", ")));
        self.push(
            Diagnostic::error(RULE, "unknown-value", format!("`{typed}` is not {what}"))
                .at(span, format!("not {what}"))
                .help(help),
        );
    }

    /// Adds any other error about a place.
    pub fn at(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Diagnostic::error(RULE, code, message).at(span, "").help(help));
    }
}

/// The parser's errors as diagnostics: sorted, only the first of each line, and not too many.
pub(super) fn syntax(file: FileId, text: &str, errors: &[toml::de::Error]) -> Vec<Diagnostic> {
    let mut found: Vec<(Span, &str)> = errors
        .iter()
        .map(|error| {
            let range = error.span().unwrap_or(text.len()..text.len());
            let within_text = range.start.min(text.len())..range.end.min(text.len());
            (Span::of(file, within_text), error.message())
        })
        .collect();
    found.sort_by_key(|(span, _)| *span);
    found.dedup_by(|later, earlier| !between(text, earlier.0, later.0).contains('\n'));
    found
        .into_iter()
        .take(MOST_SYNTAX_ERRORS)
        .map(|(span, message)| describe(span, message))
        .collect()
}

fn between(text: &str, earlier: Span, later: Span) -> &str {
    text.get(earlier.start as usize..later.start as usize).unwrap_or("\n")
}

fn describe(span: Span, message: &str) -> Diagnostic {
    let message = message.lines().collect::<Vec<_>>().join("; ");
    let help = if message.contains("duplicate key") {
        "a table has each key once: merge the two entries, or write `lives = [...]` for an element that was served again"
    } else {
        "fix the TOML here first: later errors may follow from it"
    };
    Diagnostic::error(RULE, "syntax", format!("cannot read the TOML: {message}"))
        .at(span, "")
        .help(help)
}
