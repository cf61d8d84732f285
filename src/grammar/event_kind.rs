//! The kinds of events.

use std::fmt;

use serde::Serialize;

/// Makes the enum of one row per kind: its name, and what it says of an element.
macro_rules! event_kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal $verb:literal)*) => {
        /// What happens, in the order in which it usually does. The list is closed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub enum EventKind {
            $($(#[$doc])* #[serde(rename = $name)] $kind,)*
        }

        impl EventKind {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$kind),*];

            /// As model files and reports write it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// As a predicate: "is removed".
            pub(crate) fn verb(self) -> &'static str {
                match self {
                    $(Self::$kind => $verb,)*
                }
            }
        }
    };
}

event_kinds! {
    /// A value is accepted where an object already has it, not yet on creation.
    Tolerated = "tolerated" "is tolerated"
    /// Users can use it.
    Introduced = "introduced" "is introduced"
    /// It reaches another stage, or its default changes.
    Promoted = "promoted" "is promoted"
    /// Its removal is announced.
    Deprecated = "deprecated" "is deprecated"
    /// The announcement is withdrawn.
    Undeprecated = "undeprecated" "is no longer deprecated"
    /// Its use warns at run time.
    Warned = "warned" "warns"
    /// Its use fails, unless it is allowed explicitly.
    Disabled = "disabled" "fails by default"
    /// It works, and is no longer supported.
    Unsupported = "unsupported" "is no longer supported"
    /// Users can use it only on request.
    Hidden = "hidden" "is hidden"
    /// Its value can no longer be changed.
    Locked = "locked" "is locked"
    /// It is the version servers offer first.
    Preferred = "preferred" "becomes preferred"
    /// It is the version objects are written to storage in.
    Stored = "stored" "becomes the storage version"
    /// No object is left in storage in this version.
    Migrated = "migrated" "is migrated"
    /// It is no longer served.
    Removed = "removed" "is removed"
    /// The code can no longer read it.
    Dropped = "dropped" "is dropped from the code"
}

impl EventKind {
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
