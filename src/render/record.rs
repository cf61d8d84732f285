//! How a product kept its policy, as tables.

use std::fmt::Write as _;

use serde::Serialize;

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

/// The tallies of one sort, for pages.
#[derive(Serialize)]
pub(super) struct Part<'r> {
    title: &'static str,
    rows: Vec<Row<'r>>,
}

#[derive(Serialize)]
struct Row<'r> {
    name: &'r str,
    counts: [usize; 7],
    percent: usize,
}

/// The tallies of these sorts, without those in which nothing has a name.
pub(super) fn parts<'r>(all: impl IntoIterator<Item = (&'static str, &'r Vec<TallyRow>)>) -> Vec<Part<'r>> {
    let named = all
        .into_iter()
        .filter(|(_, rows)| rows.iter().any(|row| !row.name.is_empty()));
    let parts = named.map(|(title, rows)| Part {
        title,
        rows: rows.iter().map(Row::of).collect(),
    });
    parts.collect()
}

impl<'r> Row<'r> {
    fn of(row: &'r TallyRow) -> Self {
        Self {
            name: &row.name,
            counts: row.tally.columns(),
            percent: row.tally.percent(),
        }
    }
}

/// What broke the policy, and by how much, for pages.
#[derive(Serialize)]
pub(super) struct Breach<'r> {
    #[serde(flatten)]
    judgement: &'r JudgementReport<'r>,
    missed_by: String,
}

impl<'r> Breach<'r> {
    pub(super) fn of(judgement: &'r JudgementReport<'r>) -> Self {
        Self {
            judgement,
            missed_by: judgement.missed_by(),
        }
    }
}
