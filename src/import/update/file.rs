//! One file of a model: what it has where, and where to insert what is new.

use std::collections::BTreeMap;

use crate::document::{Document, Edit, Table, Value};
use crate::source::{FileId, Span};

use super::super::draft;
use super::super::layout::Section;
use super::super::write::{assignment, section_into};

/// A file, and what is to be inserted.
pub(super) struct ModelFile<'d> {
    pub(crate) text: &'d str,
    file: FileId,
    root: Table<'d>,
    /// The headers of tables with where they begin and end, in the order of the file; the file's beginning is one.
    headers: Vec<Header>,
    /// Where values end, in order.
    ends: Vec<u32>,
    /// Entries within braces, by where they go.
    inline: BTreeMap<u32, Inline>,
    /// Lines below the last one of a table, by where that ends; then new tables.
    lines: BTreeMap<u32, (Vec<String>, Vec<Section>)>,
    /// Texts within values, by where they go.
    within: BTreeMap<u32, String>,
    /// Replaced values.
    replaced: Vec<Edit>,
}

struct Header {
    start: u32,
    end: u32,
    path: Vec<String>,
}

/// What is inserted into a table in braces.
struct Inline {
    /// Whether it has entries already.
    filled: bool,
    entries: Vec<String>,
}

impl<'d> ModelFile<'d> {
    pub(crate) fn new(text: &'d str, document: &'d Document<'_>) -> Self {
        let file = document.file();
        let mut file = Self {
            text,
            file,
            root: document.root(),
            headers: vec![Header {
                start: 0,
                end: 0,
                path: Vec::new(),
            }],
            ends: Vec::new(),
            inline: BTreeMap::new(),
            lines: BTreeMap::new(),
            within: BTreeMap::new(),
            replaced: Vec::new(),
        };
        file.index(file.root, &mut Vec::new());
        file.headers.sort_by_key(|header| header.start);
        file.ends.sort_unstable();
        file
    }

    /// Notes where headers stand and where values end.
    fn index(&mut self, table: Table<'d>, path: &mut Vec<String>) {
        for (key, value) in table.entries() {
            path.push(key.name.to_owned());
            match (value.as_table(), value.as_list()) {
                (Some(below), _) if self.is_written(value, "[") => {
                    self.header(value.span(), path.clone());
                    self.index(below, path);
                }
                (Some(below), _) if !self.is_written(value, "{") => self.index(below, path),
                (None, Some(items)) if self.is_written(value, "[[") => {
                    for item in items {
                        // Tables in a list have no path: nothing is inserted there.
                        self.header(item.span(), vec![String::new()]);
                        if let Some(below) = item.as_table() {
                            self.index(below, &mut vec![String::new()]);
                        }
                    }
                }
                _ => self.ends.push(value.span().end),
            }
            path.pop();
        }
    }

    fn header(&mut self, span: Span, path: Vec<String>) {
        self.headers.push(Header {
            start: span.start,
            end: span.end,
            path,
        });
    }

    /// Whether the text of a value begins so.
    pub(crate) fn is_written(&self, value: Value<'_>, start: &str) -> bool {
        let from = value.span().start as usize;
        self.text.get(from..).is_some_and(|rest| rest.starts_with(start))
    }

