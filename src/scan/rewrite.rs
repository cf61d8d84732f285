//! Objects whose version can be replaced by another one without any other change.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::path::{fields, steps};
use crate::document::{Diagnostics, Document};
use crate::grammar::{ElementPath, KindPath};
use crate::schema::{Schema, Tree};
use crate::server::accepts;

/// The keys of a reference to an object: it has nothing that a version could refuse.
const OF_REFERENCES: [&str; 10] = [
    "apiVersion",
    "blockOwnerDeletion",
    "controller",
    "fieldPath",
    "kind",
    "name",
    "namespace",
    "optional",
    "resourceVersion",
    "uid",
];

/// The keys that every object has, which schemas of CRDs need not list.
const OF_OBJECTS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// What is known about the objects that versions take.
#[derive(Debug, Default)]
pub(crate) struct Rewrites {
    /// By the id of a kind, and the version that its objects come from.
    listed: BTreeMap<(String, String), Conditions>,
    /// The schema of a kind, by its id.
    schemas: BTreeMap<String, Arc<Schema>>,
}

/// What an object must have and must not have, by paths.
#[derive(Debug, Clone, Default)]
struct Conditions {
    with: Vec<Vec<String>>,
    without: Vec<Vec<String>>,
}

impl Rewrites {
    /// Adds a list of kinds whose objects a later version takes as they are.
    pub(crate) fn add_list(&mut self, document: &Document<'_>, diagnostics: &mut Diagnostics) {
        for error in document.syntax_errors() {
            diagnostics.push(error.clone());
        }
        for (kind, entry) in document.root().entries() {
            let Some(entry) = entry.table(diagnostics) else {
                continue;
            };
            let mut from = Vec::new();
            let mut conditions = Conditions::default();
            for (key, value) in entry.entries() {
                let words = value.words(diagnostics).into_iter().map(|word| word.text);
                match key.name {
                    "from" => from = words.map(str::to_owned).collect(),
                    "with" => conditions.with = words.map(steps).collect(),
                    "without" => conditions.without = words.map(steps).collect(),
                    _ => diagnostics.unknown_key(&key, &["from", "with", "without"]),
                }
            }
            for version in from {
                self.listed.insert((kind.name.to_owned(), version), conditions.clone());
            }
        }
    }

    /// Adds the schema of a kind.
    pub(crate) fn add_schema(&mut self, kind: &KindPath<'_>, schema: Arc<Schema>) {
        self.schemas.insert(kind.to_string(), schema);
    }

    /// The `apiVersion` that an object can have instead of its own: that of its replacement, if it is of the same kind
    /// and known to take the object as it is.
    pub(crate) fn version_instead(
        &self,
        (api_version, kind): (&str, &str),
        replacement: &str,
        (tree, may_be_reference): (&Tree, bool),
    ) -> Option<String> {
        let Ok(ElementPath::Kind(path)) = ElementPath::parse(replacement) else {
            return None;
        };
        let is_taken = self.takes(replacement, api_version, tree) || may_be_reference && is_reference(tree);
        (path.kind == kind && is_taken).then(|| path.version.api_version())
    }

    fn takes(&self, replacement: &str, api_version: &str, tree: &Tree) -> bool {
        if let Some(schema) = self.schemas.get(replacement) {
            return accepts(&tree.json_without(&OF_OBJECTS), schema);
        }
        let listed = self.listed.get(&(replacement.to_owned(), api_version.to_owned()));
        listed.is_some_and(|conditions| conditions.hold(tree))
    }
}

impl Conditions {
    fn hold(&self, tree: &Tree) -> bool {
        let has_all = self.with.iter().all(|path| {
            let found = found(tree, path);
            !found.is_empty() && found.into_iter().all(|value| !is_empty(value))
        });
        has_all && self.without.iter().all(|path| found(tree, path).is_empty())
    }
}

fn found<'t>(tree: &'t Tree, path: &[String]) -> Vec<&'t Tree> {
    let mut found = Vec::new();
    fields(tree, path, None, &mut found);
    found.into_iter().map(|(_, entry)| &entry.value).collect()
}

fn is_empty(value: &Tree) -> bool {
    match value {
        Tree::Null => true,
        Tree::List(items) => items.is_empty(),
        Tree::Table(entries) => entries.values().all(|entry| is_empty(&entry.value)),
        Tree::Text(text) => text.is_empty(),
        Tree::Bool(_) | Tree::Number(_) => false,
    }
}

fn is_reference(tree: &Tree) -> bool {
    matches!(tree, Tree::Table(entries) if entries.keys().all(|key| OF_REFERENCES.contains(&key.as_str())))
}
