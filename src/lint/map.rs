//! Maps whose values are more than a word.

use crate::diagnostic::Severity;
use crate::schema::Additional;

use super::node::Node;
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-map",
    title: "A map has objects or lists as values, where the conventions want a list with names.",
    page: include_str!("map.md"),
    codes: &[("of-objects", Severity::Warning), ("of-lists", Severity::Note)],
    look,
};

fn look(node: &Node<'_>, found: &mut Found) {
    let Some(Additional::Of(values)) = &node.schema.additional else {
        return;
    };
    let (code, what) = match values.kind.as_deref() {
        Some("object") => ("of-objects", "objects"),
        Some("array") => ("of-lists", "lists"),
        _ => return,
    };
    found.add(
        code,
        format!(
            "{} is a map of {what}: its keys are data that no schema describes",
            node.words()
        ),
        "use a list of objects with a name: `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys: [name]`; in \
         Go a slice with // +listType=map and // +listMapKey=name",
    );
}
