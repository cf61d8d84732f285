//! Lists that state whole lives: GitLab's `data/deprecations/*.yml`, and CSV with a header.

use crate::grammar::can_name_kind;
use crate::text::{MOST_UNREADABLE, Unreadable, at, line_below, listed};

use super::super::list_value::{ListValue, Table, text};
use super::file::{Marker, MarkersFile, State};

/// Reads `- title: …` with `announcement_milestone` and `removal_milestone`.
pub(super) fn read_gitlab(content: &str) -> Result<MarkersFile, Unreadable> {
    let (entries, skipped) = listed::<ListValue>(content)?;
    let mut file = MarkersFile {
        skipped,
        ..MarkersFile::default()
    };
    for (base, entry) in entries {
        let line = line_below(base, entry.referenced.line());
        match announcement(&entry.value) {
            Ok((title, state)) => file.add(BEHAVIOR, title, line, state),
            Err(reason) => file.skipped.push(at(line, 1, reason)),
        }
    }
    Ok(file)
}

fn announcement(entry: &ListValue) -> Result<(String, State), String> {
    let entry = entry.table()?;
    let title = stated(entry, "title")?.ok_or("an entry without `title`")?;
    let since = stated(entry, "announcement_milestone")?.ok_or("an entry without `announcement_milestone`")?;
    let marker = Marker {
        since: Some(since),
        removal: stated(entry, "removal_milestone")?,
        ..Marker::default()
    };
    Ok((title, State::Deprecated(marker)))
}

fn stated(entry: &Table, key: &str) -> Result<Option<String>, String> {
    let text = text(entry, key)?;
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

const BEHAVIOR: &str = "behavior";

const COLUMNS: [&str; 6] = ["kind", "name", "introduced", "deprecated", "removed", "warning"];

/// Reads a table whose header names its columns: `name`, and any of `kind`, `introduced`, `deprecated`, `removed` and
/// `warning`.
pub(super) fn read_csv(content: &str) -> Result<MarkersFile, Unreadable> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(content.as_bytes());
    let header = reader
        .headers()
        .map_err(|problem| at(1, 1, problem.to_string()))?
        .clone();
    let columns: Vec<String> = header.iter().map(|name| name.trim().to_lowercase()).collect();
    let places = COLUMNS.map(|wanted| columns.iter().position(|name| name == wanted));
    if places[1].is_none() {
        return Err(at(1, 1, "no column `name`: the first line names the columns"));
    }
    let mut file = MarkersFile::default();
    let others = columns.iter().filter(|name| !COLUMNS.contains(&name.as_str()));
    let others: Vec<String> = others.map(|name| format!("`{name}`")).collect();
    if !others.is_empty() {
        let reason = format!("columns that are not read: {}", others.join(", "));
        file.skipped.push(at(1, 1, reason));
    }
    for record in reader.records() {
        let record = record.map_err(|problem| at(1, 1, problem.to_string()))?;
        let line = record.position().map_or(1, csv::Position::line);
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        match row(places.map(|place| cell(&record, place))) {
            Ok((kind, name, marker)) => file.add(&kind, name, line, State::Deprecated(marker)),
            Err(reason) => file.skipped.push(at(line, 1, reason)),
        }
        if file.skipped.len() > MOST_UNREADABLE {
            return Err(at(1, 1, format!("more than {MOST_UNREADABLE} lines cannot be read")));
        }
    }
    Ok(file)
}

fn cell(record: &csv::StringRecord, place: Option<usize>) -> Option<String> {
    let cell = record.get(place?)?.trim();
    (!cell.is_empty()).then(|| cell.to_owned())
}

/// The kind and the name of a row, and what it states.
fn row(
    [kind, name, introduced, since, removal, note]: [Option<String>; 6],
) -> Result<(String, String, Marker), String> {
    let name = name.ok_or("a line without a name")?;
    let kind = kind.unwrap_or_else(|| BEHAVIOR.to_owned());
    if kind != BEHAVIOR && !can_name_kind(&kind) {
        return Err(format!(
            "{name}: `{kind}` cannot name a kind of elements such as `behavior` or `symbol`"
        ));
    }
    let marker = Marker {
        since,
        removal,
        introduced,
        note,
    };
    Ok((kind, name, marker))
}
