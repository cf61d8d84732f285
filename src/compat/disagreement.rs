//! Disagreements between schemas and the model that declares their versions: about what is served, deprecated and
//! stored.
//!
//! Nobody edits model, schemas and calendar in the same moment. So schemas may match the model as of the newest release
//! that has shipped, or as of the next one.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::grammar::KindPath;
use crate::model::{ElementId, Event, EventKind, Family, Group, Model};
use crate::release::Release;
use crate::schema::{Definition, KindVersion, Version};
use crate::source::Location;

use super::State;
use super::finding::Texts;
use super::model::{after_listing_next, element};

/// The page of these findings, and of schemas that cannot be compared.
pub(crate) const PAGE: Page = Page {
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

/// A version of a kind about which schemas and model disagree.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Disagreement {
    /// The group, the version and the kind.
    pub(crate) version: KindVersion,
    /// The finding; the caller sets its severity.
    pub(crate) diagnostic: Diagnostic,
}

/// Where the schemas of a state and its model disagree.
///
/// Groups of the model that the state does not have are not looked at. `OpenAPI` documents show neither what is
/// deprecated nor what is stored, so they are compared only by what is served.
pub(crate) fn disagreements(state: &State<'_>, model: &Model, texts: &Texts<'_>) -> Vec<Disagreement> {
    let mut comparison = Comparison {
        model,
        texts,
        current: model.calendar.current(),
        next: model.calendar.next(),
        disagreements: Vec::new(),
        kinds: BTreeMap::new(),
    };
    for side in &state.definitions {
        comparison.definition(side.file, side.definition, true);
    }
    for side in &state.documents {
        for kind in &side.document.kinds {
            comparison.definition(side.file, kind, false);
        }
    }
    comparison.missing_versions();
    let mut disagreements = comparison.disagreements;
    disagreements.sort_by(|one, other| one.diagnostic.listing_order(&other.diagnostic));
    disagreements.dedup();
    disagreements
}

/// A kind of the state: its first file, the place there, and the versions of all files.
struct DefinedKind<'a> {
    file: &'a str,
    place: Location,
    versions: BTreeSet<&'a str>,
}

struct Comparison<'a> {
    model: &'a Model,
    texts: &'a Texts<'a>,
    current: Option<Release>,
    next: Release,
    disagreements: Vec<Disagreement>,
    /// By group and kind.
    kinds: BTreeMap<(&'a str, &'a str), DefinedKind<'a>>,
}

/// A version of a kind, as a file defines it.
#[derive(Clone, Copy)]
struct DefinedVersion<'a> {
    file: &'a str,
    definition: &'a Definition,
    name: &'a str,
    version: &'a Version,
}

impl DefinedVersion<'_> {
    fn id(&self) -> String {
        id_of(&self.key())
    }

    fn key(&self) -> KindVersion {
        let Definition { group, kind, .. } = self.definition;
        (group.clone(), self.name.to_owned(), kind.clone())
    }

    fn place(&self) -> Location {
        self.version.place.unwrap_or(self.definition.place)
    }

    /// Its element in the model.
    fn element(&self, model: &Model) -> Option<ElementId> {
        element(model, &self.definition.group, self.name, &self.definition.kind)
    }
}

impl<'a> Comparison<'a> {
    fn definition(&mut self, file: &'a str, definition: &'a Definition, is_crd: bool) {
        let name = (definition.group.as_str(), definition.kind.as_str());
        let kind = self.kinds.entry(name).or_insert(DefinedKind {
            file,
            place: definition.place,
            versions: BTreeSet::new(),
        });
        kind.versions.extend(definition.versions.keys().map(String::as_str));
        for (name, version) in &definition.versions {
            let version = DefinedVersion {
                file,
                definition,
                name,
                version,
            };
            let element = version.element(self.model);
            if version.version.served {
                self.served(version, element);
            } else if let Some(element) = element.filter(|element| self.must_be_served(*element)) {
                self.unserved(element, version.key(), file, version.place());
            }
            if let Some(element) = element.filter(|_| is_crd && version.version.served) {
                self.deprecation(version, element);
            }
        }
        if is_crd {
            self.storage(file, definition);
        }
    }

