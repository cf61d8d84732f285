//! Tables for people: each group through the releases, and the plan per element.

use std::fmt::Write as _;

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width, presets};

use crate::grammar::{ElementKind, heading};
use crate::release::DateKind;
use crate::report::{
    ComparisonReport, DecidedBy, ElementReport, ExceptionsReport, GroupReport, Moment, ReleaseReport, Report,
    RuleReport, RulesReport, SeverityReport, State, StatementReport,
};

use super::columns::{Cell, columns, fit};
use super::{Style, one_line, visible, words};

/// The plan: for each group its timeline and its elements, and at the end all other elements.
pub(super) fn plan(report: &Report<'_>, style: Style) -> String {
    let mut text = String::new();
    let mut elements = report.elements.iter().peekable();
    for timeline in report.groups.iter() {
        let title = visible(&timeline.group);
        let _ = writeln!(text, "{title}\n{}\n", group(&timeline, style));
        // Elements are in the order of the groups.
        let own = std::iter::from_fn(|| elements.next_if(|element| heading(element.id).0 == timeline.group));
        let own = element_table(own, |id| heading(id).1, style);
        let _ = writeln!(text, "{title}: elements\n{own}\n");
    }
    for title in ["commands, gates, metrics, behaviors", "others"] {
        let own = std::iter::from_fn(|| {
            elements.next_if(|element| (element.kind.row == ElementKind::Extra) == (title == "others"))
        });
        let mut own = own.peekable();
        if own.peek().is_some() {
            let _ = writeln!(text, "{title}\n{}", element_table(own, |id| id, style));
        }
    }
    text
}

/// One group through the releases.
fn group(group: &GroupReport<'_>, style: Style) -> String {
    let rows = group.releases.iter().map(|row| {
        let release = dated(row.release, row.date, row.date_kind);
        let preferred = visible(row.preferred.unwrap_or(""));
        [release, served(row), preferred, storage(row), notes(row)]
    });
    table(
        &["RELEASE", "SERVED", "PREFERRED", "STORAGE", "NOTES"],
        rows.collect(),
        style,
    )
}

/// The plan per element, ids as `short` has them.
fn element_table<'e>(
    elements: impl Iterator<Item = ElementReport<'e>>,
    short: fn(&str) -> &str,
    style: Style,
) -> String {
    let mut is_marked = false;
    let rows = elements.map(|element| {
        is_marked |= element.due_before_possible;
        [
            visible(short(element.id)),
            element.stability.to_string(),
            event(element.deprecated),
            bound(element.latest_deprecation),
            event(element.removed),
            earliest_removal(&element),
            due(&element),
            element.binding.map_or("", DecidedBy::as_str).to_owned(),
        ]
    });
    let header = [
        "ELEMENT",
        "STABILITY",
        "DEPRECATED",
        "LATEST DEPRECATION",
        "REMOVED",
        "EARLIEST REMOVAL",
        "REMOVAL DUE",
        "DECIDED BY",
    ];
    let rows = rows.collect();
    let mut text = table(&header, rows, style);
    if is_marked {
        let _ = write!(text, "\n{TOO_SOON} {TOO_SOON_MEANS}");
    }
    text
}

/// What marks a removal that is due before it is possible.
pub(super) const TOO_SOON: char = '^';

pub(super) const TOO_SOON_MEANS: &str = "due before it is possible: `lifecycle why` says what it waits for";

/// The release in which a removal is due, marked if the removal is possible only later.
fn due(element: &ElementReport<'_>) -> String {
    let mut due = bound(element.removal_due);
    due.extend(element.due_before_possible.then_some(TOO_SOON));
    due
}

/// The rules of each edition with their findings, the newest first, then the findings outside the rules.
pub fn rules(report: &RulesReport<'_>, style: Style) -> String {
    let mut text = String::new();
    for edition in report.editions.iter().rev() {
        let from = edition
            .from
            .map(|from| format!(", from {}", visible(from)))
            .unwrap_or_default();
        let name = visible(edition.policy);
        let number = Some(edition.edition).filter(|number| !number.is_empty());
        let number = number.map_or_else(String::new, |number| format!(", edition {}", visible(number)));
        let _ = writeln!(text, "{name}{number}{from}");
        let _ = writeln!(text, "{}\n", grades(&edition.rules, style));
    }
    let _ = writeln!(text, "findings outside the rules\n{}", grades(&report.outside, style));
    text
}

