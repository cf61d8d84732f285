//! How clients share lists and maps: `x-kubernetes-list-type`, its keys, and `x-kubernetes-map-type`.

use std::collections::BTreeSet;

use super::node::Node;
use super::refusal::{Class, Refusals};
use crate::schema::Tree;

const LIST_TYPE: &str = "x-kubernetes-list-type";
const MAP_TYPE: &str = "x-kubernetes-map-type";
const KEYS: &str = "x-kubernetes-list-map-keys";

pub(super) fn check(schema: &Node<'_, '_>, found: &mut Refusals) {
    for (key, kind, known) in [
        (LIST_TYPE, "array", &["atomic", "set", "map"][..]),
        (MAP_TYPE, "object", &["atomic", "granular"][..]),
    ] {
        if schema.value.entry(key).is_none() {
            continue;
        }
        if schema.value.text("type") != kind {
            let message = format!("`{key}` stands where the type is not `{kind}`");
            let help = format!("set `type: {kind}`, or remove `{key}`");
            found.add_key(Class::ListType, schema, "type", (message, help));
        }
        let given = schema.value.text(key);
        if !known.contains(&given) {
            let message = format!("`{key}` is `{given}`");
            let help = format!("use one of {}", known.join(", "));
            found.add_key(Class::ListType, schema, key, (message, help));
        }
    }
    let given = schema.value.text(LIST_TYPE);
    if !schema.value.items(KEYS).is_empty() && given != "map" {
        let message = "a list has keys, and is no map";
        let help = format!("set `{LIST_TYPE}: map`, or remove `{KEYS}`");
        found.add_key(Class::ListType, schema, LIST_TYPE, (message, help));
    }
    match given {
        "set" => set(schema, found),
        "map" => map(schema, found),
        _ => {}
    }
}

/// Sets compare their items as a whole, so the items must be atomic.
fn set(schema: &Node<'_, '_>, found: &mut Refusals) {
    let Some(items) = schema
        .child("items")
        .filter(|items| matches!(items.value, Tree::Table(_)))
    else {
        return;
    };
    let merged = match items.value.text("type") {
        "object" => Some((MAP_TYPE, "objects", items.value.text(MAP_TYPE) == "atomic")),
        "array" => Some((
            LIST_TYPE,
            "lists",
            ["", "atomic"].contains(&items.value.text(LIST_TYPE)),
        )),
        _ => None,
    };
    if let Some((key, what, false)) = merged {
        let message = format!("a set has {what} that are not atomic");
        let help = format!("set `{LIST_TYPE}: map` with `{KEYS}`, or `{key}: atomic` on its items");
        found.add_key(Class::SetItems, &items, key, (message, help));
    }
    not_nullable(&items, found);
}

fn not_nullable(items: &Node<'_, '_>, found: &mut Refusals) {
    if items.value.says("nullable") {
        let message = "the items of a set or map are nullable";
        found.add_key(Class::ListKeys, items, "nullable", (message, "remove `nullable`"));
    }
}

/// Every item of a list map has every key.
fn map(schema: &Node<'_, '_>, found: &mut Refusals) {
    if schema.value.items(KEYS).is_empty() {
        let help = format!("name the keys: `{KEYS}: [name]`; with controller-gen: // +listMapKey=name");
        found.add_key(Class::ListKeys, schema, KEYS, ("a list map names no keys", help));
    }
    let Some(items) = schema
        .child("items")
        .filter(|items| matches!(items.value, Tree::Table(_)))
    else {
        if schema.value.items("items").is_empty() {
            let help = "describe the items, with the keys among their fields";
            found.add_key(
                Class::ListKeys,
                schema,
                "items",
                ("a list map does not say what its items are", help),
            );
        }
        return;
    };
    not_nullable(&items, found);
    if items.value.text("type") != "object" {
        let message = "the items of a list map are no objects";
        found.add_key(
            Class::ListKeys,
            &items,
            "type",
            (message, "set `type: object`, and list the keys as fields"),
        );
        return;
    }
    map_keys(schema, &items, found);
}

fn map_keys(schema: &Node<'_, '_>, items: &Node<'_, '_>, found: &mut Refusals) {
    let properties = items.child("properties");
    let required: BTreeSet<&str> = items.value.texts("required").collect();
    let mut seen = BTreeSet::new();
    for key in schema.value.texts(KEYS) {
        if !seen.insert(key) {
            let message = format!("the key `{key}` is named twice");
            found.add_key(Class::ListKeys, schema, KEYS, (message, "remove one"));
        }
        match properties
            .as_ref()
            .and_then(|fields| fields.value.entry(key).map(|entry| (fields, entry)))
        {
            Some((fields, entry)) => {
                let field = Node {
                    value: &entry.value,
                    path: fields.path.key(key),
                    place: entry.place.or(fields.place),
                };
                map_key(key, &field, required.contains(key), found);
            }
            None => {
                let message = format!("the key `{key}` is no field of the items");
                found.add_key(
                    Class::ListKeys,
                    schema,
                    KEYS,
                    (message, "list it in their `properties`"),
                );
            }
        }
    }
}

fn map_key(key: &str, field: &Node<'_, '_>, is_required: bool, found: &mut Refusals) {
    if ["array", "object"].contains(&field.value.text("type")) {
        let message = format!("the key `{key}` is a list or an object");
        found.add_key(
            Class::ListKeys,
            field,
            "type",
            (message, "use a text, number or boolean as key"),
        );
    }
    if !is_required && field.value.entry("default").is_none() {
        let message = format!("the key `{key}` is neither required nor has a default");
        let help = format!("list `{key}` in `required` of the items, or give it a default");
        found.add_key(Class::ListKeys, field, "default", (message, help));
    }
    if field.value.says("nullable") {
        let message = format!("the key `{key}` is nullable");
        found.add_key(Class::ListKeys, field, "nullable", (message, "remove `nullable`"));
    }
}
