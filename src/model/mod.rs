//! The product's public surface, typed and resolved: its elements, and the events that the user declared.
//!
//! Elements and declared events are two flat lists; groups, gates and metrics refer to them by [`ElementId`]. So an
//! element without an entry of its own costs no allocation for events, and rules walk memory in order.
//!
//! A life belongs to (group, version, kind). A kind takes from its version what its own entry does not declare, so most
//! files declare versions only; a version with kinds lives as long as any of them.
//!
//! `read` makes the model from documents without structs of its own in between: a new key is one row of the grammar and
//! the code that reads it.
//!
//! ```
//! use lifecycle::{Diagnostics, Document, FileId};
//! use lifecycle::model::{EventKind, Model};
//!
//! let text = r#"
//! calendar.releases = { "1.0" = 2024-01-01, "1.1" = 2024-05-01 }
//! group."example.com".version = { v1beta1 = { introduced = "1.0" }, v1 = { introduced = "1.1" } }
//! "#;
//! let mut diagnostics = Diagnostics::default();
//! let model = Model::read(&[Document::parse(FileId(0), text)], &mut diagnostics).ok_or("cannot be read")?;
//! let v1 = model.find("example.com/v1").ok_or("not found")?;
//! let introduced = model.declared(v1, EventKind::Introduced).ok_or("not declared")?;
//! assert_eq!(model.calendar.name(introduced.release), "1.1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod alike;
mod announce;
#[cfg(test)]
pub(crate) mod comparisons;
mod element;
mod event;
mod inherit;
mod lookup;
mod named_by;
mod portion;
mod read;
mod steps;
pub mod succession;
mod suppose;
mod surface;
mod track;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::diagnostic::Page;
use crate::document::{RULE, UsageLimit};
use crate::grammar::Role;
use crate::release::{Calendar, Release};

pub(crate) use crate::grammar::{Duty, Steps};
pub use crate::grammar::{ElementKind, EventKind, EventWord, ExtraKind, ExtraKinds, Family, KindName};
pub(crate) use crate::grammar::{ElementPath, KindPath, MemberName, VersionPath};
pub use address::{Address, in_shell};
pub(crate) use element::{Attributes, Element, PartLife, Reference};
pub use element::{ElementId, Text};
pub(crate) use event::Declared;
pub use event::Event;
pub(crate) use portion::{Portion, UnitKeys};
pub(crate) use read::{comes_before, known_releases};
pub(crate) use steps::{NamedStep, TooManySteps};
pub use surface::Metric;
pub(crate) use surface::{
    Audience, CalendarPlaces, Command, Exception, ExtraElement, Gate, GateSpec, Group, Kind, LevelEntry, Listing,
    Member, MetricSpec, StandIns, Version,
};

/// The page of errors in model files, which documents every key.
pub(crate) const PAGE: Page = Page {
    slug: RULE,
    title: "Errors in a model file that are found before any rule is applied.",
    text: include_str!("model.md"),
    codes: &[],
};

/// One product's surface, with one calendar. Copies share what most of it is, until one of them changes that.
#[derive(Debug, Clone)]
pub struct Model {
    /// The product's releases.
    pub calendar: Calendar,
    pub(crate) calendar_places: CalendarPlaces,
    /// API groups and component configurations, by family and name.
    pub groups: Arc<Vec<Group>>,
    /// Commands and flags, in the order of their elements.
    pub(crate) commands: Vec<Command>,
    /// Feature gates, in the order of their elements, which is that of their names.
    pub gates: Vec<Gate>,
    /// Metrics, in the order of their elements, which is that of their names.
    pub metrics: Vec<Metric>,
    /// Behaviors, by name.
    pub(crate) behaviors: Vec<ElementId>,
    /// Elements of kinds that are not built in, in the order of their elements.
    pub(crate) extras: Vec<ExtraElement>,
    /// The kinds that are not built in.
    pub(crate) kinds: ExtraKinds,
    /// The steps between deprecation and removal that its policies name, and those that it declares.
    pub(crate) steps: Steps,
    /// Granted exceptions.
    pub(crate) exceptions: Vec<Exception>,
    /// The severities that this project sets.
    pub(crate) levels: Vec<LevelEntry>,
    /// What evidence of usage has to show before something is removed.
    pub(crate) usage_limit: Option<UsageLimit>,
    /// The files and folders with the schemas of what is declared, as paths from the folder of the main file.
    pub schemas: Vec<Text>,
    /// What a webhook converts, where CRDs do not say it: `all`, a group, or a kind after its group and `/`.
    pub webhooks: Vec<Text>,
    elements: Arc<Vec<Element>>,
    declared: Arc<Vec<Declared>>,
    /// The steps that entries name, by the positions that their events have until the policies are known.
    named_steps: Vec<NamedStep>,
    /// The options of the command line that choose this model.
    pub(crate) address: Address,
    /// All elements, ordered by their ids.
    by_id: OnceLock<Vec<ElementId>>,
    /// What alone is planned and judged; `None` for all.
    portion: Option<Portion>,
}

