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

/// The schema of a value.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Schema {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub default: Option<serde_json::Value>,
    #[serde(rename = "enum")]
    pub values: Option<Vec<serde_json::Value>>,
    pub required: Option<Vec<String>>,
    pub properties: Option<BTreeMap<String, Schema>>,
    pub items: Nested,
    pub additional_properties: Nested,
}

/// A schema where the format also allows a boolean or, before v1, a list.
#[derive(Debug, Default)]
pub(super) struct Nested(pub Option<Box<Schema>>);

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
