//! The texts that a run reads, and places in them.
//!
//! What is read from a text keeps its [`Span`], so that every later message can point at it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use serde::ser::{Serialize, SerializeStruct, Serializer};

/// A name or a message on one line: characters that would break it, control a terminal or turn the direction of text
/// are escaped. A line break becomes `\n`, an escape character `\u{1b}`.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || turns_direction(c) || matches!(c, '\u{2028}' | '\u{2029}') {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// Whether a character reverses the direction of the text after it.
pub(crate) fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Which of the [`Sources`] a place is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u16);

/// A stretch of one source text, in bytes, end excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A range of bytes of a text; beyond 4 GiB, the last place there is.
    pub(crate) fn of(file: FileId, range: Range<usize>) -> Self {
        Self {
            file,
            start: saturating(range.start),
            end: saturating(range.end),
        }
    }
}

/// A place as people count it: lines and columns from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Location {
    /// The line, from 1; 0 in what was not read from a text.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
}

/// A span with its file, lines and columns looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The bytes.
    pub(crate) span: Span,
    /// The name of the file.
    pub(crate) file: String,
    /// Where it begins.
    pub(crate) start: Location,
    /// Where it ends: one past the last character.
    pub(crate) end: Location,
}

/// As people count: `file`, `line`, `column`, `end_line`, `end_column`.
impl Serialize for Region {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Region", 5)?;
        fields.serialize_field("file", &self.file)?;
        fields.serialize_field("line", &self.start.line)?;
        fields.serialize_field("column", &self.start.column)?;
        fields.serialize_field("end_line", &self.end.line)?;
        fields.serialize_field("end_column", &self.end.column)?;
        fields.end()
    }
}

#[cfg(test)]
impl schemars::JsonSchema for Region {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Region".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let [file, number] = [generator.subschema_for::<String>(), generator.subschema_for::<u32>()];
        let keys = ["file", "line", "column", "end_line", "end_column"];
        schemars::json_schema!({
            "type": "object",
            "properties": { "file": file, "line": number, "column": number, "end_line": number, "end_column": number },
            "required": keys,
        })
    }
}

/// One text with the name it is shown under.
#[derive(Debug)]
pub struct SourceFile<'a> {
    /// As the user wrote it (a path relative to the current folder, `-` for standard input).
    pub(crate) name: String,
    /// The text.
    pub text: &'a str,
    line_starts: OnceLock<Vec<u32>>,
    /// How many characters there are before every [`STRIDE`]th byte.
    characters: OnceLock<Vec<u32>>,
    /// The places of some byte offsets, if the text is not held.
    locations: BTreeMap<u32, Location>,
}

/// Bytes between two counts of characters: the most that is counted again for a place on a long line.
const STRIDE: usize = 256;

/// All texts of one run. A [`FileId`] is the position of a text; those of the base count from [`Sources::BASE`].
#[derive(Debug, Default)]
pub struct Sources<'a> {
    files: Vec<SourceFile<'a>>,
    base: Vec<SourceFile<'a>>,
}

impl<'a> Sources<'a> {
    /// No texts yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of the first text of the base, the state that a change is compared with.
    pub const BASE: FileId = FileId(1 << 15);

    /// Adds a text. Texts beyond 32,768 share the last id; beyond 4 GiB, positions stay at the end.
    pub fn add(&mut self, name: impl Into<String>, text: &'a str) -> FileId {
        self.add_file(SourceFile::new(name, text))
    }

    /// Adds a text that is not held, with the places of some byte offsets.
    pub fn add_without_text(&mut self, name: impl Into<String>, locations: BTreeMap<u32, Location>) -> FileId {
        self.add_file(SourceFile::without_text(name, locations))
    }

    fn add_file(&mut self, file: SourceFile<'a>) -> FileId {
        let id = u16::try_from(self.files.len())
            .unwrap_or(u16::MAX)
            .min(Self::BASE.0 - 1);
        self.files.push(file);
        FileId(id)
    }

    /// Adds a text of the base.
    pub fn add_base(&mut self, name: impl Into<String>, text: &'a str) -> FileId {
        self.add_base_file(SourceFile::new(name, text))
    }

    /// Adds a text of the base that is not held, with the places of some byte offsets.
    pub fn add_base_without_text(&mut self, name: impl Into<String>, locations: BTreeMap<u32, Location>) -> FileId {
        self.add_base_file(SourceFile::without_text(name, locations))
    }

    fn add_base_file(&mut self, file: SourceFile<'a>) -> FileId {
        let id = u16::try_from(self.base.len())
            .unwrap_or(u16::MAX)
            .saturating_add(Self::BASE.0);
        self.base.push(file);
        FileId(id)
    }

    /// The text with this id, if it was added here.
    pub fn file(&self, id: FileId) -> Option<&SourceFile<'a>> {
        match id.0.checked_sub(Self::BASE.0) {
            Some(at) => self.base.get(usize::from(at)),
            None => self.files.get(usize::from(id.0)),
        }
    }

    /// The region of a span.
    pub(crate) fn region(&self, span: Span) -> Option<Region> {
        let file = self.file(span.file)?;
        Some(Region {
            span,
            file: file.name.clone(),
            start: file.location(span.start),
            end: file.location(span.end),
        })
    }

    /// Where a span begins.
    pub fn locate(&self, span: Span) -> Option<(&str, Location)> {
        let file = self.file(span.file)?;
        Some((&file.name, file.location(span.start)))
    }
}

