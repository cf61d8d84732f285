//! Places in the files of a model.

use super::super::write::path_text;

/// A value in the files of a model: the keys that lead to it, and within a list, the item and the keys from there. The
/// item after the last one is a new one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ValuePath {
    pub(crate) path: Vec<String>,
    pub(crate) within: Option<(usize, Vec<String>)>,
}

/// Why a text cannot be rewritten.
#[derive(Debug)]
pub(crate) struct Unwritable(pub(crate) String);

impl From<Vec<String>> for ValuePath {
    fn from(path: Vec<String>) -> Self {
        Self { path, within: None }
    }
}

pub(super) fn unwritable(place: &ValuePath) -> Unwritable {
    let within = place
        .within
        .as_ref()
        .map_or(String::new(), |(_, keys)| format!(".{}", path_text(keys)));
    Unwritable(format!(
        "`{}{within}` is written in a form that cannot be edited in place",
        path_text(&place.path)
    ))
}
