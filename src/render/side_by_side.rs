//! What several changes move, side by side, for the terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::release::DateKind;
use crate::report::{
    ElementsBelow, Moment, Movement, NewMoment, SharedEvent, SharedFinding, SharedRelease, SideBySideReport,
};

use super::below::names;
use super::columns::{Cell, Paint, columns};
use super::what_if::{counts, missed_lines};
use super::wrap::{hanging, readable};
use super::{Style, visible};

/// Of more elements that move alike, the first are named.
const MOST_NAMES: usize = 8;

/// Of more rows of a section, the first are listed.
const MOST_ROWS: usize = 30;

/// The letter of an alternative: A for the first one.
pub(super) fn letter(at: usize) -> String {
    let letter = u8::try_from(at).ok().and_then(|at| b'A'.checked_add(at));
    match letter.filter(u8::is_ascii_uppercase) {
        Some(letter) => char::from(letter).to_string(),
        None => format!("#{}", at + 1),
    }
}

/// What each change is, and how much it moves; then what becomes illegal, and what moves, with a column for each.
pub fn side_by_side(report: &SideBySideReport<'_>, style: Style) -> String {
    let style = readable(style);
    let mut text = String::new();
    for (at, one) in report.alternatives.iter().enumerate() {
        let changes = visible(&one.changes.join(", "));
        let changes = if changes.is_empty() {
            "nothing".to_owned()
        } else {
            changes
        };
        hanging(
            &format!("{}  {changes}", letter(at)),
            usize::from(style.width),
            3,
            &mut text,
        );
        hanging(&format!("   {}", counts(one)), usize::from(style.width), 3, &mut text);
    }
    illegal(&mut text, &report.illegal, style);
    missed(&mut text, report, style);
    releases(&mut text, report, style);
    events(&mut text, report, style);
    text
}

fn section(text: &mut String, title: &str, paint: Paint, style: Style) {
    let _ = writeln!(text, "\n{}", paint.over(title, style));
}

fn illegal(text: &mut String, findings: &[SharedFinding], style: Style) {
    if findings.is_empty() {
        return;
    }
    section(text, "Becomes illegal", Paint::Alarm, style);
    for finding in findings.iter().take(MOST_ROWS) {
        let marks = marks(&finding.messages);
        let message = finding.messages.iter().flatten().next();
        let message = visible(message.map_or("", String::as_str));
        let line = format!("  {marks}  {}: {}: {message}", finding.rule, finding.code);
        hanging(&line, usize::from(style.width), 4 + marks.chars().count(), text);
    }
    more(text, findings.len());
}

fn missed(text: &mut String, report: &SideBySideReport<'_>, style: Style) {
    let lines = missed_by(report);
    if lines.is_empty() {
        return;
    }
    section(text, "Misses what was announced", Paint::Alarm, style);
    for (marks, line) in lines.iter().take(MOST_ROWS) {
        let line = format!("  {marks}  {line}");
        hanging(&line, usize::from(style.width), 4 + marks.chars().count(), text);
    }
    more(text, lines.len());
}

/// The announcements that no longer hold, each with the letters of the changes that miss it.
pub(super) fn missed_by(report: &SideBySideReport<'_>) -> Vec<(String, String)> {
    let mut lines: BTreeMap<String, Vec<Option<()>>> = BTreeMap::new();
    for (at, one) in report.alternatives.iter().enumerate() {
        for line in missed_lines(&one.missed) {
            let by = lines
                .entry(line)
                .or_insert_with(|| vec![None; report.alternatives.len()]);
            by[at] = Some(());
        }
    }
    lines.into_iter().map(|(line, by)| (marks(&by), line)).collect()
}

fn more(text: &mut String, count: usize) {
    if let Some(more) = count.checked_sub(MOST_ROWS + 1) {
        let _ = writeln!(text, "  and {} more; --format json lists them", more + 1);
    }
}

