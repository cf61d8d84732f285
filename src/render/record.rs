//! How a product kept its policy, as tables.

use std::fmt::Write as _;

use serde::Serialize;

use crate::report::{JudgementReport, RecordReport, Tally, TallyRow};

use super::columns::{Cell, columns};
use super::table::bound;
use super::wrap::wrapped;
use super::{Style, visible};

/// How many breaches are listed unless all are.
const WORST: usize = 10;

/// The record: how much of it was kept, what broke the policy, the worst first, and the tally by rule, owner, year and
/// release. Unless `all` is wanted, the worst ten only, and no release in which all was kept.
pub fn record(report: &RecordReport<'_>, all: bool, style: Style) -> String {
    if report.total.judged + report.total.discouraged == 0 {
        return "nothing to judge: no event that the policy bounds has shipped or was due\n".to_owned();
    }
    let mut text = String::new();
    for line in wrapped(&format!("kept: {}", summary(report)), usize::from(style.width)) {
        let _ = writeln!(text, "{line}");
    }
    let worst = worst(report, all);
    if !worst.is_empty() {
        let _ = write!(text, "\n{}\n{}", heading(report, &worst), breaches(&worst, style));
    }
    for part in parts(sections(report), all) {
        let _ = write!(text, "\n{}", tallies(&part, style));
    }
    text
}

/// How much of it was kept, in a sentence.
pub(super) fn summary(report: &RecordReport<'_>) -> String {
    let Tally { judged, kept, .. } = report.total;
    let share = match judged {
        0 => "no event to judge: the policy binds none that has shipped or was due".to_owned(),
        1 => format!("{kept} of 1 event ({} %)", report.total.percent()),
        _ => format!("{kept} of {judged} events ({} %)", report.total.percent()),
    };
    let meaning = match report.total.discouraged {
        0 => "",
        _ => " (the policy warns of it, and does not forbid it)",
    };
    match report.total.unkept() {
        unkept if unkept.is_empty() => share,
        unkept => format!("{share}; {unkept}{meaning}"),
    }
}

/// What broke the policy, the worst first.
pub(super) fn worst<'r, 'a>(report: &'r RecordReport<'a>, all: bool) -> Vec<&'r JudgementReport<'a>> {
    let mut worst = report.worst();
    worst.truncate(if all { usize::MAX } else { WORST });
    worst
}

fn heading(report: &RecordReport<'_>, shown: &[&JudgementReport<'_>]) -> String {
    match report.total.broken() {
        broken if broken == shown.len() => "broken, the worst first".to_owned(),
        broken => format!("broken, the worst {} of {broken} (--all lists them)", shown.len()),
    }
}

/// The tallies in the order in which they are shown.
pub(super) fn sections<'r>(report: &'r RecordReport<'_>) -> [(&'static str, &'r [TallyRow]); 4] {
    [
        ("rule", &report.rules),
        ("owner", &report.owners),
        ("year", &report.years),
        (RELEASE, &report.releases),
    ]
}

fn tallies(part: &Part<'_>, style: Style) -> String {
    let rows = part.rows.iter().map(|row| {
        let name = if row.name.is_empty() { "–" } else { row.name };
        let [judged, kept, ..] = row.counts.map(|count| count.to_string());
        let percent = if row.counts[0] == 0 {
            String::new()
        } else {
            format!("{} %", row.percent)
        };
        let cells = [visible(name), judged, kept, percent, row.unkept.clone()];
        cells.map(Cell::plain).to_vec()
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    let title = part.title.to_uppercase();
    let header = [title.as_str(), "JUDGED", "KEPT", "SHARE", "OTHERS"];
    let table = if rows.is_empty() {
        String::new()
    } else {
        columns(&header, &rows, 0, style)
    };
    match part.without_breach {
        0 => table,
        1 => format!("{table}all was kept in 1 {} (--all lists it)\n", part.title),
        without => format!("{table}all was kept in {without} {}s (--all lists them)\n", part.title),
    }
}

fn breaches(worst: &[&JudgementReport<'_>], style: Style) -> String {
    let rows = worst.iter().map(|judgement| {
        [
            visible(judgement.element),
            format!("{} {}", judgement.event.as_str(), judgement.verdict.as_str()),
            judgement
                .release
                .map_or_else(|| "not yet".to_owned(), |release| bound(Some(release))),
            bound(judgement.bound),
            judgement.missed_by(),
            judgement.rule.to_owned(),
        ]
        .map(Cell::plain)
        .to_vec()
    });
    let header = ["ELEMENT", "EVENT", "RELEASE", "LEGAL OR DUE", "MISSED BY", "RULE"];
    columns(&header, &rows.collect::<Vec<_>>(), 0, style)
}

/// The tallies of one sort.
#[derive(Serialize)]
pub(super) struct Part<'r> {
    title: &'static str,
    rows: Vec<Row<'r>>,
    /// How many releases are left out, because all was kept in them.
    without_breach: usize,
}

#[derive(Serialize)]
struct Row<'r> {
    name: &'r str,
    counts: [usize; 7],
    percent: usize,
    unkept: String,
}

const RELEASE: &str = "release";

/// The tallies of these sorts, without those in which nothing has a name. Unless `all` are wanted, without the releases
/// in which all was kept.
pub(super) fn parts<'r>(
    sections: impl IntoIterator<Item = (&'static str, &'r [TallyRow])>,
    all: bool,
) -> Vec<Part<'r>> {
    let named = sections
        .into_iter()
        .filter(|(_, rows)| rows.iter().any(|row| !row.name.is_empty()));
    named.map(|(title, rows)| Part::of(title, rows, all)).collect()
}

impl<'r> Part<'r> {
    fn of(title: &'static str, rows: &'r [TallyRow], all: bool) -> Self {
        let shown = rows
            .iter()
            .filter(|row| all || title != RELEASE || row.tally.kept < row.tally.judged || row.tally.discouraged > 0);
        let shown: Vec<Row<'r>> = shown.map(Row::of).collect();
        Self {
            title,
            without_breach: rows.len() - shown.len(),
            rows: shown,
        }
    }
}

impl<'r> Row<'r> {
    fn of(row: &'r TallyRow) -> Self {
        Self {
            name: &row.name,
            counts: row.tally.columns(),
            percent: row.tally.percent(),
            unkept: row.tally.unkept(),
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
