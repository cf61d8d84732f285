//! Which releases of a calendar are of a kind: as their numbers show, as the calendar states, and as its cadence
//! projects.

use super::kind::{KindSet, Kinds, MAJOR, MINOR, MOST_KNOWN, ReleaseKind, UNKNOWN};
use super::{Calendar, Naming, Release};

impl Calendar {
    /// The same calendar with these kinds.
    #[must_use]
    pub(crate) fn with_kinds(mut self, kinds: Kinds) -> Self {
        self.kinds = kinds;
        self
    }

    /// Adds a kind that a policy counts, so that it has a name here even if no release is of it.
    pub(crate) fn know(&mut self, kind: &str) {
        // Past the limit it is a kind without a name, of which no release is.
        let _ = self.kinds.within(kind, MOST_KNOWN);
    }

    /// The kind of this name. No release is of a kind that the calendar does not state.
    pub(crate) fn kind_named(&self, name: &str) -> ReleaseKind {
        self.kinds.find(name).unwrap_or(UNKNOWN)
    }

    /// Whether a release is of one of some kinds.
    pub(crate) fn is_of(&self, release: Release, kinds: KindSet) -> bool {
        self.kinds_of(release).meets(kinds)
    }

    fn kinds_of(&self, release: Release) -> KindSet {
        let stated = if release.0 < self.listed() {
            self.kinds.stated_of(release)
        } else {
            self.projected_kinds(release)
        };
        if stated.meets(MAJOR.into()) || self.begins_major(release) {
            return stated.and(MAJOR.into());
        }
        stated.and(MINOR.into())
    }

    /// Whether the number of a listed release shows that it begins a major one.
    fn begins_major(&self, release: Release) -> bool {
        let Naming::Numbered(listed) = self.naming() else {
            return false;
        };
        let at = release.0 as usize;
        if self.kinds.states_majors() || at >= listed.len() {
            return false;
        }
        match at.checked_sub(1) {
            Some(before) => listed[before].name.major() < listed[at].name.major(),
            None => listed[at].name.minor() == 0,
        }
    }

    fn projected_kinds(&self, release: Release) -> KindSet {
        let mut kinds = KindSet::default();
        for (kind, every) in &self.kinds.every {
            let last = self.last_listed_of(*kind);
            if (release.0 - last.0).is_multiple_of(*every) {
                kinds = kinds.and((*kind).into());
            }
        }
        kinds
    }

    /// The last listed release of a kind, from which further ones are projected; the first one if none is.
    fn last_listed_of(&self, kind: ReleaseKind) -> Release {
        let listed = (0..self.listed()).rev().map(Release);
        let mut of_kind = listed.filter(|release| self.is_of(*release, kind.into()));
        of_kind.next().unwrap_or(Release(0))
    }

    /// The first release of one of these kinds from a release on; `None` if the calendar neither lists nor projects
    /// one.
    pub(crate) fn first_of(&self, kinds: KindSet, from: Release) -> Option<Release> {
        if from.is_never() {
            return None;
        }
        // Past the listed releases, kinds repeat.
        let longest = self.kinds.every.iter().map(|(_, every)| *every).max();
        let end = from.0.max(self.listed()).saturating_add(longest.unwrap_or(1));
        (from.0..=end).map(Release).find(|release| self.is_of(*release, kinds))
    }

    /// The first major release after this one.
    pub(crate) fn next_major(&self, from: Release) -> Option<Release> {
        let listed = match self.naming() {
            Naming::Numbered(listed) if !self.kinds.states_majors() => listed,
            _ => return self.first_of(MAJOR.into(), from.plus(1)),
        };
        // The numbers are in order, so that none has to be looked at twice.
        let major = listed.get(from.0 as usize).map(|entry| entry.name.major());
        let at = major.map_or(listed.len(), |major| {
            listed.partition_point(|entry| entry.name.major() <= major)
        });
        if at < listed.len() {
            return Some(Release::at(at));
        }
        self.first_of(MAJOR.into(), from.plus(1).max(Release(self.listed())))
    }

    /// The release after `count` of a kind, counted from `from` on, which counts itself.
    pub(super) fn after_kinds(&self, from: Release, kind: ReleaseKind, count: u16) -> Option<Release> {
        let mut next = from;
        for _ in 0..count {
            next = self.first_of(kind.into(), next)?.plus(1);
        }
        Some(next)
    }

    pub(super) fn is_major(&self, release: Release) -> bool {
        self.is_of(release, MAJOR.into())
    }

    /// Whether the cadence says which releases past the list are major ones.
    pub(super) fn projects_majors(&self) -> bool {
        self.kinds.every.iter().any(|(kind, _)| *kind == MAJOR)
    }

    /// Kinds in words: "major", "lts or major".
    pub(crate) fn kind_words(&self, kinds: KindSet) -> String {
        let own = (2_u8..)
            .zip(&self.kinds.names)
            .map(|(at, name)| (ReleaseKind(at), name.as_str()));
        let all = [(MAJOR, "major"), (MINOR, "minor")].into_iter().chain(own);
        let named: Vec<&str> = all
            .filter(|(kind, _)| kinds.meets((*kind).into()))
            .map(|(_, name)| name)
            .collect();
        named.join(" or ")
    }
}
