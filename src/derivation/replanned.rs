//! Declared ends that are planned again without their declaration: what is found against them names no release from
//! which they could come.
//!
//! Such an end lacks a step that has to come before it, leaves an object without a counterpart, or is late. What it
//! waits for depends on what would be planned for it, so its first release is that of the model without the
//! declaration: the one that a judged removal names.

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

    /// Adds the end of an element, as it follows from the model without it; of a version, those of the kinds that
    /// declare none of their own.
    pub(crate) fn add(&mut self, without: Reasoning<'_>, element: ElementId) {
        let parts = without.model.served_by(element).into_iter();
        let ends = parts.map(|part| without.model.last_event(part, EventKind::Removed));
        for removed in ends.filter(|removed| without.model.find_declared(*removed).is_none()) {
            let soonest = without.soonest_removal(removed);
            self.ends.insert(removed, FirstRelease::of(&soonest));
        }
        if without.model.element(element).kind.is_version() {
            let soonest = without.soonest_end(element);
            self.versions.insert(element, FirstRelease::of(&soonest));
        }
    }

    pub(super) fn end(&self, removed: Event) -> Option<Soonest<'_>> {
        self.ends.get(&removed).map(FirstRelease::soonest)
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
