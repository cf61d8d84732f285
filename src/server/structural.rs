//! Structural schemas: every value has a type outside of `allOf`, `anyOf`, `oneOf` and `not`, which only restrict it.

use super::decode::is_given;
use super::node::Node;
use super::patterns;
use super::refusal::{Class, Refusals};
use crate::schema::Tree;

/// What a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// The objects of a version.
    Root,
    /// The items of a list.
    Item,
    /// A field, or the values of a map.
    Field,
}

const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
const EMBEDDED: &str = "x-kubernetes-embedded-resource";

/// Keywords that list schemas.
pub(super) const LOGIC: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Reports what keeps the schema of objects from being structural.
pub(super) fn check(schema: &Node<'_, '_>, found: &mut Refusals) {
    of_value(schema, Level::Root, found);
    restrictions(schema, schema, found);
}

fn of_value(schema: &Node<'_, '_>, level: Level, found: &mut Refusals) {
    let value = schema.value;
    match schema.schema("items") {
        Some(items) => of_value(&items, Level::Item, found),
        None if value.text("type") == "array" => {
            let help = "describe the items: `items: {type: string}`";
            found.add_key(
                Class::Structural,
                schema,
                "items",
                ("a list does not say what its items are", help),
            );
        }
        None => {}
    }
    if let Some(properties) = schema.child("properties") {
        properties
            .values()
            .for_each(|(_, field)| of_value(&field, Level::Field, found));
    }
    if let Some(values) = schema.child("additionalProperties") {
        if level == Level::Root {
            let message = "`additionalProperties` is not allowed for the objects themselves";
            let help = format!("list the fields in `properties`; to keep others too, set `{PRESERVE}: true`");
            found.add(Class::Structural, &values, message, help);
        }
        if matches!(values.value, Tree::Table(_)) {
            of_value(&values, Level::Field, found);
        }
    }
    extensions(schema, found);
    let [any, first] = int_or_string_forms(value);
    logic(schema, any, first, found);
    types(schema, level, found);
    of_every_object(schema, level, found);
}

fn extensions(schema: &Node<'_, '_>, found: &mut Refusals) {
    if !schema.value.says(INT_OR_STRING) {
        return;
    }
    for key in [PRESERVE, EMBEDDED] {
        if schema.value.says(key) {
            let message = format!("`{key}` cannot stand beside `{INT_OR_STRING}`");
            found.add_key(Class::IntOrString, schema, key, (message, "remove one of them"));
        }
    }
}

fn types(schema: &Node<'_, '_>, level: Level, found: &mut Refusals) {
    let value = schema.value;
    let kind = value.text("type");
    if value.says(EMBEDDED) && kind != "object" {
        let message = format!("`{EMBEDDED}` is for objects");
        found.add_key(Class::ObjectMetadata, schema, "type", (message, "set `type: object`"));
    } else if kind.is_empty() && !value.says(INT_OR_STRING) && !value.says(PRESERVE) {
        let what = match level {
            Level::Root => "the objects have no type",
            Level::Item => "the items have no type",
            Level::Field => "the field has no type",
        };
        let class = if value.entry(INT_OR_STRING).is_some() {
            Class::IntOrString
        } else {
            Class::Structural
        };
        let help = if level == Level::Root || value.entry("properties").is_some() {
            "set `type: object`".to_owned()
        } else if value.entry("items").is_some() {
            "set `type: array`".to_owned()
        } else {
            format!("set `type`; for whole numbers and texts, `{INT_OR_STRING}: true`")
        };
        found.add_key(class, schema, "type", (what, help));
    }
    if level == Level::Root && !kind.is_empty() && kind != "object" {
        let message = format!("the objects have the type `{kind}`");
        found.add_key(Class::Structural, schema, "type", (message, "set `type: object`"));
    }
    if value.says(EMBEDDED) && value.entry("additionalProperties").is_some() {
        let message = format!("`additionalProperties` cannot stand beside `{EMBEDDED}`");
        found.add_key(
            Class::ObjectMetadata,
            schema,
            "additionalProperties",
            (message, "remove it"),
        );
    }
    if value.says(EMBEDDED) && !value.says(PRESERVE) && value.entries("properties").next().is_none() {
        let message = "an embedded object has no fields: servers would drop all of it";
        let help = format!("list its fields, or set `{PRESERVE}: true`");
        found.add_key(Class::ObjectMetadata, schema, "properties", (message, help));
    }
}

