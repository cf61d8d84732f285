//! When the end of a life that nothing announces yet could be announced first. That release decides which edition of
//! the policy applies, and how stable the element is then.

use std::collections::BTreeSet;

use crate::release::Release;

use super::{Declared, ElementId, Event, EventKind, Model, comes_before};

impl Model {
    /// The first release in which the end of a life may be announced: it has not shipped, and neither the introduction
    /// nor a step that is declared comes after it.
    pub(crate) fn first_announcement(&self, removed: Event) -> Release {
        // What declares no introduction is older than the calendar.
        let introduced = self.declared_release(removed.sibling(EventKind::Introduced));
        let introduced = introduced.unwrap_or(Release(0));
        introduced.max(self.last_step(removed)).max(self.calendar.next())
    }

    /// The release in which the end of a life is announced, as declared: by its deprecation, or else by the end itself.
    /// Without a declaration, the first possible one.
    pub(crate) fn announced(&self, removed: Event) -> Release {
        let deprecated = self.deprecation(removed.element, removed.life);
        let declared = deprecated.or_else(|| self.find_declared(removed));
        declared.map_or_else(|| self.first_announcement(removed), |declared| declared.release)
    }

    /// The element whose entry says that this one is never deprecated: itself, or the version of a kind.
    pub(crate) fn keeps(&self, element: ElementId) -> Option<ElementId> {
        let mut ids = [Some(element), self.element(element).parent].into_iter().flatten();
        ids.find(|id| self.attributes(*id).is_some_and(|own| own.never_deprecated.is_some()))
    }

    /// The kinds of a version whose end is to be announced by their own entries: these have their deprecations, and no
    /// longer take those of the version; or other kinds of it are deprecated already.
    ///
    /// A kind with earlier lives, which an entry of its own would have to list, is deprecated with its version: that is
    /// the smaller change.
    pub(crate) fn announced_alone(&self, version: ElementId) -> BTreeSet<ElementId> {
        let parts = self.served_by(version);
        let mut deprecated = parts.iter().map(|part| self.deprecation(*part, self.last_life(*part)));
        let are_some_deprecated = deprecated.any(|deprecated| deprecated.is_some());
        let kinds = parts.into_iter().filter(|part| *part != version);
        let alone = kinds.filter(|kind| {
            self.declares_itself(self.last_event(*kind, EventKind::Deprecated))
                || are_some_deprecated && self.lives(*kind) == 1
        });
        alone.collect()
    }

    /// The last introduction of a value that a field has in one version alone: the field stays until after it. A value
    /// of several versions is left out where its field is not there.
    pub(crate) fn last_own_value(&self, field: ElementId) -> Option<&Declared> {
        let kind = self.element(field).parent.and_then(|kind| self.kind_of(kind))?;
        let of_one = kind.members.iter().filter_map(|member| {
            let mut versions = member.versions.iter().flatten();
            versions.next().filter(|_| versions.next().is_none())
        });
        let own = of_one.filter(|part| self.owner(**part) == Some(field));
        let begins = own.filter_map(|part| self.find_declared(self.last_event(*part, EventKind::Introduced)));
        begins.max_by_key(|begins| begins.release)
    }

    /// Whether the entry of an element can declare an event for a release: what else it declares of that life stays in
    /// its order, but for events that move too.
    pub(crate) fn has_room(&self, event: Event, release: Release, moving: &BTreeSet<(ElementId, EventKind)>) -> bool {
        let own = self
            .declared_of(event.element)
            .iter()
            .map(|own| (own.event, own.release));
        // What was withdrawn is announced again after that.
        let is_again = event.what == EventKind::Deprecated && self.in_force(event).is_none();
        let own = own.filter(|(own, _)| !is_again || own.what != EventKind::Undeprecated);
        let mut staying = own.filter(|(own, _)| own.life == event.life && !moving.contains(&(own.element, own.what)));
        staying.all(|(own, at)| are_in_order((own.what, at), (event.what, release)))
    }

    /// The first release in which no declaration says that a life goes on: that of the last entry of a gate, or the
    /// one after a deprecation was withdrawn. A metric may be deprecated before an entry, and has to be before it moves
    /// to a lower class.
    fn last_step(&self, removed: Event) -> Release {
        let entry = self
            .last_entry(removed)
            .filter(|_| self.gate(removed.element).is_some());
        let entry = entry.map(|entry| entry.release);
        self.last_withdrawal(removed).max(entry.unwrap_or(Release(0)))
    }

    /// The release after the one in which a deprecation of a life was withdrawn for the last time.
    pub(crate) fn last_withdrawal(&self, removed: Event) -> Release {
        let withdrawn = self.repeated(removed.sibling(EventKind::Undeprecated));
        let withdrawn = withdrawn.map(|declared| declared.release.plus(1));
        withdrawn.max().unwrap_or(Release(0))
    }

    /// The last entry of a gate or metric, if it has more than the one that introduces it.
    pub(crate) fn last_entry(&self, removed: Event) -> Option<&Declared> {
        let own = self.declared_of(removed.element).iter();
        let entries = own.filter(|declared| declared.event.what == EventKind::Promoted);
        entries.max_by_key(|entry| entry.release)
    }
}

/// Whether two events of a life stand in their order.
fn are_in_order(one: (EventKind, Release), other: (EventKind, Release)) -> bool {
    comes_before().all(|(first, then, same)| {
        let releases = match (one.0, other.0) {
            kinds if kinds == (first, then) => Some((one.1, other.1)),
            kinds if kinds == (then, first) => Some((other.1, one.1)),
            _ => None,
        };
        releases.is_none_or(|(earlier, later)| earlier < later || (same && earlier == later))
    })
}
