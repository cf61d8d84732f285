//! Where the model file declares an element.

use crate::diagnostic::{Change, Diagnostic};
use crate::evaluate::Evaluation;
use crate::grammar::{EntryKey, below};
use crate::import::Value;
use crate::import::update::entry;
pub(super) use crate::import::update::entry::{before_another, copied, earlier_lives, path, says, value};
use crate::model::{ElementId, Event, EventKind, Group};

use super::draft::Path;
use super::settle::Inputs;

/// The keys of a group.
pub(super) fn of_group(group: &Group) -> Path {
    below(&[], &[group.family.section(), &group.name])
}

/// The keys that lead to an entry of an element alone, and those of the entries of the other versions that are listed
/// beside it. A version that ends by the plan before the element begins is not: its entry would keep it.
pub(super) fn own_path(inputs: &Inputs<'_>, element: ElementId) -> (Path, Vec<Path>) {
    let base = inputs.base;
    let (path, mut others) = entry::own_path(&inputs.documents, base.model(), element);
    others.retain(|(other, _)| ever_begins(base, *other));
    (path, others.into_iter().map(|(_, entry)| entry).collect())
}

fn ever_begins(base: &Evaluation, part: ElementId) -> bool {
    let (model, reasoning) = (base.model(), base.reasoning());
    let mut begins = (0..model.lives(part)).map(|life| Event::new(part, life, EventKind::Introduced));
    begins.any(|begin| model.find_declared(begin).is_none() || reasoning.release(begin).is_some())
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
