//! Parts that begin before what they are part of: a field that is older than the version, a flag than its command.
//!
//! A part begins at the later of its own introduction and its owner's. Here its declared introduction is moved there,
//! or left out where the part begins with its owner, so that everything else reads one answer. Its lives are divided
//! among those of its owner.

use std::collections::HashSet;

use crate::diagnostic::Diagnostic;
use crate::document::{Diagnostics, RULE};
use crate::release::Release;
use crate::source::Span;

use super::super::{Declared, ElementId, Event, EventKind, Model};
use super::divided::{OwnerLife, divide, follow_each_other};

/// What announces the end of a part, or takes that back.
const ENDS: [EventKind; 3] = [EventKind::Deprecated, EventKind::Undeprecated, EventKind::Hidden];

/// Declares that kinds are deprecated from their start that enter a version after its deprecation.
pub(super) fn deprecate_at_start(model: &mut Model) {
    for at in 0..model.elements.len() {
        let kind = ElementId(u32::try_from(at).unwrap_or(u32::MAX));
        if !model.element(kind).kind.is_kind() || model.declared_of(kind).is_empty() {
            continue;
        }
        let own = model.declared_of(kind).to_vec();
        let stated: Vec<u8> = [EventKind::Deprecated, EventKind::Undeprecated]
            .into_iter()
            .flat_map(|what| of_kind(&own, what).map(|declared| declared.event.life))
            .collect();
        let never = model.attributes(kind).is_some_and(|own| own.never_deprecated.is_some());
        let introductions = of_kind(&own, EventKind::Introduced).filter(|_| !never);
        let silent = introductions.filter(|introduced| !stated.contains(&introduced.event.life));
        let inherited: Vec<Declared> = silent
            .flat_map(|introduced| model.deprecations_from(introduced))
            .collect();
        if !inherited.is_empty() {
            model.redeclare(kind, &[own, inherited].concat());
        }
    }
}

/// Moves the introductions of parts into the lives of their owners, and reports those after the last one that an entry
/// does not declare for other versions too.
pub(super) fn settle(model: &mut Model, diagnostics: &mut Diagnostics) {
    let shared = shared_entries(model);
    // What is within a field begins with it, and that is moved first.
    let (mut within, others): (Vec<ElementId>, Vec<ElementId>) = (0..model.elements.len())
        .map(|at| ElementId(u32::try_from(at).unwrap_or(u32::MAX)))
        .partition(|id| model.element(*id).field.is_some());
    within.sort_by_cached_key(|id| std::iter::successors(Some(*id), |id| model.element(*id).field).count());
    // Parts of one owner follow each other, and none of them is their owner.
    let (mut known, mut lives) = (None, Vec::new());
    for part in others.into_iter().chain(within) {
        let Some(owner) = model.owner(part) else {
            continue;
        };
        if known != Some(owner) {
            (known, lives) = (Some(owner), lives_of(model, owner));
        }
        let is_silent = model.declared_of(part).is_empty() && model.element(part).lives < 2;
        if is_silent && !follow_each_other(&lives) || begins_within(model, part, &lives) {
            continue;
        }
        drop_lives(model, part, &lives, &shared);
        drop_late(model, part, &lives, &shared);
        clip(model, part, &lives, &shared);
        settle_part(model, part, (owner, &lives, &shared), diagnostics);
        divide(model, part, &lives, diagnostics);
    }
}

fn lives_of(model: &Model, owner: ElementId) -> Vec<OwnerLife> {
    let lives = (0..model.lives(owner)).map(|life| {
        let begin = Event::new(owner, life, EventKind::Introduced);
        let end = end_of(model, begin.sibling(EventKind::Removed));
        OwnerLife {
            introduced: model.find_declared(begin).copied(),
            end: end.map_or(Release::NEVER, |end| end.release),
        }
    });
    lives.collect()
}

/// The declared removal that ends a life: its own, or that of what it is part of, if that is earlier or the only one.
pub(super) fn end_of(model: &Model, removed: Event) -> Option<&Declared> {
    let own = model.find_declared(removed);
    let with = model.owner_removal(removed).and_then(|owner| end_of(model, owner));
    with.filter(|with| own.is_none_or(|own| with.release < own.release))
        .or(own)
}

