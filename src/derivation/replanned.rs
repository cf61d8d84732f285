//! Ends that are planned again, because what they wait for depends on what would be planned for them otherwise.
//!
//! A declared end is planned again without its declaration if what is found against it names no release from which it
//! could come: it lacks a step that has to come before it, leaves an object without a counterpart, or is late. Its
//! first release is then the one that a judged removal names.
//!
//! A life that a gate is about to make more stable is planned again as if its end were announced before.

use std::collections::BTreeMap;

use crate::model::{ElementId, Event, EventKind};
use crate::obligation::Obligation;

use super::soonest::{Soonest, Supposed};
use super::{Decisive, Reasoning, Release, Worked};

/// The first releases of such ends.
#[derive(Debug, Default)]
pub(crate) struct Replanned {
    ends: BTreeMap<Event, FirstRelease>,
    /// Those of versions as a whole.
    versions: BTreeMap<ElementId, FirstRelease>,
    /// Of the ends that are sooner if they are announced before a gate makes the life more stable.
    before: BTreeMap<Event, BeforePromotion>,
}

/// The announcement of an end in a release in which the life is less stable than the plan would have it then.
#[derive(Debug, Clone, Copy)]
pub(super) struct BeforePromotion {
    /// It has shipped if only a removal in the next release is as early.
    pub(super) announced: Release,
    /// Nothing has to announce the end of a life that is so little stable.
    pub(super) is_free: bool,
}

/// A [`Soonest`] of another model.
#[derive(Debug)]
struct FirstRelease {
    removed: Event,
    last: ElementId,
    release: Release,
    decisive: Option<(Obligation, Worked)>,
    supposed: Option<Supposed>,
}

impl Replanned {
    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty() && self.versions.is_empty()
    }

    /// Adds the end of a life, as it follows from the model in which it is announced in a release, if that is sooner
    /// than planned.
    pub(crate) fn add_announced(
        &mut self,
        planned: Reasoning<'_>,
        again: Reasoning<'_>,
        (removed, announced): (Event, Release),
    ) {
        let soonest = again.soonest_removal(removed);
        let is_free = again.waiting(removed, removed.sibling(EventKind::Deprecated)).is_none();
        let has_shipped = announced < again.model.calendar.next();
        let is_possible = !has_shipped || is_free && soonest.release == planned.first_open(removed);
        if is_possible && soonest.release < planned.soonest_removal(removed).release {
            self.ends.insert(removed, FirstRelease::of(&soonest));
            self.before.insert(removed, BeforePromotion { announced, is_free });
        }
    }

    /// Adds the end of an element, as it follows from the model without it; of a version, those of the kinds that
    /// declare none of their own.
    pub(crate) fn add(&mut self, without: Reasoning<'_>, element: ElementId) {
        let parts = without.model.served_by(element).into_iter();
        let ends = parts.map(|part| without.model.last_event(part, EventKind::Removed));
        for removed in ends.filter(|removed| without.model.find_declared(*removed).is_none()) {
            let soonest = without.soonest_removal(removed);
            self.ends.insert(removed, FirstRelease::of(&soonest));
            let before = without.replanned.and_then(|again| again.before_promotion(removed));
            self.before.extend(before.map(|before| (removed, before)));
        }
        if without.model.element(element).kind.is_version() {
            let soonest = without.soonest_end(element);
            self.versions.insert(element, FirstRelease::of(&soonest));
        }
    }

    pub(super) fn end(&self, removed: Event) -> Option<Soonest<'_>> {
        self.ends.get(&removed).map(FirstRelease::soonest)
    }

    pub(super) fn before_promotion(&self, removed: Event) -> Option<BeforePromotion> {
        self.before.get(&removed).copied()
    }

    pub(super) fn version(&self, version: ElementId) -> Option<Soonest<'_>> {
        self.versions.get(&version).map(FirstRelease::soonest)
    }
}

impl FirstRelease {
    fn of(soonest: &Soonest<'_>) -> Self {
        let decisive = soonest.decisive.map(|found| (found.obligation.clone(), found.worked));
        Self {
            removed: soonest.removed,
            last: soonest.last,
            release: soonest.release,
            decisive,
            supposed: soonest.supposed,
        }
    }

    fn soonest(&self) -> Soonest<'_> {
        let decisive = self.decisive.as_ref();
        Soonest {
            removed: self.removed,
            last: self.last,
            release: self.release,
            decisive: decisive.map(|(obligation, worked)| Decisive {
                position: None,
                obligation,
                worked: *worked,
            }),
            supposed: self.supposed,
        }
    }
}
