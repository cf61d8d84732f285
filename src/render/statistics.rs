//! How many findings there are of each rule and code.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::diagnostic::Severity;
use crate::report::Report;

use super::Style;
use super::columns::{Cell, columns};

#[derive(Default)]
struct Counts {
    all: usize,
    shipped: usize,
}

const HEADER: [&str; 4] = ["RULE", "SEVERITY", "FINDINGS", "ABOUT SHIPPED RELEASES"];

/// One row per rule, code and severity, the most severe and the most frequent first.
pub fn statistics(report: &Report<'_>, style: Style) -> String {
    let mut counts: BTreeMap<(Severity, String), Counts> = BTreeMap::new();
    for finding in &report.diagnostics {
        let name = format!("{}:{}", finding.rule, finding.code);
        let counts = counts.entry((finding.severity, name)).or_default();
        counts.all += 1;
        counts.shipped += usize::from(finding.shipped.is_some());
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    if rows.is_empty() {
        return String::new();
    }
    rows.sort_by_key(|((severity, _), counts)| (Reverse(*severity), Reverse(counts.all)));
    let rows = rows.into_iter().map(|((severity, name), Counts { all, shipped })| {
        let shipped = Some(shipped).filter(|shipped| *shipped > 0);
        let shipped = shipped.map_or_else(String::new, |shipped| format!("{shipped:>8}"));
        [name, severity.to_string(), format!("{all:>8}"), shipped]
            .map(Cell::plain)
            .to_vec()
    });
    columns(&HEADER, &rows.collect::<Vec<_>>(), 0, style)
}
