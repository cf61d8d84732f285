//! Tables for people: each group through the releases, and the plan per element.

use std::fmt::Write as _;

use comfy_table::{ContentArrangement, Table, presets};

use crate::report::{ElementReport, GroupReport, Moment, ReleaseReport, Report};

use super::{Look, visible};

/// The plan: a table per group, and below them the table of elements.
pub fn plan(report: &Report<'_>, look: Look) -> String {
    let mut text = String::new();
    for found in &report.groups {
        let _ = writeln!(text, "{}\n{}\n", visible(&found.group), group(found, look));
    }
    let _ = writeln!(text, "Elements\n{}", elements(&report.elements, look));
    text
}

/// One group through the releases.
pub fn group(group: &GroupReport<'_>, look: Look) -> String {
    let mut table = table(look, &["RELEASE", "SERVED", "PREFERRED", "STORAGE", "NOTES"]);
    for row in &group.releases {
        table.add_row([
            dated(row.release, row.date, row.date_kind),
            served(row),
            row.preferred.unwrap_or("").to_owned(),
            storage(row),
            notes(row),
        ]);
    }
    finish(&table)
}

/// The plan per element.
pub fn elements(elements: &[ElementReport<'_>], look: Look) -> String {
    let mut table = table(
        look,
        &[
            "ELEMENT",
            "LEVEL",
            "DEPRECATED",
            "AT LATEST",
            "REMOVED",
            "NOT BEFORE",
            "DUE",
            "BINDING",
        ],
    );
    for element in elements {
        table.add_row([
            visible(&element.id),
            element.stability.to_owned(),
            event(element.deprecated),
            bound(element.latest_deprecation),
            event(element.removed),
            earliest_removal(element),
            bound(element.removal_due),
            element.binding.unwrap_or("").to_owned(),
        ]);
    }
    finish(&table)
}

fn table(look: Look, header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(look.width)
        .set_header(header.iter().copied());
    table
}

fn finish(table: &Table) -> String {
    table.trim_fmt()
}

fn dated(release: &str, date: Option<&str>, kind: &str) -> String {
    match (date, kind) {
        (Some(date), "projected") => format!("{release} (~{date})"),
        (Some(date), _) => format!("{release} ({date})"),
        (None, _) => release.to_owned(),
    }
}

fn served(row: &ReleaseReport<'_>) -> String {
    let versions: Vec<String> = row
        .versions
        .iter()
        .map(|version| match version.state {
            "deprecated" => format!("{} (deprecated)", visible(version.version)),
            _ => visible(version.version),
        })
        .collect();
    versions.join(", ")
}

/// The storage version most kinds have, and the kinds that differ.
pub(super) fn storage(row: &ReleaseReport<'_>) -> String {
    let stored: Vec<(&str, &str)> = row
        .kinds
        .iter()
        .filter_map(|kind| Some((kind.kind, kind.storage?)))
        .collect();
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

fn notes(row: &ReleaseReport<'_>) -> String {
    let notes: Vec<String> = row
        .notes
        .iter()
        .map(|note| {
            let mark = if note.declared { "" } else { " (planned)" };
            format!("{}{mark}", visible(&note.text))
        })
        .collect();
    notes.join("\n")
}

/// When something happens, and that it is only planned where the user did not say so.
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

fn bound(moment: Option<Moment<'_>>) -> String {
    match moment {
        Some(moment) if moment.at_least => format!("{} or later", moment.release),
        Some(moment) => dated(moment.release, moment.date, moment.date_kind),
        None => String::new(),
    }
}

fn earliest_removal(element: &ElementReport<'_>) -> String {
    match &element.never_before_major {
        Some(major) if major.starts_with(|c: char| c.is_ascii_digit()) => format!("major {major}"),
        Some(major) => major.clone(),
        None => bound(element.earliest_removal),
    }
}
