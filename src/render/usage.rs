//! Evidence of usage as a table: per element, how often and by whom.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::report::{Consumer, Evidence, Usage};

use super::table::table;
use super::{Style, visible};

const HEADER: [&str; 5] = ["ELEMENT", "COUNT", "CONSUMERS", "HEAVIEST", "LAST SEEN"];

/// What evidence says about an element.
#[derive(Default)]
struct Row<'e> {
    count: u64,
    consumers: BTreeMap<&'e Consumer, u64>,
    last: String,
}

fn rows(evidence: &Evidence) -> BTreeMap<&str, Row<'_>> {
    let mut rows: BTreeMap<&str, Row<'_>> = BTreeMap::new();
    for usage in evidence.sources.iter().flat_map(|source| &source.usage) {
        let row = rows.entry(&usage.element).or_default();
        row.count = row.count.saturating_add(usage.count);
        let own = row.consumers.entry(&usage.consumer).or_default();
        *own = own.saturating_add(usage.count);
        row.last = row.last.clone().max(last_seen(usage));
    }
    rows
}

fn last_seen(usage: &Usage) -> String {
    usage.last_seen.clone().unwrap_or_else(|| usage.day.to_string())
}

/// The cells of each element that is used, and how many elements are not.
fn cells(evidence: &Evidence) -> (Vec<[String; 5]>, usize) {
    let rows = rows(evidence);
    let all = evidence.sources.iter().flat_map(|source| &source.elements);
    let all: BTreeSet<&str> = all.map(String::as_str).collect();
    let unused = all.iter().filter(|id| !rows.contains_key(**id)).count();
    let mut rows: Vec<(&str, Row<'_>)> = rows.into_iter().collect();
    rows.sort_by_key(|(id, row)| (std::cmp::Reverse(row.count), *id));
    let cells = rows.into_iter().map(|(id, row)| {
        let heaviest = row
            .consumers
            .iter()
            .max_by_key(|(who, count)| (**count, std::cmp::Reverse(*who)));
        [
            id.to_owned(),
            row.count.to_string(),
            row.consumers.len().to_string(),
            heaviest.map_or_else(String::new, |(who, _)| who.words()),
            row.last,
        ]
    });
    (cells.collect(), unused)
}

/// "2 sources, 2026-01-01 to 2026-01-30; 12 elements looked for are not used".
fn summary(evidence: &Evidence, unused: usize) -> String {
    let sources = evidence.sources.len();
    let periods = evidence.sources.iter().flat_map(|source| &source.periods);
    let from = periods.clone().map(|period| period.from).min();
    let to = periods.map(|period| period.to).max();
    let days = match from.zip(to) {
        Some((from, to)) if from == to => format!(", {from}"),
        Some((from, to)) => format!(", {from} to {to}"),
        None => String::new(),
    };
    let plural = if sources == 1 { "" } else { "s" };
    let unused = match unused {
        0 => String::new(),
        1 => "; 1 element that was looked for is not used".to_owned(),
        more => format!("; {more} elements that were looked for are not used"),
    };
    format!("{sources} source{plural}{days}{unused}")
}

/// The usage of each element, most used first.
pub fn usage(evidence: &Evidence, style: Style) -> String {
    let (cells, unused) = cells(evidence);
    let mut text = format!("{}\n", summary(evidence, unused));
    if !cells.is_empty() {
        let rows = cells.iter().map(|row| row.each_ref().map(|cell| visible(cell)));
        let _ = writeln!(text, "\n{}", table(&HEADER, rows.collect(), style));
    }
    text
}
