//! Texts in JSON and YAML, read within bounds, and errors in them.

mod simple;

use serde::de::DeserializeOwned;
use serde_saphyr::Spanned;

pub(crate) use simple::{Placed, read as read_simple};

use crate::source::Location;

/// How deep a document may nest: twice the depth of real schemas.
pub(crate) const DEEPEST: usize = 128;

/// Bytes of one text. All CRDs of a large cluster together stay below it.
pub const LARGEST: usize = 64 << 20;

/// Values, lists and tables of one document: more than [`LARGEST`] holds of ordinary text.
pub(crate) const MOST_NODES: usize = 2_000_000;

/// The same of one entry of a list: ten times those of an entry with all its keys.
const MOST_NODES_OF_ONE: usize = 10_000;

/// A list with more unreadable entries than this is taken for something else.
pub(crate) const MOST_UNREADABLE: usize = 200;

/// Values of one document that its aliases may repeat.
const MOST_REPEATED: usize = 200_000;

/// Aliases, anchors, and merge keys (`<<`) of a YAML text, each.
const MOST_ALIASES: usize = 50_000;
const MOST_MERGED: usize = 10_000;

impl Location {
    /// The place of a word of YAML, its lines counted from the beginning of its document.
    pub fn of(word: &Spanned<String>) -> Option<Self> {
        Self::of_reader(word.referenced)
    }

    /// A place that the YAML reader gives.
    fn of_reader(place: serde_saphyr::Location) -> Option<Self> {
        let [line, column] = [place.line(), place.column()].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        (line > 0).then_some(Self { line, column })
    }

    /// The same, in a document that begins at a line.
    #[must_use]
    pub(crate) fn below(self, line: u32) -> Self {
        Self {
            line: self.line.saturating_add(line.saturating_sub(1)),
            ..self
        }
    }
}

/// An error in a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unreadable {
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
    /// What is wrong.
    pub reason: String,
}

impl Unreadable {
    /// The place in a file of this name, and the reason: `crd.yaml:3:1: …`.
    pub fn within(&self, name: &str) -> String {
        format!("{name}:{}:{}: {self}", self.line, self.column)
    }
}

/// The documents of a YAML stream, each with the line it begins at.
pub(crate) fn documents(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut starts = vec![(1_u32, 0_usize)];
    let mut offset = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if begins_document(line) && offset > 0 {
            starts.push((number, offset));
        }
        offset += line.len();
    }
    cut(text, starts)
}

/// Whether a line marks where a document of a YAML stream begins.
pub fn begins_document(line: &str) -> bool {
    line.strip_prefix("---")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// The parts of a text that begin at these lines and bytes.
fn cut(text: &str, starts: Vec<(u32, usize)>) -> impl Iterator<Item = (u32, &str)> {
    let ends: Vec<usize> = starts.iter().skip(1).map(|(_, at)| *at).chain([text.len()]).collect();
    let parts = starts.into_iter().zip(ends);
    parts.map(|((line, start), end)| (line, text.get(start..end).unwrap_or_default()))
}

/// The entries of a list, each with the line that its own lines are counted from, and why others cannot be read.
pub(crate) type Listed<E> = (Vec<(u32, Spanned<E>)>, Vec<Unreadable>);

/// The entries of a YAML list.
pub(crate) fn listed<E: DeserializeOwned>(text: &str) -> Result<Listed<E>, Unreadable> {
    let whole = match entries(text, 1, MOST_NODES) {
        Ok(entries) => return Ok((entries, Vec::new())),
        Err(whole) => whole,
    };
    let (mut all, mut unreadable) = (Vec::new(), Vec::new());
    for (line, piece) in pieces(text).ok_or(whole)? {
        match entries(piece, line, MOST_NODES_OF_ONE) {
            Ok(entries) => all.extend(entries),
            Err(error) => unreadable.push(error),
        }
        if unreadable.len() > MOST_UNREADABLE {
            return Err(at(1, 1, format!("more than {MOST_UNREADABLE} entries cannot be read")));
        }
    }
    Ok((all, unreadable))
}

fn entries<E: DeserializeOwned>(text: &str, line: u32, nodes: usize) -> Result<Vec<(u32, Spanned<E>)>, Unreadable> {
    let entries: Option<Vec<Spanned<E>>> =
        serde_saphyr::from_str_with_options(text, limits(nodes)).map_err(|problem| of_problem(&problem, line))?;
    let entries = entries.ok_or_else(|| at(line, 1, "there is no list"))?;
    Ok(entries.into_iter().map(|entry| (line, entry)).collect())
}

/// The values of a JSON array, each with its line, which the parser does not give.
pub(crate) fn json_array<V: DeserializeOwned>(text: &str, expected: &str) -> Result<Vec<(u32, V)>, Unreadable> {
    bounded_json(text)?;
    let mut cursor = Cursor::new(text.trim_start_matches('\u{feff}'));
    if cursor.peek() != Some('[') {
        return Err(cursor.error(format!("not a JSON array: {expected}")));
    }
    cursor.skip(1);
    let mut values = Vec::new();
    let mut next = cursor.peek();
    while next != Some(']') {
        cursor.peek();
        values.push((cursor.line, cursor.value()?));
        next = cursor.peek();
        match next {
            Some(',') => cursor.skip(1),
            Some(']') => {}
            _ => return Err(cursor.error("expected `,` or `]`")),
        }
    }
    cursor.skip(1);
    match cursor.peek() {
        None => Ok(values),
        Some(_) => Err(cursor.error("unexpected text after the array")),
    }
}

/// What is left of a text, and where that begins.
pub(crate) struct Cursor<'t> {
    pub(crate) rest: &'t str,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(rest: &'t str) -> Self {
        let (line, column) = (1, 1);
        Self { rest, line, column }
    }

    pub(crate) fn skip(&mut self, bytes: usize) {
        let (passed, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        for c in passed.chars() {
            (self.line, self.column) = match c {
                '\n' => (self.line.saturating_add(1), 1),
                _ => (self.line, self.column.saturating_add(1)),
            };
        }
        self.rest = rest;
    }

    /// The next character that is no white space, to which it moves.
    fn peek(&mut self) -> Option<char> {
        self.skip(self.rest.len() - self.rest.trim_start().len());
        self.rest.chars().next()
    }

    fn value<V: DeserializeOwned>(&mut self) -> Result<V, Unreadable> {
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter();
        let value = values.next();
        let length = values.byte_offset();
        match value {
            Some(Ok(value)) => {
                self.skip(length);
                Ok(value)
            }
            Some(Err(problem)) => {
                let error = of_json(&problem);
                let column = match error.line {
                    1 => self.column.saturating_add(error.column - 1),
                    _ => error.column,
                };
                Err(at(self.line.saturating_add(error.line - 1), column, error.reason))
            }
            None => Err(self.error("the array does not end")),
        }
    }

    pub(crate) fn error(&self, reason: impl Into<String>) -> Unreadable {
        at(self.line, self.column, reason)
    }
}

