//! The table of element kinds: how the model file and all answers treat each.
//!
//! Reading, writing and updating model files, `propose`, notes, pictures and the tables of the page `model` follow from
//! these rows.

use super::EntryKey::{self, Event};
use super::{ElementKind, EventKind};

/// A kind of element.
#[derive(Debug)]
pub(crate) struct ElementRow {
    /// The kind.
    pub(crate) kind: ElementKind,
    /// As reports write it.
    pub(crate) name: &'static str,
    /// What it is to the elements around it.
    pub(crate) role: Role,
    /// Where notes and pictures list it.
    pub(crate) listed: Listed,
    /// The form of its id.
    pub(crate) form: &'static str,
    /// An id.
    pub(crate) example: &'static str,
    /// The keys of its entries, in the order in which they are written, each with what it means.
    pub(crate) keys: &'static [(EntryKey, &'static str)],
}

/// What an element is to the elements around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is a version, which has kinds.
    Version,
    /// It is a kind in a version: what its entry does not declare, its version's does.
    Kind,
    /// It is a member of a kind, and is introduced with it unless its entry says otherwise.
    Member,
    /// It stands alone.
    Single,
}

/// Where notes and pictures list an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listed {
    /// In notes by what happens to it, in pictures under its group.
    Group,
    /// Under its program.
    Program,
    /// With all gates.
    Gates,
    /// With all metrics.
    Metrics,
    /// With all behaviors.
    Behaviors,
}

const INTRODUCED: (EntryKey, &str) = (Event(EventKind::Introduced), "the first release that has it");
const DEPRECATED: (EntryKey, &str) = (
    Event(EventKind::Deprecated),
    "the release that deprecates it; a list if that was taken back and repeated; `\"never\"`: no deprecation is planned",
);
const UNDEPRECATED: (EntryKey, &str) = (
    Event(EventKind::Undeprecated),
    "the release that takes a deprecation back, or a list",
);
const REMOVED: (EntryKey, &str) = (Event(EventKind::Removed), "the first release that no longer has it");
const LIVES: (EntryKey, &str) = (
    EntryKey::Lives,
    "if it was removed and came back: a list of tables with the keys above, in order",
);
const STAGE: (EntryKey, &str) = (EntryKey::Stage, "`\"alpha\"`, `\"beta\"` or `\"GA\"`");
const GATED_BY: (EntryKey, &str) = (EntryKey::GatedBy, "the gate that guards it");
const REPRESENTED_AS: (EntryKey, &str) = (
    EntryKey::RepresentedAs,
    "under `in`: this version keeps it as another field, or as an annotation: `\"@example.com/size\"`",
);
const SIBLING: (EntryKey, &str) = (
    EntryKey::Replacement,
    "what to use instead: a member of the same sort in the same kind, or an id",
);
const TOMBSTONE: (EntryKey, &str) = (EntryKey::Tombstone, "`true`: its name stays reserved after the removal");
const OWNER: (EntryKey, &str) = (EntryKey::Owner, "who looks after it");
const TRACKING: (EntryKey, &str) = (EntryKey::Tracking, "the issue or proposal that tracks it");
const IN: (EntryKey, &str) = (
    EntryKey::In,
    "the versions it is in, each with these keys: `in = { v1 = {}, v2 = { introduced = \"1.12\" } }`",
);

const VERSION: &[(EntryKey, &str)] = &[
    STAGE,
    (
        Event(EventKind::Introduced),
        "the first release that serves it; required, unless each of its kinds has its own",
    ),
    DEPRECATED,
    UNDEPRECATED,
    (Event(EventKind::Removed), "the first release that no longer serves it"),
    (
        Event(EventKind::Migrated),
        "the release from which no stored object is left in it",
    ),
    (
        Event(EventKind::Dropped),
        "the first release whose code can no longer read it",
    ),
    LIVES,
    GATED_BY,
    (
        EntryKey::Replacement,
        "what to use instead: a version of the group, or an id",
    ),
    (EntryKey::Warning, "the text that clients are shown"),
    OWNER,
    TRACKING,
];

