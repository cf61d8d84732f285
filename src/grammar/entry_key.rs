//! The keys of entries.

use super::EventKind;

/// Makes the enum and its list, in the order in which entries are written. Events stand between the first keys and
/// the others.
macro_rules! entry_keys {
    ($($first:ident = $first_name:literal)*; $($event:ident)*; $($then:ident = $then_name:literal)*) => {
        /// A key that the entry of an element may have.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum EntryKey {
            /// When something happens: `introduced`, `removed`, …
            Event(EventKind),
            $(#[doc = concat!("`", $first_name, "`")] $first,)*
            $(#[doc = concat!("`", $then_name, "`")] $then,)*
        }

        impl EntryKey {
            /// All of them, in the order in which entries are written.
            pub(crate) const ALL: [Self; Self::NAMES.len()] = [
                $(Self::$first,)* $(Self::Event(EventKind::$event),)* $(Self::$then,)*
            ];

            /// As model files write them, in the same order. Models have millions of keys, so they are looked up in a
            /// list.
            const NAMES: &[&str] = &[$($first_name,)* $(EventKind::$event.as_str(),)* $($then_name,)*];

            /// As model files write it.
            pub(crate) const fn as_str(self) -> &'static str {
                match self {
                    Self::Event(what) => what.as_str(),
                    $(Self::$first => $first_name,)*
                    $(Self::$then => $then_name,)*
                }
            }
        }
    };
}

entry_keys! {
    Specs = "specs"
    Stage = "stage";
    Tolerated Introduced Deprecated Undeprecated Hidden Removed Migrated Dropped;
    Lives = "lives"
    DependsOn = "depends-on"
    GatedBy = "gated-by"
    RepresentedAs = "represented-as"
    Replacement = "replacement"
    Warning = "warning"
    Operational = "operational"
    Tag = "tag"
    Default = "default"
    Tombstone = "tombstone"
    Owner = "owner"
    Tracking = "tracking"
    Help = "help"
    In = "in"
    Flag = "flag"
}

impl EntryKey {
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
        match self {
            Self::Specs | Self::DependsOn | Self::In | Self::Flag => true,
            Self::Event(_)
            | Self::Lives
            | Self::Stage
            | Self::GatedBy
            | Self::RepresentedAs
            | Self::Replacement
            | Self::Warning
            | Self::Operational
            | Self::Tag
            | Self::Default
            | Self::Tombstone
            | Self::Owner
            | Self::Tracking
            | Self::Help => false,
        }
    }
}