/// Whether all that a part declares is a beginning within the only life of its owner: as most parts do.
fn begins_within(model: &Model, part: ElementId, owner: &[OwnerLife]) -> bool {
    let ([only], [life]) = (model.declared_of(part), owner) else {
        return false;
    };
    only.event == Event::new(part, 0, EventKind::Introduced)
        && life.begin().is_none_or(|begin| begin < only.release)
        && only.release < life.end
}

/// The places of ends, and of later lives, that one entry declares for several versions.
fn shared_entries(model: &Model) -> HashSet<Span> {
    let (mut once, mut shared) = (HashSet::new(), HashSet::new());
    let kinds = model.groups.iter().flat_map(|group| &group.kinds);
    for kind in kinds {
        let has_several = kind.versions.iter().flatten().nth(1).is_some();
        for member in &kind.members {
            // An entry that lists no versions is for all of them, also where only one is served in its lives.
            let is_for_all = has_several && !member.listing.lists_versions();
            let parts = member.versions.iter().flatten();
            let ends = parts
                .flat_map(|part| model.declared_of(*part))
                .filter(|declared| ENDS.contains(&declared.event.what) || declared.event.life > 0);
            for declared in ends {
                // One version may be listed alone, to declare something of one life.
                let is_life_for_all = has_several && declared.event.life > 0 && member.is_for_all(declared);
                if is_for_all || is_life_for_all || !once.insert(declared.span) {
                    shared.insert(declared.span);
                }
            }
        }
    }
    shared
}

/// Drops what an entry declares for several versions and is outside of all lives of one of them, and the lives of what
/// is within a field that are over before the field begins: its entry may be the older one.
fn drop_lives(model: &mut Model, part: ElementId, owner: &[OwnerLife], shared: &HashSet<Span>) {
    let own = model.declared_of(part).to_vec();
    let is_shared = own
        .iter()
        .any(|event| event.event.life > 0 && shared.contains(&event.span));
    let is_within_field = model.element(part).field.is_some();
    let first = owner.first().and_then(OwnerLife::begin).filter(|_| is_within_field);
    let kept: Vec<u8> = (0..model.element(part).lives)
        .filter(|life| {
            let [begin, end] = [EventKind::Introduced, EventKind::Removed].map(|what| {
                let mut own = own.iter().filter(|event| event.event.life == *life);
                own.find(|event| event.event.what == what).map(|event| event.release)
            });
            let is_before = end.is_some() && end <= first;
            let is_within = owner.iter().any(|owner| {
                begin.is_none_or(|begin| begin < owner.end) && end.is_none_or(|end| owner.begin() < Some(end))
            });
            is_within || !is_before && !is_shared
        })
        .collect();
    let lives = model.element(part).lives;
    if kept.len() == usize::from(lives) {
        return;
    }
    // It never begins in this version, as where the end of that is only planned.
    let last = lives.checked_sub(1).filter(|_| kept.is_empty());
    let kept: Vec<u8> = kept.into_iter().chain(last).collect();
    let events = own.iter().filter_map(|event| {
        let life = kept.iter().position(|life| *life == event.event.life)?;
        let mut event = *event;
        event.event.life = u8::try_from(life).ok()?;
        Some(event)
    });
    let events: Vec<Declared> = events.collect();
    model.redeclare(part, &events);
    let element = &mut model.elements_mut()[part.0 as usize];
    element.lives = u8::try_from(kept.len()).unwrap_or(u8::MAX);
    element.foreign_lives = kept.last().map_or(0, |last| last + 1 - element.lives);
}

/// Drops what an entry declares for several versions and that is not before the end of the last life of one of them.
fn drop_late(model: &mut Model, part: ElementId, owner: &[OwnerLife], shared: &HashSet<Span>) {
    let Some(last) = owner.last() else { return };
    let mut events = model.declared_of(part).to_vec();
    events.retain(|event| {
        let is_last = event.event.what == EventKind::Removed && event.release == last.end;
        let is_begin = event.event.what == EventKind::Introduced && event.event.life == 0;
        !shared.contains(&event.span) || event.release < last.end || is_last || is_begin
    });
    if events.len() < model.declared_of(part).len() {
        model.redeclare(part, &events);
    }
}

