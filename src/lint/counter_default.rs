//! Counters in the status without a default.

use crate::diagnostic::Severity;

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-counter-default",
    title: "A counter in the status has no default, so it may be unset instead of zero.",
    page: include_str!("counter-default.md"),
    codes: &[("missing", Severity::Note)],
    opt_in: false,
    run: Some(check),
};

/// Endings of the names of counters.
const COUNTERS: [&str; 4] = ["replicas", "count", "counts", "counter"];

fn check(node: &Node<'_>, problems: &mut Problems) {
    let Role::Field { name, .. } = node.role else { return };
    let name = name.to_lowercase();
    let counts = COUNTERS.iter().any(|ending| name.ends_with(ending)) && name != "discount";
    let is_counter = node.schema.kind.as_deref() == Some("integer") && counts && !node.schema.nullable;
    if is_counter && node.in_status() && node.may_be_absent() {
        let message = format!(
            "{} has no default: as long as it is zero, a patch need not write it, and readers find it unset",
            node.words()
        );
        problems.add(
            "missing",
            message,
            "set `default: 0`; with controller-gen: // +kubebuilder:default:=0",
        );
    }
}
