//! Fields of which nobody decided whether they are required.

use crate::diagnostic::Severity;
use crate::schema::Schema;

use super::borrowed::is_borrowed;
use super::node::{Node, Role};
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-requiredness",
    title: "Nothing is required where something should be, or words and schema disagree.",
    page: include_str!("requiredness.md"),
    codes: &[
        ("said-required", Severity::Warning),
        ("said-optional", Severity::Warning),
        ("items", Severity::Note),
        ("spec", Severity::Note),
    ],
    look,
};

fn look(node: &Node<'_>, found: &mut Found) {
    if node.borrowed {
        return;
    }
    match node.role {
        Role::Field { name, at_top, .. } => {
            said(node, name, found);
            if at_top && name == "spec" {
                spec(node, found);
            }
        }
        Role::Item { of } => items(node, of, found),
        Role::Root | Role::Value => {}
    }
}

/// What the description says at its begin or its end.
fn said(node: &Node<'_>, name: &str, found: &mut Found) {
    let description = node.schema.description.as_deref().unwrap_or_default().trim();
    let begins = |words: &[&str]| words.iter().any(|word| description.starts_with(word));
    let ends = |words: &[&str]| words.iter().any(|word| description.ends_with(word));
    let required = begins(&["Required.", "Required:", "(Required)", "REQUIRED"]) || ends(&[" Required.", "(required)"]);
    let optional = begins(&["Optional.", "Optional:", "(Optional)", "OPTIONAL"]) || ends(&[" Optional.", "(optional)"]);
    let path = node.words();
    if required && !optional && node.may_be_absent() {
        found.add(
            "said-required",
            format!("{path} says that it is required, but objects may lack it"),
            format!("list `{name}` in `required` of the object around it; with controller-gen: // +required"),
        );
    }
    if optional && !required && node.is_required() && node.schema.default.is_none() {
        found.add(
            "said-optional",
            format!("{path} says that it is optional, but objects without it are refused"),
            format!("take `{name}` out of `required`; with controller-gen: // +optional"),
        );
    }
}

/// An item of a list of objects is told from others by something that is required.
fn items(node: &Node<'_>, of: &Schema, found: &mut Found) {
    let schema = node.schema;
    let decided = !schema.required.is_empty()
        || of.keys.is_some()
        || !schema.rules.is_empty()
        || !schema.logic.is_empty()
        || schema.bounds.keys().any(|bound| bound.as_str() == "minProperties")
        || schema
            .properties
            .values()
            .any(|property| property.schema.default.is_some());
    if schema.properties.is_empty() || node.in_status() || decided {
        return;
    }
    found.add(
        "items",
        format!("nothing is required in {}: `{{}}` is an item", node.words()),
        "require the field that makes an item what it is; mark every field // +required or // +optional",
    );
}

/// A spec in which nothing is required at any depth was seldom meant so.
fn spec(node: &Node<'_>, found: &mut Found) {
    let meant = node.schema.default.is_some();
    if node.schema.properties.len() > 1 && !meant && !demands(node.schema) {
        found.add(
            "spec",
            format!(
                "nothing is required in {}, at no depth: an empty one is valid",
                node.words()
            ),
            "mark every field // +required or // +optional, and see that no `+kubebuilder:validation:Optional` stands \
             above the package",
        );
    }
}

/// Whether a schema, or one within, requires or excludes anything.
fn demands(schema: &Schema) -> bool {
    let own = !schema.required.is_empty() || !schema.rules.is_empty() || !schema.logic.is_empty();
    let within = || schema.properties.values().map(|property| &property.schema).any(demands);
    own || !is_borrowed(schema) && (within() || schema.items.as_deref().is_some_and(demands))
}
