//! The lives of versions with kinds: a version lives as long as the last of them, and again where one is back after all
//! have ended.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::model::{ElementId, Event, EventKind, Version};
use crate::release::Release;
use crate::report::{LifeReport, Moment};

use super::Material;

/// The last life of a version, and those before it.
#[derive(Debug)]
pub(super) struct Union<'a> {
    pub(super) introduced: Option<Moment<'a>>,
    pub(super) deprecated: Option<Moment<'a>>,
    /// The deprecation that decides when the version is deprecated.
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
        let ends = own.iter().copied();
        let last =
            ends.max_by_key(|removed| (kinds.end(*removed), kinds.soonest(*removed), Reverse(removed.element)))?;
        let deprecation = kinds.deprecation(&own);
        Some(Self {
            introduced: kinds.introduced(&own),
            deprecated: deprecation.of_all,
            deprecation: deprecation.decides?,
            earlier_lives: lives.iter().map(|life| kinds.life(life)).collect(),
            last,
        })
    }
}

/// When a version is deprecated.
struct Deprecation<'a> {
    /// The last deprecation of a kind, if all that are there from then on have one.
    of_all: Option<Moment<'a>>,
    /// If a kind lacks one, the deprecation that is due first.
    decides: Option<Event>,
}

/// The kinds of a version.
struct Kinds<'a, 'v> {
    material: Material<'a>,
    version: &'v Version,
}

impl<'a> Kinds<'a, '_> {
    /// The ends of the lives of the kinds, by the life of the version: it ends where no kind is left, or all kinds that
    /// begin then end there a life of their own.
    fn lives(&self) -> Vec<Vec<Event>> {
        let mut lives: Vec<Vec<Event>> = Vec::new();
        let mut end = Release(0);
        let mut ended: BTreeMap<ElementId, Release> = BTreeMap::new();
        for (begin, removals) in self.by_begin() {
            let mut own = removals.iter();
            let are_new_lives = begin == Some(end) && own.all(|removed| ended.get(&removed.element) == Some(&end));
            let continues = begin.is_none_or(|begin| begin <= end) && !are_new_lives;
            for removed in &removals {
                ended.insert(removed.element, self.end(*removed));
                end = end.max(self.end(*removed));
            }
            match lives.last_mut().filter(|_| continues) {
                Some(life) => life.extend(removals),
                None => lives.push(removals),
            }
        }
        lives
    }

    /// The ends of all lives, by their introductions.
    fn by_begin(&self) -> BTreeMap<Option<Release>, Vec<Event>> {
        let reasoning = self.material.reasoning;
        let mut found: BTreeMap<Option<Release>, Vec<Event>> = BTreeMap::new();
        for kind in &self.version.kinds {
            for life in 0..reasoning.model.lives(*kind) {
                let begin = Event::new(*kind, life, EventKind::Introduced);
                let removals = found.entry(reasoning.release(begin)).or_default();
                removals.push(begin.sibling(EventKind::Removed));
            }
        }
        found
    }

    fn life(&self, ends: &[Event]) -> LifeReport<'a> {
        let last = ends.iter().max_by_key(|removed| self.end(**removed));
        LifeReport {
            introduced: self.introduced(ends),
            deprecated: self.deprecation(ends).of_all,
            removed: last.and_then(|removed| self.material.event(*removed)),
        }
    }

    /// The first introduction of the lives of kinds that are one life of the version.
    fn introduced(&self, ends: &[Event]) -> Option<Moment<'a>> {
        let begins = ends.iter().map(|removed| removed.sibling(EventKind::Introduced));
        let first = begins.min_by_key(|introduced| self.material.reasoning.release(*introduced))?;
        self.material.event(first)
    }

    /// The deprecation of the lives of kinds that are one life of the version.
    fn deprecation(&self, ends: &[Event]) -> Deprecation<'a> {
        let reasoning = self.material.reasoning;
        let deprecations = ends.iter().map(|removed| removed.sibling(EventKind::Deprecated));
        let (with, mut without): (Vec<Event>, Vec<Event>) =
            deprecations.partition(|event| self.deprecated_in(*event).is_some());
        let last = with
            .into_iter()
            .max_by_key(|event| (self.deprecated_in(*event), Reverse(*event)));
        let from = last.and_then(|last| self.deprecated_in(last));
        without.retain(|event| from.is_none_or(|from| from < self.end(event.sibling(EventKind::Removed))));
        let of_all = last.filter(|_| without.is_empty());
        let due = without
            .iter()
            .filter_map(|event| Some((reasoning.upper(*event)?.worked.release(), *event)));
        let first = due.min().map(|(_, event)| event);
        let newest = without
            .iter()
            .max_by_key(|event| reasoning.release(event.sibling(EventKind::Introduced)));
        Deprecation {
            of_all: of_all.and_then(|event| self.material.event(self.deprecation_of(event))),
            decides: first.or(last).or(newest.copied()),
        }
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
