//! Manifests as written, key by key.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess};
use serde_json::Value as Json;

use super::KIND;
use super::meant::is_generated;
use crate::schema::keyed::{Keyed, Word, flag, raw, table, value, word};
use crate::schema::node::Schema;
use crate::text::Placed;

/// The keys that identify a document.
#[derive(Default)]
pub(super) struct Label {
    kind: Option<Json>,
}

impl Label {
    /// Whether it is neither a CRD nor a list of CRDs.
    pub(crate) fn is_other(&self) -> bool {
        let kind = self.kind.as_ref().map(|kind| kind.as_str().unwrap_or_default());
        kind.is_none_or(|kind| kind != KIND && !kind.ends_with("List"))
    }
}

impl Keyed for Label {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: Cow<'de, str>, map: &mut A) -> Result<(), A::Error> {
        match &*key {
            "kind" => self.kind = raw(map)?,
            _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
        }
        Ok(())
    }
}

/// A CRD, or a list of manifests.
#[derive(Default)]
pub(super) struct Manifest {
    pub(crate) kind: Option<String>,
    pub(crate) api_version: Option<String>,
    /// `metadata.name`.
    pub(crate) name: Option<String>,
    pub(crate) spec: Option<Spec>,
    pub(crate) stored: BTreeSet<String>,
    pub(crate) items: Option<Vec<Manifest>>,
    /// Whether Kustomize would merge something of it outside of `spec`: labels, annotations, or a key such as `$patch`.
    pub(crate) merges: bool,
}

impl Manifest {
    /// Takes the places from the same manifest, read by another reader.
    pub(crate) fn take_places(&mut self, other: Self) {
        for (own, other) in self.items.iter_mut().flatten().zip(other.items.into_iter().flatten()) {
            own.take_places(other);
        }
        let (Some(own), Some(other)) = (&mut self.spec, other.spec) else {
            return;
        };
        own.shared.take_places(&other.shared);
        for (own, other) in own.versions.iter_mut().zip(other.versions) {
            own.own.take_places(&other.own);
            let (Some(own), Some(other)) = (&mut own.name, other.name) else {
                continue;
            };
            if own.value == other.value {
                *own = other;
            }
        }
    }
}

impl Keyed for Manifest {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: Cow<'de, str>, map: &mut A) -> Result<(), A::Error> {
        match &*key {
            "kind" => self.kind = value(map)?,
            "apiVersion" => self.api_version = value(map)?,
            "metadata" => {
                let metadata = value::<Metadata, A>(map)?.unwrap_or_default();
                self.name = metadata.name;
                self.merges |= metadata.merges;
            }
            "spec" => self.spec = value(map)?,
            "status" => self.stored = value::<Status, A>(map)?.map(|status| status.0).unwrap_or_default(),
            "items" => self.items = value(map)?,
            _ => {
                self.merges = true;
                map.next_value::<serde::de::IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Metadata {
    name: Option<String>,
    merges: bool,
}

impl Keyed for Metadata {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: Cow<'de, str>, map: &mut A) -> Result<(), A::Error> {
        match &*key {
            "name" => self.name = raw(map)?.and_then(|name| name.as_str().map(str::to_owned)),
            "labels" | "annotations" => {
                let texts = raw(map)?;
                let texts = texts.as_ref().and_then(Json::as_object).into_iter().flatten();
                self.merges |= texts.into_iter().any(|(key, _)| !is_generated(key));
            }
            _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
        }
        Ok(())
    }
}

#[derive(Default)]
struct Status(BTreeSet<String>);

impl Keyed for Status {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: Cow<'de, str>, map: &mut A) -> Result<(), A::Error> {
        match &*key {
            "storedVersions" => self.0 = value(map)?.unwrap_or_default(),
            _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
        }
        Ok(())
    }
}

#[derive(Default)]
pub(super) struct Spec {
    pub(crate) group: Option<String>,
    pub(crate) names: Names,
    pub(crate) scope: Option<String>,
    pub(crate) conversion: Option<Json>,
    pub(crate) preserves_unknown: Option<bool>,
    pub(crate) versions: Vec<Named>,
    /// Before v1: the only version, or the first one.
    pub(crate) version: Option<String>,
    /// Before v1: the settings of all versions without their own.
    pub(crate) shared: Shared,
    pub(crate) rest: BTreeMap<String, Json>,
}

impl Spec {
    /// Whether it has none of what every CRD has, or nothing but its scope: what Kustomize merges may say that, too.
    pub(crate) fn is_part(&self) -> bool {
        let has_versions = self.version.is_some() || !self.versions.is_empty();
        !self.has_names() && (self.scope.is_none() || !has_versions)
    }

    /// The first key that it has beside `conversion`.
    pub(crate) fn other_part(&self) -> Option<String> {
        let shared = &self.shared;
        let keys = [
            ("scope", self.scope.is_some()),
            ("versions", !self.versions.is_empty()),
            ("version", self.version.is_some()),
            ("preserveUnknownFields", self.preserves_unknown.is_some()),
            ("validation", shared.schema.is_some()),
            ("subresources", shared.subresources.is_some()),
            ("additionalPrinterColumns", shared.columns.is_some()),
        ];
        let known = keys.into_iter().find_map(|(key, is_there)| is_there.then_some(key));
        let other = known.or_else(|| self.rest.keys().map(String::as_str).next());
        other.map(str::to_owned)
    }

    /// Whether it has a group or names.
    pub(crate) fn has_names(&self) -> bool {
        self.group.is_some() || self.names.kind.is_some() || self.names.plural.is_some()
    }

    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        !self.has_names() && self.conversion.is_none() && self.other_part().is_none()
    }
}

