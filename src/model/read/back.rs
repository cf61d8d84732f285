//! Parts that come back with what they are part of: a flag with its command, a field with its version.
//!
//! An entry without `lives` tells the releases of one life, and a part is gone while its owner is. Here a part gets a
//! life for each life of its owner in which it is there, so that everything else reads one answer.

use crate::model::{Declared, ElementId, Event, EventKind, Model};
use crate::release::Release;

use super::parts::OwnerLife;

/// Divides the one life of a part among the lives of its owner.
pub(super) fn come_back(model: &mut Model, part: ElementId, owner: ElementId, lives: &[OwnerLife]) {
    if model.element(part).lives != 1 || lives.len() < 2 {
        return;
    }
    let own = model.declared_of(part).to_vec();
    let begin = release_of(&own, EventKind::Introduced).or(lives[0].begin);
    let removed = release_of(&own, EventKind::Removed).unwrap_or(Release::NEVER);
    let first = lives.iter().position(|life| Some(life.end) > begin);
    let last = lives.iter().rposition(|life| life.begin < Some(removed));
    let Some((first, last)) = first.zip(last).filter(|(first, last)| first < last) else {
        return;
    };
    let mut events = Vec::new();
    for at in first..=last {
        let Some(introduced) = introduction(model, (part, owner), at, at == first) else {
            return;
        };
        events.push((at, introduced));
    }
    let others = own.iter().filter(|own| own.event.what != EventKind::Introduced);
    events.extend(others.filter_map(|own| in_its_life(lives, (first, last), own)));
    renumber(&mut events, first);
    let events: Vec<Declared> = events.into_iter().map(|(_, event)| event).collect();
    model.redeclare(part, &events);
    model.elements_mut()[part.0 as usize].lives = u8::try_from(last - first + 1).unwrap_or(u8::MAX);
}

fn release_of(events: &[Declared], what: EventKind) -> Option<Release> {
    let event = events.iter().find(|event| event.event.what == what);
    event.map(|event| event.release)
}

/// How a part begins in a life of its owner: as its entry says the first time, else with the owner.
fn introduction(model: &Model, (part, owner): (ElementId, ElementId), at: usize, is_first: bool) -> Option<Declared> {
    let own = model.declared_of(part).iter();
    let mut own = own.filter(|own| is_first && own.event.what == EventKind::Introduced);
    let with_owner = Event::new(owner, u8::try_from(at).ok()?, EventKind::Introduced);
    let declared = own.next().or_else(|| model.find_declared(with_owner))?;
    Some(Declared {
        event: Event::new(part, 0, EventKind::Introduced),
        ..*declared
    })
}

/// The life of the owner that an event belongs to. What happens between two lives is so from the start of the next one;
/// a deprecation that is withdrawn there is not in force any more.
fn in_its_life(lives: &[OwnerLife], (first, last): (usize, usize), own: &Declared) -> Option<(usize, Declared)> {
    let release = own.release;
    if own.event.what == EventKind::Removed {
        return Some((last, *own));
    }
    let at = lives[..=last].iter().rposition(|life| life.begin <= Some(release));
    let at = at.unwrap_or(first).max(first);
    if release <= lives[at].end || at == last {
        return Some((at, *own));
    }
    let begin = lives[at + 1]
        .begin
        .filter(|_| own.event.what != EventKind::Undeprecated);
    begin.map(|release| (at + 1, Declared { release, ..*own }))
}

/// Counts the lives from the first one, and what happens several times within each.
fn renumber(events: &mut [(usize, Declared)], first: usize) {
    events.sort_by_key(|(at, event)| (*at, event.release));
    for at in 0..events.len() {
        let (life, what) = (events[at].0, events[at].1.event.what);
        let before = events[..at].iter();
        let before = before.filter(|(other, event)| *other == life && event.event.what == what);
        let step = u8::try_from(before.count()).unwrap_or(u8::MAX);
        let event = &mut events[at].1.event;
        (event.life, event.step) = (u8::try_from(life - first).unwrap_or(u8::MAX), step);
    }
}