/// Fits what an entry declares for several versions into the lives of one of them: a part that is deprecated before the
/// version begins is deprecated from its start there.
fn clip(model: &mut Model, part: ElementId, owner: &[OwnerLife], shared: &HashSet<Span>) {
    let mut events = model.declared_of(part).to_vec();
    let own = of_kind(&events, EventKind::Introduced)
        .next()
        .map(|introduced| introduced.release);
    let Some(life) = owner.iter().find(|life| Some(life.end) > own) else {
        return;
    };
    let start = life.begin().max(own).unwrap_or(Release(0));
    let is_repeated = events
        .iter()
        .any(|event| event.event.step > 0 || event.event.what == EventKind::Undeprecated);
    for event in events
        .iter_mut()
        .filter(|event| shared.contains(&event.span) && !is_repeated)
    {
        if matches!(event.event.what, EventKind::Deprecated | EventKind::Hidden) {
            event.release = event.release.max(start);
        }
    }
    if events != model.declared_of(part) {
        model.redeclare(part, &events);
    }
}

fn settle_part(
    model: &mut Model,
    part: ElementId,
    (owner, lives, shared): (ElementId, &[OwnerLife], &HashSet<Span>),
    diagnostics: &mut Diagnostics,
) {
    let mut events = model.declared_of(part).to_vec();
    let shares = model.element(part).lives <= 1;
    let end = lives.last().map_or(Release::NEVER, |last| last.end);
    let late = events
        .iter()
        .filter(|event| ENDS.contains(&event.event.what) && event.release > end)
        .filter(|event| !ends_with_its_field(model, owner, event));
    diagnostics.extend(late.map(|event| after_the_end(model, owner, event)).collect(), 0);
    let introductions: Vec<Declared> = of_kind(&events, EventKind::Introduced).copied().collect();
    for introduced in introductions {
        let Some(at) = lives.iter().position(|life| life.end > introduced.release) else {
            if !shared.contains(&introduced.span) {
                diagnostics.push(after_the_end(model, owner, &introduced));
            }
            continue;
        };
        let Some(begin) = lives[at].begin().filter(|begin| introduced.release <= *begin) else {
            continue;
        };
        // What is there from the beginning was never only tolerated.
        events.retain(|event| event.event != introduced.event.sibling(EventKind::Tolerated));
        if shares && at == 0 {
            events.retain(|event| event.event != introduced.event);
        } else {
            let own = events.iter_mut().find(|event| event.event == introduced.event);
            if let Some(own) = own {
                own.release = begin;
            }
        }
    }
    for tolerated in events
        .iter_mut()
        .filter(|event| event.event.what == EventKind::Tolerated)
    {
        let life = lives.iter().find(|life| life.end > tolerated.release);
        let begin = life.and_then(OwnerLife::begin).unwrap_or(tolerated.release);
        tolerated.release = tolerated.release.max(begin);
    }
    if events != model.declared_of(part) {
        model.redeclare(part, &events);
        if events.is_empty() && shares {
            model.elements_mut()[part.0 as usize].lives = 0;
        }
    }
}

/// Whether an event is declared for the release in which the entry of a field removes it: it never happens, also where
/// the version of the field ends before.
fn ends_with_its_field(model: &Model, owner: ElementId, event: &Declared) -> bool {
    let end = model.declared_release(model.last_event(owner, EventKind::Removed));
    model.element(owner).kind.is_member() && end == Some(event.release)
}

fn of_kind(events: &[Declared], what: EventKind) -> impl Iterator<Item = &Declared> {
    events.iter().filter(move |event| event.event.what == what)
}

fn after_the_end(model: &Model, owner: ElementId, late: &Declared) -> Diagnostic {
    let removed = end_of(model, model.last_event(owner, EventKind::Removed));
    let owner = removed.map_or(owner, |removed| removed.event.element);
    let (id, owner) = (model.id(late.event.element), model.id(owner));
    let [name, end] = [Some(late), removed].map(|declared| {
        let release = declared.map(|declared| declared.release);
        release.map_or_else(String::new, |release| model.calendar.name(release))
    });
    let what = late.event.what;
    let message = format!("{id} is {what} in {name}, but {owner} is already removed in {end}");
    let error = Diagnostic::error(RULE, "order", message).about(id.to_owned());
    let error = error.at(late.span, format!("{what} here"));
    let error = removed
        .iter()
        .fold(error, |error, removed| error.seen_at(removed.span, "removed here"));
    let help = if what == EventKind::Introduced {
        "leave it out here, or correct one of the two releases"
    } else {
        "correct one of the two releases"
    };
    error.help(help)
}
