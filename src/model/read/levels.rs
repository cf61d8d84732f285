//! The severities that this project sets.

use crate::document::{Diagnostics, Table, UsageLimit};

use super::super::{LevelEntry, Text};

/// The entries of `[levels]`: a severity for all findings of a rule, or one by finding.
pub(super) fn read(root: Table<'_>, diagnostics: &mut Diagnostics) -> Vec<LevelEntry> {
    let mut entries = Vec::new();
    let Some(table) = root.get("levels").and_then(|(_, value)| value.table(diagnostics)) else {
        return entries;
    };
    for (key, value) in table.entries() {
        let rule = Text::from(key);
        let Some(findings) = value.as_table() else {
            let severity = value.severity(diagnostics);
            entries.extend(severity.map(|severity| LevelEntry {
                rule,
                code: None,
                severity,
            }));
            continue;
        };
        for (key, value) in findings.entries() {
            entries.extend(value.severity(diagnostics).map(|severity| LevelEntry {
                rule: rule.clone(),
                code: Some(key.into()),
                severity,
            }));
        }
    }
    entries
}

/// What evidence of usage has to show before something is removed.
pub(super) fn usage_limit(main: Table<'_>, diagnostics: &mut Diagnostics) -> Option<UsageLimit> {
    let (_, value) = main.get("requires-usage-below")?;
    UsageLimit::read(value, diagnostics)
}
