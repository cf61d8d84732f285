//! Required fields that accept a zero value.

use crate::diagnostic::Severity;
use crate::schema::Bound;

use super::node::Node;
use super::validation_error::matches;
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-required-zero",
    title: "A required field accepts the value that clients write for an unset field.",
    page: include_str!("required-zero.md"),
    codes: &[
        ("string", Severity::Note),
        ("list", Severity::Note),
        ("number", Severity::Off),
    ],
    check,
};

fn check(node: &Node<'_>, problems: &mut Problems) {
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
        "{} is required but accepts `{zero}`, which clients write for a field that nobody set",
        node.words()
    );
    let help = format!("set `{bound}: 1`; with controller-gen: // +kubebuilder:validation:{marker}=1");
    problems.add(code, message, help);
}

/// Whether a string accepts the empty value by omission. `^$` in the pattern or `minLength: 0` accepts it on purpose.
fn admits_empty(node: &Node<'_>) -> bool {
    let format = node.schema.format.as_deref();
    let by_format = format.is_none_or(|format| ["byte", "password"].contains(&format));
    let by_pattern = |pattern: &str| !pattern.contains("^$") && matches(pattern, "") == Some(true);
    let meant = node.schema.bounds.contains_key(&Bound::MinLength);
    by_format && !meant && node.schema.pattern.as_deref().is_none_or(by_pattern)
}
