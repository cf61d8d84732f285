//! A `CustomResourceDefinition` (CRD) of `apiextensions.k8s.io/v1` or `v1beta1`.

#![allow(missing_docs, reason = "most names are the keys")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value as Json;

use super::node::Schema;
use crate::source::Location;

/// A CRD; or a kind that an `OpenAPI` document describes, in the same form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Definition {
    /// The start of its document.
    pub place: Location,
    pub group: String,
    pub kind: String,
    /// `names.plural`: the name in URLs.
    pub plural: String,
    pub singular: Option<String>,
    pub list_kind: Option<String>,
    pub short_names: BTreeSet<String>,
    pub categories: BTreeSet<String>,
    pub scope: Option<String>,
    /// `conversion`, as written.
    pub conversion: Option<Json>,
    /// `preserveUnknownFields`: whether unlisted fields are kept, in all versions.
    pub preserves_unknown: bool,
    pub(crate) versions: BTreeMap<String, Version>,
    /// `status.storedVersions`: versions that objects may be stored in. Files in Git rarely have it.
    pub(crate) stored: BTreeSet<String>,
    /// The other keys of `spec` and its names.
    pub(crate) rest: BTreeMap<String, Json>,
}

impl Definition {
    /// The name of the CRD as an object: the plural name and the group.
    pub fn name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }

    /// `conversion.strategy`, as written.
    pub(crate) fn conversion_strategy(&self) -> Option<&Json> {
        self.conversion.as_ref()?.get("strategy")
    }

    /// The name of the version that objects are stored in, and the version.
    pub(crate) fn storage_version(&self) -> Option<(&String, &Version)> {
        self.versions.iter().find(|(_, version)| version.storage)
    }
}

/// A version of a kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Version {
    /// The place of its name, if known.
    pub place: Option<Location>,
    pub served: bool,
    /// Whether it is the storage version.
    pub storage: bool,
    /// Whether it is marked as deprecated, so that the server warns its clients.
    pub deprecated: bool,
    /// `deprecationWarning`: the warning, if it is not the default one.
    pub warning: Option<String>,
    /// The schema of its objects, if it has one.
    pub(crate) schema: Option<Arc<Schema>>,
    /// `subresources`, each as written.
    pub subresources: BTreeMap<String, Json>,
    /// `additionalPrinterColumns`, by name.
    pub(crate) columns: BTreeMap<String, Json>,
    /// The paths of `selectableFields`.
    pub selectable: BTreeSet<String>,
    pub rest: BTreeMap<String, Json>,
}