const MEMBER: &[(EntryKey, &str)] = &[
    STAGE,
    INTRODUCED,
    DEPRECATED,
    UNDEPRECATED,
    REMOVED,
    (
        Event(EventKind::Dropped),
        "the first release whose code can no longer read it",
    ),
    LIVES,
    GATED_BY,
    REPRESENTED_AS,
    SIBLING,
    (EntryKey::Tag, "the number of a field in the wire format"),
    (EntryKey::Default, "the value that an unset field gets"),
    TOMBSTONE,
    OWNER,
    TRACKING,
    IN,
];

const VALUE: &[(EntryKey, &str)] = &[
    STAGE,
    (
        Event(EventKind::Tolerated),
        "the release that accepts it in objects that have it already",
    ),
    (Event(EventKind::Introduced), "the first release that accepts it"),
    DEPRECATED,
    UNDEPRECATED,
    REMOVED,
    LIVES,
    GATED_BY,
    REPRESENTED_AS,
    SIBLING,
    TOMBSTONE,
    OWNER,
    TRACKING,
    IN,
];

const FLAG: &[(EntryKey, &str)] = &[
    (
        EntryKey::Stage,
        "`\"alpha\"`, `\"beta\"` or `\"GA\"`; GA unless its name begins with another one",
    ),
    INTRODUCED,
    DEPRECATED,
    UNDEPRECATED,
    REMOVED,
    LIVES,
    GATED_BY,
    (
        EntryKey::Replacement,
        "what to use instead: a flag or command of the same program, another behavior, or an id",
    ),
    (EntryKey::Warning, "the text that is printed when it is used"),
    OWNER,
    TRACKING,
];

const COMMAND: &[(EntryKey, &str)] = &[
    FLAG[0],
    FLAG[1],
    FLAG[2],
    FLAG[3],
    FLAG[4],
    FLAG[5],
    FLAG[6],
    FLAG[7],
    FLAG[8],
    FLAG[9],
    FLAG[10],
    (EntryKey::Flag, "of a command: its flags, by name"),
];

const GATE: &[(EntryKey, &str)] = &[
    (EntryKey::Specs, "its stages, oldest first; required"),
    (Event(EventKind::Deprecated), "the release that deprecates it"),
    REMOVED,
    (EntryKey::DependsOn, "gates that it does not work without"),
    (EntryKey::Replacement, "what to use instead: another gate, or an id"),
    (EntryKey::Warning, "the text that is logged when it is set"),
    (EntryKey::Operational, "whether it still has an effect once deprecated"),
    OWNER,
    TRACKING,
];

const METRIC: &[(EntryKey, &str)] = &[
    (EntryKey::Specs, "its stability classes, oldest first; required"),
    DEPRECATED,
    UNDEPRECATED,
    (
        Event(EventKind::Hidden),
        "the first release that exposes it only to those who ask for it",
    ),
    REMOVED,
    GATED_BY,
    (EntryKey::Replacement, "what to use instead: another metric, or an id"),
    OWNER,
    TRACKING,
    (EntryKey::Help, "its help text"),
];

