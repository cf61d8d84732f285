//! The preferred and the storage version move only after a release that served both versions.
//!
#![doc = include_str!("preferred-and-storage.md")]

use crate::model::{Declared, ElementId, Event, Group, Happening, Kind, Model};
use crate::obligation::{Demand, Obligation, Obligations, Scope, Term};
use crate::policy::RuleLaw;
use crate::release::{Calendar, Release, Window};
use crate::stability::Track;

use super::Rule;

/// The rule.
pub(super) const RULE: Rule = Rule {
    slug: "preferred-and-storage",
    title: "The preferred and the storage version move only after a release that served both versions.",
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
    exemptions: &["alpha-gone"],
    state,
};

/// A time in which a version is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Service {
    /// The first release that serves it.
    pub since: Release,
    /// The first release that no longer does; [`Release::NEVER`] while no end is known.
    pub until: Release,
}

impl Service {
    /// Whether a release serves it.
    pub fn covers(self, release: Release) -> bool {
        self.since <= release && release < self.until
    }

    /// The first release that serves both, if any does.
    pub fn overlap(self, other: Self) -> Option<Release> {
        let both = self.since.max(other.since);
        (both < self.until.min(other.until)).then_some(both)
    }
}

/// What the rule says of a move, in terms of when versions are served.
#[derive(Debug, Clone, Copy)]
pub struct MoveLaw {
    overlap: Window,
    alpha_gone: bool,
}

impl MoveLaw {
    /// The law of a move, from the policy's words on this rule.
    pub fn new(law: Option<&RuleLaw>) -> Self {
        Self {
            overlap: law
                .and_then(|law| law.class("all"))
                .and_then(|class| class.overlap)
                .unwrap_or_default(),
            alpha_gone: law.is_none_or(|law| law.exempts("alpha-gone")),
        }
    }

    /// Whether preference or storage may be at `to` in a release, coming from `from`.
    pub fn allows(self, calendar: &Calendar, from: (&[Service], Track), to: &[Service], at: Release) -> bool {
        let (from, track) = from;
        let mut overlaps = from
            .iter()
            .flat_map(|from| to.iter().filter_map(|to| from.overlap(*to)));
        let overlapped = overlaps.any(|both| calendar.earliest(both, self.overlap).release <= at);
        overlapped || self.needs_none(from, track, at)
    }

    /// Where the current version is alpha and gone there can be no overlap.
    fn needs_none(self, from: &[Service], track: Track, at: Release) -> bool {
        self.alpha_gone && track == Track::Alpha && !from.iter().any(|service| service.covers(at))
    }
}

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for group in &scope.model.groups {
        let versions: Vec<ElementId> = group.versions.iter().map(|version| version.element).collect();
        moves(scope, out, &versions, Happening::Preferred);
        for kind in &group.kinds {
            let versions: Vec<ElementId> = kind.versions.iter().flatten().copied().collect();
            moves(scope, out, &versions, Happening::Stored);
            dropped(scope, out, group, kind);
        }
    }
}

/// The declared moves among versions, in the order of their releases.
pub fn declared_moves(model: &Model, versions: &[ElementId], what: Happening) -> Vec<Declared> {
    let mut moves: Vec<Declared> = versions
        .iter()
        .filter_map(|version| model.declared(*version, what).copied())
        .collect();
    moves.sort_by_key(|declared| (declared.release, declared.span));
    moves
}

fn moves(scope: &Scope<'_>, out: &mut Obligations, versions: &[ElementId], what: Happening) {
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
        let removed = Event::new(from.event.element, last_life(scope.model, from), Happening::Removed);
        let (code, because) = match what {
            Happening::Preferred => ("still-preferred", "a version is served as long as it is preferred"),
            _ => (
                "still-stored",
                "a version is served as long as objects are stored in it",
            ),
        };
        out.push(scope.obligation(code, removed, Demand::NotBefore(Term::at(to.event)), because));
    }
}

fn last_life(model: &Model, declared: &Declared) -> u8 {
    model.lives(declared.event.element) - 1
}

/// Only a version that is served is preferred, or stored.
fn served(scope: &Scope<'_>, out: &mut Obligations, declared: &Declared) {
    let model = scope.model;
    let introduced = declared.event.sibling(Happening::Introduced);
    let because = "only a version that is served is preferred or stored";
    let demand = Demand::NotBefore(Term::at(introduced));
    out.push(scope.obligation("not-served", declared.event, demand, because));
    let gone = services(model, declared.event.element)
        .iter()
        .all(|service| service.until <= declared.release);
    if gone {
        let message = format!(
            "{} becomes {} in {}, when it is no longer served",
            model.id(declared.event.element),
            declared.event.what,
            model.calendar.name(declared.release)
        );
        let forbidden = scope.obligation("not-served", declared.event, Demand::Forbidden, because);
        out.push(forbidden.message(message).help("move while both versions are served"));
    }
}

