//! When versions are served without a counterpart of a member, and the first such release.

use crate::release::Release;
use crate::rules::Service;

/// So many other versions without a counterpart are named beside the first one.
pub(super) const MOST_NAMED: usize = 3;

/// A version is served without a counterpart of a member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lack {
    pub(super) version: usize,
    pub(super) during: Service,
}

/// What versions lack, by the release from which they do.
pub(super) struct Lacks {
    pub(super) sorted: Vec<Lack>,
    /// Of each position, which lack up to there lasts longest.
    longest: Vec<usize>,
}

/// In a release, a version has no counterpart of a member.
pub(super) struct Gap {
    pub(super) release: Release,
    pub(super) version: usize,
    /// When it has none, and when others do while the member is served from then on: those of at most one more than are
    /// named.
    pub(super) lacks: Vec<Lack>,
}

impl Gap {
    /// The other versions that have none.
    pub(super) fn others(&self) -> Vec<usize> {
        let mut others: Vec<usize> = Vec::new();
        for lack in self.lacks.iter().filter(|lack| lack.version != self.version) {
            if !others.contains(&lack.version) {
                others.push(lack.version);
            }
        }
        others
    }
}

impl Lacks {
    pub(super) fn of(mut sorted: Vec<Lack>) -> Self {
        sorted.sort_by_key(|lack| lack.during.since);
        let longest = (0..sorted.len()).scan(0, |longest: &mut usize, at| {
            if sorted[at].during.until > sorted[*longest].during.until {
                *longest = at;
            }
            Some(*longest)
        });
        let longest = longest.collect();
        Self { sorted, longest }
    }

    /// The first gap while a member is served that begins in a release or later.
    pub(super) fn first(&self, served: &[Service], from: Release) -> Option<Gap> {
        served.iter().find_map(|served| {
            let begun = self.sorted.partition_point(|lack| {
                let since = lack.during.since;
                since <= served.since || since < from
            });
            let running = begun.checked_sub(1).filter(|_| served.since >= from);
            let running = running.map(|last| &self.sorted[self.longest[last]]);
            let running = running.filter(|lack| lack.during.covers(served.since));
            let next = self.sorted.get(begun).filter(|lack| served.covers(lack.during.since));
            let first = running.or(next)?;
            let release = first.during.since.max(served.since);
            let from = Service {
                since: release,
                until: served.until,
            };
            Some(Gap {
                release,
                version: first.version,
                lacks: self.during(from, *first),
            })
        })
    }

    /// What the first and some other versions lack while a member is served.
    fn during(&self, served: Service, first: Lack) -> Vec<Lack> {
        let mut lacks = vec![first];
        let mut versions = vec![first.version];
        for lack in self.sorted.iter().filter(|lack| lack.during.overlap(served).is_some()) {
            if !versions.contains(&lack.version) {
                if versions.len() > MOST_NAMED + 1 {
                    break;
                }
                versions.push(lack.version);
            }
            lacks.push(*lack);
        }
        lacks
    }
}
