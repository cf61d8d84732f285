//! One file of a model: what it has where, and where to insert what is new.

use std::collections::BTreeMap;

use crate::document::{Document, Edit, Table, Value};
use crate::source::{FileId, Span};

use super::super::draft;
use super::super::layout::{Section, line};
use super::super::write::{assignment, section_text};

pub(super) struct ModelFile<'d> {
    pub(crate) text: &'d str,
    file: FileId,
    root: Table<'d>,
    /// The headers of tables with where they begin and end, in the order of the file; the file's beginning is one.
    headers: Vec<Header>,
    ends: Vec<u32>,
    /// Entries within braces, by where they go.
    inline: BTreeMap<u32, Inline>,
    /// Lines below the last one of a table, by where that ends; then new tables.
    lines: BTreeMap<u32, (Vec<String>, Vec<Section>)>,
    /// Texts within values, by where they go.
    within: BTreeMap<u32, String>,
    replaced: Vec<Edit>,
}

#[derive(Default)]
struct Header {
    start: u32,
    end: u32,
    path: Vec<String>,
}

impl Header {
    fn shares(&self, path: &[String]) -> usize {
        self.path.iter().zip(path).take_while(|(a, b)| a == b).count()
    }
}

/// The lines of a section that have a value, their keys counted from a step of its path on.
fn lines(section: &Section, from: usize) -> impl Iterator<Item = (Vec<String>, &draft::Value)> {
    let above = section.path.get(from..).unwrap_or_default();
    section.lines.iter().filter_map(|line| {
        let key = above.iter().chain(&line.key).cloned().collect();
        Some((key, line.value.as_ref()?))
    })
}

struct Inline {
    filled: bool,
    entries: Vec<String>,
}

impl<'d> ModelFile<'d> {
    pub(crate) fn new(document: &'d Document<'_>) -> Self {
        let file = document.file();
        let mut file = Self {
            text: document.text(),
            file,
            root: document.root(),
            headers: vec![Header::default()],
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
            match (value.as_table(), value.as_list()) {
                (Some(below), _) if !self.is_written(value, "{") => {
                    path.push(key.name.to_owned());
                    if self.is_written(value, "[") {
                        self.header(value.span(), path.clone());
                    }
                    self.index(below, path);
                    path.pop();
                }
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
        }
    }

    fn header(&mut self, span: Span, path: Vec<String>) {
        self.headers.push(Header {
            start: span.start,
            end: span.end,
            path,
        });
    }

    pub(crate) fn is_written(&self, value: Value<'_>, start: &str) -> bool {
        let from = value.span().start as usize;
        self.text.get(from..).is_some_and(|rest| rest.starts_with(start))
    }

    pub(crate) fn value(&self, path: &[String]) -> Option<Value<'d>> {
        let (last, above) = path.split_last()?;
        let mut above = above.iter();
        let table = above.try_fold(self.root, |table, key| table.get(key)?.1.as_table())?;
        Some(table.get(last)?.1)
    }

    /// Whether the file has a value at a path, or anything of the group in it.
    pub(crate) fn has(&self, path: &[String]) -> bool {
        self.value(path).is_some() || path.get(..2).is_some_and(|group| self.value(group).is_some())
    }

    /// Puts the lines of a section where the file has its table, or a new table at the end of what belongs together.
    pub(super) fn put_section(&mut self, section: &Section) {
        let known = (1..=section.path.len())
            .rev()
            .find_map(|depth| Some((depth, self.value(section.path.get(..depth)?)?)));
        let Some((depth, value)) = known else {
            return self.put_table(section);
        };
        // Within braces, a table may be written by dotted keys.
        let mut braces = (1..=depth).rev();
        let braces = braces.find(|depth| {
            self.value(&section.path[..*depth])
                .is_some_and(|value| self.is_written(value, "{"))
        });
        if let Some(depth) = braces {
            for (key, value) in lines(section, depth) {
                self.put_inline_at(&section.path[..depth], &key, value);
            }
            return;
        }
        let is_header = depth == section.path.len() && self.is_written(value, "[");
        let own = is_header.then(|| (depth, self.region_end(value.span().start)));
        // A table that exists only by the headers of those below it gets a header of its own.
        let Some((from, end)) = own.or_else(|| self.dotted_under(value, depth)) else {
            return self.put_table(section);
        };
        for (key, value) in lines(section, from) {
            self.lines.entry(end).or_default().0.push(assignment(&key, value));
        }
    }

