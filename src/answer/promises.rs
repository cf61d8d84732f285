//! What earlier states of a model declared for releases to come, and what came of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Event;
use crate::release::Release;
use crate::report::{OutcomeCount, PromiseOutcome, PromiseReport, PromisesReport, SCHEMA_VERSION};

use super::{Material, ending};

/// An event that a model declares for a release that has not shipped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Promise {
    element: String,
    life: u8,
    event: String,
    release: String,
}

/// The promises of a model.
pub(crate) fn made(material: Material<'_>) -> Vec<Promise> {
    let model = material.reasoning.model;
    let current = model.calendar.current();
    let mut promises = Vec::new();
    for (element, _) in model.elements() {
        for event in
            (0..model.lives(element)).flat_map(|life| ending(model).map(move |what| Event::new(element, life, what)))
        {
            let declared = model.in_force(event).map(|declared| declared.release);
            let ahead = declared.filter(|release| current.is_none_or(|current| *release > current));
            promises.extend(ahead.map(|release| Promise {
                element: model.id(element).to_owned(),
                life: event.life,
                event: model.event_word(event.what).as_str().to_owned(),
                release: model.calendar.name(release),
            }));
        }
    }
    promises
}

/// What came of the promises of earlier states, each with its name, oldest first.
pub(crate) fn promises<'a>(material: Material<'a>, earlier: &[(String, Vec<Promise>)]) -> PromisesReport<'a> {
    let model = material.reasoning.model;
    let mut made: BTreeMap<&Promise, (&String, &String)> = BTreeMap::new();
    for (state, promises) in earlier {
        for promise in promises {
            made.entry(promise).or_insert((state, state)).1 = state;
        }
    }
    let ids: BTreeMap<&str, usize> = model
        .elements()
        .enumerate()
        .map(|(at, (id, _))| (model.id(id), at))
        .collect();
    let unselected: BTreeSet<&str> = model
        .elements()
        .filter(|(id, _)| !material.has(*id))
        .map(|(id, _)| model.id(id))
        .collect();
    // What the model no longer has is only part of an answer about all of it.
    made.retain(|promise, _| {
        let id = promise.element.as_str();
        !unselected.contains(id) && (material.selection.is_none() || ids.contains_key(id))
    });
    let mut all: Vec<(&Promise, (&String, &String))> = made.into_iter().collect();
    all.sort_by_key(|(promise, _)| ids.get(promise.element.as_str()).copied().unwrap_or(usize::MAX));
    let promises: Vec<PromiseReport<'a>> = all.into_iter().map(|made| judged(material, made)).collect();
    let outcomes = PromiseOutcome::ALL.map(|outcome| OutcomeCount {
        outcome,
        promises: promises.iter().filter(|promise| promise.outcome == outcome).count(),
    });
    PromisesReport {
        schema_version: SCHEMA_VERSION,
        current: material.current(),
        states: earlier.iter().map(|(state, _)| state.clone()).collect(),
        outcomes: outcomes.into_iter().filter(|count| count.promises > 0).collect(),
        promises,
    }
}

fn judged<'a>(material: Material<'a>, (promise, (since, until)): (&Promise, (&String, &String))) -> PromiseReport<'a> {
    let model = material.reasoning.model;
    let element = model.find(&promise.element);
    let what = model.event_named(&promise.event);
    let event = element
        .zip(what)
        .map(|(element, what)| Event::new(element, promise.life, what));
    let now = event.and_then(|event| material.reasoning.release(event));
    let now = now.filter(|release| !release.is_never());
    let current = model.calendar.current();
    let shipped = now.is_some_and(|now| current.is_some_and(|current| now <= current));
    // The calendar may have renamed the release, or never had it.
    let promised = model.calendar.find(&promise.release).ok();
    PromiseReport {
        element: promise.element.clone(),
        event: promise.event.clone(),
        promised: promise.release.clone(),
        since: since.clone(),
        until: until.clone(),
        outcome: outcome(element.is_some(), promised, now, shipped),
        now: now.and_then(|now| material.names.moment(now)),
        shipped,
        releases: promised.zip(now).map(|(promised, now)| promised.0.abs_diff(now.0)),
        days: promised
            .zip(now)
            .and_then(|(promised, now)| model.calendar.days_between(promised, now)),
    }
}

fn outcome(has_element: bool, promised: Option<Release>, now: Option<Release>, shipped: bool) -> PromiseOutcome {
    match (promised, now) {
        _ if !has_element => PromiseOutcome::Dropped,
        (_, None) => PromiseOutcome::Withdrawn,
        (Some(promised), Some(now)) if now < promised => PromiseOutcome::Earlier,
        (Some(promised), Some(now)) if now == promised && shipped => PromiseOutcome::Kept,
        (Some(promised), Some(now)) if now == promised => PromiseOutcome::Pending,
        _ => PromiseOutcome::Later,
    }
}
