//! Places of definitions as stretches of their text.

use crate::source::{FileId, Span};
use crate::text::Place;

/// The lines of a text.
pub(super) struct Lines<'t> {
    file: FileId,
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn new(file: FileId, text: &'t str) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        Self { file, text, starts }
    }

    /// The stretch at a place that a name covers, quotes included; without a name, up to the end of the line.
    pub fn span(&self, place: Place, name: &str) -> Option<Span> {
        let line = (place.line as usize).checked_sub(1)?;
        let start = *self.starts.get(line)?;
        let line = self.text.get(start..)?.lines().next()?;
        let columns = (place.column as usize).saturating_sub(1);
        let before = line.char_indices().nth(columns).map_or(line.len(), |(at, _)| at);
        let rest = line.get(before..)?;
        let quote = rest.chars().next().filter(|first| ['"', '\''].contains(first));
        let quotes = quote.map_or(0, |_| 2);
        let unquoted = rest.trim_start_matches(['"', '\'']);
        let length = if !name.is_empty() && unquoted.starts_with(name) {
            name.len() + quotes
        } else {
            rest.split(':').next().map_or(0, |word| word.trim_end().len())
        };
        let narrow = |at: usize| u32::try_from(at).ok();
        Some(Span {
            file: self.file,
            start: narrow(start + before)?,
            end: narrow(start + before + length.min(rest.len()))?,
        })
    }
}
