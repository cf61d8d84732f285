//! Fields that a server drops from a value because the schema does not list them.

use serde_json::Value as Json;

use crate::schema::path::OF_EVERY_OBJECT;
use crate::schema::{Additional, Schema};

/// Whether a part of a value without a schema is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unlisted {
    Kept,
    Dropped,
}

/// The first field of a value that the schema does not list. `is_object`: the value is an object with metadata.
pub(super) fn field(value: &Json, schema: &Schema, is_object: bool) -> Option<String> {
    dropped(value, Some(schema), is_object, Unlisted::Dropped)
}

fn dropped(value: &Json, schema: Option<&Schema>, is_object: bool, unlisted: Unlisted) -> Option<String> {
    let unlisted = match schema {
        Some(schema) if schema.says("x-kubernetes-preserve-unknown-fields") => Unlisted::Kept,
        None if unlisted == Unlisted::Kept => return None,
        _ => unlisted,
    };
    match value {
        Json::Array(values) => {
            let items = schema.and_then(|schema| schema.items.as_deref());
            values.iter().find_map(|value| dropped(value, items, false, unlisted))
        }
        Json::Object(fields) => {
            let Some(schema) = schema else {
                return fields.keys().next().cloned();
            };
            let is_object = is_object || schema.says("x-kubernetes-embedded-resource");
            let mut own = fields
                .iter()
                .filter(|(name, _)| !is_object || !OF_EVERY_OBJECT.contains(&name.as_str()));
            own.find_map(
                |(name, value)| match (schema.properties.get(name), &schema.additional) {
                    (Some(property), _) => dropped(value, Some(&property.schema), false, Unlisted::Dropped),
                    (None, Some(Additional::Of(values))) => dropped(value, Some(values), false, Unlisted::Dropped),
                    (None, Some(Additional::Allowed(_))) => dropped(value, None, false, Unlisted::Dropped),
                    (None, None) => (unlisted == Unlisted::Dropped).then(|| name.clone()),
                },
            )
        }
        _ => None,
    }
}
