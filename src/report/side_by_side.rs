//! What several changes of a model move, side by side.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{DateKind, EventMove, Moment, Movement, MovingEvent, SCHEMA_VERSION, WhatIfReport};

/// What several changes of a model move: each alone, and each move in all of them.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SideBySideReport<'a> {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The changes, each with what it moves, in the order in which they were asked for.
    pub alternatives: Vec<WhatIfReport<'a>>,
    /// The errors, and from which changes each of them comes.
    pub illegal: Vec<SharedFinding>,
    /// The releases that one of the changes moves.
    pub releases: Vec<SharedRelease<'a>>,
    /// The events that one of the changes moves.
    pub events: Vec<SharedEvent<'a>>,
}

/// An error that changes add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SharedFinding {
    /// The rule.
    pub rule: &'static str,
    /// The finding.
    pub code: String,
    /// The element.
    pub element: Option<String>,
    /// The message for each change; null where it does not add the error.
    pub messages: Vec<Option<String>>,
}

/// A release that changes move.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SharedRelease<'a> {
    /// Its name.
    pub release: &'a str,
    /// Before.
    pub from: Option<Moment<'a>>,
    /// With each change; null where it does not move it.
    pub to: Vec<Option<NewMoment<'a>>>,
}

/// An event that changes move.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SharedEvent<'a> {
    /// The element.
    pub element: &'a str,
    /// What happens.
    pub event: MovingEvent<'a>,
    /// In which of its lives, from 1.
    pub life: u8,
    /// When it happened before.
    pub from: Option<Moment<'a>>,
    /// With each change; null where it does not move it.
    pub to: Vec<Option<NewMoment<'a>>>,
    /// What it is part of, if the same happens to that with each change.
    pub with: Option<&'a str>,
}

/// Where a change moves something to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NewMoment<'a> {
    /// How it moves.
    pub change: Movement,
    /// The release; null if it is no longer there.
    pub release: Option<&'a str>,
    /// Its date.
    pub date: Option<&'a str>,
    /// Whether that was announced.
    pub date_kind: Option<DateKind>,
    /// Of an event, whether it is declared.
    pub declared: Option<bool>,
}

impl<'a> NewMoment<'a> {
    fn new(change: Movement, to: Option<Moment<'a>>) -> Self {
        Self {
            change,
            release: to.map(|to| to.release),
            date: to.and_then(|to| to.date),
            date_kind: to.map(|to| to.date_kind),
            declared: to.and_then(|to| to.declared),
        }
    }
}

impl<'a> SideBySideReport<'a> {
    /// Several reports about the same model.
    pub fn of(alternatives: Vec<WhatIfReport<'a>>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            illegal: illegal(&alternatives),
            releases: releases(&alternatives),
            events: events(&alternatives),
            alternatives,
        }
    }
}

/// What has a key in some of the alternatives, in the order in which it occurs first: the first one of it, and what
/// each alternative has.
struct Shared<K, F, T> {
    positions: BTreeMap<K, usize>,
    found: Vec<(F, Vec<Option<T>>)>,
    count: usize,
}

impl<K: Ord, F, T: Clone> Shared<K, F, T> {
    fn new(count: usize) -> Self {
        Self {
            positions: BTreeMap::new(),
            found: Vec::new(),
            count,
        }
    }

    fn add(&mut self, at: usize, key: K, first: F, own: T) {
        let position = *self.positions.entry(key).or_insert(self.found.len());
        if position == self.found.len() {
            self.found.push((first, vec![None; self.count]));
        }
        if let Some(place) = self.found.get_mut(position).and_then(|(_, all)| all.get_mut(at)) {
            *place = Some(own);
        }
    }
}

fn illegal(alternatives: &[WhatIfReport<'_>]) -> Vec<SharedFinding> {
    let mut shared = Shared::new(alternatives.len());
    for (at, report) in alternatives.iter().enumerate() {
        let mut times: BTreeMap<_, usize> = BTreeMap::new();
        for finding in &report.illegal {
            let name = (finding.rule, finding.code.clone(), finding.element.clone());
            let nth = times.entry(name.clone()).or_default();
            *nth += 1;
            shared.add(at, (name.clone(), *nth), name, finding.message.clone());
        }
    }
    let found = shared.found.into_iter();
    let found = found.map(|((rule, code, element), messages)| SharedFinding {
        rule,
        code,
        element,
        messages,
    });
    found.collect()
}

fn releases<'a>(alternatives: &[WhatIfReport<'a>]) -> Vec<SharedRelease<'a>> {
    let mut shared = Shared::new(alternatives.len());
    for (at, report) in alternatives.iter().enumerate() {
        for moved in &report.releases {
            let own = NewMoment::new(moved.change, moved.to);
            shared.add(at, moved.release, (moved.release, moved.from), own);
        }
    }
    let found = shared.found.into_iter();
    let found = found.map(|((release, from), to)| SharedRelease { release, from, to });
    found.collect()
}

fn events<'a>(alternatives: &[WhatIfReport<'a>]) -> Vec<SharedEvent<'a>> {
    let mut shared = Shared::new(alternatives.len());
    for (at, report) in alternatives.iter().enumerate() {
        let mut times: BTreeMap<_, usize> = BTreeMap::new();
        for moved in &report.events {
            let name = (moved.element, moved.event, moved.life);
            let nth = times.entry(name).or_default();
            *nth += 1;
            let own = (NewMoment::new(moved.change, moved.to), moved.with);
            shared.add(at, (name, *nth), first(moved), own);
        }
    }
    let found = shared.found.into_iter();
    let found = found.map(|(first, all)| {
        let mut wholes = all.iter().flatten().map(|(_, whole)| *whole);
        let whole = wholes.next().flatten();
        SharedEvent {
            with: whole.filter(|whole| wholes.all(|other| other == Some(*whole))),
            to: all.into_iter().map(|own| own.map(|(to, _)| to)).collect(),
            ..first
        }
    });
    found.collect()
}

fn first<'a>(moved: &EventMove<'a>) -> SharedEvent<'a> {
    SharedEvent {
        element: moved.element,
        event: moved.event,
        life: moved.life,
        from: moved.from,
        to: Vec::new(),
        with: None,
    }
}
