//! Updates an existing model with a draft: what is new is added, what people wrote stays.
//!
//! An update reads the model that it edits, so that it finds what is missing by meaning and not by how it is written.
//! It only inserts, but for the newest release and for the dates of releases that had none.

mod deletion;
pub(crate) mod entry;
mod file;
mod insert;
mod known;
mod merge;
pub(crate) mod rewrite;
mod specs;
mod value_path;
mod verify;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Diagnostic;
use crate::document::{Document, RULE, Value as FileValue, apply};
use crate::grammar::{EntryKey, EventKind, KindPath};
use crate::source::Span;

use super::draft::{Draft, Element, Group, Value};
use super::layout::{self, Forms, Line, Section};
use file::ModelFile;

pub(crate) use insert::{Inserted, NewEntry, Piece, insert};
pub use known::known;
pub use verify::verify;

/// The result of an update.
#[derive(Debug)]
pub struct Updated {
    /// The texts, in the order of the documents.
    pub texts: Vec<String>,
    /// How many entries, keys and values were added or filled in.
    pub added: usize,
    /// The newest release that has shipped, if that is another one than before.
    pub current: Option<String>,
    /// Where the files differ from the draft: nothing is changed there.
    pub disagreements: Vec<Diagnostic>,
}

/// Adds to a model what only a draft has: releases, elements, events. Nothing in the files is removed, moved or
/// replaced, but for the newest release that has shipped and the dates of releases that had none.
///
/// `documents` are the model's, the main one first, each with its text.
pub fn update(documents: &[(&str, &Document<'_>)], draft: &Draft) -> Updated {
    let mut update = Update::of(documents, "the import");
    let rest = Draft {
        groups: BTreeMap::new(),
        ..draft.clone()
    };
    for section in layout::sections(&rest) {
        update.section(&section);
    }
    for (name, group) in &draft.groups {
        update.group(&layout::group_path(name), group);
    }
    update.done()
}

struct Update<'d> {
    /// What the files are compared with: "the import".
    other: &'static str,
    files: Vec<ModelFile<'d>>,
    disagreements: Vec<Diagnostic>,
    added: usize,
    current: Option<String>,
}

impl<'d> Update<'d> {
    fn of(documents: &[(&'d str, &'d Document<'_>)], other: &'static str) -> Self {
        let files = documents.iter().map(|(_, document)| ModelFile::new(document));
        Self {
            other,
            files: files.collect(),
            disagreements: Vec::new(),
            added: 0,
            current: None,
        }
    }

    /// The file that has a value at a path, and the value.
    fn find(&self, path: &[String]) -> Option<(usize, FileValue<'d>)> {
        let mut files = self.files.iter().enumerate();
        files.find_map(|(at, file)| Some((at, file.value(path)?)))
    }

    fn done(self) -> Updated {
        let texts = self.files.into_iter().map(|file| apply(file.text, &file.edits()));
        Updated {
            texts: texts.collect(),
            added: self.added,
            current: self.current,
            disagreements: self.disagreements,
        }
    }
}

impl Update<'_> {
    /// A group: its versions, the kinds that the files have, and new ones.
    fn group(&mut self, path: &[String], group: &Group) {
        let group = &self.fitting(path, group);
        let kinds = layout::below(path, &["kind"]);
        let all = group.kinds.clone().into_iter();
        let (known, new): (BTreeMap<_, _>, BTreeMap<_, _>) =
            all.partition(|(name, _)| self.find(&layout::below(&kinds, &[name])).is_some());
        let without_kinds = Group {
            kinds: BTreeMap::new(),
            ..group.clone()
        };
        // Kinds inherit what the files have before this update adds to it.
        let inherited = self.inherited(path, group);
        let mut sections = layout::group_sections(path, &without_kinds, Forms::Each);
        for (name, kind) in &known {
            let path = layout::below(&kinds, &[name]);
            sections.extend(layout::kind_lines(&path, kind, &inherited, Forms::Each));
        }
        let new = Group {
            kinds: new,
            ..inherited
        };
        sections.extend(layout::kind_sections(path, &new, Forms::Each));
        for section in &sections {
            self.section(section);
        }
    }

    /// A group whose versions have only what the files agree with; each kind has the rest in its own entry.
    fn inherited(&self, path: &[String], group: &Group) -> Group {
        let versions = group.versions.iter().map(|(version, element)| {
            let agreed = layout::keys_of(element).into_iter().filter(|(key, value)| {
                let found = self.find(&layout::below(path, &["version", version, key]));
                found.is_none_or(|(_, found)| merge::says(found, value))
            });
            let element = Element {
                lives: Vec::new(),
                keys: agreed.collect(),
            };
            (version.clone(), element)
        });
        Group {
            versions: versions.collect(),
            ..group.clone()
        }
    }

    /// A group without new kinds to which an entry of their version, which is for all kinds, does not apply. Those are
    /// reported instead.
    fn fitting(&mut self, path: &[String], group: &Group) -> Group {
        let mut fitting = group.clone();
        let all = group.kinds.values().flat_map(|kind| &kind.versions);
        let replaced = all.filter(|(_, element)| element.keys.contains_key("replacement"));
        let replaced: BTreeSet<&String> = replaced.map(|(version, _)| version).collect();
        for (name, kind) in &group.kinds {
            for (version, element) in &kind.versions {
                let of_replacements = replaced.contains(version);
                let Some((key, declared, span)) = self.in_the_way(path, name, version, element, of_replacements) else {
                    continue;
                };
                let message = format!(
                    "the entry of {version} has `{key} = {declared}` for all its kinds, but the import does not have it for \
                     {name}, a new kind there"
                );
                self.disagreements.push(
                    Diagnostic::error(RULE, "imported", message)
                        .about(KindPath::api(path.last().map_or("", String::as_str), version, name).to_string())
                        .at(span, format!("does not apply to {name}"))
                        .help(format!(
                            "move `{key}` to the kinds that it applies to, then import again"
                        )),
                );
                if let Some(kind) = fitting.kinds.get_mut(name) {
                    kind.versions.remove(version);
                    kind.storage.remove(version);
                    kind.parts
                        .values_mut()
                        .for_each(|versions| drop(versions.remove(version)));
                    kind.parts.retain(|_, versions| !versions.is_empty());
                }
            }
        }
        fitting.kinds.retain(|_, kind| !kind.versions.is_empty());
        fitting
    }

    /// A key of a version's entry that does not apply to a new kind. A source without any replacements does not say
    /// that there is none.
    fn in_the_way(
        &self,
        path: &[String],
        name: &str,
        version: &str,
        element: &Element,
        of_replacements: bool,
    ) -> Option<(String, String, Span)> {
        let [life] = element.lives.as_slice() else { return None };
        let kind = layout::below(path, &["kind", name]);
        let listed = self.find(&layout::below(&kind, &["versions"]));
        let listed = listed.and_then(|(_, list)| list.as_list());
        let is_there = match listed {
            Some(mut listed) => listed.any(|word| word.as_word().is_some_and(|word| word.text == version)),
            None => self.find(&kind).is_some(),
        };
        if is_there || self.find(&layout::below(&kind, &["version", version])).is_some() {
            return None;
        }
        let wanted = layout::life_keys(life);
        let keys = ["lives", "deprecated", "undeprecated", "removed", "migrated", "dropped"];
        let replacement = (of_replacements && !element.keys.contains_key("replacement")).then_some("replacement");
        keys.iter().chain(&replacement).find_map(|key| {
            let (_, declared) = self.find(&layout::below(path, &["version", version, key]))?;
            let holds = wanted.iter().any(|(known, _)| known == key);
            (!holds).then(|| ((*key).to_owned(), declared.plain_text(), declared.span()))
        })
    }

    /// A section: what the files have is compared, the rest is inserted.
    fn section(&mut self, section: &Section) {
        let mut missing: Vec<Line> = Vec::new();
        for line in &section.lines {
            let path: Vec<String> = section.path.iter().chain(&line.key).cloned().collect();
            if self.find(&path).is_some() {
                self.known_line(&path, line);
            } else if let Some(value) = self.wanted(&path, line) {
                missing.push(Line {
                    key: line.key.clone(),
                    value: Some(value),
                    ..Line::default()
                });
            }
        }
        if missing.is_empty() {
            return;
        }
        self.added += missing.len();
        let at = self.files.iter().position(|file| file.has(&section.path));
        if let Some(file) = self.files.get_mut(at.unwrap_or(0)) {
            file.put_section(&Section {
                lines: missing,
                ..section.clone()
            });
        }
    }

    /// The value of a line that the files do not have; `None` if they have it elsewhere.
    fn wanted(&self, path: &[String], line: &Line) -> Option<Value> {
        match line.value.clone()? {
            Value::Table(mut entries) if !entries.is_empty() => {
                let inherited: Vec<bool> = entries
                    .iter()
                    .map(|(key, value)| self.inherits(&layout::below(path, &[key]), value))
                    .collect();
                // A kind that declares deprecations declares all of them, and when they are withdrawn.
                let deprecated = EventKind::Deprecated.as_str();
                let mut own = entries.iter().zip(&inherited).filter(|(_, inherited)| !**inherited);
                let is_deprecated = own.any(|((key, _), _)| key == deprecated);
                let undeprecated = EventKind::Undeprecated.as_str();
                let mut inherited = inherited.into_iter();
                entries.retain(|(key, _)| {
                    let is_inherited = inherited.next() == Some(true);
                    !is_inherited || (is_deprecated && key == undeprecated)
                });
                (!entries.is_empty()).then_some(Value::Table(entries))
            }
            value => Some(value),
        }
    }

    /// Whether the entry of a version has the value that a key of a kind in it would get.
    fn inherits(&self, path: &[String], value: &Value) -> bool {
        let [family, group, kind, _, version, number, key] = path else {
            return false;
        };
        let inherited = [family, group, version, number, key].map(String::clone);
        let found = self.find(&inherited);
        kind == "kind" && version == "version" && found.is_some_and(|(_, found)| merge::says(found, value))
    }

    /// Merges a line in the form that the files use.
    fn known_line(&mut self, path: &[String], line: &Line) {
        let short = line.value.as_ref();
        let value = match (&line.full, &line.explicit) {
            (Some(full), Some(explicit)) => {
                let within = layout::below(path, &["in"]);
                let spelt = self.find(&within).is_some() || short == Some(full);
                match (spelt, self.has_a_life(path)) {
                    (true, true) => Some(explicit),
                    (true, false) => Some(full),
                    (false, _) => short,
                }
            }
            (full, _) => full.as_ref().or(short),
        };
        if let Some(value) = value {
            self.merge(path, value);
        }
    }

    /// Whether the files declare events of a member for all versions together.
    fn has_a_life(&self, path: &[String]) -> bool {
        let mut keys = EntryKey::ALL.iter().map(|key| key.as_str());
        keys.any(|key| EntryKey::is_of_life(key) && self.find(&layout::below(path, &[key])).is_some())
    }

    fn disagree(&mut self, path: &[String], span: Span, declared: &str, found: &str) {
        let name = path.join(" ");
        let message = format!("`{name}` is {declared} in the file, but {found} in {}", self.other);
        self.disagreements.push(
            Diagnostic::error(RULE, "imported", message)
                .at(span, format!("imported: {found}"))
                .help("the file is not changed here: correct it, or keep it if it is right"),
        );
    }
}