fn grades(rules: &[RuleReport<'_>], style: Style) -> String {
    let rows = rules.iter().flat_map(|rule| {
        let findings = rule.findings.iter().map(|finding| {
            let (severity, set_by) = (severity(finding.severity), visible(&finding.set_by));
            [String::new(), String::new(), finding.code.to_owned(), severity, set_by]
        });
        let absent = ["", "", "", "not in force", ""].map(str::to_owned);
        let absent = (!rule.in_force).then_some(absent);
        let mut rows: Vec<[String; 5]> = absent.into_iter().chain(findings).collect();
        // A rule is named in its first row only.
        if let Some([name, number, ..]) = rows.first_mut() {
            rule.rule.clone_into(name);
            *number = rule
                .number
                .map(|number| format!("#{}", visible(number)))
                .unwrap_or_default();
        }
        rows
    });
    table(
        &["RULE", "NUMBER", "FINDING", "SEVERITY", "SET BY"],
        rows.collect(),
        style,
    )
}

/// One word if the severity is the same for all.
fn severity(levels: SeverityReport) -> String {
    let SeverityReport { alpha, beta, ga } = levels;
    if alpha == beta && beta == ga {
        ga.to_string()
    } else {
        format!("GA {ga}, beta {beta}, alpha {alpha}")
    }
}

/// The exceptions.
pub fn exceptions(report: &ExceptionsReport<'_>, style: Style) -> String {
    if report.exceptions.is_empty() {
        return "no exceptions\n".to_owned();
    }
    let rows = report.exceptions.iter().map(|exception| {
        let place = match (&exception.file, exception.line) {
            (Some(file), Some(line)) => format!("{}:{line}", one_line(file)),
            _ => String::new(),
        };
        [
            visible(exception.element),
            visible(&exception.violation()),
            exception.state.as_str().to_owned(),
            bound(exception.until),
            visible(exception.approved_by),
            visible(exception.reason),
            place,
        ]
    });
    let header = [
        "ELEMENT",
        "RULE",
        "STATE",
        "UNTIL",
        "APPROVED BY",
        "REASON",
        "DECLARED AT",
    ];
    format!("{}\n", table(&header, rows.collect(), style))
}

/// The differences between two sources, one row each.
pub fn comparison(report: &ComparisonReport, style: Style) -> String {
    if report.differences.is_empty() {
        return "no differences\n".to_owned();
    }
    let rows = report.differences.iter().map(|difference| {
        [
            visible(&difference.element),
            difference.what.to_string(),
            value(&difference.here),
            value(&difference.there),
            difference
                .reason
                .as_ref()
                .map(|reason| visible(&reason.text))
                .unwrap_or_default(),
        ]
    });
    let [here, there] = report.titles().map(visible);
    format!(
        "{}\n",
        table(
            &["ELEMENT", "ATTRIBUTE", &here, &there, "REASON"],
            rows.collect(),
            style
        )
    )
}

fn value(statement: &StatementReport) -> String {
    statement.says.as_deref().map_or_else(|| "-".to_owned(), visible)
}

/// The most rows that are laid out together: each takes kilobytes then. More rows follow below another header.
const MOST_ROWS: usize = 10_000;

/// A table that fits the width without breaking its first column; if none does, columns without lines between them.
pub(super) fn table<const COLUMNS: usize>(
    header: &[&str; COLUMNS],
    rows: Vec<[String; COLUMNS]>,
    style: Style,
) -> String {
    if !fits(header, &rows, style) {
        return without_lines(header, &rows, style);
    }
    let longest = longest_words(header, &rows);
    let mut parts = Vec::new();
    let mut rows = rows.into_iter().peekable();
    while parts.is_empty() || rows.peek().is_some() {
        parts.push(part(header, longest, rows.by_ref().take(MOST_ROWS), style));
    }
    parts.join("\n")
}

/// Whether a table fits the width without breaking its first column.
pub(super) fn fits<const COLUMNS: usize>(header: &[&str; COLUMNS], rows: &[[String; COLUMNS]], style: Style) -> bool {
    // A column is as wide as its longest word, two spaces and a line.
    let least: usize = longest_words(header, rows).iter().map(|width| width + 3).sum::<usize>() + 1;
    least <= usize::from(style.width) && is_readable(header, rows, style)
}

fn longest_words<const COLUMNS: usize>(header: &[&str; COLUMNS], rows: &[[String; COLUMNS]]) -> [usize; COLUMNS] {
    std::array::from_fn(|column| {
        let cells = rows.iter().map(|row| row[column].as_str()).chain([header[column]]);
        cells.map(|cell| longest_word(cell, column == 0)).max().unwrap_or(0)
    })
}

/// Whether no cell is squeezed into a high one. Lines take more room than the gaps of columns without them.
fn is_readable<const COLUMNS: usize>(header: &[&str; COLUMNS], rows: &[[String; COLUMNS]], style: Style) -> bool {
    style.width == u16::MAX || fit(header, &cells(rows), COLUMNS + 3, style)
}

/// A table of some rows, for columns with so long words.
fn part<const COLUMNS: usize>(
    header: &[&str; COLUMNS],
    longest: [usize; COLUMNS],
    rows: impl Iterator<Item = [String; COLUMNS]>,
    style: Style,
) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_FULL_CONDENSED)
        .set_header(header.iter().copied());
    if style.width == u16::MAX {
        table.set_content_arrangement(ContentArrangement::Disabled);
    } else {
        let words = longest.map(|width| u16::try_from(width + 2).unwrap_or(u16::MAX));
        table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(style.width)
            .set_constraints(
                words
                    .into_iter()
                    .map(|width| ColumnConstraint::LowerBoundary(Width::Fixed(width))),
            );
    }
    table.add_rows(rows);
    table.trim_fmt()
}

