//! The moves of the preferred and the storage version that follow where none is declared (P6).

use crate::policy::{Class, Key, RuleLaw};
use crate::release::{Calendar, Release, Window};
use crate::stability::{Track, VersionName};

/// A range of releases in which a version is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Service {
    pub(crate) since: Release,
    /// The first release that does not; [`Release::NEVER`] while no end is known.
    pub(crate) until: Release,
}

impl Service {
    pub(crate) fn covers(self, release: Release) -> bool {
        self.since <= release && release < self.until
    }

    pub(crate) fn overlap(self, other: Self) -> Option<Release> {
        let both = self.since.max(other.since);
        (both < self.until.min(other.until)).then_some(both)
    }
}

/// What permits a move to another version in a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    /// Earlier releases served both versions.
    Overlap,
    /// The exemption of an alpha version that is already removed.
    AlphaGone,
    /// Nothing: a version that is no longer served is left without a permission.
    Gone,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveLaw {
    pub(super) overlap: Window,
    alpha_gone: bool,
}

impl MoveLaw {
    pub(crate) fn new(law: Option<&RuleLaw>) -> Self {
        Self {
            overlap: law
                .and_then(|law| law.window(Class::All, Key::Overlap))
                .unwrap_or_default(),
            alpha_gone: law.is_none_or(|law| law.exempts("alpha-gone")),
        }
    }

    /// Whether the preferred or storage version may be `to` in a release, after `from`.
    fn allows(self, calendar: &Calendar, from: &Candidate<'_>, to: &Candidate<'_>, at: Release) -> bool {
        let permission = self.permission(calendar, (&from.services, from.track), &to.services, at);
        permission != Permission::Gone
    }

    /// What permits a move in a release.
    pub(crate) fn permission(
        self,
        calendar: &Calendar,
        (from, track): (&[Service], Track),
        to: &[Service],
        at: Release,
    ) -> Permission {
        let mut overlaps = from
            .iter()
            .flat_map(|from| to.iter().filter_map(|to| from.overlap(*to)));
        if overlaps.any(|both| calendar.earliest(both, self.overlap).release <= at) {
            return Permission::Overlap;
        }
        if self.needs_none(from, track, at) {
            Permission::AlphaGone
        } else {
            Permission::Gone
        }
    }

    /// No overlap is possible with an alpha version that is already removed.
    pub(super) fn needs_none(self, from: &[Service], track: Track, at: Release) -> bool {
        self.alpha_gone && track == Track::Alpha && !from.iter().any(|service| service.covers(at))
    }
}

/// A version that can be preferred or the storage version.
#[derive(Debug)]
pub(crate) struct Candidate<'c> {
    pub(crate) name: &'c VersionName,
    pub(crate) track: Track,
    pub(crate) services: Vec<Service>,
}

impl Candidate<'_> {
    fn serves(&self, release: Release) -> bool {
        self.services.iter().any(|service| service.covers(release))
    }
}

/// The versions of a group, or of a kind, by their positions in the group.
#[derive(Debug)]
pub(crate) struct Candidates<'c> {
    pub(crate) calendar: &'c Calendar,
    pub(crate) law: MoveLaw,
    pub(crate) versions: Vec<Candidate<'c>>,
}

impl Candidates<'_> {
    /// P6: in each release the highest-ranked version that an earlier release served together with the current one; at
    /// once if the current one is a removed alpha; in the first release the highest served one. Declared moves, in
    /// the order of their releases, stay, and no version that one moves to comes before it by plan. From the
    /// first declared one on, these are all that have shipped (P1).
    pub(crate) fn walk(&self, releases: &[Release], all: &[(Release, usize)]) -> Vec<Option<usize>> {
        let last_declared = all.last().map(|(release, _)| *release);
        let open = self.calendar.current().map_or(Release(0), |current| current.plus(1));
        let mut current: Option<usize> = None;
        let mut walked = Vec::with_capacity(releases.len());
        for release in releases {
            let before = all.partition_point(|(when, _)| when <= release);
            let declared = before.checked_sub(1).and_then(|last| all.get(last));
            current = match (declared, last_declared) {
                (Some((when, at)), _) if when == release => Some(*at),
                (Some(_), Some(last)) if *release < last => current,
                (Some(_), _) if *release < open && self.is_served(current, *release) => current,
                _ => self.next(current, *release, &all[before..]),
            };
            walked.push(current);
        }
        walked
    }

    fn is_served(&self, version: Option<usize>, release: Release) -> bool {
        version.is_some_and(|at| self.versions[at].serves(release))
    }

    /// `later`: the declared moves after the release.
    fn next(&self, current: Option<usize>, release: Release, later: &[(Release, usize)]) -> Option<usize> {
        let served: Vec<usize> = (0..self.versions.len())
            .filter(|at| self.versions[*at].serves(release))
            .collect();
        let mut open = served.clone();
        open.retain(|at| current == Some(*at) || !later.iter().any(|(_, to)| to == at));
        if let Some(from) = current {
            let origin = &self.versions[from];
            open.retain(|to| *to == from || self.law.allows(self.calendar, origin, &self.versions[*to], release));
        }
        // A removed version is no longer preferred, even if the rule allows no move.
        self.highest(&open).or_else(|| self.highest(&served))
    }

    fn highest(&self, versions: &[usize]) -> Option<usize> {
        let all = &self.versions;
        versions.iter().copied().max_by(|a, b| all[*a].name.rank(all[*b].name))
    }
}
