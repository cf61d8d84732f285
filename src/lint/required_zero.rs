//! Required fields that may be empty.

use crate::diagnostic::Severity;
use crate::schema::Bound;

use super::node::Node;
use super::validation_error::matches;
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-required-zero",
    title: "A required field may have the value that a client writes for a field that nobody set.",
    page: include_str!("required-zero.md"),
    codes: &[
        ("string", Severity::Note),
        ("list", Severity::Note),
        ("number", Severity::Off),
    ],
    look,
};

fn look(node: &Node<'_>, found: &mut Found) {
    let schema = node.schema;
    let judged_otherwise = schema.default.is_some()
        || schema.nullable
        || schema.values.is_some()
        || !schema.rules.is_empty()
        || !schema.logic.is_empty();
    if !node.is_required() || node.in_status() || judged_otherwise {
        return;
    }
    let has = |bound: Bound| schema.bounds.contains_key(&bound);
    let (code, zero, bound, marker) = match schema.kind.as_deref() {
        Some("string") if admits_empty(node) => ("string", "\"\"", "minLength", "MinLength"),
        Some("array") if !has(Bound::MinItems) => ("list", "[]", "minItems", "MinItems"),
        Some("integer") if !has(Bound::Minimum) && !has(Bound::Maximum) => ("number", "0", "minimum", "Minimum"),
        _ => return,
    };
    let message = format!(
        "{} is required, but `{zero}` passes: a client that never set it writes that",
        node.words()
    );
    let help = format!("write `{bound}: 1`; with controller-gen: // +kubebuilder:validation:{marker}=1");
    found.add(code, message, help);
}

/// Whether nothing speaks against the empty string, nor for it: who writes `^$` or `minLength: 0` means it.
fn admits_empty(node: &Node<'_>) -> bool {
    let format = node.schema.format.as_deref();
    let by_format = format.is_none_or(|format| ["byte", "password"].contains(&format));
    let by_pattern = |pattern: &str| !pattern.contains("^$") && matches(pattern, "") == Some(true);
    let meant = node.schema.bounds.contains_key(&Bound::MinLength);
    by_format && !meant && node.schema.pattern.as_deref().is_none_or(by_pattern)
}
