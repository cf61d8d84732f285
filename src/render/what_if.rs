//! What a change moves, for the terminal: what becomes illegal first.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::report::{
    DiagnosticReport, EventMove, MissedReport, Moment, Movement, MovingEvent, PolicyReport, WhatIfReport,
};
use crate::source::Sources;

use super::columns::{Cell, Paint, columns};
use super::table::bound;
use super::{Style, snippet, visible};

/// What moves; the sources are those of the changed files.
pub fn what_if(report: &WhatIfReport<'_>, sources: &Sources<'_>, style: Style) -> String {
    if report.is_empty() {
        return "no changes\n".to_owned();
    }
    let mut text = String::new();
    if !report.illegal.is_empty() {
        section(&mut text, "Becomes illegal", Paint::Alarm, style);
        for finding in &report.illegal {
            text.push_str(&snippet::finding(finding, sources, style));
        }
    }
    missed(&mut text, &report.missed, style);
    findings(&mut text, "New findings", &report.findings, style);
    findings(&mut text, "Grows", &report.grown, style);
    findings(&mut text, "No longer found", &report.resolved, style);
    if let Some(policies) = &report.policies {
        section(&mut text, "Policy", Paint::Heading, style);
        let [from, to] = [&policies.from, &policies.to].map(|editions| named(editions));
        let _ = writeln!(text, "  ~ {from} → {to}");
    }
    releases(&mut text, report, style);
    events(&mut text, &report.events, style);
    let _ = writeln!(text, "\n{}", counts(report));
    text
}

fn section(text: &mut String, title: &str, paint: Paint, style: Style) {
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
    let _ = writeln!(text, "{}", paint.over(title, style));
}

/// "1 illegal, 0 missed; events: 2 added, 3 moved, 0 removed; releases: 1 moved; findings: 1 new, 0 grown, 0 resolved".
pub fn counts(report: &WhatIfReport<'_>) -> String {
    let counts = report.counts;
    format!(
        "{} illegal, {} missed; events: {} added, {} moved, {} removed; releases: {} moved; findings: {} new, {} grown, {} resolved",
        counts.illegal,
        counts.missed,
        counts.added,
        counts.moved,
        counts.removed,
        counts.releases,
        counts.findings,
        counts.grown,
        counts.resolved
    )
}

fn named(editions: &[PolicyReport<'_>]) -> String {
    let editions = editions.iter().map(|edition| match edition.from {
        Some(from) => format!("{} {} from {from}", edition.name, edition.edition),
        None => format!("{} {}", edition.name, edition.edition),
    });
    visible(&editions.collect::<Vec<_>>().join(", "))
}

fn missed(text: &mut String, missed: &[MissedReport<'_>], style: Style) {
    if missed.is_empty() {
        return;
    }
    section(text, "Misses what was announced", Paint::Alarm, style);
    let rows = missed.iter().map(|missed| {
        let what = match (missed.element, missed.event) {
            (Some(element), Some(event)) => format!("{} {}", visible(element), event.as_str()),
            _ => match missed.with {
                0 => format!("release {}", missed.from.release),
                1 => format!("release {}, with 1 declared event", missed.from.release),
                with => format!("release {}, with {with} declared events", missed.from.release),
            },
        };
        let cells = [
            what,
            bound(Some(missed.from)),
            later(missed.to),
            visible(missed.owner.unwrap_or_default()),
        ];
        cells.map(Cell::plain).to_vec()
    });
    let header = ["WHAT", "ANNOUNCED FOR", "NOW", "OWNER"];
    text.push_str(&columns(&header, &rows.collect::<Vec<_>>(), 2, style));
}

fn later(moment: Option<Moment<'_>>) -> String {
    moment.map_or_else(|| "never".to_owned(), |moment| bound(Some(moment)))
}

fn findings(text: &mut String, title: &str, findings: &[DiagnosticReport<'_>], style: Style) {
    if findings.is_empty() {
        return;
    }
    section(text, title, Paint::Heading, style);
    for finding in findings {
        let id = format!("{}: {}", finding.rule, finding.code);
        let _ = writeln!(text, "  {}[{id}]: {}", finding.severity, visible(&finding.message));
    }
}

fn releases(text: &mut String, report: &WhatIfReport<'_>, style: Style) {
    if report.releases.is_empty() {
        return;
    }
    section(text, "Releases", Paint::Heading, style);
    let rows = report.releases.iter().map(|moved| {
        let name = format!("{} {}", moved.change.mark(), moved.release);
        [name, bound(moved.from), bound(moved.to)].map(Cell::plain).to_vec()
    });
    text.push_str(&columns(
        &["RELEASE", "FROM", "TO"],
        &rows.collect::<Vec<_>>(),
        2,
        style,
    ));
}

/// The moves of events; those of parts that move with their whole are counted beside it.
fn events(text: &mut String, moves: &[EventMove<'_>], style: Style) {
    if moves.is_empty() {
        return;
    }
    section(text, "Events", Paint::Heading, style);
    let mut parts: BTreeMap<(&str, Same<'_>), usize> = BTreeMap::new();
    for part in moves {
        if let Some(whole) = part.with {
            *parts.entry((whole, same(part))).or_default() += 1;
        }
    }
    let shown = moves.iter().filter(|moved| moved.with.is_none());
    let rows = shown.map(|moved| {
        let parts = parts.get(&(moved.element, same(moved))).copied().unwrap_or_default();
        let parts = match parts {
            0 => String::new(),
            1 => " (and 1 part)".to_owned(),
            parts => format!(" (and {parts} parts)"),
        };
        let name = format!("{} {}{parts}", moved.change.mark(), visible(moved.element));
        let cells = [
            name,
            moved.event.as_str().to_owned(),
            event(moved.from),
            event(moved.to),
            visible(&moved.reason),
        ];
        let mut cells = cells.map(Cell::plain).to_vec();
        cells[0].paint = match moved.change {
            Movement::Added | Movement::Moved => Paint::Plain,
            Movement::Removed => Paint::Caution,
        };
        cells
    });
    let header = ["ELEMENT", "EVENT", "FROM", "TO", "REASON"];
    text.push_str(&columns(&header, &rows.collect::<Vec<_>>(), 2, style));
}

/// What happens, from which release to which.
type Same<'a> = (MovingEvent, [Option<&'a str>; 2]);

fn same<'a>(moved: &EventMove<'a>) -> Same<'a> {
    let moments = [moved.from, moved.to].map(|moment| moment.map(|moment| moment.release));
    (moved.event, moments)
}

/// The release of an event, and whether it is planned only.
fn event(moment: Option<Moment<'_>>) -> String {
    match moment {
        Some(moment) if moment.declared == Some(false) => format!("{} (planned)", moment.release),
        Some(moment) => moment.release.to_owned(),
        None => "–".to_owned(),
    }
}
