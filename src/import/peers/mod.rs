//! Lists of deprecated API versions, as tools that look for them in manifests and clusters keep them.
//!
//! Such a list tells of kinds, one an entry, when they are deprecated and removed and what replaces them; some do not
//! tell when they came. What cannot be understood is told with its line and left out.

mod drafted;
pub mod kubepug;
mod merged;
mod node;
pub mod pluto;

use std::collections::BTreeSet;

use crate::release::ReleaseName;

pub(super) use drafted::fill;
pub use drafted::{Drafted, draft};
pub use merged::{Merged, merge};

/// What a list says.
#[derive(Debug, Default)]
pub struct Listed {
    /// The entries that could be read, in their order.
    pub entries: Vec<Entry>,
    /// What could not be read, with lines.
    pub told: Vec<Told>,
}

/// Something to tell of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The line, from 1.
    pub line: u32,
    /// In words: what is left out, and why.
    pub reason: String,
}

/// What a list says of one kind in one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The line it begins at, from 1.
    pub line: u32,
    /// The product whose releases count, where the list tells of several.
    pub component: Option<String>,
    /// The kind in its version.
    pub api: Api,
    /// The first release that has it, where the list says.
    pub introduced: Option<ReleaseName>,
    /// The release in which it is deprecated.
    pub deprecated: Option<ReleaseName>,
    /// The first release that no longer has it.
    pub removed: Option<ReleaseName>,
    /// What to use instead.
    pub replacement: Option<Api>,
    /// The first release that has the replacement, where the list says.
    pub available: Option<ReleaseName>,
}

/// Takes the kinds out that are but lists of another kind that the same list names, as `WidgetList` is beside `Widget`
/// in one group: servers answer with them, nobody stores one. Hands back the rest, and the names of what was taken out.
pub fn without_lists(entries: Vec<Entry>) -> (Vec<Entry>, BTreeSet<String>) {
    let known: BTreeSet<(String, String)> = entries
        .iter()
        .flat_map(|entry| entry.replacement.iter().chain([&entry.api]))
        .map(|api| (api.group.clone(), api.kind.clone()))
        .collect();
    let is_list = |api: &Api| {
        let of = api.kind.strip_suffix("List");
        of.is_some_and(|of| known.contains(&(api.group.clone(), of.to_owned())))
    };
    let (lists, kinds): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(|entry| is_list(&entry.api));
    (kinds, lists.into_iter().map(|entry| entry.api.kind).collect())
}

/// A kind in a version of a group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Api {
    /// The group; `core` for the one without a name.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
}

/// A name as it can stand in an id, or why it cannot.
fn name(given: &str, key: &str) -> Result<String, String> {
    let fits = |c: char| !c.is_control() && !c.is_whitespace() && c != '/';
    match given {
        "" => Err(format!("`{key}` is missing")),
        name if name.chars().all(fits) => Ok(name.to_owned()),
        _ => Err(format!("`{key}` has characters that no name has")),
    }
}

/// A release, or why it is none.
fn release(given: &str, key: &str) -> Result<Option<ReleaseName>, String> {
    if given.is_empty() {
        return Ok(None);
    }
    let named = ReleaseName::parse(given).ok_or_else(|| format!("`{key}` is no release: write it as v1.25.0"));
    named.map(Some)
}
