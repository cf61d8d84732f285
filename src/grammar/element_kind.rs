//! The table of element kinds: how the model file and all answers treat each.
//!
//! Reading, writing and updating model files, `propose`, notes, pictures and the tables of the page `model` follow from
//! these rows.

use std::sync::LazyLock;

use serde::Serialize;

use super::EntryKey;
use super::keys::{COMMAND, EXTRA, FLAG, GATE, KeyTable, MEMBER, METRIC, VALUE, VERSION, names};

/// A kind of element.
#[derive(Debug)]
pub(crate) struct ElementRow {
    /// As reports write it.
    pub(crate) name: &'static str,
    /// What it is to the elements around it.
    pub(crate) role: Role,
    /// The section of the model file that has it.
    pub(crate) section: FileSection,
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
    /// It stands alone, and its ids are its section and a name: `gate Frobber2D`.
    Named,
}

/// The section of the model file that has an element. It decides which function reads the entry, on which scale the
/// element is stable, and where notes and pictures list it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileSection {
    Group,
    Config,
    Cli,
    Gate,
    Metric,
    Behavior,
    /// The section of an [`ExtraKind`](super::ExtraKind), which has its name.
    Extra,
}

impl FileSection {
    /// Its key in the model file.
    pub(crate) fn as_str(self) -> &'static str {
        self.words().0
    }

    /// The heading under which pictures list its elements; `None` if that is the name of a group or program.
    pub(crate) fn heading(self) -> Option<&'static str> {
        self.words().1
    }

    fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Group => ("group", None),
            Self::Config => ("config", None),
            Self::Cli => ("cli", None),
            Self::Gate => ("gate", Some("gates")),
            Self::Metric => ("metric", Some("metrics")),
            Self::Behavior => ("behavior", Some("behaviors")),
            Self::Extra => ("element-kind", None),
        }
    }
}

/// Makes the enum and its table of one row per kind: its name, its role, its section, the keys of its entries, the
/// form of its id and an id.
macro_rules! element_kinds {
    ($(#[$doc:meta] $kind:ident = $name:literal $role:ident $section:ident $keys:ident $form:literal $example:literal)*) => {
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
            section: FileSection::$section,
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
    ConfigVersion = "config-version" Version Config VERSION "config GROUP/VERSION" "config kubelet.config.k8s.io/v1beta1"
    /// A kind of a component's configuration: `config kubelet.config.k8s.io/v1beta1 KubeletConfiguration`.
    ConfigKind = "config-kind" Kind Config VERSION "config GROUP/VERSION KIND" "config kubelet.config.k8s.io/v1beta1 KubeletConfiguration"
    /// A command: `cli kubectl drain`.
    Command = "cli-command" Single Cli COMMAND "cli PROGRAM COMMAND" "cli kubectl drain"
    /// A flag: `cli kubectl drain --force`.
    Flag = "cli-flag" Single Cli FLAG "cli PROGRAM [COMMAND] --FLAG" "cli kubectl drain --force"
    /// A feature gate: `gate Frobber2D`.
    Gate = "gate" Named Gate GATE "gate NAME" "gate Frobber2D"
    /// A metric: `metric apiserver_storage_objects`.
    Metric = "metric" Named Metric METRIC "metric NAME" "metric widget_requests_total"
    /// A behavior that neither API nor command line controls: `behavior exec-probe-timeout`.
    Behavior = "behavior" Named Behavior FLAG "behavior NAME" "behavior exec-probe-timeout"
    /// An element of a kind that the preset, a policy or the model declares: `endpoint GET /v1/users`.
    Extra = "extra" Single Extra EXTRA "KIND NAME" "endpoint GET /v1/users"
}

/// For each kind of element, which of [`EntryKey::ALL`] its entries may have: a bit each. Models have millions of keys.
static KNOWN_KEYS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let masks = ELEMENTS.iter().map(|row| {
        let ranks = row.keys.iter().map(|(name, _)| EntryKey::rank(name));
        ranks.fold(0, |mask, rank| mask | (1 << rank))
    });
    masks.collect()
});

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

    /// Whether its ids are its section and a name, which are also the keys of its entry: `gate Frobber2D`.
    pub(crate) fn is_named(self) -> bool {
        self.row().role == Role::Named
    }

    /// The names of the keys that its entries may have, or a life of its own.
    pub(crate) fn keys(self, is_life: bool) -> Vec<&'static str> {
        let mut keys = names(self.row().keys);
        keys.retain(|key| !(is_life && EntryKey::parse(key).is_some_and(EntryKey::is_of_element)));
        keys
    }

    /// Whether its entries may have a key.
    pub(crate) fn has_key(self, key: EntryKey) -> bool {
        self.entry_key(key.as_str()).is_some()
    }

    /// A key that its entries may have, by its name.
    pub(crate) fn entry_key(self, name: &str) -> Option<EntryKey> {
        let rank = EntryKey::rank(name);
        let known = EntryKey::ALL.get(rank).copied();
        known.filter(|_| KNOWN_KEYS[self as usize] & (1 << rank) != 0)
    }
}
