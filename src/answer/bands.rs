//! The states of elements through the releases.
//!
//! The events of all lives become consecutive states; the states of a version are the union of those of its kinds.
//! Drawings only read them.

use crate::model::{ElementId, Event, EventKind, Model, Version};
use crate::release::Release;
use crate::report::State;
use crate::stability::Level;

use super::Material;

/// The state of several elements together is the first of these that one of them is in.
const BEST_FIRST: [State; 5] = [
    State::Served,
    State::Deprecated,
    State::Hidden,
    State::Tolerated,
    State::Removed,
];

/// A state from a release on, until the next band's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Band {
    pub(super) state: State,
    pub(super) from: Release,
    /// Whether the model declares its beginning.
    pub(super) declared: bool,
    /// The stage of a gate, the class of a metric.
    pub(super) level: Option<Level>,
}

/// The bands of all elements, in the order of the model.
pub(super) fn all(material: Material<'_>) -> Vec<Vec<Band>> {
    let model = material.reasoning.model;
    let mut bands: Vec<Vec<Band>> = model.elements().map(|(id, _)| of_element(material, id)).collect();
    let versions = model.groups.iter().flat_map(|group| &group.versions);
    for version in versions.filter(|version| !version.kinds.is_empty()) {
        bands[version.element.0 as usize] = together(version, &bands);
    }
    bands
}

/// A change within a life.
#[derive(Debug, Clone, Copy)]
enum Mark {
    Tolerated,
    Introduced,
    Deprecated,
    Undeprecated,
    Hidden,
    Level(Level),
}

impl Mark {
    /// Whether it begins a state.
    fn begins(self, state: State) -> bool {
        matches!(
            (self, state),
            (Self::Introduced | Self::Undeprecated, State::Served)
                | (Self::Deprecated, State::Deprecated)
                | (Self::Hidden, State::Hidden)
                | (Self::Tolerated, State::Tolerated)
        )
    }
}

fn of_element(material: Material<'_>, id: ElementId) -> Vec<Band> {
    let model = material.reasoning.model;
    let mut bands = Vec::new();
    for life in 0..model.lives(id) {
        one_life(material, Event::new(id, life, EventKind::Introduced), &mut bands);
        let removed = Event::new(id, life, EventKind::Removed);
        bands.extend(material.when(removed).map(|(from, declared)| Band {
            state: State::Removed,
            from,
            declared,
            level: None,
        }));
    }
    settled(bands)
}

/// Adds the bands of a life except its removal.
fn one_life(material: Material<'_>, introduced: Event, bands: &mut Vec<Band>) {
    let id = introduced.element;
    // An element without an introduction has always existed.
    let (since, declared) = material.when(introduced).unwrap_or((Release(0), false));
    let mut marks = vec![(since, Mark::Introduced, declared)];
    let tolerated = material.when(introduced.sibling(EventKind::Tolerated));
    marks.extend(tolerated.map(|(since, declared)| (since, Mark::Tolerated, declared)));
    let levels = levels(material.reasoning.model, id);
    marks.extend(levels.iter().map(|(since, level)| (*since, Mark::Level(*level), true)));
    deprecations(material, introduced, &mut marks);
    let hidden = material.when(introduced.sibling(EventKind::Hidden));
    marks.extend(hidden.map(|(since, declared)| (since, Mark::Hidden, declared)));
    marks.sort_by_key(|(since, ..)| *since);
    let removed = material.when(introduced.sibling(EventKind::Removed));
    let end = removed.map_or(Release::NEVER, |(end, _)| end);
    let mut standing = Standing {
        level: levels.first().map(|(_, level)| *level),
        ..Standing::default()
    };
    let within = marks.partition_point(|(since, ..)| *since < end);
    for turn in marks[..within].chunk_by(|(one, ..), (other, ..)| one == other) {
        let before = standing;
        for (_, mark, _) in turn {
            standing.take(*mark);
        }
        if let (Some(state), true, Some((from, ..))) = (standing.state(), standing != before, turn.first()) {
            bands.push(Band {
                state,
                from: *from,
                declared: is_declared(turn.iter().map(|(_, mark, declared)| (mark.begins(state), *declared))),
                level: standing.level,
            });
        }
    }
}

/// Of several changes, whether any that begins the state is declared; if none begins it, whether any is.
fn is_declared(changes: impl Iterator<Item = (bool, bool)> + Clone) -> bool {
    let begins = changes.clone().any(|(begins, _)| begins);
    changes.filter(|(own, _)| *own || !begins).any(|(_, declared)| declared)
}

