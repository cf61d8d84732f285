//! Which versions of a kind are compared with which.
//!
//! All pairs are compared while they are few. Many versions are compared with their neighbors only: if two of the
//! versions that a release serves differ in a field, two that follow each other in that release do.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ElementId, Event, EventKind, Kind, Model};
use crate::release::Release;

/// The most versions of a kind of which all pairs are compared: a finding for each pair helps no reader of more.
const MOST_VERSIONS: usize = 64;

/// The most pairs of a field and a version without it, in a model, that are all compared: each may be a finding.
const MOST_GAPS: usize = 50_000;

/// The versions that each version is compared with, by position.
pub(super) enum Partners {
    /// All others, of so many.
    All(usize),
    /// Those next to it in some release.
    Neighbors(BTreeMap<usize, BTreeSet<usize>>),
}

impl Partners {
    /// The partners of versions, each as an element that is served. `few` says whether the model has few gaps.
    pub(super) fn of(model: &Model, versions: &[Option<ElementId>], few: bool) -> Self {
        if few && versions.iter().flatten().count() <= MOST_VERSIONS {
            Self::All(versions.len())
        } else {
            Self::Neighbors(neighbors(model, versions))
        }
    }

    pub(super) fn of_version(&self, at: usize) -> Box<dyn Iterator<Item = usize> + '_> {
        match self {
            Self::All(count) => Box::new((0..*count).filter(move |other| *other != at)),
            Self::Neighbors(found) => Box::new(found.get(&at).into_iter().flatten().copied()),
        }
    }
}

/// Whether all pairs of a member and a version without it may be compared.
pub(super) fn has_few_gaps(model: &Model) -> bool {
    let kinds = model.groups.iter().flat_map(|group| &group.kinds);
    kinds.map(gaps).sum::<usize>() <= MOST_GAPS
}

fn gaps(kind: &Kind) -> usize {
    let versions = kind.versions.iter().flatten().count();
    let members = kind.members.iter();
    let of_members = members.map(|member| {
        let present = member.versions.iter().flatten().count();
        present * versions.saturating_sub(present)
    });
    of_members.sum()
}

/// The pairs of versions that follow each other, in the order of the group, among those that some release serves.
fn neighbors(model: &Model, versions: &[Option<ElementId>]) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut served = BTreeSet::new();
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (_, begins, at) in changes(model, versions) {
        let before = served.range(..at).next_back().copied();
        let after = served.range(at + 1..).next().copied();
        let pairs = if begins {
            served.insert(at);
            [(before, Some(at)), (Some(at), after)]
        } else {
            served.remove(&at);
            [(before, after), (None, None)]
        };
        for (one, other) in pairs.into_iter().filter_map(|(one, other)| one.zip(other)) {
            found.entry(one).or_default().insert(other);
            found.entry(other).or_default().insert(one);
        }
    }
    found
}

/// When versions begin and end to be served, in order; in one release ends come first.
fn changes(model: &Model, versions: &[Option<ElementId>]) -> Vec<(Release, bool, usize)> {
    let mut changes = Vec::new();
    for (at, element) in versions.iter().enumerate() {
        for (element, life) in element
            .iter()
            .flat_map(|id| (0..model.lives(*id)).map(|life| (*id, life)))
        {
            for (what, begins) in [(EventKind::Introduced, true), (EventKind::Removed, false)] {
                let declared = model.find_declared(Event::new(element, life, what));
                changes.extend(declared.map(|declared| (declared.release, begins, at)));
            }
        }
    }
    changes.sort_unstable();
    changes
}