/// The width of the longest part of a cell that is not broken.
fn longest_word(cell: &str, whole: bool) -> usize {
    if whole {
        return cell.chars().count();
    }
    let words = cell.split_whitespace().map(|word| word.chars().count());
    words.max().unwrap_or(0)
}

/// Columns without lines between them, which need less room.
fn without_lines<const COLUMNS: usize>(header: &[&str; COLUMNS], rows: &[[String; COLUMNS]], style: Style) -> String {
    let text = columns(header, &cells(rows), 0, style);
    text.trim_end().to_owned()
}

fn cells<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> Vec<Vec<Cell>> {
    let rows = rows.iter().map(|row| row.iter().map(Cell::plain).collect());
    rows.collect()
}

/// A release for a cell of a table, which has no room for the word *projected*.
pub(super) fn dated(release: &str, date: Option<&str>, kind: DateKind) -> String {
    match (date, kind) {
        (Some(date), DateKind::Projected) => format!("{release} (~{date})"),
        (Some(date), DateKind::Actual | DateKind::Announced | DateKind::Symbolic) => format!("{release} ({date})"),
        (None, _) => release.to_owned(),
    }
}

pub(super) fn served(row: &ReleaseReport<'_>) -> String {
    let versions = row.versions.iter().map(|version| match version.state {
        State::Deprecated => format!("{} (deprecated)", visible(version.version)),
        State::Tolerated | State::Served | State::Hidden | State::Removed => visible(version.version),
    });
    versions.collect::<Vec<_>>().join(", ")
}

/// The storage version of most kinds, and the kinds that differ.
pub(super) fn storage(row: &ReleaseReport<'_>) -> String {
    let stored = row.kinds.iter().filter_map(|kind| Some((kind.kind, kind.storage?)));
    let stored: Vec<(&str, &str)> = stored.collect();
    let Some(common) = row.storage.or(row.preferred) else {
        return String::new();
    };
    let differing: Vec<String> = stored
        .iter()
        .filter(|(_, version)| *version != common)
        .map(|(kind, version)| format!("{}: {version}", visible(kind)))
        .collect();
    match differing.len() {
        0 => common.to_owned(),
        n if n == stored.len() => differing.join(", "),
        _ => format!("{common} ({})", differing.join(", ")),
    }
}

pub(super) fn notes(row: &ReleaseReport<'_>) -> String {
    let notes = row.notes.iter().map(|note| {
        let mark = if note.declared { "" } else { " (planned)" };
        format!("{}{mark}", visible(&note.text))
    });
    notes.collect::<Vec<_>>().join("\n")
}

/// The release of an event, marked if it is planned.
fn event(moment: Option<Moment<'_>>) -> String {
    match moment {
        Some(Moment {
            release,
            declared: Some(false),
            ..
        }) => format!("{release} (planned)"),
        Some(Moment { release, .. }) => release.to_owned(),
        None => String::new(),
    }
}

/// The release of a bound with its date.
pub(super) fn bound(moment: Option<Moment<'_>>) -> String {
    match moment {
        Some(moment) if moment.at_least => format!("{} or later", moment.release),
        Some(moment) => dated(moment.release, moment.date, moment.date_kind),
        None => String::new(),
    }
}

pub(super) fn in_sentence(moment: Option<Moment<'_>>) -> String {
    moment.as_ref().map(words::moment).unwrap_or_default()
}

fn earliest_removal(element: &ElementReport<'_>) -> String {
    match &element.never_before_major {
        Some(name) => words::major(name),
        None => match &element.if_deprecated {
            Some(then) => {
                let removal = bound(Some(then.earliest_removal));
                format!("{removal}, if deprecated in {}", then.deprecated.release)
            }
            _ if element.earliest_removal.is_none() && element.binding.is_some() => "not yet known".to_owned(),
            _ => match element.custom_removal {
                Some(custom) => format!("{}, by custom {}", bound(element.earliest_removal), custom.release),
                None => bound(element.earliest_removal),
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_beside_a_long_word_is_not_squeezed() {
        let sentence = "the rule tightened ".repeat(12);
        let path = "config/crd/bases/example.com_widgets.yaml:125";
        let rows = |change: &str| vec![["error", change, path].map(str::to_owned)];
        let style = Style {
            width: 80,
            color: false,
        };
        let header = ["SEVERITY", "CHANGE", "WHERE"];
        assert!(table(&header, rows("field removed"), style).contains('│'));
        let text = table(&header, rows(&sentence), style);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].starts_with("  change: the rule tightened"), "{text}");
        assert!(
            lines.iter().all(|line| line.chars().count() <= 80) && lines.len() < 8,
            "{text}"
        );
    }
}
