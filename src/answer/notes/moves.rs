//! Changes of the preferred version of a group and of the storage versions of its kinds.

use std::collections::BTreeMap;

use crate::derivation::Reasoning;
use crate::model::{ElementId, EventKind, Group};
use crate::policy::Law;
use crate::rules::declared_moves;
use crate::timeline::{self, Row};

use super::occurrence::{Lives, Occurrence, What};

/// The moves of a group's preferred version and of its kinds' storage versions.
pub(super) fn all<'a>(reasoning: Reasoning<'a>, law: &Law, group: &'a Group) -> Vec<Occurrence<'a>> {
    let timeline = timeline::group_with_moves(reasoning.model, law, reasoning.assignment, group);
    let versions: Vec<ElementId> = group.versions.iter().map(|version| version.element).collect();
    let mut found = Vec::new();
    for pair in timeline.rows.windows(2) {
        let (before, row) = (&pair[0], &pair[1]);
        let moving = Moving { reasoning, group, row };
        if let Some(between) = moved(before.preferred, row.preferred) {
            let declared = moving.is_declared(EventKind::Preferred, &versions);
            found.push(moving.occurrence(EventKind::Preferred, between, declared, Vec::new()));
        }
        found.extend(moving.storage(before));
    }
    found
}

/// The versions between which something moves, if it does.
fn moved(from: Option<usize>, to: Option<usize>) -> Option<(usize, usize)> {
    from.zip(to).filter(|(from, to)| from != to)
}

/// A group in the release of a move.
#[derive(Clone, Copy)]
struct Moving<'a, 'r> {
    reasoning: Reasoning<'a>,
    group: &'a Group,
    row: &'r Row,
}

impl<'a> Moving<'a, '_> {
    /// The storage moves. Kinds that move together, all declared or all planned, are one.
    fn storage(self, before: &Row) -> Vec<Occurrence<'a>> {
        let mut together: BTreeMap<((usize, usize), bool), Lives> = BTreeMap::new();
        for (at, (from, to)) in before.storage.iter().zip(&self.row.storage).enumerate() {
            let Some((from, to)) = moved(*from, *to) else {
                continue;
            };
            // A group without kinds has a storage version of its own.
            let kind = self.group.kinds.get(at);
            let versions: Vec<ElementId> = kind.iter().flat_map(|kind| &kind.versions).flatten().copied().collect();
            let declared = self.is_declared(EventKind::Stored, &versions);
            let named = kind.and_then(|kind| kind.versions[to]).map(|kind| (kind, 0));
            together.entry(((from, to), declared)).or_default().extend(named);
        }
        together
            .into_iter()
            .map(|((between, declared), kinds)| self.occurrence(EventKind::Stored, between, declared, kinds))
            .collect()
    }

    fn is_declared(self, what: EventKind, versions: &[ElementId]) -> bool {
        let mut moves = declared_moves(self.reasoning.model, versions, what).into_iter();
        moves.any(|declared| declared.release == self.row.release)
    }

    fn occurrence(self, what: EventKind, (from, to): (usize, usize), declared: bool, kinds: Lives) -> Occurrence<'a> {
        let [from, to] = [from, to].map(|at| &self.group.versions[at]);
        let moved = What::Moved {
            what,
            from: from.name.as_str(),
            to: to.name.as_str(),
        };
        Occurrence {
            declared,
            kinds,
            ..Occurrence::change(to.element, self.row.release, moved)
        }
    }
}
