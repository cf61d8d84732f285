//! Documents with CRDs, as written.

use super::KIND;
use super::meant::{is_definition, is_part};
use super::yaml::with_fixed_quotes;
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

/// The CRDs of v1 in a document, and what is meant to be one: itself, or the items of a list; and whether it is a part
/// of a CRD, which Kustomize merges.
pub(super) fn trees(document: &str) -> (Vec<Tree>, bool) {
    let tree = match with_fixed_quotes(document) {
        Ok(tree) => tree,
        // JSON that is no YAML, with repeated keys for example.
        Err(_) => serde_json::from_str(document).map_or(Tree::Null, |json: serde_json::Value| json.into()),
    };
    if is_definition(&tree) {
        return (vec![tree], false);
    }
    if tree.text("kind") == KIND {
        let is_part = is_part(&tree);
        return (Vec::new(), is_part);
    }
    let is_typed = tree.text("kind").strip_suffix("List") == Some(KIND);
    let shared = ["kind", "apiVersion"].map(|key| (key, tree.text(key).trim_end_matches("List").to_owned()));
    let Tree::Table(mut entries) = tree else {
        return (Vec::new(), false);
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
    (items.filter(is_definition).collect(), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_that_is_no_yaml_is_read() {
        let crd = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "cars.example.com"}, "spec": {"group": "old", "group": "example.com"}}"#;
        let list = format!(r#"{{"kind": "List", "apiVersion": "v1", "items": [{crd}]}}"#);
        for document in [crd, &list] {
            let (definitions, is_part) = trees(document);
            let groups: Vec<&str> = definitions
                .iter()
                .map(|definition| definition.get("spec").map_or("", |spec| spec.text("group")))
                .collect();
            assert_eq!((groups, is_part), (vec!["example.com"], false), "{document}");
        }
        assert_eq!(trees(&format!("{crd} }}")).0.len(), 0);
    }
}
