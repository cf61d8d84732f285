//! The public surface as its parts relate: groups with versions and kinds, commands, gates, metrics, exceptions.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::diagnostic::Severity;
use crate::release::Release;
use crate::source::Span;
use crate::stability::{MetricStability, Stage, VersionName};

use super::{Declared, ElementId, ElementKind, Event, EventKind, Family, MemberName, Model, Reference, Text};

/// Where the calendar is in the file.
#[derive(Debug, Clone)]
pub(crate) struct CalendarPlaces {
    /// Its list of releases.
    pub(crate) list: Span,
    /// Its `current` release; the calendar itself if it has none.
    pub(crate) current: Span,
    /// The releases that are listed.
    pub(crate) releases: BTreeMap<Release, Span>,
}

impl CalendarPlaces {
    /// Where a release is listed; one that is only projected is nowhere in the list.
    pub(crate) fn of(&self, release: Release) -> Span {
        self.releases.get(&release).copied().unwrap_or(self.list)
    }
}

/// A group of versions that succeed one another.
#[derive(Debug, Clone)]
pub struct Group {
    /// API or configuration.
    pub family: Family,
    /// Its name; the nameless group is `core`.
    pub name: String,
    /// Its versions, newest generation first (major, then track, then number): the order of display.
    pub versions: Vec<Version>,
    /// Its kinds, by name.
    pub kinds: Vec<Kind>,
}

/// A version of a group.
#[derive(Debug, Clone)]
pub struct Version {
    /// Its name.
    pub name: VersionName,
    /// The element.
    pub(crate) element: ElementId,
    /// The kinds in it. If there are any, the version lives as long as one of them does.
    pub(crate) kinds: Vec<ElementId>,
}

impl Version {
    /// The elements whose lives rules 3 to 4b check: the kinds, or without kinds the version itself.
    pub(crate) fn served(&self) -> &[ElementId] {
        match self.kinds.as_slice() {
            [] => std::slice::from_ref(&self.element),
            kinds => kinds,
        }
    }
}

/// A kind, across the versions of its group.
#[derive(Debug, Clone)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// The plural in URLs.
    pub(crate) resource: Option<String>,
    /// The element in each of the group's versions, in their order; `None` where the version has no such kind.
    pub versions: Vec<Option<ElementId>>,
    /// Its subresources, fields, enum values and annotations.
    pub(crate) members: Vec<Member>,
}

/// A member of a kind, across the versions of the group.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// What sort of member.
    pub(crate) kind: ElementKind,
    /// Its name within the kind, as the end of its id writes it: `spec.replicas`, `spec.strategy.type=Recreate`.
    pub(crate) name: Box<str>,
    /// The element in each of the group's versions, in their order.
    pub(crate) versions: Box<[Option<ElementId>]>,
    /// Whether its entry lists the versions that have it.
    pub(crate) listing: Listing,
    /// Beside a list of versions: the places of what its entry declares for all of them, in order.
    pub(crate) shared: Vec<Span>,
    /// In versions that carry it under another name: the version's position, the other name (a path, or `@annotation`).
    pub(crate) represented: Vec<(usize, Text)>,
}

/// Which versions have a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listing {
    /// All that are served when it is introduced: its entry lists none.
    All,
    /// Those that its entry lists: each is served until the member begins there.
    Written,
    /// Those that its entry would list for a supposed event. A version may end before the member begins there.
    Supposed,
}

impl Listing {
    /// Whether the entry lists versions.
    pub(crate) fn lists_versions(self) -> bool {
        self != Self::All
    }
}

impl Member {
    /// Whether an element is the member in one of the versions.
    pub(super) fn has(&self, element: ElementId) -> bool {
        self.versions.contains(&Some(element))
    }

    /// Whether something of the member is declared for one version, which has the member then.
    pub(crate) fn is_of_one_version(&self, declared: &Declared) -> bool {
        self.listing.lists_versions() && !self.is_for_all(declared)
    }

