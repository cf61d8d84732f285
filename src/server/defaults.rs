//! Defaults: each is valid by its own schema and its rules, before the defaults in it are applied.

use serde_json::Value as Json;

use super::default_rules::{Verdict, uncompiled, verdict};
use super::node::Node;
use super::refusal::{Class, Refusals};
use super::validate::{Why, validation_error};
use super::{embedded, unlisted};
use crate::schema::Schema;
use crate::schema::path::OF_EVERY_OBJECT;

const HELP: &str = "change the default or the schema so that they match";

/// Reports the defaults in the schema of objects that the schema refuses. Servers do not look at those within
/// `additionalProperties`.
pub(super) fn check(schema: &Node<'_, '_>, found: &mut Refusals) {
    visit(schema, None, true, found);
}

/// `steps`: those from the object around to a part of its metadata; `None` outside of metadata.
fn visit(schema: &Node<'_, '_>, steps: Option<&[Option<&str>]>, is_root: bool, found: &mut Refusals) {
    let is_object = is_root || schema.value.says("x-kubernetes-embedded-resource");
    let steps = steps.filter(|_| !is_object);
    if let Some(default) = schema.child("default") {
        match steps {
            Some(steps) => part_of_metadata(&default, steps, schema, found),
            None => judge(&default, schema, is_object, found),
        }
    }
    if let Some(items) = schema.schema("items") {
        let steps = steps.map(|steps| [steps, &[None]].concat());
        visit(&items, steps.as_deref(), false, found);
    }
    if let Some(properties) = schema.child("properties") {
        for (name, field) in properties.values() {
            let own = is_object && OF_EVERY_OBJECT.contains(&name);
            let steps = steps
                .or(own.then_some(&[]))
                .map(|steps| [steps, &[Some(name)]].concat());
            visit(&field, steps.as_deref(), false, found);
        }
    }
}

fn part_of_metadata(default: &Node<'_, '_>, steps: &[Option<&str>], schema: &Node<'_, '_>, found: &mut Refusals) {
    match embedded::wrong_part(default.value, steps) {
        Some(reason) => found.add(
            Class::DefaultValue,
            default,
            format!("the default is not valid: {reason}"),
            HELP,
        ),
        None => by_schema(default, schema, found),
    }
}

fn judge(default: &Node<'_, '_>, schema: &Node<'_, '_>, is_object: bool, found: &mut Refusals) {
    let typed = serde_json::from_value::<Schema>(schema.value.json());
    if let Ok(typed) = typed
        && let Some(name) = unlisted::field(&default.value.json(), &typed, is_object)
    {
        let message = format!("the default sets `{name}`, which the schema does not list");
        let help = format!("remove `{name}` from the default, or list it in `properties`");
        found.add(Class::DefaultUnknown, default, message, help);
    }
    let before = found.len();
    embedded::check(default, schema.value, is_object, found);
    if found.len() == before {
        by_schema(default, schema, found);
    }
}

fn by_schema(node: &Node<'_, '_>, schema: &Node<'_, '_>, found: &mut Refusals) {
    let Ok(typed) = serde_json::from_value::<Schema>(schema.value.json()) else {
        return;
    };
    let value = node.value.json();
    let Some(error) = validation_error(&value, &typed) else {
        return rules(schema, node, (&value, &typed), found);
    };
    let part = match error.path.as_str() {
        "" => "the default".to_owned(),
        path => format!("`{path}` in the default"),
    };
    let inner = match &error.why {
        Why::Whole(_) => "",
        _ => error.path.strip_prefix('.').unwrap_or(&error.path),
    };
    let path = node.path.child(inner);
    let at = match inner {
        "" => *node,
        _ => node.named(path),
    };
    match error.why {
        Why::Value(reason) | Why::Whole(reason) => {
            let shown: String = value.to_string().chars().take(60).collect();
            found.add(Class::DefaultValue, &at, format!("{part} {reason}: {shown}"), HELP);
        }
        Why::Missing(name) => {
            let message = format!("{part} lacks the required field `{name}`");
            let help = format!(
                "set `{name}` in this default too: the server validates it before it applies the default of `{name}`"
            );
            found.add_key(Class::DefaultMissing, &at, &name, (message, help));
        }
    }
}

/// Reports that a rule of a default does not compile, that the default fails one, or that this is not known.
fn rules(schema: &Node<'_, '_>, node: &Node<'_, '_>, (value, typed): (&Json, &Schema), found: &mut Refusals) {
    if let Some(wrong) = uncompiled(value, schema.value, String::new()) {
        let (rule, reason) = (wrong.rule, wrong.reason);
        let message = format!("the rule `{rule}` over the default is refused: {reason}");
        let help = "correct the rule; the fields that it may name are those of the schema it stands in";
        found.add(Class::Rule, &node.named(node.path.written(&wrong.path)), message, help);
        return;
    }
    match verdict(value, typed) {
        Some(Verdict::Fails { path, rule }) => {
            let part = match path.as_str() {
                "" => "the default".to_owned(),
                path => format!("`{path}` in the default"),
            };
            let message = format!("{part} fails the rule `{rule}`");
            let help = "change the default or the rule so that they match";
            found.add(
                Class::DefaultValue,
                &node.named(node.path.written(&path)),
                message,
                help,
            );
        }
        // Once per schema of objects.
        Some(Verdict::Unknown { rule }) if !found.has_unjudged(node.path.version()) => {
            let message = format!("whether the default meets the rule is not judged: `{rule}`");
            let help = "try the CRD on a server: `kubectl apply --dry-run=server`";
            found.add(Class::RuleUnjudged, schema, message, help);
        }
        Some(Verdict::Unknown { .. }) | None => {}
    }
}
