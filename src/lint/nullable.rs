//! Fields that may be null.

use crate::diagnostic::Severity;

use super::node::Node;
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-nullable",
    title: "A field is nullable, so that null and absent say the same.",
    page: include_str!("nullable.md"),
    codes: &[("field", Severity::Off)],
    opt_in: true,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    if !node.schema.nullable {
        return;
    }
    problems.add(
        "field",
        format!(
            "{} is nullable: `null` and absent are two ways to say one thing",
            node.words()
        ),
        "remove `nullable`; with controller-gen, remove // +nullable",
    );
}
