//! Rows from anything that counts: CSV with a header, or objects of JSON, alone, in a list, or one per line.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::collector::{Collector, Origin, Seen, day, time};
use super::watched::Watched;
use crate::report::{EvidenceSource, SourceFormat};
use crate::text::{Unreadable, at, bounded_json, json_array};

/// The names of a column, the first one as generated queries write it.
const ELEMENT: &[&str] = &["element"];
const USER: &[&str] = &["user", "who", "consumer"];
const AGENT: &[&str] = &["agent", "user_agent"];
const NAMESPACE: &[&str] = &["namespace"];
const DAY: &[&str] = &["day", "date"];
const COUNT: &[&str] = &["count", "requests"];
const FIRST: &[&str] = &["first_seen"];
const LAST: &[&str] = &["last_seen"];

/// All names of columns.
#[cfg(test)]
pub(super) fn columns() -> Vec<&'static str> {
    [ELEMENT, USER, AGENT, NAMESPACE, DAY, COUNT, FIRST, LAST].concat()
}

/// A row, by the names of its columns.
type Row = BTreeMap<String, String>;

/// The name of a column: `Last seen` is `last_seen`.
fn column(name: &str) -> String {
    let name = name.trim_start_matches('\u{feff}').trim().to_lowercase();
    name.replace([' ', '-'], "_")
}

fn cell<'r>(row: &'r Row, names: &[&str]) -> &'r str {
    let found = names.iter().find_map(|name| row.get(*name));
    found.map_or("", |text| text.trim())
}

/// Reads rows of CSV.
///
/// # Errors
///
/// If the header has no element or no count.
pub(super) fn read_csv(
    text: &str,
    origin: Origin<'_>,
    watched: &Watched,
    fingerprint: String,
) -> Result<EvidenceSource, Unreadable> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|_| at(1, 1, "no header of CSV"))?;
    let header: Vec<String> = header.iter().map(column).collect();
    for wanted in [ELEMENT, COUNT] {
        if !wanted.iter().any(|name| header.iter().any(|column| column == name)) {
            let reason = format!("the header has no column `{}`", wanted[0]);
            return Err(at(1, 1, reason));
        }
    }
    let mut collector = Collector::new(SourceFormat::Rows);
    for record in reader.records() {
        collector.read_lines(1);
        match record {
            Ok(record) => {
                let line = record.position().map_or(0, csv::Position::line);
                let row = header.iter().cloned().zip(record.iter().map(str::to_owned)).collect();
                add(&mut collector, &row, line, (origin, watched));
            }
            Err(problem) => {
                let line = problem.position().map_or(0, csv::Position::line);
                collector.lose(line, "not a row of CSV");
            }
        }
    }
    Ok(collector.finish(origin, fingerprint))
}

/// Reads rows of JSON.
///
/// # Errors
///
/// If a list cannot be read. An object of a line that cannot be read is counted.
pub(super) fn read_json(
    text: &str,
    origin: Origin<'_>,
    watched: &Watched,
    fingerprint: String,
) -> Result<EvidenceSource, Unreadable> {
    let mut collector = Collector::new(SourceFormat::Rows);
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('[') {
        for (line, value) in json_array(text, "expected a list of rows")? {
            add_value(&mut collector, Some(&value), u64::from(line), (origin, watched));
        }
    } else {
        bounded_json(text)?;
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let value: Option<Json> = serde_json::from_str(line).ok();
            add_value(&mut collector, value.as_ref(), number, (origin, watched));
        }
    }
    Ok(collector.finish(origin, fingerprint))
}

fn add_value(collector: &mut Collector, value: Option<&Json>, line: u64, known: (Origin<'_>, &Watched)) {
    collector.read_lines(1);
    match value.and_then(row_of) {
        Some(row) => add(collector, &row, line, known),
        None => collector.lose(line, "not an object of JSON"),
    }
}

fn row_of(value: &Json) -> Option<Row> {
    let cells = value.as_object()?.iter().filter_map(|(name, value)| {
        let text = match value {
            Json::String(text) => text.clone(),
            Json::Number(number) => number.to_string(),
            _ => return None,
        };
        Some((column(name), text))
    });
    Some(cells.collect())
}

fn add(collector: &mut Collector, row: &Row, line: u64, (origin, watched): (Origin<'_>, &Watched)) {
    if let Err(reason) = try_add(collector, row, origin, watched) {
        collector.lose(line, reason);
    }
}

/// Adds a row. One that counts nothing says that its element was looked for on its day.
fn try_add(collector: &mut Collector, row: &Row, origin: Origin<'_>, watched: &Watched) -> Result<(), &'static str> {
    let element = cell(row, ELEMENT);
    if !watched.declares(element) {
        return Err("an element that no model declares");
    }
    // Engines write sums as decimals.
    let count = cell(row, COUNT).trim_end_matches(".0");
    let count: u64 = count.parse().map_err(|_| "a count that is no whole number")?;
    let [first, last] = [FIRST, LAST].map(|names| cell(row, names));
    let [first_time, last_time] = [first, last].map(time);
    let written = [cell(row, DAY), last, first].into_iter().find(|text| !text.is_empty());
    let day = match written {
        Some(text) => day(text.as_bytes()).ok_or("a day that is not written as 2026-01-30")?,
        None => origin.day.ok_or("neither a day nor when it was last seen")?,
    };
    if !collector.cover(day) {
        return Err("more days than ten years have");
    }
    collector.look_for([element.to_owned()]);
    let seen = Seen {
        user: cell(row, USER),
        agent: cell(row, AGENT),
        namespace: cell(row, NAMESPACE),
        day,
        times: [first_time.as_deref(), last_time.as_deref()],
        count,
    };
    if count > 0 && !collector.add(element, seen) {
        return Err("more consumers and days than are kept");
    }
    Ok(())
}