/// The situation within a life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Standing {
    /// Tolerated or served, once it has begun.
    begun: Option<State>,
    deprecated: bool,
    hidden: bool,
    level: Option<Level>,
}

impl Standing {
    fn take(&mut self, mark: Mark) {
        match mark {
            Mark::Tolerated => self.begun = self.begun.or(Some(State::Tolerated)),
            Mark::Introduced => self.begun = Some(State::Served),
            Mark::Deprecated => self.deprecated = true,
            Mark::Undeprecated => (self.deprecated, self.hidden) = (false, false),
            Mark::Hidden => self.hidden = true,
            Mark::Level(level) => self.level = Some(level),
        }
    }

    /// The state, once there is one.
    fn state(self) -> Option<State> {
        match self.begun? {
            State::Served if self.hidden => Some(State::Hidden),
            State::Served if self.deprecated => Some(State::Deprecated),
            begun => Some(begun),
        }
    }
}

/// Deprecations and their reversals. A part of a kind is deprecated with the kind unless it has a deprecation of its
/// own.
fn deprecations(material: Material<'_>, introduced: Event, marks: &mut Vec<(Release, Mark, bool)>) {
    let model = material.reasoning.model;
    let before = marks.len();
    for (what, mark) in [
        (EventKind::Deprecated, Mark::Deprecated),
        (EventKind::Undeprecated, Mark::Undeprecated),
    ] {
        let declared = model.repeated(introduced.sibling(what));
        marks.extend(declared.map(|declared| (declared.release, mark, true)));
    }
    if model.deprecation(introduced.element, introduced.life).is_none() {
        let deprecated = introduced.sibling(EventKind::Deprecated);
        let since = material.reasoning.release(deprecated);
        let implied = material.is_implied(deprecated);
        marks.extend(since.map(|since| (since, Mark::Deprecated, implied)));
    }
    let element = model.element(introduced.element);
    let container = element.parent.filter(|_| element.kind.is_member());
    if let (Some(container), true) = (container, marks.len() == before) {
        let life = introduced.life.min(model.last_life(container));
        deprecations(material, Event::new(container, life, introduced.what), marks);
    }
}

/// The stages of a gate or the classes of a metric, with their first releases.
fn levels(model: &Model, id: ElementId) -> Vec<(Release, Level)> {
    let stages = model.gate(id).into_iter().flat_map(|gate| &gate.specs);
    let classes = model.metric(id).into_iter().flat_map(|metric| &metric.specs);
    let stages = stages.map(|spec| (spec.since, Level::Stage(spec.stage)));
    stages
        .chain(classes.map(|spec| (spec.since, Level::Class(spec.stability))))
        .collect()
}

/// The bands in order, without those of no length and those that continue the band before.
fn settled(mut bands: Vec<Band>) -> Vec<Band> {
    bands.sort_by_key(|band| band.from);
    let mut settled: Vec<Band> = Vec::with_capacity(bands.len());
    for band in bands {
        settled.pop_if(|last| last.from == band.from);
        let last = settled.last().map(|last| (last.state, last.level));
        if last != Some((band.state, band.level)) {
            settled.push(band);
        }
    }
    settled
}

/// A version with kinds is served while one of them is, and deprecated once all that are served are.
fn together(version: &Version, bands: &[Vec<Band>]) -> Vec<Band> {
    let mut turns: Vec<(Option<State>, Band)> = Vec::new();
    for kind in &version.kinds {
        let mut before = None;
        for band in &bands[kind.0 as usize] {
            turns.push((before, *band));
            before = Some(band.state);
        }
    }
    turns.sort_by_key(|(_, band)| band.from);
    let mut counts = BEST_FIRST.map(|_| 0_usize);
    let mut union: Vec<Band> = Vec::new();
    for turned in turns.chunk_by(|(_, one), (_, other)| one.from == other.from) {
        for (before, band) in turned {
            if let Some(before) = before {
                counts[*before as usize] -= 1;
            }
            counts[band.state as usize] += 1;
        }
        let best = BEST_FIRST.into_iter().find(|state| counts[*state as usize] > 0);
        let changed = best.filter(|state| union.last().is_none_or(|last| last.state != *state));
        let (Some(state), Some((_, first))) = (changed, turned.first()) else {
            continue;
        };
        union.push(Band {
            state,
            from: first.from,
            declared: is_declared(turned.iter().map(|(_, band)| (band.state == state, band.declared))),
            level: None,
        });
    }
    union
}
