//! Required fields with a default.

use crate::diagnostic::Severity;

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-required-default",
    title: "A required field has a default, so nobody has to set it.",
    page: include_str!("required-default.md"),
    codes: &[("never-missing", Severity::Note)],
    opt_in: false,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    let Role::Field { name, .. } = node.role else { return };
    if !node.is_required() || node.schema.default.is_none() {
        return;
    }
    let message = format!(
        "{} is required but has a default: it can never be missing",
        node.words()
    );
    let help = format!(
        "remove `{name}` from `required` (with controller-gen: // +optional); or remove the default, if users have to \
         decide"
    );
    problems.add("never-missing", message, help);
}
