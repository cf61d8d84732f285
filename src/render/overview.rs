//! The plan at a glance, for the terminal.

use std::fmt::Write as _;

use crate::release::DateKind;
use crate::report::{
    AgendaItem, AgendaReport, DecidedBy, GroupOverview, Moment, OverviewReport, OverviewRow, ReleaseSpan, State, Turn,
};

use super::below::{by_version, inside};
use super::columns::{Cell, Paint, columns, fit, heading};
use super::table::{TOO_SOON, TOO_SOON_MEANS, notes, served, storage};
use super::wrap::{hanging, longest_word, readable, wrapped};
use super::{Style, visible, words};

/// Of so many elements below one heading, the agenda of an overview gives the number only.
const MANY: usize = 4;

/// Lists of more lines have the whole width from their second line on.
const MOST_BESIDE: usize = 3;

/// The overview, and how to read it.
pub(super) fn overview(report: &OverviewReport<'_>, style: Style) -> String {
    let mut text = String::new();
    let style = readable(style);
    head(&mut text, report, style);
    let folds = !report.groups.is_empty();
    for turn in &report.agenda {
        agenda(&mut text, turn, folds, style);
    }
    let (whole, left): (Vec<_>, Vec<_>) = report.groups.iter().partition(|group| group.whole);
    served_from_now(&mut text, &left, style);
    elements_left(&mut text, &report.check, &left, style);
    for group in whole {
        one_group(&mut text, &report.check, group, style);
    }
    foot(&mut text, report, style);
    // Parts begin with an empty line, and the head may be missing.
    text.trim_start_matches('\n').to_owned()
}

/// Which release is current, and the dates of those that are named below.
fn head(text: &mut String, report: &OverviewReport<'_>, style: Style) {
    let Some(current) = &report.current else { return };
    let mut line = format!("Current release: {}.", dated(current));
    if !report.dates.is_empty() {
        let dates: Vec<String> = report.dates.iter().map(dated).collect();
        let _ = write!(line, " Later: {}", dates.join(", "));
        let is_projected = report.dates.iter().any(|date| date.date_kind == DateKind::Projected);
        line.push_str(if is_projected { "; ~ is projected." } else { "." });
    }
    paragraph(text, &line, 0, style);
}

fn dated(moment: &Moment<'_>) -> String {
    super::table::dated(moment.release, moment.date, moment.date_kind)
}

fn paragraph(text: &mut String, line: &str, indent: usize, style: Style) {
    for part in wrapped(line, usize::from(style.width).saturating_sub(indent)) {
        let _ = writeln!(text, "{:indent$}{part}", "");
    }
}

fn agenda(text: &mut String, turn: &AgendaReport<'_>, fold: bool, style: Style) {
    let title = match (turn.release, turn.turn) {
        (None, _) => "Overdue".to_owned(),
        (Some(release), Turn::Current) => format!("In {}, the current release", release.release),
        (Some(release), Turn::Next) => format!("In {}, the next release", release.release),
        (Some(release), Turn::Earlier | Turn::Later) => format!("In {}", release.release),
    };
    let paint = if turn.release.is_none() {
        Paint::Alarm
    } else {
        Paint::Heading
    };
    let _ = writeln!(text, "\n{}", paint.over(&title, style));
    let widest = turn
        .items
        .iter()
        .map(|item| item.what.chars().count())
        .max()
        .unwrap_or(0);
    for item in &turn.items {
        one_item(text, item, widest, fold, style);
    }
}

fn one_item(text: &mut String, item: &AgendaItem<'_>, widest: usize, folds: bool, style: Style) {
    let most = if folds || item.is_offer { MANY } else { usize::MAX };
    let elements = item.elements.iter().map(|below| match below.names.len() {
        many if many > most => below.count(),
        _ => below.in_full(),
    });
    let elements = elements.collect::<Vec<_>>().join("; ");
    let hint = item.is_offer && item.elements.iter().any(|below| below.names.len() > most);
    let hint = hint.then(|| "named by --state removable".to_owned());
    let line = match item.detail.as_ref().or(hint.as_ref()) {
        Some(detail) => format!("{elements} ({detail})"),
        None => elements,
    };
    let line = visible(&line);
    let width = usize::from(style.width);
    let lines = wrapped(&line, width.saturating_sub(widest + 4));
    if widest + 4 + longest_word(&line) > width || lines.len() > MOST_BESIDE {
        hanging(&format!("  {:widest$}  {line}", item.what), width, 4, text);
        return;
    }
    for (at, part) in lines.iter().enumerate() {
        let what = if at == 0 { item.what.as_str() } else { "" };
        let _ = writeln!(text, "  {what:widest$}  {part}");
    }
}

