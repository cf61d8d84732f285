//! Validation of a value as a Kubernetes server validates a default: no defaults are applied before, and
//! `x-kubernetes-int-or-string` is no type. CEL rules are not validated.
//!
//! Libraries for JSON Schema do not follow these rules, and cost more than all other checks together. A test compares
//! both over generated schemas.

use regex::RegexBuilder;
use serde_json::{Number, Value as Json};

use super::numbers::{self, Fit};
use super::translated::as_regex;
use super::{formats, unlisted};
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
    /// The same, and servers name the whole default as the place.
    Whole(String),
    /// A required field is missing.
    Missing(String),
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

fn here(reason: String) -> ValidationError {
    Why::Value(reason).here()
}

/// The first reason why a value is invalid, in the order of servers.
pub(super) fn validation_error(value: &Json, schema: &Schema) -> Option<ValidationError> {
    if value.is_null() {
        return type_of(value, schema).or_else(|| listed(value, schema)).map(here);
    }
    type_of(value, schema)
        .map(here)
        .or_else(|| Some(Why::Whole(logic(value, schema)?).here()))
        .or_else(|| all_of(value, schema))
        .or_else(|| pattern(value, schema).map(here))
        .or_else(|| {
            let own = format(value, schema).or_else(|| bounds(value, schema, false));
            own.map(Why::here)
        })
        .or_else(|| items(value, schema))
        .or_else(|| listed(value, schema).map(here))
        .or_else(|| bounds(value, schema, true).map(Why::here))
        .or_else(|| object(value, schema))
}

/// Whether a value is valid as it is: no defaults are applied, and no field is dropped.
pub(crate) fn accepts(value: &Json, schema: &Schema) -> bool {
    validation_error(value, schema).is_none() && unlisted::field(value, schema, false).is_none()
}

