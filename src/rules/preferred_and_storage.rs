#![doc = include_str!("preferred-and-storage.md")]

use crate::model::{Declared, ElementId, Event, EventKind, Group, Kind, Model};
use crate::obligation::{Demand, Obligations, Scope, Term};
use crate::policy::{Class, Key, RuleKeys, RuleLaw};
use crate::release::{Calendar, Release, Window};
use crate::stability::Track;

use super::Rule;

pub(super) const RULE: Rule = Rule {
    slug: "preferred-and-storage",
    page: include_str!("preferred-and-storage.md"),
    codes: &[
        "early",
        "no-overlap",
        "two-at-once",
        "not-served",
        "still-preferred",
        "still-stored",
        "dropped-early",
    ],
    keys: RuleKeys {
        exemptions: &["alpha-gone"],
        ..RuleKeys::of(&[(Class::All, &[Key::Overlap])])
    },
    state,
};

/// A range of releases in which a version is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Service {
    pub(crate) since: Release,
    /// The first release that does not; [`Release::NEVER`] while no end is known.
    pub(crate) until: Release,
}

impl Service {
    pub(crate) fn covers(self, release: Release) -> bool {
        self.since <= release && release < self.until
    }

    pub(crate) fn overlap(self, other: Self) -> Option<Release> {
        let both = self.since.max(other.since);
        (both < self.until.min(other.until)).then_some(both)
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveLaw {
    overlap: Window,
    alpha_gone: bool,
}

impl MoveLaw {
    pub(crate) fn new(law: Option<&RuleLaw>) -> Self {
        Self {
            overlap: law
                .and_then(|law| law.window(Class::All, Key::Overlap))
                .unwrap_or_default(),
            alpha_gone: law.is_none_or(|law| law.exempts("alpha-gone")),
        }
    }

    /// Whether the preferred or storage version may be `to` in a release, after `from`.
    pub(crate) fn allows(self, calendar: &Calendar, from: (&[Service], Track), to: &[Service], at: Release) -> bool {
        let (from, track) = from;
        let mut overlaps = from
            .iter()
            .flat_map(|from| to.iter().filter_map(|to| from.overlap(*to)));
        let overlapped = overlaps.any(|both| calendar.earliest(both, self.overlap).release <= at);
        overlapped || self.needs_none(from, track, at)
    }

    /// No overlap is possible with an alpha version that is already removed.
    fn needs_none(self, from: &[Service], track: Track, at: Release) -> bool {
        self.alpha_gone && track == Track::Alpha && !from.iter().any(|service| service.covers(at))
    }
}

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for group in &scope.model.groups {
        let versions: Vec<ElementId> = group.versions.iter().map(|version| version.element).collect();
        moves(scope, out, &versions, EventKind::Preferred);
        for kind in &group.kinds {
            let versions: Vec<ElementId> = kind.versions.iter().flatten().copied().collect();
            moves(scope, out, &versions, EventKind::Stored);
            dropped(scope, out, group, kind);
        }
    }
}

/// The declared moves among versions, in the order of their releases.
pub(crate) fn declared_moves(model: &Model, versions: &[ElementId], what: EventKind) -> Vec<Declared> {
    let moves = versions.iter().filter_map(|version| model.declared(*version, what));
    let mut moves: Vec<Declared> = moves.copied().collect();
    moves.sort_by_key(|declared| (declared.release, declared.span));
    moves
}

fn moves(scope: &Scope<'_>, out: &mut Obligations, versions: &[ElementId], what: EventKind) {
    let moves = declared_moves(scope.model, versions, what);
    for declared in &moves {
        served(scope, out, declared);
    }
    for pair in moves.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        if from.release == to.release {
            two_at_once(scope, out, from, to);
            continue;
        }
        advance(scope, out, from, to);
        let Some(removed) = last_removal(scope.model, from.event.element) else {
            continue;
        };
        let (code, because) = match what {
            EventKind::Preferred => ("still-preferred", "a preferred version stays served"),
            _ => ("still-stored", "a storage version stays served"),
        };
        scope.not_before(out, code, removed, Term::at(to.event), because);
    }
}

/// Only a served version is preferred or the storage version.
fn served(scope: &Scope<'_>, out: &mut Obligations, declared: &Declared) {
    let model = scope.model;
    let because = "only a served version is preferred or the storage version";
    let begins = served_by(model, declared.event.element).into_iter();
    let begins = begins.map(|part| Term::at(Event::new(part, 0, EventKind::Introduced)));
    if let Some(demand) = Demand::not_before_any(begins.collect()) {
        out.push(scope.obligation("not-served", declared.event, demand, because));
    }
    let gone = lives(model, declared.event.element)
        .iter()
        .all(|(service, _)| service.until <= declared.release);
    if gone {
        let message = format!(
            "{} {} in {}, when it is no longer served",
            model.id(declared.event.element),
            declared.event.what.verb(),
            model.calendar.name(declared.release)
        );
        let forbidden = scope.obligation("not-served", declared.event, Demand::Forbidden, because);
        out.push(forbidden.message(message).help("move while both versions are served"));
    }
}

