//! Defaults: each is valid by its own schema and its rules, before the defaults in it are applied.

use serde_json::Value as Json;

use super::default_rules::{Verdict, verdict};
use super::node::Node;
use super::refusal::{Class, Refusals};
use super::validate::{Why, validation_error};
use crate::schema::Schema;

const HELP: &str = "change the default or the schema so that they match";

/// Reports the defaults that their schema refuses. Servers do not look at those within `additionalProperties`.
pub(super) fn check(schema: &Node<'_, '_>, found: &mut Refusals) {
    if schema.value.entry("default").is_some() {
        default(schema, found);
    }
    if let Some(items) = schema.child("items") {
        check(&items, found);
    }
    if let Some(properties) = schema.child("properties") {
        properties.values().for_each(|(_, field)| check(&field, found));
    }
}

fn default(schema: &Node<'_, '_>, found: &mut Refusals) {
    let Some(node) = schema.child("default") else { return };
    let Ok(typed) = serde_json::from_value::<Schema>(schema.value.json()) else {
        return;
    };
    let value = node.value.json();
    let Some(error) = validation_error(&value, &typed) else {
        return rules(schema, &node, (&value, &typed), found);
    };
    let part = match error.path.as_str() {
        "" => "the default".to_owned(),
        path => format!("`{path}` in the default"),
    };
    let inner = error.path.strip_prefix('.').unwrap_or(&error.path);
    let path = node.path.child(inner);
    let at = match inner {
        "" => node,
        _ => node.named(path),
    };
    match error.why {
        Why::Value(reason) => {
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
        Why::Unknown(name) => {
            let message = format!("{part} sets `{name}`, which the schema does not list");
            let help = format!("remove `{name}` from the default, or list it in `properties`");
            found.add(Class::DefaultUnknown, &node, message, help);
        }
    }
}

/// Reports that a default fails a rule of its schema, or that this is not known.
fn rules(schema: &Node<'_, '_>, node: &Node<'_, '_>, (value, typed): (&Json, &Schema), found: &mut Refusals) {
    match verdict(value, typed) {
        Some(Verdict::Fails { path, rule }) => {
            let part = match path.as_str() {
                "" => "the default".to_owned(),
                path => format!("`{path}` in the default"),
            };
            let inner = path.strip_prefix('.').unwrap_or(&path);
            let inner = node.path.child(inner);
            let at = if path.is_empty() {
                node.named(node.path)
            } else {
                node.named(inner)
            };
            let help = "change the default or the rule so that they match";
            found.add(
                Class::DefaultValue,
                &at,
                format!("{part} fails the rule `{rule}`"),
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
