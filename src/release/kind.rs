//! Kinds of releases: major and minor ones, which numbers show, and those that a calendar states, such as `lts`.

use super::Release;

/// The most kinds that a calendar may state besides `major` and `minor`.
pub(crate) const MOST_KINDS: usize = 16;

/// The same with those that policies count.
pub(super) const MOST_KNOWN: usize = 29;

/// A kind of release of one calendar, by its position in the list of its kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ReleaseKind(pub(super) u8);

/// Several kinds of releases of one calendar; the default is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct KindSet(u32);

/// The kinds of the releases of a calendar.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    /// The kinds besides `major` and `minor`.
    pub(super) names: Vec<String>,
    /// By listed release, what the calendar states.
    stated: Vec<KindSet>,
    /// By listed release, all of its kinds.
    listed: Vec<KindSet>,
    /// By kind, the listed releases that are of it, in their order.
    releases: Vec<Vec<Release>>,
    /// After so many releases the next one of a kind is projected.
    every: Vec<(ReleaseKind, u32)>,
}

pub(super) const MAJOR: ReleaseKind = ReleaseKind(0);
pub(super) const MINOR: ReleaseKind = ReleaseKind(1);
/// A kind that the calendar does not know: no release is of it.
pub(super) const UNKNOWN: ReleaseKind = ReleaseKind(31);

/// Whether a text can be the name of a kind: lower-case letters, digits and hyphens, beginning with a letter.
pub(crate) fn is_kind_name(text: &str) -> bool {
    let begins = text.starts_with(|first: char| first.is_ascii_lowercase());
    let mut bytes = text.bytes();
    begins && text.len() <= 40 && bytes.all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

impl KindSet {
    fn of(kind: ReleaseKind) -> Self {
        Self(1 << kind.0)
    }

    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The kinds one by one.
    pub(super) fn kinds(self) -> impl Iterator<Item = ReleaseKind> {
        (0..32).map(ReleaseKind).filter(move |kind| self.meets((*kind).into()))
    }
}

impl From<ReleaseKind> for KindSet {
    fn from(kind: ReleaseKind) -> Self {
        Self::of(kind)
    }
}

impl Kinds {
    /// The kind of this name, added if it is new; `None` if there are too many.
    pub(crate) fn named(&mut self, name: &str) -> Option<ReleaseKind> {
        self.within(name, MOST_KINDS)
    }

    pub(super) fn within(&mut self, name: &str, most: usize) -> Option<ReleaseKind> {
        if self.find(name).is_none() && self.names.len() < most {
            self.names.push(name.to_owned());
        }
        self.find(name)
    }

    pub(super) fn find(&self, name: &str) -> Option<ReleaseKind> {
        match name {
            "major" => Some(MAJOR),
            "minor" => Some(MINOR),
            _ => {
                let at = self.names.iter().position(|known| known == name)?;
                u8::try_from(at).ok()?.checked_add(2).map(ReleaseKind)
            }
        }
    }

    /// States the kinds of a listed release.
    pub(crate) fn state(&mut self, release: Release, kinds: KindSet) {
        let at = release.0 as usize;
        if self.stated.len() <= at {
            self.stated.resize(at + 1, KindSet::default());
        }
        self.stated[at] = self.stated[at].and(kinds);
    }

    /// States that every `count`-th release is of a kind, from the last listed one on.
    pub(crate) fn repeat(&mut self, kind: ReleaseKind, count: u32) {
        self.every.push((kind, count.max(1)));
    }

    /// After how many releases the next one of a kind is projected; `None` if none is.
    pub(super) fn repeats(&self, kind: ReleaseKind) -> Option<u32> {
        let mut every = self.every.iter().filter(|(repeated, _)| *repeated == kind);
        every.next().map(|(_, every)| *every)
    }

    /// Sets all kinds of the listed releases.
    pub(super) fn list(&mut self, listed: Vec<KindSet>) {
        self.releases = vec![Vec::new(); self.names.len() + 2];
        for (at, kinds) in listed.iter().enumerate() {
            for kind in kinds.kinds() {
                self.releases[usize::from(kind.0)].push(Release::at(at));
            }
        }
        self.listed = listed;
    }

    /// The kinds of a release; `None` if it is not listed.
    pub(super) fn of_listed(&self, release: Release) -> Option<KindSet> {
        self.listed.get(release.0 as usize).copied()
    }

    /// The listed releases of a kind.
    pub(super) fn releases_of(&self, kind: ReleaseKind) -> &[Release] {
        self.releases.get(usize::from(kind.0)).map_or(&[], Vec::as_slice)
    }

    pub(super) fn stated_of(&self, release: Release) -> KindSet {
        self.stated.get(release.0 as usize).copied().unwrap_or_default()
    }

    /// Whether the calendar itself says which releases are major.
    pub(super) fn states_majors(&self) -> bool {
        self.stated.iter().any(|kinds| kinds.meets(MAJOR.into()))
    }
}