    /// Whether the model serves what the schemas serve.
    fn served(&mut self, version: DefinedVersion<'a>, element: Option<ElementId>) {
        let id = version.id();
        let Some(element) = element else {
            let help = "update the model: `lifecycle import crds … --update MODEL`";
            let message = format!("{id} is served, but is not declared in the model");
            return self.add("undeclared", version, message, help, None);
        };
        if self.may_be_served(element) {
            return;
        }
        let introduced = self.last(element, EventKind::Introduced);
        if let Some(release) = introduced.filter(|release| *release > self.next) {
            let message = format!("{id} is served, but the model introduces it in {}", self.name(release));
            let help = "set `served: false` until that release, or correct the model";
            let event = Some((element, EventKind::Introduced));
            return self.add("undeclared", version, message, help, event);
        }
        let removed = self.last(element, EventKind::Removed);
        let removed = removed.map_or_else(String::new, |release| format!(" in {}", self.name(release)));
        let message = format!("{id} is served, but the model removes it{removed}");
        let help = "stop serving it (`served: false`), or correct the model";
        self.add(
            "still-served",
            version,
            message,
            help,
            Some((element, EventKind::Removed)),
        );
    }

    fn unserved(&mut self, element: ElementId, version: KindVersion, file: &str, place: Location) {
        let id = id_of(&version);
        let message = format!("{id} is not served, but the model does not declare its removal");
        let help = format!(
            "serve it, or declare the removal: `{}` says whether it is legal{}",
            self.model.command_line(&format!(
                "check --remove \"{id}@{}\"",
                self.model.calendar.likely_next()
            )),
            after_listing_next(&self.model.calendar)
        );
        let diagnostic = self.diagnostic("unserved", &id, message, file, place, &help);
        let declared = self.model.element(element).span;
        self.disagreements.push(Disagreement {
            version,
            diagnostic: diagnostic.seen_at(declared, "declared here"),
        });
    }

    /// Whether a version is marked as deprecated where the model deprecates it, and only there.
    fn deprecation(&mut self, version: DefinedVersion<'a>, element: ElementId) {
        let id = version.id();
        let declared = self.model.deprecation(element, self.model.last_life(element));
        let declared = declared.map(|declared| declared.release);
        let marked = version.version.deprecated;
        if marked && declared.is_none_or(|declared| declared > self.next) {
            let model = match declared {
                Some(release) => format!("deprecates it in {}", self.name(release)),
                None => "does not declare a deprecation".to_owned(),
            };
            let message = format!("{id} is marked as deprecated, but the model {model}");
            let help = format!(
                "declare it: `deprecated = \"{}\"`{}; or remove the mark",
                self.model.calendar.likely_next(),
                after_listing_next(&self.model.calendar)
            );
            let event = Some((element, EventKind::Deprecated));
            return self.add("unannounced", version, message, &help, event);
        }
        let shipped = declared.filter(|declared| self.current.is_some_and(|current| *declared <= current));
        if let Some(release) = shipped.filter(|_| !marked && self.may_be_served(element)) {
            let message = format!(
                "{id} is deprecated in the model since {}, but is not marked as deprecated: its clients get no warning",
                self.name(release)
            );
            let help = "set `deprecated: true`, and a `deprecationWarning` that names the version to use";
            self.add(
                "unmarked",
                version,
                message,
                help,
                Some((element, EventKind::Deprecated)),
            );
        }
    }

    /// Whether objects are stored in the version that the model declares. Without a declaration any version will do.
    fn storage(&mut self, file: &'a str, definition: &'a Definition) {
        let Some((name, version)) = definition.storage_version() else {
            return;
        };
        let moves = self.storage_moves(definition);
        let Some((release, expected, element)) = last_move(&moves, self.next) else {
            return;
        };
        let current = self.current.and_then(|current| last_move(&moves, current));
        if expected == name || current.is_some_and(|(_, current, _)| current == name) {
            return;
        }
        let stored = DefinedVersion {
            file,
            definition,
            name,
            version,
        };
        let message = format!(
            "objects are stored in {}, but the model stores them in {expected} since {}",
            stored.id(),
            self.name(release)
        );
        let help = format!("set `storage: true` on {expected} only, or correct `storage` in the model");
        self.add("storage", stored, message, &help, Some((element, EventKind::Stored)));
    }

