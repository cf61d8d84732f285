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
    // All fields are named, so that the compiler asks for a new one. `parts` reads those without a name.
    let Schema {
        reference,
        kind,
        format,
        description: _,
        nullable,
        default,
        values: valid,
        properties: _,
        required: _,
        items: _,
        additional: _,
        pattern,
        bounds,
        flags,
        logic: _,
        merging,
        keys: list_keys,
        rules,
        rest,
    } = schema;
    let mut keys: BTreeMap<&str, Json> = BTreeMap::new();
    let texts = [reference, kind, format, pattern];
    for (key, text) in ["$ref", "type", "format", "pattern"].into_iter().zip(texts) {
        keys.extend(text.as_deref().map(|text| (key, text.into())));
    }
    keys.extend(nullable.then_some(("nullable", true.into())));
    keys.extend(default.iter().map(|value| ("default", ordered(value))));
    keys.extend(valid.iter().map(|valid| ("enum", sorted(valid.iter().map(ordered)))));
    for (bound, number) in bounds {
        keys.insert(bound.into_str(), whole(number).into());
    }
    keys.extend(flags.iter().map(|flag| (*flag, true.into())));
    keys.extend(merging.iter().map(|(merging, how)| (*merging, how.as_str().into())));
    if let Some(names) = list_keys {
        keys.insert("x-kubernetes-list-map-keys", names.iter().cloned().collect());
    }
    if !rules.is_empty() {
        keys.insert("x-kubernetes-validations", sorted(rules.iter().map(ordered)));
    }
    parts(schema, &mut keys);
    let rest = rest.iter().map(|(key, value)| (key.as_str(), ordered(value)));
    keys.extend(rest.filter(|(key, _)| !DOCUMENTATION.contains(key)));
    keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// What a schema requires of the values inside.
fn parts(schema: &Schema, keys: &mut BTreeMap<&str, Json>) {
    // Without a type, a schema is an alternative: a field of it of which nothing is required has no effect.
    let is_alternative = schema.kind.is_none() && schema.additional.is_none() && schema.flags.is_empty();
    let fields = schema.properties.iter();
    let fields = fields.map(|(name, field)| (name.clone(), value(&field.schema)));
    let fields: serde_json::Map<String, Json> = fields
        .filter(|(_, field)| !is_alternative || field.as_object().is_none_or(|keys| !keys.is_empty()))
        .collect();
    if !fields.is_empty() {
        keys.insert("properties", Json::Object(fields));
    }
    if !schema.required.is_empty() {
        keys.insert("required", schema.required.iter().cloned().collect());
    }
    keys.extend(schema.items.iter().map(|items| ("items", value(items))));
    keys.extend(schema.additional.iter().map(|additional| match additional {
        Additional::Allowed(allowed) => ("additionalProperties", Json::Bool(*allowed)),
        Additional::Of(values) => ("additionalProperties", value(values)),
    }));
    for (logic, members) in &schema.logic {
        keys.insert(logic, sorted(members.iter().map(value)));
    }
}

/// Values without order.
fn sorted(values: impl Iterator<Item = Json>) -> Json {
    let mut values: Vec<Json> = values.collect();
    values.sort_by_cached_key(Json::to_string);
    Json::Array(values)
}