/// The letters of the alternatives that have something: "A B".
pub(super) fn marks<T>(all: &[Option<T>]) -> String {
    let own = all.iter().enumerate();
    let own = own.map(|(at, own)| match own {
        Some(_) => letter(at),
        None => " ".repeat(letter(at).len()),
    });
    own.collect::<Vec<_>>().join(" ")
}

fn releases(text: &mut String, report: &SideBySideReport<'_>, style: Style) {
    if report.releases.is_empty() {
        return;
    }
    section(text, "Releases", Paint::Heading, style);
    let letters: Vec<String> = (0..report.alternatives.len()).map(letter).collect();
    let header = ["RELEASE", "NOW"].into_iter().chain(letters.iter().map(String::as_str));
    let header: Vec<&str> = header.collect();
    let rows = report.releases.iter().take(MOST_ROWS).map(cells);
    let rows: Vec<Vec<Cell>> = rows.map(|row| row.into_iter().map(Cell::plain).collect()).collect();
    text.push_str(&columns(&header, &rows, 2, style));
    more(text, report.releases.len());
}

/// A release, its day, and the day that each change moves it to.
pub(super) fn cells(moved: &SharedRelease<'_>) -> Vec<String> {
    let now = moved.from.map(|from| (from.date, from.date_kind));
    let to = moved.to.iter().map(|to| match to {
        Some(to) if to.change == Movement::Removed => "not listed".to_owned(),
        Some(to) => day(to.date, to.date_kind),
        None => String::new(),
    });
    let now = now.map_or_else(|| "not listed".to_owned(), |(date, kind)| day(date, Some(kind)));
    [moved.release.to_owned(), now].into_iter().chain(to).collect()
}

/// A day, marked where it is projected.
fn day(date: Option<&str>, kind: Option<DateKind>) -> String {
    let mark = if kind == Some(DateKind::Projected) { "~" } else { "" };
    date.map_or_else(|| "no date".to_owned(), |date| format!("{mark}{date}"))
}

/// The elements that move alike with every change, by the words for it. A part that moves with its whole is left out.
pub(super) fn alike<'r>(report: &'r SideBySideReport<'_>) -> Vec<(String, Vec<&'r str>)> {
    let mut positions: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for moved in report.events.iter().filter(|moved| moved.with.is_none()) {
        let head = head(moved);
        let at = *positions.entry(head.clone()).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, ids)) => ids.push(moved.element),
            None => groups.push((head, vec![moved.element])),
        }
    }
    groups
}

fn events(text: &mut String, report: &SideBySideReport<'_>, style: Style) {
    let groups = alike(report);
    if groups.is_empty() {
        return;
    }
    section(text, "Events", Paint::Heading, style);
    for (head, ids) in groups.iter().take(MOST_ROWS) {
        let below = ElementsBelow::gathered(ids.iter().take(MOST_NAMES).copied());
        let rest = match ids.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        hanging(
            &format!("  {head}: {}{rest}", names(&below)),
            usize::from(style.width),
            6,
            text,
        );
    }
    more(text, groups.len());
}

/// "removed 1.36 (planned) → A 1.37, B unchanged".
fn head(moved: &SharedEvent<'_>) -> String {
    let to = moved.to.iter().enumerate();
    let to = to.map(|(at, to)| format!("{} {}", letter(at), new(to.as_ref())));
    let to = to.collect::<Vec<_>>().join(", ");
    match moved.from {
        Some(from) => format!("{} {} → {to}", moved.event.as_str(), before(from)),
        None => format!("{} {to}", moved.event.as_str()),
    }
}

fn before(moment: Moment<'_>) -> String {
    planned(moment.release, moment.declared)
}

fn new(to: Option<&NewMoment<'_>>) -> String {
    match to {
        None => "unchanged".to_owned(),
        Some(to) => to
            .release
            .map_or_else(|| "never".to_owned(), |release| planned(release, to.declared)),
    }
}

fn planned(release: &str, declared: Option<bool>) -> String {
    match declared {
        Some(false) => format!("{release} (planned)"),
        _ => release.to_owned(),
    }
}