/// What each group serves from the current release on, where that changes.
fn served_from_now(text: &mut String, groups: &[&GroupOverview<'_>], style: Style) {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for group in groups.iter().filter(|group| group.timeline.len() > 1) {
        let mut before: Option<&ReleaseSpan<'_>> = None;
        for span in &group.timeline {
            let name = before.map_or_else(|| visible(group.group), |_| String::new());
            let mut row = vec![Cell::plain(name)];
            row.extend(timeline_row(span, false));
            // The preferred version is shown where it changes.
            if before.is_none_or(|before| before.first.preferred == span.first.preferred) {
                row[3] = Cell::plain("");
            }
            rows.push(row);
            before = Some(span);
        }
    }
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", Paint::Heading.over("What is served", style));
    text.push_str(&columns(&["GROUP", "RELEASES", "SERVED", "PREFERRED"], &rows, 2, style));
}

/// The elements of all groups of which something is left to do.
fn elements_left(text: &mut String, check: &str, groups: &[&GroupOverview<'_>], style: Style) {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for group in groups {
        rows.push(vec![heading(&visible(group.group))]);
        rows.extend(group.rows.iter().map(element_row));
    }
    if !rows.is_empty() {
        let _ = writeln!(text, "\n{}", Paint::Heading.over("What is left to do", style));
        text.push_str(&elements(rows, style));
        marks(text, check, groups.iter().flat_map(|group| &group.rows), style);
    }
}

/// Explains the marks that are used.
fn marks<'r, 'a: 'r>(
    text: &mut String,
    check: &str,
    rows: impl Iterator<Item = &'r OverviewRow<'a>> + Clone,
    style: Style,
) {
    let mut events = rows
        .clone()
        .flat_map(|row| [row.element.deprecated, row.element.hidden, row.element.removed]);
    if events.any(|event| event.is_some_and(|event| event.declared == Some(false))) {
        let _ = writeln!(text, "  {PLANNED} planned, not declared");
    }
    if rows.clone().any(|row| row.element.due_before_possible) {
        let _ = writeln!(text, "  {TOO_SOON} {TOO_SOON_MEANS}");
    }
    let mut findings = rows.map(|row| row.findings);
    if findings.any(|findings| findings != (0, 0)) {
        let line = format!("  {FOUND} breaks the policy: `{check}` says how");
        hanging(&line, usize::from(style.width), 4, text);
    }
}

/// What marks a planned event.
const PLANNED: char = '*';

/// What marks an element with errors or warnings.
const FOUND: char = '!';

const ELEMENT_HEADER: [&str; 10] = [
    "ELEMENT",
    "STATE",
    "DEPRECATED",
    "LATEST DEPRECATION",
    "HIDDEN",
    "EARLIEST REMOVAL",
    "BY CUSTOM",
    "REMOVAL DUE",
    "REMOVED",
    "DECIDED BY",
];

/// Rows of elements. Where they do not fit, the last column is left out: `lifecycle why` says what decides.
fn elements(mut rows: Vec<Vec<Cell>>, style: Style) -> String {
    let mut header = ELEMENT_HEADER.as_slice();
    if let [others @ .., _] = header
        && !fit(header, &rows, 2, style)
    {
        header = others;
        for row in &mut rows {
            row.truncate(header.len());
        }
    }
    columns(header, &rows, 2, style)
}

fn one_group(text: &mut String, check: &str, group: &GroupOverview<'_>, style: Style) {
    let _ = writeln!(text, "\n{}", Paint::Heading.over(&visible(group.group), style));
    if !group.timeline.is_empty() {
        let rows: Vec<Vec<Cell>> = group.timeline.iter().map(|span| timeline_row(span, true)).collect();
        let header = ["RELEASES", "SERVED", "PREFERRED", "STORAGE", "NOTES"];
        text.push_str(&columns(&header, &rows, 2, style));
    }
    let rows: Vec<Vec<Cell>> = group.rows.iter().map(element_row).collect();
    text.push_str(&elements(rows, style));
    marks(text, check, group.rows.iter(), style);
}

