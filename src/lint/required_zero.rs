//! Required fields that accept a zero value.

use crate::diagnostic::Severity;
use crate::schema::Bound;

use super::node::Node;
use super::{Check, Problems};
use crate::server::matches;

pub(super) const CHECK: Check = Check {
    slug: "crd-required-zero",
    title: "A required field accepts the value that clients write for an unset field.",
    page: include_str!("required-zero.md"),
    codes: &[
        ("string", Severity::Note),
        ("list", Severity::Note),
        ("number", Severity::Off),
    ],
    opt_in: false,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    let schema = node.schema;
    let judged_otherwise = schema.default.is_some() || schema.nullable || schema.values.is_some() || schema.has_rules();
    if !node.is_required() || node.in_status() || judged_otherwise {
        return;
    }
    let bounds = &schema.bounds;
    let (code, zero, bound, marker) = match schema.kind.as_deref() {
        Some("string") if admits_empty(node) => ("string", "\"\"", "minLength", "MinLength"),
        Some("array") if !bounds.contains_key(&Bound::MinItems) => ("list", "[]", "minItems", "MinItems"),
        Some("integer") if !bounds.contains_key(&Bound::Minimum) && !bounds.contains_key(&Bound::Maximum) => {
            ("number", "0", "minimum", "Minimum")
        }
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
    let pattern = node.schema.pattern.as_deref();
    let by_pattern = pattern.is_none_or(|pattern| !pattern.contains("^$") && matches(pattern, "") == Some(true));
    by_format && by_pattern && !node.schema.bounds.contains_key(&Bound::MinLength)
}