impl<'a> SourceFile<'a> {
    pub(crate) fn new(name: impl Into<String>, text: &'a str) -> Self {
        Self {
            name: name.into(),
            text,
            line_starts: OnceLock::new(),
            characters: OnceLock::new(),
            locations: BTreeMap::new(),
        }
    }

    fn without_text(name: impl Into<String>, locations: BTreeMap<u32, Location>) -> Self {
        Self {
            locations,
            ..Self::new(name, "")
        }
    }
}

impl SourceFile<'_> {
    /// The line and column of a byte offset; offsets past the end are the end.
    pub(crate) fn location(&self, offset: u32) -> Location {
        if let Some(location) = self.locations.get(&offset) {
            return *location;
        }
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start <= offset).max(1);
        let start = starts.get(line - 1).copied().unwrap_or(0);
        Location {
            line: saturating(line),
            column: saturating(self.characters_between(start, offset) + 1),
        }
    }

    /// The byte offset of a line and column; columns past the end of a line are that end. `None` past the last line.
    pub fn offset(&self, location: Location) -> Option<u32> {
        let line = (location.line as usize).checked_sub(1)?;
        let start = *self.line_starts().get(line)?;
        let end = self.line_start(location.line.saturating_add(1));
        let wanted = self.characters_before(start) + (location.column as usize).saturating_sub(1);
        let counts = self.counts();
        let stride = counts
            .partition_point(|count| *count as usize <= wanted)
            .saturating_sub(1);
        let before = counts.get(stride).map_or(0, |count| *count as usize);
        let rest = self.text.as_bytes().get(stride * STRIDE..).unwrap_or_default();
        let mut begins = rest.iter().enumerate().filter(|(_, byte)| begins_character(**byte));
        let within = begins.nth(wanted - before).map_or(rest.len(), |(at, _)| at);
        Some(saturating(stride * STRIDE + within).clamp(start, end))
    }

    /// How many characters begin before each stride.
    fn counts(&self) -> &[u32] {
        self.characters.get_or_init(|| {
            let strides = self.text.as_bytes().chunks(STRIDE);
            strides
                .scan(0_u32, |sum, stride| {
                    let before = *sum;
                    *sum = sum.saturating_add(saturating(characters(stride)));
                    Some(before)
                })
                .collect()
        })
    }

    /// How many characters begin in a part of a line. Only long parts are worth a count of the whole text.
    fn characters_between(&self, start: u32, end: u32) -> usize {
        let end = (end as usize).min(self.text.len());
        match self.text.as_bytes().get(start as usize..end) {
            Some(part) if part.len() <= STRIDE => characters(part),
            _ => self.characters_before(saturating(end)) - self.characters_before(start),
        }
    }

    /// How many characters begin before a byte.
    fn characters_before(&self, offset: u32) -> usize {
        let counts = self.counts();
        let offset = (offset as usize).min(self.text.len());
        let stride = (offset / STRIDE).min(counts.len().saturating_sub(1));
        let known = counts.get(stride).map_or(0, |count| *count as usize);
        known + characters(&self.text.as_bytes()[(stride * STRIDE).min(offset)..offset])
    }

    /// The byte offset at which a line (from 1) begins; past the last line, the end of the text.
    pub fn line_start(&self, line: u32) -> u32 {
        self.line_starts()
            .get((line as usize).saturating_sub(1))
            .copied()
            .unwrap_or_else(|| saturating(self.text.len()))
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let newlines = self.text.match_indices('\n');
            std::iter::once(0)
                .chain(newlines.map(|(at, _)| saturating(at + 1)))
                .collect()
        })
    }
}

/// How many characters of UTF-8 begin in these bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| begins_character(**byte)).count()
}

/// Whether a character begins at a byte of UTF-8.
fn begins_character(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

fn saturating(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_on_one_line_and_keeps_its_direction() {
        assert_eq!(one_line("größe.toml"), "größe.toml");
        assert_eq!(
            one_line("a\nb\r\t\u{1b}[31m\u{202e}\u{2028}"),
            "a\\nb\\r\\t\\u{1b}[31m\\u{202e}\\u{2028}"
        );
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        let mut sources = Sources::new();
        let file = sources.add("a", "x\nünder = 1\n");
        let span = Span {
            file,
            start: 9,
            end: 10,
        };
        let (name, place) = sources.locate(span).unwrap();
        assert_eq!((name, place.line, place.column), ("a", 2, 7));
    }

    #[test]
    fn columns_on_a_long_line_count_characters_too() {
        let text = format!("x\n{}y", "ü".repeat(10_000));
        let mut sources = Sources::new();
        let file = sources.add("a", &text);
        let place = sources.file(file).unwrap().location(20_002);
        assert_eq!((place.line, place.column), (2, 10_001));
    }

    #[test]
    fn a_line_and_column_lead_back_to_their_byte() {
        let text = format!("x\n\n{}y\nz", "aü".repeat(3_000));
        let file = SourceFile::new("a", &text);
        for (offset, _) in text.char_indices() {
            let offset = saturating(offset);
            assert_eq!(file.offset(file.location(offset)), Some(offset));
        }
        let far = |line, column| file.offset(Location { line, column });
        assert_eq!(far(1, 9), Some(2), "a column past the end of its line is that end");
        assert_eq!(far(4, 9), Some(saturating(text.len())));
        assert_eq!((far(0, 1), far(5, 1)), (None, None));
    }

    #[test]
    fn an_offset_past_the_end_is_the_end() {
        let mut sources = Sources::new();
        let file = sources.add("a", "x\n");
        let far = sources.file(file).unwrap().location(99);
        assert_eq!(far.line, 2);
    }
}
