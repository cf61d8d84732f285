//! The states of an element through the releases, one after the other.

use crate::model::{ElementId, ElementKind, Event, EventKind, Model, Version};
use crate::release::Release;

use super::Material;

/// What an element is to its users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Served,
    Deprecated,
    Hidden,
    Tolerated,
    Gone,
}

impl State {
    /// All of them; what several elements are together is the first that one of them is in.
    const ALL: [Self; 5] = [
        Self::Served,
        Self::Deprecated,
        Self::Hidden,
        Self::Tolerated,
        Self::Gone,
    ];

    /// As reports write it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Served => "served",
            Self::Deprecated => "deprecated",
            Self::Hidden => "hidden",
            Self::Tolerated => "tolerated",
            Self::Gone => "gone",
        }
    }
}

/// A state from a release on, until the next band's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Band {
    pub(super) state: State,
    pub(super) from: Release,
    /// Whether the user declared that it begins there.
    pub(super) declared: bool,
    /// The stage of a gate, the class of a metric.
    pub(super) level: Option<&'static str>,
}

/// The bands of all elements, by their positions.
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
    Level(&'static str),
}

fn of_element(material: Material<'_>, id: ElementId) -> Vec<Band> {
    let model = material.reasoning.model;
    let mut bands = Vec::new();
    for life in 0..model.lives(id) {
        one_life(material, Event::new(id, life, EventKind::Introduced), &mut bands);
        let removed = Event::new(id, life, EventKind::Removed);
        if let Some((from, declared)) = when(material, removed) {
            bands.push(Band {
                state: State::Gone,
                from,
                declared,
                level: None,
            });
        }
    }
    // Where one state begins in the release of another, nobody sees the first of the two.
    settled(bands)
}

/// Adds the bands of a life, its end apart.
fn one_life(material: Material<'_>, introduced: Event, bands: &mut Vec<Band>) {
    let id = introduced.element;
    // What has no beginning was always there.
    let (since, declared) = when(material, introduced).unwrap_or((Release(0), false));
    let mut marks = vec![(since, Mark::Introduced, declared)];
    if let Some((since, declared)) = when(material, introduced.sibling(EventKind::Tolerated)) {
        marks.push((since, Mark::Tolerated, declared));
    }
    let levels = levels(material.reasoning.model, id);
    let named = levels.iter().map(|(since, name)| (*since, Mark::Level(name), true));
    marks.extend(named);
    deprecations(material, introduced, &mut marks);
    if let Some((since, declared)) = when(material, introduced.sibling(EventKind::Hidden)) {
        marks.push((since, Mark::Hidden, declared));
    }
    marks.sort_by_key(|(since, ..)| *since);
    let end = when(material, introduced.sibling(EventKind::Removed)).map_or(Release::NEVER, |(end, _)| end);
    let mut standing = Standing {
        level: levels.first().map(|(_, name)| *name),
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
                declared: begins_by_declaration(turn, state),
                level: standing.level,
            });
        }
    }
}

/// Whether what brings a state about was declared; where nothing of it does, whether anything else was.
fn begins_by_declaration(turn: &[(Release, Mark, bool)], state: State) -> bool {
    let brings = |mark: &Mark| {
        matches!(
            (mark, state),
            (Mark::Introduced | Mark::Undeprecated, State::Served)
                | (Mark::Deprecated, State::Deprecated)
                | (Mark::Hidden, State::Hidden)
                | (Mark::Tolerated, State::Tolerated)
        )
    };
    let mut brought = turn.iter().filter(|(_, mark, _)| brings(mark)).peekable();
    match brought.peek() {
        Some(_) => brought.any(|(_, _, declared)| *declared),
        None => turn.iter().any(|(_, _, declared)| *declared),
    }
}

/// How things stand in a life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Standing {
    /// Tolerated or served, once it has begun.
    begun: Option<State>,
    deprecated: bool,
    hidden: bool,
    level: Option<&'static str>,
}

