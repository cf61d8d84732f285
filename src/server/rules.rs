//! The form of rules in CEL.

use super::node::Node;
use super::refusal::{Class, Refusals};
use super::schema_path::field_at;
use super::unstructured::has_no_structure;
use crate::schema::Tree;

/// What breaks a line.
const BREAKS: [char; 2] = ['\n', '\r'];

const REASONS: [&str; 4] = [
    "FieldValueRequired",
    "FieldValueForbidden",
    "FieldValueInvalid",
    "FieldValueDuplicate",
];

/// The form of the rules in CEL.
pub(super) fn check(schema: &Node<'_, '_>, found: &mut Refusals) {
    let Some(rules) = schema.child("x-kubernetes-validations") else {
        return;
    };
    for rule in rules.items() {
        if let Some((key, message)) = wrong_text(rule.value) {
            found.add_key(
                Class::Rule,
                &rule,
                key,
                (message, "write one line that says what is wrong"),
            );
        }
        let expression = rule.value.text("messageExpression");
        if !expression.is_empty() && expression.trim().is_empty() {
            let message = "`messageExpression` is blank";
            found.add_key(
                Class::Rule,
                &rule,
                "messageExpression",
                (message, "write an expression, or remove it"),
            );
        }
        let reason = rule.value.text("reason");
        if rule.value.entry("reason").is_some() && !REASONS.contains(&reason) {
            let message = format!("`{reason}` is no reason");
            let help = format!("use one of {}", REASONS.join(", "));
            found.add_key(Class::Rule, &rule, "reason", (message, help));
        }
        field_path(schema, &rule, found);
    }
}

fn wrong_text(rule: &Tree) -> Option<(&'static str, &'static str)> {
    let (text, message) = (rule.text("rule").trim(), rule.text("message"));
    if text.is_empty() {
        return Some(("rule", "a rule is blank"));
    }
    match message.trim() {
        "" if !message.is_empty() => Some(("message", "the message of a rule is blank")),
        "" if text.contains(BREAKS) => Some(("message", "a rule of several lines has no message")),
        message if message.contains(BREAKS) => Some(("message", "the message of a rule has a line break")),
        _ => None,
    }
}

fn field_path(schema: &Node<'_, '_>, rule: &Node<'_, '_>, found: &mut Refusals) {
    let path = rule.value.text("fieldPath");
    let reason = match path {
        "" => return,
        path if path.trim().is_empty() => "is blank",
        path if path.contains(BREAKS) => "has a line break",
        // A server cannot follow a path then, and refuses the schema for another reason.
        _ if has_no_structure(schema.value) => return,
        path => match field_at(path, schema.value) {
            Ok(_) => return,
            Err(reason) => reason,
        },
    };
    let message = format!("the `fieldPath` of a rule {reason}: `{path}`");
    let help = "write the path of a field below the rule: `.size`, or `['a.b']`";
    found.add_key(Class::Rule, rule, "fieldPath", (message, help));
}
