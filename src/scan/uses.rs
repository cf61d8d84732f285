//! Objects, and what they use.

use std::collections::{BTreeMap, BTreeSet};

use super::contained::Contained;
use super::helm::Stored;
use super::object::ReadDocument;
use super::path::fields;
use super::record::{Manner, place_of_record, recorded};
use super::rewrite::Rewrites;
use super::surface::{Answer, Fate, Member, Surface, look_up};
use crate::grammar::{CORE, Family, KindPath, VersionPath};
use crate::schema::{Entry, Tree};
use crate::source::Location;
use crate::text::{Unreadable, at};

/// A use of an element by an object.
#[derive(Debug)]
pub(crate) struct Use<'s> {
    pub(crate) surface: &'s Surface,
    pub(crate) fate: &'s Fate,
    pub(crate) manner: Manner,
    /// The object, in words: "Deployment `shop/web`".
    pub(crate) object: String,
    /// Where it is: of a key, or the beginning of an object.
    pub(crate) place: Option<Location>,
    /// The key at the place, and the value of it that is the use: `apiVersion` and `apps/v1beta1`.
    pub(crate) written: (String, Option<String>),
    /// The value that it can have instead, if nothing else has to change.
    pub(crate) instead: Option<String>,
}

/// What objects are compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<'s> {
    /// What the models say. Of several that declare a group, the first one counts.
    pub(crate) surfaces: &'s [Surface],
    pub(crate) rewrites: &'s Rewrites,
    pub(crate) contained: &'s Contained,
}

/// What the objects of texts use.
#[derive(Debug, Default)]
pub(crate) struct Uses<'s> {
    pub(crate) all: Vec<Use<'s>>,
    /// How many objects there are.
    pub(crate) objects: usize,
    /// How many of them no model knows, by the group, or the version of a group that a model has.
    pub(crate) unknown: BTreeMap<String, usize>,
    /// Helm releases that cannot be read.
    pub(crate) unreadable: Vec<Unreadable>,
    /// Whether the objects are those of a Helm release. A release within a release is not read.
    is_release: bool,
}

/// An object, or a reference to one.
#[derive(Debug, Clone, Copy)]
struct Object<'t> {
    tree: &'t Tree,
    api_version: &'t str,
    kind: &'t str,
    /// Where its version stands, or it begins.
    place: Option<Location>,
    /// Whether it states its version itself.
    is_stated: bool,
}

impl<'s> Uses<'s> {
    /// Adds what the objects of a document use.
    pub(crate) fn add(&mut self, known: Known<'s>, document: &ReadDocument) {
        let (first, broken) = (self.all.len(), self.unreadable.len());
        self.add_tree(known, &document.tree, None, None);
        for found in &mut self.all[first..] {
            found.place = found.place.map(|place| place.below(document.line));
        }
        for error in &mut self.unreadable[broken..] {
            error.line = error.line.saturating_add(document.line.saturating_sub(1));
        }
    }

    /// Adds an object, or those of a list. The items of a list of one kind need not state it.
    fn add_tree(&mut self, known: Known<'s>, tree: &Tree, shared: Option<(&str, &str)>, begin: Option<Location>) {
        if let Tree::List(items) = tree {
            for item in items {
                self.add_tree(known, &item.value, shared, item.place.or(begin));
            }
            return;
        }
        let Some(object) = Object::of(tree, shared, begin) else {
            return;
        };
        let of_list = object.kind.strip_suffix("List");
        let items = ["items", "objects"].map(|key| tree.get(key));
        let items = match (of_list, items) {
            (Some(_), [Some(items @ Tree::List(_)), _]) => Some(items),
            (None, [_, Some(objects @ Tree::List(_))]) if object.kind == "Template" => Some(objects),
            _ => None,
        };
        if let Some(items) = items {
            let shared = of_list.filter(|kind| !kind.is_empty());
            let shared = shared.map(|kind| (object.api_version, kind));
            self.add_tree(known, items, shared, object.place);
            return;
        }
        self.objects += 1;
        self.add_object(known, object);
        if let Some(release) = Stored::of(object.kind, tree).filter(|release| release.is_live && !self.is_release) {
            self.add_release(known, release);
        }
    }

    fn add_object(&mut self, known: Known<'s>, object: Object<'_>) {
        let words = object.words();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        match object.look_up(known.surfaces) {
            Answer::Nothing => self.add_unknown(object.group().to_owned()),
            Answer::Group => self.add_unknown(object.api_version.to_owned()),
            Answer::Kind(surface, fate, members) => {
                seen.insert(&fate.id);
                self.push(known, (surface, fate), Manner::Has, &words, object);
                for member in members {
                    self.add_member(surface, member, &words, object.tree);
                }
                self.add_contained(known, object, &words);
            }
        }
        for (manner, version) in recorded(object.tree) {
            let recorded = Object {
                api_version: version,
                is_stated: false,
                ..object
            };
            if let Answer::Kind(surface, fate, _) = recorded.look_up(known.surfaces)
                && seen.insert(&fate.id)
            {
                let (key, place) = place_of_record(object.tree, manner).unwrap_or(("", object.place));
                let first = self.all.len();
                self.push(known, (surface, fate), manner, &words, Object { place, ..recorded });
                for found in &mut self.all[first..] {
                    key.clone_into(&mut found.written.0);
                }
            }
        }
        if !matches!(object.kind, "CustomResourceDefinition" | "Event") {
            self.add_references(known, object.tree, &words, 0);
        }
    }

