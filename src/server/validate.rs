//! Validation of a value as a Kubernetes server validates a default: no defaults are applied before, fields that are
//! not listed are errors, and `x-kubernetes-int-or-string` accepts both. CEL rules are not validated.
//!
//! Libraries for JSON Schema do not follow these rules, and cost more than all other checks together. A test compares
//! both over generated schemas.

use regex::RegexBuilder;
use serde_json::{Number, Value as Json};

use super::formats;
use crate::schema::path::OF_EVERY_OBJECT;
use crate::schema::{Additional, Bound, Schema};

/// Bytes of a compiled pattern. Larger ones are not checked.
const LARGEST_PATTERN: usize = 1 << 20;

/// Why a value is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValidationError {
    /// The invalid part of the value: `.a[0]`; empty for the whole.
    pub(crate) path: String,
    /// What is wrong.
    pub(crate) why: Why,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Why {
    /// It has the wrong type, or violates another keyword.
    Value(String),
    /// A required field is missing.
    Missing(String),
    /// The schema does not list a field.
    Unknown(String),
}

impl Why {
    /// The error that the whole value is invalid.
    fn here(self) -> ValidationError {
        ValidationError {
            path: String::new(),
            why: self,
        }
    }
}

/// Whether unlisted fields are errors: not in the members of logical keywords.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fields {
    Listed,
    Any,
}

/// The first reason why a value is invalid.
pub(super) fn validation_error(value: &Json, schema: &Schema) -> Option<ValidationError> {
    within(value, schema, Fields::Listed)
}

/// Whether a value is valid as it is: no defaults are applied, and no field is dropped.
pub(crate) fn accepts(value: &Json, schema: &Schema) -> bool {
    validation_error(value, schema).is_none()
}

fn within(value: &Json, schema: &Schema, fields: Fields) -> Option<ValidationError> {
    if value.is_null() && schema.nullable {
        return None;
    }
    type_of(value, schema)
        .or_else(|| listed(value, schema))
        .or_else(|| bounds(value, schema))
        .or_else(|| pattern(value, schema))
        .or_else(|| format(value, schema))
        .map(|reason| Why::Value(reason).here())
        .or_else(|| object(value, schema, fields))
        .or_else(|| items(value, schema, fields))
        .or_else(|| logic(value, schema).map(|reason| Why::Value(reason).here()))
}

fn type_of(value: &Json, schema: &Schema) -> Option<String> {
    if schema.says("x-kubernetes-int-or-string") {
        let fits = value.is_string() || is_whole(value);
        return (!fits).then(|| format!("is {}, not an integer or a string", called(value)));
    }
    let fits = match schema.kind.as_deref() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => is_whole(value),
        _ => true,
    };
    let wanted = schema.kind.as_deref().unwrap_or_default();
    (!fits).then(|| format!("is {}, not of type {wanted}", called(value)))
}

fn called(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "a list",
        Json::Object(_) => "an object",
    }
}

fn is_whole(value: &Json) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// Whether two values are equal; numbers by value, not by form.
fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

fn listed(value: &Json, schema: &Schema) -> Option<String> {
    let values = schema.values.as_ref()?;
    let fits = values.iter().any(|listed| same(listed, value));
    (!fits).then(|| "is not one of the values in `enum`".to_owned())
}

fn bounds(value: &Json, schema: &Schema) -> Option<String> {
    schema.bounds.iter().find_map(|(bound, limit)| {
        let fits = fits_bound(value, schema, *bound, limit)?;
        (!fits).then(|| format!("violates `{}: {limit}`", bound.into_str()))
    })
}

