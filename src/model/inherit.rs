//! What a kind takes from its version, life by life.
//!
//! A kind may leave a version and come back while the version stays, and a version may come back with some of its
//! kinds. So a life of a kind takes what its entry does not declare from the life of the version in which it begins, as
//! far as that happens while the kind is there.

use crate::release::Release;

use super::{Declared, ElementId, Event, EventKind, Model};

impl Model {
    /// The declaration by the version of an event that the entry of a kind does not declare.
    pub(super) fn inherited(&self, event: Event) -> Option<&Declared> {
        let kind = self.element(event.element);
        let version = kind.parent?;
        let is_deprecation = matches!(event.what, EventKind::Deprecated | EventKind::Undeprecated);
        // The entry says that it is deprecated in no release.
        let is_kept = self
            .attributes(event.element)
            .is_some_and(|own| own.never_deprecated.is_some());
        if is_deprecation && is_kept && event.life == self.last_life(event.element) {
            return None;
        }
        if self.declared_of(event.element).is_empty() {
            return self.find_declared(event.of(version));
        }
        let life = self.version_life(event.element, event.life)?;
        let declared = self.find_declared(Event {
            life,
            ..event.of(version)
        })?;
        let own = self.declared_of(event.element).iter();
        let again = Event::new(event.element, event.life.checked_add(1)?, EventKind::Introduced);
        // What happens to the version after the kind is back happens to the later life.
        if own
            .clone()
            .any(|own| own.event == again && own.release < declared.release)
        {
            return None;
        }
        let fits = own.filter(|own| own.event.life == event.life).all(|own| {
            match (own.event.what, event.what) {
                (EventKind::Introduced, EventKind::Deprecated) => declared.release >= own.release,
                (EventKind::Introduced, EventKind::Undeprecated) => declared.release > own.release,
                (EventKind::Removed, EventKind::Deprecated | EventKind::Undeprecated)
                | (EventKind::Dropped, EventKind::Migrated) => declared.release <= own.release,
                // One entry declares all deprecations of a life, and when they are withdrawn.
                (EventKind::Deprecated, EventKind::Deprecated | EventKind::Undeprecated)
                | (EventKind::Undeprecated, EventKind::Undeprecated) => false,
                _ => true,
            }
        });
        fits.then_some(declared)
    }

    /// The life of its version in which a life of a kind begins; without an introduction of its own, the one at the
    /// same position.
    pub(crate) fn version_life(&self, kind: ElementId, life: u8) -> Option<u8> {
        let version = self.element(kind).parent?;
        let begin = Event::new(kind, life, EventKind::Introduced);
        let own = self.declared_of(kind).iter().find(|declared| declared.event == begin);
        let lives = self.lives(version);
        let Some(own) = own else {
            return (life < lives).then_some(life);
        };
        let mut there = (0..lives).filter(|life| {
            let removed = self.declared_release(Event::new(version, *life, EventKind::Removed));
            removed.is_none_or(|removed| removed > own.release)
        });
        there.next().or(Some(lives - 1))
    }

    /// Whether the last life of a kind takes all deprecations of its version, so that it takes one more: a kind that
    /// enters after the first one has those that follow as its own.
    pub(crate) fn takes_deprecations(&self, kind: ElementId) -> bool {
        let own = self.last_event(kind, EventKind::Deprecated);
        let version = self.element(kind).parent.zip(self.version_life(kind, own.life));
        let mut declared = self
            .declared_of(kind)
            .iter()
            .filter(|declared| declared.event.life == own.life);
        let is_stated =
            declared.any(|declared| matches!(declared.event.what, EventKind::Deprecated | EventKind::Undeprecated));
        version.is_some_and(|(version, life)| {
            let all = self.repeated(Event::new(version, life, EventKind::Deprecated));
            !is_stated && self.repeated(own).count() == all.count()
        })
    }

    /// The deprecation of a version that is in force when a kind enters it, if it was declared before.
    pub(crate) fn deprecated_before(&self, introduced: &Declared) -> Option<&Declared> {
        let kind = introduced.event.element;
        let version = self.element(kind).parent?;
        let life = self.version_life(kind, introduced.event.life)?;
        let deprecated = Event::new(version, life, EventKind::Deprecated);
        let by = introduced.release;
        let last = self
            .repeated(deprecated)
            .filter(|declared| declared.release <= by)
            .last()?;
        let mut withdrawn = self.repeated(deprecated.sibling(EventKind::Undeprecated));
        let is_withdrawn = withdrawn.any(|withdrawn| (last.release..=by).contains(&withdrawn.release));
        (last.release < by && !is_withdrawn).then_some(last)
    }

    /// The deprecations of a version, and their withdrawals, for a kind that enters it after the first of them. The
    /// kind is deprecated from its start if the version is then.
    pub(super) fn deprecations_from(&self, introduced: &Declared) -> Vec<Declared> {
        let kind = introduced.event.element;
        let Some((version, life)) = self
            .element(kind)
            .parent
            .zip(self.version_life(kind, introduced.event.life))
        else {
            return Vec::new();
        };
        let deprecated = Event::new(version, life, EventKind::Deprecated);
        if self
            .repeated(deprecated)
            .all(|declared| declared.release >= introduced.release)
        {
            return Vec::new();
        }
        let removed = introduced.event.sibling(EventKind::Removed);
        let removed = self.declared_of(kind).iter().find(|declared| declared.event == removed);
        let end = removed.map_or(Release::NEVER, |removed| removed.release);
        let at_start = self.deprecated_before(introduced).into_iter().map(|declared| Declared {
            release: introduced.release,
            ..*declared
        });
        let mut events = Vec::new();
        for what in [EventKind::Deprecated, EventKind::Undeprecated] {
            let start = at_start.clone().filter(|_| what == EventKind::Deprecated);
            let least = introduced.release.plus(u32::from(what == EventKind::Undeprecated));
            let later = self.repeated(deprecated.sibling(what)).copied();
            let later = later.filter(|declared| declared.release >= least && declared.release <= end);
            let all = (0..=u8::MAX).zip(start.chain(later));
            events.extend(all.map(|(step, declared)| Declared {
                event: Event {
                    step,
                    ..introduced.event.sibling(what)
                },
                ..declared
            }));
        }
        events
    }
}
