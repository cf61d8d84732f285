#![doc = include_str!("gate-lifetime.md")]

mod dependencies;
mod guards;

use crate::model::{ElementId, Event, EventKind, Gate, GateSpec, Model};
use crate::obligation::{Demand, End, Obligation, Obligations, Scope, Term};
use crate::policy::{Class, Key, RuleKeys};
use crate::release::Window;
use crate::stability::{Stage, Track};

use super::Rule;

use dependencies::{cycles, depends};
use guards::off_before_on;

const LOCKABLE: &[Key] = &[
    Key::AfterDeprecation,
    Key::RemoveWithin,
    Key::Prefer,
    Key::Deprecate,
    Key::Steps,
    Key::AfterSteps,
    Key::Remove,
    Key::CustomAfterLocking,
];

const DROPPED: &[Key] = &[
    Key::AfterDeprecation,
    Key::RemoveWithin,
    Key::Prefer,
    Key::Deprecate,
    Key::Steps,
    Key::AfterSteps,
    Key::Remove,
];

pub(super) const RULE: Rule = Rule {
    slug: "gate-lifetime",
    page: include_str!("gate-lifetime.md"),
    codes: &[
        "early",
        "overdue",
        "wrong-release",
        "step-missing",
        "sooner-than-preferred",
        "still-named",
        "on-at-once",
        "regression",
        "out-of-order",
        "unlocked",
        "name-reused",
        "alpha-on",
        "beta-off",
        "ga-off",
        "ga-unlocked",
        "dependency-less-stable",
        "dependency-absent",
        "dependency-off",
        "dependency-unlocked",
        "dependency-cycle",
        "dependency-gone",
        "custom",
    ],
    keys: RuleKeys::of(&[
        (Class::BetaToGa, LOCKABLE),
        (Class::BetaToDropped, LOCKABLE),
        (Class::AlphaToDropped, DROPPED),
        (Class::All, &[Key::OffBeforeOn]),
    ])
    .with_step("locked"),
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for gate in scope.model.judged_gates() {
        functions(scope, out, gate);
        custom(scope, out, gate);
        still_named(scope, out, gate);
        for pair in gate.specs.windows(2).zip(1_u8..) {
            progress(scope, out, gate, &pair.0[0], &pair.0[1], pair.1);
        }
        for (step, spec) in (0_u8..).zip(&gate.specs) {
            defaults(scope, out, gate, spec, step);
        }
        after_the_last_entry(scope, out, gate);
        off_before_on(scope, out, gate);
        for dependency in &gate.depends_on {
            depends(scope, out, gate, dependency);
        }
    }
    cycles(scope, out);
}

/// The transition that ends a gate: its feature goes GA, or is dropped.
pub(crate) fn transition(gate: &Gate) -> Class {
    if gate.first(Stage::Ga).is_some() {
        return Class::BetaToGa;
    }
    let mut specs = gate.specs.iter().rev();
    let before = specs.find(|spec| spec.stage != Stage::Deprecated);
    match before.map(|spec| spec.stage.track()) {
        Some(Track::Alpha) => Class::AlphaToDropped,
        Some(Track::Beta) => Class::BetaToDropped,
        Some(Track::Ga) | None => Class::BetaToGa,
    }
}

/// The event from which the window of a gate counts, and its class.
///
/// A gate that begins at GA is a switch back to the old behavior: its window counts from its deprecation.
pub(super) fn window_start(scope: &Scope<'_>, gate: &Gate) -> (Event, Class) {
    let class = transition(gate);
    if let Some((step, _)) = gate.first(Stage::Ga) {
        let is_deprecated = scope.model.declared(gate.element, EventKind::Deprecated).is_some();
        if step > 0 || (!is_deprecated && class == Class::BetaToGa) {
            let ga = Event::entry(gate.element, u8::try_from(step).unwrap_or(u8::MAX));
            return (ga, class);
        }
    }
    (scope.announcement(gate.element, 0), class)
}

