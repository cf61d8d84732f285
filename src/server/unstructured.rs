//! Schemas that a server cannot read as a structure, because of a keyword in them.

use super::structural::LOGIC;
use crate::schema::Tree;

/// Whether a server cannot read a schema as a structure, because of a keyword in it.
pub(super) fn has_no_structure(schema: &Tree) -> bool {
    const WITHOUT: [&str; 6] = [
        "id",
        "$schema",
        "$ref",
        "patternProperties",
        "dependencies",
        "definitions",
    ];
    WITHOUT.iter().any(|key| schema.get(key).is_some_and(is_filled))
        || schema.entry("additionalItems").is_some()
        || !schema.items("items").is_empty()
        || schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Tree::Bool(false))
        || parts_of(schema).any(has_no_structure)
}

fn is_filled(value: &Tree) -> bool {
    match value {
        Tree::Text(text) => !text.is_empty(),
        Tree::Table(entries) => !entries.is_empty(),
        _ => false,
    }
}

/// The schemas in a schema.
fn parts_of(schema: &Tree) -> impl Iterator<Item = &Tree> {
    let single = ["items", "additionalProperties", "not"];
    let single = single.into_iter().filter_map(|key| schema.get(key));
    let members = LOGIC
        .into_iter()
        .flat_map(|key| schema.items(key))
        .map(|member| &member.value);
    let fields = schema.entries("properties").map(|(_, entry)| &entry.value);
    single.chain(members).chain(fields)
}
