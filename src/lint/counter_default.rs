//! Counters that are absent as long as they are zero.

use crate::diagnostic::Severity;

use super::node::{Node, Role};
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-counter-default",
    title: "A counter in the status has no default: it may be absent instead of zero.",
    page: include_str!("counter-default.md"),
    codes: &[("missing", Severity::Note)],
    look,
};

/// How the names of counters end.
const COUNTERS: [&str; 4] = ["replicas", "count", "counts", "counter"];

fn look(node: &Node<'_>, found: &mut Found) {
    let Role::Field { name, .. } = node.role else { return };
    let name = name.to_lowercase();
    let counts = COUNTERS.iter().any(|ending| name.ends_with(ending)) && name != "discount";
    let is_counter = node.schema.kind.as_deref() == Some("integer") && counts && !node.schema.nullable;
    if is_counter && node.in_status() && node.may_be_absent() {
        let message = format!(
            "{} has no default: a patch from zero to zero does not write it, and readers see nothing",
            node.words()
        );
        found.add(
            "missing",
            message,
            "write `default: 0`; with controller-gen: // +kubebuilder:default:=0",
        );
    }
}