impl Standing {
    fn take(&mut self, mark: Mark) {
        match mark {
            Mark::Tolerated => self.begun = self.begun.or(Some(State::Tolerated)),
            Mark::Introduced => self.begun = Some(State::Served),
            Mark::Deprecated => self.deprecated = true,
            Mark::Undeprecated => (self.deprecated, self.hidden) = (false, false),
            Mark::Hidden => self.hidden = true,
            Mark::Level(name) => self.level = Some(name),
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

/// When an event falls, and whether the user declared that, or something that implies it.
fn when(material: Material<'_>, event: Event) -> Option<(Release, bool)> {
    let model = material.reasoning.model;
    if let Some(declared) = model.in_force(event) {
        return Some((declared.release, true));
    }
    let release = material.reasoning.release(event)?;
    Some((release, material.is_implied(event)))
}

/// Deprecations, those taken back among them. A part of a kind is deprecated as the kind is, if not by itself.
fn deprecations(material: Material<'_>, introduced: Event, marks: &mut Vec<(Release, Mark, bool)>) {
    let model = material.reasoning.model;
    let before = marks.len();
    for (what, mark) in [
        (EventKind::Deprecated, Mark::Deprecated),
        (EventKind::Undeprecated, Mark::Undeprecated),
    ] {
        let steps = (0..=u8::MAX).map_while(|step| {
            model.find_declared(Event {
                step,
                ..introduced.sibling(what)
            })
        });
        marks.extend(steps.map(|declared| (declared.release, mark, true)));
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
        deprecations(
            material,
            Event {
                life,
                ..introduced.of(container)
            },
            marks,
        );
    }
}

/// The stages of a gate or classes of a metric, and when they begin.
fn levels(model: &Model, id: ElementId) -> Vec<(Release, &'static str)> {
    match model.element(id).kind {
        ElementKind::Gate => model.gate(id).map_or_else(Vec::new, |gate| {
            let specs = gate.specs.iter();
            specs.map(|spec| (spec.since, spec.stage.as_str())).collect()
        }),
        ElementKind::Metric => model.metric(id).map_or_else(Vec::new, |metric| {
            let specs = metric.specs.iter();
            specs.map(|spec| (spec.since, spec.stability.as_str())).collect()
        }),
        _ => Vec::new(),
    }
}

/// The bands in order, without those that last for no release and those that go on what was before.
fn settled(mut bands: Vec<Band>) -> Vec<Band> {
    bands.sort_by_key(|band| band.from);
    let mut settled: Vec<Band> = Vec::with_capacity(bands.len());
    for band in bands {
        settled.pop_if(|last| last.from == band.from);
        let goes_on = |last: &Band| (last.state, last.level) == (band.state, band.level);
        if !settled.last().is_some_and(goes_on) {
            settled.push(band);
        }
    }
    settled
}

/// A version that has kinds is served while one of them is, and deprecated once all it serves are.
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
    let mut counts = State::ALL.map(|_| 0_usize);
    let mut union: Vec<Band> = Vec::new();
    for turned in turns.chunk_by(|(_, one), (_, other)| one.from == other.from) {
        for (before, band) in turned {
            if let Some(before) = before {
                counts[*before as usize] -= 1;
            }
            counts[band.state as usize] += 1;
        }
        let (Some(state), Some((_, first))) = (
            State::ALL.into_iter().find(|state| counts[*state as usize] > 0),
            turned.first(),
        ) else {
            continue;
        };
        if union.last().is_some_and(|last| last.state == state) {
            continue;
        }
        let mut into = turned.iter().filter(|(_, band)| band.state == state).peekable();
        let declared = match into.peek() {
            Some(_) => into.any(|(_, band)| band.declared),
            None => turned.iter().any(|(_, band)| band.declared),
        };
        union.push(Band {
            state,
            from: first.from,
            declared,
            level: None,
        });
    }
    union
}
