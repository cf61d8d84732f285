//! The lives of parts, divided among those of what they are part of.
//!
//! A part is gone while its owner is, and back with it: a flag with its command, a field with its version. So a life
//! that an entry declares may be several, and each is in one life of the owner, so that everything else reads one
//! answer.

use std::ops::RangeInclusive;

use crate::model::{Declared, ElementId, Event, EventKind, Model};
use crate::release::Release;

/// A life of what a part is part of.
pub(super) struct OwnerLife {
    pub(super) introduced: Option<Declared>,
    pub(super) end: Release,
}

impl OwnerLife {
    pub(super) fn begin(&self) -> Option<Release> {
        self.introduced.map(|introduced| introduced.release)
    }
}

/// Divides the lives of a part, and notes in which life of its owner each is. One that shares the lives of its owner
/// has none of its own.
pub(super) fn divide(model: &mut Model, part: ElementId, owner: &[OwnerLife]) {
    let lives = model.element(part).lives;
    if lives == 0 || owner.len() < 2 {
        return;
    }
    let own = model.declared_of(part).to_vec();
    let (mut events, mut within) = (Vec::new(), Vec::new());
    for life in 0..lives {
        let of_life: Vec<Declared> = own.iter().filter(|own| own.event.life == life).copied().collect();
        let next = own.iter().filter(|own| own.event.life > life);
        let next = next.map(|own| own.release).min();
        let there = owner_lives(owner, &of_life, next.unwrap_or(Release::NEVER));
        let mut divided = divided(owner, there.clone(), part, &of_life);
        let first = u8::try_from(within.len()).unwrap_or(u8::MAX);
        for event in &mut divided {
            event.event.life = event.event.life.saturating_add(first);
        }
        events.append(&mut divided);
        within.extend(there.filter_map(|at| u8::try_from(at).ok()));
    }
    model.redeclare(part, &events);
    let element = &mut model.elements_mut()[part.0 as usize];
    element.lives = u8::try_from(within.len()).unwrap_or(u8::MAX);
    element.owner_lives = Some(within.into());
}

/// The lives of the owner in which one is that a part declares, at least one. Without a removal it ends before the
/// `next` one.
fn owner_lives(owner: &[OwnerLife], own: &[Declared], next: Release) -> RangeInclusive<usize> {
    let [begin, removed] = [EventKind::Introduced, EventKind::Removed].map(|what| {
        let mut events = own.iter().filter(|own| own.event.what == what);
        events.next().map(|own| own.release)
    });
    let begin = begin.or(owner[0].begin());
    let removed = removed.unwrap_or(next);
    let last = owner.iter().rposition(|life| life.begin() < Some(removed));
    let last = last.unwrap_or(0);
    let first = owner.iter().position(|life| Some(life.end) > begin);
    first.unwrap_or(last).min(last)..=last
}

/// The events of one life of a part in some lives of its owner, which are counted from 0.
fn divided(owner: &[OwnerLife], there: RangeInclusive<usize>, part: ElementId, own: &[Declared]) -> Vec<Declared> {
    let first = *there.start();
    // The first time, it begins as its entry says.
    let back = there.clone().skip(1).filter_map(|at| {
        let event = Event::new(part, 0, EventKind::Introduced);
        owner[at].introduced.map(|with| (at, Declared { event, ..with }))
    });
    let own = own.iter().filter_map(|own| in_its_life(owner, &there, own));
    let mut events: Vec<(usize, Declared)> = own.chain(back).collect();
    if there.clone().count() > 1
        && events
            .iter()
            .all(|(at, own)| *at > first || own.event.what != EventKind::Introduced)
    {
        // Its entry leaves that to the owner.
        let event = Event::new(part, 0, EventKind::Introduced);
        events.extend(owner[first].introduced.map(|with| (first, Declared { event, ..with })));
    }
    events.sort_by_key(|(at, event)| (*at, event.release));
    renumber(&mut events, first);
    events.into_iter().map(|(_, event)| event).collect()
}

/// The life of the owner that an event belongs to. What happens between two lives is so from the start of the next one;
/// a deprecation that is withdrawn there is not in force any more.
fn in_its_life(owner: &[OwnerLife], there: &RangeInclusive<usize>, own: &Declared) -> Option<(usize, Declared)> {
    let (first, last) = (*there.start(), *there.end());
    if own.event.what == EventKind::Removed {
        return Some((last, *own));
    }
    let at = owner[..=last]
        .iter()
        .rposition(|life| life.begin() <= Some(own.release));
    let at = at.unwrap_or(first).max(first);
    let at = if own.release < owner[at].end {
        at
    } else {
        last.min(at + 1)
    };
    let begin = owner[at].begin().filter(|begin| own.release < *begin);
    let is_withdrawn = at > first && own.event.what == EventKind::Undeprecated;
    match begin {
        Some(_) if is_withdrawn => None,
        Some(release) => Some((at, Declared { release, ..*own })),
        None => Some((at, *own)),
    }
}

/// Counts the lives from the first one, and what happens several times within each.
fn renumber(events: &mut [(usize, Declared)], first: usize) {
    for at in 0..events.len() {
        let (life, what) = (events[at].0, events[at].1.event.what);
        let before = events[..at].iter().rev().take_while(|(other, _)| *other == life);
        let before = before.filter(|(_, event)| event.event.what == what);
        let step = u8::try_from(before.count()).unwrap_or(u8::MAX);
        let event = &mut events[at].1.event;
        (event.life, event.step) = (u8::try_from(life - first).unwrap_or(u8::MAX), step);
    }
}
