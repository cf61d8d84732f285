//! Inserts a few entries into a model, and shows them without the rest.

use crate::document::{Document, Value as FileValue};
use crate::grammar::EntryKey;
use crate::source::Span;

use super::super::draft::Value;
use super::super::layout::{self, Line, Section};
use super::super::write::{assignment, path_text, section_text};
use super::merge::listed;
use super::{Update, Updated};

/// An entry with longer values is a table of its own.
const LONGEST_LINE: usize = 100;

/// A new entry of a model, or further keys of an existing one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NewEntry {
    /// The keys that lead to it: `group`, `apps`, `version`, `v1`.
    pub(crate) path: Vec<String>,
    pub(crate) keys: Vec<(String, Value)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A table that may be appended to the model's main file.
    Appended(String),
    /// Lines for a table that exists already, or that cannot be appended.
    Within {
        /// The keys that lead to that table, as TOML writes them.
        table: String,
        /// Where it is; `None` where no file has it.
        span: Option<Span>,
        lines: Vec<String>,
    },
}

#[derive(Debug)]
pub(crate) struct Inserted {
    /// The texts, and where they differ.
    pub(crate) updated: Updated,
    pub(crate) pieces: Vec<Piece>,
}

/// Inserts entries into a model. Nothing in the files is moved or replaced; where they differ, that is reported.
///
/// `documents` are the model's, the main one first, each with its text.
pub(crate) fn insert(documents: &[(&str, &Document<'_>)], entries: &[NewEntry]) -> Inserted {
    let mut update = Update::of(documents, "the proposal");
    let mut sections: Vec<Section> = Vec::new();
    let mut pieces = Vec::new();
    for entry in entries {
        if update.find(&entry.path).is_some() {
            pieces.push(update.within(entry));
            update.merge(&entry.path, &Value::Table(update.in_last_life(entry)));
            continue;
        }
        let mut section = section(entry);
        let family = section.path.get(..2).unwrap_or_default();
        section.begins |= update.find(family).is_none() && !sections.iter().any(|known| known.path.starts_with(family));
        match sections.iter_mut().find(|known| known.path == section.path) {
            Some(known) => known.lines.extend(section.lines),
            None => sections.push(section),
        }
    }
    for section in &sections {
        pieces.extend(update.pieces(section));
        update.section(section);
    }
    Inserted {
        updated: update.done(),
        pieces,
    }
}

/// A new entry: a line of the table it is in, or a table of its own.
fn section(entry: &NewEntry) -> Section {
    let whole = Value::Table(entry.keys.clone());
    let is_long = assignment(&entry.path, &whole).chars().count() > LONGEST_LINE;
    let (path, lines) = match entry.path.split_last() {
        Some((name, above)) if above.len() > 1 || !is_long => (above, vec![layout::line(&[name], whole)]),
        _ => (&*entry.path, lines(&entry.keys)),
    };
    Section {
        path: path.to_vec(),
        lines,
        begins: path.len() <= 2,
        ..Section::default()
    }
}

fn lines(keys: &[(String, Value)]) -> Vec<Line> {
    let lines = keys.iter().map(|(key, value)| layout::line(&[key], value.clone()));
    lines.collect()
}

impl Update<'_> {
    /// The keys of an existing entry. If it has several lives, those about a life are about the last one.
    fn in_last_life(&self, entry: &NewEntry) -> Vec<(String, Value)> {
        let lives = self.lives(entry).len();
        let keys = entry.keys.iter().cloned();
        let (own, mut keys): (Vec<_>, Vec<_>) = keys.partition(|(key, _)| lives > 0 && EntryKey::is_of_life(key));
        if !own.is_empty() {
            let mut changed = vec![Value::Table(Vec::new()); lives - 1];
            changed.push(Value::Table(own));
            keys.push((EntryKey::Lives.as_str().to_owned(), Value::List(changed)));
        }
        keys
    }

    /// The lives that the files list in an entry.
    fn lives(&self, entry: &NewEntry) -> Vec<FileValue<'_>> {
        let path = layout::below(&entry.path, &[EntryKey::Lives.as_str()]);
        self.find(&path).map_or_else(Vec::new, |(_, lives)| listed(lives))
    }

    fn within(&self, entry: &NewEntry) -> Piece {
        let found = self.find(&entry.path).map(|(_, value)| value.span());
        let life = self.lives(entry).last().map(FileValue::span);
        let life = life.filter(|_| entry.keys.iter().all(|(key, _)| EntryKey::is_of_life(key)));
        let lives = life.map(|_| EntryKey::Lives.as_str());
        Piece::Within {
            table: path_text(&layout::below(&entry.path, lives.as_slice())),
            span: life.or(found),
            lines: assignments(&lines(&entry.keys)),
        }
    }

    /// A section as tables that may be appended to the main file: whole if no file has its table yet, otherwise each
    /// line by itself. What belongs into a table in braces, or into another file, is shown with its line.
    fn pieces(&self, section: &Section) -> Vec<Piece> {
        let mut depths = (1..=section.path.len()).rev();
        let above = depths.find_map(|depth| self.find(section.path.get(..depth)?));
        if above.is_some_and(|(at, value)| at > 0 || self.files[at].is_written(value, "{")) {
            return vec![Piece::Within {
                table: path_text(&section.path),
                span: above.map(|(_, value)| value.span()),
                lines: assignments(&section.lines),
            }];
        }
        if self.find(&section.path).is_none() {
            return vec![Piece::Appended(section_text(section))];
        }
        let lines = section.lines.iter();
        lines.map(|line| Piece::Appended(alone(section, line))).collect()
    }
}

fn assignments(lines: &[Line]) -> Vec<String> {
    let lines = lines.iter();
    let lines = lines.filter_map(|line| Some(assignment(&line.key, line.value.as_ref()?)));
    lines.collect()
}

fn alone(section: &Section, line: &Line) -> String {
    let path = section.path.iter().chain(&line.key).cloned().collect();
    match &line.value {
        Some(Value::Table(keys)) => section_text(&Section {
            path,
            lines: lines(keys),
            ..Section::default()
        }),
        _ => section_text(&Section {
            lines: vec![line.clone()],
            ..section.clone()
        }),
    }
}
