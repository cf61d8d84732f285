//! Conditions that are not what tools take them for.

use crate::diagnostic::Severity;
use crate::schema::Schema;

use super::node::{Node, Role};
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-conditions",
    title: "Conditions are not a list keyed by type, or not of the usual shape.",
    page: include_str!("conditions.md"),
    codes: &[("unkeyed", Severity::Warning), ("shape", Severity::Note)],
    look,
};

/// What every condition says, in the conventions for Kubernetes APIs.
const FIELDS: [&str; 5] = ["type", "status", "lastTransitionTime", "reason", "message"];

fn look(node: &Node<'_>, found: &mut Found) {
    let Role::Field { name: "conditions", .. } = node.role else {
        return;
    };
    let Some(items) = conditions(node) else { return };
    let path = node.words();
    let keyed = node.schema.keys.as_ref().is_some_and(|keys| keys.iter().eq(["type"]));
    let is_map = node
        .schema
        .merging
        .get("x-kubernetes-list-type")
        .is_some_and(|how| how == "map");
    if !keyed || !is_map {
        found.add(
            "unkeyed",
            format!("{path} is not a map by `type`: a writer of one condition replaces those of all others"),
            "write `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys: [type]`; with controller-gen: \
             // +listType=map and // +listMapKey=type",
        );
    }
    let lacking: Vec<&str> = FIELDS
        .into_iter()
        .filter(|field| !items.required.contains(*field))
        .collect();
    if !lacking.is_empty() {
        let lacking = lacking.iter().map(|field| format!("`{field}`"));
        let lacking = lacking.collect::<Vec<_>>().join(", ");
        found.add(
            "shape",
            format!("the items of {path} need not have {lacking}"),
            "use metav1.Condition, whose five fields are required; tools that wait for conditions read them",
        );
    }
}

/// The items of a list of conditions.
fn conditions<'a>(node: &Node<'a>) -> Option<&'a Schema> {
    let items = node.schema.items.as_deref()?;
    let has = |field: &str| items.properties.contains_key(field);
    (has("type") && has("status")).then_some(items)
}