    /// Adds what the objects of a Helm release use. Only ids of the model are taken from what a secret stores.
    fn add_release(&mut self, known: Known<'s>, release: Stored<'_>) {
        let place = release.entry().place;
        let documents = match release.documents() {
            Ok(read) => read.documents,
            Err(reason) => {
                let place = place.unwrap_or(Location { line: 1, column: 1 });
                return self.unreadable.push(at(place.line, place.column, reason));
            }
        };
        let mut own = Self {
            is_release: true,
            ..Self::default()
        };
        for document in &documents {
            own.add(known, document);
        }
        self.objects += own.objects;
        let unknown: usize = own.unknown.values().sum();
        if unknown > 0 {
            *self.unknown.entry("groups in Helm releases".to_owned()).or_default() += unknown;
        }
        self.all.extend(own.all.into_iter().map(|found| Use {
            object: format!("Helm release `{}`", release.name),
            place,
            written: ("release".to_owned(), None),
            instead: None,
            ..found
        }));
    }

    fn add_unknown(&mut self, what: String) {
        *self.unknown.entry(what).or_default() += 1;
    }

    fn push(
        &mut self,
        known: Known<'s>,
        (surface, fate): (&'s Surface, &'s Fate),
        manner: Manner,
        words: &str,
        object: Object<'_>,
    ) {
        if fate.is_nothing() {
            return;
        }
        let value = object.is_stated.then(|| object.api_version.to_owned());
        let key = if object.is_stated { "apiVersion" } else { "" };
        let own = (object.api_version, object.kind);
        let replacement = fate
            .replacement
            .as_deref()
            .filter(|_| object.is_stated && !fate.is_replaced_later);
        self.all.push(Use {
            surface,
            fate,
            manner,
            object: words.to_owned(),
            place: object.place,
            written: (key.to_owned(), value),
            instead: replacement.and_then(|other| {
                known
                    .rewrites
                    .version_instead(own, other, (object.tree, manner == Manner::Refers))
            }),
        });
    }

    /// Adds the members that the objects within an object have.
    fn add_contained(&mut self, known: Known<'s>, object: Object<'_>, words: &str) {
        let version = VersionPath::new(Family::Api, object.group(), object.version());
        for part in known.contained.of(&version.with_kind(object.kind)) {
            let KindPath { version, kind } = &part.kind;
            let Answer::Kind(surface, _, members) = look_up(known.surfaces, &version.group, &version.version, kind)
            else {
                continue;
            };
            let mut found = Vec::new();
            fields(object.tree, &part.steps, None, &mut found);
            for (_, entry) in found {
                for member in members {
                    self.add_member(surface, member, words, &entry.value);
                }
            }
        }
    }

    fn add_member(&mut self, surface: &'s Surface, member: &'s Member, words: &str, tree: &Tree) {
        for (key, entry) in member.places(tree) {
            self.all.push(Use {
                surface,
                fate: &member.fate,
                manner: Manner::Has,
                object: words.to_owned(),
                place: entry.place,
                written: (key, None),
                instead: None,
            });
        }
    }

    /// Adds the objects that a part of an object refers to or contains, by version and kind.
    fn add_references(&mut self, known: Known<'s>, tree: &Tree, words: &str, depth: usize) {
        match tree {
            Tree::List(items) => {
                for item in items {
                    self.add_reference(known, item, words, depth);
                }
            }
            Tree::Table(entries) => {
                for (key, entry) in entries {
                    if key != "managedFields" && !(depth == 0 && key == "status") {
                        self.add_reference(known, entry, words, depth);
                    }
                }
            }
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) => {}
        }
    }

    fn add_reference(&mut self, known: Known<'s>, entry: &Entry, words: &str, depth: usize) {
        if let Some(object) = Object::of(&entry.value, None, entry.place)
            && let Answer::Kind(surface, fate, _) = object.look_up(known.surfaces)
        {
            self.push(known, (surface, fate), Manner::Refers, words, object);
        }
        self.add_references(known, &entry.value, words, depth + 1);
    }
}

impl<'t> Object<'t> {
    fn of(tree: &'t Tree, shared: Option<(&'t str, &'t str)>, begin: Option<Location>) -> Option<Self> {
        let stated = tree.entry("apiVersion");
        let (api_version, kind) = match (tree.text("apiVersion"), tree.text("kind"), shared) {
            ("", "", Some(shared)) => shared,
            ("", ..) | (_, "", _) => return None,
            (api_version, kind, _) => (api_version, kind),
        };
        Some(Self {
            tree,
            api_version,
            kind,
            place: stated.map_or(begin, |entry| entry.place),
            is_stated: stated.is_some(),
        })
    }

    fn group(&self) -> &'t str {
        self.api_version.rsplit_once('/').map_or(CORE, |(group, _)| group)
    }

    fn version(&self) -> &'t str {
        let version = self.api_version.rsplit_once('/');
        version.map_or(self.api_version, |(_, version)| version)
    }

    fn look_up<'s>(&self, surfaces: &'s [Surface]) -> Answer<'s> {
        look_up(surfaces, self.group(), self.version(), self.kind)
    }

    /// "Deployment `shop/web`", or the kind alone.
    fn words(&self) -> String {
        let (kind, metadata) = (self.kind, self.tree.get("metadata"));
        let [namespace, name] = ["namespace", "name"].map(|key| metadata.map_or("", |metadata| metadata.text(key)));
        match (namespace, name) {
            (_, "") => kind.to_owned(),
            ("", name) => format!("{kind} `{name}`"),
            (namespace, name) => format!("{kind} `{namespace}/{name}`"),
        }
    }
}
