//! Replacements that name each other: v1beta1 → v1beta2 → v1.

use crate::model::succession::{in_kind, named, replacement_named};
use crate::model::{ElementId, Model};

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