    /// Whether something of the member is declared where its entry says what is so in all versions.
    pub(crate) fn is_for_all(&self, declared: &Declared) -> bool {
        self.shared.binary_search(&declared.span).is_ok()
    }

    /// Whether the version of an event has to be served for it: the event is declared for that version, or is an
    /// introduction and the entry lists the version, or no other version has the member then.
    pub(crate) fn needs_its_version(&self, model: &Model, declared: &Declared) -> bool {
        let event = declared.event;
        if model.is_back_with_owner(event) {
            return false;
        }
        let is_introduced = event.what == EventKind::Introduced && self.listing == Listing::Written;
        let mut others = self.versions.iter().flatten().filter(|other| **other != event.element);
        is_introduced
            || self.is_of_one_version(declared)
            || others.all(|other| !Self::may_have(model, *other, declared))
    }

    /// Whether the member in one version can have an event that the entry declares for all versions: by what is
    /// declared, it has begun there by then, and nothing that it is part of has ended for good.
    pub(crate) fn may_have(model: &Model, part: ElementId, declared: &Declared) -> bool {
        let introduced = model.declared_release(Event::new(part, 0, EventKind::Introduced));
        let mut owners = std::iter::successors(model.owner(part), |owner| model.owner(*owner));
        let has_ended = owners.any(|owner| {
            let end = model.declared_release(model.last_event(owner, EventKind::Removed));
            end.is_some_and(|end| end <= declared.release)
        });
        introduced <= Some(declared.release) && !has_ended
    }

    /// Its name in parts.
    pub(crate) fn parts(&self) -> MemberName<'_> {
        MemberName::of(self.kind, &self.name)
    }

    /// The name by which others of the kind refer to it: of an annotation, with `@`.
    pub(crate) fn reference(&self) -> Cow<'_, str> {
        if self.kind == ElementKind::Annotation {
            return format!("@{}", self.name).into();
        }
        (&*self.name).into()
    }
}

/// A name that represents a member of another version: the version, the name there, and the member.
pub(crate) type StandIn<'k> = (usize, &'k str, &'k Member);

/// The names in a kind that represent members of other versions, in order.
#[derive(Debug)]
pub(crate) struct StandIns<'k>(Vec<StandIn<'k>>);

impl Kind {
    /// Which name represents which member, by the members' `represented-as`.
    pub(crate) fn stand_ins(&self) -> StandIns<'_> {
        let represented = self.members.iter().flat_map(|member| {
            let names = member.represented.iter();
            names.map(move |(at, other)| (*at, other.text.as_str(), member))
        });
        let mut all: Vec<_> = represented.collect();
        all.sort_by_key(|(at, name, _)| (*at, *name));
        StandIns(all)
    }
}

impl<'k> StandIns<'k> {
    /// The members that a name in a version represents.
    pub(crate) fn of(&self, at: usize, name: &str) -> &[StandIn<'k>] {
        let start = self
            .0
            .partition_point(|(version, known, _)| (*version, *known) < (at, name));
        let rest = &self.0[start..];
        let count = rest
            .iter()
            .take_while(|(version, known, _)| (*version, *known) == (at, name));
        &rest[..count.count()]
    }
}

/// Who uses a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Users of the product, such as of kubectl.
    User,
    /// Those who run the product, such as of kubelet.
    Admin,
}

impl Audience {
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text {
            "user" => Some(Self::User),
            "admin" => Some(Self::Admin),
            _ => None,
        }
    }
}

/// A command or a flag.
#[derive(Debug, Clone)]
pub(crate) struct Command {
    /// The element.
    pub(crate) element: ElementId,
    /// Who uses the program.
    pub(crate) audience: Audience,
}

/// One entry of a gate's life.
#[derive(Debug, Clone)]
pub struct GateSpec {
    /// The stage it enters.
    pub stage: Stage,
    /// When.
    pub since: Release,
    /// Whether it is on unless set.
    pub default: bool,
    /// Whether setting it to anything but its default is an error.
    pub locked: bool,
    /// The entry.
    pub(crate) span: Span,
}

