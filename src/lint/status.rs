//! Statuses without a subresource, and subresources without a status.

use crate::diagnostic::Severity;
use crate::schema::Additional;

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-status",
    title: "The status and its subresource do not match.",
    page: include_str!("status.md"),
    codes: &[
        ("no-subresource", Severity::Warning),
        ("no-schema", Severity::Warning),
        ("required", Severity::Error),
    ],
    opt_in: false,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    if !matches!(node.role, Role::Root) || node.schema.properties.is_empty() {
        return;
    }
    let subresource = node.version.subresources.contains_key("status");
    let schema = node.schema.properties.get("status");
    let kept = node.schema.says("x-kubernetes-preserve-unknown-fields")
        || !matches!(node.schema.additional, None | Some(Additional::Allowed(false)))
        || node.definition.preserves_unknown;
    if schema.is_some() && !subresource {
        problems.add(
            "no-subresource",
            "the schema has a `.status`, but the version has no `status` subresource: clients that may write the spec may \
             write the status",
            "add `subresources: {status: {}}` to the version; with controller-gen: \
             // +kubebuilder:subresource:status",
        );
    }
    if schema.is_none() && subresource && !kept {
        problems.add(
            "no-schema",
            "the version has a `status` subresource, but the schema has no `.status`: the server drops what is written",
            "list `status` in the properties of the schema, or remove the subresource",
        );
    }
    if subresource && node.schema.required.contains("status") {
        problems.add(
            "required",
            "`.status` is required, but the server drops it from new objects: none can be created",
            "remove `status` from `required`; with controller-gen: // +optional, and `json:\"status,omitempty\"`",
        );
    }
}
