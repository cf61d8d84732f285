//! Places in CRDs as spans of their text.

use crate::source::{FileId, Location, SourceFile, Span};

/// The span of a name at a place, quotes included; without a name, up to the next colon or the end of the line.
pub(crate) fn span(id: FileId, file: &SourceFile<'_>, place: Location, name: &str) -> Option<Span> {
    let start = file.offset(place)?;
    let rest = file
        .text
        .get(start as usize..file.line_start(place.line.saturating_add(1)) as usize)?;
    let quoted = rest.starts_with(['"', '\'']);
    let unquoted = rest.trim_start_matches(['"', '\'']);
    let length = if !name.is_empty() && unquoted.starts_with(name) {
        name.len() + if quoted { 2 } else { 0 }
    } else {
        let word = rest.split([':', '\n', '\r']).next().unwrap_or_default();
        word.trim_end().len()
    };
    let end = u32::try_from(length.min(rest.len())).ok()?;
    Some(Span {
        file: id,
        start,
        end: start.checked_add(end)?,
    })
}