/// A feature gate.
#[derive(Debug, Clone)]
pub struct Gate {
    /// The element.
    pub element: ElementId,
    /// Its stages in the order written.
    pub specs: Vec<GateSpec>,
    /// Where they are listed.
    pub(crate) listed: Option<Span>,
    /// Gates it does not work without.
    pub(crate) depends_on: Vec<Reference>,
    /// Gates that do not work without it.
    pub(crate) dependents: Vec<ElementId>,
    /// What it guards.
    pub(crate) guards: Vec<ElementId>,
}

impl Gate {
    /// The entry in force in a release.
    pub(crate) fn at(&self, release: Release) -> Option<&GateSpec> {
        self.specs.iter().rev().find(|spec| spec.since <= release)
    }

    /// Whether an entry differs from the one before in locking the gate only.
    pub(crate) fn only_locks(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.specs.get(before));
        let entries = before.zip(self.specs.get(at));
        self.keeps_stage(at)
            && entries.is_some_and(|(before, entry)| entry.locked && !before.locked && entry.default == before.default)
    }

    /// Whether an entry has the stage of the one before: it changes the default, or locks the gate.
    pub(crate) fn keeps_stage(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.specs.get(before));
        let entries = before.zip(self.specs.get(at));
        entries.is_some_and(|(before, entry)| before.stage == entry.stage)
    }

    /// The first entry of a stage.
    pub(crate) fn first(&self, stage: Stage) -> Option<(usize, &GateSpec)> {
        self.specs.iter().enumerate().find(|(_, spec)| spec.stage == stage)
    }
}

/// One entry of a metric's life.
#[derive(Debug, Clone)]
pub struct MetricSpec {
    /// The class it enters.
    pub stability: MetricStability,
    /// When.
    pub since: Release,
    /// Its labels from then on, if declared.
    pub labels: Option<Vec<String>>,
    /// Its type from then on, if declared: counter, gauge, histogram, summary.
    pub metric_type: Option<String>,
    /// The entry.
    pub(crate) span: Span,
}

/// A metric.
#[derive(Debug, Clone)]
pub struct Metric {
    /// The element.
    pub element: ElementId,
    /// Its classes in the order written.
    pub specs: Vec<MetricSpec>,
}

impl Metric {
    /// The entry in force in a release; before the first one, the first.
    pub(crate) fn at(&self, release: Release) -> Option<&MetricSpec> {
        self.specs
            .iter()
            .rev()
            .find(|spec| spec.since <= release)
            .or(self.specs.first())
    }
}

/// An element of a kind that is not built in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExtraElement {
    pub(crate) element: ElementId,
    /// The position of its kind among the model's.
    pub(crate) kind: usize,
    /// The position of its class among those of the kind.
    pub(crate) class: usize,
}

/// A granted exception.
#[derive(Debug, Clone)]
pub(crate) struct Exception {
    /// The rule, by slug or number.
    pub(crate) rule: Text,
    /// Which of the rule's findings; `None` if it names only the rule.
    pub(crate) code: Option<Text>,
    /// The element.
    pub(crate) element: Reference,
    /// Why.
    pub(crate) reason: String,
    /// Who granted it.
    pub(crate) approved_by: String,
    /// The first release in which it no longer holds; `None`: for good.
    pub(crate) until: Option<(Release, Span)>,
    /// The entry's header.
    pub(crate) span: Span,
    /// The entry, to the end of its last value.
    pub(crate) whole: Span,
}

/// A severity that this project sets.
#[derive(Debug, Clone)]
pub(crate) struct LevelEntry {
    /// The rule, by slug or number.
    pub(crate) rule: Text,
    /// The finding; `None`: all of the rule's.
    pub(crate) code: Option<Text>,
    /// The severity.
    pub(crate) severity: Severity,
}
