//! The parts of an `OpenAPI` document that are read.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::schema::node::{Properties, Property};

/// A document of version 2 or 3.
#[derive(Default, Deserialize)]
#[serde(default, expecting = "an OpenAPI document")]
pub(crate) struct Document {
    swagger: Option<IgnoredAny>,
    openapi: Option<IgnoredAny>,
    pub(crate) paths: Option<BTreeMap<String, Path>>,
    /// The schemas of version 2.
    definitions: Option<Properties>,
    /// Those of version 3.
    components: Option<Components>,
}

impl Document {
    /// Whether it declares the format.
    pub(crate) fn is_one(&self) -> bool {
        self.swagger.is_some() || self.openapi.is_some()
    }

    /// Its schemas, by name.
    pub(crate) fn schemas(self) -> BTreeMap<String, Property> {
        let components = self.components.and_then(|components| components.schemas);
        self.definitions
            .or(components)
            .map(|schemas| schemas.0)
            .unwrap_or_default()
    }
}

#[derive(Default, Deserialize)]
#[serde(default, expecting = "components by sort")]
struct Components {
    schemas: Option<Properties>,
}

/// The operations on one path.
#[derive(Debug, Default, Deserialize)]
#[serde(default, expecting = "the operations on a path")]
pub(crate) struct Path {
    get: Option<Operation>,
    put: Option<Operation>,
    post: Option<Operation>,
    patch: Option<Operation>,
    delete: Option<Operation>,
    head: Option<Operation>,
    options: Option<Operation>,
}

impl Path {
    pub(crate) fn operations(&self) -> impl Iterator<Item = &Operation> {
        let all = [
            &self.get,
            &self.put,
            &self.post,
            &self.patch,
            &self.delete,
            &self.head,
            &self.options,
        ];
        all.into_iter().flatten()
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, expecting = "an operation")]
pub(crate) struct Operation {
    /// Its kind.
    #[serde(rename = "x-kubernetes-group-version-kind")]
    pub(crate) kinds: Option<Kinds>,
    /// Whether it is deprecated.
    pub(crate) deprecated: Option<bool>,
}

/// A kind in a version of a group.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(default)]
pub(crate) struct GroupVersionKind {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
}

/// The kinds of a schema or an operation: operations have one, schemas a list.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Kinds {
    One(GroupVersionKind),
    Several(Vec<GroupVersionKind>),
}

impl Kinds {
    pub(crate) fn list(&self) -> &[GroupVersionKind] {
        match self {
            Self::One(kind) => std::slice::from_ref(kind),
            Self::Several(kinds) => kinds,
        }
    }
}
