//! Conditions without the usual keys or fields.

use crate::diagnostic::Severity;
use crate::schema::Schema;

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-conditions",
    title: "Conditions are not a list keyed by type, or do not require the usual fields.",
    page: include_str!("conditions.md"),
    codes: &[("unkeyed", Severity::Warning), ("shape", Severity::Note)],
    opt_in: false,
    run: Some(check),
};

/// The fields of every condition, by the Kubernetes API conventions.
const FIELDS: [&str; 5] = ["type", "status", "lastTransitionTime", "reason", "message"];

fn check(node: &Node<'_>, problems: &mut Problems) {
    let Role::Field { name: "conditions", .. } = node.role else {
        return;
    };
    let Some(items) = conditions(node) else { return };
    let path = node.words();
    let keyed = node.schema.keys.as_ref().is_some_and(|keys| keys.iter().eq(["type"]));
    if !keyed || node.schema.list_type() != Some("map") {
        problems.add(
            "unkeyed",
            format!(
                "{path} is not a list map keyed by `type`: a client that applies one condition replaces all others"
            ),
            "set `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys: [type]`; with controller-gen: \
             // +listType=map and // +listMapKey=type",
        );
    }
    let missing = FIELDS.iter().filter(|field| !items.required.contains(**field));
    let missing: Vec<String> = missing.map(|field| format!("`{field}`")).collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        problems.add(
            "shape",
            format!("the items of {path} do not require {missing}"),
            "use metav1.Condition, whose five fields are required: tools that wait for conditions read them",
        );
    }
}

/// The items of a list of conditions.
pub(super) fn conditions<'a>(node: &Node<'a>) -> Option<&'a Schema> {
    let items = node.schema.items.as_deref()?;
    let has_both = ["type", "status"]
        .iter()
        .all(|field| items.properties.contains_key(*field));
    has_both.then_some(items)
}