impl Keyed for Spec {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: Cow<'de, str>, map: &mut A) -> Result<(), A::Error> {
        match &*key {
            "group" => self.group = word(map)?,
            "names" => self.names = value(map)?.unwrap_or_default(),
            "scope" => self.scope = word(map)?,
            "conversion" => self.conversion = raw(map)?,
            "preserveUnknownFields" => self.preserves_unknown = flag(map)?,
            "versions" => self.versions = value(map)?.unwrap_or_default(),
            "version" => self.version = word(map)?,
            _ => {
                if let Some(key) = self.shared.take(key, map)? {
                    self.rest.extend(raw(map)?.map(|value| (key.into_owned(), value)));
                }
            }
        }
        Ok(())
    }
}

#[derive(Default)]
pub(super) struct Names {
    pub(crate) kind: Option<String>,
    pub(crate) plural: Option<String>,
    pub(crate) singular: Option<String>,
    pub(crate) list_kind: Option<String>,
    pub(crate) short: BTreeSet<String>,
    pub(crate) categories: BTreeSet<String>,
    pub(crate) rest: BTreeMap<String, Json>,
}

impl Keyed for Names {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: Cow<'de, str>, map: &mut A) -> Result<(), A::Error> {
        match &*key {
            "kind" => self.kind = word(map)?,
            "plural" => self.plural = word(map)?,
            "singular" => self.singular = word(map)?,
            "listKind" => self.list_kind = word(map)?,
            "shortNames" => self.short = value(map)?.unwrap_or_default(),
            "categories" => self.categories = value(map)?.unwrap_or_default(),
            _ => self.rest.extend(raw(map)?.map(|value| (format!("names.{key}"), value))),
        }
        Ok(())
    }
}

/// The settings of a version or, before v1, of all versions.
#[derive(Default, Clone)]
pub(super) struct Shared {
    pub(crate) schema: Option<Arc<Schema>>,
    pub(crate) subresources: Option<BTreeMap<String, Json>>,
    pub(crate) columns: Option<Vec<Json>>,
    /// Keys beside the schema, where none are allowed.
    pub(crate) beside: BTreeMap<String, Json>,
}

impl Shared {
    fn take_places(&mut self, other: &Self) {
        let own = self.schema.as_mut().and_then(Arc::get_mut);
        if let (Some(own), Some(other)) = (own, &other.schema) {
            own.take_places(other);
        }
    }

    /// Takes the value of a key; gives back an unknown key with its value.
    fn take<'de, A: MapAccess<'de>>(
        &mut self,
        key: Cow<'de, str>,
        map: &mut A,
    ) -> Result<Option<Cow<'de, str>>, A::Error> {
        match &*key {
            "schema" | "validation" => {
                let read: Validation = value(map)?.unwrap_or_default();
                self.schema = read.schema.map(Arc::new);
                let beside = read.rest.into_iter();
                self.beside = beside.map(|(own, value)| (format!("{key}.{own}"), value)).collect();
            }
            "subresources" => {
                let stated: Option<BTreeMap<String, Json>> = value(map)?;
                // `status: {}` declares the subresource; `status: null` does not.
                self.subresources = stated.map(|stated| stated.into_iter().filter(|(_, how)| !how.is_null()).collect());
            }
            "additionalPrinterColumns" => self.columns = value(map)?,
            _ => return Ok(Some(key)),
        }
        Ok(None)
    }
}

/// `openAPIV3Schema`, and keys beside it.
#[derive(Default)]
struct Validation {
    schema: Option<Schema>,
    rest: BTreeMap<String, Json>,
}

impl Keyed for Validation {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: Cow<'de, str>, map: &mut A) -> Result<(), A::Error> {
        match &*key {
            "openAPIV3Schema" => self.schema = value(map)?,
            _ => self.rest.extend(raw(map)?.map(|value| (key.into_owned(), value))),
        }
        Ok(())
    }
}

/// A version with its name.
#[derive(Default)]
pub(super) struct Named {
    pub(crate) name: Option<Placed<Word>>,
    pub(crate) served: Option<bool>,
    pub(crate) storage: Option<bool>,
    pub(crate) deprecated: Option<bool>,
    pub(crate) warning: Option<String>,
    pub(crate) selectable: Option<Vec<Selectable>>,
    pub(crate) own: Shared,
    pub(crate) rest: BTreeMap<String, Json>,
}

impl Keyed for Named {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: Cow<'de, str>, map: &mut A) -> Result<(), A::Error> {
        match &*key {
            "name" => self.name = value(map)?,
            "served" => self.served = flag(map)?,
            "storage" => self.storage = flag(map)?,
            "deprecated" => self.deprecated = flag(map)?,
            "deprecationWarning" => self.warning = word(map)?,
            "selectableFields" => self.selectable = value(map)?,
            _ => {
                if let Some(key) = self.own.take(key, map)? {
                    self.rest.extend(raw(map)?.map(|value| (key.into_owned(), value)));
                }
            }
        }
        Ok(())
    }
}

/// A field by which a server selects.
#[derive(serde::Deserialize)]
#[serde(expecting = "a table with `jsonPath`")]
pub(super) struct Selectable {
    #[serde(rename = "jsonPath")]
    pub(crate) path: String,
}

macro_rules! read_by_key {
    ($($read:ty),*) => {
        $(impl<'de> Deserialize<'de> for $read {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                table(deserializer)
            }
        })*
    };
}

read_by_key!(Label, Manifest, Metadata, Status, Spec, Names, Validation, Named);
