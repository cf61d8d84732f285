//! Compares a file with a draft, and adds what is missing.

use crate::document::{Table, Value as FileValue, quoted};
use crate::grammar::EntryKey;
use crate::model::EventKind;
use crate::release::ReleaseName;

use super::super::draft::Value;
use super::super::layout;
use super::super::write::value_text;
use super::Update;

/// Whether a file has the same value as a draft.
pub(super) fn says(found: FileValue<'_>, value: &Value) -> bool {
    match value {
        Value::Text(text) => match (found.as_word(), ReleaseName::parse(text)) {
            // A release may be written with more than its two numbers.
            (Some(word), Some(release)) => word.text == text || ReleaseName::parse(word.text) == Some(release),
            (Some(word), None) => word.text == text,
            (None, _) => false,
        },
        Value::Number(number) => found.as_word().is_none() && found.plain_text() == number.to_string(),
        Value::Written(text) => found.as_word().is_none() && found.plain_text() == *text,
        Value::Flag(flag) => found.as_bool() == Some(*flag),
        Value::Day(day) => found.plain_text() == day.to_string(),
        Value::List(items) => found.as_list().is_some_and(|found| {
            let found: Vec<FileValue<'_>> = found.collect();
            found.len() == items.len() && found.into_iter().zip(items).all(|(found, item)| says(found, item))
        }),
        Value::Table(entries) => found.as_table().is_some_and(|table| {
            let mut entries = entries.iter();
            entries.all(|(key, value)| table.get(key).is_some_and(|(_, found)| says(found, value)))
        }),
    }
}

/// Whether a table has a release for a key, and a draft another one.
fn is_another_release(table: &Table<'_>, key: &str, value: &Value) -> bool {
    let Value::Text(wanted) = value else { return false };
    let found = table.get(key).and_then(|(_, found)| found.as_word());
    let releases = found.map(|found| [found.text, wanted].map(ReleaseName::parse));
    matches!(releases, Some([Some(found), Some(wanted)]) if found != wanted)
}

