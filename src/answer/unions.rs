//! The lives of versions with kinds: a version lives as long as the last of them, and again where one is back after all
//! have ended.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::model::{ElementId, Event, EventKind, Version};
use crate::release::Release;
use crate::report::{LifeReport, Moment};

use super::Material;

/// The last life of a version, and those before it.
#[derive(Debug)]
pub(super) struct Union<'a> {
    pub(super) introduced: Option<Moment<'a>>,
    pub(super) deprecated: Option<Moment<'a>>,
    /// The deprecation of the version, or of the kind without one that is due first.
    pub(super) deprecation: Event,
    pub(super) earlier_lives: Vec<LifeReport<'a>>,
    /// The end of the kind that is removed last.
    pub(super) last: Event,
}

impl<'a> Union<'a> {
    /// `None` of a version without kinds.
    pub(super) fn of(material: Material<'a>, version: &Version) -> Option<Self> {
        let kinds = Kinds { material, version };
        let mut lives = kinds.lives();
        let own = lives.pop()?;
        let last = own.iter().copied();
        let last =
            last.max_by_key(|removed| (kinds.end(*removed), kinds.soonest(*removed), Reverse(removed.element)))?;
        Some(Self {
            introduced: kinds.introduced(&own),
            deprecated: kinds.deprecated(&own),
            deprecation: kinds.deprecation(&own)?,
            earlier_lives: lives.iter().map(|life| kinds.life(life)).collect(),
            last,
        })
    }
}

/// The kinds of a version.
struct Kinds<'a, 'v> {
    material: Material<'a>,
    version: &'v Version,
}

impl<'a> Kinds<'a, '_> {
    /// The ends of the lives of the kinds, by the life of the version: what begins after all others have ended begins
    /// another one.
    fn lives(&self) -> Vec<Vec<Event>> {
        let reasoning = self.material.reasoning;
        let removals = self.version.kinds.iter().flat_map(|kind| {
            let lives = 0..reasoning.model.lives(*kind);
            lives.map(move |life| Event::new(*kind, life, EventKind::Removed))
        });
        let mut removals: Vec<(Option<Release>, Event)> = removals
            .map(|removed| (reasoning.release(removed.sibling(EventKind::Introduced)), removed))
            .collect();
        removals.sort_by_key(|(begin, _)| *begin);
        let mut lives: Vec<Vec<Event>> = Vec::new();
        let mut end = Release(0);
        let mut there: BTreeSet<ElementId> = BTreeSet::new();
        for (begin, removed) in removals {
            // A kind that takes over from another one continues the life of the version.
            let continues = begin.is_none_or(|begin| begin < end || begin == end && !there.contains(&removed.element));
            match lives.last_mut().filter(|_| continues) {
                Some(life) => life.push(removed),
                None => {
                    lives.push(vec![removed]);
                    there.clear();
                }
            }
            there.insert(removed.element);
            end = end.max(self.end(removed));
        }
        lives
    }

    fn life(&self, ends: &[Event]) -> LifeReport<'a> {
        let last = ends.iter().max_by_key(|removed| self.end(**removed));
        LifeReport {
            introduced: self.introduced(ends),
            deprecated: self.deprecated(ends),
            removed: last.and_then(|removed| self.material.event(*removed)),
        }
    }

    /// The first introduction of some lives.
    fn introduced(&self, ends: &[Event]) -> Option<Moment<'a>> {
        let begins = ends.iter().map(|removed| removed.sibling(EventKind::Introduced));
        let first = begins.min_by_key(|introduced| self.material.reasoning.release(*introduced))?;
        self.material.event(first)
    }

    fn deprecated(&self, ends: &[Event]) -> Option<Moment<'a>> {
        let deprecation = self.deprecation(ends)?;
        self.material.event(self.deprecation_of(deprecation))
    }

    /// The last deprecation of a kind in some lives, if all that are there from then on have one; else that of the one
    /// without it which is due first.
    fn deprecation(&self, ends: &[Event]) -> Option<Event> {
        let reasoning = self.material.reasoning;
        let deprecations = ends.iter().map(|removed| removed.sibling(EventKind::Deprecated));
        let (with, without): (Vec<Event>, Vec<Event>) =
            deprecations.partition(|event| self.deprecated_in(*event).is_some());
        let last = with
            .into_iter()
            .max_by_key(|event| (self.deprecated_in(*event), Reverse(*event)));
        let from = last.and_then(|last| self.deprecated_in(last));
        let lacks = without
            .into_iter()
            .filter(|event| from.is_none_or(|from| from < self.end(event.sibling(EventKind::Removed))));
        let first = lacks.min_by_key(|event| {
            let latest = reasoning.upper(*event);
            latest.map_or(Release::NEVER, |latest| latest.worked.release())
        });
        first.or(last)
    }

    fn deprecated_in(&self, deprecated: Event) -> Option<Release> {
        self.material.reasoning.release(self.deprecation_of(deprecated))
    }

    /// The deprecation of a version if its kind follows it, else that of the kind. A kind that is added to a deprecated
    /// version does not move the deprecation of the version.
    fn deprecation_of(&self, deprecated: Event) -> Event {
        let model = self.material.reasoning.model;
        let life = model.version_life(deprecated.element, deprecated.life);
        let of_version = life.map(|life| Event::new(self.version.element, life, EventKind::Deprecated));
        let [own, whole] = [Some(deprecated), of_version].map(|event| model.in_force(event?));
        let is_one_entry = own.is_some_and(|own| whole.is_some_and(|whole| whole.span == own.span));
        of_version.filter(|_| is_one_entry).unwrap_or(deprecated)
    }

    /// The first release in which a life without an end may end.
    fn soonest(&self, removed: Event) -> Option<Release> {
        let open = self.end(removed).is_never();
        open.then(|| self.material.reasoning.soonest_removal(removed).release)
    }

    fn end(&self, removed: Event) -> Release {
        self.material.reasoning.release(removed).unwrap_or(Release::NEVER)
    }
}
