//! Definitions held against the model that declares their lives: whether the two say the same of what is served,
//! deprecated and stored.
//!
//! Definitions in a repository are those of the release that is being made. So they have to be as the model says of the
//! newest release that has shipped, or of the next one.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::model::{ElementId, Event, EventKind, Family, Group, Model};
use crate::release::Release;
use crate::schema::{Definition, Version};
use crate::text::Place;

use super::State;
use super::finding::Texts;
use super::planned::listed;

/// The page of these findings, and of schemas that cannot be compared.
pub const PAGE: Page = Page {
    slug: "schemas",
    title: "Schemas that a model names: whether they agree with it, and how their changes are judged.",
    text: include_str!("schemas.md"),
    codes: &[
        ("undeclared", Severity::Warning),
        ("unserved", Severity::Error),
        ("still-served", Severity::Warning),
        ("unannounced", Severity::Warning),
        ("unmarked", Severity::Warning),
        ("storage", Severity::Warning),
        ("no-base", Severity::Warning),
        ("unreadable-base", Severity::Warning),
        ("unnamed", Severity::Warning),
    ],
};

/// Where the definitions of a state and its model disagree. The caller grades the findings.
///
/// What the model says of groups that the state does not have is not looked at. Documents of `OpenAPI` tell neither
/// what is deprecated nor what is stored, so that they are asked only for what is served.
pub fn disagreements(state: State<'_>, model: &Model, texts: &Texts<'_>) -> Vec<Diagnostic> {
    let mut held = Held {
        model,
        texts,
        current: model.calendar.current(),
        next: model.calendar.next(),
        found: Vec::new(),
        seen: BTreeMap::new(),
    };
    for side in state.definitions {
        held.definition(side.file, side.definition, true);
    }
    for side in state.documents {
        for kind in &side.document.kinds {
            held.definition(side.file, kind, false);
        }
    }
    held.what_is_missing();
    held.found.sort_by(Diagnostic::listing_order);
    held.found.dedup();
    held.found
}

/// The versions of a kind that a state has, and where the kind is defined first.
struct Seen<'a> {
    file: &'a str,
    place: Place,
    versions: BTreeSet<&'a str>,
}

struct Held<'a> {
    model: &'a Model,
    texts: &'a Texts<'a>,
    current: Option<Release>,
    next: Release,
    found: Vec<Diagnostic>,
    /// By group and kind.
    seen: BTreeMap<(&'a str, &'a str), Seen<'a>>,
}

/// A version of a kind, as a file defines it.
#[derive(Clone, Copy)]
struct Side<'a> {
    file: &'a str,
    definition: &'a Definition,
    name: &'a str,
    version: &'a Version,
}

impl Side<'_> {
    fn id(&self) -> String {
        let Definition { group, kind, .. } = self.definition;
        format!("{group}/{} {kind}", self.name)
    }

    fn place(&self) -> Place {
        self.version.place.unwrap_or(self.definition.place)
    }
}

impl<'a> Held<'a> {
    fn definition(&mut self, file: &'a str, definition: &'a Definition, is_whole: bool) {
        let kind = (definition.group.as_str(), definition.kind.as_str());
        let seen = self.seen.entry(kind).or_insert(Seen {
            file,
            place: definition.place,
            versions: BTreeSet::new(),
        });
        seen.versions.extend(definition.versions.keys().map(String::as_str));
        for (name, version) in &definition.versions {
            let side = Side {
                file,
                definition,
                name,
                version,
            };
            self.service(side);
            if is_whole && version.served {
                self.deprecation(side);
            }
        }
        if is_whole {
            self.storage(file, definition);
        }
    }

