//! The keys of entries.

use super::EventKind;

/// A key that the entry of an element may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKey {
    /// When something happens: `introduced`, `removed`, …
    Event(EventKind),
    /// `lives`
    Lives,
    /// `specs`
    Specs,
    /// `stage`
    Stage,
    /// `depends-on`
    DependsOn,
    /// `gated-by`
    GatedBy,
    /// `represented-as`
    RepresentedAs,
    /// `replacement`
    Replacement,
    /// `warning`
    Warning,
    /// `operational`
    Operational,
    /// `tag`
    Tag,
    /// `default`
    Default,
    /// `tombstone`
    Tombstone,
    /// `owner`
    Owner,
    /// `tracking`
    Tracking,
    /// `help`
    Help,
    /// `in`
    In,
    /// `flag`
    Flag,
}

impl EntryKey {
    /// All of them, in the order in which entries are written.
    pub(crate) const ALL: [Self; 25] = [
        Self::Specs,
        Self::Stage,
        Self::Event(EventKind::Tolerated),
        Self::Event(EventKind::Introduced),
        Self::Event(EventKind::Deprecated),
        Self::Event(EventKind::Undeprecated),
        Self::Event(EventKind::Hidden),
        Self::Event(EventKind::Removed),
        Self::Event(EventKind::Migrated),
        Self::Event(EventKind::Dropped),
        Self::Lives,
        Self::DependsOn,
        Self::GatedBy,
        Self::RepresentedAs,
        Self::Replacement,
        Self::Warning,
        Self::Operational,
        Self::Tag,
        Self::Default,
        Self::Tombstone,
        Self::Owner,
        Self::Tracking,
        Self::Help,
        Self::In,
        Self::Flag,
    ];

    /// As model files write them, in the same order. Models have millions of keys, so they are looked up in a list.
    const NAMES: [&str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].as_str();
            at += 1;
        }
        names
    };

    /// As model files write it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Event(what) => what.as_str(),
            Self::Lives => "lives",
            Self::Specs => "specs",
            Self::Stage => "stage",
            Self::DependsOn => "depends-on",
            Self::GatedBy => "gated-by",
            Self::RepresentedAs => "represented-as",
            Self::Replacement => "replacement",
            Self::Warning => "warning",
            Self::Operational => "operational",
            Self::Tag => "tag",
            Self::Default => "default",
            Self::Tombstone => "tombstone",
            Self::Owner => "owner",
            Self::Tracking => "tracking",
            Self::Help => "help",
            Self::In => "in",
            Self::Flag => "flag",
        }
    }

    /// Reads a key.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.get(Self::rank(text)).copied()
    }

    /// Where it stands in entries as they are written; an unknown key comes last.
    pub(crate) fn rank(text: &str) -> usize {
        let position = Self::NAMES.iter().position(|name| *name == text);
        position.unwrap_or(Self::NAMES.len())
    }

    /// Whether a key belongs to one life of an element, so that it cannot stand beside `lives`.
    pub(crate) fn is_of_life(text: &str) -> bool {
        matches!(Self::parse(text), Some(Self::Event(_)))
    }

    /// Whether its value holds entries or stages, which a single life cannot have.
    pub(crate) fn is_of_element(self) -> bool {
        matches!(self, Self::Specs | Self::DependsOn | Self::In | Self::Flag)
    }
}
