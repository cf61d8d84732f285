//! The kinds of events.

use std::fmt;

use serde::Serialize;

/// What happens, in the order in which it usually does. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// A value is accepted where an object already has it, not yet on creation.
    Tolerated,
    /// Users can use it.
    Introduced,
    /// It reaches another stage, or its default changes.
    Promoted,
    /// Its removal is announced.
    Deprecated,
    /// The announcement is taken back.
    Undeprecated,
    /// Users can use it only on request.
    Hidden,
    /// Its value can no longer be changed.
    Locked,
    /// It is the version servers offer first.
    Preferred,
    /// It is the version objects are written to storage in.
    Stored,
    /// No object is left in storage in this version.
    Migrated,
    /// It is no longer served.
    Removed,
    /// The code can no longer read it.
    Dropped,
}

impl EventKind {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Tolerated,
        Self::Introduced,
        Self::Promoted,
        Self::Deprecated,
        Self::Undeprecated,
        Self::Hidden,
        Self::Locked,
        Self::Preferred,
        Self::Stored,
        Self::Migrated,
        Self::Removed,
        Self::Dropped,
    ];

    /// As model files and reports write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tolerated => "tolerated",
            Self::Introduced => "introduced",
            Self::Promoted => "promoted",
            Self::Deprecated => "deprecated",
            Self::Undeprecated => "undeprecated",
            Self::Hidden => "hidden",
            Self::Locked => "locked",
            Self::Preferred => "preferred",
            Self::Stored => "stored",
            Self::Migrated => "migrated",
            Self::Removed => "removed",
            Self::Dropped => "dropped",
        }
    }

    /// As a predicate: "is removed".
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Self::Preferred => "becomes preferred",
            Self::Stored => "becomes the storage version",
            Self::Promoted => "is promoted",
            Self::Introduced => "is introduced",
            Self::Deprecated => "is deprecated",
            Self::Undeprecated => "is no longer deprecated",
            Self::Hidden => "is hidden",
            Self::Locked => "is locked",
            Self::Migrated => "is migrated",
            Self::Removed => "is removed",
            Self::Dropped => "is dropped from the code",
            Self::Tolerated => "is tolerated",
        }
    }

    /// Reads a name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|what| what.as_str() == text)
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
