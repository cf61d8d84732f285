//! Maps of objects or lists.

use crate::diagnostic::Severity;
use crate::schema::Additional;

use super::node::Node;
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-map",
    title: "A map has objects or lists as values; the conventions ask for a list with names.",
    page: include_str!("map.md"),
    codes: &[("of-objects", Severity::Warning), ("of-lists", Severity::Note)],
    opt_in: false,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    let Some(Additional::Of(values)) = &node.schema.additional else {
        return;
    };
    let (code, what) = match values.kind.as_deref() {
        Some("object") => ("of-objects", "objects"),
        Some("array") => ("of-lists", "lists"),
        _ => return,
    };
    problems.add(
        code,
        format!("{} is a map of {what}: no schema describes its keys", node.words()),
        "use a list of objects with a name: `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys: [name]`; in \
         Go, a slice with // +listType=map and // +listMapKey=name",
    );
}
