//! Texts of JSON and YAML that others wrote, of one or more documents: read within bounds, and what is wrong with them.

use serde_saphyr::Spanned;

/// How deep a document may nest. Schemas of real definitions stay below half of it.
pub const DEEPEST: usize = 128;

/// Bytes of one text. All definitions of a large cluster together stay below it.
pub const LARGEST: usize = 64 << 20;

/// Values, lists and tables of one document: more than [`LARGEST`] holds of ordinary text.
pub(crate) const MOST_NODES: usize = 2_000_000;

/// The same of one entry of a list: ten times those of an entry with all that it can have.
const MOST_NODES_OF_ONE: usize = 10_000;

/// How many entries may be unreadable before the text is taken for something else.
pub(crate) const MOST_UNREADABLE: usize = 200;

/// Values of one document that its aliases may repeat.
const MOST_REPEATED: usize = 200_000;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// The line, from 1; 0 in what was not read from a text.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
}

impl Place {
    /// Where a word of YAML stands, its lines counted from the begin of its document.
    pub(crate) fn of(word: &Spanned<String>) -> Option<Self> {
        let narrow = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
        let (line, column) = (narrow(word.referenced.line()), narrow(word.referenced.column()));
        (line > 0).then_some(Self { line, column })
    }

    /// The same, in a document that begins at a line.
    #[must_use]
    pub fn below(self, line: u32) -> Self {
        Self {
            line: self.line.saturating_add(line.saturating_sub(1)),
            ..self
        }
    }
}

/// Why a text cannot be read.
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
    /// The reason, and its place in a file of this name: `crd.yaml:3:1: …`.
    pub fn within(&self, name: &str) -> String {
        format!("{name}:{}:{}: {self}", self.line, self.column)
    }
}

/// The documents of a YAML stream, each with the line it begins at.
pub(crate) fn documents(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut starts = vec![(1_u32, 0_usize)];
    let mut offset = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let marks = line
            .strip_prefix("---")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        if marks && offset > 0 {
            starts.push((number, offset));
        }
        offset += line.len();
    }
    let ends: Vec<usize> = starts
        .iter()
        .skip(1)
        .map(|(_, start)| *start)
        .chain([text.len()])
        .collect();
    let documents = starts.into_iter().zip(ends);
    documents.map(|((line, start), end)| (line, text.get(start..end).unwrap_or_default()))
}

/// The entries of a list in YAML, and why others cannot be read. `read` reads those of a text that begins at a line, of
/// no more than so many nodes.
///
/// # Errors
///
/// If the text is no list, or too many of its entries cannot be read.
pub(crate) fn listed<E>(
    text: &str,
    read: impl Fn(&str, u32, usize) -> Result<Vec<E>, Unreadable>,
) -> Result<(Vec<E>, Vec<Unreadable>), Unreadable> {
    let whole = match read(text, 1, MOST_NODES) {
        Ok(entries) => return Ok((entries, Vec::new())),
        Err(whole) => whole,
    };
    let (mut entries, mut unreadable) = (Vec::new(), Vec::new());
    for (line, piece) in pieces(text).ok_or(whole)? {
        match read(piece, line, MOST_NODES_OF_ONE) {
            Ok(found) => entries.extend(found),
            Err(fault) => unreadable.push(fault),
        }
        if unreadable.len() > MOST_UNREADABLE {
            return Err(at(1, 1, format!("more than {MOST_UNREADABLE} entries cannot be read")));
        }
    }
    Ok((entries, unreadable))
}

/// The line of a place in a text that begins at a line.
pub(crate) fn line_below(line: u32, place: u64) -> u32 {
    let below = u32::try_from(place).unwrap_or(u32::MAX).saturating_sub(1);
    line.saturating_add(below)
}

/// The entries of a list whose items begin their lines, one by one, so that an unreadable one does not cost the others;
/// `None` where the text is none.
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
    let ends: Vec<usize> = starts.iter().skip(1).map(|(_, at)| *at).chain([text.len()]).collect();
    let pieces = starts.into_iter().zip(ends);
    let pieces: Vec<(u32, &str)> = pieces
        .map(|((line, start), end)| (line, text.get(start..end).unwrap_or_default()))
        .collect();
    (!pieces.is_empty()).then_some(pieces)
}

/// Holds that a text of JSON has no more than [`MOST_NODES`] values.
pub(crate) fn bounded_json(text: &str) -> Result<(), Unreadable> {
    // Each value but the first comes after one of these.
    let nodes = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if nodes > MOST_NODES {
        return Err(at(1, 1, format!("more than {MOST_NODES} values")));
    }
    Ok(())
}

/// A problem of a YAML text that begins at a line.
pub(crate) fn of_problem(problem: &serde_saphyr::Error, line: u32) -> Unreadable {
    let place = problem.location();
    let column = place.map_or(1, |place| u32::try_from(place.column()).unwrap_or(u32::MAX));
    let plain = serde_saphyr::render_options! { snippets: serde_saphyr::SnippetMode::Off };
    let reason = problem.without_snippet().render_with_options(plain);
    let reason = reason.lines().next().unwrap_or_default();
    // Its lines are those of the document.
    let reason = reason.split(" at line ").next().unwrap_or(reason).to_owned();
    let reason = if reason.to_lowercase().contains("depth") {
        format!("nested deeper than {DEEPEST} levels ({reason})")
    } else if reason.contains("RecordedAnchorEvents") || reason.contains("alias replay limit") {
        format!("its aliases repeat more than {MOST_REPEATED} values")
    } else if reason.starts_with("non-finite float") {
        "a number that is infinite, none, or too large".to_owned()
    } else if reason.starts_with("cannot deserialize null into string") {
        "nothing stands where a text has to be".to_owned()
    } else {
        reason
    };
    at(
        place.map_or(line, |place| line_below(line, place.line())),
        column,
        reason,
    )
}

/// What keeps hostile YAML from costing much: values, lists and tables of one text.
pub(crate) fn limits(nodes: usize) -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEEPEST,
            max_nodes: nodes,
            max_events: nodes * 2,
            max_total_scalar_bytes: LARGEST,
            max_recorded_anchor_events: MOST_REPEATED,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: MOST_REPEATED,
        },
    }
}

/// A fault of JSON that begins where the text does.
pub(crate) fn of_json(problem: &serde_json::Error) -> Unreadable {
    let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX).max(1);
    let text = problem.to_string();
    let reason = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(reason, _)| reason);
    let reason = match reason {
        "recursion limit exceeded" => format!("nested deeper than {DEEPEST} levels"),
        reason => reason.to_owned(),
    };
    at(narrow(problem.line()), narrow(problem.column()), reason)
}

/// A fault at a place.
pub(crate) fn at(line: u32, column: u32, reason: impl Into<String>) -> Unreadable {
    Unreadable {
        line,
        column,
        reason: reason.into(),
    }
}
