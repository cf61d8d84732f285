//! What one source says of elements, in a form in which sources can be held against each other.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::grammar::{ElementPath, KindPath};
use crate::import::calendar::Found as Days;
use crate::import::gates::Found as Gates;
use crate::import::peers::{Api, Entry};
use crate::model::{ElementId, ElementKind, Event, EventKind, Model, succession};
use crate::release::{Naming, ReleaseName};
use crate::source::{Sources, Span};
use crate::stability::Stage;

/// All that one source says.
#[derive(Debug, Default)]
pub struct Claims {
    /// The source, as the user named it.
    pub name: String,
    /// What it can speak of.
    pub scope: Scope,
    /// What it says of each element, by id.
    pub elements: BTreeMap<String, Claim>,
    /// The newest release that has shipped, if the source says.
    pub current: Option<String>,
    /// Whether it names what replaces a kind by the version alone.
    pub replaced_by_versions: bool,
    /// What of the source was left out, and why.
    pub left_out: Vec<String>,
}

/// What a source can speak of: what is beyond it is no disagreement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scope {
    /// All of a product: what it does not name is not there.
    #[default]
    Product,
    /// Kinds that are deprecated or removed, and of these the last life.
    Deprecations,
    /// Feature gates and their stages; those that are gone may be missing.
    Gates,
    /// Releases and their days.
    Calendar,
}

/// What an element is, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// A version with kinds: they speak for themselves.
    Version,
    /// A version of which no kind is named: it speaks for all its kinds.
    BareVersion,
    /// A kind in a version.
    Kind,
    /// A feature gate.
    Gate,
    /// A release.
    Release,
    /// Anything else.
    Other,
}

/// What something is said about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// When something happens.
    Event(EventKind),
    /// When it enters a stage or a class, and how.
    Stage(String),
    /// What to use instead.
    Replacement,
    /// The day of a release.
    Day,
    /// That it is there at all.
    Present,
}

/// What is said, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// A release (or several, of several lives), an id, a day.
    pub value: String,
    /// Where it stands.
    pub place: Option<Place>,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// What one source says of one element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What it is.
    pub sort: Sort,
    /// The element it is part of.
    pub part_of: Option<String>,
    /// Where it stands.
    pub place: Option<Place>,
    /// What is said of all its lives together.
    pub facts: BTreeMap<What, Fact>,
    /// What is said of its last life, as lists of deprecations do: a deprecation only if it is in force.
    pub last: BTreeMap<What, Fact>,
    /// The first release that has the replacement, if the source says so here.
    pub available: Option<String>,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(what) => f.write_str(what.as_str()),
            Self::Stage(stage) => f.write_str(stage),
            Self::Replacement => f.write_str("replacement"),
            Self::Day => f.write_str("day"),
            Self::Present => f.write_str("present"),
        }
    }
}

impl Claim {
    fn new(sort: Sort, place: Option<Place>) -> Self {
        Self {
            sort,
            part_of: None,
            place,
            facts: BTreeMap::new(),
            last: BTreeMap::new(),
            available: None,
        }
    }

    /// When something happens in its last life.
    pub fn when(&self, what: EventKind) -> Option<&str> {
        self.last.get(&What::Event(what)).map(|fact| fact.value.as_str())
    }
}

impl Claims {
    /// What a model declares; `sources` has its files.
    pub fn of_model(name: &str, model: &Model, sources: &Sources<'_>) -> Self {
        let reader = Reader { model, sources };
        let mut elements: BTreeMap<String, Claim> = model
            .elements()
            .map(|(id, _)| (model.id(id).to_owned(), reader.claim(id)))
            .collect();
        if let Naming::Numbered(listed) = model.calendar.naming() {
            let days = listed.iter().filter_map(|listed| Some((&listed.name, listed.date?)));
            elements.extend(days.map(|(release, day)| of_day(release, &day.to_string(), None)));
        }
        Self {
            name: name.to_owned(),
            elements,
            current: model.calendar.current().map(|current| model.calendar.name(current)),
            ..Self::default()
        }
    }

    /// What a list of deprecated API versions says. Of several entries about one kind the first one counts.
    /// `replaced_by_versions`: the list cannot name a replacement of another kind, as pluto's cannot.
    pub fn of_list(name: &str, entries: &[Entry], replaced_by_versions: bool) -> Self {
        let mut claims = Self {
            name: name.to_owned(),
            scope: Scope::Deprecations,
            replaced_by_versions,
            ..Self::default()
        };
        for entry in entries {
            let id = id(&entry.api);
            let claim = of_entry(name, entry);
            match claims.elements.get(&id) {
                None => {
                    claims.elements.insert(id, claim);
                }
                Some(known) => {
                    let first = known.place.as_ref().map_or(0, |place| place.line);
                    let again = format!("{name}:{}: {id} stands in line {first} too, which counts", entry.line);
                    claims.left_out.push(again);
                }
            }
        }
        claims
    }

