//! Required fields in an optional part of the object.

use crate::diagnostic::Severity;

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-optional-parent",
    title: "A part of the object is optional, and so is everything that it requires.",
    page: include_str!("optional-parent.md"),
    codes: &[("never-asked", Severity::Warning)],
    opt_in: false,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    let Role::Field { name, of, at_top: true } = node.role else {
        return;
    };
    // A rule of the object itself may require it.
    if name == "status" || of.has_rules() || !node.may_be_absent() || node.is_kubernetes_type {
        return;
    }
    let Some(first) = node.schema.required.first() else {
        return;
    };
    let message = format!("an object without `{name}` is valid, although `{name}` requires `{first}`");
    let help = format!(
        "add `required: [{name}]` to the schema of the object; with controller-gen: // +required above `{name}`, \
         without `omitempty`. In a version that is served already this rejects objects without `{name}`, so that `diff` \
         calls it breaking: require it in the next version"
    );
    problems.add("never-asked", message, help);
}