    /// The releases in which the model declares that a kind's storage version changes, and to which version.
    fn storage_moves(&self, definition: &'a Definition) -> Vec<StorageMove<'a>> {
        let moves = definition.versions.keys().filter_map(|name| {
            let path = KindPath::api(&*definition.group, &**name, &*definition.kind).into();
            let element = self.model.find_path(&path)?;
            let declared = self.model.declared(element, EventKind::Stored)?;
            Some((declared.release, name.as_str(), element))
        });
        moves.collect()
    }

    /// Versions that the model serves and the state does not have, in groups that the state has.
    fn missing_versions(&mut self) {
        let groups: BTreeSet<&str> = self.kinds.keys().map(|(group, _)| *group).collect();
        let model = self.model;
        let defined = model.groups.iter().filter(|group| groups.contains(group.name.as_str()));
        for group in defined.filter(|group| group.family == Family::Api) {
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
        let key = (group.name.clone(), version.to_owned(), kind.to_owned());
        if let Some(defined) = self.kinds.get(&(group.name.as_str(), kind)) {
            let (file, place) = (defined.file, defined.place);
            if !defined.versions.contains(version) {
                self.unserved(element, key, file, place);
            }
            return;
        }
        let id = id_of(&key);
        let message = format!("the model serves {id}, but no schema defines it");
        let help = "add the file that defines it to `schemas`, or declare its removal";
        let diagnostic = Diagnostic::error(PAGE.slug, "unserved", message).about(id).help(help);
        self.disagreements.push(Disagreement {
            version: key,
            diagnostic: diagnostic.at(self.model.element(element).span, ""),
        });
    }

    /// Whether the model serves an element in the newest release and in the next one.
    fn must_be_served(&self, element: ElementId) -> bool {
        self.current.is_some_and(|current| self.is_served(element, current)) && self.is_served(element, self.next)
    }

    /// Whether the model serves an element in the newest release or in the next one.
    fn may_be_served(&self, element: ElementId) -> bool {
        self.current.is_some_and(|current| self.is_served(element, current)) || self.is_served(element, self.next)
    }

    fn is_served(&self, element: ElementId, release: Release) -> bool {
        (0..self.model.lives(element)).any(|life| {
            let [introduced, removed] = [EventKind::Introduced, EventKind::Removed]
                .map(|what| self.model.find_declared(Event::new(element, life, what)));
            introduced.is_some_and(|introduced| introduced.release <= release)
                && removed.is_none_or(|removed| removed.release > release)
        })
    }

    /// When the model declares an event of an element's last life.
    fn last(&self, element: ElementId, what: EventKind) -> Option<Release> {
        Some(self.model.find_declared(self.event(element, what))?.release)
    }

    fn event(&self, element: ElementId, what: EventKind) -> Event {
        Event::new(element, self.model.last_life(element), what)
    }

    fn name(&self, release: Release) -> String {
        self.model.calendar.name(release)
    }

    fn diagnostic(
        &self,
        code: &'static str,
        id: &str,
        message: String,
        file: &str,
        place: Location,
        help: &str,
    ) -> Diagnostic {
        let diagnostic = Diagnostic::error(PAGE.slug, code, message).about(id).help(help);
        match self.texts.span(file, Some(place)) {
            Some(span) => diagnostic.at(span, ""),
            None => diagnostic,
        }
    }

    /// Adds a finding about a version. It shows where the model declares the event that disagrees.
    fn add(
        &mut self,
        code: &'static str,
        version: DefinedVersion<'_>,
        message: String,
        help: &str,
        event: Option<(ElementId, EventKind)>,
    ) {
        let mut diagnostic = self.diagnostic(code, &version.id(), message, version.file, version.place(), help);
        let declared = event.and_then(|(element, what)| self.model.in_force(self.event(element, what)));
        if let Some((_, what)) = event {
            let named = declared.map(|declared| self.name(declared.release));
            diagnostic = diagnostic.of_event(what.as_str(), named);
        }
        if let Some(declared) = declared {
            diagnostic = diagnostic.seen_at(declared.span, "declared here");
        }
        let version = version.key();
        self.disagreements.push(Disagreement { version, diagnostic });
    }
}

/// A release, the version that objects are stored in from it on, and that version's element.
type StorageMove<'a> = (Release, &'a str, ElementId);

/// The last move up to a release.
fn last_move<'a>(moves: &[StorageMove<'a>], release: Release) -> Option<StorageMove<'a>> {
    let until = moves.iter().filter(|(moved, ..)| *moved <= release);
    until.max_by_key(|(moved, ..)| *moved).copied()
}

fn id_of((group, version, kind): &KindVersion) -> String {
    KindPath::api(&**group, &**version, &**kind).to_string()
}
