//! The list of kubepug, in JSON: one entry per kind.

use crate::grammar::CORE;
use crate::release::ReleaseName;
use crate::text::{LARGEST, Unreadable, check_size, json_array};

use super::super::list_value::{ListValue, Table, ignored, text};
use super::{Api, DeprecationList, ListedApi, Tool, name};

const KEYS: [&str; 8] = [
    "group",
    "version",
    "kind",
    "description",
    "introduced_version",
    "deprecated_version",
    "removed_version",
    "replacement",
];

pub(super) fn read(text: &str) -> Result<DeprecationList, Unreadable> {
    check_size(text, LARGEST)?;
    let mut list = DeprecationList::new(Tool::Kubepug);
    for (line, value) in json_array::<ListValue>(text, "this is not a list of kubepug")? {
        list.add(line, entry(&value, line));
    }
    Ok(list)
}

/// An entry, and a sentence about its unknown keys.
fn entry(value: &ListValue, line: u32) -> Result<(ListedApi, Option<String>), String> {
    let table = value.table()?;
    let entry = ListedApi {
        line,
        component: None,
        api: api(table)?,
        introduced: release(table, "introduced_version")?,
        deprecated: release(table, "deprecated_version")?,
        removed: release(table, "removed_version")?,
        replacement: match table.get("replacement") {
            None | Some(ListValue::Empty) => None,
            Some(value) => replacement(value).map_err(|reason| format!("`replacement`: {reason}"))?,
        },
        available: None,
    };
    Ok((entry, ignored(table, &KEYS)))
}

/// The replacement of a kind; none where all its names are empty.
fn replacement(value: &ListValue) -> Result<Option<Api>, String> {
    let table = value.table()?;
    let names = [text(table, "group")?, text(table, "version")?, text(table, "kind")?];
    if names.iter().all(|name| name.is_empty()) {
        return Ok(None);
    }
    api(table).map(Some)
}

fn api(table: &Table) -> Result<Api, String> {
    let group = match text(table, "group")? {
        "" => CORE,
        group => group,
    };
    Ok(Api {
        group: name(group, "group")?,
        version: name(text(table, "version")?, "version")?,
        kind: name(text(table, "kind")?, "kind")?,
    })
}

/// A release by its numbers; none where both are 0.
fn release(table: &Table, key: &str) -> Result<Option<ReleaseName>, String> {
    let numbers = match table.get(key) {
        None | Some(ListValue::Empty) => return Ok(None),
        Some(value) => value.table().map_err(|reason| format!("`{key}`: {reason}"))?,
    };
    let [major, minor] = ["version_major", "version_minor"].map(|part| match numbers.get(part) {
        None | Some(ListValue::Empty) => Ok(0),
        Some(ListValue::Number(number)) => Ok(*number),
        Some(_) => Err(format!("`{key}`: `{part}` is not a whole number")),
    });
    let (major, minor) = (major?, minor?);
    Ok(((major, minor) != (0, 0)).then(|| ReleaseName::new(major, minor)))
}
