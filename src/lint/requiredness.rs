//! Fields that seem to be optional or required by accident.

use crate::diagnostic::Severity;
use crate::schema::{Bound, Schema, embedded_type};

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-requiredness",
    title: "Nothing is required where something should be, or description and schema disagree.",
    page: include_str!("requiredness.md"),
    codes: &[
        ("said-required", Severity::Warning),
        ("said-optional", Severity::Warning),
        ("items", Severity::Note),
        ("spec", Severity::Note),
    ],
    opt_in: false,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    if node.is_kubernetes_type {
        return;
    }
    match node.role {
        Role::Field { name, at_top, .. } => {
            described(node, name, problems);
            if at_top && name == "spec" {
                spec(node, problems);
            }
        }
        Role::Item { of } => items(node, of, problems),
        Role::Root | Role::Value => {}
    }
}

/// Compares the schema with what the description says at its beginning or end.
fn described(node: &Node<'_>, name: &str, problems: &mut Problems) {
    let description = node.schema.description.as_deref().unwrap_or_default().trim();
    let required = claims(description, ["Required", "REQUIRED", "required"]);
    let optional = claims(description, ["Optional", "OPTIONAL", "optional"]);
    let path = node.words();
    if required && !optional && node.may_be_absent() {
        problems.add(
            "said-required",
            format!("the description of {path} says that it is required, but the schema does not require it"),
            format!("add `{name}` to `required`; with controller-gen: // +required"),
        );
    }
    if optional && !required && node.is_required() && node.schema.default.is_none() {
        problems.add(
            "said-optional",
            format!("the description of {path} says that it is optional, but the schema requires it"),
            format!("remove `{name}` from `required`; with controller-gen: // +optional"),
        );
    }
}

/// Words after which a claim holds under a condition only.
const CONDITIONS: &str = "if when unless only for in with where while whenever by on until except";

/// Whether a description says at its beginning or end, without a condition, that something is so.
fn claims(text: &str, [word, upper, lower]: [&str; 3]) -> bool {
    let begins = [
        format!("{word}."),
        format!("{word}:"),
        format!("({word})"),
        upper.to_owned(),
    ];
    let ends = [format!(" {word}."), format!("({lower})")];
    let after = begins.iter().find_map(|begin| text.strip_prefix(begin.as_str()));
    let first = after.and_then(|after| after.split_whitespace().next());
    let first = first.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    let is_conditional = first.is_some_and(|first| CONDITIONS.split(' ').any(|condition| condition == first));
    let begins = after.is_some_and(|after| !after.starts_with(char::is_alphanumeric)) && !is_conditional;
    begins || ends.iter().any(|end| text.ends_with(end))
}

/// Something required should distinguish the items of a list of objects.
fn items(node: &Node<'_>, of: &Schema, problems: &mut Problems) {
    let schema = node.schema;
    let decided = !schema.required.is_empty()
        || of.keys.is_some()
        || schema.has_rules()
        || schema.bounds.contains_key(&Bound::MinProperties)
        || schema.properties.values().any(|field| field.schema.default.is_some());
    if schema.properties.is_empty() || node.in_status() || decided {
        return;
    }
    problems.add(
        "items",
        format!("{} requires nothing: `{{}}` is a valid item", node.words()),
        "require the field that identifies an item; mark every field // +required or // +optional",
    );
}

/// A spec that requires nothing at any depth is seldom intended.
fn spec(node: &Node<'_>, problems: &mut Problems) {
    let meant = node.schema.default.is_some();
    if node.schema.properties.len() > 1 && !meant && !demands(node.schema) {
        problems.add(
            "spec",
            format!("{} requires nothing at any depth: an empty one is valid", node.words()),
            "mark every field // +required or // +optional, and remove `+kubebuilder:validation:Optional` from the \
             package",
        );
    }
}

/// Whether a schema or a schema in it requires or excludes anything.
fn demands(schema: &Schema) -> bool {
    let mut within = schema
        .properties
        .values()
        .map(|field| &*field.schema)
        .chain(schema.items.as_deref());
    !schema.required.is_empty() || schema.has_rules() || embedded_type(schema).is_none() && within.any(demands)
}
