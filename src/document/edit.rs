//! Edits of a text that leave every other byte as it is: comments, order and line ends stay.

use crate::diagnostic::Change;
use crate::source::Span;

/// A range of a text, and its replacement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edit {
    /// The range; empty for an insertion.
    pub(crate) span: Span,
    /// The replacement.
    pub(crate) text: String,
}

/// A string as TOML writes it, in quotes.
pub(crate) fn quoted(text: &str) -> String {
    plainly_quoted(text).unwrap_or_else(|| toml::Value::String(text.to_owned()).to_string())
}

/// A string or a key in quotes, if nothing in it needs an escape. Almost all are such, and this is much faster.
pub(crate) fn plainly_quoted(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    bytes
        .all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\')
        .then(|| format!("\"{text}\""))
}

/// The edit that makes a change to a text. `None` if the way the text is written does not show where to make it.
pub(crate) fn edit(text: &str, change: &Change) -> Option<Edit> {
    match change {
        Change::Set { place, value } => {
            let was = text.get(place.start as usize..place.end as usize)?;
            let is_string = was.starts_with(['"', '\'']);
            is_string.then(|| Edit {
                span: *place,
                text: value.clone(),
            })
        }
        Change::Add { beside, key, value } => added(text, *beside, key, value),
        Change::Replace { place, text } => Some(Edit {
            span: *place,
            text: text.clone(),
        }),
        Change::Delete { entry } => deleted(text, *entry),
    }
}

/// Applies edits to a text. Of edits that overlap, only the first one is applied.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_unstable();
    let mut result = String::with_capacity(text.len() + 64);
    let mut done = 0;
    let mut last: Option<&Edit> = None;
    for edit in sorted {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        let touches = last.is_some_and(|last| start < last.span.end as usize || edit == last);
        let Some(before) = text.get(done..start).filter(|_| !touches) else {
            continue;
        };
        result.push_str(before);
        result.push_str(&edit.text);
        done = end;
        last = Some(edit);
    }
    result.push_str(text.get(done..).unwrap_or_default());
    result
}

/// Adds a key to the entry that holds a value: within its braces, or on a line of its own.
fn added(text: &str, value_span: Span, key: &str, value: &str) -> Option<Edit> {
    let (start, end) = (value_span.start as usize, value_span.end as usize);
    let before = text.get(..start)?.trim_end_matches([' ', '\t']).strip_suffix('=')?;
    let name_end = before.trim_end_matches([' ', '\t']).len();
    let name_start = text[..name_end]
        .trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        .len();
    if name_start == name_end {
        return None;
    }
    let rest = text.get(end..)?;
    if significant(rest).is_some_and(|c| c == ',' || c == '}') {
        let entry = dotted_before(&text[..name_start])?;
        return Some(insertion(value_span, end, format!(", {entry}{key} = {value}")));
    }
    let line_start = text[..name_start].rfind('\n').map_or(0, |newline| newline + 1);
    let prefix = &text[line_start..name_start];
    let line_end = end + rest.find('\n').unwrap_or(rest.len());
    let (line_end, line_break) = match text[..line_end].strip_suffix('\r') {
        Some(line) if line_end < text.len() => (line.len(), "\r\n"),
        // The last line may have no end to go by.
        _ if line_end == text.len() && text[..line_start].ends_with("\r\n") => (line_end, "\r\n"),
        _ => (line_end, "\n"),
    };
    Some(insertion(
        value_span,
        line_end,
        format!("{line_break}{prefix}{key} = {value}"),
    ))
}

/// The parts of a dotted key before its last one, with the last dot: `v1.` of `{ v1.introduced = "1.0" }`. `None` if a
/// quoted part makes them unclear.
fn dotted_before(text: &str) -> Option<&str> {
    if !text.trim_end_matches([' ', '\t']).ends_with('.') {
        return Some("");
    }
    let start = text.rfind(['{', ',', '\n']).map_or(0, |at| at + 1);
    let parts = text[start..].trim_start();
    let has_open_quote = ['"', '\''].iter().any(|quote| parts.matches(*quote).count() % 2 == 1);
    (!has_open_quote && !parts.contains('\\')).then_some(parts)
}

/// Removes an entry of an array of tables with its lines, and the empty line before it.
fn deleted(text: &str, entry: Span) -> Option<Edit> {
    let (start, end) = (entry.start as usize, entry.end as usize);
    let line_start = text.get(..start)?.rfind('\n').map_or(0, |newline| newline + 1);
    let rest = text.get(end..)?;
    let line = rest.split_inclusive('\n').next().unwrap_or_default();
    let alone = text[line_start..start].trim().is_empty() && text[start..].starts_with("[[");
    let ends = line.trim().is_empty() || line.trim_start().starts_with('#');
    if !alone || !ends {
        return None;
    }
    let before = &text[..line_start];
    let blank = ["\r\n\r\n", "\n\n"].iter().find(|blank| before.ends_with(*blank));
    let from = line_start - blank.map_or(0, |blank| blank.len() / 2);
    Some(Edit {
        span: Span::of(entry.file, from..end + line.len()),
        text: String::new(),
    })
}

