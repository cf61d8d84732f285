//! Required fields that have a default.

use crate::diagnostic::Severity;

use super::node::{Node, Role};
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-required-default",
    title: "A required field has a default, so that nobody has to set it.",
    page: include_str!("required-default.md"),
    codes: &[("never-missing", Severity::Note)],
    look,
};

fn look(node: &Node<'_>, found: &mut Found) {
    let Role::Field { name, .. } = node.role else { return };
    if !node.is_required() || node.schema.default.is_none() {
        return;
    }
    let message = format!("{} is required and has a default: no object can lack it", node.words());
    let help = format!(
        "take `{name}` out of `required` (with controller-gen: // +optional); or take the default away, if users have \
         to decide"
    );
    found.add("never-missing", message, help);
}
