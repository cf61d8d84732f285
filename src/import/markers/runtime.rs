//! Ansible's `meta/runtime.yml`: the plugins of a collection with `deprecation` or `tombstone`, and the release that
//! removes each.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_saphyr::Spanned;

use crate::text::{MOST_NODES, Unreadable, at, limits, line_below, of_problem};

use super::super::list_value::{ListValue, Table, text};
use super::file::{Marker, MarkersFile, State};

/// Plugins of one type, by name.
type Plugins = BTreeMap<String, Spanned<ListValue>>;

#[derive(Deserialize)]
struct Runtime {
    plugin_routing: Option<BTreeMap<String, Option<Plugins>>>,
}

pub(super) fn read(content: &str) -> Result<MarkersFile, Unreadable> {
    let runtime: Option<Runtime> =
        serde_saphyr::from_str_with_options(content, limits(MOST_NODES)).map_err(|problem| of_problem(&problem, 1))?;
    let mut file = MarkersFile::default();
    for (sort, plugins) in runtime.and_then(|runtime| runtime.plugin_routing).into_iter().flatten() {
        for (name, entry) in plugins.into_iter().flatten() {
            let line = line_below(1, entry.referenced.line());
            let state = state(&entry.value).unwrap_or_else(|reason| {
                let error = at(line, 1, format!("plugin {sort}.{name}: {reason}"));
                file.skipped.push(error);
                Some(State::Unknown)
            });
            if let Some(state) = state {
                file.add("symbol", format!("{sort}.{name}"), line, state);
            }
        }
    }
    Ok(file)
}

/// What an entry states; `None` if it is about something else, such as a redirection.
fn state(entry: &ListValue) -> Result<Option<State>, String> {
    let entry = entry.table()?;
    if let Some(tombstone) = entry.get("tombstone") {
        return Ok(Some(State::Removed(removal(tombstone.table()?)?)));
    }
    let Some(deprecation) = entry.get("deprecation") else {
        return Ok(None);
    };
    let deprecation = deprecation.table()?;
    let note = text(deprecation, "warning_text")?
        .split_whitespace()
        .collect::<Vec<&str>>()
        .join(" ");
    Ok(Some(State::Deprecated(Marker {
        removal: removal(deprecation)?,
        note: (!note.is_empty()).then_some(note),
        ..Marker::default()
    })))
}

fn removal(table: &Table) -> Result<Option<String>, String> {
    let release = text(table, "removal_version")?;
    Ok((!release.is_empty()).then(|| release.to_owned()))
}
