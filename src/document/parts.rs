//! A large text in two parts, so that they can be parsed side by side.
//!
//! TOML is read from its beginning, but a table's header says in full where it belongs: a text may be cut before any
//! header, and both parts are documents. What the parts say of the same thing is put together as that of included files
//! is. Whatever goes wrong, the whole text is read instead, so that messages do not depend on the cut.

use std::collections::HashSet;

use toml::de::{DeTable, DeValue};

use crate::source::{FileId, Span};

/// Texts below this many bytes are not worth a second thread.
const WORTH_A_THREAD: usize = 1 << 20;

/// Where a part's places are counted from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    pub(super) file: FileId,
    /// The part's first byte in the whole text.
    pub(super) base: u32,
}

impl Origin {
    /// The place of a range of bytes of the part.
    pub(super) fn span(self, range: std::ops::Range<usize>) -> Span {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX).saturating_add(self.base);
        Span {
            file: self.file,
            start: narrow(range.start),
            end: narrow(range.end),
        }
    }
}

/// Where to cut a text: before a header near its middle that begins another section than the header before it.
pub(super) fn cut(text: &str) -> Option<usize> {
    if text.len() < WORTH_A_THREAD {
        return None;
    }
    let middle = (text.len() / 2..text.len()).find(|at| text.is_char_boundary(*at))?;
    let before = text[..middle].rfind("\n[")?;
    let mut section = section_of(&text[before + 1..]);
    let mut from = before + 1;
    while let Some(found) = text[from..].find("\n[") {
        let header = from + found + 1;
        let next = section_of(&text[header..]);
        if next != section {
            return Some(header);
        }
        section = next;
        from = header;
    }
    None
}

/// Whether two parts speak of one section: only then can they define one table twice.
///
/// The cut is between sections, so that this is rare; and looking at it costs next to nothing.
pub(super) fn meet(first: &DeTable<'_>, second: &DeTable<'_>) -> bool {
    first.iter().any(|(key, value)| {
        let Some(other) = second.get(key.get_ref().as_ref()) else {
            return false;
        };
        match (value.get_ref(), other.get_ref()) {
            (DeValue::Table(first), DeValue::Table(second)) if *key.get_ref() == "group" => {
                first.keys().any(|name| second.contains_key(name.get_ref().as_ref()))
            }
            _ => true,
        }
    })
}

/// Whether a table's header stands in both parts: a second definition, which only the whole text shows to be one.
pub(super) fn share_a_table(first: &str, second: &str) -> bool {
    let first: HashSet<&str> = headers(first).collect();
    headers(second).any(|header| first.contains(header))
}

/// The headers of tables, as far as a line shows them; not those of lists of tables, which may stand again.
fn headers(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim_start);
    let tables = lines.filter(|line| line.starts_with('[') && !line.starts_with("[["));
    tables.filter_map(|line| Some(line.split_once(']')?.0))
}

/// The first two keys of a header, as written: `[group."apps"` of `[group."apps".kind.Deployment]`.
fn section_of(text: &str) -> &str {
    let line = text.split('\n').next().unwrap_or(text);
    let mut quoted = None;
    let mut dots = 0;
    for (at, c) in line.char_indices() {
        match (c, quoted) {
            ('"' | '\'', None) => quoted = Some(c),
            (_, Some(quote)) if c == quote => quoted = None,
            ('.', None) => dots += 1,
            _ => {}
        }
        if dots == 2 || (c == ']' && quoted.is_none()) {
            return &line[..at];
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_sections() {
        let group = |name: &str| {
            let kind = format!("[group.\"{name}.example.com\".kind.K]\nresource = \"ks\"\n");
            kind + &"# comment\n".repeat(60_000)
        };
        let text = group("a") + &group("a") + &group("b");
        let at = cut(&text).unwrap();
        assert!(text[at..].starts_with("[group.\"b.example.com\""));
        assert_eq!(cut("[a]\n[b]\n"), None);
    }

    #[test]
    fn a_table_that_is_defined_in_both_parts_is_seen() {
        let first = "[group.a.version]\nv1 = {}\n[[exception]]\n";
        assert!(share_a_table(first, "[b]\n  [group.a.version] # again\n"));
        assert!(!share_a_table(first, "[group.a.kind.K]\n[[exception]]\n"));
    }

    #[test]
    fn a_section_is_the_first_two_keys() {
        assert_eq!(section_of("[group.\"a.b\".kind.K]\nx"), "[group.\"a.b\"");
        assert_eq!(section_of("[gate]"), "[gate");
        assert_eq!(section_of("[[exception]]"), "[[exception");
    }
}
