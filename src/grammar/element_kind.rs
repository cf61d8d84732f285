//! The table of element kinds: how the model file and all answers treat each.
//!
//! Reading, writing and updating model files, `propose`, notes, pictures and the tables of the page `model` follow from
//! these rows.

use serde::Serialize;

use super::EntryKey;
use super::keys::{COMMAND, FLAG, GATE, KeyTable, MEMBER, METRIC, VALUE, VERSION};

/// A kind of element.
#[derive(Debug)]
pub(crate) struct ElementRow {
    /// As reports write it.
    pub(crate) name: &'static str,
    /// What it is to the elements around it.
    pub(crate) role: Role,
    /// Where notes and pictures list it.
    pub(crate) listed: Listed,
    /// The form of its id.
    #[cfg_attr(not(test), expect(dead_code, reason = "the page `model` is held against it"))]
    pub(crate) form: &'static str,
    /// An id.
    #[cfg_attr(not(test), expect(dead_code, reason = "the page `model` is held against it"))]
    pub(crate) example: &'static str,
    /// The keys of its entries.
    pub(crate) keys: KeyTable,
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

impl Listed {
    /// The heading of the list, if it is not the name of a group or program.
    pub(crate) fn heading(self) -> Option<&'static str> {
        match self {
            Self::Group | Self::Program => None,
            Self::Gates => Some("gates"),
            Self::Metrics => Some("metrics"),
            Self::Behaviors => Some("behaviors"),
        }
    }
}

/// Makes the enum and its table of one row per kind: its name, its role, where it is listed, the keys of its entries,
/// the form of its id and an id.
macro_rules! element_kinds {
    ($(#[$doc:meta] $kind:ident = $name:literal $role:ident $listed:ident $keys:ident $form:literal $example:literal)*) => {
        /// What sort of thing an element is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub enum ElementKind {
            $(#[$doc] #[serde(rename = $name)] $kind,)*
        }

        impl ElementKind {
            /// All of them.
            pub(crate) const ALL: [Self; ELEMENTS.len()] = [$(Self::$kind),*];
        }

        /// One row per kind of element, in the order of [`ElementKind::ALL`].
        pub(crate) const ELEMENTS: [ElementRow; [$($name),*].len()] = [$(ElementRow {
            name: $name,
            role: Role::$role,
            listed: Listed::$listed,
            form: $form,
            example: $example,
            keys: $keys,
        }),*];
    };
}

element_kinds! {
    /// A version of an API group: `apps/v1`.
    ApiVersion = "api-version" Version Group VERSION "GROUP/VERSION" "apps/v1"
    /// A kind in a version: `apps/v1 Deployment`.
    Kind = "kind" Kind Group VERSION "GROUP/VERSION KIND" "apps/v1 Deployment"
    /// A subresource of a kind: `apps/v1 Deployment/scale`.
    Subresource = "subresource" Member Group MEMBER "GROUP/VERSION KIND/SUBRESOURCE" "apps/v1 Deployment/scale"
    /// A field: `apps/v1 Deployment .spec.replicas`.
    Field = "field" Member Group MEMBER "GROUP/VERSION KIND .PATH" "apps/v1 Deployment .spec.replicas"
    /// A value of an enumeration: `apps/v1 Deployment .spec.strategy.type=Recreate`.
    EnumValue = "enum-value" Member Group VALUE "GROUP/VERSION KIND .PATH=VALUE" "apps/v1 Deployment .spec.strategy.type=Recreate"
    /// An annotation: `apps/v1 Deployment @example.com/size`.
    Annotation = "annotation" Member Group MEMBER "GROUP/VERSION KIND @ANNOTATION" "apps/v1 Deployment @example.com/size"
    /// A version of a component's configuration: `config kubelet.config.k8s.io/v1beta1`.
    ConfigVersion = "config-version" Version Group VERSION "config GROUP/VERSION" "config kubelet.config.k8s.io/v1beta1"
    /// A kind of a component's configuration: `config kubelet.config.k8s.io/v1beta1 KubeletConfiguration`.
    ConfigKind = "config-kind" Kind Group VERSION "config GROUP/VERSION KIND" "config kubelet.config.k8s.io/v1beta1 KubeletConfiguration"
    /// A command: `cli kubectl drain`.
    Command = "cli-command" Single Program COMMAND "cli PROGRAM COMMAND" "cli kubectl drain"
    /// A flag: `cli kubectl drain --force`.
    Flag = "cli-flag" Single Program FLAG "cli PROGRAM [COMMAND] --FLAG" "cli kubectl drain --force"
    /// A feature gate: `gate Frobber2D`.
    Gate = "gate" Single Gates GATE "gate NAME" "gate Frobber2D"
    /// A metric: `metric apiserver_storage_objects`.
    Metric = "metric" Single Metrics METRIC "metric NAME" "metric widget_requests_total"
    /// A behavior that neither API nor command line controls: `behavior exec-probe-timeout`.
    Behavior = "behavior" Single Behaviors FLAG "behavior NAME" "behavior exec-probe-timeout"
}

impl ElementKind {
    /// The row of the table.
    pub(crate) fn row(self) -> &'static ElementRow {
        &ELEMENTS[self as usize]
    }

    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        self.row().name
    }

    /// Whether it is a member of a kind: what rule 1 keeps in its version.
    pub fn is_member(self) -> bool {
        self.row().role == Role::Member
    }

    /// Whether it is a version, of an API group or of a configuration.
    pub fn is_version(self) -> bool {
        self.row().role == Role::Version
    }

    /// Whether it is a kind in a version.
    pub fn is_kind(self) -> bool {
        self.row().role == Role::Kind
    }

    /// Whether its ids are its kind and a name, which are also the keys of its entry: `gate Frobber2D`.
    pub(crate) fn is_named(self) -> bool {
        self.row().listed.heading().is_some()
    }

    /// Whether its entries may have a key.
    pub(crate) fn has_key(self, key: EntryKey) -> bool {
        self.row().keys.iter().any(|(known, _)| *known == key.as_str())
    }
}
