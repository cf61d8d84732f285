//! The schema of a value, keyword by keyword.

#![allow(missing_docs, reason = "most names are the keywords")]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value as Json};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::keyed::{Keyed, raw, table, value};
use crate::source::Location;
use crate::text::Placed;

/// A schema with the keywords of [structural schemas]. A keyword that is `null` is absent.
///
/// [structural schemas]:
/// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Schema {
    /// `$ref`: the name of the schema to use. `OpenAPI` documents have it, CRDs must not.
    pub(crate) reference: Option<String>,
    /// `type`.
    pub kind: Option<String>,
    pub format: Option<String>,
    pub description: Option<String>,
    pub nullable: bool,
    /// `default`: the value of an unset field.
    pub(crate) default: Option<Json>,
    /// `enum`: the valid values.
    pub values: Option<Vec<Json>>,
    pub properties: BTreeMap<String, Property>,
    pub required: BTreeSet<String>,
    pub items: Option<Box<Schema>>,
    /// `additionalProperties`.
    pub additional: Option<Additional>,
    pub pattern: Option<String>,
    /// Minimum and maximum of numbers, lengths, items and properties.
    pub(crate) bounds: BTreeMap<Bound, Number>,
    /// Keywords that are `true`: `uniqueItems`, `exclusiveMinimum`, `x-kubernetes-int-or-string`, ….
    pub(crate) flags: BTreeSet<&'static str>,
    /// `allOf`, `anyOf`, `oneOf` and `not`, the latter with one member.
    pub(crate) logic: BTreeMap<&'static str, Vec<Schema>>,
    /// `x-kubernetes-list-type` and `x-kubernetes-map-type`.
    pub(crate) merging: BTreeMap<&'static str, String>,
    /// `x-kubernetes-list-map-keys`.
    pub(crate) keys: Option<BTreeSet<String>>,
    /// `x-kubernetes-validations`, each rule as written.
    pub(crate) rules: Vec<Json>,
    /// All other keywords, and those above with a value of the wrong type.
    pub(crate) rest: BTreeMap<String, Json>,
}

/// The schema of a field, and the place of its name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Property {
    /// The place in the document. It is not known for JSON that is not valid YAML, and for `OpenAPI` documents in JSON.
    pub place: Option<Location>,
    /// On its own: a map has room for more entries than it holds.
    pub schema: Box<Schema>,
}

/// `additionalProperties`: what is valid in unlisted fields.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Additional {
    /// Whether they are allowed.
    Allowed(bool),
    /// The schema of their values.
    Of(Box<Schema>),
}

/// A keyword that bounds numbers or sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", const_into_str)]
pub enum Bound {
    Minimum,
    Maximum,
    MinLength,
    MaxLength,
    MinItems,
    MaxItems,
    MinProperties,
    MaxProperties,
    MultipleOf,
}

/// Boolean keywords; `false` is the same as absence.
const FLAGS: [&str; 6] = [
    "uniqueItems",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
];

/// Keywords whose value is a list of schemas.
const LOGIC: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Keywords that define how concurrent writes are merged.
const MERGING: [&str; 2] = ["x-kubernetes-list-type", "x-kubernetes-map-type"];

impl Schema {
    /// Whether a boolean keyword is `true`.
    pub(crate) fn says(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }

    /// `x-kubernetes-list-type`.
    pub(crate) fn list_type(&self) -> Option<&str> {
        self.merging.get("x-kubernetes-list-type").map(String::as_str)
    }

    /// `x-kubernetes-map-type`.
    pub(super) fn map_type(&self) -> Option<&str> {
        self.merging.get("x-kubernetes-map-type").map(String::as_str)
    }

    /// Whether it has CEL rules, or combines other schemas.
    pub(crate) fn has_rules(&self) -> bool {
        !self.rules.is_empty() || !self.logic.is_empty()
    }

