//! The events of one state of a model, and the reason of each.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::model::{ElementId, Event, EventKind, EventWord, Model};
use crate::release::Release;
use crate::report::{Moment, MovingEvent};

use super::super::decided::Reason;
use super::super::elements::Builder;
use super::super::replacements::Replacements;
use super::super::walks::{self, Move};
use super::super::{Material, decided};

/// An event of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key<'a> {
    pub(super) life: u8,
    pub(super) event: MovingEvent<'a>,
    /// Which time, of an event that repeats.
    nth: u8,
}

impl<'a> Key<'a> {
    fn new(life: u8, event: EventWord<'a>) -> Self {
        Self {
            life,
            event: MovingEvent::Event(event),
            nth: 0,
        }
    }
}

/// The events of all elements.
pub(super) struct Events<'a> {
    material: Material<'a>,
    wholes: Builder<'a>,
    /// When versions become preferred, and kinds are stored in them.
    moves: BTreeMap<ElementId, Vec<Move>>,
}

/// The events that reports have for each element; those of a version with kinds are made from theirs.
const REPORTED: [EventKind; 4] = [
    EventKind::Introduced,
    EventKind::Deprecated,
    EventKind::Hidden,
    EventKind::Removed,
];

impl<'a> Events<'a> {
    pub(super) fn of(material: Material<'a>) -> Self {
        Self {
            material,
            wholes: Builder::new(material, Rc::new(Replacements::none(material.reasoning))),
            moves: walks::moves(material),
        }
    }

