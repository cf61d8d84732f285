//! Lists without a list type, or with an invalid one.

use crate::diagnostic::Severity;
use crate::schema::Schema;

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
    run: check,
};

const TYPE: &str = "x-kubernetes-list-type";
const KEYS: &str = "x-kubernetes-list-map-keys";

fn check(node: &Node<'_>, problems: &mut Problems) {
    let schema = node.schema;
    if schema.kind.as_deref() != Some("array") {
        return;
    }
    let path = node.words();
    match schema.list_type() {
        None => problems.add(
            "missing",
            format!("{path} has no list type: with server-side apply, each client replaces the whole list"),
            format!(
                "set `{TYPE}: atomic` if that is intended, `set` for unordered values, or `map` with `{KEYS}` for \
                 objects that have a key; with controller-gen: // +listType=atomic"
            ),
        ),
        Some("set") => set(schema, &path, problems),
        Some("map") => map(schema, &path, problems),
        Some(_) => {}
    }
}

/// Sets compare their items as a whole, so the items must be atomic.
fn set(schema: &Schema, path: &str, problems: &mut Problems) {
    let Some(items) = &schema.items else { return };
    let (merging, what) = match items.kind.as_deref() {
        Some("object") => ("x-kubernetes-map-type", "objects"),
        Some("array") => (TYPE, "lists"),
        _ => return,
    };
    if items.merging.get(merging).map(String::as_str) != Some("atomic") {
        problems.add(
            "set-of-objects",
            format!("{path} is a set of {what} that are not atomic: servers reject this CRD"),
            format!("set `{TYPE}: map` with `{KEYS}`, or `{merging}: atomic` on its items"),
        );
    }
}

/// Every item of a list map has every key.
fn map(schema: &Schema, path: &str, problems: &mut Problems) {
    let Some(keys) = schema.keys.as_ref().filter(|keys| !keys.is_empty()) else {
        let message = format!("{path} has list type `map` but no keys: servers reject this CRD");
        problems.add(
            "keys",
            message,
            format!("name the keys: `{KEYS}: [name]`; with controller-gen: // +listMapKey=name"),
        );
        return;
    };
    let Some(items) = &schema.items else { return };
    for key in keys {
        let problem = match items.properties.get(key) {
            None => "is not a property of its items",
            Some(property) if !items.required.contains(key) && property.schema.default.is_none() => {
                "is neither required nor has a default"
            }
            Some(property) if property.schema.nullable => "is nullable",
            Some(_) => continue,
        };
        problems.add(
            "keys",
            format!("the key `{key}` of {path} {problem}: servers reject this CRD"),
            format!(
                "list `{key}` in `properties` and `required` of the items, or give it a default; it must not be \
                 `nullable`"
            ),
        );
    }
}
