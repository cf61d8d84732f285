//! A `CustomResourceDefinition` (CRD) of `apiextensions.k8s.io/v1` or `v1beta1`.

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
    /// The API group.
    pub group: String,
    /// `names.kind`.
    pub kind: String,
    /// `names.plural`: the name in URLs.
    pub plural: String,
    /// `names.singular`, if present.
    pub singular: Option<String>,
    /// `names.listKind`, if present.
    pub list_kind: Option<String>,
    /// `names.shortNames`.
    pub short_names: BTreeSet<String>,
    /// `names.categories`.
    pub categories: BTreeSet<String>,
    /// `scope`, if present.
    pub scope: Option<String>,
    /// `conversion`, as written.
    pub conversion: Option<Json>,
    /// `preserveUnknownFields`: whether unlisted fields are kept, in all versions.
    pub preserves_unknown: bool,
    /// The versions, by name.
    pub versions: BTreeMap<String, Version>,
    /// `status.storedVersions`: versions that objects may be stored in. Files in Git rarely have it.
    pub stored: BTreeSet<String>,
    /// The other keys of `spec` and its names.
    pub rest: BTreeMap<String, Json>,
}

/// A version of a kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Version {
    /// The place of its name, if known.
    pub place: Option<Location>,
    /// Whether the API serves it.
    pub served: bool,
    /// Whether it is the storage version.
    pub storage: bool,
    /// Whether it is marked as deprecated, so that the server warns its clients.
    pub deprecated: bool,
    /// `deprecationWarning`: the warning, if it is not the default one.
    pub warning: Option<String>,
    /// The schema of its objects, if it has one.
    pub schema: Option<Arc<Schema>>,
    /// `subresources`, each as written.
    pub subresources: BTreeMap<String, Json>,
    /// `additionalPrinterColumns`, by name.
    pub columns: BTreeMap<String, Json>,
    /// The paths of `selectableFields`.
    pub selectable: BTreeSet<String>,
    /// The other keys.
    pub rest: BTreeMap<String, Json>,
}
