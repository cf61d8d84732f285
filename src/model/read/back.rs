//! Parts that come back with what they are part of: a flag with its command, a field with its version.
//!
//! An entry without `lives` tells the releases of one life, and a part is gone while its owner is. Here a part gets a
//! life for each life of its owner in which it is there, so that everything else reads one answer.

use crate::model::{Declared, ElementId, Event, EventKind, Model};
use crate::release::Release;

use super::parts::OwnerLife;

/// Divides the one life of a part among the lives of its owner.
pub(super) fn come_back(model: &mut Model, part: ElementId, lives: &[OwnerLife]) {
    if model.element(part).lives != 1 || lives.len() < 2 {
        return;
    }
    let own = model.declared_of(part).to_vec();
    let begin = release_of(&own, EventKind::Introduced).or(lives[0].begin());
    let removed = release_of(&own, EventKind::Removed).unwrap_or(Release::NEVER);
    let first = lives.iter().position(|life| Some(life.end) > begin);
    let last = lives.iter().rposition(|life| life.begin() < Some(removed));
    let Some((first, last)) = first.zip(last).filter(|(first, last)| first < last) else {
        return;
    };
    // The first time, it begins as its entry says, if that says so.
    let others = (first..=last).skip(usize::from(release_of(&own, EventKind::Introduced).is_some()));
    let begins = others.filter_map(|at| {
        let event = Event::new(part, 0, EventKind::Introduced);
        lives[at].introduced.map(|with| (at, Declared { event, ..with }))
    });
    let own = own.iter().filter_map(|own| in_its_life(lives, (first, last), own));
    let mut events: Vec<(usize, Declared)> = begins.chain(own).collect();
    renumber(&mut events, first);
    let events: Vec<Declared> = events.into_iter().map(|(_, event)| event).collect();
    model.redeclare(part, &events);
    let element = &mut model.elements_mut()[part.0 as usize];
    element.lives = u8::try_from(last - first + 1).unwrap_or(u8::MAX);
    element.back_since = u8::try_from(first).ok();
}

fn release_of(events: &[Declared], what: EventKind) -> Option<Release> {
    let event = events.iter().find(|event| event.event.what == what);
    event.map(|event| event.release)
}

/// The life of the owner that an event belongs to. What happens between two lives is so from the start of the next one;
/// a deprecation that is withdrawn there is not in force any more.
fn in_its_life(lives: &[OwnerLife], (first, last): (usize, usize), own: &Declared) -> Option<(usize, Declared)> {
    let release = own.release;
    if own.event.what == EventKind::Removed {
        return Some((last, *own));
    }
    let at = lives[..=last].iter().rposition(|life| life.begin() <= Some(release));
    let at = at.unwrap_or(first).max(first);
    if release <= lives[at].end || at == last {
        return Some((at, *own));
    }
    let begin = lives[at + 1]
        .begin()
        .filter(|_| own.event.what != EventKind::Undeprecated);
    begin.map(|release| (at + 1, Declared { release, ..*own }))
}

/// Counts the lives from the first one, and what happens several times within each.
fn renumber(events: &mut [(usize, Declared)], first: usize) {
    events.sort_by_key(|(at, event)| (*at, event.release));
    for at in 0..events.len() {
        let (life, what) = (events[at].0, events[at].1.event.what);
        let before = events[..at].iter().rev().take_while(|(other, _)| *other == life);
        let before = before.filter(|(_, event)| event.event.what == what);
        let step = u8::try_from(before.count()).unwrap_or(u8::MAX);
        let event = &mut events[at].1.event;
        (event.life, event.step) = (u8::try_from(life - first).unwrap_or(u8::MAX), step);
    }
}
