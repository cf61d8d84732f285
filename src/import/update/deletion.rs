//! Declarations deleted from the files of a model, with the rest of each text as it is.

use std::collections::BTreeMap;

use crate::document::{Document, Edit, Table, Value as FileValue, apply};
use crate::source::{FileId, Span};

use super::file::ModelFile;
use super::value_path::{Unwritable, ValuePath, unwritable};

pub(super) fn parsed(texts: &[String]) -> Vec<Document<'_>> {
    ids().zip(texts).map(|(id, text)| Document::parse(id, text)).collect()
}

fn ids() -> impl Iterator<Item = FileId> {
    (0..=u16::MAX).map(FileId)
}

/// The texts without what is at these places; nothing if there is no such place.
///
/// A deletion may end where another one begins: those that are next to one another read the text that the others left.
/// Of many in a row, each reading leaves fewer than half.
pub(super) fn without(
    documents: &[Document<'_>],
    mut places: Vec<&ValuePath>,
) -> Result<Option<Vec<String>>, Unwritable> {
    let mut texts: Option<Vec<String>> = None;
    while !places.is_empty() {
        let read = texts.as_ref().map(|texts| parsed(texts));
        let (left, next) = deleted_apart(read.as_deref().unwrap_or(documents), &places)?;
        texts = Some(left);
        places = next;
    }
    Ok(texts)
}

/// Deletes what is at places that are apart from one another. Returns the texts, and the places that are left.
fn deleted_apart<'p>(
    documents: &[Document<'_>],
    places: &[&'p ValuePath],
) -> Result<(Vec<String>, Vec<&'p ValuePath>), Unwritable> {
    let files: Vec<ModelFile<'_>> = documents.iter().map(ModelFile::new).collect();
    let mut apart: Vec<Apart> = files.iter().map(|_| Apart::default()).collect();
    let mut next = Vec::new();
    for place in places {
        let mut waits = false;
        for ((file, document), apart) in files.iter().zip(documents).zip(&mut apart) {
            waits |= !apart.add(deletions(file, document, place)?);
        }
        if waits {
            next.push(*place);
        }
    }
    let files = files.iter().zip(&apart);
    Ok((
        files.map(|(file, apart)| apply(file.text, &apart.edits)).collect(),
        next,
    ))
}

/// Deletions of which none touches another one.
#[derive(Default)]
struct Apart {
    edits: Vec<Edit>,
    /// Where each begins, and ends.
    spans: BTreeMap<u32, u32>,
}

impl Apart {
    /// Adds deletions, if none of them touches one that was added before.
    fn add(&mut self, edits: Vec<Edit>) -> bool {
        let touches = edits.iter().any(|edit| {
            let mut before = self.spans.range(..=edit.span.end);
            before.next_back().is_some_and(|(_, end)| *end >= edit.span.start)
        });
        if touches {
            return false;
        }
        for edit in edits {
            let end = self.spans.entry(edit.span.start).or_default();
            *end = edit.span.end.max(*end);
            self.edits.push(edit);
        }
        true
    }
}

/// The edits that delete what a file has at a place; none if it does not have it.
fn deletions(file: &ModelFile<'_>, document: &Document<'_>, place: &ValuePath) -> Result<Vec<Edit>, Unwritable> {
    let Some(found) = file.value(&place.path) else {
        return Ok(Vec::new());
    };
    let Some((item, keys)) = &place.within else {
        return deletion(file, document.root(), &place.path).ok_or_else(|| unwritable(place));
    };
    let item = found.as_list().and_then(|mut items| items.nth(*item));
    let item = item.and_then(|item| item.as_table().map(|table| (item, table)));
    let (mut item, mut table) = item.ok_or_else(|| unwritable(place))?;
    let (last, above) = keys.split_last().ok_or_else(|| unwritable(place))?;
    for key in above {
        let Some((_, below)) = table.get(key) else {
            return Ok(Vec::new());
        };
        (item, table) = (below, below.as_table().ok_or_else(|| unwritable(place))?);
    }
    let Some((key, value)) = table.get(last) else {
        return Ok(Vec::new());
    };
    Ok(vec![if file.is_written(item, "{") {
        from_braces(file.text, item, key.span.start, value)
    } else {
        lines(file.text, key.span.start, value.span().end, document.file())
    }])
}

/// The edits that delete a value and, of a table, all below it. `None` if dotted keys within braces spread it.
fn deletion(file: &ModelFile<'_>, root: Table<'_>, path: &[String]) -> Option<Vec<Edit>> {
    let (mut table, mut braces) = (root, None);
    for (at, key) in path.iter().enumerate() {
        let Some((key, value)) = table.get(key) else { break };
        if at + 1 == path.len() {
            let is_dotted = value.as_table().is_some() && !file.is_written(value, "{");
            return match braces {
                Some(_) if is_dotted => None,
                Some(braces) => Some(vec![from_braces(file.text, braces, key.span.start, value)]),
                None => Some(with_tables(file, key.span.start, value)),
            };
        }
        let Some(next) = value.as_table() else { break };
        if file.is_written(value, "{") {
            braces = Some(value);
        }
        table = next;
    }
    None
}

/// The edits that delete an entry outside of braces: its lines, or its header with what is below.
fn with_tables(file: &ModelFile<'_>, key: u32, value: FileValue<'_>) -> Vec<Edit> {
    let span = value.span();
    let items = value.as_list().filter(|_| file.is_written(value, "[["));
    if let Some(items) = items {
        let headers = items.map(|item| item.span().start);
        return headers.map(|header| region(file, header, span.file)).collect();
    }
    let Some(table) = value.as_table().filter(|_| !file.is_written(value, "{")) else {
        return vec![lines(file.text, key, span.end, span.file)];
    };
    let own = file.is_written(value, "[").then(|| region(file, span.start, span.file));
    let below = table
        .entries()
        .flat_map(|(key, value)| with_tables(file, key.span.start, value));
    own.into_iter().chain(below).collect()
}

/// The lines of a table under its header, and the empty line above.
fn region(file: &ModelFile<'_>, header: u32, id: FileId) -> Edit {
    let mut edit = lines(file.text, header, file.region_end(header), id);
    let before = &file.text[..edit.span.start as usize];
    let blank = ["\r\n\r\n", "\n\n"].iter().find(|blank| before.ends_with(*blank));
    edit.span.start -= blank.map_or(0, |blank| u32::try_from(blank.len() / 2).unwrap_or(0));
    edit
}

/// The lines from one byte to another.
fn lines(text: &str, start: u32, end: u32, file: FileId) -> Edit {
    let start = text[..start as usize].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[end as usize..];
    let end = end as usize + rest.find('\n').map_or(rest.len(), |at| at + 1);
    Edit {
        span: Span::of(file, start..end),
        text: String::new(),
    }
}

/// An entry within braces, with the comma that separates it from another one.
fn from_braces(text: &str, braces: FileValue<'_>, key: u32, value: FileValue<'_>) -> Edit {
    let (span, mut ends, mut starts) = (braces.span(), Vec::new(), Vec::new());
    let ranges = braces.as_table().map(|table| leaves(text, table)).unwrap_or_default();
    for (start, end) in ranges {
        ends.extend((end < key).then_some(end));
        starts.extend((start > value.span().end).then_some(start));
    }
    let start = ends.into_iter().max();
    let end = match (start, starts.into_iter().min()) {
        (None, Some(next)) => dotted_start(text, next),
        _ => value.span().end,
    };
    let start = start.unwrap_or(span.start + 1);
    let start = match text.as_bytes().get(start as usize) {
        Some(b' ') if start == span.start + 1 && end != value.span().end => start + 1,
        _ => start,
    };
    Edit {
        span: Span {
            file: span.file,
            start,
            end,
        },
        text: String::new(),
    }
}

/// Where the keys of a table in braces begin and their values end; those of dotted keys one by one.
fn leaves(text: &str, table: Table<'_>) -> Vec<(u32, u32)> {
    let entries = table.entries().flat_map(|(key, value)| match value.as_table() {
        Some(below) if text.as_bytes().get(value.span().start as usize) != Some(&b'{') => leaves(text, below),
        _ => vec![(key.span.start, value.span().end)],
    });
    entries.collect()
}

/// Where a dotted key begins of which a part begins here.
fn dotted_start(text: &str, part: u32) -> u32 {
    let before = &text[..part as usize];
    let start = before.rfind([',', '{']).map_or(0, |at| at + 1);
    let blanks = before[start..].len() - before[start..].trim_start().len();
    u32::try_from(start + blanks).unwrap_or(part)
}
