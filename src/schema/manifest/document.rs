//! Documents with CRDs, as written.

use super::{KIND, V1, with_fixed_quotes};
use crate::schema::tree::Tree;
use crate::source::Location;
use crate::text::Unreadable;

/// A document with CRDs, as written.
#[derive(Debug)]
pub(crate) struct WrittenDocument {
    /// The line at which it begins.
    pub(crate) line: u32,
    /// The CRDs in it; none where it is a template, or no valid YAML or JSON.
    pub(crate) definitions: Vec<Tree>,
    /// Why it cannot be read.
    pub(crate) problem: Option<Unreadable>,
}

impl WrittenDocument {
    /// Where it begins.
    pub(crate) fn start(&self) -> Location {
        Location {
            line: self.line,
            column: 1,
        }
    }
}

/// The CRDs of v1 in a document: itself, or the items of a list.
pub(super) fn trees(document: &str) -> Vec<Tree> {
    let tree = match with_fixed_quotes(document) {
        Ok(tree) => tree,
        // JSON that is no YAML, with repeated keys for example.
        Err(_) => serde_json::from_str(document).unwrap_or(Tree::Null),
    };
    if is_definition(&tree) {
        return vec![tree];
    }
    let is_typed = tree.text("kind").strip_suffix("List") == Some(KIND);
    let shared = ["kind", "apiVersion"].map(|key| (key, tree.text(key).trim_end_matches("List").to_owned()));
    let Tree::Table(mut entries) = tree else {
        return Vec::new();
    };
    let items = match entries.remove("items").map(|entry| entry.value) {
        Some(Tree::List(items)) => items,
        _ => Vec::new(),
    };
    let items = items.into_iter().map(|mut item| {
        if is_typed && item.value.get("kind").is_none() {
            item.value.put_absent(&shared);
        }
        item.value
    });
    items.filter(is_definition).collect()
}

/// Whether a tree is a whole CRD of v1: no template, and no part that Kustomize merges.
fn is_definition(tree: &Tree) -> bool {
    let Some(spec) = tree.get("spec") else { return false };
    let outside = ["group", "names", "scope", "conversion"]
        .into_iter()
        .filter_map(|key| spec.get(key));
    let is_template = outside.chain(tree.get("metadata")).any(has_template);
    let is_part = spec.get("group").is_none() && spec.get("names").is_none();
    tree.text("kind") == KIND && tree.text("apiVersion") == V1 && !is_template && !is_part
}

/// Whether a text in a tree is an expression of a template.
fn has_template(tree: &Tree) -> bool {
    match tree {
        Tree::Text(text) => text.contains("{{"),
        Tree::List(items) => items.iter().any(|item| has_template(&item.value)),
        Tree::Table(entries) => entries.values().any(|entry| has_template(&entry.value)),
        Tree::Null | Tree::Bool(_) | Tree::Number(_) => false,
    }
}
