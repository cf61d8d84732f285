//! Reads a model from documents. Errors are collected; there is a model only if there are none.

mod add;
mod calendar;
mod command;
mod divided;
mod entry;
mod exception;
mod extra;
mod gate;
mod group;
mod levels;
mod limits;
mod member;
mod metric;
mod outside;
mod parts;
mod resolve;
mod unfilled;
mod verify;

pub(crate) use calendar::known_releases;
pub(crate) use verify::comes_before;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{Diagnostics, Document, Key, RULE, Table, Value, Word};
use crate::grammar::{EntryKey, ExtraKinds, FILE, FileSection, Steps, names};
use crate::release::Release;
use crate::source::Span;
use crate::stability::Track;

use super::{Address, Declared, ElementId, ElementKind, ElementPath, EventKind, Family, Model};
use limits::{MOST_REPEATED, Spent};

/// The state of reading one model.
struct Reader<'f> {
    diagnostics: &'f mut Diagnostics,
    /// The model so far.
    model: Model,
    known_releases: HashMap<String, Release>,
    /// Events of the entry being read, until its element is added.
    pending: Vec<Declared>,
    /// Versions and kinds whose entry has an introduction, valid or not.
    begun: HashSet<ElementId>,
    /// The id being written: each is allocated once, at its length.
    id: String,
    /// The number of keys and list items of all documents.
    entries: usize,
    spent: Spent,
}

