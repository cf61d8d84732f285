//! Booleans.

use crate::diagnostic::Severity;

use super::node::Node;
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-boolean",
    title: "A field is a boolean, which cannot get a third value.",
    page: include_str!("boolean.md"),
    codes: &[("field", Severity::Off)],
    opt_in: true,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    if node.schema.kind.as_deref() != Some("boolean") {
        return;
    }
    problems.add(
        "field",
        format!("{} is a boolean: it cannot get a third value", node.words()),
        "use a string whose `enum` names the states; with controller-gen: // +kubebuilder:validation:Enum=On;Off",
    );
}
