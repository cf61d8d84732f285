//! The events of one state of a model, and the reason of each.

use std::collections::BTreeMap;

use crate::model::{ElementId, Event, EventKind, Model};
use crate::obligation::Demand;
use crate::plan::{Decision, removed_with};
use crate::release::Release;
use crate::report::{Moment, MovingEvent};
use crate::timeline;

use super::super::Material;
use super::super::elements::Builder;
use super::super::replacements::Replacements;

/// An event of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) life: u8,
    pub(super) event: MovingEvent,
    /// Which time, of an event that repeats.
    nth: u8,
}

impl Key {
    fn new(life: u8, what: EventKind) -> Self {
        Self {
            life,
            event: MovingEvent::Event(what),
            nth: 0,
        }
    }
}

/// The events of all elements.
pub(super) struct Events<'a> {
    material: Material<'a>,
    wholes: Builder<'a>,
    /// When versions become preferred, and kinds are stored in them.
    moves: BTreeMap<ElementId, Vec<(EventKind, Release, bool)>>,
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
            wholes: Builder::new(material, Replacements::of(material.reasoning)),
            moves: moves(material),
        }
    }

    fn model(&self) -> &'a Model {
        self.material.reasoning.model
    }

    pub(super) fn of_element(&self, id: ElementId) -> BTreeMap<Key, Moment<'a>> {
        let model = self.model();
        let mut events = BTreeMap::new();
        if model.version_of(id).is_some_and(|version| !version.kinds.is_empty()) {
            let report = self.wholes.report(id);
            let moments = [report.introduced, report.deprecated, report.hidden, report.removed];
            events.extend(
                REPORTED
                    .into_iter()
                    .zip(moments)
                    .filter_map(|(what, moment)| Some((Key::new(0, what), moment?))),
            );
        } else {
            for life in 0..model.lives(id) {
                let all = EventKind::ALL.into_iter().filter(|what| !is_moved_or_staged(*what));
                let found = all.filter_map(|what| {
                    let moment = self.material.event(Event::new(id, life, what))?;
                    let is_hidden_part = what == EventKind::Hidden && model.element(id).kind.is_member();
                    (!is_hidden_part).then_some((Key::new(life, what), moment))
                });
                events.extend(found);
            }
        }
        events.extend(self.stages(id));
        for (nth, (what, release, declared)) in (0..).zip(self.moves.get(&id).into_iter().flatten()) {
            let key = Key {
                nth,
                ..Key::new(0, *what)
            };
            events.extend(self.moment(*release, *declared).map(|moment| (key, moment)));
        }
        events
    }

    fn moment(&self, release: Release, declared: bool) -> Option<Moment<'a>> {
        let declared = Some(declared);
        let moment = self.material.names.moment(release)?;
        Some(Moment { declared, ..moment })
    }

    /// The stages of a gate and the classes of a metric after the first.
    fn stages(&self, id: ElementId) -> Vec<(Key, Moment<'a>)> {
        let gate = self.model().gate(id).into_iter().flat_map(|gate| &gate.specs);
        let gate = gate.map(|spec| (spec.stage.as_str(), spec.since));
        let metric = self.model().metric(id).into_iter().flat_map(|metric| &metric.specs);
        let metric = metric.map(|spec| (spec.stability.as_str(), spec.since));
        let stages = (0..)
            .zip(gate.chain(metric))
            .skip(1)
            .filter_map(|(nth, (stage, since))| {
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
    pub(super) fn reason(&self, id: ElementId, key: Key, moment: Moment<'_>) -> String {
        if moment.declared == Some(true) {
            return "declared".to_owned();
        }
        let MovingEvent::Event(what) = key.event else {
            return "declared".to_owned();
        };
        if matches!(what, EventKind::Preferred | EventKind::Stored) {
            return "the highest-ranked version that an earlier release served beside the current one".to_owned();
        }
        let parts = self.model().served_by(id);
        let release = self.model().calendar.find(moment.release).ok();
        let reasoning = self.material.reasoning;
        let events = parts.iter().map(|part| {
            let life = key.life.min(self.model().last_life(*part));
            Event::new(*part, life, what)
        });
        let own = events.into_iter().find(|event| reasoning.release(*event) == release);
        own.map_or_else(|| "planned".to_owned(), |event| self.decision(event))
    }

    fn decision(&self, event: Event) -> String {
        let reasoning = self.material.reasoning;
        let Some(planned) = reasoning.planned(event) else {
            let owner = removed_with(reasoning.model, event);
            return match owner {
                Some(owner) => format!("with {}", reasoning.model.id(owner.element)),
                None => "follows from what is declared".to_owned(),
            };
        };
        let decided = match planned.decision {
            Decision::Obligation(position) => reasoning.obligations.get(position),
            Decision::Current => None,
        };
        let Some(obligation) = decided else {
            return "the first release that has not shipped".to_owned();
        };
        let worked = match &obligation.demand {
            Demand::NotAfter(term) => Some(reasoning.work(*term)),
            demand => reasoning.deciding(demand),
        };
        worked.map_or_else(
            || obligation.because.to_string(),
            |worked| reasoning.sentence(obligation, &worked),
        )
    }
}

/// Events that are walks through a group, or entries of a gate or metric.
fn is_moved_or_staged(what: EventKind) -> bool {
    matches!(what, EventKind::Preferred | EventKind::Stored | EventKind::Promoted)
}

/// The releases in which versions become the preferred and the storage version.
fn moves(material: Material<'_>) -> BTreeMap<ElementId, Vec<(EventKind, Release, bool)>> {
    let reasoning = material.reasoning;
    let model = reasoning.model;
    let mut moves: BTreeMap<ElementId, Vec<(EventKind, Release, bool)>> = BTreeMap::new();
    let mut found: Vec<(ElementId, EventKind, Release)> = Vec::new();
    for group in &model.groups {
        let rows = timeline::group(model, material.law, reasoning.assignment, group).rows;
        let mut before: (Option<usize>, Vec<Option<usize>>) = (None, vec![None; group.kinds.len()]);
        for row in rows {
            if let Some(at) = row.preferred.filter(|_| row.preferred != before.0) {
                found.push((group.versions[at].element, EventKind::Preferred, row.release));
            }
            for ((kind, now), was) in group.kinds.iter().zip(&row.storage).zip(&before.1) {
                let version = now.filter(|_| now != was).and_then(|at| kind.versions[at]);
                found.extend(version.map(|element| (element, EventKind::Stored, row.release)));
            }
            before = (row.preferred, row.storage);
        }
    }
    for (element, what, release) in found {
        let declared = model.declared_release(Event::new(element, 0, what)) == Some(release);
        moves.entry(element).or_default().push((what, release, declared));
    }
    moves
}
