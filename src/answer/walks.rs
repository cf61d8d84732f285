//! When versions become preferred, and kinds are stored in them.

use std::collections::{BTreeMap, HashSet};

use crate::derivation::Reasoning;
use crate::model::{ElementId, Event, EventKind, Family, Model};
use crate::release::Release;
use crate::stability::Track;
use crate::timeline;

use super::Material;

/// A version becomes the preferred one of its group, or the storage version of a kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    /// [`EventKind::Preferred`] or [`EventKind::Stored`].
    pub(super) what: EventKind,
    pub(super) release: Release,
    pub(super) declared: bool,
    /// The version, or the kind in it, that it was before; `None` at the beginning.
    pub(super) from: Option<ElementId>,
}

/// The moves to each version, and to each kind in a version.
pub(super) fn moves(material: Material<'_>) -> BTreeMap<ElementId, Vec<Move>> {
    let reasoning = material.reasoning;
    let model = reasoning.model;
    let mut found: Vec<(ElementId, EventKind, Release, Option<ElementId>)> = Vec::new();
    for group in model.judged_groups() {
        let rows = timeline::group(model, material.law, reasoning.assignment, group).rows;
        let mut before: (Option<usize>, Vec<Option<usize>>) = (None, vec![None; group.kinds.len()]);
        for row in rows {
            if let Some(at) = row.preferred.filter(|_| row.preferred != before.0) {
                let from = before.0.map(|at| group.versions[at].element);
                found.push((group.versions[at].element, EventKind::Preferred, row.release, from));
            }
            for ((kind, now), was) in group.kinds.iter().zip(&row.storage).zip(&before.1) {
                let version = now.filter(|_| now != was).and_then(|at| kind.versions[at]);
                let from = was.and_then(|at| kind.versions[at]);
                found.extend(version.map(|element| (element, EventKind::Stored, row.release, from)));
            }
            before = (row.preferred, row.storage);
        }
    }
    let mut moves: BTreeMap<ElementId, Vec<Move>> = BTreeMap::new();
    for (element, what, release, from) in found {
        let declared = model.declared_release(Event::new(element, 0, what)) == Some(release);
        moves.entry(element).or_default().push(Move {
            what,
            release,
            declared,
            from,
        });
    }
    moves
}

/// The kinds that are stored in a version, at some time.
pub(super) fn stored(material: Material<'_>) -> HashSet<ElementId> {
    let moves = moves(material).into_iter();
    let stored = moves.filter(|(_, moves)| moves.iter().any(|moved| moved.what == EventKind::Stored));
    stored.map(|(element, _)| element).collect()
}

/// When storage moves away for the last time from each version of a kind.
pub(super) fn left_last(walks: &BTreeMap<ElementId, Vec<Move>>) -> BTreeMap<ElementId, Release> {
    let moves = walks.values().flatten().filter(|moved| moved.what == EventKind::Stored);
    let mut left = BTreeMap::new();
    for (from, release) in moves.filter_map(|moved| Some((moved.from?, moved.release))) {
        let last = left.entry(from).or_insert(release);
        *last = release.max(*last);
    }
    left
}

/// The planned moves of all walks: of what, by whom, when, and to what. Declared moves are not mixed with them.
pub(super) struct Planned<'m> {
    model: &'m Model,
    moves: BTreeMap<(EventKind, Walker<'m>), Vec<(Release, ElementId)>>,
    /// The release of the first declared move of each walk that has one.
    declared: BTreeMap<(EventKind, Walker<'m>), Release>,
}

/// The group whose versions are walked through, and the kind.
type Walker<'m> = (Option<(Family, &'m str)>, Option<&'m str>);

impl<'m> Planned<'m> {
    pub(super) fn of(model: &'m Model, walks: &BTreeMap<ElementId, Vec<Move>>) -> Self {
        let mut moves: BTreeMap<_, Vec<(Release, ElementId)>> = BTreeMap::new();
        let mut declared: BTreeMap<_, Release> = BTreeMap::new();
        for (id, moved) in walks
            .iter()
            .flat_map(|(id, moves)| moves.iter().map(|moved| (*id, moved)))
        {
            let walk = (moved.what, walker(model, id));
            if moved.declared {
                let first = declared.entry(walk).or_insert(moved.release);
                *first = moved.release.min(*first);
            } else {
                moves.entry(walk).or_default().push((moved.release, id));
            }
        }
        for walk in moves.values_mut() {
            walk.sort_unstable();
        }
        Self { model, moves, declared }
    }

    /// The moves of a walk that have to be declared with one of them, up to it, in their order. Between declared moves
    /// nothing moves by plan, so all moves after the first declared one are listed; those that shipped before it are
    /// not.
    pub(super) fn until(&self, id: ElementId, last: &Move) -> impl Iterator<Item = (Release, ElementId)> {
        let walk = (last.what, walker(self.model, id));
        let next = self.model.calendar.next();
        let first = self.declared.get(&walk).map_or(next, |declared| next.min(*declared));
        let moves = self.moves.get(&walk).into_iter().flatten().copied();
        moves
            .skip_while(move |(release, _)| *release < first)
            .take_while(|(release, _)| *release <= last.release)
    }
}

fn walker(model: &Model, id: ElementId) -> Walker<'_> {
    let group = model.group_of(id).map(|group| (group.family, group.name.as_str()));
    (group, model.kind_of(id).map(|kind| kind.name.as_str()))
}

/// The alpha that the plan removes in the release of a move from it: without an overlap, the move is legal only then.
pub(super) fn left_by(reasoning: Reasoning<'_>, moves: &[Move], release: Release) -> Option<ElementId> {
    let model = reasoning.model;
    let from = moves.iter().find(|moved| moved.release == release)?.from?;
    let is_alpha = model.track_at(from, release) == Track::Alpha;
    let mut parts = model.served_by(from).into_iter();
    let leaves = parts.all(|part| {
        let planned = reasoning.planned(model.last_event(part, EventKind::Removed));
        planned.is_some_and(|planned| planned.release == release)
    });
    (is_alpha && leaves).then_some(from)
}

/// The first release that may migrate what was stored in a version before a move. `None` if that is declared, or the
/// version is not deprecated, or removed by then.
pub(super) fn migration(reasoning: Reasoning<'_>, from: ElementId, moved: &Move) -> Option<Release> {
    let model = reasoning.model;
    let event = model.last_event(from, EventKind::Migrated);
    let release = moved.release.plus(1).max(model.calendar.next());
    let removed = reasoning.release(event.sibling(EventKind::Removed));
    let deprecated = reasoning.release(event.sibling(EventKind::Deprecated));
    let is_open = moved.what == EventKind::Stored
        && removed.is_none_or(|removed| removed > release)
        && deprecated.is_some_and(|deprecated| deprecated <= release)
        && model.find_declared(event).is_none();
    is_open.then_some(release)
}
