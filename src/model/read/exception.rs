//! Granted exceptions.

use crate::document::{Table, Value};
use crate::source::Span;

use super::super::{Exception, Text};
use super::Reader;
use super::entry::{reference, text};
use super::levels;
use super::limits::{self, MOST_EXCEPTIONS};

const KEYS: &[&str] = &["rule", "element", "reason", "approved-by", "until"];

impl Reader<'_> {
    /// Reads what the project grants itself: the exceptions, and the severities that it sets.
    pub(super) fn grants(&mut self, roots: &[Table<'_>]) {
        for root in roots {
            self.exceptions(*root);
            self.model.levels.extend(levels::read(*root, self.diagnostics));
        }
    }

    /// Reads the exceptions of one file.
    fn exceptions(&mut self, root: Table<'_>) {
        let Some((_, value)) = root.get("exception") else {
            return;
        };
        let items = value.list(self.diagnostics);
        let known = self.model.exceptions.len() + items.len();
        if limits::is_too_long("exceptions", known, MOST_EXCEPTIONS, value.span(), self.diagnostics) {
            return;
        }
        for item in items {
            let exception = self.exception(item);
            self.model.exceptions.extend(exception);
        }
    }

    fn exception(&mut self, item: Value<'_>) -> Option<Exception> {
        let table = item.table(self.diagnostics)?;
        let (mut rule, mut element, mut reason, mut approved_by, mut until) = (None, None, None, None, None);
        for (key, value) in table.entries() {
            match key.name {
                "rule" => rule = text(value, self.diagnostics),
                "element" => element = reference(value, self.diagnostics),
                "reason" => reason = text(value, self.diagnostics),
                "approved-by" => approved_by = text(value, self.diagnostics),
                "until" => until = self.release_value(value),
                _ => self.diagnostics.unknown_key(&key, KEYS),
            }
        }
        let required = [
            (
                "rule",
                "the rule, by slug or number, and the code: \"version-lifetime:overdue\"",
            ),
            ("element", "the id of the element, as `lifecycle plan` prints it"),
            ("reason", "why it was granted; the finding, as a note, repeats it"),
            ("approved-by", "who granted it"),
        ];
        self.require(table, &required);
        let rule = rule.map(with_code);
        let end = table.entries().map(|(_, value)| value.span().end).max();
        let (rule, code) = rule?;
        Some(Exception {
            rule,
            code,
            element: element?,
            reason: reason?.text,
            approved_by: approved_by?.text,
            until,
            span: table.span(),
            whole: Span {
                end: end.unwrap_or(0).max(table.span().end),
                ..table.span()
            },
        })
    }
}

/// `version-lifetime:overdue` as a rule and a code.
fn with_code(written: Text) -> (Text, Option<Text>) {
    let span = written.span;
    let Some((rule, code)) = written.text.split_once(':') else {
        return (written, None);
    };
    let [rule, code] = [rule, code].map(|part| Text {
        text: part.to_owned(),
        span,
    });
    (rule, Some(code))
}
