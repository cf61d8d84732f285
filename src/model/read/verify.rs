//! Impossible declarations, whatever the policy: a removal before the introduction.

use std::collections::HashSet;

use crate::diagnostic::Diagnostic;
use crate::document::{Diagnostics, RULE};

use super::super::{Declared, Element, ElementId, Event, EventKind, Family, Model};
use super::parts::end_of;

const ORDERS: &[(EventKind, EventKind, bool)] = &[
    (EventKind::Tolerated, EventKind::Introduced, true),
    (EventKind::Introduced, EventKind::Deprecated, true),
    (EventKind::Introduced, EventKind::Removed, false),
    (EventKind::Introduced, EventKind::Hidden, true),
    (EventKind::Introduced, EventKind::Migrated, true),
    (EventKind::Introduced, EventKind::Dropped, true),
    (EventKind::Deprecated, EventKind::Hidden, true),
    (EventKind::Deprecated, EventKind::Removed, true),
    (EventKind::Hidden, EventKind::Removed, true),
    (EventKind::Removed, EventKind::Dropped, true),
    (EventKind::Deprecated, EventKind::Undeprecated, true),
    (EventKind::Undeprecated, EventKind::Removed, true),
];

/// Reports lives whose events are in an impossible order, that overlap, or that never begin.
pub(super) fn orders(model: &Model, begun: &HashSet<ElementId>, diagnostics: &mut Diagnostics) {
    for (id, element) in model.elements() {
        if is_alone(model, id, element) {
            continue;
        }
        for life in 0..model.lives(id) {
            order_within(model, id, life, diagnostics);
        }
        order_between(model, id, diagnostics);
    }
    beginnings(model, begun, diagnostics);
}

/// Whether an element has no two events that could contradict each other. Kinds take events from their version; a part
/// takes at most its introduction.
fn is_alone(model: &Model, id: ElementId, element: &Element) -> bool {
    match model.declared_of(id) {
        [] => true,
        [only] => {
            let takes_none = element.parent.is_none();
            let is_introduced = !element.kind.is_kind() && only.event.what == EventKind::Introduced;
            takes_none || (is_introduced && model.lives(id) == 1)
        }
        _ => false,
    }
}

/// Which of two events of a life comes first, and whether both may fall in one release. The order of steps is that of
/// the policy.
pub(crate) fn comes_before() -> impl Iterator<Item = (EventKind, EventKind, bool)> {
    let steps = EventKind::STEPS.into_iter();
    let around = steps.flat_map(|step| [(EventKind::Deprecated, step, true), (step, EventKind::Removed, true)]);
    ORDERS.iter().copied().chain(around)
}

fn order_within(model: &Model, id: ElementId, life: u8, diagnostics: &mut Diagnostics) {
    // Most models have no steps.
    let orders = comes_before().take(if model.named_steps.is_empty() {
        ORDERS.len()
    } else {
        usize::MAX
    });
    for (first, then, same) in orders {
        let Some(earlier) = model.find_declared(Event::new(id, life, first)) else {
            continue;
        };
        let Some(later) = model.find_declared(Event::new(id, life, then)) else {
            continue;
        };
        let fine = earlier.release < later.release || (same && earlier.release == later.release);
        if !fine {
            diagnostics.push(impossible(model, id, earlier, later));
        }
    }
}

fn impossible(model: &Model, id: ElementId, earlier: &Declared, later: &Declared) -> Diagnostic {
    let [before, after] = [earlier, later].map(|declared| model.calendar.name(declared.release));
    let id = model.id(id);
    let [first, then] = [earlier, later].map(|declared| match declared.event.what {
        EventKind::Step(at) => model.named_steps.get(usize::from(at)).map_or("step", |step| &step.name),
        what => what.as_str(),
    });
    let message = format!("{id} is {then} in {after}, but {first} only in {before}");
    Diagnostic::error(RULE, "order", message)
        .about(id.to_owned())
        .at(later.span, format!("{then} here"))
        .seen_at(earlier.span, format!("{first} here"))
        .help(format!("declare `{then}` for a later release than `{first}`"))
}

fn order_between(model: &Model, id: ElementId, diagnostics: &mut Diagnostics) {
    for life in 1..model.lives(id) {
        let Some(next) = model.find_declared(Event::new(id, life, EventKind::Introduced)) else {
            let span = model.element(id).span;
            diagnostics.missing_key(span, "introduced", "each of `lives` needs the release it begins in");
            continue;
        };
        // A part also ends with what it is part of.
        let end = end_of(model, Event::new(id, life - 1, EventKind::Removed));
        match end {
            Some(end) if end.release <= next.release => {}
            Some(end) => diagnostics.push(impossible(model, id, end, next)),
            None => {
                let help = "give the life before it a `removed`";
                let message = format!("{} comes back without having been removed", model.id(id));
                diagnostics.at("order", next.span, message, help);
            }
        }
    }
}

/// A version needs the release it was introduced in, unless each of its kinds has its own.
fn beginnings(model: &Model, begun: &HashSet<ElementId>, diagnostics: &mut Diagnostics) {
    for group in model.groups.iter() {
        for version in &group.versions {
            let kinds = &version.kinds;
            if begun.contains(&version.element) || (!kinds.is_empty() && kinds.iter().all(|kind| begun.contains(kind)))
            {
                continue;
            }
            let help = match group.family {
                Family::Api => "add the first release that serves it: `introduced = \"…\"`",
                Family::Config => "add the first release that reads it: `introduced = \"…\"`",
            };
            diagnostics.missing_key(model.element(version.element).span, "introduced", help);
        }
    }
}
