//! Lists without a list type. Invalid ones are found as a server finds them.

use crate::diagnostic::Severity;

use super::node::Node;
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-list-type",
    title: "A list does not declare how clients share it, or declares it in an invalid way.",
    page: include_str!("list-type.md"),
    codes: &[
        ("missing", Severity::Note),
        ("set-of-objects", Severity::Error),
        ("keys", Severity::Error),
    ],
    opt_in: false,
    run: Some(check),
};

const TYPE: &str = "x-kubernetes-list-type";
const KEYS: &str = "x-kubernetes-list-map-keys";

fn check(node: &Node<'_>, problems: &mut Problems) {
    if node.schema.kind.as_deref() != Some("array") || node.schema.list_type().is_some() {
        return;
    }
    let path = node.words();
    problems.add(
        "missing",
        format!("{path} has no list type: with server-side apply, each client replaces the whole list"),
        format!(
            "set `{TYPE}: atomic` if that is intended, `set` for unordered values, or `map` with `{KEYS}` for objects \
             that have a key; with controller-gen: // +listType=atomic"
        ),
    );
}