    /// What a versioned feature list says.
    pub fn of_gates(name: &str, found: &Gates) -> Self {
        let gates = found.gates.iter().map(|(gate, specs)| {
            let mut claim = Claim::new(Sort::Gate, None);
            for spec in specs {
                let said = staged(&spec.since.to_string(), spec.default, spec.locked);
                append(&mut claim.facts, of_stage(spec.stage), said, None);
            }
            (format!("gate {gate}"), claim)
        });
        Self {
            name: name.to_owned(),
            scope: Scope::Gates,
            elements: gates.collect(),
            ..Self::default()
        }
    }

    /// What a calendar says.
    pub fn of_calendar(name: &str, found: &Days) -> Self {
        let days = found
            .releases
            .iter()
            .filter_map(|(release, day)| Some((release, (*day)?)));
        Self {
            name: name.to_owned(),
            scope: Scope::Calendar,
            elements: days
                .map(|(release, day)| of_day(release, &day.to_string(), None))
                .collect(),
            ..Self::default()
        }
    }
}

fn of_day(release: &ReleaseName, day: &str, place: Option<Place>) -> (String, Claim) {
    let mut claim = Claim::new(Sort::Release, place);
    append(&mut claim.facts, What::Day, day.to_owned(), None);
    (format!("release {release}"), claim)
}

fn of_stage(stage: Stage) -> What {
    What::Stage(stage.to_string())
}

/// When a gate enters a stage, and how it is then.
fn staged(since: &str, default: bool, locked: bool) -> String {
    let how = if default { "on" } else { "off" };
    let locked = if locked { ", locked" } else { "" };
    format!("{since} ({how}{locked})")
}

/// Adds what is said to what is said already: of another life, or for a second time.
fn append(facts: &mut BTreeMap<What, Fact>, what: What, value: String, place: Option<Place>) {
    match facts.get_mut(&what) {
        Some(known) => {
            known.value.push_str(", ");
            known.value.push_str(&value);
        }
        None => {
            facts.insert(what, Fact { value, place });
        }
    }
}

fn id(api: &Api) -> String {
    KindPath::api(&*api.group, &*api.version, &*api.kind).to_string()
}

fn of_entry(name: &str, entry: &Entry) -> Claim {
    let place = Place {
        file: name.to_owned(),
        line: entry.line,
    };
    let mut claim = Claim::new(Sort::Kind, Some(place.clone()));
    let events = [
        (EventKind::Introduced, &entry.introduced),
        (EventKind::Deprecated, &entry.deprecated),
        (EventKind::Removed, &entry.removed),
    ];
    for (what, release) in events {
        if let Some(release) = release {
            append(
                &mut claim.last,
                What::Event(what),
                release.to_string(),
                Some(place.clone()),
            );
        }
    }
    if let Some(replacement) = &entry.replacement {
        append(&mut claim.last, What::Replacement, id(replacement), Some(place));
    }
    claim.facts.clone_from(&claim.last);
    claim.available = entry.available.as_ref().map(ToString::to_string);
    claim
}

/// What is told of an element besides its stages. Those of gates and metrics follow from their stages but for these.
const EVENTS: [EventKind; 7] = [
    EventKind::Introduced,
    EventKind::Deprecated,
    EventKind::Undeprecated,
    EventKind::Hidden,
    EventKind::Migrated,
    EventKind::Removed,
    EventKind::Dropped,
];

struct Reader<'r> {
    model: &'r Model,
    sources: &'r Sources<'r>,
}

