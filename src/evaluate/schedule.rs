//! What is declared on trial for a way: its events in some releases, and as suppositions about versions and kinds.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::derivation::{Step, Target, Way};
use crate::model::{ElementId, Event, EventKind, Model};
use crate::plan::fixed;
use crate::release::Release;

use super::Supposition;

/// Events with their releases; without one, an event is not declared.
pub(super) type Schedule = Vec<(Event, Option<Release>)>;

/// What is announced before the last events of the ways: all but removals. Declared ones are withdrawn, as are events
/// that follow, but for those that come in time and are no targets.
pub(super) fn announced(way: &Way, targets: &[Target]) -> Schedule {
    let targets: HashSet<Event> = targets.iter().map(|target| target.event).collect();
    let steps = way
        .steps
        .iter()
        .filter(|step| step.is_movable() || step.declared.is_none());
    let announced = steps.filter_map(|step| match step.event.what {
        _ if step.follows() => Some((step.event, None)),
        EventKind::Removed => {
            let is_withdrawn = step.declared.is_some() && (step.is_open() || targets.contains(&step.event));
            is_withdrawn.then_some((step.event, None))
        }
        _ if step.earliest.is_never() => None,
        _ => step.is_open().then_some((step.event, Some(step.earliest))),
    });
    announced.collect()
}

/// Targets without the removals that are declared for releases to come: what these count from may move too.
pub(super) fn withdrawn(model: &Model, targets: &[Target]) -> Schedule {
    let removals = targets.iter().map(|target| target.event);
    let ahead = removals.filter(|event| {
        let declared = fixed(model, *event).filter(|_| event.what == EventKind::Removed);
        declared >= Some(model.calendar.next())
    });
    ahead.map(|event| (event, None)).collect()
}

/// What has to be declared, at its latest.
pub(super) fn latest(way: &Way) -> Schedule {
    let mut schedule = earliest(way);
    for (event, release) in &mut schedule {
        let step = way.step(*event).filter(|step| !step.follows());
        *release = step.and_then(|step| step.latest).or(*release);
    }
    schedule
}

/// What has to be declared, at its earliest. What follows and is not planned is no longer declared.
pub(super) fn earliest(way: &Way) -> Schedule {
    let open = way.steps.iter().filter(|step| step.is_open());
    let releases = open.map(|step| {
        (
            step.event,
            Some(step.earliest).filter(|earliest| !earliest.is_never()),
            step.follows(),
        )
    });
    let declared = releases.filter(|(_, release, follows)| release.is_some() || *follows);
    declared.map(|(event, release, _)| (event, release)).collect()
}

/// What has to be declared for the soonest releases of the targets.
pub(super) fn soonest(way: &Way) -> Schedule {
    let movable = way
        .steps
        .iter()
        .filter(|step| step.declared.is_none() || step.is_movable());
    let soonest = movable.map(|step| {
        let release = Some(step.soonest).filter(|soonest| !soonest.is_never() && !step.follows());
        (step.event, release)
    });
    let declared = soonest.filter(|(event, release)| release.is_some() || way.step(*event).is_some_and(Step::follows));
    declared.collect()
}

/// The targets that rules alone prevent in their releases, and what leads to them no later. No exception moves what
/// is declared, or changes the order of the events of a life.
pub(super) fn forced(way: &Way, next: Release) -> Schedule {
    let by_rules = way.clashes.iter().filter(|clash| !clash.obligations.is_empty());
    let by: BTreeMap<Event, Release> = by_rules
        .flat_map(|clash| clash.events.iter().map(|event| (*event, clash.target.by)))
        .collect();
    let steps = way
        .steps
        .iter()
        .filter(|step| step.declared.is_none() || step.is_movable());
    let forced = steps.filter_map(|step| {
        if step.follows() {
            return Some((step.event, None));
        }
        let release = by.get(&step.event).map_or(step.earliest, |by| step.earliest.min(*by));
        (release >= next && !release.is_never()).then_some((step.event, Some(release)))
    });
    forced.collect()
}

/// A part of a version, with the release of an event.
type Part = (ElementId, Option<Release>);

/// A schedule as suppositions: one for a version if all its kinds agree and its entry has room for it, and those of
/// kinds with entries of their own.
pub(super) fn merged(model: &Model, schedule: &Schedule) -> Vec<Supposition> {
    let mut versions: BTreeMap<(ElementId, EventKind), Vec<Part>> = BTreeMap::new();
    for (event, release) in schedule {
        let element = model.element(event.element);
        let version = element.parent.filter(|_| element.kind.is_kind());
        let whole = version.unwrap_or(event.element);
        versions
            .entry((whole, event.what))
            .or_default()
            .push((event.element, *release));
    }
    let mut suppositions = Vec::new();
    let moving: BTreeSet<(ElementId, EventKind)> = versions.keys().copied().collect();
    for ((whole, what), parts) in versions {
        let release = parts[0].1;
        let event = model.last_event(whole, what);
        let is_whole = parts.len() == model.served_by(whole).len() || parts.iter().any(|(part, _)| *part == whole);
        let agree = is_whole
            && parts.iter().all(|(_, other)| *other == release)
            && release.is_none_or(|release| model.has_room(event, release, &moving));
        if agree {
            suppositions.push((whole, what, release));
        }
        let own = parts.into_iter().filter(|(part, _)| {
            let declared = model.declared_of(*part).iter();
            *part != whole && (!agree || declared.clone().any(|declared| declared.event.what == what))
        });
        suppositions.extend(own.map(|(part, release)| (part, what, release)));
    }
    suppositions
}
