//! Objects with metadata in defaults: `x-kubernetes-embedded-resource`.

use super::decode;
use super::dns::{is_label, is_subdomain};
use super::node::Node;
use super::object_meta;
use super::path::Path;
use super::refusal::{Class, Refusals};
use crate::schema::{Entry, Tree};

const HELP: &str = "complete the default as an object that a server accepts";

/// Reports what is wrong with the types and metadata of the objects in a value. `is_object`: the value is one, whatever
/// its schema says.
pub(super) fn check(value: &Node<'_, '_>, schema: &Tree, is_object: bool, found: &mut Refusals) {
    let before = found.len();
    visit(value, schema, is_object, &mut |object| types(object, found));
    if found.len() == before {
        visit(value, schema, is_object, &mut |object| contents(object, found));
    }
}

fn visit(value: &Node<'_, '_>, schema: &Tree, is_object: bool, visitor: &mut impl FnMut(&Node<'_, '_>)) {
    match value.value {
        Tree::Table(entries) => {
            if is_object || schema.says("x-kubernetes-embedded-resource") {
                visitor(value);
            }
            for (name, entry) in entries {
                let field = schema.get("properties").and_then(|fields| fields.get(name));
                let (path, part) = match (field, schema.get("additionalProperties")) {
                    (Some(field), _) => (value.path.child(name), field),
                    (None, Some(values)) => (value.path.key(name), values),
                    _ => continue,
                };
                let part_node = Node {
                    value: &entry.value,
                    path,
                    place: entry.place.or(value.place),
                };
                visit(&part_node, part, false, visitor);
            }
        }
        Tree::List(_) => {
            if let Some(items) = schema.get("items") {
                value.items().for_each(|item| visit(&item, items, false, visitor));
            }
        }
        _ => {}
    }
}

/// Whether `apiVersion`, `kind` and `metadata` can be read.
fn types(object: &Node<'_, '_>, found: &mut Refusals) {
    for key in ["apiVersion", "kind"] {
        if object
            .value
            .get(key)
            .is_some_and(|value| !matches!(value, Tree::Text(_)))
        {
            let message = format!("`{key}` of an object in a default is no text");
            found.add_key(Class::DefaultValue, object, key, (message, HELP));
        }
    }
    if let Some(metadata) = object.child("metadata")
        && !decode::is_metadata(&metadata)
    {
        let message = "`metadata` of an object in a default has a value of the wrong type";
        found.add(Class::DefaultValue, &metadata, message, HELP);
    }
}

fn contents(object: &Node<'_, '_>, found: &mut Refusals) {
    for key in ["apiVersion", "kind"] {
        let text = object.value.text(key);
        let is_valid = match key {
            "kind" => is_label(&text.to_lowercase()),
            _ => !text.is_empty() && text.matches('/').count() < 2,
        };
        if !is_valid {
            let message = match text {
                "" => format!("an object in a default has no `{key}`"),
                text => format!("`{text}` cannot be the `{key}` of an object in a default"),
            };
            found.add_key(Class::DefaultValue, object, key, (message, HELP));
        }
    }
    let Some(metadata) = object.child("metadata") else {
        return;
    };
    for key in ["generateName", "name"] {
        let name = metadata.value.text(key);
        if name.contains(['/', '%']) || key == "name" && matches!(name, "." | "..") {
            let message = format!("`{name}` cannot be the name of an object");
            found.add_key(Class::DefaultValue, &metadata, key, (message, HELP));
        }
    }
    let namespace = metadata.value.text("namespace");
    if !namespace.is_empty() && (namespace.contains('.') || namespace.len() > 63 || !is_subdomain(namespace)) {
        let message = format!("`{namespace}` cannot be the name of a namespace");
        found.add_key(Class::DefaultValue, &metadata, "namespace", (message, HELP));
    }
    if let Some(Tree::Number(generation)) = metadata.value.get("generation")
        && generation.as_f64().is_some_and(|number| number < 0.0)
    {
        let message = "`generation` of an object in a default is negative";
        found.add_key(Class::DefaultValue, &metadata, "generation", (message, "remove it"));
    }
    object_meta::check(&metadata, Class::DefaultValue, found);
}

/// Why a default is no part of the object that it stands in; `steps` lead to it, `None` for the items of a list.
pub(super) fn wrong_part(default: &Tree, steps: &[Option<&str>]) -> Option<String> {
    let whole = steps.iter().rev().fold(default.clone(), |part, step| match step {
        Some(name) => Tree::Table([((*name).to_owned(), of(part))].into()),
        None => Tree::List(vec![of(part)]),
    });
    let Tree::Table(mut entries) = whole else {
        return None;
    };
    for (key, value) in [("apiVersion", "validation/v1"), ("kind", "Validation")] {
        let missing = of(Tree::Text(value.to_owned()));
        entries.entry(key.to_owned()).or_insert(missing);
    }
    let object = Tree::Table(entries);
    let node = Node {
        value: &object,
        path: Path::ROOT,
        place: None,
    };
    let mut found = Refusals::default();
    check(&node, &Tree::Null, true, &mut found);
    found.0.into_iter().next().map(|refusal| refusal.message)
}

fn of(value: Tree) -> Entry {
    Entry { place: None, value }
}
