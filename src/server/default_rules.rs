//! Whether a default meets the rules of its schema, and of the schemas within, as far as rules are simple.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value as Json;

use super::cel::{self, Part, ProblemClass};
use super::expressions;
use crate::cel::eval::{Value, meets};
use crate::schema::{Additional, Schema, Tree};

/// What is known of the rules of a default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A part of it fails a rule: `.a[0]`; empty for the whole.
    Fails { path: String, rule: String },
    /// This rule needs more of CEL than is evaluated here.
    Unknown { rule: String },
}

/// The first rule that a valid default fails, or else the first of which that is not known.
pub(super) fn verdict(value: &Json, schema: &Schema) -> Option<Verdict> {
    let mut unknown = None;
    fails(value, schema, String::new(), &mut unknown).or_else(|| unknown.map(|rule| Verdict::Unknown { rule }))
}

/// A rule that does not compile.
#[derive(Debug)]
pub(super) struct Uncompiled {
    /// The part of the default that it is about.
    pub(super) path: String,
    pub(super) rule: String,
    pub(super) reason: String,
}

/// The first rule about a default, or a part of it, that does not compile.
pub(super) fn uncompiled(value: &Json, schema: &Tree, path: String) -> Option<Uncompiled> {
    let rules = schema.items("x-kubernetes-validations");
    if let Some((rule, reason)) = rules.iter().find_map(|rule| wrong(&rule.value, schema)) {
        return Some(Uncompiled { path, rule, reason });
    }
    match value {
        Json::Object(fields) => fields.iter().find_map(|(name, part)| {
            match schema.get("properties").and_then(|properties| properties.get(name)) {
                Some(own) => uncompiled(part, own, format!("{path}.{name}")),
                None => uncompiled(part, schema.get("additionalProperties")?, format!("{path}[{name}]")),
            }
        }),
        Json::Array(items) => {
            let schema = schema.get("items")?;
            let mut items = items.iter().enumerate();
            items.find_map(|(at, item)| uncompiled(item, schema, format!("{path}[{at}]")))
        }
        _ => None,
    }
}

/// A rule of a schema that does not compile, and why.
fn wrong(rule: &Tree, schema: &Tree) -> Option<(String, String)> {
    let is_object = schema.says("x-kubernetes-embedded-resource");
    let rule = expressions::rule(rule);
    let judged = cel::judge(&schema.json(), is_object, Some(1), &rule);
    let mut problems = judged.problems.into_iter();
    let problem = problems
        .find(|problem| problem.class == ProblemClass::Compile && matches!(problem.part, Part::Rule | Part::Value))?;
    Some((rule.rule.to_owned(), problem.reason))
}

fn fails(value: &Json, schema: &Schema, path: String, unknown: &mut Option<String>) -> Option<Verdict> {
    let own = typed(value, schema);
    for rule in schema.rules.iter().filter_map(|rule| rule.get("rule")?.as_str()) {
        match meets(rule, &own) {
            Some(true) => {}
            Some(false) => {
                let rule = rule.to_owned();
                return Some(Verdict::Fails { path, rule });
            }
            None => drop(unknown.get_or_insert_with(|| rule.to_owned())),
        }
    }
    match value {
        Json::Object(fields) => fields.iter().find_map(|(name, part)| {
            let path = if schema.properties.contains_key(name) {
                format!("{path}.{name}")
            } else {
                format!("{path}[{name}]")
            };
            fails(part, within(schema, name)?, path, unknown)
        }),
        Json::Array(items) => {
            let schema = schema.items.as_deref()?;
            let mut items = items.iter().enumerate();
            items.find_map(|(at, item)| fails(item, schema, format!("{path}[{at}]"), unknown))
        }
        _ => None,
    }
}

/// The schema of a field or an entry.
fn within<'s>(schema: &'s Schema, name: &str) -> Option<&'s Schema> {
    let field = schema.properties.get(name).map(|field| &*field.schema);
    field.or(match &schema.additional {
        Some(Additional::Of(values)) => Some(&**values),
        _ => None,
    })
}

/// A value as rules see it. Numbers, formats with a type of their own and what has no type are not evaluated.
fn typed(value: &Json, schema: &Schema) -> Value {
    const OF_FORMATS: [&str; 4] = ["byte", "date", "date-time", "duration"];
    let format = schema.format.as_deref().unwrap_or_default();
    let is_open = schema.says("x-kubernetes-preserve-unknown-fields") || schema.says("x-kubernetes-embedded-resource");
    match (schema.kind.as_deref(), value) {
        (Some("boolean"), Json::Bool(value)) => Value::Bool(*value),
        (Some("integer"), Json::Number(number)) => number.as_i64().map_or(Value::Other, Value::Int),
        (Some("string"), Json::String(text)) if !OF_FORMATS.contains(&format) => Value::Text(text.as_str().into()),
        (Some("array"), Json::Array(items)) => match schema.items.as_deref() {
            Some(of) => Value::List(items.iter().map(|item| typed(item, of)).collect()),
            None => Value::Other,
        },
        (Some("object"), Json::Object(fields)) if !is_open && !fields.values().any(Json::is_null) => {
            let fields = fields.iter().map(|(name, part)| {
                let part = within(schema, name).map_or(Value::Other, |schema| typed(part, schema));
                (name.clone(), part)
            });
            Value::Map(Rc::new(fields.collect::<BTreeMap<_, _>>()))
        }
        _ => Value::Other,
    }
}
