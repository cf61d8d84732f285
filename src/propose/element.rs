//! Where the model file declares an element.

use crate::diagnostic::{Change, Diagnostic};
use crate::document::Document;
use crate::grammar::{EntryKey, below};
use crate::import::Value;
use crate::model::{ElementId, Group, Model};

use super::draft::Path;

/// The keys that lead to an element's entry. A member that is declared version by version has one below `in`.
pub(super) fn path(documents: &[Document<'_>], model: &Model, id: ElementId) -> Path {
    let path = model.element(id).path();
    let mut keys = path.keys();
    if let (Some(_), Some(version)) = (path.member(), path.version())
        && says(documents, &below(&keys, &["in"]))
    {
        keys = below(&keys, &["in", &version.version]);
    }
    keys
}

/// The keys that lead to an entry of an element alone. A member whose entry is for all versions gets one below `in`,
/// beside those of the other versions that have it, which are returned too.
pub(super) fn own_path(documents: &[Document<'_>], model: &Model, id: ElementId) -> (Path, Vec<Path>) {
    let keys = path(documents, model, id);
    let element = model.element(id).path();
    let kind = model.element(id).parent.and_then(|kind| model.kind_of(kind));
    let mut members = kind.into_iter().flat_map(|kind| &kind.members);
    let member = members.find(|member| member.versions.contains(&Some(id)));
    let (Some(member), Some(version)) = (member, element.version()) else {
        return (keys, Vec::new());
    };
    let versions = member.versions.iter().flatten();
    let others: Vec<ElementId> = versions.copied().filter(|other| *other != id).collect();
    if member.is_listed || others.is_empty() {
        return (keys, Vec::new());
    }
    let others = others.iter().filter_map(|other| {
        let version = model.element(*other).path().version()?.version.to_string();
        Some(below(&keys, &["in", &version]))
    });
    (below(&keys, &["in", &version.version]), others.collect())
}

/// The keys of a group.
pub(super) fn of_group(group: &Group) -> Path {
    below(&[], &[group.family.section(), &group.name])
}

/// Whether any of a model's files has a value at a path.
pub(super) fn says(documents: &[Document<'_>], path: &[String]) -> bool {
    value(documents, path).is_some()
}

/// The value that the first file with one has at a path.
pub(super) fn value<'d>(documents: &'d [Document<'_>], path: &[String]) -> Option<crate::document::Value<'d>> {
    let (last, above) = path.split_last()?;
    documents.iter().find_map(|document| {
        let mut above = above.iter();
        let table = above.try_fold(document.root(), |table, key| table.get(key)?.1.as_table());
        Some(table?.get(last)?.1)
    })
}

/// The keys that the fix of a finding adds to its element's entry.
pub(super) fn additions(path: &Path, finding: &Diagnostic) -> Vec<(Path, String, Value)> {
    let added = finding.fix.iter().filter_map(|change| match change {
        Change::Add { key, value, .. } => Some((path.clone(), (*key).to_owned(), plain(value)?)),
        Change::Set { .. } | Change::Delete { .. } => None,
    });
    added.collect()
}

/// A rewritten help text as a line of its entry.
pub(super) fn help_line(change: &Change) -> Option<String> {
    match change {
        Change::Set { value, .. } => Some(format!("{} = {value}", EntryKey::Help.as_str())),
        Change::Add { .. } | Change::Delete { .. } => None,
    }
}

/// A value written as TOML, if it is a string or a boolean.
fn plain(text: &str) -> Option<Value> {
    let table: toml::Table = toml::from_str(&format!("value = {text}\n")).ok()?;
    match table.get("value")? {
        toml::Value::String(text) => Some(Value::Text(text.clone())),
        toml::Value::Boolean(flag) => Some(Value::Flag(*flag)),
        _ => None,
    }
}

/// A string, a boolean or a number of a file, to be written again.
pub(super) fn copied(value: crate::document::Value<'_>) -> Value {
    match (value.as_word(), value.as_bool()) {
        (Some(word), _) => Value::Text(word.text.to_owned()),
        (None, Some(flag)) => Value::Flag(flag),
        (None, None) => {
            let text = value.plain_text();
            text.parse().map_or(Value::Text(text), Value::Number)
        }
    }
}