/// `apiVersion`, `kind` and `metadata`, which every object has.
fn of_every_object(schema: &Node<'_, '_>, level: Level, found: &mut Refusals) {
    let Some(properties) = schema.child("properties") else {
        return;
    };
    let is_object = level == Level::Root || schema.value.says(EMBEDDED);
    for (name, field) in properties.values() {
        let wanted = match name {
            "apiVersion" | "kind" => "string",
            "metadata" => "object",
            _ => continue,
        };
        let kind = field.value.text("type");
        if is_object && kind != wanted {
            let message = format!("`{name}` has the type `{kind}`, not `{wanted}`");
            found.add_key(
                Class::ObjectMetadata,
                &field,
                "type",
                (message, format!("set `type: {wanted}`")),
            );
        }
        if name == "metadata" && level == Level::Root && restricts_metadata(field.value) {
            let message = "the metadata of objects is given: only `name` and `generateName` can be restricted";
            let help = "write `metadata: {type: object}`, with nothing in it but these two";
            found.add(Class::ObjectMetadata, &field, message, help);
        }
    }
}

/// Whether the schema of the metadata says more than servers accept.
fn restricts_metadata(metadata: &Tree) -> bool {
    let Tree::Table(entries) = metadata else { return false };
    let mut names = metadata.entries("properties").map(|(name, _)| name);
    let only_names = names.all(|name| ["name", "generateName"].contains(&name));
    entries.iter().any(|(key, entry)| match key.as_str() {
        "type" | "default" => false,
        "properties" => !only_names,
        key => is_structural(key, &entry.value),
    })
}

/// Whether a keyword is part of a structural schema, and set; servers ignore others.
fn is_structural(key: &str, value: &Tree) -> bool {
    match key {
        "id" | "$schema" | "$ref" | "patternProperties" | "dependencies" | "additionalItems" | "definitions" => false,
        "items" => matches!(value, Tree::Table(_)),
        "enum" | "allOf" | "anyOf" | "oneOf" => matches!(value, Tree::List(items) if !items.is_empty()),
        key => is_given(key, value),
    }
}

/// Whether `anyOf`, and that of the first member of `allOf`, say no more than that a value is a whole number or a text.
fn int_or_string_forms(schema: &Tree) -> [bool; 2] {
    let first = schema.items("allOf").first();
    [
        is_int_or_string(schema),
        first.is_some_and(|first| is_int_or_string(&first.value)),
    ]
}

fn is_int_or_string(schema: &Tree) -> bool {
    let members = schema.items("anyOf");
    members.len() == 2
        && ["integer", "string"].into_iter().zip(members).all(|(kind, member)| {
            let Tree::Table(entries) = &member.value else {
                return false;
            };
            let mut said = entries.iter().filter(|(key, entry)| {
                let is_unset = key.as_str() == "additionalProperties" && entry.value == Tree::Bool(false);
                is_structural(key, &entry.value) && !is_unset
            });
            said.all(|(key, entry)| key == "type" && entry.value == Tree::Text(kind.to_owned()))
                && member.value.text("type") == kind
        })
}

/// The members of `allOf`, `anyOf`, `oneOf` and `not`, and the pattern. `any`: the types in `anyOf` are allowed;
/// `first`: those in the `anyOf` of the first member of `allOf`.
fn logic(schema: &Node<'_, '_>, any: bool, first: bool, found: &mut Refusals) {
    for key in LOGIC {
        let Some(members) = schema.child(key) else { continue };
        if key == "anyOf" && any {
            continue;
        }
        for (at, member) in members.items().enumerate() {
            restriction(&member, key == "allOf" && first && at == 0, found);
        }
    }
    if let Some(not) = schema.child("not") {
        restriction(&not, false, found);
    }
    if let Some(pattern) = schema.child("pattern")
        && let Tree::Text(text) = pattern.value
        && let Some(reason) = patterns::refused(text)
    {
        let help = "servers use RE2, the syntax of Go: no look-ahead or look-behind, no back-references, no `\\u`";
        found.add(Class::Pattern, &pattern, format!("the pattern `{text}` {reason}"), help);
    }
}

