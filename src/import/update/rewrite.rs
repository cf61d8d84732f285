//! Declarations set and deleted in the files of a model, with the rest of each text as it is.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::document::{Document, Table, Value as FileValue, apply};
use crate::grammar::EntryKey;

use super::super::draft::Value;
use super::super::layout::{Section, below, line};
use super::super::write::{assignment, section_text, value_text};
use super::deletion::{parsed, without};
use super::entry::whole;
use super::file::ModelFile;
pub(crate) use super::value_path::ValuePath;
use super::value_path::{Unwritable, unwritable};

/// The list of exceptions in a model file.
const EXCEPTION: &str = "exception";

/// What is written into the files of a model. A later change of a place replaces an earlier one.
#[derive(Debug, Default)]
pub(crate) struct Rewrite {
    /// The places in the order of their first change, with what each is to have; nothing where it is deleted.
    changes: Vec<(ValuePath, Option<Value>)>,
    positions: HashMap<ValuePath, usize>,
    /// Exceptions, which are added at the end of the main file unless a file has them.
    exceptions: Vec<Value>,
}

impl Rewrite {
    pub(crate) fn set(&mut self, place: impl Into<ValuePath>, value: Value) {
        self.change(place.into(), Some(value));
    }

    pub(crate) fn delete(&mut self, place: impl Into<ValuePath>) {
        self.change(place.into(), None);
    }

    fn change(&mut self, place: ValuePath, value: Option<Value>) {
        match self.positions.entry(place) {
            Entry::Occupied(known) => self.changes[*known.get()].1 = value,
            Entry::Vacant(new) => {
                self.changes.push((new.key().clone(), value));
                new.insert(self.changes.len() - 1);
            }
        }
    }

    /// Lays a file over the model: what it declares is set, its exceptions are added.
    pub(crate) fn lay(&mut self, document: &Document<'_>) {
        self.lay_table(&[], document.root());
    }

    fn lay_table(&mut self, path: &[String], table: Table<'_>) {
        for (key, value) in table.entries() {
            let path = below(path, &[key.name]);
            match (value.as_table(), value.as_list()) {
                (Some(table), _) if table.entries().next().is_some() => self.lay_table(&path, table),
                (None, Some(items)) if path == [EXCEPTION] => self.exceptions.extend(items.map(whole)),
                _ => self.set(path, whole(value)),
            }
        }
    }

    /// The places that change; `None` if exceptions are added.
    pub(crate) fn places(&self) -> Option<impl Iterator<Item = &ValuePath>> {
        let places = self.changes.iter().map(|(place, _)| place);
        self.exceptions.is_empty().then_some(places)
    }

    /// The texts of the files that these documents were read from, with all this.
    ///
    /// # Errors
    ///
    /// If the way a text is written does not show where to make a change.
    pub(crate) fn apply(&self, documents: &[Document<'_>]) -> Result<Vec<String>, Unwritable> {
        let deleted = self.changes.iter().filter(|(_, value)| value.is_none());
        let deleted: Vec<&ValuePath> = deleted.map(|(place, _)| place).collect();
        let mut texts = match without(documents, deleted)? {
            Some(texts) => self.inserted(&parsed(&texts))?,
            None => self.inserted(documents)?,
        };
        let known = documents.iter().filter_map(|document| document.root().get(EXCEPTION));
        let known: Vec<Value> = known
            .filter_map(|(_, list)| list.as_list())
            .flatten()
            .map(whole)
            .collect();
        let new = self.exceptions.iter().filter(|new| !known.contains(new));
        if let Some(main) = texts.first_mut() {
            for entry in new.filter_map(exception_text) {
                main.truncate(main.trim_end().len());
                main.push_str("\n\n");
                main.push_str(&entry);
            }
        }
        Ok(texts)
    }

    fn inserted(&self, documents: &[Document<'_>]) -> Result<Vec<String>, Unwritable> {
        let mut files: Vec<ModelFile<'_>> = documents.iter().map(ModelFile::new).collect();
        let set_values = self.changes.iter().filter(|(_, value)| value.is_some());
        let above: HashSet<&[String]> = set_values
            .flat_map(|(place, _)| (0..place.path.len()).map(|end| &place.path[..end]))
            .collect();
        for (place, value) in &self.changes {
            // What is set within a table makes the table.
            let is_made = *value == Some(Value::Table(Vec::new())) && above.contains(&*place.path);
            if let Some(value) = value.as_ref().filter(|_| !is_made) {
                set(&mut files, place, value)?;
            }
        }
        Ok(files.into_iter().map(|file| apply(file.text, &file.edits())).collect())
    }
}

/// An exception as a table of its own.
fn exception_text(entry: &Value) -> Option<String> {
    let Value::Table(keys) = entry else { return None };
    let lines = keys.iter().map(|(key, value)| line(&[key], value.clone()));
    let text = section_text(&Section {
        path: vec![EXCEPTION.to_owned()],
        lines: lines.collect(),
        ..Section::default()
    });
    let (_, lines) = text.split_once('\n')?;
    Some(format!("[[{EXCEPTION}]]\n{lines}"))
}

/// The file that has a value at a path, and the value.
fn find<'d>(files: &[ModelFile<'d>], path: &[String]) -> Option<(usize, FileValue<'d>)> {
    let mut files = files.iter().enumerate();
    files.find_map(|(at, file)| Some((at, file.value(path)?)))
}

