//! The definition of a custom resource, of `apiextensions.k8s.io/v1` or `v1beta1`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value as Json;

use super::node::Schema;
use crate::text::Place;

/// A kind as one document defines it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Definition {
    /// Where its document begins.
    pub place: Place,
    /// The API group.
    pub group: String,
    /// `names.kind`.
    pub kind: String,
    /// `names.plural`: the word in URLs.
    pub plural: String,
    /// `names.singular`, if it is said.
    pub singular: Option<String>,
    /// `names.listKind`, if it is said.
    pub list_kind: Option<String>,
    /// `names.shortNames`.
    pub short_names: BTreeSet<String>,
    /// `names.categories`.
    pub categories: BTreeSet<String>,
    /// `scope`, if it is said.
    pub scope: Option<String>,
    /// `conversion`, as it is written.
    pub conversion: Option<Json>,
    /// `preserveUnknownFields`: whether fields that no schema lists are kept, in all versions.
    pub preserves_unknown: bool,
    /// The versions, by name.
    pub versions: BTreeMap<String, Version>,
    /// `status.storedVersions`: those that stored objects may be in. Files in Git seldom say it.
    pub stored: BTreeSet<String>,
    /// What else `spec` and its names say, by key.
    pub rest: BTreeMap<String, Json>,
}

/// A version of a kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Version {
    /// Where its name stands, if that is known.
    pub place: Option<Place>,
    /// Whether the API serves it.
    pub served: bool,
    /// Whether objects are written to storage in it.
    pub storage: bool,
    /// Whether its users are warned.
    pub deprecated: bool,
    /// `deprecationWarning`: the words, where they are not the usual ones.
    pub warning: Option<String>,
    /// The schema of its objects, if there is one.
    pub schema: Option<Arc<Schema>>,
    /// `subresources`, each as it is written.
    pub subresources: BTreeMap<String, Json>,
    /// `additionalPrinterColumns`, by name.
    pub columns: BTreeMap<String, Json>,
    /// The paths of `selectableFields`.
    pub selectable: BTreeSet<String>,
    /// What else is said, by key.
    pub rest: BTreeMap<String, Json>,
}