impl Model {
    /// An element.
    pub fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0 as usize]
    }

    /// All elements in the order they are reported in.
    pub fn elements(&self) -> impl ExactSizeIterator<Item = (ElementId, &Element)> + Clone {
        self.elements
            .iter()
            .enumerate()
            .map(|(at, element)| (ElementId(u32::try_from(at).unwrap_or(u32::MAX)), element))
    }

    fn elements_mut(&mut self) -> &mut Vec<Element> {
        Arc::make_mut(&mut self.elements)
    }

    fn declared_mut(&mut self) -> &mut Vec<Declared> {
        Arc::make_mut(&mut self.declared)
    }

    /// The keys of an element's entry other than its events.
    pub(crate) fn attributes(&self, id: ElementId) -> Option<&Attributes> {
        self.element(id).attributes()
    }

    /// An element, and what it is part of, the nearest whole first.
    pub(crate) fn with_wholes(&self, id: ElementId) -> impl Iterator<Item = ElementId> {
        std::iter::successors(Some(id), |id| self.element(*id).parent)
    }

    /// Who owns an element, or the nearest whole that names an owner.
    pub(crate) fn owned_by(&self, id: ElementId) -> Option<&str> {
        let mut chain = self.with_wholes(id);
        chain.find_map(|id| self.attributes(id)?.owner.as_deref())
    }

    /// What tracks an element, or the nearest whole that names it.
    pub(crate) fn tracked_by(&self, id: ElementId) -> Option<&str> {
        let mut chain = self.with_wholes(id);
        chain.find_map(|id| self.attributes(id)?.tracking.as_deref())
    }

    /// The number of lives of an element, at least one: a kind shares its version's, a member its kind's.
    pub fn lives(&self, id: ElementId) -> u8 {
        let element = self.element(id);
        match (element.lives, element.field.or(element.parent)) {
            (0, Some(owner)) => self.lives(owner),
            (lives, _) => lives.max(1),
        }
    }

    /// The last life of an element, or the only one.
    pub(crate) fn last_life(&self, id: ElementId) -> u8 {
        self.lives(id) - 1
    }

    /// What an element is part of, if it begins and ends with it: the field of a value or of a field within it, the
    /// kind of another field, the command of a flag. A kind is no such part: its version is served as long as any of
    /// its kinds.
    pub(crate) fn owner(&self, id: ElementId) -> Option<ElementId> {
        let element = self.element(id);
        let owner = element.field.or(element.parent);
        owner.filter(|_| !element.kind.is_kind())
    }

    /// The removal of its owner that ends a life of a part, at the latest.
    pub(crate) fn owner_removal(&self, removed: Event) -> Option<Event> {
        let owner = self.owner(removed.element)?;
        let last = self.last_life(owner);
        let part = self.element(removed.element);
        let life = match (part.lives, part.life(removed.life)) {
            (0, _) => removed.life.min(last),
            (_, Some(life)) => life.owner.min(last),
            (_, None) => last,
        };
        Some(Event {
            life,
            ..removed.of(owner)
        })
    }

    /// Whether an event is that a life of a part begins because its owner is back, without an entry of its own.
    pub(crate) fn is_back_with_owner(&self, event: Event) -> bool {
        let life = self.element(event.element).life(event.life);
        event.what == EventKind::Introduced && life.is_some_and(|life| life.is_back)
    }

    /// The events of an element among which one of a life is. Most elements have few; one that is back with its owner
    /// may have as many lives, which need no text.
    fn declared_in(&self, event: Event) -> &[Declared] {
        let own = self.declared_of(event.element);
        if self.element(event.element).part_lives.is_none() {
            return own;
        }
        let start = own.partition_point(|declared| declared.event.life < event.life);
        let end = own.partition_point(|declared| declared.event.life <= event.life);
        &own[start..end]
    }

    /// Whether the entry of an element itself declares an event, and not that of its version.
    pub(crate) fn declares_itself(&self, event: Event) -> bool {
        let version = self.element(event.element).parent;
        let inherited = version.map_or(&[][..], |version| self.declared_of(version));
        let mut own = self.declared_of(event.element).iter();
        own.any(|own| own.event == event && inherited.iter().all(|other| other.span != own.span))
    }

    /// The events declared for the element itself.
    pub fn declared_of(&self, id: ElementId) -> &[Declared] {
        let (start, end) = self.element(id).events;
        &self.declared[start as usize..end as usize]
    }

    /// The declaration of an event, by the element's own entry or by that of what it is part of.
    ///
    /// A kind follows its version in everything that its own entry does not declare, life by life. A part is introduced
    /// with its owner; its removal is not declared by that of the owner, but implied (`owner_removal`).
    pub fn find_declared(&self, event: Event) -> Option<&Declared> {
        let element = self.element(event.element);
        let mut own = self.declared_in(event).iter();
        own.find(|declared| declared.event == event)
            .or_else(|| match element.kind.row().role {
                Role::Kind if matches!(event.what, EventKind::Preferred | EventKind::Stored) => None,
                Role::Kind => self.inherited(event),
                // A part that came back on its own does not share the lives of its owner.
                Role::Member | Role::Single if element.lives <= 1 && event.what == EventKind::Introduced => {
                    self.find_declared(event.of(self.owner(event.element)?))
                }
                Role::Member | Role::Single | Role::Version | Role::Named => None,
            })
    }

    /// The declaration of an event of an element's first life.
    pub fn declared(&self, element: ElementId, what: EventKind) -> Option<&Declared> {
        self.find_declared(Event::new(element, 0, what))
    }

    /// The declared release of an event.
    pub(crate) fn declared_release(&self, event: Event) -> Option<Release> {
        self.find_declared(event).map(|declared| declared.release)
    }

    /// An event of the last life of an element.
    pub(crate) fn last_event(&self, element: ElementId, what: EventKind) -> Event {
        Event::new(element, self.last_life(element), what)
    }

    /// An event and its repetitions in the same life.
    pub(crate) fn repeated(&self, first: Event) -> impl Iterator<Item = &Declared> {
        self.repeated_from(0, first)
    }

    fn repeated_from(&self, step: u8, first: Event) -> impl Iterator<Item = &Declared> {
        (step..=u8::MAX).map_while(move |step| self.find_declared(Event { step, ..first }))
    }

    /// The deprecation in force in the end: the last one that was not withdrawn.
    pub(crate) fn deprecation(&self, element: ElementId, life: u8) -> Option<&Declared> {
        let first = Event::new(element, life, EventKind::Deprecated);
        let once = self.find_declared(first)?;
        let last = self.repeated_from(1, first).last().unwrap_or(once);
        let mut undone = self.repeated(Event::new(element, life, EventKind::Undeprecated));
        let undone = undone.any(|undone| undone.release >= last.release);
        (!undone).then_some(last)
    }

    /// The declaration that decides when an event happens: for a first deprecation the one in force in the end,
    /// otherwise the event's own.
    pub(crate) fn in_force(&self, event: Event) -> Option<&Declared> {
        match (event.what, event.step) {
            (EventKind::Deprecated, 0) => self.deprecation(event.element, event.life),
            _ => self.find_declared(event),
        }
    }

    /// What an event is called: a step has the name that the policy gives it.
    pub fn event_word(&self, what: EventKind) -> EventWord<'_> {
        self.steps.name_of(what)
    }

    /// The event of a name: one of the closed list, or a step.
    pub fn event_named(&self, name: &str) -> Option<EventKind> {
        EventKind::parse(name).or_else(|| self.steps.find(name))
    }

    /// The names of all events that can happen to an element.
    pub fn event_names(&self) -> impl Iterator<Item = &str> {
        self.event_kinds().map(|what| self.event_word(what).as_str())
    }

    /// The key of an entry that declares an event: `removed`, or `steps.runtime`.
    pub(crate) fn declaring_key(&self, what: EventKind) -> Cow<'static, str> {
        match what {
            EventKind::Step(_) => Cow::Owned(format!("steps.{}", self.event_word(what))),
            named => Cow::Borrowed(named.as_str()),
        }
    }

    /// What can happen to an element, each step of the policies too, in the order in which it usually does.
    pub(crate) fn event_kinds(&self) -> impl Iterator<Item = EventKind> {
        let unused = self.steps.iter().len();
        EventKind::all().filter(move |what| !matches!(what, EventKind::Step(at) if usize::from(*at) >= unused))
    }

    /// The gate that guards an element.
    pub(crate) fn gate_guarding(&self, id: ElementId) -> Option<&Gate> {
        let reference = self.attributes(id)?.gated_by.as_ref()?;
        self.gate(reference.target?)
    }

    /// The metric that an element is.
    pub(crate) fn metric(&self, id: ElementId) -> Option<&Metric> {
        if self.element(id).kind != ElementKind::Metric {
            return None;
        }
        let at = self.metrics.binary_search_by_key(&id, |metric| metric.element).ok()?;
        self.metrics.get(at)
    }

    /// The command or flag that an element is.
    pub(crate) fn command(&self, id: ElementId) -> Option<&Command> {
        if !matches!(self.element(id).kind, ElementKind::Command | ElementKind::Flag) {
            return None;
        }
        let at = self
            .commands
            .binary_search_by_key(&id, |command| command.element)
            .ok()?;
        self.commands.get(at)
    }

    /// The element of a kind that is not built in, and its kind.
    pub(crate) fn extra(&self, id: ElementId) -> Option<(&ExtraKind, &ExtraElement)> {
        let at = self.extras.binary_search_by_key(&id, |extra| extra.element).ok()?;
        let extra = self.extras.get(at)?;
        Some((self.kinds.at(extra.kind)?, extra))
    }

    /// The gate that an element is.
    pub(crate) fn gate(&self, id: ElementId) -> Option<&Gate> {
        if self.element(id).kind != ElementKind::Gate {
            return None;
        }
        let at = self.gates.binary_search_by_key(&id, |gate| gate.element).ok()?;
        self.gates.get(at)
    }
}
