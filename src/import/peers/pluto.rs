//! The list of pluto, in YAML: `deprecated-versions`, with an entry a kind.

use serde::Deserialize;
use serde_saphyr::Spanned;

use super::node::{Node, text, unread};
use super::{Api, Entry, Listed, Told, name, release};
use crate::grammar::VersionPath;
use crate::text::{LARGEST, MOST_NODES, Unreadable, at, limits, of_problem};

/// What an entry may say.
const KEYS: [&str; 7] = [
    "version",
    "kind",
    "deprecated-in",
    "removed-in",
    "replacement-api",
    "replacement-available-in",
    "component",
];

#[derive(Deserialize)]
struct List {
    #[serde(rename = "deprecated-versions")]
    entries: Option<Vec<Spanned<Node>>>,
}

/// Reads a list. Entries that cannot be understood are told and left out.
///
/// # Errors
///
/// If the text is no YAML, has no `deprecated-versions`, or costs too much to read.
pub fn read(list: &str) -> Result<Listed, Unreadable> {
    if list.len() > LARGEST {
        return Err(at(1, 1, format!("larger than {} MiB", LARGEST >> 20)));
    }
    let read: List =
        serde_saphyr::from_str_with_options(list, limits(MOST_NODES)).map_err(|problem| of_problem(&problem, 1))?;
    let Some(entries) = read.entries else {
        return Err(at(1, 1, "no `deprecated-versions`: this is no list of pluto"));
    };
    let mut listed = Listed::default();
    for node in &entries {
        let line = u32::try_from(node.referenced.line()).unwrap_or(u32::MAX);
        match entry(&node.value, line, &mut listed.told) {
            Ok(entry) => listed.entries.push(entry),
            Err(reason) => listed.told.push(Told { line, reason }),
        }
    }
    Ok(listed)
}

fn entry(node: &Node, line: u32, told: &mut Vec<Told>) -> Result<Entry, String> {
    let table = node.table()?;
    let text = |key: &str| text(table, key);
    let kind = name(text("kind")?, "kind")?;
    let when = |key: &str| release(text(key)?, key);
    let entry = Entry {
        line,
        component: Some(text("component")?)
            .filter(|name| !name.is_empty())
            .map(str::to_owned),
        introduced: None,
        deprecated: when("deprecated-in")?,
        removed: when("removed-in")?,
        replacement: match text("replacement-api")? {
            "" => None,
            replacement => Some(api(replacement, "replacement-api", &kind)?),
        },
        available: when("replacement-available-in")?,
        api: api(text("version")?, "version", &kind)?,
    };
    told.extend(unread(table, &KEYS).map(|reason| Told { line, reason }));
    Ok(entry)
}

/// `apps/v1`, or `v1` of the core group.
fn api(given: &str, key: &str, kind: &str) -> Result<Api, String> {
    let VersionPath { group, version, .. } = VersionPath::of_api_version(given);
    let is_version = version
        .strip_prefix('v')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if !given.is_empty() && !given.contains('/') && !is_version {
        return Err(format!("`{key}` is neither GROUP/VERSION nor a version"));
    }
    Ok(Api {
        group: name(&group, key)?,
        version: name(&version, key)?,
        kind: kind.to_owned(),
    })
}
