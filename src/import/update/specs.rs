//! What a file and a draft say of the stages of a gate.

use crate::document::Value as Found;
use crate::stability::Stage;

use super::super::draft::Value;
use super::super::write::value_text;
use super::Update;
use super::merge::{says, words};

impl Update<'_> {
    /// The stages that the draft has after those of the file are added. Those that only the file has at its end are plans of
    /// its people: they stay.
    pub(super) fn merge_specs(&mut self, path: &[String], at: usize, items: &[Value]) {
        let Some((_, found)) = self.find(path) else { return };
        let (span, said) = (found.span(), found.plain_text());
        let known: Vec<Found<'_>> = found.as_list().map(Iterator::collect).unwrap_or_default();
        let differing = known.iter().zip(items).find(|(known, item)| !is_same(**known, item));
        if let Some((known, item)) = differing {
            let (span, said) = (known.span(), known.plain_text());
            return self.disagree(path, span, &format!("`{said}`"), &format!("`{}`", words(item)));
        }
        let new: Vec<String> = items.iter().skip(known.len()).map(value_text).collect();
        if new.is_empty() {
            return;
        }
        let text = self.places[at].text.get(span.start as usize..).unwrap_or_default();
        let is_one_value = text.starts_with('[') && !text.starts_with("[[");
        match known.last().map(|last| last.span().end).filter(|_| is_one_value) {
            Some(end) => {
                self.added += new.len();
                self.places[at].put(end, &format!(", {}", new.join(", ")));
            }
            None => self.disagree(path, span, &format!("`{said}`"), &format!("`[…, {}]`", new.join(", "))),
        }
    }
}

/// Whether a stage is the same in both, also whether it is locked.
fn is_same(found: Found<'_>, item: &Value) -> bool {
    let Value::Table(entries) = item else {
        return says(found, item);
    };
    let Some(table) = found.as_table() else { return false };
    let said = |key: &str| table.get(key).map(|(_, found)| found);
    let is_locked = said("locked").and_then(|found| found.as_bool()).unwrap_or(false);
    let locks = entries.iter().any(|(key, _)| key == "locked");
    let agree = |(key, value): &(String, Value)| match (said(key), value) {
        // A stage may be written in several ways: `GA`, `stable`.
        (Some(found), Value::Text(stage)) if key == "stage" => {
            found.as_word().and_then(|word| Stage::parse(word.text)) == Stage::parse(stage)
        }
        (Some(found), value) => says(found, value),
        (None, _) => false,
    };
    is_locked == locks && entries.iter().all(agree)
}
