//! The kinds of events.

use std::fmt;

/// The most steps that the policies of a product may name.
pub const MOST_STEPS: usize = 8;

/// Makes the enum of one row per kind: its name, and what it says of an element. A row of a payload is the step.
macro_rules! event_kinds {
    ($($(#[$doc:meta])* $kind:ident $(($of:ident))? = $name:literal $verb:literal)*) => {
        /// What happens, in the order in which it usually does. The list is closed: what a policy names is a step, and
        /// [`Duty`](super::Duty) says what it means.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum EventKind {
            $($(#[$doc])* $kind $(($of))?,)*
        }

        impl EventKind {
            /// The name of the kind. A step has the one that its policy gives it: see [`EventWord`](super::EventWord).
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(event_kinds!(@pattern $kind $($of)?) => $name,)*
                }
            }

            /// As a predicate: "is removed".
            pub(crate) const fn verb(self) -> &'static str {
                match self {
                    $(event_kinds!(@pattern $kind $($of)?) => $verb,)*
                }
            }
        }
    };
    (@pattern $kind:ident) => { Self::$kind };
    (@pattern $kind:ident $of:ident) => { Self::$kind(_) };
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
    /// It takes a step that the policy names, by its position among them.
    Step(u8) = "step" "takes a step"
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
    /// The steps that policies can name.
    pub const STEPS: [Self; MOST_STEPS] = [
        Self::Step(0),
        Self::Step(1),
        Self::Step(2),
        Self::Step(3),
        Self::Step(4),
        Self::Step(5),
        Self::Step(6),
        Self::Step(7),
    ];

    const BEFORE_STEPS: [Self; 5] = [
        Self::Tolerated,
        Self::Introduced,
        Self::Promoted,
        Self::Deprecated,
        Self::Undeprecated,
    ];

    const AFTER_STEPS: [Self; 7] = [
        Self::Hidden,
        Self::Locked,
        Self::Preferred,
        Self::Stored,
        Self::Migrated,
        Self::Removed,
        Self::Dropped,
    ];

    /// All of them, each step too, in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        let steps = Self::STEPS.into_iter();
        Self::BEFORE_STEPS.into_iter().chain(steps).chain(Self::AFTER_STEPS)
    }

    /// The kinds that have a name of their own.
    pub fn named() -> impl Iterator<Item = Self> + Clone {
        Self::BEFORE_STEPS.into_iter().chain(Self::AFTER_STEPS)
    }

    /// Reads a name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::named().find(|what| what.as_str() == text)
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
