//! Objects in texts of JSON and YAML.

use serde_json::{Deserializer, Value as Json};

use crate::schema::{Tree, read_yaml};
use crate::text::{LARGEST, Unreadable, at, bounded_json, check_size, documents, of_json, of_problem};

/// The key that every object has.
const API_VERSION: &str = "apiVersion";

/// What marks a document that is no YAML until a template engine has read it.
const TEMPLATE_MARKS: [&str; 2] = ["{{", "{%"];

/// The word of a document whose text must not be shown.
pub(super) const SECRET: &str = "Secret";

/// A document that may have objects.
#[derive(Debug)]
pub(crate) struct ReadDocument {
    /// The line that its own lines are counted from.
    pub(crate) line: u32,
    pub(crate) tree: Tree,
}

/// The documents of a text that may have objects.
#[derive(Debug, Default)]
pub(crate) struct ReadText {
    pub(crate) documents: Vec<ReadDocument>,
    /// The lines at which templates begin.
    pub(crate) templates: Vec<u32>,
    pub(crate) unreadable: Vec<Unreadable>,
}

/// Reads the documents of a text that may have objects. Others are skipped.
pub(crate) fn read(text: &str) -> ReadText {
    let mut found = ReadText::default();
    if let Err(error) = check_size(text, LARGEST) {
        found.unreadable.push(error);
        return found;
    }
    if !text.contains(API_VERSION) {
        return found;
    }
    for (line, document) in documents(text) {
        if document.contains(API_VERSION) {
            found.add(line, document);
        }
    }
    found
}

impl ReadText {
    fn add(&mut self, line: u32, document: &str) {
        let read = match json_begin(document) {
            Some(_) => self.add_json(line, document),
            None => read_yaml(document)
                .map(|tree| self.documents.push(ReadDocument { line, tree }))
                .map_err(|problem| of_problem(&problem, line)),
        };
        let Err(error) = read else { return };
        if TEMPLATE_MARKS.iter().any(|mark| document.contains(mark)) {
            self.templates.push(line);
        } else {
            self.unreadable.push(without_text(error, document));
        }
    }

    /// Reads values of JSON, one after another. Places come from the YAML reader where it can read a value that begins
    /// a line.
    fn add_json(&mut self, line: u32, document: &str) -> Result<(), Unreadable> {
        let text = document.strip_prefix("---").unwrap_or(document);
        if let Ok(tree) = read_yaml(text) {
            self.documents.push(ReadDocument { line, tree });
            return Ok(());
        }
        bounded_json(text)?;
        let mut values = Deserializer::from_str(text).into_iter::<Json>();
        let (mut begin, mut line_of_begin) = (0, line);
        while let Some(value) = values.next() {
            let end = values.byte_offset();
            let json = value.map_err(|problem| {
                let error = of_json(&problem);
                let below = error.line.saturating_sub(1);
                at(line.saturating_add(below), error.column, error.reason)
            })?;
            let own = text.get(begin..end).unwrap_or_default();
            let (blank, own) = own.split_at(own.len() - own.trim_start().len());
            line_of_begin = line_of_begin.saturating_add(newlines(blank));
            let begins_a_line = blank.is_empty() && begin == 0 || blank.ends_with('\n');
            let placed = begins_a_line.then(|| read_yaml(own).ok()).flatten();
            self.documents.push(ReadDocument {
                line: line_of_begin,
                tree: placed.unwrap_or_else(|| json.into()),
            });
            line_of_begin = line_of_begin.saturating_add(newlines(own));
            begin = end;
        }
        Ok(())
    }
}

/// Where JSON begins; YAML can also begin with a brace.
fn json_begin(document: &str) -> Option<&str> {
    let begin = document.strip_prefix("---").unwrap_or(document).trim_start();
    let within = begin.strip_prefix(['{', '['])?.trim_start();
    within.starts_with(['"', '}', '{', ']']).then_some(begin)
}

fn newlines(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

/// An error that quotes nothing of a document which may have a secret.
fn without_text(error: Unreadable, document: &str) -> Unreadable {
    if !document.contains(SECRET) {
        return error;
    }
    let bounds = ["nested deeper", "its aliases", "more than", "larger than"];
    if bounds.iter().any(|bound| error.reason.starts_with(bound)) {
        return error;
    }
    at(
        error.line,
        error.column,
        "cannot be read (what is wrong is not quoted: the document may have a secret)",
    )
}