    /// Puts an entry into the table at a path, however that is written.
    pub(super) fn put_entry(&mut self, path: &[String], key: &str, value: &draft::Value) {
        self.put_section(&Section {
            path: path.to_vec(),
            lines: vec![line(&[key], value.clone())],
            ..Section::default()
        });
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

    fn is_header_key(&self, at: u32) -> bool {
        self.header_above(at).is_some_and(|header| at < header.end)
    }

    fn header_above(&self, at: u32) -> Option<&Header> {
        let next = self.headers.partition_point(|header| header.start <= at);
        self.headers.get(next.checked_sub(1)?)
    }

    /// Where the last value below a header ends, or the header itself.
    pub(super) fn region_end(&self, header: u32) -> u32 {
        let at = self
            .headers
            .partition_point(|known| known.start < header || (known.start == header && known.end == 0));
        let own = self.headers.get(at).filter(|known| known.start == header);
        let end = own.map_or(header, |known| known.end);
        let next = self.headers.iter().find(|known| known.start > header && known.end > 0);
        let limit = next.map_or(u32::MAX, |next| next.start);
        let last = self.ends.partition_point(|value| *value < limit);
        let last = last.checked_sub(1).and_then(|last| self.ends.get(last)).copied();
        last.filter(|last| *last > end).unwrap_or(end)
    }

    /// Puts a new table behind the last one that shares the most of its path, or at the end.
    fn put_table(&mut self, section: &Section) {
        let headers = self.headers.iter();
        let shared = headers.map(|header| (header.shares(&section.path), header.start));
        let nearest = shared.filter(|(shared, _)| *shared > 0).max();
        let end = match nearest {
            Some((_, start)) => self.region_end(start),
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

    pub(crate) fn replace(&mut self, start: u32, end: u32, text: String) {
        self.replaced.push(self.edit(start, end, text));
    }

    fn edit(&self, start: u32, end: u32, text: String) -> Edit {
        let file = self.file;
        Edit {
            span: Span { file, start, end },
            text,
        }
    }

    pub(crate) fn edits(&self) -> Vec<Edit> {
        let mut edits = self.replaced.clone();
        // What ends a value comes before what follows it.
        let mut within = self.within.clone();
        for (at, inline) in &self.inline {
            let ending = within.remove(at).unwrap_or_default();
            let entries = inline.entries.join(", ");
            let [before, after] = if inline.filled { [", ", ""] } else { [" ", " "] };
            edits.push(self.edit(*at, *at, format!("{ending}{before}{entries}{after}")));
        }
        let line_break = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        for (at, (lines, sections)) in &self.lines {
            let from = *at as usize;
            let rest = self.text.get(from..).unwrap_or_default();
            let line = rest.split('\n').next().unwrap_or_default();
            let end = from + line.strip_suffix('\r').unwrap_or(line).len();
            let mut text = String::new();
            text.extend(lines.iter().flat_map(|line| ["\n", line]));
            for section in sections {
                text.push_str(if section.begins { "\n\n" } else { "\n" });
                text.push_str(section_text(section).trim_end_matches('\n'));
            }
            if end == self.text.len() && !self.text.is_empty() {
                text.push('\n');
            }
            let text = if self.text.is_empty() { text.trim_start() } else { &text };
            let at = u32::try_from(end).unwrap_or(u32::MAX);
            let ending = within.remove(&at).unwrap_or_default();
            edits.push(self.edit(at, at, ending + &text.replace('\n', line_break)));
        }
        edits.extend(within.into_iter().map(|(at, text)| self.edit(at, at, text)));
        edits
    }
}
