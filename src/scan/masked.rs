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
    let mut ranges: Vec<Range<usize>> = shown
        .iter()
        .map(|span| span.start as usize..span.end as usize)
        .collect();
    ranges.sort_unstable_by_key(|range| range.start);
    let mut ranges = ranges.into_iter().peekable();
    let (mut result, mut shown_until) = (String::with_capacity(text.len()), 0);
    for (_, document) in documents(text) {
        if !document.contains(SECRET) {
            result.push_str(document);
            continue;
        }
        for c in document.chars() {
            while let Some(range) = ranges.next_if(|range| range.start <= result.len()) {
                shown_until = range.end.max(shown_until);
            }
            let is_shown = result.len() < shown_until;
            result.push(if is_shown { c } else { mask(c) });
        }
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