    /// The schemas directly within it: of fields, items and unlisted fields, and the members of combinations.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Self> {
        let fields = self.properties.values().map(|field| &*field.schema);
        let values = match &self.additional {
            Some(Additional::Of(values)) => Some(&**values),
            _ => None,
        };
        let nested = self.items.as_deref().into_iter().chain(values);
        fields.chain(nested).chain(self.logic.values().flatten())
    }

    /// The same to change them.
    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        let fields = self.properties.values_mut().map(|field| &mut *field.schema);
        let values = match &mut self.additional {
            Some(Additional::Of(values)) => Some(&mut **values),
            _ => None,
        };
        let nested = self.items.as_deref_mut().into_iter().chain(values);
        fields.chain(nested).chain(self.logic.values_mut().flatten())
    }

    /// Takes the places from the same schema, read by another reader.
    pub(super) fn take_places(&mut self, other: &Self) {
        for (own, other) in self.properties.values_mut().zip(other.properties.values()) {
            own.place = other.place;
        }
        for (own, other) in self.parts_mut().zip(other.parts()) {
            own.take_places(other);
        }
    }

    /// Takes a keyword without schemas; gives back a value of the wrong type.
    fn small(&mut self, key: &str, value: Json) -> Result<(), Json> {
        if let Ok(bound) = key.parse::<Bound>() {
            self.bounds.insert(bound, typed(value)?);
            return Ok(());
        }
        if let Some(flag) = FLAGS.into_iter().find(|flag| *flag == key) {
            self.flags.extend(typed::<bool>(value)?.then_some(flag));
            return Ok(());
        }
        if let Some(merging) = MERGING.into_iter().find(|merging| *merging == key) {
            self.merging.insert(merging, text(value)?);
            return Ok(());
        }
        match key {
            "type" => self.kind = Some(text(value)?),
            "$ref" => self.reference = Some(text(value)?),
            "format" => self.format = Some(text(value)?),
            "description" => self.description = Some(text(value)?),
            "pattern" => self.pattern = Some(text(value)?),
            "nullable" => self.nullable = typed(value)?,
            "default" => self.default = Some(value),
            "enum" => self.values = Some(typed(value)?),
            "required" => self.required = typed(value)?,
            "x-kubernetes-list-map-keys" => self.keys = Some(typed(value)?),
            "x-kubernetes-validations" => self.rules = typed(value)?,
            _ => return Err(value),
        }
        Ok(())
    }
}

/// A text; gives back a value of another type.
fn text(value: Json) -> Result<String, Json> {
    match value {
        Json::String(text) => Ok(text),
        other => Err(other),
    }
}

/// A value of a type; gives it back if it has another one.
fn typed<T: DeserializeOwned>(value: Json) -> Result<T, Json> {
    match T::deserialize(&value) {
        Ok(read) => Ok(read),
        Err(_) => Err(value),
    }
}

impl Keyed for Schema {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: Cow<'de, str>, map: &mut A) -> Result<(), A::Error> {
        match &*key {
            "properties" => self.properties = value::<Properties, A>(map)?.map(|read| read.0).unwrap_or_default(),
            "items" => match value(map)? {
                Some(Nested::Of(schema)) => self.items = Some(schema),
                Some(Nested::Other(other)) => drop(self.rest.insert(key.into_owned(), other)),
                None => {}
            },
            "additionalProperties" => match value(map)? {
                Some(Nested::Of(schema)) => self.additional = Some(Additional::Of(schema)),
                Some(Nested::Other(Json::Bool(allowed))) => self.additional = Some(Additional::Allowed(allowed)),
                Some(Nested::Other(other)) => drop(self.rest.insert(key.into_owned(), other)),
                None => {}
            },
            "not" => match value(map)? {
                Some(Nested::Of(schema)) => drop(self.logic.insert("not", vec![*schema])),
                Some(Nested::Other(other)) => drop(self.rest.insert(key.into_owned(), other)),
                None => {}
            },
            other => {
                if let Some(logic) = LOGIC.into_iter().find(|logic| *logic == other) {
                    let members: Option<Vec<Schema>> = value(map)?;
                    let members = members.filter(|members| !members.is_empty());
                    self.logic.extend(members.map(|members| (logic, members)));
                } else if let Some(value) = raw(map)?
                    && let Err(other) = self.small(&key, value)
                {
                    self.rest.insert(key.into_owned(), other);
                }
            }
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        table(deserializer)
    }
}

/// Fields by name.
pub(super) struct Properties(pub BTreeMap<String, Property>);

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PropertiesVisitor)
    }
}

struct PropertiesVisitor;

impl<'de> Visitor<'de> for PropertiesVisitor {
    type Value = Properties;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of schemas")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Properties, A::Error> {
        let mut properties = BTreeMap::new();
        while let Some(Placed { value: name, place }) = map.next_key()? {
            let schema = Box::new(map.next_value()?);
            properties.insert(name, Property { place, schema });
        }
        Ok(Properties(properties))
    }
}

/// A schema, or another value where that is allowed: a boolean or, before v1, a list.
enum Nested {
    Of(Box<Schema>),
    Other(Json),
}

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
        Schema::deserialize(MapAccessDeserializer::new(map)).map(|schema| Nested::Of(Box::new(schema)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Nested, A::Error> {
        Json::deserialize(SeqAccessDeserializer::new(seq)).map(Nested::Other)
    }

    fn visit_bool<E>(self, allowed: bool) -> Result<Nested, E> {
        Ok(Nested::Other(Json::Bool(allowed)))
    }
}
