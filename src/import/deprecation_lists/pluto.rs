//! The list of pluto, in YAML: `deprecated-versions`, with one entry per kind.

use serde::Deserialize;
use serde_saphyr::Spanned;

use crate::grammar::VersionPath;
use crate::release::ReleaseName;
use crate::text::{LARGEST, MOST_NODES, Unreadable, at, check_size, limits, of_problem};

use super::super::list_value::{ListValue, Table, ignored, text};
use super::{Api, DeprecationList, ListedApi, Tool, name, release};

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
struct PlutoFile {
    #[serde(rename = "deprecated-versions")]
    entries: Option<Vec<Spanned<ListValue>>>,
}

pub(super) fn read(text: &str) -> Result<DeprecationList, Unreadable> {
    check_size(text, LARGEST)?;
    let file: PlutoFile =
        serde_saphyr::from_str_with_options(text, limits(MOST_NODES)).map_err(|problem| of_problem(&problem, 1))?;
    let Some(entries) = file.entries else {
        return Err(at(1, 1, "no `deprecated-versions`: this is not a list of pluto"));
    };
    let mut list = DeprecationList::new(Tool::Pluto);
    for value in &entries {
        let line = u32::try_from(value.referenced.line()).unwrap_or(u32::MAX);
        list.add(line, entry(&value.value, line));
    }
    Ok(list)
}

/// An entry, and a sentence about its unknown keys.
fn entry(value: &ListValue, line: u32) -> Result<(ListedApi, Option<String>), String> {
    let table = value.table()?;
    let kind = name(text(table, "kind")?, "kind")?;
    let component = text(table, "component")?;
    let entry = ListedApi {
        line,
        component: (!component.is_empty()).then(|| component.to_owned()),
        introduced: None,
        deprecated: when(table, "deprecated-in")?,
        removed: when(table, "removed-in")?,
        replacement: match text(table, "replacement-api")? {
            "" => None,
            replacement => Some(api(replacement, "replacement-api", &kind)?),
        },
        available: when(table, "replacement-available-in")?,
        api: api(text(table, "version")?, "version", &kind)?,
    };
    Ok((entry, ignored(table, &KEYS)))
}

fn when(table: &Table, key: &str) -> Result<Option<ReleaseName>, String> {
    release(text(table, key)?, key)
}

/// `apps/v1`, or `v1` of the core group.
fn api(given: &str, key: &str, kind: &str) -> Result<Api, String> {
    let VersionPath { group, version, .. } = VersionPath::of_api_version(given);
    let is_version = version
        .strip_prefix('v')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if !given.is_empty() && !given.contains('/') && !is_version {
        return Err(format!("`{key}` is neither GROUP/VERSION nor VERSION"));
    }
    Ok(Api {
        group: name(&group, key)?,
        version: name(&version, key)?,
        kind: kind.to_owned(),
    })
}