fn set(files: &mut [ModelFile<'_>], place: &ValuePath, value: &Value) -> Result<(), Unwritable> {
    let found = find(files, &place.path);
    if let Some((item, keys)) = &place.within {
        let (at, list) = found.ok_or_else(|| unwritable(place))?;
        let items: Vec<FileValue<'_>> = list.as_list().into_iter().flatten().collect();
        return match items.get(*item) {
            Some(item) => set_in_item(&mut files[at], *item, keys, value, place),
            None => append(&mut files[at], list, items.last(), value, place),
        };
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

/// Adds an item to the end of a list.
fn append(
    file: &mut ModelFile<'_>,
    list: FileValue<'_>,
    last: Option<&FileValue<'_>>,
    value: &Value,
    place: &ValuePath,
) -> Result<(), Unwritable> {
    let is_one_value = file.is_written(list, "[") && !file.is_written(list, "[[");
    let last = last.filter(|_| is_one_value).ok_or_else(|| unwritable(place))?;
    file.put(last.span().end, &format!(", {}", value_text(value)));
    Ok(())
}

fn set_in_item(
    file: &mut ModelFile<'_>,
    item: FileValue<'_>,
    keys: &[String],
    value: &Value,
    place: &ValuePath,
) -> Result<(), Unwritable> {
    let table = item.as_table().ok_or_else(|| unwritable(place))?;
    let (key, below) = keys.split_first().ok_or_else(|| unwritable(place))?;
    match table.get(key) {
        Some((_, known)) if below.is_empty() => return replace(file, known, value, place),
        Some((_, known)) => return set_in_item(file, known, below, value, place),
        None => {}
    }
    let within = below
        .iter()
        .rev()
        .fold(value.clone(), |value, key| Value::Table(vec![(key.clone(), value)]));
    let ends = table.entries().map(|(_, value)| value.span().end);
    let end = ends.max().ok_or_else(|| unwritable(place))?;
    let before = if file.is_written(item, "{") { ", " } else { "\n" };
    file.put(
        end,
        &format!("{before}{}", assignment(std::slice::from_ref(key), &within)),
    );
    Ok(())
}

fn replace(file: &mut ModelFile<'_>, known: FileValue<'_>, value: &Value, place: &ValuePath) -> Result<(), Unwritable> {
    // What is the same stays as it is written, with the comments in it.
    if whole(known) == *value {
        return Ok(());
    }
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

/// Whether a key of an entry is declared in its last life, because the entry has several.
pub(crate) fn in_last_life(documents: &[Document<'_>], entry: &[String], key: &str) -> Option<ValuePath> {
    if !EntryKey::is_of_life(key) {
        return None;
    }
    let path = below(entry, &[EntryKey::Lives.as_str()]);
    let lives = super::entry::value(documents, &path)?.as_list()?.count();
    Some(ValuePath {
        path,
        within: Some((lives.checked_sub(1)?, vec![key.to_owned()])),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn path(text: &str) -> Vec<String> {
        text.split('/').map(str::to_owned).collect()
    }

    fn deleted(text: &str, at: &str) -> String {
        let mut rewrite = Rewrite::default();
        rewrite.delete(path(at));
        rewrite.apply(&parsed(&[text.to_owned()])).unwrap().remove(0)
    }

    fn set(text: &str, at: &str, value: &str) -> Result<String, Unwritable> {
        let mut rewrite = Rewrite::default();
        rewrite.set(path(at), Value::Text(value.to_owned()));
        Ok(rewrite.apply(&parsed(&[text.to_owned()]))?.remove(0))
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
            (
                "v/a/x/z",
                "[v]\na = { x.y = \"1\" }\n",
                "[v]\na = { x.y = \"1\", x.z = \"9\" }\n",
            ),
            (
                "v/a/x/z",
                "[v]\na = { b = 1, x = { y = \"1\" } }\n",
                "[v]\na = { b = 1, x = { y = \"1\", z = \"9\" } }\n",
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
        let place = ValuePath {
            path: path("lives"),
            within: Some((1, vec!["removed".to_owned()])),
        };
        let mut rewrite = Rewrite::default();
        rewrite.set(place.clone(), Value::Text("4".to_owned()));
        let texts = rewrite.apply(&parsed(&[text.to_owned()])).unwrap();
        assert_eq!(
            texts,
            ["lives = [{ removed = \"1\" }, { introduced = \"2\", removed = \"4\" }]\n"]
        );
        rewrite.delete(place);
        let texts = rewrite.apply(&parsed(&[text.to_owned()])).unwrap();
        assert_eq!(texts, ["lives = [{ removed = \"1\" }, { introduced = \"2\" }]\n"]);
    }

    #[test]
    fn a_patch_replaces_values_and_adds_exceptions() {
        let patch = "current = \"2\"\n[v]\nb = 3\n[[exception]]\nrule = \"1\"\n";
        let mut rewrite = Rewrite::default();
        rewrite.lay(&Document::parse(FileId(0), patch));
        let texts = rewrite
            .apply(&parsed(&["current = \"1\" # why\n[v]\na = 1\n".to_owned()]))
            .unwrap();
        assert_eq!(
            texts,
            ["current = \"2\" # why\n[v]\na = 1\nb = 3\n\n[[exception]]\nrule = \"1\"\n"]
        );
    }
}
