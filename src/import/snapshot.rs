//! What one release of a product has. Lives are made of the snapshots of several releases.

use std::collections::{BTreeMap, BTreeSet};

/// The kinds of a product in one release, by group and name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// By group, then by kind.
    pub groups: BTreeMap<String, BTreeMap<String, Resource>>,
}

/// A kind in one release.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resource {
    /// The plural in URLs.
    pub plural: String,
    /// The versions the code knows, by name.
    pub versions: BTreeMap<String, Version>,
    /// The versions that stored objects may be in; empty if unknown.
    pub stored: BTreeSet<String>,
    /// Whether only served versions are shown: the code may still read others.
    pub served_only: bool,
}

/// A kind in one version and release.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Version {
    /// Whether the API serves it.
    pub served: bool,
    /// Whether objects are written to storage in it.
    pub storage: bool,
    /// Whether its users are warned.
    pub deprecated: bool,
    /// The text of the warning, where it is not the default.
    pub warning: Option<String>,
    /// Its subresources.
    pub subresources: BTreeSet<String>,
    /// Its fields, by path. Steps into lists end in `[]`, those into maps in `{}`.
    pub fields: BTreeMap<String, Field>,
}

/// A field in one version and release.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Field {
    /// Its type, as its schema names it; empty where it names none.
    pub kind: String,
    /// Whether an object without it is refused.
    pub required: bool,
    /// Whether it is marked as deprecated.
    pub deprecated: bool,
    /// The value an unset field gets.
    pub default: Option<serde_json::Value>,
    /// The values it may have, if they are enumerated.
    pub values: BTreeSet<String>,
    /// Other keywords that decide how it is read and merged, by name: `format`, `list type`, `list map keys`, `map
    /// type`, `patch strategy`, `patch merge key`.
    pub facets: BTreeMap<&'static str, String>,
}

/// A kind as a file defines it.
#[derive(Debug, Clone, PartialEq)]
pub struct Defined {
    /// The API group; `core` for the one without a name.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The rest.
    pub resource: Resource,
}

impl Snapshot {
    /// Adds a kind: its versions to those of a known one if only served versions are shown. Returns whether it is the
    /// only one of its name, as a second one that differs is not added.
    pub fn add(&mut self, defined: &Defined) -> bool {
        let Defined { group, kind, resource } = defined;
        let kinds = self.groups.entry(group.clone()).or_default();
        match kinds.get_mut(kind) {
            None => kinds.insert(kind.clone(), resource.clone()).is_none(),
            Some(known) if resource.served_only => {
                let mut versions = resource.versions.iter();
                versions.all(|(name, own)| known.versions.entry(name.clone()).or_insert_with(|| own.clone()) == own)
            }
            Some(known) => known == resource,
        }
    }
}
