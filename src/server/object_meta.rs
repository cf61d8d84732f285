//! The metadata that every object has: of the CRD itself, and of objects in defaults.

use super::dns::is_subdomain;
use super::node::Node;
use super::refusal::{Class, Refusals};
use crate::schema::Tree;

/// Reports what is wrong in metadata beside the name.
pub(super) fn check(metadata: &Node<'_, '_>, class: Class, found: &mut Refusals) {
    labels(metadata, class, found);
    annotations(metadata, class, found);
    owners(metadata, class, found);
    for finalizer in metadata.value.texts("finalizers") {
        if !is_qualified(finalizer) {
            let message = format!("`{finalizer}` cannot be the name of a finalizer");
            let help = "use a name of letters, digits, `-`, `_` and `.`, after a domain and `/`";
            found.add_key(class, metadata, "finalizers", (message, help));
        }
    }
}

fn owners(metadata: &Node<'_, '_>, class: Class, found: &mut Refusals) {
    let Some(owners) = metadata.child("ownerReferences") else {
        return;
    };
    let mut controllers = 0;
    // The server names no position in the list.
    for item in owners.items() {
        let owner = item.named(owners.path);
        controllers += usize::from(item.value.says("controller"));
        for key in ["apiVersion", "kind", "name", "uid"] {
            let text = item.value.text(key);
            if text.is_empty() || key == "apiVersion" && (text.matches('/').count() > 1 || text.ends_with('/')) {
                let message = format!("an owner has no valid `{key}`");
                found.add_key(class, &owner, key, (message, "set it, or remove the owner"));
            }
        }
        if item.value.text("apiVersion") == "v1" && item.value.text("kind") == "Event" {
            found.add(class, &owner, "an event cannot own an object", "remove the owner");
        }
    }
    if controllers > 1 {
        let message = "two owners are the controller";
        found.add(class, &owners, message, "keep `controller: true` on one of them");
    }
}

fn labels(metadata: &Node<'_, '_>, class: Class, found: &mut Refusals) {
    for (key, entry) in metadata.value.entries("labels") {
        let value = match &entry.value {
            Tree::Text(text) => text.as_str(),
            _ => "",
        };
        let (wrong, what) = if !is_qualified(key) {
            (key, "key")
        } else if !(value.is_empty() || is_qualified_name(value)) {
            (value, "value")
        } else {
            continue;
        };
        let message = format!("`{wrong}` cannot be the {what} of a label");
        let help = "use letters, digits, `-`, `_` and `.`, with a letter or digit at both ends, at most 63 characters";
        found.add_key(class, metadata, "labels", (message, help));
    }
}

fn annotations(metadata: &Node<'_, '_>, class: Class, found: &mut Refusals) {
    let mut size = 0;
    for (key, entry) in metadata.value.entries("annotations") {
        if let Tree::Text(text) = &entry.value {
            size += key.len() + text.len();
        }
        if !is_qualified(&key.to_lowercase()) {
            let message = format!("`{key}` cannot be the key of an annotation");
            let help = "use a name of letters, digits, `-`, `_` and `.`, after an optional domain and `/`";
            found.add_key(class, metadata, "annotations", (message, help));
        }
    }
    if size > LARGEST_ANNOTATIONS {
        let message = format!("the annotations have {size} bytes; servers accept {LARGEST_ANNOTATIONS}");
        found.add_key(class, metadata, "annotations", (message, "shorten them"));
    }
}

/// Bytes of all annotations of an object.
const LARGEST_ANNOTATIONS: usize = 256 << 10;

/// A name with an optional domain: `example.com/name`.
fn is_qualified(key: &str) -> bool {
    match key.split_once('/') {
        Some((domain, name)) => is_subdomain(domain) && is_qualified_name(name),
        None => is_qualified_name(key),
    }
}

fn is_qualified_name(name: &str) -> bool {
    name.len() <= 63
        && !name.is_empty()
        && name.trim_matches(['-', '_', '.']) == name
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}
