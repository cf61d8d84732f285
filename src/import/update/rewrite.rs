//! Declarations set and deleted in the files of a model, with the rest of each text as it is.

use crate::document::{Document, Edit, Table, Value as FileValue, apply};
use crate::grammar::EntryKey;
use crate::source::{FileId, Span};

use super::super::draft::Value;
use super::super::layout::{Line, Section, below, line};
use super::super::write::{assignment, path_text, section_text, value_text};
use super::entry::whole;
use super::file::ModelFile;

/// A value in the files of a model: the keys that lead to it, and within a list, the item and its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) path: Vec<String>,
    pub(crate) within: Option<(usize, String)>,
}

/// What is written into the files of a model. A later change of a place replaces an earlier one.
#[derive(Debug, Default)]
pub(crate) struct Rewrite {
    set: Vec<(Place, Value)>,
    deleted: Vec<Place>,
    /// Tables of lists, which are added at the end of the main file.
    appended: Vec<String>,
}

/// Why a text cannot be rewritten.
#[derive(Debug)]
pub(crate) struct Unwritable(pub(crate) String);

impl From<Vec<String>> for Place {
    fn from(path: Vec<String>) -> Self {
        Self { path, within: None }
    }
}

impl Rewrite {
    pub(crate) fn set(&mut self, place: impl Into<Place>, value: Value) {
        let place = place.into();
        self.deleted.retain(|known| *known != place);
        match self.set.iter_mut().find(|(known, _)| *known == place) {
            Some(known) => known.1 = value,
            None => self.set.push((place, value)),
        }
    }

    pub(crate) fn delete(&mut self, place: impl Into<Place>) {
        let place = place.into();
        self.set.retain(|(known, _)| *known != place);
        if !self.deleted.contains(&place) {
            self.deleted.push(place);
        }
    }

    /// Lays a file over the model: what it declares is set, entries of lists of tables are added.
    pub(crate) fn lay(&mut self, document: &Document<'_>) {
        self.lay_table(&[], document.root());
    }

    fn lay_table(&mut self, path: &[String], table: Table<'_>) {
        for (key, value) in table.entries() {
            let path = below(path, &[key.name]);
            match (value.as_table(), value.as_list()) {
                (Some(table), _) if table.entries().next().is_some() => self.lay_table(&path, table),
                (None, Some(items)) if path == ["exception"] => {
                    self.appended.extend(items.filter_map(|item| appended(&path, item)));
                }
                _ => self.set(path, whole(value)),
            }
        }
    }

    /// The texts of a model with all this.
    ///
    /// # Errors
    ///
    /// If the way a text is written does not show where to make a change.
    pub(crate) fn apply(&self, texts: &[String]) -> Result<Vec<String>, Unwritable> {
        // What is deleted may end where something is inserted: each deletion reads the text that the others left.
        let mut texts = texts.to_vec();
        for place in &self.deleted {
            delete(&mut texts, place)?;
        }
        let mut texts = self.inserted(&texts)?;
        if let Some(main) = texts.first_mut() {
            for entry in &self.appended {
                main.truncate(main.trim_end().len());
                main.push_str("\n\n");
                main.push_str(entry);
            }
        }
        Ok(texts)
    }

    fn inserted(&self, texts: &[String]) -> Result<Vec<String>, Unwritable> {
        let documents: Vec<Document<'_>> = ids().zip(texts).map(|(id, text)| Document::parse(id, text)).collect();
        let files = texts.iter().zip(&documents);
        let mut files: Vec<ModelFile<'_>> = files.map(|(text, document)| ModelFile::new(text, document)).collect();
        for (place, value) in &self.set {
            set(&mut files, place, value)?;
        }
        Ok(files.into_iter().map(|file| apply(file.text, &file.edits())).collect())
    }
}

fn ids() -> impl Iterator<Item = FileId> {
    (0..=u16::MAX).map(FileId)
}

/// An entry of a list of tables, as a table of its own.
fn appended(path: &[String], item: FileValue<'_>) -> Option<String> {
    let Value::Table(keys) = whole(item) else { return None };
    let lines: Vec<Line> = keys.into_iter().map(|(key, value)| line(&[&key], value)).collect();
    let text = section_text(&Section {
        path: path.to_vec(),
        lines,
        ..Section::default()
    });
    let (_, lines) = text.split_once('\n')?;
    Some(format!("[[{}]]\n{lines}", path_text(path)))
}

/// The file that has a value at a path, and the value.
fn find<'d>(files: &[ModelFile<'d>], path: &[String]) -> Option<(usize, FileValue<'d>)> {
    let mut files = files.iter().enumerate();
    files.find_map(|(at, file)| Some((at, file.value(path)?)))
}

