//! Numbers that are not whole.

use crate::diagnostic::Severity;

use super::node::Node;
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-float",
    title: "A field is a floating-point number.",
    page: include_str!("float.md"),
    codes: &[("spec", Severity::Warning), ("status", Severity::Note)],
    look,
};

fn look(node: &Node<'_>, found: &mut Found) {
    if node.schema.kind.as_deref() != Some("number") {
        return;
    }
    let message = format!(
        "{} is a floating-point number: what is read need not be what was written",
        node.words()
    );
    let help = "use a whole number of a smaller unit, or a quantity: `x-kubernetes-int-or-string: true`, in Go a \
                resource.Quantity";
    found.add(if node.in_status() { "status" } else { "spec" }, message, help);
}
