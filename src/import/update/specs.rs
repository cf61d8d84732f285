//! Compares the stages of a gate, or the classes of a metric, in a file and in a draft.

use crate::document::Value as FileValue;
use crate::stability::{MetricStability, Stage};

use super::super::draft::Value;
use super::super::write::value_text;
use super::Update;
use super::merge::{listed, says, words};

impl Update<'_> {
    /// Adds the stages that the draft has after those of the file. Stages that only the file has at its end are plans:
    /// they stay.
    pub(super) fn merge_specs(&mut self, path: &[String], at: usize, found: FileValue<'_>, items: &[Value]) {
        let (span, declared, known) = (found.span(), found.plain_text(), listed(found));
        let is_gate = path[0] == "gate";
        let is_same = if is_gate { is_same_stage } else { is_same_class };
        let differing = known.iter().zip(items).find(|(known, item)| !is_same(**known, item));
        if let Some((known, item)) = differing {
            let (span, declared) = (known.span(), known.plain_text());
            return self.disagree(path, span, &format!("`{declared}`"), &format!("`{}`", words(item)));
        }
        for (known, item) in known.iter().zip(items) {
            if let Some((end, text)) = lacking(self.files[at].text, *known, item) {
                self.added += 1;
                self.files[at].put(end, &text);
            }
        }
        let new: Vec<String> = items.iter().skip(known.len()).map(value_text).collect();
        let last = known.last().map(|last| last.span().end);
        if new.is_empty() {
            return;
        }
        let file = &self.files[at];
        let is_one_value = file.is_written(found, "[") && !file.is_written(found, "[[");
        match last.filter(|_| is_one_value) {
            Some(end) => {
                self.added += new.len();
                self.files[at].put(end, &format!(", {}", new.join(", ")));
            }
            None => self.disagree(
                path,
                span,
                &format!("`{declared}`"),
                &format!("`[…, {}]`", new.join(", ")),
            ),
        }
    }
}

/// The keys that an entry in braces lacks, with the byte where they go.
fn lacking(text: &str, found: FileValue<'_>, item: &Value) -> Option<(u32, String)> {
    let (Some(table), Value::Table(entries)) = (found.as_table(), item) else {
        return None;
    };
    let is_inline = text.get(found.span().start as usize..)?.starts_with('{');
    let missing = entries.iter().filter(|(key, _)| table.get(key).is_none());
    let missing = missing.map(|(key, value)| format!(", {key} = {}", value_text(value)));
    let missing: Vec<String> = missing.collect();
    let end = table.entries().map(|(_, value)| value.span().end).max()?;
    (is_inline && !missing.is_empty()).then(|| (end, missing.concat()))
}

/// Whether a class is the same in both, with its type and labels where both say them.
fn is_same_class(found: FileValue<'_>, item: &Value) -> bool {
    let (Some(table), Value::Table(entries)) = (found.as_table(), item) else {
        return says(found, item);
    };
    entries.iter().all(|(key, value)| {
        match (table.get(key).map(|(_, found)| found), value) {
            (None, _) => key == "type" || key == "labels",
            (Some(found), Value::Text(class)) if key == "stage" => {
                let declared = found.as_word().and_then(|word| MetricStability::parse(word.text));
                declared == MetricStability::parse(class)
            }
            // They may stand in any order.
            (Some(found), Value::List(labels)) => {
                let found = listed(found);
                let mut wanted = labels.iter();
                found.len() == labels.len() && wanted.all(|label| found.iter().any(|found| says(*found, label)))
            }
            (Some(found), value) => says(found, value),
        }
    })
}

/// Whether a stage is the same in both, also whether it is locked.
fn is_same_stage(found: FileValue<'_>, item: &Value) -> bool {
    let Value::Table(entries) = item else {
        return says(found, item);
    };
    let Some(table) = found.as_table() else { return false };
    let is_locked = table.get("locked").and_then(|(_, found)| found.as_bool()) == Some(true);
    let locks = entries.iter().any(|(key, _)| key == "locked");
    let mut entries = entries.iter();
    let agree = entries.all(|(key, value)| match (table.get(key), value) {
        // A stage may be written in several ways: `GA`, `stable`.
        (Some((_, found)), Value::Text(stage)) if key == "stage" => {
            found.as_word().and_then(|word| Stage::parse(word.text)) == Stage::parse(stage)
        }
        (Some((_, found)), value) => says(found, value),
        (None, _) => false,
    });
    agree && is_locked == locks
}
