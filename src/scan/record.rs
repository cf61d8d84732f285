//! How objects use elements, and the uses that live objects record: what was last applied, and what wrote their fields.

use crate::schema::Tree;
use crate::source::Location;

/// The annotations in which `kubectl apply` and `kapp` record what was applied.
const LAST_APPLIED: [&str; 2] = [
    "kubectl.kubernetes.io/last-applied-configuration",
    "kapp.k14s.io/original",
];

/// How an object uses an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It is of this version and kind, or has the field, value or annotation.
    Has,
    /// It refers to an object of this version and kind.
    Refers,
    /// It was last applied with it.
    Applied,
    /// Its managed fields record it.
    Managed,
}

/// The versions that a live object records: what was last applied, and what wrote its fields.
pub(super) fn recorded(tree: &Tree) -> Vec<(Manner, &str)> {
    let Some(metadata) = tree.get("metadata") else {
        return Vec::new();
    };
    let annotations = metadata.get("annotations");
    let applied = LAST_APPLIED
        .iter()
        .filter_map(|key| applied_version(annotations?.text(key)));
    let managed = metadata
        .items("managedFields")
        .iter()
        .map(|item| item.value.text("apiVersion"));
    let managed = managed.filter(|version| !version.is_empty());
    let applied = applied.map(|version| (Manner::Applied, version));
    applied
        .into_iter()
        .chain(managed.map(|version| (Manner::Managed, version)))
        .collect()
}

/// The version in a recorded object. Only the beginning of the text is searched: `kubectl` writes its keys in order.
fn applied_version(text: &str) -> Option<&str> {
    let rest = text
        .trim_start()
        .strip_prefix('{')?
        .trim_start()
        .strip_prefix("\"apiVersion\"")?;
    let value = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    value.split_once('"').map(|(version, _)| version)
}

/// The key of what records a version, and its place.
pub(super) fn place_of_record(tree: &Tree, manner: Manner) -> Option<(&'static str, Option<Location>)> {
    let metadata = tree.get("metadata")?;
    match manner {
        Manner::Applied => {
            let annotations = metadata.get("annotations")?;
            let mut keys = LAST_APPLIED.iter();
            keys.find_map(|key| Some((*key, annotations.entry(key)?.place)))
        }
        Manner::Managed => {
            let key = "managedFields";
            Some((key, metadata.entry(key)?.place))
        }
        Manner::Has | Manner::Refers => None,
    }
}
