//! Which releases of a calendar are of a kind: as their numbers show, as the calendar states, and as its cadence
//! projects.

use super::kind::{KindSet, Kinds, MAJOR, MINOR, MOST_KNOWN, ReleaseKind, UNKNOWN};
use super::{Calendar, Naming, Release};

impl Calendar {
    /// The same calendar with these kinds.
    #[must_use]
    pub(crate) fn with_kinds(mut self, kinds: Kinds) -> Self {
        self.kinds = kinds;
        let listed = (0..self.listed()).map(Release);
        let listed = listed.map(|release| self.kinds_of_listed(release)).collect();
        self.kinds.list(listed);
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
        match self.kinds.of_listed(release) {
            Some(own) => own.meets(kinds),
            None => kinds
                .kinds()
                .any(|kind| self.projected(kind, release, 1) == Some(release)),
        }
    }

    fn kinds_of_listed(&self, release: Release) -> KindSet {
        let stated = self.kinds.stated_of(release);
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

    /// The release that is number `count` of a kind, counted from a release on, which is past the listed ones.
    fn projected(&self, kind: ReleaseKind, from: Release, count: u32) -> Option<Release> {
        if kind == MINOR {
            return self.projected_minor(from, count);
        }
        let every = self.kinds.repeats(kind)?;
        let last = self.kinds.releases_of(kind).last().copied().unwrap_or(Release(0));
        let turns = (from.0 - last.0).div_ceil(every).saturating_add(count - 1);
        Some(last.plus(turns.saturating_mul(every)))
    }

    /// The same of the minor ones, which all are that are not major.
    fn projected_minor(&self, from: Release, count: u32) -> Option<Release> {
        let (Some(every), Some(major)) = (self.kinds.repeats(MAJOR), self.projected(MAJOR, from, 1)) else {
            return Some(from.plus(count - 1));
        };
        let before = major.0 - from.0;
        let Some(left) = count.checked_sub(before + 1) else {
            return Some(from.plus(count - 1));
        };
        let (turns, rest) = (left.checked_div(every - 1)?, left.checked_rem(every - 1)?);
        Some(major.plus(turns.saturating_mul(every).saturating_add(rest + 1)))
    }

    /// The release that is number `count` of a kind, counted from a release on; `None` if the calendar neither lists
    /// nor projects it.
    fn nth_of(&self, kind: ReleaseKind, from: Release, count: u32) -> Option<Release> {
        if from.is_never() {
            return None;
        }
        let listed = self.kinds.releases_of(kind);
        let listed = &listed[listed.partition_point(|release| *release < from)..];
        let past = u32::try_from(listed.len()).unwrap_or(u32::MAX);
        match listed.get((count - 1) as usize) {
            Some(release) => Some(*release),
            None => self.projected(kind, from.max(Release(self.listed())), count - past),
        }
    }

    /// The first release of one of these kinds from a release on; `None` if the calendar neither lists nor projects
    /// one.
    pub(crate) fn first_of(&self, kinds: KindSet, from: Release) -> Option<Release> {
        kinds.kinds().filter_map(|kind| self.nth_of(kind, from, 1)).min()
    }

    /// The first major release after this one.
    pub(crate) fn next_major(&self, from: Release) -> Option<Release> {
        self.nth_of(MAJOR, from.plus(1), 1)
    }

    /// The release after `count` of a kind, counted from `from` on, which counts itself.
    pub(super) fn after_kinds(&self, from: Release, kind: ReleaseKind, count: u16) -> Option<Release> {
        match count {
            0 => Some(from),
            _ => Some(self.nth_of(kind, from, count.into())?.plus(1)),
        }
    }

    pub(super) fn is_major(&self, release: Release) -> bool {
        self.is_of(release, MAJOR.into())
    }

    /// Whether the cadence says which releases past the list are major ones.
    pub(super) fn projects_majors(&self) -> bool {
        self.kinds.repeats(MAJOR).is_some()
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