impl Model {
    /// Reads a model from its main document and the ones it includes, in that order.
    ///
    /// Diagnostics, including the documents' syntax errors, are collected. `None` if any of them is an error.
    pub fn read(documents: &[Document<'_>], diagnostics: &mut Diagnostics) -> Option<Self> {
        Self::read_with(documents, &ExtraKinds::default(), diagnostics)
    }

    /// The same with the kinds of elements that its policy declares.
    pub(crate) fn read_with(
        documents: &[Document<'_>],
        kinds: &ExtraKinds,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        Self::read_if(documents, kinds, diagnostics, must_declare)
    }

    /// This model with the calendar of a text that differs from its main one in days of releases alone, and whether
    /// anything was found in that calendar.
    pub(crate) fn with_calendar_of(&self, main: &Document<'_>) -> Option<(Self, bool)> {
        let mut found = Diagnostics::default();
        let (calendar, calendar_places) = calendar::read(main.root(), &mut found)?;
        let model = Self {
            calendar,
            calendar_places,
            ..self.clone()
        };
        Some((model, !found.is_empty()))
    }

    fn read_if(
        documents: &[Document<'_>],
        kinds: &ExtraKinds,
        diagnostics: &mut Diagnostics,
        check: fn(&Self, &Document<'_>, &mut Diagnostics),
    ) -> Option<Self> {
        let mut found = Diagnostics::default();
        let model = read(documents, kinds.clone(), &mut found);
        if let (Some(model), Some(main)) = (&model, documents.first()) {
            check(model, main, &mut found);
        }
        let broken = documents.iter().any(|document| !document.syntax_errors().is_empty());
        let (mut found, more) = found.into_parts();
        if broken {
            // Around a syntax error, entries are missing that the user did write.
            found.retain(|diagnostic| {
                let place = diagnostic.primary.as_ref().map(|label| label.span);
                let spoilt = place.is_some_and(|place| documents.iter().any(|document| document.is_broken_at(place)));
                !spoilt && ["unknown-key", "wrong-type", "unknown-release"].contains(&&*diagnostic.code)
            });
        }
        // An error in an entry for several versions is found once for each.
        let mut seen = HashSet::new();
        found.retain(|diagnostic| {
            let place = diagnostic.primary.as_ref().map(|label| label.span);
            seen.insert((diagnostic.code.clone(), place, diagnostic.message.clone()))
        });
        let syntax = documents.iter().flat_map(Document::syntax_errors).cloned();
        let all: Vec<Diagnostic> = syntax.chain(found).collect();
        let usable = more == 0 && all.iter().all(|diagnostic| diagnostic.severity < Severity::Error);
        diagnostics.extend(all, more);
        model.filter(|_| usable)
    }
}

/// A model without elements answers nothing.
fn must_declare(model: &Model, main: &Document<'_>, diagnostics: &mut Diagnostics) {
    if model.elements().next().is_some() || !diagnostics.is_empty() {
        return;
    }
    let place = main
        .root()
        .get("calendar")
        .map_or(main.root().span(), |(key, _)| key.span);
    let help = "declare what ships, for example: group.\"example.com\".version.v1 = { introduced = \"1.0\" }";
    diagnostics.at("empty", place, "the model declares no element", help);
}

fn read(documents: &[Document<'_>], kinds: ExtraKinds, diagnostics: &mut Diagnostics) -> Option<Model> {
    let main = documents.first()?;
    let kinds = extra::with_kinds_of(documents, kinds, diagnostics);
    check_roots(documents, &kinds, diagnostics);
    let (calendar, calendar_places) = calendar::read(main.root(), diagnostics)?;
    // Most elements have an entry of four values or more. Room that is not used is never touched.
    let entries = documents.iter().map(Document::size).sum::<usize>();
    let model = Model {
        calendar,
        calendar_places,
        groups: Arc::default(),
        commands: Vec::new(),
        gates: Vec::new(),
        metrics: Vec::new(),
        behaviors: Vec::new(),
        extras: Vec::new(),
        kinds: ExtraKinds::default(),
        steps: Steps::default(),
        named_steps: Vec::new(),
        exceptions: Vec::new(),
        levels: Vec::new(),
        usage_limit: levels::usage_limit(main.root(), diagnostics),
        schemas: Vec::new(),
        webhooks: Vec::new(),
        elements: Arc::new(Vec::with_capacity(entries / 4)),
        declared: Arc::new(Vec::with_capacity(entries / 4)),
        address: Address::default(),
        by_id: OnceLock::new(),
        portion: None,
    };
    let mut reader = Reader {
        diagnostics,
        model,
        known_releases: HashMap::new(),
        pending: Vec::new(),
        begun: HashSet::new(),
        id: String::new(),
        entries,
        spent: Spent::default(),
    };
    let roots: Vec<_> = documents.iter().map(Document::root).collect();
    reader.schemas(main.root());
    reader.webhooks(main.root());
    reader.sections(&roots, kinds);
    reader.grants(&roots);
    let Reader {
        mut model,
        begun,
        spent,
        ..
    } = reader;
    if spent.is_too_much || limits::has_too_many_cells(&model, entries, diagnostics) {
        return None;
    }
    resolve::references(&mut model, diagnostics);
    parts::deprecate_at_start(&mut model);
    parts::settle(&mut model, diagnostics);
    verify::orders(&model, &begun, diagnostics);
    Some(model)
}

fn check_roots(documents: &[Document<'_>], kinds: &ExtraKinds, diagnostics: &mut Diagnostics) {
    for (at, document) in documents.iter().enumerate() {
        for (key, value) in document.root().entries() {
            match key.name {
                "policy" | "include" | "calendar" | "requires-usage-below" | "schemas" | "webhooks" if at > 0 => {
                    let help = "move it to the file that includes this one";
                    let message = format!("`{}` is allowed in the main file only", key.name);
                    diagnostics.at("included", key.span, message, help);
                }
                "include" => drop(value.words(diagnostics)),
                "$schema" => drop(value.word(diagnostics)),
                name if names(FILE).contains(&name) || kinds.find(name).is_some() => {}
                _ => {
                    let kinds = kinds.iter().map(|kind| kind.name.as_str());
                    let known: Vec<&str> = names(FILE).into_iter().chain(kinds).collect();
                    diagnostics.unknown_key(&key, &known);
                }
            }
        }
    }
}

impl Reader<'_> {
    fn sections(&mut self, roots: &[Table<'_>], kinds: ExtraKinds) {
        let sections: BTreeSet<FileSection> = ElementKind::ALL.into_iter().map(|kind| kind.row().section).collect();
        for section in sections {
            match section {
                FileSection::Group => self.groups(roots, Family::Api),
                FileSection::Config => self.groups(roots, Family::Config),
                FileSection::Cli => self.section(roots, section, Reader::component),
                FileSection::Gate => self.section(roots, section, Reader::gate),
                FileSection::Metric => self.section(roots, section, Reader::metric),
                FileSection::Behavior => self.section(roots, section, Reader::behavior),
                FileSection::Extra => self.extras(roots, &kinds),
            }
        }
        self.model.kinds = kinds;
    }

    /// Reads the entries of a section that may be spread over files, by name.
    fn section(&mut self, roots: &[Table<'_>], section: FileSection, read: fn(&mut Self, Key<'_>, Table<'_>)) {
        let mut seen: BTreeMap<&str, (Key<'_>, Table<'_>)> = BTreeMap::new();
        for root in roots {
            if let Some((_, value)) = root.get(section.as_str()) {
                self.gather(&mut seen, value);
            }
        }
        for (key, table) in seen.into_values() {
            read(self, key, table);
        }
    }

    /// The table that a key has.
    fn table<'d>(&mut self, table: Table<'d>, key: &str) -> Option<Table<'d>> {
        table.get(key)?.1.table(self.diagnostics)
    }

    /// The entries of the table that a key has.
    fn entries_of<'d>(&mut self, table: Table<'d>, key: &str) -> impl Iterator<Item = (Key<'d>, Value<'d>)> + use<'d> {
        self.table(table, key).into_iter().flat_map(|table| table.entries())
    }

    /// Reports the required keys that a table lacks.
    fn require(&mut self, table: Table<'_>, keys: &[(&str, &str)]) {
        for (key, why) in keys.iter().filter(|(key, _)| table.get(key).is_none()) {
            self.diagnostics.missing_key(table.span(), key, why);
        }
    }

    /// One of the words that a key may have; another one is an error.
    fn one_of<T>(&mut self, what: &str, value: Value<'_>, parse: fn(&str) -> Option<T>, known: &[&str]) -> Option<T> {
        let word = value.word(self.diagnostics)?;
        let read = parse(word.text);
        if read.is_none() {
            self.diagnostics.unknown_word(what, word.text, word.span, known);
        }
        read
    }

    /// The entries of a gate or metric, oldest first.
    fn specs<T>(
        &mut self,
        (key, table): (&Key<'_>, Table<'_>),
        (owner, entries, example): (&str, &str, &str),
        read: fn(&mut Self, Value<'_>) -> Option<T>,
    ) -> Vec<T> {
        let Some((_, value)) = table.get("specs") else {
            let why = format!("its {entries}: specs = [{example}]");
            self.diagnostics.missing_key(key.span, "specs", &why);
            return Vec::new();
        };
        let items = value.list(self.diagnostics);
        if items.is_empty() || items.len() > MOST_REPEATED {
            let help = format!("list its {entries}, oldest first");
            let message = format!("a {owner} has from 1 to {MOST_REPEATED} entries");
            self.diagnostics.at("specs", value.span(), message, help);
            return Vec::new();
        }
        items.into_iter().filter_map(|item| read(self, item)).collect()
    }

    fn twice(&mut self, key: &Key<'_>, first: Span) {
        let message = format!("`{}` is declared in two files", key.name);
        let diagnostic = Diagnostic::error(RULE, "declared-twice", message);
        self.diagnostics.push(
            diagnostic
                .at(key.span, "declared again here")
                .seen_at(first, "first declared here")
                .help("keep one of the two"),
        );
    }

    fn behavior(&mut self, key: Key<'_>, table: Table<'_>) {
        let entry = self.entry(table, ElementKind::Behavior);
        let track = entry.track.unwrap_or(Track::Ga);
        let path = ElementPath::Named(ElementKind::Behavior, key.name.into());
        let element = self.add(&path, None, key.span, track, entry);
        self.model.behaviors.push(element);
    }

    /// Notes that an entry has the introduction of its element.
    fn note_beginning(&mut self, element: ElementId, entry: Option<Table<'_>>) {
        // An unknown key is reported as such; it may be a misspelt `introduced`.
        let mut keys = entry.into_iter().flat_map(|table| table.entries());
        let begins = keys.any(|(key, _)| {
            let key = EntryKey::parse(key.name).filter(|key| ElementKind::ApiVersion.has_key(*key));
            key.is_none_or(|key| [EntryKey::Event(EventKind::Introduced), EntryKey::Lives].contains(&key))
        });
        if begins {
            self.begun.insert(element);
        }
    }

    /// The release that a word names; an unknown one is an error.
    fn release(&mut self, word: Word<'_>) -> Option<Release> {
        if let Some(known) = self.known_releases.get(word.text) {
            return Some(*known);
        }
        let found = self.model.calendar.find(word.text);
        let release = found
            .map_err(|problem| calendar::unknown_release(&self.model.calendar, &problem, word, self.diagnostics))
            .ok()?;
        self.known_releases.insert(word.text.to_owned(), release);
        Some(release)
    }

    /// The release a value names.
    fn release_value(&mut self, value: Value<'_>) -> Option<(Release, Span)> {
        let Some(word) = value.as_word() else {
            self.diagnostics.wrong_type(&value, "a release in quotes");
            return None;
        };
        self.release(word).map(|release| (release, word.span))
    }
}
