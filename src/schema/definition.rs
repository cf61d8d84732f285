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
    pub(crate) group: String,
    /// `names.kind`.
    pub kind: String,
    /// `names.plural`: the name in URLs.
    pub(crate) plural: String,
    /// `names.singular`, if present.
    pub(crate) singular: Option<String>,
    /// `names.listKind`, if present.
    pub(crate) list_kind: Option<String>,
    /// `names.shortNames`.
    pub(crate) short_names: BTreeSet<String>,
    /// `names.categories`.
    pub(crate) categories: BTreeSet<String>,
    /// `scope`, if present.
    pub(crate) scope: Option<String>,
    /// `conversion`, as written.
    pub conversion: Option<Json>,
    /// `preserveUnknownFields`: whether unlisted fields are kept, in all versions.
    pub(crate) preserves_unknown: bool,
    /// The versions, by name.
    pub(crate) versions: BTreeMap<String, Version>,
    /// `status.storedVersions`: versions that objects may be stored in. Files in Git rarely have it.
    pub(crate) stored: BTreeSet<String>,
    /// The other keys of `spec` and its names.
    pub(crate) rest: BTreeMap<String, Json>,
}

/// A version of a kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Version {
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
    pub(crate) schema: Option<Arc<Schema>>,
    /// `subresources`, each as written.
    pub subresources: BTreeMap<String, Json>,
    /// `additionalPrinterColumns`, by name.
    pub(crate) columns: BTreeMap<String, Json>,
    /// The paths of `selectableFields`.
    pub(crate) selectable: BTreeSet<String>,
    /// The other keys.
    pub(crate) rest: BTreeMap<String, Json>,
}