/// One row per kind of element, in the order of [`ElementKind::ALL`].
pub(crate) const ELEMENTS: [ElementRow; 13] = [
    ElementRow {
        kind: ElementKind::ApiVersion,
        name: "api-version",
        role: Role::Version,
        listed: Listed::Group,
        form: "GROUP/VERSION",
        example: "apps/v1",
        keys: VERSION,
    },
    ElementRow {
        kind: ElementKind::Kind,
        name: "kind",
        role: Role::Kind,
        listed: Listed::Group,
        form: "GROUP/VERSION KIND",
        example: "apps/v1 Deployment",
        keys: VERSION,
    },
    ElementRow {
        kind: ElementKind::Subresource,
        name: "subresource",
        role: Role::Member,
        listed: Listed::Group,
        form: "GROUP/VERSION KIND/SUBRESOURCE",
        example: "apps/v1 Deployment/scale",
        keys: MEMBER,
    },
    ElementRow {
        kind: ElementKind::Field,
        name: "field",
        role: Role::Member,
        listed: Listed::Group,
        form: "GROUP/VERSION KIND .PATH",
        example: "apps/v1 Deployment .spec.replicas",
        keys: MEMBER,
    },
    ElementRow {
        kind: ElementKind::EnumValue,
        name: "enum-value",
        role: Role::Member,
        listed: Listed::Group,
        form: "GROUP/VERSION KIND .PATH=VALUE",
        example: "apps/v1 Deployment .spec.strategy.type=Recreate",
        keys: VALUE,
    },
    ElementRow {
        kind: ElementKind::Annotation,
        name: "annotation",
        role: Role::Member,
        listed: Listed::Group,
        form: "GROUP/VERSION KIND @ANNOTATION",
        example: "apps/v1 Deployment @example.com/size",
        keys: MEMBER,
    },
    ElementRow {
        kind: ElementKind::ConfigVersion,
        name: "config-version",
        role: Role::Version,
        listed: Listed::Group,
        form: "config GROUP/VERSION",
        example: "config kubelet.config.k8s.io/v1beta1",
        keys: VERSION,
    },
    ElementRow {
        kind: ElementKind::ConfigKind,
        name: "config-kind",
        role: Role::Kind,
        listed: Listed::Group,
        form: "config GROUP/VERSION KIND",
        example: "config kubelet.config.k8s.io/v1beta1 KubeletConfiguration",
        keys: VERSION,
    },
    ElementRow {
        kind: ElementKind::Command,
        name: "cli-command",
        role: Role::Single,
        listed: Listed::Program,
        form: "cli PROGRAM COMMAND",
        example: "cli kubectl drain",
        keys: COMMAND,
    },
    ElementRow {
        kind: ElementKind::Flag,
        name: "cli-flag",
        role: Role::Single,
        listed: Listed::Program,
        form: "cli PROGRAM [COMMAND] --FLAG",
        example: "cli kubectl drain --force",
        keys: FLAG,
    },
    ElementRow {
        kind: ElementKind::Gate,
        name: "gate",
        role: Role::Single,
        listed: Listed::Gates,
        form: "gate NAME",
        example: "gate Frobber2D",
        keys: GATE,
    },
    ElementRow {
        kind: ElementKind::Metric,
        name: "metric",
        role: Role::Single,
        listed: Listed::Metrics,
        form: "metric NAME",
        example: "metric widget_requests_total",
        keys: METRIC,
    },
    ElementRow {
        kind: ElementKind::Behavior,
        name: "behavior",
        role: Role::Single,
        listed: Listed::Behaviors,
        form: "behavior NAME",
        example: "behavior exec-probe-timeout",
        keys: FLAG,
    },
];

impl ElementKind {
    /// As reports write it.
    pub(crate) fn as_str(self) -> &'static str {
        self.row().name
    }

    /// Whether it is a member of a kind: what rule 1 keeps in its version.
    pub fn is_member(self) -> bool {
        self.row().role == Role::Member
    }

    /// Whether it is a version, of an API group or of a configuration.
    pub(crate) fn is_version(self) -> bool {
        self.row().role == Role::Version
    }

    /// Whether it is a kind in a version.
    pub fn is_kind(self) -> bool {
        self.row().role == Role::Kind
    }

    /// The row of the table.
    pub(crate) fn row(self) -> &'static ElementRow {
        &ELEMENTS[self as usize]
    }

    /// Whether its entries may have a key.
    pub(crate) fn has_key(self, key: EntryKey) -> bool {
        self.row().keys.iter().any(|(known, _)| *known == key)
    }

    /// The keys of its entries.
    pub(crate) fn keys(self) -> Vec<&'static str> {
        self.row().keys.iter().map(|(key, _)| key.as_str()).collect()
    }
}
