//! Replacements that name each other: v1beta1 → v1beta2 → v1.

use std::collections::{HashMap, HashSet};

use crate::model::succession::{in_kind, named, replacement_named};
use crate::model::{ElementId, EventKind, Model};
use crate::obligation::{Announcement, Obligations, Scope};
use crate::rules::chain_words;

/// The most links of a chain that are followed.
const LONGEST_CHAIN: usize = 100;

/// The chain of replacements, until one names none, or the chain is a cycle.
pub(super) fn chain(model: &Model, element: ElementId, target: ElementId) -> Vec<ElementId> {
    let mut links = vec![target];
    while let Some(next) = links.last().and_then(|last| replacement_named(model, *last)) {
        if next == element || links.contains(&next) || links.len() >= LONGEST_CHAIN {
            break;
        }
        links.push(next);
    }
    links
}

/// The replacement that an entry names, even if it is the element itself.
pub(super) fn next_link(model: &Model, element: ElementId) -> Option<ElementId> {
    named(model, element).and_then(|reference| in_kind(model, element, reference.target?))
}

/// Cycles of the replacements of all elements. Each is reported once, for its first link.
pub(super) fn cycles(scope: &Scope<'_>, out: &mut Obligations) {
    let model = scope.model;
    // Each element names at most one replacement, so each walk either ends or closes exactly one cycle.
    let mut walk_of: HashMap<ElementId, ElementId> = HashMap::new();
    // The kinds of a version share its replacement, and a field has one in several versions.
    let mut reported = HashSet::new();
    for start in model.judged() {
        if next_link(model, start).is_none() || walk_of.contains_key(&start) {
            continue;
        }
        let mut walk = vec![start];
        walk_of.insert(start, start);
        while let Some(next) = walk.last().and_then(|last| next_link(model, *last)) {
            if let Some(owner) = walk_of.get(&next) {
                let from = walk.iter().position(|link| *link == next).filter(|_| *owner == start);
                if let Some(from) = from.filter(|from| reported.insert(named(model, walk[*from]).map(|link| link.span)))
                {
                    cycle(scope, out, &walk[from..]);
                }
                break;
            }
            walk_of.insert(next, start);
            walk.push(next);
        }
    }
}

fn cycle(scope: &Scope<'_>, out: &mut Obligations, links: &[ElementId]) {
    let model = scope.model;
    let begin = (0..links.len()).min_by_key(|at| links[*at]).unwrap_or(0);
    let in_order = links.iter().cycle().skip(begin).take(links.len() + 1);
    let links: Vec<ElementId> = in_order.copied().collect();
    // The first link that is not gone.
    let mut announced = links.iter().filter_map(|link| {
        let deprecated = model.last_event(*link, EventKind::Deprecated);
        let announcement = Announcement::of(model, deprecated)?;
        Some((announcement, named(model, announcement.event.element)?))
    });
    let Some((announcement, reference)) = announced.next() else {
        return;
    };
    let message = format!("replacements form a cycle: {}", chain_words(model, &links));
    let because = "replacements have no cycles";
    let cycle = scope.of_replacement("cycle", announcement, false, because);
    let help = "remove one replacement, so that the chain ends at what users should move to";
    out.push(cycle.message(message).place(reference.span).help(help));
}