    fn model(&self) -> &'a Model {
        self.material.reasoning.model
    }

    /// Whether all is the same that the own events of an element and of its twin in another state follow from, apart
    /// from owners and parts: what is declared and planned of it, its lives, its moves, and its stages or classes.
    pub(super) fn is_own_same(&self, id: ElementId, other: &Self, twin: ElementId) -> bool {
        let [own, others] = [self, other].map(|state| state.material.reasoning);
        let (declared, before) = (own.model.declared_of(id), others.model.declared_of(twin));
        let (planned, planned_before) = (own.assignment.of(id), others.assignment.of(twin));
        let mut declarations = declared.iter().zip(before);
        let mut plans = planned.iter().zip(planned_before);
        own.model.lives(id) == others.model.lives(twin)
            && (declared.len(), planned.len()) == (before.len(), planned_before.len())
            && declarations.all(|(now, was)| (now.event, now.release) == (was.event.of(id), was.release))
            && plans.all(|(now, was)| (now.event, now.release) == (was.event.of(id), was.release))
            && (own.model.element(id).kind.is_member() || self.moves_and_levels(id).eq(other.moves_and_levels(twin)))
    }

    /// Its moves, and its stages or classes. Members have none.
    fn moves_and_levels(&self, id: ElementId) -> impl Iterator<Item = (&'static str, Release, bool)> {
        let moves = self.moves.get(&id).into_iter().flatten();
        let moves = moves.map(|moved| (moved.what.as_str(), moved.release, moved.declared));
        let levels = self.levels(id).map(|(level, since)| (level, since, true));
        moves.chain(levels)
    }

    pub(super) fn of_element(&self, id: ElementId) -> BTreeMap<Key<'a>, Moment<'a>> {
        let model = self.model();
        let mut events = BTreeMap::new();
        let is_version = model.element(id).kind.is_version();
        if is_version && model.version_of(id).is_some_and(|version| !version.kinds.is_empty()) {
            let report = self.wholes.report(id);
            let moments = [report.introduced, report.deprecated, report.hidden, report.removed];
            events.extend(
                REPORTED
                    .into_iter()
                    .zip(moments)
                    .filter_map(|(what, moment)| Some((Key::new(0, what.into()), moment?))),
            );
        } else {
            for life in 0..model.lives(id) {
                let all = model.event_kinds().filter(|what| !is_moved_or_staged(*what));
                let found = all.filter_map(|what| {
                    let moment = self.material.event(Event::new(id, life, what))?;
                    let is_hidden_part = what == EventKind::Hidden && model.element(id).kind.is_member();
                    (!is_hidden_part).then_some((Key::new(life, model.event_word(what)), moment))
                });
                events.extend(found);
            }
        }
        events.extend(self.stages(id));
        for (nth, moved) in (0..).zip(self.moves.get(&id).into_iter().flatten()) {
            let key = Key {
                nth,
                ..Key::new(0, moved.what.into())
            };
            let moment = self.moment(moved.release, moved.declared);
            events.extend(moment.map(|moment| (key, moment)));
        }
        events
    }

    fn moment(&self, release: Release, declared: bool) -> Option<Moment<'a>> {
        let declared = Some(declared);
        let moment = self.material.names.moment(release)?;
        Some(Moment { declared, ..moment })
    }

    /// The stages of a gate and the classes of a metric, with their first releases.
    fn levels(&self, id: ElementId) -> impl Iterator<Item = (&'static str, Release)> {
        let gate = self.model().gate(id).into_iter().flat_map(|gate| &gate.specs);
        let gate = gate.map(|spec| (spec.stage.as_str(), spec.since));
        let metric = self.model().metric(id).into_iter().flat_map(|metric| &metric.specs);
        let metric = metric.map(|spec| (spec.stability.as_str(), spec.since));
        gate.chain(metric)
    }

    /// The same after the first, as events.
    fn stages(&self, id: ElementId) -> Vec<(Key<'a>, Moment<'a>)> {
        let gate = self.model().gate(id);
        let stages = (0..).zip(self.levels(id)).skip(1);
        // That the gate is locked is an event of its own.
        let stages = stages.filter(|(nth, _)| !gate.is_some_and(|gate| gate.only_locks(usize::from(*nth))));
        let stages = stages.filter_map(|(nth, (stage, since))| {
            let key = Key {
                life: 0,
                event: MovingEvent::Stage(stage),
                nth,
            };
            Some((key, self.moment(since, true)?))
        });
        stages.collect()
    }

    /// Why an event is in its release: it is declared, or what decides the plan, in words.
    pub(super) fn reason(&self, id: ElementId, key: Key<'_>, moment: Moment<'_>) -> Reason {
        let reasoning = self.material.reasoning;
        let release = reasoning.model.calendar.find(moment.release);
        match (key.event, release) {
            (MovingEvent::Event(what), Ok(release)) if moment.declared != Some(true) => {
                let moves = self.moves.get(&id).map_or(&[][..], Vec::as_slice);
                let moved = moves.get(usize::from(key.nth)).filter(|moved| moved.what == what.kind);
                moved.map_or_else(
                    || decided::planned(reasoning, id, key.life, what.kind, release),
                    |moved| decided::moved(self.material, id, moved),
                )
            }
            (MovingEvent::Event(what), Ok(release)) => self.of_declared(id, what.kind, release),
            _ => Reason::plain("declared"),
        }
    }

    /// That an event is declared; of a version, for which kind, if its own entry has another release.
    fn of_declared(&self, id: ElementId, what: EventKind, release: Release) -> Reason {
        let model = self.model();
        let kinds = model.version_of(id).map_or(&[][..], |version| &version.kinds);
        let mut kinds = kinds.iter().filter(|kind| self.is_declared(**kind, what, release));
        let kind = kinds.next().filter(|_| !self.is_declared(id, what, release));
        let kind = kind.and_then(|kind| model.kind_of(*kind));
        Reason::plain(kind.map_or_else(
            || "declared".to_owned(),
            |kind| format!("declared for its kind {}", kind.name),
        ))
    }

    fn is_declared(&self, id: ElementId, what: EventKind, release: Release) -> bool {
        let model = self.model();
        model.declared_release(model.last_event(id, what)) == Some(release)
    }
}

/// Events that are walks through a group, or entries of a gate or metric.
fn is_moved_or_staged(what: EventKind) -> bool {
    matches!(what, EventKind::Preferred | EventKind::Stored | EventKind::Promoted)
}
