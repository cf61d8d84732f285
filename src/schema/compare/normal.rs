//! Normal forms of values and schemas that can be written in several ways.

use std::collections::BTreeMap;

use serde_json::{Number, Value as Json};

use crate::schema::node::{Additional, Schema};

/// Keywords that only document.
pub(super) const DOCUMENTATION: [&str; 6] = ["title", "example", "externalDocs", "id", "$schema", "$comment"];

/// The normal form of a value as text. Order of keys and notation of numbers do not matter.
pub(super) fn word(value: &Json) -> String {
    ordered(value).to_string()
}

/// The value with sorted keys, and with integers in their usual notation.
fn ordered(value: &Json) -> Json {
    match value {
        Json::Number(number) => Json::Number(whole(number)),
        Json::Array(items) => Json::Array(items.iter().map(ordered).collect()),
        Json::Object(keys) => {
            let sorted: BTreeMap<&String, Json> = keys.iter().map(|(key, value)| (key, ordered(value))).collect();
            Json::Object(sorted.into_iter().map(|(key, value)| (key.clone(), value)).collect())
        }
        other => other.clone(),
    }
}

/// A number without a fraction of zero.
fn whole(number: &Number) -> Number {
    match number.as_f64() {
        // Larger doubles cannot have a fraction.
        Some(real) if number.is_f64() && real.fract() == 0.0 && real.abs() < 9_007_199_254_740_992.0 => {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole and within bounds")]
            let whole = real as i64;
            Number::from(whole)
        }
        _ => number.clone(),
    }
}

/// The normal form of a schema as text, without documentation: equal texts have the same meaning.
pub(super) fn schema(schema: &Schema) -> String {
    value(schema).to_string()
}

fn value(schema: &Schema) -> Json {
    let mut keys: BTreeMap<String, Json> = BTreeMap::new();
    values(schema, &mut keys);
    parts(schema, &mut keys);
    for (key, value) in schema
        .rest
        .iter()
        .filter(|(key, _)| !DOCUMENTATION.contains(&key.as_str()))
    {
        keys.insert(key.clone(), ordered(value));
    }
    Json::Object(keys.into_iter().collect())
}

/// What a schema requires of the value itself.
fn values(schema: &Schema, keys: &mut BTreeMap<String, Json>) {
    let mut put = |key: &str, value: Json| drop(keys.insert(key.to_owned(), value));
    let texts = [
        ("$ref", &schema.reference),
        ("type", &schema.kind),
        ("format", &schema.format),
        ("pattern", &schema.pattern),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            put(key, Json::from(text.as_str()));
        }
    }
    if schema.nullable {
        put("nullable", Json::Bool(true));
    }
    if let Some(value) = &schema.default {
        put("default", ordered(value));
    }
    if let Some(values) = &schema.values {
        put("enum", sorted(values.iter().map(ordered)));
    }
    for (bound, number) in &schema.bounds {
        put(bound.as_str(), Json::Number(whole(number)));
    }
    for flag in &schema.flags {
        put(flag, Json::Bool(true));
    }
    for (merging, how) in &schema.merging {
        put(merging, Json::from(how.as_str()));
    }
    if let Some(names) = &schema.keys {
        put("x-kubernetes-list-map-keys", names.iter().cloned().collect());
    }
    if !schema.rules.is_empty() {
        put("x-kubernetes-validations", sorted(schema.rules.iter().map(ordered)));
    }
}

/// What it requires of the values inside.
fn parts(schema: &Schema, keys: &mut BTreeMap<String, Json>) {
    let mut put = |key: &str, value: Json| drop(keys.insert(key.to_owned(), value));
    let fields = schema.properties.iter();
    let fields: BTreeMap<&String, Json> = fields.map(|(name, field)| (name, value(&field.schema))).collect();
    if !fields.is_empty() {
        put(
            "properties",
            fields.into_iter().map(|(name, value)| (name.clone(), value)).collect(),
        );
    }
    if !schema.required.is_empty() {
        put("required", schema.required.iter().cloned().collect());
    }
    if let Some(items) = &schema.items {
        put("items", value(items));
    }
    match &schema.additional {
        Some(Additional::Allowed(allowed)) => put("additionalProperties", Json::Bool(*allowed)),
        Some(Additional::Of(values)) => put("additionalProperties", value(values)),
        None => {}
    }
    for (logic, members) in &schema.logic {
        put(logic, sorted(members.iter().map(value)));
    }
}

/// Values without order.
fn sorted(values: impl Iterator<Item = Json>) -> Json {
    let mut values: Vec<Json> = values.collect();
    values.sort_by_cached_key(Json::to_string);
    Json::Array(values)
}
