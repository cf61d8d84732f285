//! The lives of parts, divided among those of what they are part of.
//!
//! A part ends with its owner, and is back with it: a flag with its command, a field with its version. So the last life
//! that an entry declares may be several. Each is in one life of the owner, so that everything else reads one answer.

use std::ops::RangeInclusive;

use crate::diagnostic::Diagnostic;
use crate::document::{Diagnostics, RULE};
use crate::model::{Declared, ElementId, Event, EventKind, Model, PartLife};
use crate::release::Release;

/// The most lives of a part, with those that it has because its owner is back.
const MOST_LIVES: usize = 200;

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

/// A life of the owner, or several that follow each other at once, which users see as one.
struct Stretch {
    begin: Option<Declared>,
    end: Release,
    /// The position of the last of these lives.
    last: u8,
}

impl Stretch {
    fn since(&self) -> Option<Release> {
        self.begin.map(|begin| begin.release)
    }
}

/// Divides the lives of a part, and notes in which life of its owner each is. One that declares nothing shares the
/// lives of its owner, unless some of these follow each other at once: then it has those that users see, as one that
/// declares its end has.
pub(super) fn divide(model: &mut Model, part: ElementId, owner: &[OwnerLife], diagnostics: &mut Diagnostics) {
    let declared = model.element(part).lives;
    if owner.len() < 2 || declared == 0 && !follow_each_other(owner) {
        return;
    }
    let lives = declared.max(1);
    let stretches = stretches(owner);
    let own = model.declared_of(part).to_vec();
    let (mut events, mut part_lives) = (Vec::new(), Vec::new());
    let mut next = 0;
    for life in 0..lives {
        let of_life: Vec<Declared> = own.iter().filter(|own| own.event.life == life).copied().collect();
        let there = stretches_with(&stretches, &of_life, (next, life + 1 == lives));
        next = (there.end() + 1).min(stretches.len() - 1);
        let first = part_lives.len();
        part_lives.extend(there.clone().map(|at| PartLife {
            owner: stretches[at].last,
            is_back: at > *there.start(),
        }));
        if part_lives.len() > MOST_LIVES {
            diagnostics.push(too_many(model, part));
            return;
        }
        events.extend(
            events_in(&stretches, &there, part, (&of_life, lives == 1))
                .into_iter()
                .map(|(at, event)| {
                    let life = u8::try_from(first + at - there.start()).unwrap_or(u8::MAX);
                    Declared {
                        event: Event { life, ..event.event },
                        ..event
                    }
                }),
        );
    }
    model.redeclare(part, &events);
    let element = &mut model.elements_mut()[part.0 as usize];
    element.lives = u8::try_from(part_lives.len()).unwrap_or(u8::MAX);
    element.part_lives = Some(part_lives.into());
}

fn too_many(model: &Model, part: ElementId) -> Diagnostic {
    let id = model.id(part);
    let message = format!("{id} has more than {MOST_LIVES} lives, with those of what it is part of");
    let error = Diagnostic::error(RULE, "too-many", message).about(id.to_owned());
    let error = error.at(model.element(part).span, "declared here");
    error.help("leave out lives that ended long ago")
}

/// Whether a life begins in the release in which the one before it ends.
pub(super) fn follow_each_other(owner: &[OwnerLife]) -> bool {
    owner.windows(2).any(|pair| Some(pair[0].end) == pair[1].begin())
}

fn stretches(owner: &[OwnerLife]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for (at, life) in owner.iter().enumerate() {
        let at = u8::try_from(at).unwrap_or(u8::MAX);
        match stretches.last_mut() {
            Some(last) if Some(last.end) == life.begin() => (last.end, last.last) = (life.end, at),
            _ => stretches.push(Stretch {
                begin: life.introduced,
                end: life.end,
                last: at,
            }),
        }
    }
    stretches
}

/// The stretches of the owner in which a declared life of a part is, at least one. One that does not say when it begins
/// is in the `next` one; if it is not the last and has no removal, it ends with the owner.
fn stretches_with(stretches: &[Stretch], own: &[Declared], (next, is_last): (usize, bool)) -> RangeInclusive<usize> {
    let begin = release_of(own, EventKind::Introduced).or(stretches[next].since());
    let removed = release_of(own, EventKind::Removed);
    let first = stretches.iter().position(|life| Some(life.end) > begin);
    let until = removed.unwrap_or(Release::NEVER);
    let last = stretches.iter().rposition(|life| life.since() < Some(until));
    let last = last.unwrap_or(0);
    let first = first.unwrap_or(last).min(last);
    if removed.is_none() && !is_last {
        first..=first
    } else {
        first..=last
    }
}

