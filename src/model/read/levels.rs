//! How grave the findings of a rule are to be in this project.

use crate::diagnostic::Severity;
use crate::document::{Faults, Table, Value};

use super::super::{LevelEntry, Text};

const SEVERITIES: &[&str] = &["error", "warning", "note", "off"];

/// The entries of `[levels]`: a severity for all findings of a rule, or one by finding.
pub(super) fn read(root: Table<'_>, faults: &mut Faults) -> Vec<LevelEntry> {
    let mut entries = Vec::new();
    let Some(table) = root.get("levels").and_then(|(_, value)| value.table(faults)) else {
        return entries;
    };
    for (key, value) in table.entries() {
        let rule = Text {
            text: key.name.to_owned(),
            span: key.span,
        };
        let Some(findings) = value.as_table() else {
            let severity = severity(value, faults);
            entries.extend(severity.map(|severity| LevelEntry {
                rule,
                code: None,
                severity,
            }));
            continue;
        };
        for (key, value) in findings.entries() {
            let code = Text {
                text: key.name.to_owned(),
                span: key.span,
            };
            entries.extend(severity(value, faults).map(|severity| LevelEntry {
                rule: rule.clone(),
                code: Some(code),
                severity,
            }));
        }
    }
    entries
}

fn severity(value: Value<'_>, faults: &mut Faults) -> Option<Severity> {
    let word = value.word(faults)?;
    let severity = Severity::parse(word.text);
    if severity.is_none() {
        faults.unknown_word("a severity", word.text, word.span, SEVERITIES);
    }
    severity
}