    /// What the file has at a path.
    pub(crate) fn value(&self, path: &[String]) -> Option<Value<'d>> {
        let (last, above) = path.split_last()?;
        let table = above
            .iter()
            .try_fold(self.root, |table, key| table.get(key)?.1.as_table());
        Some(table?.get(last)?.1)
    }

    /// Whether the file has a value at a path, or anything of the group in it.
    pub(crate) fn has(&self, path: &[String]) -> bool {
        self.value(path).is_some() || path.get(..2).is_some_and(|group| self.value(group).is_some())
    }

    /// Puts the lines of a section where the file has its table, or a new table at the end of what belongs together.
    pub(crate) fn put_section(&mut self, section: &Section) {
        let known = (1..=section.path.len()).rev().find_map(|depth| {
            let path = section.path.get(..depth)?;
            Some((depth, self.value(path)?))
        });
        let rest = |depth: usize| section.path.get(depth..).unwrap_or_default();
        match known {
            Some((depth, value)) if self.is_written(value, "{") => {
                self.put_lines(section, depth, |file, key, value| {
                    file.put_inline_at(section.path.get(..depth).unwrap_or_default(), key, value);
                });
            }
            Some((depth, value)) if depth == section.path.len() && self.is_written(value, "[") => {
                let end = self.region_end(value.span().start);
                self.put_lines(section, depth, |file, key, value| file.put_line(end, key, value));
            }
            Some((depth, value)) => match self.dotted_under(value, depth) {
                Some((header, end)) => {
                    let above: Vec<String> = section.path.get(header..depth).unwrap_or_default().to_vec();
                    let above: Vec<String> = above.iter().chain(rest(depth)).cloned().collect();
                    for line in &section.lines {
                        let key: Vec<String> = above.iter().chain(&line.key).cloned().collect();
                        if let Some(value) = &line.value {
                            self.put_line(end, &key, value);
                        }
                    }
                }
                None => self.put_table(section),
            },
            None => self.put_table(section),
        }
    }

    /// Puts the lines of a section, with the part of its path that the file does not have before their keys.
    fn put_lines(&mut self, section: &Section, depth: usize, mut put: impl FnMut(&mut Self, &[String], &draft::Value)) {
        for line in &section.lines {
            let rest = section.path.get(depth..).unwrap_or_default();
            let key: Vec<String> = rest.iter().chain(&line.key).cloned().collect();
            if let Some(value) = &line.value {
                put(self, &key, value);
            }
        }
    }

    /// Puts an entry into the table at a path, however that is written.
    pub(crate) fn put_entry(&mut self, path: &[String], key: &str, value: &draft::Value) {
        let Some(table) = self.value(path) else { return };
        let key = [key.to_owned()];
        if self.is_written(table, "{") {
            self.put_inline_at(path, &key, value);
        } else if self.is_written(table, "[") {
            let end = self.region_end(table.span().start);
            self.put_line(end, &key, value);
        } else if let Some((header, end)) = self.dotted_under(table, path.len()) {
            let above = path.get(header..).unwrap_or_default();
            let key: Vec<String> = above.iter().chain(&key).cloned().collect();
            self.put_line(end, &key, value);
        } else {
            // A table that exists only by the headers of those below it.
            let text = Section {
                comments: Vec::new(),
                path: path.to_vec(),
                lines: vec![super::super::layout::line(&[&key[0]], value.clone())],
                begins: false,
            };
            self.put_table(&text);
        }
    }

    fn put_inline_at(&mut self, path: &[String], key: &[String], value: &draft::Value) {
        let Some(table) = self.value(path) else { return };
        let last = table.as_table().and_then(|entries| self.last_end(entries));
        let at = last.unwrap_or(table.span().start + 1);
        let inline = self.inline.entry(at).or_insert_with(|| Inline {
            filled: last.is_some(),
            entries: Vec::new(),
        });
        inline.entries.push(assignment(key, value));
    }

    /// Where the last value of a table in braces ends.
    fn last_end(&self, table: Table<'_>) -> Option<u32> {
        let ends = table.entries().filter_map(|(_, value)| match value.as_table() {
            Some(below) if !self.is_written(value, "{") => self.last_end(below),
            _ => Some(value.span().end),
        });
        ends.max()
    }

    /// For a table written by dotted keys: the length of the path of the header above it, and where that header's lines
    /// end. `None` if it is written by headers.
    fn dotted_under(&self, value: Value<'_>, depth: usize) -> Option<(usize, u32)> {
        let header = self.header_above(value.span().start)?;
        let is_above = header.path.len() < depth && header.path.first().is_none_or(|first| !first.is_empty());
        let written_here = !self.is_header_key(value.span().start);
        (is_above && written_here).then(|| (header.path.len(), self.region_end(header.start)))
    }

    /// Whether a place is in the brackets of a header.
    fn is_header_key(&self, at: u32) -> bool {
        self.header_above(at).is_some_and(|header| at < header.end)
    }

    fn header_above(&self, at: u32) -> Option<&Header> {
        let next = self.headers.partition_point(|header| header.start <= at);
        self.headers.get(next.checked_sub(1)?)
    }

    /// Where the last value below a header ends, or the header itself.
    fn region_end(&self, header: u32) -> u32 {
        let at = self
            .headers
            .partition_point(|known| known.start < header || (known.start == header && known.end == 0));
        let own = self.headers.get(at).filter(|known| known.start == header);
        let (start, end) = own.map_or((header, header), |known| (known.start, known.end));
        let next = self.headers.iter().find(|known| known.start > start && known.end > 0);
        let limit = next.map_or(u32::MAX, |next| next.start);
        let last = self.ends.partition_point(|value| *value < limit);
        let last = last.checked_sub(1).and_then(|last| self.ends.get(last)).copied();
        last.filter(|last| *last > end).unwrap_or(end)
    }

    fn put_line(&mut self, end: u32, key: &[String], value: &draft::Value) {
        self.lines.entry(end).or_default().0.push(assignment(key, value));
    }

    /// Puts a new table behind the last one that shares the most of its path, or at the end.
    fn put_table(&mut self, section: &Section) {
        let shared = |header: &Header| {
            header
                .path
                .iter()
                .zip(&section.path)
                .take_while(|(a, b)| a == b)
                .count()
        };
        let nearest = self
            .headers
            .iter()
            .filter(|header| shared(header) > 0)
            .max_by_key(|header| (shared(header), header.start));
        let end = match nearest {
            Some(header) => self.region_end(header.start),
            None => u32::try_from(self.text.trim_end().len()).unwrap_or(u32::MAX),
        };
        let sections = &mut self.lines.entry(end).or_default().1;
        match sections.iter_mut().find(|known| known.path == section.path) {
            Some(known) => known.lines.extend(section.lines.iter().cloned()),
            None => sections.push(section.clone()),
        }
    }

    /// Puts a text at a byte, behind what was put there before.
    pub(crate) fn put(&mut self, at: u32, text: &str) {
        self.within.entry(at).or_default().push_str(text);
    }

    /// Replaces a part of the text.
    pub(crate) fn replace(&mut self, start: u32, end: u32, text: String) {
        let span = Span {
            file: self.file,
            start,
            end,
        };
        self.replaced.push(Edit { span, text });
    }

    /// All insertions, as edits of the text.
    pub(crate) fn edits(&self) -> Vec<Edit> {
        let mut edits = self.replaced.clone();
        let at = |at: u32, text: String| Edit {
            span: Span {
                file: self.file,
                start: at,
                end: at,
            },
            text,
        };
        edits.extend(self.within.iter().map(|(file, text)| at(*file, text.clone())));
        for (file, inline) in &self.inline {
            let entries = inline.entries.join(", ");
            let text = if inline.filled {
                format!(", {entries}")
            } else {
                format!(" {entries} ")
            };
            edits.push(at(*file, text));
        }
        let line_break = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        for (file, (lines, sections)) in &self.lines {
            let from = *file as usize;
            let rest = self.text.get(from..).unwrap_or_default();
            let line = rest.split('\n').next().unwrap_or_default();
            let end = from + line.strip_suffix('\r').unwrap_or(line).len();
            let mut text = String::new();
            for line in lines {
                text.push('\n');
                text.push_str(line);
            }
            for section in sections {
                text.push_str(if section.begins { "\n\n" } else { "\n" });
                let mut own = String::new();
                section_into(&mut own, section);
                text.push_str(own.trim_end_matches('\n'));
            }
            if end == self.text.len() && !self.text.is_empty() {
                text.push('\n');
            }
            let text = if from == 0 && self.text.is_empty() {
                text.trim_start().to_owned()
            } else {
                text
            };
            edits.push(at(
                u32::try_from(end).unwrap_or(u32::MAX),
                text.replace('\n', line_break),
            ));
        }
        edits
    }
}