fn release_of(events: &[Declared], what: EventKind) -> Option<Release> {
    let event = events.iter().find(|event| event.event.what == what);
    event.map(|event| event.release)
}

/// The events of a declared life of a part in each stretch of its owner, in their order.
fn events_in(
    stretches: &[Stretch],
    there: &RangeInclusive<usize>,
    part: ElementId,
    (own, is_only): (&[Declared], bool),
) -> Vec<(usize, Declared)> {
    // The first time, it begins as its entry says, if that says so. A single life takes it from its owner anyway.
    let is_single = is_only && there.start() == there.end();
    let declares = release_of(own, EventKind::Introduced).is_some() || is_single;
    let back = there.clone().skip(usize::from(declares)).filter_map(|at| {
        let event = Event::new(part, 0, EventKind::Introduced);
        stretches[at].begin.map(|with| (at, Declared { event, ..with }))
    });
    // What is deprecated again when that is withdrawn is so after it.
    let mut own = own.to_vec();
    own.sort_by_key(|own| (own.release, own.event.what == EventKind::Deprecated));
    let own = own.iter().map(|own| in_its_stretch(stretches, there, own));
    let mut events: Vec<(usize, Declared)> = back.chain(own).collect();
    events.sort_by_key(|(at, event)| (*at, event.release));
    let mut events = paired(stretches, *there.start(), events);
    count(&mut events);
    events
}

/// A deprecation that is withdrawn only in a later stretch is in force there from the start on; one that is withdrawn
/// before the owner is back is not in force any more.
fn paired(stretches: &[Stretch], first: usize, events: Vec<(usize, Declared)>) -> Vec<(usize, Declared)> {
    let mut paired: Vec<(usize, Declared)> = Vec::with_capacity(events.len());
    let mut deprecated: Option<(usize, Declared)> = None;
    for (at, event) in events {
        let begin = stretches[at].since().unwrap_or(event.release);
        match event.event.what {
            EventKind::Deprecated => deprecated = Some((at, event)),
            EventKind::Undeprecated if at > first && event.release <= begin => {
                let own = deprecated.take().filter(|own| own.0 == at);
                paired.retain(|other| Some(*other) != own);
                continue;
            }
            EventKind::Undeprecated => {
                let earlier = deprecated.take().filter(|own| own.0 < at);
                let again = earlier.map(|(_, earlier)| Declared {
                    release: begin,
                    ..earlier
                });
                paired.extend(again.map(|again| (at, again)));
            }
            _ => {}
        }
        paired.push((at, event));
    }
    paired
}

/// The stretch that an event belongs to. What happens between two of them is so from the start of the next one.
fn in_its_stretch(stretches: &[Stretch], there: &RangeInclusive<usize>, own: &Declared) -> (usize, Declared) {
    let (first, last) = (*there.start(), *there.end());
    if own.event.what == EventKind::Removed {
        return (last, *own);
    }
    let at = stretches[..=last]
        .iter()
        .rposition(|life| life.since() <= Some(own.release));
    let at = at.unwrap_or(first).max(first);
    let at = if own.release < stretches[at].end {
        at
    } else {
        last.min(at + 1)
    };
    // What is before the first one is an error, as where the owner has one life.
    let begin = stretches[at].since().filter(|_| at > 0);
    let release = own.release.max(begin.unwrap_or(own.release));
    (at, Declared { release, ..*own })
}

/// Counts what happens several times within each stretch.
fn count(events: &mut [(usize, Declared)]) {
    for at in 0..events.len() {
        let (stretch, what) = (events[at].0, events[at].1.event.what);
        let before = events[..at].iter().rev().take_while(|(other, _)| *other == stretch);
        let before = before.filter(|(_, event)| event.event.what == what);
        events[at].1.event.step = u8::try_from(before.count()).unwrap_or(u8::MAX);
    }
}