impl Update<'_> {
    /// Compares the value that the files have at a path with the wanted one, and adds what is missing.
    pub(super) fn merge(&mut self, path: &[String], value: &Value) {
        let Some((at, found)) = self.find(path) else { return };
        let (span, declared) = (found.span(), found.plain_text());
        let last = path.last().map(String::as_str).unwrap_or_default();
        match value {
            Value::Table(entries) if found.as_table().is_some() => self.merge_table(path, at, found, entries),
            // First, because a lock that the draft does not have is a difference.
            Value::List(items) if last == "specs" && (path[0] == "gate" || path[0] == "metric") => {
                self.merge_specs(path, at, found, items);
            }
            _ if says(found, value) || last == "cadence" => {}
            Value::List(items) if last == "versions" => self.add_versions(at, found, items),
            Value::List(items) if last == "lives" => self.merge_lives(path, at, found, items),
            Value::Text(release) if path.len() == 2 && path[0] == "calendar" && last == "current" => {
                if ReleaseName::parse(release) > ReleaseName::parse(&declared) {
                    self.replace(at, span, quoted(release));
                    self.current = Some(release.clone());
                }
            }
            Value::Day(_) if declared == "unscheduled" => self.replace(at, span, value_text(value)),
            Value::Text(text) if text == "unscheduled" => {}
            Value::List(items) if repeats(last) => self.repeat(path, at, found, items),
            _ => self.disagree(path, span, &format!("`{declared}`"), &format!("`{}`", words(value))),
        }
    }

    fn replace(&mut self, at: usize, span: crate::source::Span, text: String) {
        self.added += 1;
        self.files[at].replace(span.start, span.end, text);
    }

    fn merge_table(&mut self, path: &[String], at: usize, found: FileValue<'_>, entries: &[(String, Value)]) {
        let Some(table) = found.as_table() else { return };
        let own_lives = table.get("lives").is_some();
        let own_life = table.entries().any(|(key, _)| EntryKey::is_of_life(key.name));
        let is_other_life = self.ends_before_it_is_deprecated(path, &table, entries)
            || entries
                .iter()
                .any(|(key, value)| EntryKey::is_of_life(key) && is_another_release(&table, key, value));
        for (key, value) in entries {
            let below = layout::below(path, &[key]);
            if table.get(key).is_some() {
                self.merge(&below, value);
            } else if is_other_life && EntryKey::is_of_life(key) {
                // What follows from another life does not fit into this one, which is reported.
            } else if key == "lives" && own_life {
                self.become_lives(path, at, found, value);
            } else if own_lives && EntryKey::is_of_life(key) {
                self.only_life(path, &table, key, value);
            } else if !self.inherits(&below, value) {
                self.added += 1;
                self.files[at].put_entry(path, key, value);
            }
        }
    }

    /// Reports a deprecation in the files that comes after the removal in the draft.
    fn ends_before_it_is_deprecated(
        &mut self,
        path: &[String],
        table: &Table<'_>,
        entries: &[(String, Value)],
    ) -> bool {
        let [deprecated, removed] = [EventKind::Deprecated, EventKind::Removed].map(EventKind::as_str);
        let ends = entries.iter().find(|(key, _)| key == removed);
        let Some((_, Value::Text(end))) = ends.filter(|_| table.get(removed).is_none()) else {
            return false;
        };
        let Some((_, declared)) = table.get(deprecated) else {
            return false;
        };
        let announced = declared.as_word().and_then(|word| ReleaseName::parse(word.text));
        // A release after the last listed one has no name yet.
        let known = ReleaseName::parse(end).zip(announced);
        let is_before = known.is_some_and(|(end, announced)| end < announced);
        if is_before {
            let below = layout::below(path, &[deprecated]);
            let (declared_as, found) = (format!("`{}`", declared.plain_text()), format!("removed in `{end}`"));
            self.disagree(&below, declared.span(), &declared_as, &found);
        }
        is_before
    }

    fn add_versions(&mut self, at: usize, found: FileValue<'_>, items: &[Value]) {
        let known = listed(found);
        let new = items.iter();
        let new = new.filter(|item| !known.iter().any(|known| says(*known, item)));
        let new: Vec<String> = new.map(value_text).collect();
        let last = known.last().map(|last| last.span().end);
        if let (Some(end), false) = (last, new.is_empty()) {
            self.added += new.len();
            self.files[at].put(end, &format!(", {}", new.join(", ")));
        }
    }

    /// Adds further lives to `lives`, and to the known ones what is missing.
    fn merge_lives(&mut self, path: &[String], at: usize, found: FileValue<'_>, lives: &[Value]) {
        let (span, known) = (found.span(), listed(found));
        let Some(end) = known.last().map(|last| last.span().end) else {
            return self.disagree(path, span, "no life", "several");
        };
        let mut edits: Vec<(u32, String)> = Vec::new();
        for (found, value) in known.iter().zip(lives) {
            let (Some(table), Value::Table(entries)) = (found.as_table(), value) else {
                return self.disagree(path, span, "something else", "lives");
            };
            for (key, value) in entries {
                match table.get(key) {
                    Some((_, declared)) if says(declared, value) => {}
                    Some((_, declared)) if repeats(key) && longer(declared, value.items()).is_some() => {
                        edits.extend(longer(declared, value.items()).into_iter().flatten());
                    }
                    Some((_, declared)) => {
                        let (file, declared) = (declared.span(), declared.plain_text());
                        return self.disagree(
                            path,
                            file,
                            &format!("{key} `{declared}`"),
                            &format!("`{}`", words(value)),
                        );
                    }
                    None => {
                        let end = table.entries().map(|(_, value)| value.span().end).max();
                        let is_inline = self.files[at].is_written(*found, "{");
                        let before = if is_inline { ", " } else { "\n" };
                        edits.extend(end.map(|end| (end, format!("{before}{key} = {}", value_text(value)))));
                    }
                }
            }
        }
        let further = lives.iter().skip(known.len());
        edits.extend(further.map(|life| (end, format!(", {}", value_text(life)))));
        self.added += edits.len();
        for (at_byte, text) in edits {
            self.files[at].put(at_byte, &text);
        }
    }

    /// An element with one life came back: the keys of that life become the first of `lives`.
    fn become_lives(&mut self, path: &[String], at: usize, found: FileValue<'_>, value: &Value) {
        let (span, table) = (found.span(), found.as_table());
        let lives = value.items().split_first();
        let Some((Value::Table(first), rest)) = lives.filter(|_| self.files[at].is_written(found, "{")) else {
            return self.disagree(path, span, "one life", "several");
        };
        let mut own: Vec<(u32, u32)> = Vec::new();
        let mut other: Vec<u32> = Vec::new();
        for (key, value) in table.iter().flat_map(Table::entries) {
            if EntryKey::is_of_life(key.name) {
                own.push((key.span.start, value.span().end));
            } else {
                other.push(key.span.start);
            }
        }
        let start = own.iter().map(|(start, _)| *start).min();
        let bounds = start.zip(own.iter().map(|(_, end)| *end).max());
        let together = bounds.filter(|(start, end)| !other.iter().any(|at| start < at && at < end));
        let mut missing: Vec<String> = Vec::new();
        let (mut agree, mut shared) = (true, 0);
        for (key, value) in first {
            match table.and_then(|table| table.get(key)) {
                Some((_, found)) => {
                    shared += 1;
                    agree &= says(found, value);
                }
                // It may be in the entry above.
                None => missing.push(format!(", {key} = {}", value_text(value))),
            }
        }
        match together.filter(|_| agree && shared == own.len()) {
            Some((start, end)) => {
                let rest: Vec<String> = rest.iter().map(value_text).collect();
                self.added += rest.len();
                self.files[at].put(start, "lives = [{ ");
                self.files[at].put(end, &format!("{} }}, {}]", missing.concat(), rest.join(", ")));
            }
            None => self.disagree(path, span, "one life", &format!("`lives = {}`", value_text(value))),
        }
    }

    /// The draft has one life and the file has `lives`: the first should be the same.
    fn only_life(&mut self, path: &[String], table: &Table<'_>, key: &str, value: &Value) {
        let Some((_, found)) = table.get("lives") else { return };
        let lives = listed(found);
        let known = lives.first().and_then(|life| Some(life.as_table()?.get(key)?.1));
        if !known.is_some_and(|known| says(known, value)) {
            let wanted = format!("{key} `{}`", words(value));
            self.disagree(path, found.span(), "something else", &wanted);
        }
    }

    /// A deprecation that was withdrawn and repeated: the list grows.
    fn repeat(&mut self, path: &[String], at: usize, found: FileValue<'_>, items: &[Value]) {
        let Some(edits) = longer(found, items) else {
            let wanted = value_text(&Value::List(items.to_vec()));
            let span = found.span();
            return self.disagree(path, span, &format!("`{}`", found.plain_text()), &format!("`{wanted}`"));
        };
        self.added += items.len() - known_releases(found).len();
        for (at_byte, text) in edits {
            self.files[at].put(at_byte, &text);
        }
    }
}

/// The releases of a list, or the only one.
fn known_releases(found: FileValue<'_>) -> Vec<FileValue<'_>> {
    found.as_list().map_or(vec![found], Iterator::collect)
}

/// The edits that make a longer list of a release or a list of releases, if that begins with those.
fn longer(found: FileValue<'_>, items: &[Value]) -> Option<Vec<(u32, String)>> {
    let known = known_releases(found);
    let begins = known.len() < items.len() && known.iter().zip(items).all(|(known, item)| says(*known, item));
    let last = known.last().map(|last| last.span().end).filter(|_| begins)?;
    let new: Vec<String> = items.iter().skip(known.len()).map(value_text).collect();
    let new = format!(", {}", new.join(", "));
    Some(if found.as_list().is_some() {
        vec![(last, new)]
    } else {
        vec![(found.span().start, "[".to_owned()), (last, format!("{new}]"))]
    })
}

fn repeats(key: &str) -> bool {
    key == "deprecated" || key == "undeprecated"
}

pub(super) fn listed(found: FileValue<'_>) -> Vec<FileValue<'_>> {
    found.as_list().map(Iterator::collect).unwrap_or_default()
}

/// A value in a message: a string without quotes.
pub(super) fn words(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        other => value_text(other),
    }
}
