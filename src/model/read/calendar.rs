//! The calendar of a model.

use crate::document::{Diagnostics, Key, Table, Value};
use crate::grammar::{CALENDAR, names};
use crate::release::{Calendar, Listed, ReleaseName};

/// The most symbolic releases: a longer table is of no use to a reader.
const MOST_SYMBOLIC: u32 = 1000;

/// Reads the calendar; without a usable one nothing else can be read.
pub(super) fn read(root: Table<'_>, diagnostics: &mut Diagnostics) -> Option<Calendar> {
    let Some((key, value)) = root.get("calendar") else {
        let place = crate::source::Span { end: 1, ..root.span() };
        let why = "releases with their dates, for example: calendar.releases = { \"1.0\" = 2024-01-31 }";
        diagnostics.missing_key(place, "calendar", why);
        return None;
    };
    let table = value.table(diagnostics)?;
    let (mut current, mut cadence, mut releases, mut symbolic) = (None, None, None, None);
    for (key, value) in table.entries() {
        match key.name {
            "current" => current = Some(value),
            "cadence" => cadence = read_cadence(value, diagnostics),
            "releases" => releases = value.table(diagnostics),
            "symbolic" => symbolic = value.table(diagnostics).map(|table| (key, table)),
            _ => diagnostics.unknown_key(&key, &names(CALENDAR)),
        }
    }
    let calendar = match (releases, symbolic) {
        (Some(releases), None) => numbered(releases, cadence, diagnostics)?,
        (None, Some((_, table))) => read_symbolic(table, cadence, diagnostics)?,
        (Some(_), Some((key, _))) => {
            let help = "keep either dated releases or symbolic ones";
            diagnostics.at("two-ways", key.span, "a calendar is dated or symbolic, not both", help);
            return None;
        }
        (None, None) => {
            let why =
                "list releases: [calendar.releases] \"1.0\" = 2024-01-31, or symbolic = { origin = \"X\", count = 16 }";
            diagnostics.missing_key(key.span, "releases", why);
            return None;
        }
    };
    let current = current.and_then(|value| read_current(value, &calendar, diagnostics));
    Some(calendar.with_current(current))
}

fn read_cadence(value: Value<'_>, diagnostics: &mut Diagnostics) -> Option<u32> {
    let table = value.table(diagnostics)?;
    let mut months = None;
    for (key, value) in table.entries() {
        match key.name {
            "months" => months = value.whole(1, 120, diagnostics),
            _ => diagnostics.unknown_key(&key, &["months"]),
        }
    }
    months
}

fn numbered(table: Table<'_>, cadence: Option<u32>, diagnostics: &mut Diagnostics) -> Option<Calendar> {
    let before = diagnostics.count();
    let listed: Vec<Listed> = table
        .entries()
        .filter_map(|(key, value)| read_release(key, value, diagnostics))
        .collect();
    if listed.is_empty() {
        if diagnostics.count() > before {
            return None;
        }
        let help = "list at least one: \"1.0\" = 2024-01-31";
        diagnostics.at("empty", table.span(), "the calendar lists no release", help);
        return None;
    }
    match Calendar::numbered(listed, cadence) {
        Ok(calendar) => Some(calendar),
        Err(problem) => {
            let help = "list minor releases only; dates follow the order of the numbers";
            diagnostics.at("calendar", table.span(), problem.to_string(), help);
            None
        }
    }
}

fn read_release(key: Key<'_>, value: Value<'_>, diagnostics: &mut Diagnostics) -> Option<Listed> {
    if let Some(dotted) = value.as_table() {
        for (minor, _) in dotted.entries() {
            let help = format!("put it in quotes: \"{}.{}\" = …", key.name, minor.name);
            let message = "an unquoted release is read as a table, because of its dot";
            diagnostics.at("unquoted-release", minor.span, message, help);
        }
        return None;
    }
    let Some(name) = ReleaseName::parse(key.name) else {
        let help = "a release is named by numbers: \"1.8\"";
        diagnostics.at(
            "unknown-release",
            key.span,
            format!("`{}` is not the name of a release", key.name),
            help,
        );
        return None;
    };
    let unscheduled = value.as_word().is_some_and(|word| word.text == "unscheduled");
    let date = if unscheduled {
        None
    } else {
        Some(value.day(diagnostics)?)
    };
    Some(Listed { name, date })
}

fn read_symbolic(table: Table<'_>, cadence: Option<u32>, diagnostics: &mut Diagnostics) -> Option<Calendar> {
    let (mut origin, mut count) = (None, None);
    for (key, value) in table.entries() {
        match key.name {
            "origin" => origin = value.word(diagnostics),
            "count" => count = value.whole(1, MOST_SYMBOLIC, diagnostics),
            _ => diagnostics.unknown_key(&key, &["origin", "count"]),
        }
    }
    if table.get("count").is_none() {
        diagnostics.missing_key(table.span(), "count", "how many releases are shown");
    }
    if let Some(word) = origin.filter(|word| word.text.is_empty() || word.text.chars().any(char::is_control)) {
        let help = "a short name, such as \"X\"";
        diagnostics.at("name", word.span, "the origin is empty or has control characters", help);
        return None;
    }
    let origin = origin.map_or("X", |word| word.text);
    Some(Calendar::symbolic(origin, count?, cadence))
}

fn read_current(
    value: Value<'_>,
    calendar: &Calendar,
    diagnostics: &mut Diagnostics,
) -> Option<crate::release::Release> {
    let Some(word) = value.as_word() else {
        diagnostics.wrong_type(&value, "a release in quotes");
        return None;
    };
    match calendar.find(word.text) {
        Ok(release) if release.0 < calendar.listed() => Some(release),
        Ok(_) => {
            let help = "a release that has shipped is listed with its date";
            diagnostics.at("unknown-release", word.span, "the current release is not listed", help);
            None
        }
        Err(problem) => {
            super::unknown_release(calendar, &problem, word, diagnostics);
            None
        }
    }
}
