//! Defaults that are not applied, because the object around them is absent.

use crate::diagnostic::Severity;
use crate::schema::Schema;

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-nested-default",
    title: "Defaults are not applied where the object around them is optional and has no default.",
    page: include_str!("nested-default.md"),
    codes: &[("spec", Severity::Warning), ("nested", Severity::Note)],
    check,
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    let Role::Field { name, of, at_top } = node.role else {
        return;
    };
    // If something is required in the object, its presence has a meaning, and `{}` is no default for it.
    let may_be_empty = node.schema.required.is_empty() && node.schema.rules.is_empty() && node.schema.logic.is_empty();
    if !node.may_be_absent() || !may_be_empty || node.schema.nullable || node.is_kubernetes_type || is_choice(of, name)
    {
        return;
    }
    let fields = node.schema.properties.iter();
    let Some((first, _)) = fields
        .into_iter()
        .find(|(_, property)| property.schema.default.is_some())
    else {
        return;
    };
    let path = node.words();
    let message = format!("the default of `{first}` is not applied where {path} is absent");
    let help = "set `default: {}` on it; with controller-gen: // +kubebuilder:default:={}";
    problems.add(if at_top { "spec" } else { "nested" }, message, help);
}

/// Whether a field is one of several alternatives, so that its presence has a meaning.
fn is_choice(of: &Schema, name: &str) -> bool {
    let names = |schema: &Schema| schema.required.contains(name) || schema.properties.contains_key(name);
    let in_logic = of.logic.values().flatten().any(names);
    let in_rules = of.rules.iter().any(|rule| {
        let text = rule.get("rule").and_then(serde_json::Value::as_str).unwrap_or_default();
        text.contains(name)
    });
    let counted = of.bounds.keys().any(|bound| bound.as_str().ends_with("Properties"));
    in_logic || in_rules || counted
}
