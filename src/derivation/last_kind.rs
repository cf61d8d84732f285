//! The first release in which a version may end: it is served as long as any of its kinds is.

use crate::model::{ElementId, EventKind};
use crate::release::Release;

use super::{Reasoning, Soonest};

impl<'r> Reasoning<'r> {
    /// The first release in which the last life of an element may end: of a version, that of the kind that may end
    /// last. A kind that has ended does not count, unless all have, nor one whose own declared end comes before the
    /// others may end.
    pub(crate) fn soonest_end(self, element: ElementId) -> Soonest<'r> {
        if let Some(known) = self.replanned.and_then(|ends| ends.version(element)) {
            return known;
        }
        if !self.model.element(element).kind.is_version() {
            return self.soonest_removal(self.model.last_event(element, EventKind::Removed));
        }
        let mut parts = self.model.served_by(element);
        if parts.iter().any(|part| !self.has_ended(*part)) {
            parts.retain(|part| !self.has_ended(*part));
        }
        let ends = parts
            .iter()
            .map(|part| self.model.last_event(*part, EventKind::Removed));
        let ends: Vec<(Soonest<'_>, Option<Release>)> = ends
            .map(|removed| self.soonest_removal(removed))
            .map(|soonest| (soonest, self.declared_too_early(&soonest)))
            .collect();
        let staying = ends.iter().filter(|(_, too_early)| too_early.is_none());
        let others = staying.map(|(soonest, _)| soonest.release).max();
        let counted = ends
            .into_iter()
            .filter(|(_, too_early)| too_early.is_none_or(|end| others.is_none_or(|others| end > others)));
        let last = self.last_together(counted.map(|(soonest, _)| soonest).collect());
        match last {
            Some(last) if parts != [element] => self.as_a_whole(element, last),
            Some(own) => own,
            None => self.soonest_removal(self.model.last_event(element, EventKind::Removed)),
        }
    }

    /// The first release in which a version may end as a whole, which may have to stay longer than each of its kinds.
    pub(crate) fn as_a_whole(self, version: ElementId, kinds: Soonest<'r>) -> Soonest<'r> {
        let removed = self.model.last_event(version, EventKind::Removed);
        match self.lower(removed) {
            Some(found) if found.worked.release() > kinds.release => Soonest {
                removed,
                release: found.worked.release(),
                decisive: Some(found),
                ..kinds
            },
            _ => kinds,
        }
    }

    /// Of ends that come together, the one that may come last; of several, the first.
    fn last_together(self, mut ends: Vec<Soonest<'r>>) -> Option<Soonest<'r>> {
        loop {
            let last = last_of(&ends)?;
            let together = ends.iter().map(|end| self.not_before(*end, last.release));
            ends = together.collect();
            if last_of(&ends)?.release == last.release {
                return Some(last);
            }
        }
    }

    /// The first release of an end that comes no sooner than a release, because others end with it: what nothing has to
    /// announce while a gate lowers it may have to be announced by then.
    fn not_before(self, soonest: Soonest<'r>, release: Release) -> Soonest<'r> {
        match self.end_before_promotion(soonest.removed) {
            Some(end) if end < release => self.soonest_as_declared(soonest.removed),
            _ => soonest,
        }
    }

    /// The declared end of a life by its own entry, if that is too early.
    fn declared_too_early(self, soonest: &Soonest<'_>) -> Option<Release> {
        let declared = self.model.declared_of(soonest.removed.element).iter();
        let mut ends = declared.filter(|declared| declared.event == soonest.removed);
        let end = ends.next()?.release;
        (end < soonest.release).then_some(end)
    }
}

/// Of ends, the one that may come last; of several, the first.
fn last_of<'r>(ends: &[Soonest<'r>]) -> Option<Soonest<'r>> {
    let ends = ends.iter().copied();
    ends.reduce(|last, next| if next.release > last.release { next } else { last })
}