fn insertion(near: Span, at: usize, text: String) -> Edit {
    Edit {
        span: Span::of(near.file, at..at),
        text,
    }
}

/// The first character that is neither blank nor part of a comment.
fn significant(mut rest: &str) -> Option<char> {
    loop {
        rest = rest.trim_start();
        match rest.strip_prefix('#') {
            Some(comment) => rest = comment.split_once('\n')?.1,
            None => return rest.chars().next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn span(text: &str, part: &str) -> Span {
        let start = u32::try_from(text.find(part).unwrap()).unwrap();
        Span {
            file: FileId(0),
            start,
            end: start + u32::try_from(part.len()).unwrap(),
        }
    }

    fn adding(text: &str) -> Option<String> {
        let change = Change::Add {
            beside: span(text, "\"1.0\""),
            key: "deprecated",
            value: quoted("1.1"),
        };
        edit(text, &change).map(|edit| apply(text, &[edit]))
    }

    #[test]
    fn a_key_is_added_in_the_way_the_entry_is_written() {
        let cases = [
            (
                "v1 = { introduced = \"1.0\" } # why\n",
                "v1 = { introduced = \"1.0\", deprecated = \"1.1\" } # why\n",
            ),
            (
                "v1 = {\n  introduced = \"1.0\" # why\n}\n",
                "v1 = {\n  introduced = \"1.0\", deprecated = \"1.1\" # why\n}\n",
            ),
            (
                "[v1]\nintroduced = \"1.0\" # why\n\n[v2]\n",
                "[v1]\nintroduced = \"1.0\" # why\ndeprecated = \"1.1\"\n\n[v2]\n",
            ),
            (
                "[v1]\r\n\tintroduced = \"1.0\"\r\nremoved = \"1.2\"\r\n",
                "[v1]\r\n\tintroduced = \"1.0\"\r\n\tdeprecated = \"1.1\"\r\nremoved = \"1.2\"\r\n",
            ),
            (
                "version = { v1.introduced = \"1.0\", v1.removed = \"1.2\" }\n",
                "version = { v1.introduced = \"1.0\", v1.deprecated = \"1.1\", v1.removed = \"1.2\" }\n",
            ),
            (
                "[v1]\r\nintroduced = \"1.0\"",
                "[v1]\r\nintroduced = \"1.0\"\r\ndeprecated = \"1.1\"",
            ),
            (
                "a.\"b c\".introduced = \"1.0\"",
                "a.\"b c\".introduced = \"1.0\"\na.\"b c\".deprecated = \"1.1\"",
            ),
        ];
        for (before, after) in cases {
            assert_eq!(adding(before).as_deref(), Some(after));
        }
    }

    #[test]
    fn an_entry_is_removed_with_its_lines_and_nothing_else() {
        let text = "a = 1\n\n# first\n[[exception]]\nrule = \"1\"\nreason = \"x\" # why\n\n# next\n[b]\n";
        let start = span(text, "[[exception]]");
        let end = span(text, "\"x\"");
        let entry = Span { end: end.end, ..start };
        let change = Change::Delete { entry };
        let edit = edit(text, &change).unwrap();
        assert_eq!(apply(text, &[edit]), "a = 1\n\n# first\n\n# next\n[b]\n");
    }

    #[test]
    fn an_entry_within_brackets_is_not_removed() {
        let text = "exception = [{ rule = \"1\" }]\n";
        let change = Change::Delete {
            entry: span(text, "{ rule = \"1\" }"),
        };
        assert_eq!(edit(text, &change), None);
    }

    #[test]
    fn a_key_is_not_added_where_its_place_is_unclear() {
        assert_eq!(adding("introduced = [\"1.0\", \"1.2\"]\n"), None);
        assert_eq!(adding("{ \"introduced\" = \"1.0\" }\n"), None);
    }

    #[test]
    fn only_the_first_of_overlapping_edits_is_applied() {
        let text = "a = \"1\"\nb = \"2\"\n";
        let set = |part, value: &str| Edit {
            span: span(text, part),
            text: value.to_owned(),
        };
        let edits = [set("\"2\"", "\"4\""), set("\"1\"", "\"3\""), set("\"1\"", "\"5\"")];
        assert_eq!(apply(text, &edits), "a = \"3\"\nb = \"4\"\n");
    }

    #[test]
    fn quoting_yields_one_string() {
        assert_eq!(quoted("a\"b\\c"), r#"'a"b\c'"#);
    }
}
