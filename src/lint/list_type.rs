//! Lists that do not say how writers share them.

use crate::diagnostic::Severity;
use crate::schema::Schema;

use super::node::Node;
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-list-type",
    title: "A list does not say how several writers share it, or says what cannot be.",
    page: include_str!("list-type.md"),
    codes: &[
        ("missing", Severity::Note),
        ("set-of-objects", Severity::Error),
        ("keys", Severity::Error),
    ],
    look,
};

const TYPE: &str = "x-kubernetes-list-type";
const KEYS: &str = "x-kubernetes-list-map-keys";

fn look(node: &Node<'_>, found: &mut Found) {
    let schema = node.schema;
    if schema.kind.as_deref() != Some("array") {
        return;
    }
    let path = node.words();
    match schema.merging.get(TYPE).map(String::as_str) {
        None => found.add(
            "missing",
            format!("{path} does not say its list type: with server-side apply, each writer replaces the whole list"),
            format!(
                "write `{TYPE}: atomic` where that is meant, `set` for values without order, `map` with `{KEYS}` for \
                 objects that have a key; with controller-gen: // +listType=atomic"
            ),
        ),
        Some("set") => set(schema, &path, found),
        Some("map") => map(schema, &path, found),
        Some(_) => {}
    }
}

/// The items of a set are compared as a whole.
fn set(schema: &Schema, path: &str, found: &mut Found) {
    let Some(items) = &schema.items else { return };
    let (merging, what) = match items.kind.as_deref() {
        Some("object") => ("x-kubernetes-map-type", "objects"),
        Some("array") => (TYPE, "lists"),
        _ => return,
    };
    if items.merging.get(merging).map(String::as_str) != Some("atomic") {
        found.add(
            "set-of-objects",
            format!("{path} is a set of {what} that are not atomic: servers refuse this definition"),
            format!("write `{TYPE}: map` with `{KEYS}`, or `{merging}: atomic` in its items"),
        );
    }
}

/// Each item of a list that is a map has every key.
fn map(schema: &Schema, path: &str, found: &mut Found) {
    let Some(keys) = schema.keys.as_ref().filter(|keys| !keys.is_empty()) else {
        let message = format!("{path} is a list of type map that names no keys: servers refuse this definition");
        found.add(
            "keys",
            message,
            format!("name them: `{KEYS}: [name]`; with controller-gen: // +listMapKey=name"),
        );
        return;
    };
    let Some(items) = &schema.items else { return };
    for key in keys {
        let problem = match items.properties.get(key) {
            None => "which its items do not have",
            Some(property) if !items.required.contains(key) && property.schema.default.is_none() => {
                "which its items need not have"
            }
            Some(property) if property.schema.nullable => "which may be null",
            Some(_) => continue,
        };
        found.add(
            "keys",
            format!("{path} has the key `{key}`, {problem}: servers refuse this definition"),
            format!(
                "list `{key}` in the properties of the items and in `required`, or give it a default; it is not \
                 `nullable`"
            ),
        );
    }
}