/// Whether a value is within a bound; `None` where the bound is for another type, or the result is uncertain.
fn fits_bound(value: &Json, schema: &Schema, bound: Bound, limit: &Number) -> Option<bool> {
    let limit = limit.as_f64()?;
    #[expect(clippy::cast_precision_loss, reason = "no text has so many characters or items")]
    let bounded = match bound {
        Bound::Minimum | Bound::Maximum | Bound::MultipleOf => value.as_f64()?,
        Bound::MinLength | Bound::MaxLength => value.as_str()?.chars().count() as f64,
        Bound::MinItems | Bound::MaxItems => value.as_array()?.len() as f64,
        Bound::MinProperties | Bound::MaxProperties => value.as_object()?.len() as f64,
    };
    Some(match bound {
        Bound::Minimum if schema.says("exclusiveMinimum") => bounded > limit,
        Bound::Maximum if schema.says("exclusiveMaximum") => bounded < limit,
        Bound::Minimum | Bound::MinLength | Bound::MinItems | Bound::MinProperties => bounded >= limit,
        Bound::Maximum | Bound::MaxLength | Bound::MaxItems | Bound::MaxProperties => bounded <= limit,
        Bound::MultipleOf if limit < 1.0 || limit.fract() != 0.0 || bounded.fract() != 0.0 => return None,
        Bound::MultipleOf => bounded % limit == 0.0,
    })
}

fn pattern(value: &Json, schema: &Schema) -> Option<String> {
    let (text, pattern) = (value.as_str()?, schema.pattern.as_deref()?);
    (!matches(pattern, text)?).then(|| format!("does not match `{pattern}`"))
}

fn format(value: &Json, schema: &Schema) -> Option<String> {
    let format = schema.format.as_deref()?;
    let fits = formats::fits(value, schema.kind.as_deref().unwrap_or_default(), format);
    (!fits).then(|| format!("has not the format `{format}`"))
}

/// Whether a text matches a pattern; `None` if the pattern is not supported here.
pub(crate) fn matches(pattern: &str, text: &str) -> Option<bool> {
    let compiled = RegexBuilder::new(pattern).size_limit(LARGEST_PATTERN).build().ok()?;
    Some(compiled.is_match(text))
}

fn object(value: &Json, schema: &Schema, fields: Fields) -> Option<ValidationError> {
    let object = value.as_object()?;
    let missing = schema.required.iter().find(|name| !object.contains_key(*name));
    if let Some(name) = missing {
        return Some(Why::Missing(name.clone()).here());
    }
    object.iter().find_map(|(name, value)| {
        let validation_error = match (schema.properties.get(name), &schema.additional) {
            (Some(property), _) => within(value, &property.schema, fields),
            (None, Some(Additional::Of(values))) => within(value, values, fields),
            (None, _) if fields == Fields::Any || is_kept(schema, name) => None,
            (None, _) => return Some(Why::Unknown(name.clone()).here()),
        };
        validation_error.map(|validation_error| ValidationError {
            path: format!(".{name}{}", validation_error.path),
            ..validation_error
        })
    })
}

/// Whether a server keeps an unlisted field.
fn is_kept(schema: &Schema, name: &str) -> bool {
    matches!(schema.additional, Some(Additional::Allowed(true)))
        || schema.says("x-kubernetes-preserve-unknown-fields")
        || schema.says("x-kubernetes-embedded-resource") && OF_EVERY_OBJECT.contains(&name)
}

fn items(value: &Json, schema: &Schema, fields: Fields) -> Option<ValidationError> {
    let (values, items) = (value.as_array()?, schema.items.as_ref()?);
    (0..).zip(values).find_map(|(at, value)| {
        let validation_error = within(value, items, fields)?;
        Some(ValidationError {
            path: format!("[{at}]{}", validation_error.path),
            ..validation_error
        })
    })
}

fn logic(value: &Json, schema: &Schema) -> Option<String> {
    schema.logic.iter().find_map(|(keyword, members)| {
        let fitting = members
            .iter()
            .filter(|member| within(value, member, Fields::Any).is_none())
            .count();
        let fits = match *keyword {
            "allOf" => fitting == members.len(),
            "anyOf" => fitting > 0,
            "oneOf" => fitting == 1,
            _ => fitting == 0,
        };
        (!fits).then(|| format!("violates `{keyword}`"))
    })
}