    /// Whether a version is served, by both.
    fn service(&mut self, side: Side<'a>) {
        let id = side.id();
        let element = element(self.model, side);
        if !side.version.served {
            if let Some(element) = element.filter(|element| self.must_be_served(*element)) {
                self.unserved(element, &id, side.file, side.place());
            }
            return;
        }
        let Some(element) = element else {
            let help = "bring the model up to date: `lifecycle import crds … --update MODEL`";
            let message = format!("{id} is served, but the model does not have it");
            return self.add("undeclared", &id, message, side, help);
        };
        if self.may_be_served(element) {
            return;
        }
        let begin = self.begin(element);
        match begin.filter(|begin| *begin > self.next) {
            Some(begin) => {
                let message = format!("{id} is served, but the model introduces it in {}", self.name(begin));
                let help = "serve it from that release on (`served: false`), or correct the model";
                self.add_declared("undeclared", &id, message, side, help, (element, EventKind::Introduced));
            }
            None => {
                let end = self.end(element).map(|end| format!(" in {}", self.name(end)));
                let message = format!(
                    "{id} is served, but the model says it is gone{}",
                    end.unwrap_or_default()
                );
                let help = "end it (`served: false`), or correct the model";
                self.add_declared("still-served", &id, message, side, help, (element, EventKind::Removed));
            }
        }
    }

    fn unserved(&mut self, element: ElementId, id: &str, file: &str, place: Place) {
        let message = format!("{id} is not served, but the model does not say that it ends");
        let help = format!(
            "serve it, or declare the end in the model: `lifecycle check --remove \"{id}@{}\"` tells whether it may end{}",
            self.name(self.next),
            listed(&self.model.calendar)
        );
        let finding = self.finding("unserved", id, message, file, place, &help);
        let declared = self.model.element(element).span;
        self.found.push(finding.seen_at(declared, "declared here"));
    }

    /// Whether a version is marked as deprecated where the model says so, and only there.
    fn deprecation(&mut self, side: Side<'a>) {
        let Some(element) = element(self.model, side) else {
            return;
        };
        let id = side.id();
        let life = self.model.last_life(element);
        let declared = self.model.deprecation(element, life);
        let by = |release: Release| declared.is_some_and(|declared| declared.release <= release);
        if side.version.deprecated && !by(self.next) {
            let message = match declared {
                Some(declared) => format!(
                    "{id} is marked as deprecated, but the model deprecates it in {}",
                    self.name(declared.release)
                ),
                None => format!("{id} is marked as deprecated, but the model does not say so"),
            };
            let help = format!(
                "declare it: `deprecated = \"{}\"`{}, or take the mark away",
                self.name(self.next),
                listed(&self.model.calendar)
            );
            self.add("unannounced", &id, message, side, &help);
        } else if !side.version.deprecated && self.current.is_some_and(by) && self.may_be_served(element) {
            let when = declared.map(|declared| self.name(declared.release)).unwrap_or_default();
            let message =
                format!("{id} is deprecated since {when} by the model, but is not marked so: nobody is warned");
            let help = "set `deprecated: true`, with a `deprecationWarning` that names what to use";
            self.add_declared("unmarked", &id, message, side, help, (element, EventKind::Deprecated));
        }
    }

    /// Whether objects are stored in the version that the model says. What it leaves open is not asked.
    fn storage(&mut self, file: &'a str, definition: &'a Definition) {
        let stored = definition.versions.iter().find(|(_, version)| version.storage);
        let Some((name, version)) = stored else { return };
        let versions = definition.versions.keys();
        let moves = versions.filter_map(|name| {
            let id = format!("{}/{name} {}", definition.group, definition.kind);
            let element = self.model.find(&id)?;
            let moved = self.model.declared(element, EventKind::Stored)?;
            Some((moved.release, name, element))
        });
        let moves: Vec<_> = moves.collect();
        let by = |release: Release| {
            let until = moves.iter().filter(|(moved, ..)| *moved <= release);
            until.max_by_key(|(moved, ..)| *moved)
        };
        let last = self.current.and_then(by);
        let Some((moved, expected, element)) = by(self.next).copied() else {
            return;
        };
        if expected == name || last.is_some_and(|(_, last, _)| *last == name) {
            return;
        }
        let side = Side {
            file,
            definition,
            name,
            version,
        };
        let id = side.id();
        let since = self.name(moved);
        let message = format!("objects are stored in {id}, but the model stores them in {expected} since {since}");
        let help = format!("set `storage: true` on {expected} alone, or correct `storage` in the model");
        self.add_declared("storage", &id, message, side, &help, (element, EventKind::Stored));
    }

