//! Required fields of the status.

use crate::diagnostic::Severity;

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-status-required",
    title: "A field directly in the status is required.",
    page: include_str!("status-required.md"),
    codes: &[("field", Severity::Off)],
    opt_in: true,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    let Role::Field {
        name: "status",
        at_top: true,
        ..
    } = node.role
    else {
        return;
    };
    let required: Vec<String> = node.schema.required.iter().map(|field| format!("`{field}`")).collect();
    if !required.is_empty() {
        problems.add(
            "field",
            format!(
                "`.status` requires {}: a controller cannot write the rest before it",
                required.join(", ")
            ),
            "make it optional; with controller-gen: // +optional, and `omitempty`",
        );
    }
}