fn type_of(value: &Json, schema: &Schema) -> Option<String> {
    let kind = schema.kind.as_deref().unwrap_or_default();
    let has_format = schema.format.as_deref().is_some_and(|format| !format.is_empty());
    let is_numeric = matches!(kind, "number" | "integer");
    let fits = match kind {
        // Where there is a format, servers leave texts and lists to it.
        _ if has_format && !is_numeric && (value.is_string() || value.is_array()) => true,
        _ if value.is_null() => schema.nullable || kind.is_empty(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => matches!(value, Json::Number(number) if numbers::is_whole(number)),
        _ => !has_format,
    };
    (!fits).then(|| format!("is {}, not of type {kind}", called(value)))
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

/// Whether two values are equal; numbers by value, not by form.
fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

fn listed(value: &Json, schema: &Schema) -> Option<String> {
    let values = schema.values.as_ref()?;
    // Servers do not find `null` in the list.
    let fits = values.is_empty() || !value.is_null() && values.iter().any(|listed| same(listed, value));
    (!fits).then(|| "is not one of the values in `enum`".to_owned())
}

/// `of_fields`: the bounds of the number of fields, or all others.
fn bounds(value: &Json, schema: &Schema, of_fields: bool) -> Option<Why> {
    let mut bounds = schema.bounds.iter().filter(|(bound, _)| {
        let is_of_fields = matches!(bound, Bound::MinProperties | Bound::MaxProperties);
        is_of_fields == of_fields
    });
    bounds.find_map(|(bound, limit)| match fit(value, schema, *bound, limit)? {
        Fit::Within => None,
        Fit::Beyond => Some(Why::Value(format!("violates `{}: {limit}`", bound.into_str()))),
        Fit::NoBound => Some(Why::Whole(format!(
            "cannot be compared with `{}: {limit}`, which is no bound of its type",
            bound.into_str()
        ))),
    })
}

fn fit(value: &Json, schema: &Schema, bound: Bound, limit: &Number) -> Option<Fit> {
    let limit = limit.as_f64()?;
    if matches!(bound, Bound::Minimum | Bound::Maximum | Bound::MultipleOf) {
        let Json::Number(number) = value else { return None };
        let is_exclusive = match bound {
            Bound::Minimum => schema.says("exclusiveMinimum"),
            Bound::Maximum => schema.says("exclusiveMaximum"),
            _ => false,
        };
        return Some(numbers::fits(
            number,
            type_and_format(schema),
            bound,
            limit,
            is_exclusive,
        ));
    }
    #[expect(clippy::cast_precision_loss, reason = "no text has so many characters or items")]
    let count = match bound {
        Bound::MinLength | Bound::MaxLength => value.as_str()?.chars().count() as f64,
        Bound::MinItems | Bound::MaxItems => value.as_array()?.len() as f64,
        _ => value.as_object()?.len() as f64,
    };
    let is_least = matches!(bound, Bound::MinLength | Bound::MinItems | Bound::MinProperties);
    let fits = if is_least { count >= limit } else { count <= limit };
    Some(if fits { Fit::Within } else { Fit::Beyond })
}

fn type_and_format(schema: &Schema) -> (&str, &str) {
    let kind = schema.kind.as_deref().unwrap_or_default();
    (kind, schema.format.as_deref().unwrap_or_default())
}

fn pattern(value: &Json, schema: &Schema) -> Option<String> {
    let (text, pattern) = (value.as_str()?, schema.pattern.as_deref()?);
    (!matches(pattern, text)?).then(|| format!("does not match `{pattern}`"))
}

fn format(value: &Json, schema: &Schema) -> Option<Why> {
    let (kind, format) = type_and_format(schema);
    match value {
        Json::Number(number) if !numbers::is_of_type(number, kind, format) => Some(Why::Whole(match format {
            "" => "is too large".to_owned(),
            format => format!("has not the format `{format}`"),
        })),
        Json::String(text) if !formats::fits(text, format) => {
            Some(Why::Value(format!("has not the format `{format}`")))
        }
        _ => None,
    }
}

/// Whether a text matches a pattern; `None` if the pattern is not supported here.
pub(crate) fn matches(pattern: &str, text: &str) -> Option<bool> {
    let pattern = as_regex(pattern)?;
    let compiled = RegexBuilder::new(&pattern).size_limit(LARGEST_PATTERN).build().ok()?;
    Some(compiled.is_match(text))
}

fn object(value: &Json, schema: &Schema) -> Option<ValidationError> {
    let object = value.as_object()?;
    let is_closed = matches!(schema.additional, Some(Additional::Allowed(false)));
    let mut unlisted = object.keys().filter(|name| !schema.properties.contains_key(*name));
    if let Some(name) = unlisted.next().filter(|_| is_closed) {
        let reason = format!("has `{name}`, which `additionalProperties: false` refuses");
        return Some(Why::Value(reason).here());
    }
    let wrong = object.iter().find_map(|(name, value)| {
        let part = match (schema.properties.get(name), &schema.additional) {
            (Some(property), _) => &property.schema,
            (None, Some(Additional::Of(values))) => values,
            (None, _) => return None,
        };
        Some(within(format!(".{name}"), validation_error(value, part)?))
    });
    let mut missing = schema.required.iter().filter(|name| !object.contains_key(*name));
    wrong.or_else(|| Some(Why::Missing(missing.next()?.clone()).here()))
}

fn items(value: &Json, schema: &Schema) -> Option<ValidationError> {
    let (values, items) = (value.as_array()?, schema.items.as_ref()?);
    (0..)
        .zip(values)
        .find_map(|(at, value)| Some(within(format!("[{at}]"), validation_error(value, items)?)))
}

/// The error as one of the value around.
fn within(step: String, error: ValidationError) -> ValidationError {
    let path = step + &error.path;
    ValidationError { path, ..error }
}

/// The error of the first member of `allOf` that refuses the value.
fn all_of(value: &Json, schema: &Schema) -> Option<ValidationError> {
    let members = schema.logic.get("allOf")?;
    members.iter().find_map(|member| validation_error(value, member))
}

/// `anyOf`, `oneOf` and `not`.
fn logic(value: &Json, schema: &Schema) -> Option<String> {
    schema.logic.iter().find_map(|(keyword, members)| {
        let fitting = members
            .iter()
            .filter(|member| validation_error(value, member).is_none())
            .count();
        let fits = match *keyword {
            "allOf" => true,
            "anyOf" => fitting > 0 || members.is_empty(),
            "oneOf" => fitting == 1 || members.is_empty(),
            _ => fitting == 0,
        };
        (!fits).then(|| format!("violates `{keyword}`"))
    })
}
