//! Events that move alike, together.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::model::EventKind;
use crate::report::{EventGroup, EventMove, MovingEvent};

/// The moves that share everything but their elements and the releases that their reasons count from. What users meet
/// comes first, then what most elements share. A part that moves with its whole is only counted, and so are its parts.
pub(super) fn alike<'a>(moves: &[EventMove<'a>]) -> Vec<EventGroup<'a>> {
    let wholes = moves
        .iter()
        .filter_map(|part| Some(((part.element, same(part)), part.with?)));
    let wholes: BTreeMap<(&str, Same<'_>), &str> = wholes.collect();
    let mut parts: BTreeMap<(&str, Same<'_>), usize> = BTreeMap::new();
    for part in moves {
        let chain = std::iter::successors(part.with, |whole| wholes.get(&(*whole, same(part))).copied());
        if let Some(outermost) = chain.last() {
            *parts.entry((outermost, same(part))).or_default() += 1;
        }
    }
    let mut positions: BTreeMap<_, usize> = BTreeMap::new();
    let mut groups: Vec<EventGroup<'a>> = Vec::new();
    for (at, moved) in moves.iter().enumerate().filter(|(_, moved)| moved.with.is_none()) {
        let declared = [moved.from, moved.to].map(|moment| moment.and_then(|moment| moment.declared));
        let key = (same(moved), declared, moved.basis.as_str());
        let group = *positions.entry(key).or_insert(groups.len());
        if group == groups.len() {
            groups.push(begun(moved));
        }
        let Some(group) = groups.get_mut(group) else { continue };
        group.parts += parts.get(&(moved.element, same(moved))).copied().unwrap_or_default();
        group.events.push(at);
        if group.reason != moved.reason {
            group.reason.clone_from(&moved.basis);
        }
    }
    groups.sort_by_key(|group| (is_internal(group.event), Reverse(group.events.len())));
    groups
}

/// Whether users do not meet an event.
fn is_internal(event: MovingEvent<'_>) -> bool {
    matches!(
        event,
        MovingEvent::Event(event) if matches!(event.kind, EventKind::Preferred | EventKind::Stored | EventKind::Migrated | EventKind::Dropped)
    )
}

fn begun<'a>(moved: &EventMove<'a>) -> EventGroup<'a> {
    EventGroup {
        change: moved.change,
        event: moved.event,
        from: moved.from,
        to: moved.to,
        reason: moved.reason.clone(),
        parts: 0,
        events: Vec::new(),
    }
}

/// What happens, from which release to which.
pub(super) type Same<'a> = (MovingEvent<'a>, Option<&'a str>, Option<&'a str>);

pub(super) fn same<'a>(moved: &EventMove<'a>) -> Same<'a> {
    let [from, to] = [moved.from, moved.to].map(|moment| moment.map(|moment| moment.release));
    (moved.event, from, to)
}