fn two_at_once(scope: &Scope<'_>, out: &mut Obligations, first: &Declared, second: &Declared) {
    let model = scope.model;
    let message = format!(
        "{} {} in {}, and so does {}",
        model.id(first.event.element),
        second.event.what.verb(),
        model.calendar.name(second.release),
        model.id(second.event.element)
    );
    let because = "a group has one preferred version, and a kind one storage version";
    let obligation = scope.obligation("two-at-once", second.event, Demand::Forbidden, because);
    let obligation = obligation.message(message).related(first.span, "the other version");
    out.push(obligation.help("keep one of the two moves in this release"));
}

/// A move happens in a release after one that served both versions.
fn advance(scope: &Scope<'_>, out: &mut Obligations, from: &Declared, to: &Declared) {
    let model = scope.model;
    let law = MoveLaw::new(scope.law_at(Some(to)));
    let (old, new) = (from.event.element, to.event.element);
    let (old_lives, new_lives) = (lives(model, old), lives(model, new));
    let both = old_lives
        .iter()
        .flat_map(|(old, old_life)| {
            let new_lives = new_lives.iter();
            new_lives.filter_map(|(new, new_life)| Some((old.overlap(*new)?, *old_life, *new_life)))
        })
        .min();
    let services: Vec<Service> = old_lives.iter().map(|(service, _)| *service).collect();
    let overlapped = both.is_some_and(|(since, ..)| since < to.release);
    if !overlapped && law.needs_none(&services, model.element(old).track, to.release) {
        return;
    }
    let because = "a move happens after a release that served both versions";
    match both {
        Some((_, old_life, new_life)) => {
            for life in [old_life, new_life] {
                scope.not_before(out, "early", to.event, Term::after(life, law.overlap), because);
            }
        }
        None => {
            let (id, verb, old) = (model.id(new), to.event.what.verb(), model.id(old));
            let message = format!("{id} {verb} after {old}, but no release serves both");
            let obligation = scope.obligation("no-overlap", to.event, Demand::Forbidden, because);
            let obligation = obligation.message(message).related(from.span, "the previous version");
            out.push(obligation.help("serve the old version for one more release, together with the new one"));
        }
    }
}

/// The elements whose lives make up that of a version or kind.
fn served_by(model: &Model, element: ElementId) -> Vec<ElementId> {
    let group = model
        .group_of(element)
        .filter(|_| model.element(element).kind.is_version());
    let version = group.and_then(|group| group.versions.iter().find(|version| version.element == element));
    version.map_or_else(|| vec![element], |version| version.served().to_vec())
}

/// When an element is served, as far as declared, and its introductions. A version is served while any of its kinds is.
fn lives(model: &Model, element: ElementId) -> Vec<(Service, Event)> {
    let lives = served_by(model, element)
        .into_iter()
        .flat_map(|part| (0..model.lives(part)).map(move |life| Event::new(part, life, EventKind::Introduced)));
    lives
        .filter_map(|begin| {
            let removed = model.declared_release(begin.sibling(EventKind::Removed));
            let service = Service {
                since: model.declared_release(begin)?,
                until: removed.unwrap_or(Release::NEVER),
            };
            Some((service, begin))
        })
        .collect()
}

/// The removal of an element; of a version, the removal of its last kind.
fn last_removal(model: &Model, element: ElementId) -> Option<Event> {
    let ends = served_by(model, element).into_iter().map(|part| {
        let removed = model.last_event(part, EventKind::Removed);
        let release = model.declared_release(removed).unwrap_or(Release::NEVER);
        (release, std::cmp::Reverse(removed))
    });
    ends.max().map(|(_, std::cmp::Reverse(removed))| removed)
}

/// The code reads a version until storage has moved on and stored objects are migrated.
fn dropped(scope: &Scope<'_>, out: &mut Obligations, group: &Group, kind: &Kind) {
    let model = scope.model;
    let versions: Vec<ElementId> = kind.versions.iter().flatten().copied().collect();
    let storage = declared_moves(model, &versions, EventKind::Stored);
    for version in &versions {
        let Some(dropped) = model.declared(*version, EventKind::Dropped) else {
            continue;
        };
        let stored = storage.iter().position(|moved| moved.event.element == *version);
        if !storage.is_empty() && stored.is_none() {
            continue;
        }
        let because = "objects stored in a version stay readable until they are migrated";
        let next = stored.and_then(|at| storage.get(at + 1));
        if let Some(next) = next {
            scope.not_before(out, "dropped-early", dropped.event, Term::at(next.event), because);
        }
        let migrated = Event::new(*version, 0, EventKind::Migrated);
        if model.find_declared(migrated).is_some() {
            scope.not_before(out, "dropped-early", dropped.event, Term::at(migrated), because);
            continue;
        }
        let (id, group) = (model.id(*version), &group.name);
        let message = format!("{id} is dropped from the code, but no migration of stored objects is declared");
        let help = format!("once no object of {group} is stored in this version, add `migrated` with that release");
        let obligation = scope.obligation("dropped-early", dropped.event, Demand::Requires(false), because);
        out.push(obligation.message(message).help(help));
    }
}