fn set(files: &mut [ModelFile<'_>], place: &Place, value: &Value) -> Result<(), Unwritable> {
    let found = find(files, &place.path);
    if let Some((item, key)) = &place.within {
        let (at, list) = found.ok_or_else(|| unwritable(place))?;
        let item = list.as_list().and_then(|mut items| items.nth(*item));
        return set_in_item(
            &mut files[at],
            item.ok_or_else(|| unwritable(place))?,
            key,
            value,
            place,
        );
    }
    match (found, value) {
        (Some((_, known)), Value::Table(keys)) if known.as_table().is_some() => keys
            .iter()
            .try_for_each(|(key, value)| set(files, &below(&place.path, &[key]).into(), value)),
        (Some((at, known)), _) => replace(&mut files[at], known, value, place),
        (None, _) => {
            insert(files, &place.path, value);
            Ok(())
        }
    }
}

fn set_in_item(
    file: &mut ModelFile<'_>,
    item: FileValue<'_>,
    key: &str,
    value: &Value,
    place: &Place,
) -> Result<(), Unwritable> {
    let table = item.as_table().ok_or_else(|| unwritable(place))?;
    if let Some((_, known)) = table.get(key) {
        return replace(file, known, value, place);
    }
    let ends = table.entries().map(|(_, value)| value.span().end);
    let end = ends.max().ok_or_else(|| unwritable(place))?;
    let before = if file.is_written(item, "{") { ", " } else { "\n" };
    file.put(end, &format!("{before}{}", assignment(&[key.to_owned()], value)));
    Ok(())
}

fn replace(file: &mut ModelFile<'_>, known: FileValue<'_>, value: &Value, place: &Place) -> Result<(), Unwritable> {
    let is_header = known.as_table().is_some() || file.is_written(known, "[[");
    if is_header && !file.is_written(known, "{") {
        return Err(unwritable(place));
    }
    let span = known.span();
    file.replace(span.start, span.end, value_text(value));
    Ok(())
}

/// Puts a new entry into the file that has the table or the group that it belongs to.
fn insert(files: &mut [ModelFile<'_>], path: &[String], value: &Value) {
    let Some((last, above)) = path.split_last() else { return };
    let at = files.iter().position(|file| !above.is_empty() && file.has(above));
    let Some(file) = files.get_mut(at.unwrap_or(0)) else {
        return;
    };
    if above.is_empty() {
        // A key of the file itself stands above all tables.
        file.put(0, &format!("{}\n", assignment(std::slice::from_ref(last), value)));
    } else {
        file.put_entry(above, last, value);
    }
}

fn unwritable(place: &Place) -> Unwritable {
    let within = place
        .within
        .as_ref()
        .map_or(String::new(), |(_, key)| format!(".{key}"));
    Unwritable(format!(
        "`{}{within}` is written in a form that cannot be edited in place",
        path_text(&place.path)
    ))
}

/// Deletes what the files have at a place; nothing if they do not have it.
fn delete(texts: &mut [String], place: &Place) -> Result<(), Unwritable> {
    for (id, text) in ids().zip(texts) {
        let document = Document::parse(id, text);
        let file = ModelFile::new(text, &document);
        let Some(found) = file.value(&place.path) else { continue };
        let edits = match &place.within {
            None => deletion(&file, document.root(), &place.path).ok_or_else(|| unwritable(place))?,
            Some((item, key)) => {
                let item = found.as_list().and_then(|mut items| items.nth(*item));
                let item = item.and_then(|item| item.as_table().map(|table| (item, table)));
                let (item, table) = item.ok_or_else(|| unwritable(place))?;
                let Some((key, value)) = table.get(key) else { continue };
                if file.is_written(item, "{") {
                    vec![from_braces(text, item, key.span.start, value)]
                } else {
                    vec![lines(text, key.span.start, value.span().end, id)]
                }
            }
        };
        *text = apply(text, &edits);
    }
    Ok(())
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

/// Whether a key of an entry is declared in its last life, because the entry has several.
pub(crate) fn in_last_life(documents: &[Document<'_>], entry: &[String], key: &str) -> Option<Place> {
    if !EntryKey::is_of_life(key) {
        return None;
    }
    let path = below(entry, &[EntryKey::Lives.as_str()]);
    let lives = super::entry::value(documents, &path)?.as_list()?.count();
    Some(Place {
        path,
        within: Some((lives.checked_sub(1)?, key.to_owned())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split('/').map(str::to_owned).collect()
    }

    fn deleted(text: &str, at: &str) -> String {
        let mut rewrite = Rewrite::default();
        rewrite.delete(path(at));
        rewrite.apply(&[text.to_owned()]).unwrap().remove(0)
    }

    fn set(text: &str, at: &str, value: &str) -> Result<String, Unwritable> {
        let mut rewrite = Rewrite::default();
        rewrite.set(path(at), Value::Text(value.to_owned()));
        Ok(rewrite.apply(&[text.to_owned()])?.remove(0))
    }

    #[test]
    fn a_declaration_is_deleted_however_it_is_written() {
        let cases = [
            (
                "v/a/x",
                "[v]\na = { x = \"1\", y = \"2\" } # why\n",
                "[v]\na = { y = \"2\" } # why\n",
            ),
            (
                "v/a/y",
                "[v]\na = { x = \"1\", y = \"2\" } # why\n",
                "[v]\na = { x = \"1\" } # why\n",
            ),
            (
                "v/a/x",
                "v = { a = { x = \"1\" }, b = {} }\n",
                "v = { a = { }, b = {} }\n",
            ),
            ("v/a", "v = { a = { x = \"1\" }, b = {} }\n", "v = { b = {} }\n"),
            (
                "v/b",
                "v = { a.x = \"1\", a.y = \"2\", b = {} }\n",
                "v = { a.x = \"1\", a.y = \"2\" }\n",
            ),
            ("v/a/x", "v = { a.x = \"1\", a.y = \"2\" }\n", "v = { a.y = \"2\" }\n"),
            ("v/a", "[v]\na.x = \"1\"\na.y = \"2\"\nb = 1\n", "[v]\nb = 1\n"),
            (
                "v/a",
                "[v]\nb = 1\n\n[v.a] # why\nx = \"1\"\n[v.a.c]\ny = 1\n\n[w]\n",
                "[v]\nb = 1\n\n[w]\n",
            ),
            ("v/a", "[v]\r\na = \"1\" # why\r\nb = 1\r\n", "[v]\r\nb = 1\r\n"),
            (
                "v/a",
                "[v]\nb = 1\n[[v.a]]\nx = 1\n[[v.a]]\nx = 2\n[w]\n",
                "[v]\nb = 1\n[w]\n",
            ),
            ("v/z", "[v]\nb = 1\n", "[v]\nb = 1\n"),
        ];
        for (at, before, after) in cases {
            assert_eq!(deleted(before, at), after, "{at} of {before}");
        }
    }

    #[test]
    fn a_declaration_is_set_in_place_or_added() {
        let cases = [
            (
                "v/a/x",
                "[v]\na = { x = \"1\" } # why\n",
                "[v]\na = { x = \"9\" } # why\n",
            ),
            (
                "v/a/y",
                "[v]\na = { x = \"1\" } # why\n",
                "[v]\na = { x = \"1\", y = \"9\" } # why\n",
            ),
            (
                "v/b/y",
                "[v]\na = { x = \"1\" } # why\n",
                "[v]\na = { x = \"1\" } # why\n[v.b]\ny = \"9\"\n",
            ),
            ("p", "# top\n[v]\n", "p = \"9\"\n# top\n[v]\n"),
        ];
        for (at, before, after) in cases {
            assert_eq!(set(before, at, "9").unwrap(), after, "{at} of {before}");
        }
        assert!(set("[v.a]\nx = 1\n", "v/a", "9").is_err());
    }

    #[test]
    fn an_item_of_a_list_is_changed_alone() {
        let text = "lives = [{ removed = \"1\" }, { introduced = \"2\", removed = \"3\" }]\n";
        let place = Place {
            path: path("lives"),
            within: Some((1, "removed".to_owned())),
        };
        let mut rewrite = Rewrite::default();
        rewrite.set(place.clone(), Value::Text("4".to_owned()));
        let texts = rewrite.apply(&[text.to_owned()]).unwrap();
        assert_eq!(
            texts,
            ["lives = [{ removed = \"1\" }, { introduced = \"2\", removed = \"4\" }]\n"]
        );
        rewrite.delete(place);
        let texts = rewrite.apply(&[text.to_owned()]).unwrap();
        assert_eq!(texts, ["lives = [{ removed = \"1\" }, { introduced = \"2\" }]\n"]);
    }

    #[test]
    fn a_patch_replaces_values_and_adds_exceptions() {
        let patch = "current = \"2\"\n[v]\nb = 3\n[[exception]]\nrule = \"1\"\n";
        let mut rewrite = Rewrite::default();
        rewrite.lay(&Document::parse(FileId(0), patch));
        let texts = rewrite
            .apply(&["current = \"1\" # why\n[v]\na = 1\n".to_owned()])
            .unwrap();
        assert_eq!(
            texts,
            ["current = \"2\" # why\n[v]\na = 1\nb = 3\n\n[[exception]]\nrule = \"1\"\n"]
        );
    }
}