/// By custom, a gate stays for some releases after it is locked, and a deprecated one is locked first. The plan does
/// not keep to it, so only a declared removal that departs from it is stated.
fn custom(scope: &Scope<'_>, out: &mut Obligations, gate: &Gate) {
    let model = scope.model;
    let Some(removed) = model.declared(gate.element, EventKind::Removed) else {
        return;
    };
    let law = scope.law_at(Some(removed));
    let window = law.and_then(|law| law.window(transition(gate), Key::CustomAfterLocking));
    let Some(window) = window else { return };
    let locked = model.declared(gate.element, EventKind::Locked);
    let first = locked.map(|locked| model.calendar.earliest(locked.release, window).release);
    if first.is_some_and(|first| first <= removed.release) {
        return;
    }
    let (id, name) = (model.id(gate.element), model.calendar.name(removed.release));
    let (what, place) = match (first, locked) {
        (Some(first), Some(locked)) => {
            let first = model.calendar.name(first);
            (
                format!("the earliest by custom is {first}"),
                (locked.span, "locked here"),
            )
        }
        _ => (
            "by custom a gate is locked first".to_owned(),
            (model.element(gate.element).span, "never locked"),
        ),
    };
    let because = format!("by custom, a gate stays {window} after it is locked");
    let departure = scope.obligation("custom", removed.event, Demand::Requires(false), because);
    let departure = departure.message(format!("{id} is removed in {name}; {what}"));
    let departure = departure.related(place.0, place.1);
    out.push(match first {
        Some(first) => departure.move_to(first),
        None => departure.help_unless_shipped("lock the gate, and remove it later"),
    });
}

fn functions(scope: &Scope<'_>, out: &mut Obligations, gate: &Gate) {
    let (anchor, class) = window_start(scope, gate);
    let removed = Event::new(gate.element, 0, EventKind::Removed);
    let announced = scope.model.declared_release(anchor);
    let announced = announced.unwrap_or_else(|| scope.model.first_announcement(removed));
    let law = scope.law.at(announced);
    let Some(law) = law else { return };
    let end = End {
        law,
        class,
        removed,
        announced: anchor,
        because: match class {
            Class::BetaToGa => "the gate of a GA feature functions",
            Class::BetaToDropped => "the gate of a dropped beta feature functions",
            _ => "the gate of an alpha feature functions",
        },
        of_kind: None,
    };
    scope.lifetime(out, &end);
}

/// A gate that never reached GA is not removed while it guards an element, and no gate is removed while another one
/// that is not GA depends on it.
fn still_named(scope: &Scope<'_>, out: &mut Obligations, gate: &Gate) {
    let removed = Event::new(gate.element, 0, EventKind::Removed);
    if gate.first(Stage::Ga).is_none() {
        for guarded in &gate.guards {
            // A version is served for as long as one of its kinds.
            for part in scope.model.served_by(*guarded) {
                let Some(demand) = Demand::not_before_any(ends_of_guarded(scope.model, part)) else {
                    continue;
                };
                let because = "a gate is not removed while it guards an element";
                let named = scope.obligation("still-named", removed, demand, because);
                out.push(named.related(scope.model.element(*guarded).span, "guarded by this gate"));
            }
        }
    }
    for dependent in gate.dependents.iter().filter_map(|id| scope.model.gate(*id)) {
        // A gate that is GA no longer depends on others.
        let ga = dependent.first(Stage::Ga).and_then(|(step, _)| u8::try_from(step).ok());
        let removal = Event::new(dependent.element, 0, EventKind::Removed);
        let terms = std::iter::once(removal).chain(ga.map(|step| Event::entry(dependent.element, step)));
        let Some(demand) = Demand::not_before_any(terms.map(Term::at).collect()) else {
            continue;
        };
        let because = "a gate is not removed while another gate depends on it";
        let place = scope.model.element(dependent.element).span;
        let early = scope.obligation("dependency-gone", removed, demand, because);
        out.push(early.related(place, "depends on this gate"));
    }
}

/// The end of a guarded element. One that is still to begin never does where what it is part of ends before.
fn ends_of_guarded(model: &Model, guarded: ElementId) -> Vec<Term> {
    let end = model.last_event(guarded, EventKind::Removed);
    let begin = model.declared_release(end.sibling(EventKind::Introduced));
    let is_open = begin.is_some_and(|begin| begin >= model.calendar.next());
    let ends = std::iter::successors(Some(end), |end| model.owner_removal(*end).filter(|_| is_open));
    ends.map(Term::at).collect()
}

