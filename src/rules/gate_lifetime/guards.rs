//! Gates that guard fields and values of stable versions: each is off for a release before it is on by default, so that
//! a rollback by one release loses nothing.

use crate::model::{Declared, ElementId, ElementKind, Event, EventKind, Gate, Model};
use crate::obligation::{Demand, Obligations, Scope, Term};
use crate::policy::{Class, Key};
use crate::release::{Release, Window};
use crate::stability::Track;

use super::about;

const BECAUSE: &str =
    "a gate that guards a field of a stable version is off for at least one release before it is on by default";

/// A gate is off before it is on, and so is what is added behind it later.
pub(super) fn off_before_on(scope: &Scope<'_>, out: &mut Obligations, gate: &Gate) {
    let model = scope.model;
    let Some((step, on)) = (0_u8..).zip(&gate.specs).find(|(_, spec)| spec.default) else {
        return;
    };
    let mut from_the_start = None;
    for guarded in gate
        .guards
        .iter()
        .copied()
        .filter(|id| is_of_stable_version(model, *id))
    {
        for added in additions(model, guarded) {
            added_behind(scope, out, gate, added);
        }
        let begins = model.declared(guarded, EventKind::Introduced);
        if begins.is_none_or(|begins| begins.release <= on.since) {
            from_the_start.get_or_insert(guarded);
        }
    }
    let window = window_at(scope, on.since);
    let (Some(guarded), Some(window)) = (from_the_start, window) else {
        return;
    };
    let place = model.element(guarded).span;
    let obligation = if step == 0 {
        let what = "is on by default from the start";
        let at_once = about(scope, gate, step, "on-at-once", BECAUSE, what);
        at_once.help_unless_shipped("add an entry with `default = false` for an earlier release")
    } else {
        let demand = Demand::NotBefore(Term::after(Event::entry(gate.element, 0), window));
        scope.obligation("on-at-once", Event::entry(gate.element, step), demand, BECAUSE)
    };
    out.push(obligation.related(place, "a field or value of a stable version"));
}

fn is_of_stable_version(model: &Model, id: ElementId) -> bool {
    let element = model.element(id);
    matches!(element.kind, ElementKind::Field | ElementKind::EnumValue) && element.track == Track::Ga
}

/// How long a gate is off before it is on, in the edition of a release.
fn window_at(scope: &Scope<'_>, release: Release) -> Option<Window> {
    let window = scope.law.at(release)?.window(Class::All, Key::OffBeforeOn);
    window.filter(|window| !window.is_empty())
}

/// The introductions of a member into a kind that exists already; of a value that is tolerated first, its toleration. A
/// rollback past a new kind loses all of it anyway, and in a release that no longer has the kind nothing is added.
fn additions(model: &Model, member: ElementId) -> impl Iterator<Item = &Declared> {
    let lives = (0..model.lives(member)).map(move |life| Event::new(member, life, EventKind::Introduced));
    let kind = model.element(member).parent;
    let of_kind = kind.into_iter().flat_map(|kind| {
        let lives = (0..model.lives(kind)).map(move |life| Event::new(kind, life, EventKind::Introduced));
        lives.map(|begins| [begins, begins.sibling(EventKind::Removed)].map(|event| model.declared_release(event)))
    });
    let of_kind: Vec<[Option<Release>; 2]> = of_kind.collect();
    let added = lives.filter_map(|introduced| {
        let tolerated = model.find_declared(introduced.sibling(EventKind::Tolerated));
        tolerated.or_else(|| model.find_declared(introduced))
    });
    added.filter(move |introduced| {
        let at = introduced.release;
        let is_there = of_kind
            .iter()
            .any(|[begins, ends]| begins.is_none_or(|begins| begins <= at) && ends.is_none_or(|ends| ends > at));
        is_there && of_kind.iter().all(|[begins, _]| *begins != Some(at))
    })
}

/// What is added behind a gate is off at first: the gate is not on already, nor soon after.
fn added_behind(scope: &Scope<'_>, out: &mut Obligations, gate: &Gate, added: &Declared) {
    let window = window_at(scope, added.release);
    let began = gate.specs.iter().rposition(|spec| spec.since <= added.release);
    let (Some(window), Some(began)) = (window, began) else {
        return;
    };
    let specs = (0_u8..).zip(&gate.specs);
    if !gate.specs[began].default {
        if let Some((step, _)) = specs.skip(began + 1).find(|(_, spec)| spec.default) {
            let demand = Demand::NotBefore(Term::after(added.event, window));
            out.push(scope.obligation("on-at-once", Event::entry(gate.element, step), demand, BECAUSE));
        }
        return;
    }
    // A gate that begins with what it guards is reported once, for all of it.
    if began == 0 && gate.specs[began].since == added.release {
        return;
    }
    let off = gate.specs[..began].iter().rposition(|spec| !spec.default);
    let on = &gate.specs[off.map_or(0, |off| off + 1)];
    let model = scope.model;
    let (id, guard) = (model.id(added.event.element), model.id(gate.element));
    let name = model.calendar.name(added.release);
    let at_once = scope.obligation("on-at-once", added.event, Demand::Forbidden, BECAUSE);
    let at_once = at_once.message(format!(
        "{id} is added in {name} behind {guard}, which is already on by default"
    ));
    let at_once = at_once.related(on.span, "on by default since this entry");
    out.push(at_once.help_unless_shipped("guard it with another gate, which is off for a release first"));
}