fn two_at_once(scope: &Scope<'_>, out: &mut Obligations, first: &Declared, second: &Declared) {
    let model = scope.model;
    let message = format!(
        "{} and {} both become {} in {}",
        model.id(first.event.element),
        model.id(second.event.element),
        second.event.what,
        model.calendar.name(second.release)
    );
    let because = "there is exactly one preferred version, and one storage version of a kind";
    let obligation = scope.obligation("two-at-once", second.event, Demand::Forbidden, because);
    out.push(
        obligation
            .message(message)
            .related(first.span, "the other one")
            .help("keep one of the two in this release"),
    );
}

/// From one version to the next: a release after one that served both.
fn advance(scope: &Scope<'_>, out: &mut Obligations, from: &Declared, to: &Declared) {
    let model = scope.model;
    let law = MoveLaw::new(scope.law_at(Some(to)));
    let (old, new) = (from.event.element, to.event.element);
    let (old_services, new_services) = (services(model, old), services(model, new));
    let both = old_services
        .iter()
        .flat_map(|old| new_services.iter().filter_map(|new| old.overlap(*new)))
        .min();
    if law.needs_none(&old_services, model.element(old).track, to.release) && both.is_none() {
        return;
    }
    let because = "a move waits for a release that has served both versions";
    let bound = |of: ElementId| -> Obligation {
        let event = Event::new(of, 0, Happening::Introduced);
        let demand = Demand::NotBefore(Term::after(event, law.overlap));
        scope.obligation("early", to.event, demand, because)
    };
    match both {
        Some(_) => {
            out.push(bound(old));
            out.push(bound(new));
        }
        None => {
            let message = format!(
                "{} follows {} as {}, but no release serves both",
                model.id(new),
                model.id(old),
                to.event.what
            );
            let obligation = scope.obligation("no-overlap", to.event, Demand::Forbidden, because);
            out.push(
                obligation
                    .message(message)
                    .related(from.span, "the version before it")
                    .help("keep the old version served for a release beside the new one"),
            );
        }
    }
}

/// When an element is served, as far as declared.
fn services(model: &Model, element: ElementId) -> Vec<Service> {
    (0..model.lives(element))
        .filter_map(|life| {
            let when = |what| {
                model
                    .find_declared(Event::new(element, life, what))
                    .map(|declared| declared.release)
            };
            Some(Service {
                since: when(Happening::Introduced)?,
                until: when(Happening::Removed).unwrap_or(Release::NEVER),
            })
        })
        .collect()
}

/// The code keeps reading a version until storage has moved on and stored objects are migrated.
fn dropped(scope: &Scope<'_>, out: &mut Obligations, group: &Group, kind: &Kind) {
    let model = scope.model;
    let versions: Vec<ElementId> = kind.versions.iter().flatten().copied().collect();
    let storage = declared_moves(model, &versions, Happening::Stored);
    for version in &versions {
        let Some(dropped) = model.declared(*version, Happening::Dropped) else {
            continue;
        };
        let stored = storage.iter().position(|moved| moved.event.element == *version);
        if !storage.is_empty() && stored.is_none() {
            continue;
        }
        let because = "data stored in a version stays readable until it is migrated";
        let next = stored.and_then(|at| storage.get(at + 1));
        if let Some(next) = next {
            let demand = Demand::NotBefore(Term::at(next.event));
            out.push(scope.obligation("dropped-early", dropped.event, demand, because));
        }
        let migrated = Event::new(*version, 0, Happening::Migrated);
        let obligation = match model.find_declared(migrated) {
            Some(_) => scope.obligation(
                "dropped-early",
                dropped.event,
                Demand::NotBefore(Term::at(migrated)),
                because,
            ),
            None => {
                let id = model.id(*version);
                scope
                    .obligation("dropped-early", dropped.event, Demand::Requires(false), because)
                    .message(format!(
                        "{id} is dropped from the code, but nothing says that stored objects were migrated"
                    ))
                    .help(format!(
                        "when no stored object of {} is left in this version, add `migrated` with that release",
                        group.name
                    ))
            }
        };
        out.push(obligation);
    }
}