fn timeline_row(span: &ReleaseSpan<'_>, with_notes: bool) -> Vec<Cell> {
    let first = &span.first;
    let releases = match (span.last, span.open) {
        (_, true) => format!("{} –", first.release),
        (Some(last), false) => format!("{} – {last}", first.release),
        (None, false) => first.release.to_owned(),
    };
    let served = match served(first) {
        none if none.is_empty() => "nothing".to_owned(),
        versions => versions,
    };
    let mut cells = vec![releases, served, visible(first.preferred.unwrap_or_default())];
    if with_notes {
        cells.extend([storage(first), notes(first)]);
    }
    cells.into_iter().map(Cell::plain).collect()
}

fn element_row(row: &OverviewRow<'_>) -> Vec<Cell> {
    let element = &row.element;
    let paint = match row.state {
        _ if row.overdue => Paint::Alarm,
        Some(State::Deprecated | State::Hidden) => Paint::Caution,
        Some(State::Removed) => Paint::Faint,
        Some(State::Served | State::Tolerated) | None => Paint::Plain,
    };
    let state = match row.state {
        _ if row.overdue => "overdue".to_owned(),
        Some(state) => state.to_string(),
        None => String::new(),
    };
    let pending = element
        .latest_deprecation
        .filter(|_| element.deprecated.is_none_or(|event| event.declared == Some(false)));
    let cells = [
        event(row.deprecated),
        bound(pending),
        event(element.hidden),
        earliest(row),
        bound(element.custom_removal),
        due(row),
        event(element.removed),
        row.binding.map_or("", DecidedBy::as_str).to_owned(),
    ];
    let mut all = vec![
        Cell {
            text: marked(row),
            paint,
        },
        Cell { text: state, paint },
    ];
    all.extend(cells.map(Cell::plain));
    all
}

/// The names of a row, marked if there are findings about them.
fn marked(row: &OverviewRow<'_>) -> String {
    let names = visible(&by_version(&row.names).join(", "));
    match row.findings {
        (0, 0) => names,
        _ => format!("{names} {FOUND}"),
    }
}

/// The release of an event, marked if it is planned.
fn event(moment: Option<Moment<'_>>) -> String {
    match moment {
        Some(moment) if moment.declared == Some(false) => format!("{}{PLANNED}", moment.release),
        Some(moment) => moment.release.to_owned(),
        None => String::new(),
    }
}

fn bound(moment: Option<Moment<'_>>) -> String {
    match moment {
        Some(moment) if moment.at_least => format!("{} or later", moment.release),
        Some(moment) => moment.release.to_owned(),
        None => String::new(),
    }
}

fn due(row: &OverviewRow<'_>) -> String {
    let mut due = bound(row.element.removal_due);
    due.extend(row.element.due_before_possible.then_some(TOO_SOON));
    due
}

fn earliest(row: &OverviewRow<'_>) -> String {
    let element = &row.element;
    match (&element.never_before_major, element.if_deprecated) {
        (Some(name), _) => words::major(name),
        (None, Some(then)) => {
            format!(
                "{}, if deprecated in {}",
                then.earliest_removal.release, then.deprecated.release
            )
        }
        (None, None) => bound(element.earliest_removal),
    }
}

/// What is left out, and how to see it.
fn foot(text: &mut String, report: &OverviewReport<'_>, style: Style) {
    let mut lines = Vec::new();
    if !report.finished.is_empty() {
        let finished: Vec<String> = report.finished.iter().map(|heading| inside(heading)).collect();
        lines.push(format!("No event or deadline ahead: {}", finished.join(", ")));
    }
    if !report.filtered && report.current.is_some() {
        lines.push(format!(
            "Everything: --all. Part of it: --group, --element, --in, --state. Reasons: `{}`.",
            report.why
        ));
    }
    for line in &lines {
        text.push('\n');
        paragraph(text, &visible(line), 0, style);
    }
}
