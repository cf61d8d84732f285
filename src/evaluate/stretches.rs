//! Where the law judges the deprecations on a way differently in different releases.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::derivation::{Step, Way, changes};
use crate::model::{ElementId, Event, EventKind, Model};
use crate::release::Release;

use super::Evaluation;

/// Events with the releases from which each is to be one.
pub(super) type Chosen = HashMap<Event, Range<Release>>;

/// Of each deprecation, the releases in which it is judged as in its earliest one, and others in which it is judged
/// otherwise: later ones, up to a last release, and, of what is declared, the earlier ones that it may move to.
pub(super) fn stretches(before: &Evaluation, way: &Way, last: Release) -> (Chosen, Vec<(Event, Range<Release>)>) {
    let late = way.clashes.iter().flat_map(|clash| &clash.events);
    let late: BTreeSet<ElementId> = late.map(|event| event.element).collect();
    let (mut own, mut others) = (Chosen::new(), Vec::new());
    for step in &way.steps {
        let is_open = step.declared.is_none() || step.is_movable();
        let is_late = late.is_empty() || late.contains(&step.event.element);
        if step.event.what != EventKind::Deprecated || !is_open || !is_late {
            continue;
        }
        let mut starts = changes(&before.law, &before.model, step.event.element);
        starts.insert(0, Release(0));
        let ends = starts.iter().skip(1).copied().chain([Release::NEVER]);
        for stretch in starts.iter().zip(ends).map(|(start, end)| *start..end) {
            if stretch.contains(&step.earliest) {
                own.insert(step.event, stretch);
            } else if may_begin_in(&before.model, step, &stretch) && stretch.start <= last {
                others.push((step.event, stretch));
            }
        }
    }
    (own, others)
}

fn may_begin_in(model: &Model, step: &Step, stretch: &Range<Release>) -> bool {
    let removed = step.event.sibling(EventKind::Removed);
    let is_later = stretch.start > step.earliest;
    is_later || (step.declared.is_some() && stretch.end > model.first_announcement(removed))
}

/// Whether the earliest release of an event is in a stretch of releases.
pub(super) fn begins_in(way: &Way, event: Event, stretch: &Range<Release>) -> bool {
    way.earliest(event).is_some_and(|earliest| stretch.contains(&earliest))
}
