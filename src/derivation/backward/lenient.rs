//! The releases in which it is no error to break an obligation.
//!
//! A gate makes an element less stable for some releases, an edition begins, an exception runs out: so it may be an
//! error to break one obligation in one release, and none in another.

use crate::release::Release;

/// Ranges of releases, each up to the first one that is not in it; in order, and apart from one another.
#[derive(Debug, Default)]
pub(super) struct Lenient(Vec<(Release, Release)>);

impl Lenient {
    /// From a release on, where `binds` may change its answer in `changes` only.
    pub(super) fn from(first: Release, mut changes: Vec<Release>, binds: impl Fn(Release) -> bool) -> Self {
        changes.retain(|change| *change > first);
        changes.push(first);
        changes.sort_unstable();
        changes.dedup();
        let ends = changes.iter().skip(1).copied().chain([Release::NEVER]);
        let mut ranges: Vec<(Release, Release)> = Vec::new();
        for (from, before) in changes.iter().copied().zip(ends).filter(|(from, _)| !binds(*from)) {
            match ranges.last_mut().filter(|last| last.1 == from) {
                Some(last) => last.1 = before,
                None => ranges.push((from, before)),
            }
        }
        Self(ranges)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether no release after this one binds, nor this one.
    pub(super) fn is_all_from(&self, release: Release) -> bool {
        self.range_at(release).is_some_and(|(_, before)| before.is_never())
    }

    pub(super) fn has(&self, release: Release) -> bool {
        self.range_at(release).is_some()
    }

    /// The first release from this one on that meets a bound, or need not meet it.
    pub(super) fn first_from(&self, release: Release, bound: Release) -> Release {
        if release >= bound || self.has(release) {
            return release;
        }
        let next = self.0.iter().map(|(from, _)| *from).find(|from| *from > release);
        next.map_or(bound, |next| next.min(bound))
    }

    /// The last release up to this one that meets a bound, or need not meet it.
    pub(super) fn last_up_to(&self, release: Release, bound: Release) -> Option<Release> {
        if release >= bound || self.has(release) {
            return Some(release);
        }
        let ends = self.0.iter().rev().map(|(_, before)| *before);
        ends.into_iter().find(|before| *before <= release)?.previous()
    }

    fn range_at(&self, release: Release) -> Option<(Release, Release)> {
        let mut ranges = self.0.iter().copied();
        ranges.find(|(from, before)| (*from..*before).contains(&release))
    }
}
