//! Defaults that are not applied, because the object around them is absent.

use crate::diagnostic::Severity;
use crate::schema::{Bound, Schema};

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-nested-default",
    title: "Defaults are not applied where the object around them is optional and has no default.",
    page: include_str!("nested-default.md"),
    codes: &[("spec", Severity::Warning), ("nested", Severity::Note)],
    opt_in: false,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    let Role::Field { name, of, at_top } = node.role else {
        return;
    };
    // If something is required in the object, its presence has a meaning, and `{}` is no default for it.
    let may_be_empty = node.schema.required.is_empty() && !node.schema.has_rules();
    if !node.may_be_absent() || !may_be_empty || node.schema.nullable || node.is_kubernetes_type || is_choice(of, name)
    {
        return;
    }
    let is_part = at_top && !node.in_status();
    if !is_part && !has_switch(node.schema) && !says_what_absence_means(node.schema) {
        return;
    }
    let mut fields = node.schema.properties.iter();
    let Some((first, _)) = fields.find(|(_, field)| field.schema.default.is_some()) else {
        return;
    };
    let path = node.words();
    let message = format!("the default of `{first}` is not applied where {path} is absent");
    let help = "set `default: {}` on it; with controller-gen: // +kubebuilder:default:={}";
    problems.add(if at_top { "spec" } else { "nested" }, message, help);
}

/// Names of fields that turn on what an object describes, so that its presence does not.
const SWITCHES: [&str; 4] = ["enable", "enabled", "disable", "disabled"];

/// Whether a field with a default turns on what an object describes.
fn has_switch(schema: &Schema) -> bool {
    let mut switches = SWITCHES.iter().filter_map(|name| schema.properties.get(*name));
    switches.any(|switch| switch.schema.kind.as_deref() == Some("boolean") && switch.schema.default.is_some())
}

/// How descriptions speak of an absent object.
const ABSENT: [&str; 9] = [
    "not set",
    "unset",
    "omitted",
    "not specified",
    "unspecified",
    "not provided",
    "not defined",
    "is absent",
    "is empty",
];

/// Whether the description says that an absent object has its defaults, as an empty one has.
fn says_what_absence_means(schema: &Schema) -> bool {
    let description = schema.description.as_deref().unwrap_or_default().to_lowercase();
    let mut sentences = description.split(". ");
    sentences.any(|sentence| {
        let is_off = sentence.contains("disabled") || sentence.contains("no default");
        sentence.contains("default") && !is_off && ABSENT.iter().any(|absent| sentence.contains(absent))
    })
}

/// Whether a field is one of several alternatives, so that its presence has a meaning.
fn is_choice(of: &Schema, name: &str) -> bool {
    let mut members = of.logic.values().flatten();
    let in_logic = members.any(|member| member.required.contains(name) || member.properties.contains_key(name));
    let mut rules = of.rules.iter().filter_map(|rule| rule.get("rule")?.as_str());
    let in_rules = rules.any(|rule| rule.contains(name));
    let counted = [Bound::MinProperties, Bound::MaxProperties]
        .iter()
        .any(|bound| of.bounds.contains_key(bound));
    in_logic || in_rules || counted
}