    /// Versions that the model serves, of groups that the state has, and that it does not have.
    fn what_is_missing(&mut self) {
        let groups: BTreeSet<&str> = self.seen.keys().map(|(group, _)| *group).collect();
        let model = self.model;
        let known = |group: &&Group| group.family == Family::Api && groups.contains(group.name.as_str());
        for group in model.groups.iter().filter(known) {
            for kind in &group.kinds {
                for (element, version) in kind.versions.iter().zip(&group.versions) {
                    if let Some(element) = element.filter(|element| self.must_be_served(*element)) {
                        self.missing(group, &kind.name, version.name.as_str(), element);
                    }
                }
            }
        }
    }

    fn missing(&mut self, group: &Group, kind: &str, version: &str, element: ElementId) {
        let id = format!("{}/{version} {kind}", group.name);
        let seen = self.seen.get(&(group.name.as_str(), kind));
        if let Some((file, place)) = seen.map(|seen| (seen.file, seen.place)) {
            let is_there = seen.is_some_and(|seen| seen.versions.contains(version));
            if !is_there {
                self.unserved(element, &id, file, place);
            }
            return;
        }
        let message = format!("{id} is served by the model, but nothing defines it");
        let help = "name the file that defines it in `schemas`, or declare its end";
        let finding = Diagnostic::error(PAGE.slug, "unserved", message).about(id).help(help);
        self.found.push(finding.at(self.model.element(element).span, ""));
    }

    /// Whether the model serves it in the newest release and in the next one.
    fn must_be_served(&self, element: ElementId) -> bool {
        self.current.is_some_and(|current| self.is_served(element, current)) && self.is_served(element, self.next)
    }

    /// Whether the model serves it in one of the two.
    fn may_be_served(&self, element: ElementId) -> bool {
        self.current.is_some_and(|current| self.is_served(element, current)) || self.is_served(element, self.next)
    }

    fn is_served(&self, element: ElementId, release: Release) -> bool {
        let at = |life, what| self.model.find_declared(Event::new(element, life, what));
        (0..self.model.lives(element)).any(|life| {
            let begun = at(life, EventKind::Introduced).is_some_and(|begin| begin.release <= release);
            begun && at(life, EventKind::Removed).is_none_or(|end| end.release > release)
        })
    }

    fn begin(&self, element: ElementId) -> Option<Release> {
        self.last(element, EventKind::Introduced)
    }

    fn end(&self, element: ElementId) -> Option<Release> {
        self.last(element, EventKind::Removed)
    }

    fn last(&self, element: ElementId, what: EventKind) -> Option<Release> {
        let event = Event::new(element, self.model.last_life(element), what);
        Some(self.model.find_declared(event)?.release)
    }

    fn name(&self, release: Release) -> String {
        self.model.calendar.name(release)
    }

    fn finding(
        &self,
        code: &'static str,
        id: &str,
        message: String,
        file: &str,
        place: Place,
        help: &str,
    ) -> Diagnostic {
        let finding = Diagnostic::error(PAGE.slug, code, message).about(id).help(help);
        match self.texts.span(file, Some(place)) {
            Some(span) => finding.at(span, ""),
            None => finding,
        }
    }

    fn add(&mut self, code: &'static str, id: &str, message: String, side: Side<'_>, help: &str) {
        let finding = self.finding(code, id, message, side.file, side.place(), help);
        self.found.push(finding);
    }

    /// Adds a finding that shows where the model says otherwise.
    fn add_declared(
        &mut self,
        code: &'static str,
        id: &str,
        message: String,
        side: Side<'_>,
        help: &str,
        (element, what): (ElementId, EventKind),
    ) {
        let finding = self.finding(code, id, message, side.file, side.place(), help);
        let event = Event::new(element, self.model.last_life(element), what);
        let declared = self.model.in_force(event);
        self.found.push(match declared {
            Some(declared) => finding.seen_at(declared.span, "declared here"),
            None => finding,
        });
    }
}

/// The element of a version of a kind; that of the version where the model tells nothing of the group's kinds.
fn element(model: &Model, side: Side<'_>) -> Option<ElementId> {
    let known = model.find(&side.id());
    let of_version = || {
        let name = side.definition.group.as_str();
        let mut groups = model.groups.iter();
        let group = groups.find(|group| group.family == Family::Api && group.name == name)?;
        let version = || group.versions.iter().find(|version| version.name.as_str() == side.name);
        group.kinds.is_empty().then(version)?.map(|version| version.element)
    };
    known.or_else(of_version)
}