/// The line of a place in a text that begins at a line.
pub(crate) fn line_below(line: u32, place: u64) -> u32 {
    let below = u32::try_from(place).unwrap_or(u32::MAX).saturating_sub(1);
    line.saturating_add(below)
}

/// The entries of a list whose items begin their lines, one by one, so that an unreadable one does not hide the others;
/// `None` where the text is no such list.
fn pieces(text: &str) -> Option<Vec<(u32, &str)>> {
    let mut starts: Vec<(u32, usize)> = Vec::new();
    let mut offset = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if line.starts_with("- ") {
            starts.push((number, offset));
        } else if starts.is_empty() && !matches!(line.trim_end().chars().next(), None | Some('#' | '-' | '%')) {
            return None;
        }
        offset += line.len();
    }
    (!starts.is_empty()).then(|| cut(text, starts).collect())
}

/// Refuses a text of more than `largest` bytes.
pub(crate) fn check_size(text: &str, largest: usize) -> Result<(), Unreadable> {
    if text.len() > largest {
        return Err(at(1, 1, format!("larger than {} MiB", largest >> 20)));
    }
    Ok(())
}

/// Checks that a text of JSON has no more than [`MOST_NODES`] values.
pub(crate) fn bounded_json(text: &str) -> Result<(), Unreadable> {
    // Each value but the first comes after one of these.
    let nodes = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if nodes > MOST_NODES {
        return Err(at(1, 1, format!("more than {MOST_NODES} values")));
    }
    Ok(())
}

/// An error in a YAML text that begins at a line.
pub(crate) fn of_problem(problem: &serde_saphyr::Error, line: u32) -> Unreadable {
    let place = problem.location();
    let column = place.map_or(1, |place| u32::try_from(place.column()).unwrap_or(u32::MAX));
    let plain = serde_saphyr::render_options! { snippets: serde_saphyr::SnippetMode::Off };
    let reason = problem.without_snippet().render_with_options(plain);
    let reason = reason.lines().next().unwrap_or_default();
    // The parser counts lines from the beginning of the document.
    let reason = reason.split(" at line ").next().unwrap_or(reason).to_owned();
    let reason = if reason.to_lowercase().contains("depth") {
        format!("nested deeper than {DEEPEST} levels")
    } else if reason.contains("RecordedAnchorEvents") || reason.contains("alias replay limit") {
        format!("its aliases repeat more than {MOST_REPEATED} values")
    } else if let Some(limit) = of_budget(&reason) {
        limit
    } else if reason.starts_with("non-finite float") {
        "a number that is infinite, too large or not a number".to_owned()
    } else if let Some(key) = twice(&reason) {
        format!("the key `{key}` is there twice")
    } else if reason.starts_with("recursive references") {
        "an alias repeats a value that it is in".to_owned()
    } else if reason.starts_with("cannot deserialize null into string") {
        "expected a string, found nothing".to_owned()
    } else {
        reason
    };
    at(
        place.map_or(line, |place| line_below(line, place.line())),
        column,
        reason,
    )
}

