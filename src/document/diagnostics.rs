//! Faults of the user's files, in one voice: what is wrong, where, and what to write instead.

use crate::diagnostic::{Diagnostic, RuleId, did_you_mean};
use crate::source::{FileId, Span};

use super::{Key, MOST_SYNTAX_ERRORS, Value};

/// The slug under which faults of the user's files are told.
pub const RULE: RuleId = "model";

/// The faults found so far in the files being read.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// How many were found beyond those that are told.
    more: usize,
}

/// How many faults are told: by then the first ones say what is wrong with the rest.
const MOST_FAULTS: usize = 200;

impl Diagnostics {
    /// All faults, in the order they were found.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        if self.more > 0 {
            let plural = if self.more == 1 { "" } else { "s" };
            let message = format!("and {} more fault{plural}", self.more);
            let more = Diagnostic::error(RULE, "more", message).help("mend the ones above first");
            self.list.push(more);
        }
        self.list
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds a fault.
    pub fn push(&mut self, fault: Diagnostic) {
        if self.is_full() {
            self.more += 1;
        } else {
            self.list.push(fault);
        }
    }

    /// Adds what was found elsewhere, of which so many only counted.
    pub fn extend(&mut self, faults: Vec<Diagnostic>, more: usize) {
        for fault in faults {
            self.push(fault);
        }
        self.more += more;
    }

    /// The faults that are told, and how many more there are.
    pub fn into_parts(self) -> (Vec<Diagnostic>, usize) {
        (self.list, self.more)
    }

    /// Whether further faults are only counted, so that it is not worth while to describe them.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST_FAULTS
    }

    /// How many have been found.
    pub fn count(&self) -> usize {
        self.list.len() + self.more
    }

    /// A key that means nothing here.
    pub fn unknown_key(&mut self, key: &Key<'_>, known: &[&str]) {
        let help = did_you_mean(key.name, known.iter().copied())
            .unwrap_or_else(|| format!("known keys here: {}", known.join(", ")));
        self.push(
            Diagnostic::error(RULE, "unknown-key", format!("unknown key `{}`", key.name))
                .at(key.span, "not known here")
                .help(help),
        );
    }

    /// A value of the wrong type.
    pub fn wrong_type(&mut self, value: &Value<'_>, expected: &str) {
        let found = value.type_name();
        let help = match value.number_text() {
            Some(text) if expected.contains("release") => {
                format!("write releases in quotes: \"{text}\" (as a number, 1.10 would be 1.1)")
            }
            _ => format!("write {expected} here"),
        };
        self.push(
            Diagnostic::error(RULE, "wrong-type", format!("expected {expected}, found {found}"))
                .at(value.span(), format!("{found}, not {expected}"))
                .help(help),
        );
    }

    /// A required key that is missing from a table.
    pub fn missing_key(&mut self, place: Span, key: &str, why: &str) {
        self.push(
            Diagnostic::error(RULE, "missing-key", format!("`{key}` is missing"))
                .at(place, format!("needs `{key}`"))
                .help(why),
        );
    }

    /// A word that is none of those allowed.
    pub fn unknown_word(&mut self, what: &str, typed: &str, span: Span, known: &[&str]) {
        let help =
            did_you_mean(typed, known.iter().copied()).unwrap_or_else(|| format!("one of: {}", known.join(", ")));
        self.push(
            Diagnostic::error(RULE, "unknown-value", format!("`{typed}` is not {what}"))
                .at(span, format!("not {what}"))
                .help(help),
        );
    }

    /// Any other fault at a place.
    pub fn at(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Diagnostic::error(RULE, code, message).at(span, "").help(help));
    }
}

/// The parser's errors as diagnostics: sorted, the first of each line, no more than are of use.
pub(super) fn syntax(file: FileId, text: &str, errors: &[toml::de::Error]) -> Vec<Diagnostic> {
    let clamp = |at: usize| u32::try_from(at.min(text.len())).unwrap_or(u32::MAX);
    let mut found: Vec<(Span, &str)> = errors
        .iter()
        .map(|error| {
            let range = error.span().unwrap_or(text.len()..text.len());
            let (start, end) = (clamp(range.start), clamp(range.end));
            (Span { file, start, end }, error.message())
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
        "a key may stand once in a table: merge the two entries, or write `lives = [...]` for an element that came back"
    } else {
        "mend the TOML here first; what follows may have been misread because of it"
    };
    Diagnostic::error(RULE, "syntax", format!("cannot read the TOML: {message}"))
        .at(span, "")
        .help(help)
}
