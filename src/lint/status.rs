//! Statuses that no subresource keeps apart, and subresources without a status.

use crate::diagnostic::Severity;
use crate::schema::Additional;

use super::node::{Node, Role};
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-status",
    title: "The status and its subresource do not go together.",
    page: include_str!("status.md"),
    codes: &[
        ("no-subresource", Severity::Warning),
        ("no-schema", Severity::Warning),
        ("required", Severity::Error),
    ],
    look,
};

fn look(node: &Node<'_>, found: &mut Found) {
    if !matches!(node.role, Role::Root) || node.schema.properties.is_empty() {
        return;
    }
    let subresource = node.version.subresources.contains_key("status");
    let schema = node.schema.properties.get("status");
    let kept = node.schema.says("x-kubernetes-preserve-unknown-fields")
        || matches!(
            node.schema.additional,
            Some(Additional::Allowed(true) | Additional::Of(_))
        )
        || node.definition.preserves_unknown;
    if schema.is_some() && !subresource {
        found.add(
            "no-subresource",
            "objects have a `.status`, but there is no subresource `status`: whoever may write the spec may write it",
            "write `subresources: {status: {}}` in the version; with controller-gen: \
             // +kubebuilder:subresource:status",
        );
    }
    if schema.is_none() && subresource && !kept {
        found.add(
            "no-schema",
            "there is a subresource `status`, but the schema has no `.status`: what is written is dropped",
            "list `status` in the schema's properties, or take the subresource away",
        );
    }
    if subresource && node.schema.required.contains("status") {
        found.add(
            "required",
            "`.status` is required, but a server drops it from what is created: nothing can be created",
            "take `status` out of `required`; with controller-gen: // +optional, and `json:\"status,omitempty\"`",
        );
    }
}