/// A schema within `allOf`, `anyOf`, `oneOf` or `not`.
fn restriction(schema: &Node<'_, '_>, any: bool, found: &mut Refusals) {
    logic(schema, any, false, found);
    if let Some(items) = schema.schema("items") {
        restriction(&items, false, found);
    }
    if let Some(properties) = schema.child("properties") {
        for (name, field) in properties.values() {
            restriction(&field, false, found);
            if name == "metadata" {
                let message = "`metadata` cannot be restricted within `allOf`, `anyOf`, `oneOf` or `not`";
                found.add(Class::ObjectMetadata, &field, message, "remove it there");
            }
        }
    }
    let forbidden = [
        "type",
        "default",
        "title",
        "description",
        "nullable",
        PRESERVE,
        EMBEDDED,
        INT_OR_STRING,
        "x-kubernetes-list-map-keys",
        "x-kubernetes-list-type",
        "x-kubernetes-map-type",
        "x-kubernetes-validations",
    ];
    for key in forbidden {
        let value = schema.value.get(key);
        if value.is_some_and(|value| is_given(key, value) && !is_empty_list(key, value)) {
            refuse_within(schema, key, found);
        }
    }
    let values = schema.value.get("additionalProperties");
    if values.is_some_and(|values| *values != Tree::Bool(false)) {
        refuse_within(schema, "additionalProperties", found);
    }
}

/// Whether a list is the same as none: of keys and of rules, unlike a default.
fn is_empty_list(key: &str, value: &Tree) -> bool {
    key != "default" && matches!(value, Tree::List(items) if items.is_empty())
}

fn refuse_within(schema: &Node<'_, '_>, key: &str, found: &mut Refusals) {
    let class = match key {
        "type" if is_of_int_or_string(schema) => Class::IntOrString,
        _ => Class::Structural,
    };
    let message = format!("`{key}` is not allowed within `allOf`, `anyOf`, `oneOf` or `not`");
    let help = format!("state `{key}` for the value itself, outside of them");
    found.add_key(class, schema, key, (message, help));
}

/// Whether a member only says which of the two types a value has.
fn is_of_int_or_string(schema: &Node<'_, '_>) -> bool {
    ["integer", "string"].contains(&schema.value.text("type")) && schema.path.to_string().contains(".anyOf[")
}

/// What `allOf`, `anyOf`, `oneOf` and `not` restrict has to be declared outside of them.
fn restrictions(schema: &Node<'_, '_>, declared: &Node<'_, '_>, found: &mut Refusals) {
    for key in LOGIC {
        if let Some(members) = schema.child(key) {
            members.items().for_each(|member| restricted(&member, declared, found));
        }
    }
    if let Some(not) = schema.child("not") {
        restricted(&not, declared, found);
    }
}

fn restricted(schema: &Node<'_, '_>, declared: &Node<'_, '_>, found: &mut Refusals) {
    restrictions(schema, declared, found);
    if let Some(items) = schema.schema("items") {
        match declared.schema("items") {
            Some(declared) => restricted(&items, &declared, found),
            None => undeclared(&items, declared, "items", found),
        }
    }
    let Some(properties) = schema.child("properties") else {
        return;
    };
    let known = declared.child("properties");
    for (name, field) in properties.values() {
        match known
            .as_ref()
            .and_then(|known| known.child(name).map(|field| field.value))
        {
            Some(value) => {
                let path = declared.path.child("properties");
                let declared = Node {
                    value,
                    path: path.key(name),
                    place: known.as_ref().and_then(|known| known.place_of(name)),
                };
                restricted(&field, &declared, found);
            }
            None => {
                let above = declared.named(declared.path.child("properties"));
                let node = Node {
                    place: field.place,
                    ..above.named(above.path.key(name))
                };
                let message = format!("`{name}` is restricted in `{}`, and not declared", field.path);
                found.add(
                    Class::Structural,
                    &node,
                    message,
                    "list it in `properties` outside, with its type",
                );
            }
        }
    }
}

fn undeclared(items: &Node<'_, '_>, declared: &Node<'_, '_>, key: &str, found: &mut Refusals) {
    let path = declared.path.child(key);
    let node = Node { path, ..*items };
    let message = format!("items are restricted in `{}`, and not declared", items.path);
    found.add(
        Class::Structural,
        &node,
        message,
        "declare `items` outside, with their type",
    );
}
