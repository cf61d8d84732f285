//! Where the model file declares an element.

use crate::diagnostic::{Change, Diagnostic};
use crate::grammar::{EntryKey, below};
use crate::import::Value;
pub(super) use crate::import::update::entry::{before_another, copied, earlier_lives, own_path, path, says, value};
use crate::model::Group;

use super::draft::Path;

/// The keys of a group.
pub(super) fn of_group(group: &Group) -> Path {
    below(&[], &[group.family.section(), &group.name])
}

/// The keys that the fix of a finding adds to its element's entry.
pub(super) fn additions(path: &Path, finding: &Diagnostic) -> Vec<(Path, String, Value)> {
    let added = finding.fix.iter().filter_map(|change| match change {
        Change::Add { key, value, .. } => Some((path.clone(), (*key).to_owned(), plain(value)?)),
        Change::Set { .. } | Change::Replace { .. } | Change::Delete { .. } => None,
    });
    added.collect()
}

/// A rewritten help text as a line of its entry.
pub(super) fn help_line(change: &Change) -> Option<String> {
    match change {
        Change::Set { value, .. } => Some(format!("{} = {value}", EntryKey::Help.as_str())),
        Change::Add { .. } | Change::Replace { .. } | Change::Delete { .. } => None,
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
