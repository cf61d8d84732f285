//! Floating-point fields.

use crate::diagnostic::Severity;

use super::node::Node;
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-float",
    title: "A field is a floating-point number.",
    page: include_str!("float.md"),
    codes: &[("spec", Severity::Warning), ("status", Severity::Note)],
    opt_in: false,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    if node.schema.kind.as_deref() != Some("number") {
        return;
    }
    let message = format!(
        "{} is a floating-point number: its value may change when it is read back",
        node.words()
    );
    let help = "use an integer in a smaller unit, or a quantity: `x-kubernetes-int-or-string: true`, in Go \
                resource.Quantity";
    problems.add(if node.in_status() { "status" } else { "spec" }, message, help);
}
