//! Fields that conditions lack.

use crate::diagnostic::Severity;

use super::conditions::conditions;
use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-condition-fields",
    title: "Conditions lack a field of `metav1.Condition`.",
    page: include_str!("condition-fields.md"),
    codes: &[("missing", Severity::Off)],
    opt_in: true,
    run: Some(check),
};

/// The fields of `metav1.Condition`.
const FIELDS: [&str; 6] = [
    "type",
    "status",
    "observedGeneration",
    "lastTransitionTime",
    "reason",
    "message",
];

fn check(node: &Node<'_>, problems: &mut Problems) {
    let Role::Field { name: "conditions", .. } = node.role else {
        return;
    };
    let Some(items) = conditions(node) else { return };
    let missing = FIELDS.iter().filter(|field| !items.properties.contains_key(**field));
    let missing: Vec<String> = missing.map(|field| format!("`{field}`")).collect();
    if !missing.is_empty() {
        problems.add(
            "missing",
            format!(
                "the items of {} lack {}: servers drop what is written there",
                node.words(),
                missing.join(", ")
            ),
            "use metav1.Condition",
        );
    }
}
