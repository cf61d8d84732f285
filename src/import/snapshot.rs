//! What one release of a product has: the state that lives are made of when releases follow one another.

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
    /// The versions that stored objects may be in, if that is told.
    pub stored: BTreeSet<String>,
    /// Whether only versions that are served are told: of others it is not known whether the code still reads them.
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
    /// The words of the warning, where they are not the usual ones.
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
    /// Whether its users are told that it will go.
    pub deprecated: bool,
    /// The value an unset field gets.
    pub default: Option<serde_json::Value>,
    /// The values it may have, if they are enumerated.
    pub values: BTreeSet<String>,
    /// What else its schema says that decides how it is read and merged, each by what it is called: `format`, `list
    /// type`, `list map keys`, `map type`, `patch strategy`, `patch merge key`.
    pub facets: BTreeMap<&'static str, String>,
}

impl Snapshot {
    /// Adds a kind. Gives it back where one of its name is there already and says something else.
    ///
    /// # Errors
    ///
    /// The kind that was not added.
    pub fn add(&mut self, group: &str, kind: &str, resource: Resource) -> Result<(), Box<Resource>> {
        let kinds = self.groups.entry(group.to_owned()).or_default();
        match kinds.get(kind) {
            Some(known) if *known != resource => Err(Box::new(resource)),
            Some(_) => Ok(()),
            None => {
                kinds.insert(kind.to_owned(), resource);
                Ok(())
            }
        }
    }

    /// Adds a version that is served, of a kind of which only such versions are told. Gives it back where it is there
    /// already and says something else.
    ///
    /// # Errors
    ///
    /// The version that was not added.
    pub fn serve(
        &mut self,
        group: &str,
        kind: &str,
        plural: &str,
        name: &str,
        version: Version,
    ) -> Result<(), Box<Version>> {
        let kinds = self.groups.entry(group.to_owned()).or_default();
        let resource = kinds.entry(kind.to_owned()).or_insert_with(|| Resource {
            plural: plural.to_owned(),
            served_only: true,
            ..Resource::default()
        });
        match resource.versions.get(name) {
            Some(known) if *known != version => Err(Box::new(version)),
            Some(_) => Ok(()),
            None => {
                resource.versions.insert(name.to_owned(), version);
                Ok(())
            }
        }
    }
}