impl Reader<'_> {
    fn place(&self, span: Span) -> Option<Place> {
        let (file, at) = self.sources.locate(span)?;
        Some(Place {
            file: file.to_owned(),
            line: at.line,
        })
    }

    fn claim(&self, id: ElementId) -> Claim {
        let element = self.model.element(id);
        let mut claim = Claim::new(self.sort(id), self.place(element.span));
        claim.part_of = element.parent.map(|parent| self.model.id(parent).to_owned());
        if claim.sort != Sort::Version {
            self.events(id, &mut claim);
            self.last_life(id, &mut claim);
        }
        self.single(id, EventKind::Preferred, &mut claim);
        self.single(id, EventKind::Stored, &mut claim);
        self.stages(id, &mut claim);
        claim
    }

    fn sort(&self, id: ElementId) -> Sort {
        match self.model.element(id).kind {
            ElementKind::ApiVersion | ElementKind::ConfigVersion => {
                let group = self.model.group_of(id);
                let version = group.and_then(|group| group.versions.iter().find(|version| version.element == id));
                if version.is_some_and(|version| !version.kinds.is_empty()) {
                    Sort::Version
                } else {
                    Sort::BareVersion
                }
            }
            ElementKind::Kind => Sort::Kind,
            ElementKind::Gate => Sort::Gate,
            _ => Sort::Other,
        }
    }

    /// What is declared of all lives, each deprecation and what took it back.
    fn events(&self, id: ElementId, claim: &mut Claim) {
        let is_staged = matches!(self.model.element(id).kind, ElementKind::Gate | ElementKind::Metric);
        let told = |what: &EventKind| !is_staged || matches!(what, EventKind::Hidden | EventKind::Removed);
        for what in EVENTS.into_iter().filter(told) {
            for life in 0..self.model.lives(id) {
                let steps = (0..=u8::MAX).map_while(|step| {
                    self.model.find_declared(Event {
                        step,
                        ..Event::new(id, life, what)
                    })
                });
                for declared in steps {
                    let value = self.model.calendar.name(declared.release);
                    append(&mut claim.facts, What::Event(what), value, self.place(declared.span));
                }
            }
        }
        if let Some((value, place)) = self.replacement(id) {
            // What the model does not have, it cannot put into a list.
            if self.model.find(&value).is_some() {
                append(&mut claim.last, What::Replacement, value.clone(), place.clone());
            }
            append(&mut claim.facts, What::Replacement, value, place);
        }
    }

    fn last_life(&self, id: ElementId, claim: &mut Claim) {
        let life = self.model.last_life(id);
        for what in [EventKind::Introduced, EventKind::Deprecated, EventKind::Removed] {
            if let Some(declared) = self.model.in_force(Event::new(id, life, what)) {
                let value = self.model.calendar.name(declared.release);
                append(&mut claim.last, What::Event(what), value, self.place(declared.span));
            }
        }
    }

    fn single(&self, id: ElementId, what: EventKind, claim: &mut Claim) {
        if let Some(declared) = self.model.find_declared(Event::new(id, 0, what)) {
            let value = self.model.calendar.name(declared.release);
            append(&mut claim.facts, What::Event(what), value, self.place(declared.span));
        }
    }

    /// The id of what replaces an element by its own word or its version's: of a kind, a kind.
    fn replacement(&self, id: ElementId) -> Option<(String, Option<Place>)> {
        let reference = succession::named(self.model, id)?;
        let place = self.place(reference.span);
        if let Some(found) = succession::replacement_named(self.model, id) {
            return Some((self.model.id(found).to_owned(), place));
        }
        let element = self.model.element(id);
        let is_version = element.kind.is_kind() && !reference.text.contains(' ');
        let end = if is_version {
            format!(" {}", element.name())
        } else {
            String::new()
        };
        Some((format!("{}{end}", reference.text), place))
    }

    fn stages(&self, id: ElementId, claim: &mut Claim) {
        for spec in self.model.gate(id).into_iter().flat_map(|gate| &gate.specs) {
            let value = staged(&self.model.calendar.name(spec.since), spec.default, spec.locked);
            append(&mut claim.facts, of_stage(spec.stage), value, self.place(spec.span));
        }
        for spec in self.model.metric(id).into_iter().flat_map(|metric| &metric.specs) {
            let value = self.model.calendar.name(spec.since);
            let what = What::Stage(spec.stability.to_string());
            append(&mut claim.facts, what, value, self.place(spec.span));
        }
    }
}

/// The entries of a list that are about the product of another source, and what is left out of it, in words.
///
/// Of a list that tells of several products, the `chosen` one counts, or else those that have a group of that source.
///
/// # Errors
///
/// If no entry is of the chosen product: the products that there are.
pub fn of_product(
    entries: Vec<Entry>,
    chosen: Option<&str>,
    other: &Claims,
) -> Result<(Vec<Entry>, Vec<String>), Vec<String>> {
    let product = |entry: &Entry| entry.component.clone().unwrap_or_default();
    let mut products: BTreeMap<String, (usize, bool)> = BTreeMap::new();
    let groups: BTreeSet<Cow<'_, str>> = other.elements.keys().filter_map(|id| group(id)).collect();
    for entry in &entries {
        let (count, known) = products.entry(product(entry)).or_default();
        *count += 1;
        *known |= groups.contains(entry.api.group.as_str());
    }
    if chosen.is_some_and(|chosen| !products.contains_key(chosen)) {
        return Err(products.into_keys().collect());
    }
    let counts = |name: &str, known: bool| match chosen {
        Some(chosen) => name == chosen,
        None => known || products.len() == 1,
    };
    let left_out = products.iter().filter(|(name, (_, known))| !counts(name, *known));
    let left_out = left_out.map(|(name, (count, _))| {
        let name = if name.is_empty() { "no component" } else { name };
        let entries = if *count == 1 { "entry" } else { "entries" };
        format!("{count} {entries} of {name}")
    });
    let left_out = left_out.collect();
    let keep = |entry: &Entry| {
        let name = product(entry);
        products.get(&name).is_some_and(|(_, known)| counts(&name, *known))
    };
    let kept = entries.into_iter().filter(keep).collect();
    Ok((kept, left_out))
}

/// The API group of a version's or a kind's id.
fn group(id: &str) -> Option<Cow<'_, str>> {
    Some(ElementPath::parse(id).ok()?.version()?.group.clone())
}
