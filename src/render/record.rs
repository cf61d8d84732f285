//! How a product kept its policy, as tables.

use std::fmt::Write as _;

use crate::report::{JudgementReport, RecordReport, Tally, TallyRow};

use super::table::{bound, table};
use super::{Style, visible};

/// How many breaches are listed unless all are.
pub const WORST: usize = 10;

const COUNTS: [&str; 8] = [
    "JUDGED",
    "KEPT",
    "EARLY",
    "UNANNOUNCED",
    "LATE",
    "WRONG RELEASE",
    "EXCEPTED",
    "KEPT %",
];

/// The record: the tally by rule, owner, release and year, and what broke the policy, the worst first.
pub fn record(report: &RecordReport<'_>, most: usize, style: Style) -> String {
    if report.total.judged == 0 {
        return "nothing to judge: no event that the policy bounds has shipped or was due\n".to_owned();
    }
    let total = TallyRow::new("all", report.total);
    let mut text = tallies("RULE", report.rules.iter().chain([&total]), style);
    let owners = report.owners.iter().any(|row| !row.name.is_empty());
    for (what, rows, is_shown) in [
        ("OWNER", &report.owners, owners),
        ("RELEASE", &report.releases, true),
        ("YEAR", &report.years, report.years.len() > 1),
    ] {
        if is_shown {
            let _ = write!(text, "\n{}", tallies(what, rows.iter(), style));
        }
    }
    let worst = report.worst();
    if !worst.is_empty() {
        let shown = worst.len().min(most);
        let _ = write!(
            text,
            "\nbroken: {shown} of {}, the worst first\n{}",
            worst.len(),
            breaches(&worst[..shown], style)
        );
    }
    text
}

fn tallies<'r>(what: &str, rows: impl Iterator<Item = &'r TallyRow>, style: Style) -> String {
    let rows = rows.map(|row| {
        let name = if row.name.is_empty() { "–" } else { &row.name };
        let [judged, kept, early, unannounced, late, wrong, excepted] = row.tally.columns().map(count);
        [
            visible(name),
            judged,
            kept,
            early,
            unannounced,
            late,
            wrong,
            excepted,
            row.tally.percent().to_string(),
        ]
    });
    let [judged, kept, early, unannounced, late, wrong, excepted, percent] = COUNTS;
    let header = [what, judged, kept, early, unannounced, late, wrong, excepted, percent];
    format!("{}\n", table(&header, rows.collect(), style))
}

/// Nothing for none: what happened stands out.
fn count(count: usize) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

fn breaches(worst: &[&JudgementReport<'_>], style: Style) -> String {
    let rows = worst.iter().map(|judgement| {
        [
            visible(judgement.element),
            judgement.event.as_str().to_owned(),
            judgement
                .release
                .map_or_else(|| "not yet".to_owned(), |release| bound(Some(release))),
            judgement.verdict.as_str().to_owned(),
            bound(judgement.bound),
            judgement.missed_by(),
            judgement.rule.to_owned(),
        ]
    });
    let header = [
        "ELEMENT",
        "EVENT",
        "RELEASE",
        "VERDICT",
        "LEGAL OR DUE",
        "MISSED BY",
        "RULE",
    ];
    format!("{}\n", table(&header, rows.collect(), style))
}

impl TallyRow {
    fn new(name: &str, tally: Tally) -> Self {
        let name = name.to_owned();
        Self { name, tally }
    }
}
