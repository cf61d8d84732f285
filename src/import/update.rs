//! A model that is there already, brought up to date with a draft: what is new is added, what people wrote stays.

mod insert;
mod known;
mod merge;
mod place;
mod specs;
mod verify;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Diagnostic;
use crate::document::{Document, RULE, apply};
use crate::grammar::{EntryKey, Family, KindPath};
use crate::source::Span;

use super::draft::{Draft, Element, Group, Kind, Value};
use super::layout::{self, Forms, Line, Section};
use place::Place;

pub use insert::{Entry, Inserted, Piece, insert};
pub use known::{known, numbered};
pub use verify::verify;

/// What an update comes to.
#[derive(Debug)]
pub struct Updated {
    /// The texts, in the order of the documents.
    pub texts: Vec<String>,
    /// How many entries, keys and values were added or filled in.
    pub added: usize,
    /// Where the files say something else than the draft: nothing is changed there.
    pub disagreements: Vec<Diagnostic>,
}

/// Adds to a model what a draft has more than it: releases, elements, events. Nothing that the files say is removed,
/// moved or replaced, but for the newest release that has shipped and the days of releases that had none.
///
/// `documents` are the model's, the main one first, each with its text.
pub fn update(documents: &[(&str, &Document<'_>)], draft: &Draft) -> Updated {
    let mut update = Update::of(documents, "what is imported");
    let rest = Draft {
        groups: BTreeMap::new(),
        configs: BTreeMap::new(),
        ..draft.clone()
    };
    for section in layout::sections(&rest) {
        update.section(&section);
    }
    for (family, groups) in [(Family::Api, &draft.groups), (Family::Config, &draft.configs)] {
        for (name, group) in groups {
            update.group(&[family.section().to_owned(), name.clone()], group);
        }
    }
    update.done()
}

struct Update<'d> {
    /// What the files are held against: "what is imported".
    other: &'static str,
    places: Vec<Place<'d>>,
    disagreements: Vec<Diagnostic>,
    added: usize,
}

impl<'d> Update<'d> {
    fn of(documents: &[(&'d str, &'d Document<'_>)], other: &'static str) -> Self {
        let places = documents.iter().map(|(text, document)| Place::new(text, document));
        Self {
            other,
            places: places.collect(),
            disagreements: Vec::new(),
            added: 0,
        }
    }

    fn done(self) -> Updated {
        let texts = self.places.into_iter().map(|place| apply(place.text, &place.edits()));
        Updated {
            texts: texts.collect(),
            added: self.added,
            disagreements: self.disagreements,
        }
    }
}

impl Update<'_> {
    /// A group: what its versions say, the kinds that are there, and those that are new.
    fn group(&mut self, path: &[String], group: &Group) {
        let group = &self.fitting(path, group);
        let kinds = layout::below(path, &["kind"]);
        let is_known = |name: &String| self.find(&layout::below(&kinds, &[name])).is_some();
        let (known, new): (BTreeMap<_, _>, BTreeMap<_, _>) = group
            .kinds
            .iter()
            .map(|(name, kind)| (name.clone(), kind.clone()))
            .partition(|(name, _)| is_known(name));
        let of = |kinds: BTreeMap<String, Kind>| Group { kinds, ..group.clone() };
        // What kinds inherit is what the files say, before this update adds to it.
        let inherited = self.inherited(path, group);
        for section in layout::group_sections(path, &of(BTreeMap::new()), Forms::Each) {
            self.section(&section);
        }
        for (name, kind) in &known {
            for section in layout::kind_lines(&layout::below(&kinds, &[name]), kind, &inherited, Forms::Each) {
                self.section(&section);
            }
        }
        let new = Group {
            kinds: new,
            ..inherited
        };
        for section in layout::kind_sections(path, &new, Forms::Each) {
            self.section(&section);
        }
    }

    /// A group whose versions say no more than the files let them say: of the rest, each kind speaks for itself.
    fn inherited(&self, path: &[String], group: &Group) -> Group {
        let versions = group.versions.iter().map(|(version, element)| {
            let agreed = layout::said_of(element).into_iter().filter(|(key, value)| {
                let found = self.find(&layout::below(path, &["version", version, key]));
                found.is_none_or(|(_, found)| merge::says(found, value))
            });
            let element = Element {
                lives: Vec::new(),
                said: agreed.collect(),
            };
            (version.clone(), element)
        });
        Group {
            versions: versions.collect(),
            ..group.clone()
        }
    }

    /// A group without what is new in versions whose entries say for all kinds what is not so of it: that is told
    /// instead.
    fn fitting(&mut self, path: &[String], group: &Group) -> Group {
        let mut fitting = group.clone();
        let all = group.kinds.values().flat_map(|kind| &kind.versions);
        let replaced = all.filter(|(_, element)| element.said.contains_key("replacement"));
        let replaced: BTreeSet<&String> = replaced.map(|(version, _)| version).collect();
        for (name, kind) in &group.kinds {
            for (version, element) in &kind.versions {
                let of_replacements = replaced.contains(version);
                let Some((key, said, span)) = self.in_the_way(path, name, version, element, of_replacements) else {
                    continue;
                };
                let message = format!(
                    "the entry of {version} says `{key} = {said}` for all its kinds; what is imported does not say that of \
                     {name}, which is new there"
                );
                self.disagreements.push(
                    Diagnostic::error(RULE, "imported", message)
                        .about(KindPath::api(path.last().map_or("", String::as_str), version, name).to_string())
                        .at(span, format!("not so of {name}"))
                        .help(format!("move `{key}` to the kinds it holds for, then import again")),
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

    /// What a version's entry says that does not hold for a kind that is new in it. A source that tells of no
    /// replacements does not say that there is none.
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
        let listed = self
            .find(&layout::below(&kind, &["versions"]))
            .and_then(|(_, list)| list.as_list());
        let is_there = match listed {
            Some(mut listed) => listed.any(|word| word.as_word().is_some_and(|word| word.text == version)),
            None => self.find(&kind).is_some(),
        };
        if is_there || self.find(&layout::below(&kind, &["version", version])).is_some() {
            return None;
        }
        let wanted = layout::life_keys(life);
        let keys = ["lives", "deprecated", "undeprecated", "removed", "migrated", "dropped"];
        let replacement = (of_replacements && !element.said.contains_key("replacement")).then_some("replacement");
        keys.iter().chain(&replacement).find_map(|key| {
            let (_, said) = self.find(&layout::below(path, &["version", version, key]))?;
            let holds = wanted.iter().any(|(known, _)| known == key);
            (!holds).then(|| ((*key).to_owned(), said.plain_text(), said.span()))
        })
    }

    /// A section: what the files have of it is compared, the rest is put in.
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
                    full: None,
                    explicit: None,
                });
            }
        }
        if missing.is_empty() {
            return;
        }
        self.added += missing.len();
        let at = (0..self.places.len())
            .find(|at| self.places[*at].has(&section.path))
            .unwrap_or(0);
        if let Some(place) = self.places.get_mut(at) {
            place.put_section(&Section {
                lines: missing,
                ..section.clone()
            });
        }
    }

    /// What a line that the files do not have is to say; `None` if that is said elsewhere.
    fn wanted(&self, path: &[String], line: &Line) -> Option<Value> {
        let value = line.value.clone()?;
        let [family, group, kind, _, version, number] = path else {
            return Some(value);
        };
        if (kind.as_str(), version.as_str()) != ("kind", "version") {
            return Some(value);
        }
        let inherited = [family.clone(), group.clone(), "version".to_owned(), number.clone()];
        let Value::Table(entries) = value else {
            return Some(value);
        };
        let said = |key: &String, value: &Value| {
            let path: Vec<String> = inherited.iter().chain([key]).cloned().collect();
            self.find(&path).is_some_and(|found| merge::says(found.1, value))
        };
        let own: Vec<(String, Value)> = entries.into_iter().filter(|(key, value)| !said(key, value)).collect();
        (!own.is_empty()).then_some(Value::Table(own))
    }

    /// Merges a line in the form that fits how the files say it.
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

    /// Whether the files say of a part, for all versions together, when something happens to it.
    fn has_a_life(&self, path: &[String]) -> bool {
        let mut keys = EntryKey::ALL
            .iter()
            .map(|key| key.as_str())
            .filter(|key| EntryKey::is_of_life(key));
        keys.any(|key| self.find(&layout::below(path, &[key])).is_some())
    }

    /// Where the files have something: in which of them, and what.
    fn find(&self, path: &[String]) -> Option<(usize, crate::document::Value<'_>)> {
        let mut found = self
            .places
            .iter()
            .enumerate()
            .filter_map(|(at, place)| Some((at, place.value(path)?)));
        found.next()
    }

    fn disagree(&mut self, path: &[String], span: Span, said: &str, found: &str) {
        let name = path.join(" ");
        let message = format!("the file says {said} of `{name}`, {} says {found}", self.other);
        self.disagreements.push(
            Diagnostic::error(RULE, "imported", message)
                .at(span, format!("imported: {found}"))
                .help("nothing was changed here: correct the file, or leave it if you know better"),
        );
    }
}