/// The key of a problem such as `duplicate mapping key: a, set DuplicateKeyPolicy in Options if acceptable`.
fn twice(reason: &str) -> Option<&str> {
    let key = reason.strip_prefix("duplicate mapping key: ")?;
    Some(key.rsplit_once(", set ").map_or(key, |(key, _)| key))
}

/// A limit that the parser found to be exceeded, such as `budget breached: MergeKeys { merge_keys: 10001 }`, in words.
fn of_budget(reason: &str) -> Option<String> {
    let (_, breached) = reason.split_once("budget breached: ")?;
    let what = match breached.split([' ', '{']).next().unwrap_or_default() {
        "MergeKeys" => "merge keys (`<<`)",
        "Aliases" => "aliases",
        "Anchors" => "anchors",
        "Nodes" => "values",
        "Documents" => "documents",
        "AliasAnchorRatio" => return Some("it has far more aliases than anchors".to_owned()),
        _ => return Some("it is too large".to_owned()),
    };
    let mut words = breached.split(|letter: char| !letter.is_ascii_digit());
    let count: usize = words.find_map(|word| word.parse().ok())?;
    Some(format!("it has more than {} {what}", count.saturating_sub(1)))
}

/// Bounds for hostile YAML: no more than so many values, lists and tables in one text.
pub(crate) fn limits(nodes: usize) -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEEPEST,
            max_nodes: nodes,
            max_aliases: MOST_ALIASES,
            max_anchors: MOST_ALIASES,
            max_merge_keys: MOST_MERGED,
            max_events: nodes * 2,
            max_total_scalar_bytes: LARGEST,
            max_recorded_anchor_events: MOST_REPEATED,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: MOST_REPEATED,
        },
    }
}

pub(crate) fn of_json(problem: &serde_json::Error) -> Unreadable {
    let text = problem.to_string();
    let reason = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(reason, _)| reason);
    let reason = match reason {
        "recursion limit exceeded" => format!("nested deeper than {DEEPEST} levels"),
        reason => reason.to_owned(),
    };
    let [line, column] = [problem.line(), problem.column()].map(|at| u32::try_from(at).unwrap_or(u32::MAX).max(1));
    at(line, column, reason)
}

pub(crate) fn at(line: u32, column: u32, reason: impl Into<String>) -> Unreadable {
    Unreadable {
        line,
        column,
        reason: reason.into(),
    }
}

/// The most characters of a message. What is longer quotes a name that nobody reads to its end.
const LONGEST_MESSAGE: usize = 1000;

/// A message without its middle, if it is too long.
pub fn shortened(text: String) -> String {
    let count = text.chars().count();
    if count <= LONGEST_MESSAGE {
        return text;
    }
    let first: String = text.chars().take(LONGEST_MESSAGE / 4).collect();
    let last: String = text.chars().skip(count - LONGEST_MESSAGE / 4).collect();
    format!("{first} … {last}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_parser_refuses_is_said_in_words_of_yaml() {
        for (text, expected) in [
            ("a: 1\nb: 2\na: 3\n", "3: the key `a` is there twice"),
            ("a: 1\nb: &b\n  c: *b\n", "3: an alias repeats a value that it is in"),
        ] {
            let problem = serde_saphyr::from_str_with_options::<serde_json::Value>(text, limits(MOST_NODES));
            let problem = of_problem(&problem.expect_err("it is refused"), 1);
            assert_eq!(format!("{}: {}", problem.line, problem.reason), expected);
        }
    }

    #[test]
    fn a_text_beyond_a_limit_says_where_and_which() {
        for (entry, count, expected) in [
            ("- {<<: *a}", 30_000, "it has more than 10000 merge keys (`<<`)"),
            ("- *a", 60_000, "it has more than 50000 aliases"),
            ("- &b 1", 60_000, "it has more than 50000 anchors"),
        ] {
            let text = format!("a: &a {{x: 1}}\nl:\n{}", format!("{entry}\n").repeat(count));
            let problem = serde_saphyr::from_str_with_options::<serde_json::Value>(&text, limits(MOST_NODES));
            let problem = of_problem(&problem.expect_err("it is too much"), 1);
            assert_eq!(problem.reason, expected);
            assert!(problem.line > 9_000, "line {}", problem.line);
        }
    }
}
