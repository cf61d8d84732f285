//! What is read of a `CustomResourceDefinition`; keys that say nothing about lives are passed over.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};

/// A manifest: a definition, or a list of them.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Manifest {
    pub kind: Option<String>,
    pub api_version: Option<String>,
    pub spec: Option<Spec>,
    pub status: Option<Status>,
    pub items: Option<Vec<Manifest>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Spec {
    pub group: Option<String>,
    pub names: Option<Names>,
    pub versions: Option<Vec<Version>>,
    /// Before v1: the only version, or the first one.
    pub version: Option<String>,
    /// Before v1: what holds for all versions that do not say their own.
    pub validation: Option<Validation>,
    pub subresources: Option<Subresources>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Names {
    pub kind: Option<String>,
    pub plural: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Version {
    pub name: Option<String>,
    pub served: Option<bool>,
    pub storage: Option<bool>,
    pub deprecated: Option<bool>,
    pub deprecation_warning: Option<String>,
    pub schema: Option<Validation>,
    pub subresources: Option<Subresources>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Validation {
    #[serde(rename = "openAPIV3Schema")]
    pub schema: Option<Schema>,
}

/// The names of subresources; what they are configured with is not read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Subresources {
    pub status: Option<IgnoredAny>,
    pub scale: Option<IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Status {
    pub stored_versions: Option<Vec<String>>,
}

/// Schemas that others refer to, by name.
pub(in super::super) type Definitions = BTreeMap<String, Schema>;

/// The schema of a value.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(in super::super) struct Schema {
    /// Of several types: all, joined.
    #[serde(rename = "type", deserialize_with = "types")]
    pub kind: Option<String>,
    /// Where the rest of it is: `#/definitions/NAME` or `#/components/schemas/NAME`.
    #[serde(rename = "$ref")]
    pub reference: Option<Box<str>>,
    pub all_of: Option<Vec<Schema>>,
    pub format: Option<Box<str>>,
    pub deprecated: Option<bool>,
    #[serde(rename = "x-kubernetes-list-type")]
    pub list_type: Option<Box<str>>,
    #[serde(rename = "x-kubernetes-list-map-keys")]
    pub list_map_keys: Option<Box<[String]>>,
    #[serde(rename = "x-kubernetes-map-type")]
    pub map_type: Option<Box<str>>,
    #[serde(rename = "x-kubernetes-patch-strategy")]
    pub patch_strategy: Option<Box<str>>,
    #[serde(rename = "x-kubernetes-patch-merge-key")]
    pub patch_merge_key: Option<Box<str>>,
    /// Which kinds it is of; documents of `OpenAPI` say so.
    #[serde(rename = "x-kubernetes-group-version-kind")]
    pub kinds: Option<Kinds>,
    pub default: Option<serde_json::Value>,
    #[serde(rename = "enum")]
    pub values: Option<Vec<serde_json::Value>>,
    pub required: Option<Vec<String>>,
    pub properties: Option<BTreeMap<String, Schema>>,
    pub items: Nested,
    pub additional_properties: Nested,
}

/// A kind in a version of a group.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(default)]
pub(in super::super) struct GroupVersionKind {
    pub group: String,
    pub version: String,
    pub kind: String,
}

/// The kinds that a schema or an operation is of: operations have one, schemas a list.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(in super::super) enum Kinds {
    One(GroupVersionKind),
    Several(Vec<GroupVersionKind>),
}

impl Kinds {
    pub fn list(&self) -> &[GroupVersionKind] {
        match self {
            Self::One(kind) => std::slice::from_ref(kind),
            Self::Several(kinds) => kinds,
        }
    }
}

/// A type, or several: since version 3.1 of `OpenAPI`.
fn types<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Types {
        One(String),
        Several(Vec<String>),
    }
    let types = Option::<Types>::deserialize(deserializer)?;
    Ok(types.map(|types| match types {
        Types::One(name) => name,
        Types::Several(names) => names.join(" or "),
    }))
}

/// A schema where the format also allows a boolean or, before v1, a list.
#[derive(Debug, Default)]
pub(in super::super) struct Nested(pub Option<Box<Schema>>);

impl<'de> Deserialize<'de> for Nested {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NestedVisitor)
    }
}

struct NestedVisitor;

impl<'de> Visitor<'de> for NestedVisitor {
    type Value = Nested;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a schema")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Nested, A::Error> {
        Schema::deserialize(MapAccessDeserializer::new(map)).map(|schema| Nested(Some(Box::new(schema))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Nested, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Nested(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Nested, E> {
        Ok(Nested(None))
    }

    fn visit_unit<E>(self) -> Result<Nested, E> {
        Ok(Nested(None))
    }
}
