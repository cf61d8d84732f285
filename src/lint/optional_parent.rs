//! Required fields that nobody asks for, because what has them may be absent.

use crate::diagnostic::Severity;

use super::node::{Node, Role};
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-optional-parent",
    title: "A part of the object may be absent, and with it all that is required in it.",
    page: include_str!("optional-parent.md"),
    codes: &[("never-asked", Severity::Warning)],
    look,
};

fn look(node: &Node<'_>, found: &mut Found) {
    let Role::Field { name, of, at_top: true } = node.role else {
        return;
    };
    // A rule of the object itself may well ask for it.
    let asked = !of.rules.is_empty() || !of.logic.is_empty();
    if name == "status" || asked || !node.may_be_absent() || node.borrowed {
        return;
    }
    let Some(first) = node.schema.required.first() else {
        return;
    };
    let message = format!("an object without `{name}` is valid, although `{name}` has to have `{first}`");
    let help = format!(
        "write `required: [{name}]` beside the properties of the object; with controller-gen: // +required above \
         `{name}`, and no `omitempty`"
    );
    found.add("never-asked", message, help);
}
