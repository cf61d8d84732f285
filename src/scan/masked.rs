//! Texts without what is secret, for excerpts in reports.

use std::ops::Range;

use super::object::SECRET;
use crate::source::Span;
use crate::text::documents;

/// A text in which the documents that may have secrets are unreadable, except for the places of findings. Every
/// character keeps its length, so that places stay where they are. `None` where nothing has to be hidden.
pub(crate) fn masked(text: &str, shown: &[Span]) -> Option<String> {
    if !text.contains(SECRET) {
        return None;
    }
    let mut result = String::with_capacity(text.len());
    for (_, document) in documents(text) {
        let begin = result.len();
        if !document.contains(SECRET) {
            result.push_str(document);
            continue;
        }
        let ranges = shown.iter().map(|span| span.start as usize..span.end as usize);
        let ranges: Vec<Range<usize>> = ranges.filter(|range| range.end > begin).collect();
        result.extend(document.char_indices().map(|(at, c)| {
            let is_shown = ranges.iter().any(|range| range.contains(&(begin + at)));
            if is_shown { c } else { mask(c) }
        }));
    }
    Some(result)
}

/// A character of the same length that says nothing.
fn mask(c: char) -> char {
    match c.len_utf8() {
        _ if c.is_ascii_whitespace() => c,
        1 => '*',
        2 => '·',
        3 => '…',
        _ => '\u{1d15d}',
    }
}
