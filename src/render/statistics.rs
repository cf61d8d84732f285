//! How many findings there are of each rule and code.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::diagnostic::Severity;
use crate::report::Report;

#[derive(Default)]
struct Counts {
    all: usize,
    shipped: usize,
}

/// One line per rule, code and severity, the most severe and the most frequent first.
pub fn statistics(report: &Report<'_>) -> String {
    let mut counts: BTreeMap<(Severity, String), Counts> = BTreeMap::new();
    for finding in &report.diagnostics {
        let name = format!("{}:{}", finding.rule, finding.code);
        let counts = counts.entry((finding.severity, name)).or_default();
        counts.all += 1;
        counts.shipped += usize::from(finding.shipped.is_some());
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|((severity, _), counts)| (Reverse(*severity), Reverse(counts.all)));
    let width = rows.iter().map(|((_, name), _)| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for ((severity, name), counts) in rows {
        let line = format!("{:>6}  {:<8} {name:<width$}", counts.all, severity.as_str());
        let shipped = match counts.shipped {
            0 => String::new(),
            shipped => format!("  {shipped} about releases that have shipped"),
        };
        let _ = writeln!(text, "{}", format!("{line}{shipped}").trim_end());
    }
    text
}
