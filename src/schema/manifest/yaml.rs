//! Documents in YAML, read as servers read them.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_saphyr::DuplicateKeyPolicy;

use super::meant::is_json;
use crate::schema::quoted;
use crate::schema::tree::Tree;
use crate::text::{MOST_NODES, limits};

/// The most quoted strings of one document that are indented for the parser.
const MOST_FIXED: usize = 100;

/// A document in YAML, every value with its place. Of repeated keys the last one counts, as for `kubectl`.
pub(crate) fn read_yaml(document: &str) -> Result<Tree, Box<serde_saphyr::Error>> {
    let problem = match with_fixed_quotes(document) {
        Ok(tree) => return Ok(tree),
        Err(problem) => problem,
    };
    if !problem.to_string().contains(REPEATED_KEY) {
        return Err(problem);
    }
    let mut options = limits(MOST_NODES);
    options.duplicate_keys = DuplicateKeyPolicy::LastWins;
    Ok(serde_saphyr::from_str_with_options(document, options)?)
}

/// The parser error for a key that a table has twice.
const REPEATED_KEY: &str = "duplicate mapping key";

/// A document in YAML; quoted strings that continue without indentation are indented.
pub(super) fn with_fixed_quotes<T: DeserializeOwned>(document: &str) -> Result<T, Box<serde_saphyr::Error>> {
    let document = &*with_folded_lines(document);
    let first = match serde_saphyr::from_str_with_options(document, limits(MOST_NODES)) {
        Ok(read) => return Ok(read),
        Err(problem) => problem,
    };
    let mut fixed = quoted::fixed(document, &first);
    for _ in 0..MOST_FIXED {
        let Some(text) = fixed else { break };
        match serde_saphyr::from_str_with_options(&text, limits(MOST_NODES)) {
            Ok(read) => return Ok(read),
            Err(problem) => fixed = quoted::fixed(&text, &problem),
        }
    }
    Err(Box::new(first))
}

/// A document in which U+0085 is a blank. Servers read YAML 1.1, where this character breaks a line, and texts join
/// lines with a blank. The reader of YAML 1.2 keeps it.
fn with_folded_lines(document: &str) -> Cow<'_, str> {
    const NEXT_LINE: char = '\u{85}';
    if is_json(document) || !document.contains(NEXT_LINE) {
        Cow::Borrowed(document)
    } else {
        Cow::Owned(document.replace(NEXT_LINE, " "))
    }
}