/// An obligation that forbids one entry of a gate.
fn about(
    scope: &Scope<'_>,
    gate: &Gate,
    step: u8,
    code: &'static str,
    because: &'static str,
    what: impl std::fmt::Display,
) -> Obligation {
    scope
        .obligation(code, Event::entry(gate.element, step), Demand::Forbidden, because)
        .message(format!("{} {what}", scope.model.id(gate.element)))
}

fn progress(scope: &Scope<'_>, out: &mut Obligations, gate: &Gate, before: &GateSpec, spec: &GateSpec, step: u8) {
    let calendar = &scope.model.calendar;
    let since = calendar.name(spec.since);
    if spec.since <= before.since {
        let earlier = calendar.name(before.since);
        let what = format!("has an entry for {since} after its entry for {earlier}");
        let because = "a gate has one entry per release, oldest first";
        let order = about(scope, gate, step, "out-of-order", because, what);
        let order = order.related(before.span, "the previous entry");
        let help = "list the entries in the order of their releases, one per release";
        out.push(if spec.since < before.since {
            order.help(help)
        } else {
            order.help_unless_shipped(help)
        });
    }
    if spec.stage < before.stage {
        let what = format!("moves back from {} to {} in {since}", before.stage, spec.stage);
        let because = "a gate only moves forward: alpha, beta, GA, deprecated";
        let regression = about(scope, gate, step, "regression", because, what);
        let regression = regression.related(before.span, "the later stage");
        out.push(regression.help_unless_shipped("deprecate the gate, and introduce a new one with another name"));
    }
    if before.locked && (!spec.locked || spec.default != before.default) {
        let what = format!("is locked, but changes again in {since}");
        let because = "a locked gate stays locked, with the same default";
        let unlocked = about(scope, gate, step, "unlocked", because, what);
        let unlocked = unlocked.related(before.span, "locked here");
        out.push(unlocked.help_unless_shipped("keep `locked = true` and the same default"));
    }
}

fn defaults(scope: &Scope<'_>, out: &mut Obligations, gate: &Gate, spec: &GateSpec, step: u8) {
    let because = "alpha gates are off by default, beta gates on, GA gates on and locked";
    // A switch back from a GA behavior begins unlocked, and is deprecated later.
    let way_back = step == 0 && gate.specs.len() > 1;
    let (code, what, help) = match (spec.stage, spec.default, spec.locked) {
        (Stage::Alpha, true, _) => (
            "alpha-on",
            "is alpha and on by default",
            "set `default = false` until it is beta",
        ),
        (Stage::Beta, false, _) => (
            "beta-off",
            "is beta and off by default",
            "set `default = true`, or add an exception that states why it is off",
        ),
        (Stage::Ga, false, _) if !way_back => ("ga-off", "is GA and off by default", "set `default = true`"),
        (Stage::Ga, true, false) if !way_back => (
            "ga-unlocked",
            "is GA but not locked",
            "set `locked = true` once nobody needs to turn it off",
        ),
        _ => return,
    };
    let name = scope.model.calendar.name(spec.since);
    let what = format!("{what} in {name}");
    out.push(about(scope, gate, step, code, because, what).help_unless_shipped(help));
}

/// A gate is not removed before its last entry: its name is never used again. The removal may be in the release of the
/// entry that deprecates the gate.
fn after_the_last_entry(scope: &Scope<'_>, out: &mut Obligations, gate: &Gate) {
    let Some((step, last)) = (0_u8..).zip(&gate.specs).max_by_key(|(_, spec)| spec.since) else {
        return;
    };
    let stays = Window::new(0, u16::from(last.stage != Stage::Deprecated));
    let removed = Event::new(gate.element, 0, EventKind::Removed);
    let deprecated = scope.model.declared(gate.element, EventKind::Deprecated);
    let deprecated = deprecated.filter(|deprecated| deprecated.span == last.span);
    let began = deprecated.map_or(Event::entry(gate.element, step), |deprecated| deprecated.event);
    let demand = Demand::NotBefore(Term::after(began, stays));
    let because = "a gate is removed no earlier than";
    let id = scope.model.id(gate.element);
    let since = scope.model.calendar.name(last.since);
    let reused = scope.obligation("name-reused", removed, demand, because);
    let reused = reused.message(format!("{id} has an entry for {since}, but is removed by then"));
    let reused = reused.related(last.span, "the last entry");
    out.push(reused.help_unless_shipped("remove the gate after its last entry; a new gate has another name"));
}
