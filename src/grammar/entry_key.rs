//! The keys of entries.

use super::EventKind;

/// Makes the enum and its list, in the order in which entries are written: name, and whether its value holds entries or
/// stages, which a single life cannot have. Events stand between the first keys and the others.
macro_rules! entry_keys {
    ($($first:ident = $first_name:literal $first_of:literal)*; $($event:ident)*;
     $($then:ident = $then_name:literal $then_of:literal)*) => {
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

            /// Whether a single life cannot have it.
            pub(crate) fn is_of_element(self) -> bool {
                match self {
                    Self::Event(_) => false,
                    $(Self::$first => $first_of,)*
                    $(Self::$then => $then_of,)*
                }
            }
        }
    };
}

entry_keys! {
    Specs = "specs" true
    Stage = "stage" false;
    Tolerated Introduced Deprecated Undeprecated Hidden Removed Migrated Dropped;
    Steps = "steps" false
    Lives = "lives" false
    Target = "target" true
    DependsOn = "depends-on" true
    GatedBy = "gated-by" false
    RepresentedAs = "represented-as" false
    Replacement = "replacement" false
    Warning = "warning" false
    Operational = "operational" false
    Tag = "tag" false
    Default = "default" false
    Tombstone = "tombstone" false
    Owner = "owner" false
    Tracking = "tracking" false
    Help = "help" false
    In = "in" true
    Flag = "flag" true
}

impl EntryKey {
    /// The key that declares an event.
    pub(crate) fn of(what: EventKind) -> Self {
        match what {
            EventKind::Step(_) => Self::Steps,
            named => Self::Event(named),
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
        matches!(Self::parse(text), Some(Self::Event(_) | Self::Steps))
    }
}
