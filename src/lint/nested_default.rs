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
    let mut fields = node.schema.properties.iter();
    let Some((first, _)) = fields.find(|(_, field)| field.schema.default.is_some()) else {
        return;
    };
    let path = node.words();
    let message = format!("the default of `{first}` is not applied where {path} is absent");
    let help = "set `default: {}` on it; with controller-gen: // +kubebuilder:default:={}";
    problems.add(if at_top { "spec" } else { "nested" }, message, help);
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
