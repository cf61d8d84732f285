//! The calendar of a model.

use crate::document::{Diagnostics, Key, Table, Value};
use crate::grammar::{CALENDAR, names};
use crate::release::{Calendar, Listed, ReleaseName};

/// Symbolic releases shown at most: a table of more says nothing to a reader.
const MOST_SYMBOLIC: u32 = 1000;

/// Reads the calendar; without a usable one nothing else can be read.
pub(super) fn read(root: Table<'_>, faults: &mut Diagnostics) -> Option<Calendar> {
    let Some((key, value)) = root.get("calendar") else {
        let place = crate::source::Span { end: 1, ..root.span() };
        let why = "releases with their dates, for example: calendar.releases = { \"1.0\" = 2024-01-31 }";
        faults.missing_key(place, "calendar", why);
        return None;
    };
    let table = value.table(faults)?;
    let (mut current, mut cadence, mut releases, mut symbolic) = (None, None, None, None);
    for (key, value) in table.entries() {
        match key.name {
            "current" => current = Some(value),
            "cadence" => cadence = read_cadence(value, faults),
            "releases" => releases = value.table(faults),
            "symbolic" => symbolic = value.table(faults).map(|table| (key, table)),
            _ => faults.unknown_key(&key, &names(CALENDAR)),
        }
    }
    let calendar = match (releases, symbolic) {
        (Some(releases), None) => numbered(releases, cadence, faults)?,
        (None, Some((_, table))) => read_symbolic(table, cadence, faults)?,
        (Some(_), Some((key, _))) => {
            let help = "keep either dated releases or symbolic ones";
            faults.at("two-ways", key.span, "a calendar is dated or symbolic, not both", help);
            return None;
        }
        (None, None) => {
            let why =
                "list releases: [calendar.releases] \"1.0\" = 2024-01-31, or symbolic = { origin = \"X\", count = 16 }";
            faults.missing_key(key.span, "releases", why);
            return None;
        }
    };
    let current = current.and_then(|value| read_current(value, &calendar, faults));
    Some(calendar.with_current(current))
}

fn read_cadence(value: Value<'_>, faults: &mut Diagnostics) -> Option<u32> {
    let table = value.table(faults)?;
    let mut months = None;
    for (key, value) in table.entries() {
        match key.name {
            "months" => months = value.whole(1, 120, faults),
            _ => faults.unknown_key(&key, &["months"]),
        }
    }
    months
}

fn numbered(table: Table<'_>, cadence: Option<u32>, faults: &mut Diagnostics) -> Option<Calendar> {
    let before = faults.count();
    let listed: Vec<Listed> = table
        .entries()
        .filter_map(|(key, value)| read_release(key, value, faults))
        .collect();
    if listed.is_empty() {
        if faults.count() > before {
            return None;
        }
        let help = "list at least one: \"1.0\" = 2024-01-31";
        faults.at("empty", table.span(), "the calendar lists no release", help);
        return None;
    }
    match Calendar::numbered(listed, cadence) {
        Ok(calendar) => Some(calendar),
        Err(problem) => {
            let help = "releases are ordered by number, patch releases left out, and dates follow that order";
            faults.at("calendar", table.span(), problem.to_string(), help);
            None
        }
    }
}

fn read_release(key: Key<'_>, value: Value<'_>, faults: &mut Diagnostics) -> Option<Listed> {
    if let Some(dotted) = value.as_table() {
        for (minor, _) in dotted.entries() {
            let help = format!("put it in quotes: \"{}.{}\" = …", key.name, minor.name);
            let message = "an unquoted release is read as a table, because of its dot";
            faults.at("unquoted-release", minor.span, message, help);
        }
        return None;
    }
    let Some(name) = ReleaseName::parse(key.name) else {
        let help = "a release is named by numbers: \"1.8\"";
        faults.at(
            "unknown-release",
            key.span,
            format!("`{}` is not the name of a release", key.name),
            help,
        );
        return None;
    };
    let unscheduled = value.as_word().is_some_and(|word| word.text == "unscheduled");
    let date = if unscheduled { None } else { Some(value.day(faults)?) };
    Some(Listed { name, date })
}

fn read_symbolic(table: Table<'_>, cadence: Option<u32>, faults: &mut Diagnostics) -> Option<Calendar> {
    let (mut origin, mut count) = (None, None);
    for (key, value) in table.entries() {
        match key.name {
            "origin" => origin = value.word(faults),
            "count" => count = value.whole(1, MOST_SYMBOLIC, faults),
            _ => faults.unknown_key(&key, &["origin", "count"]),
        }
    }
    if table.get("count").is_none() {
        faults.missing_key(table.span(), "count", "how many releases are shown");
    }
    if let Some(word) = origin.filter(|word| word.text.is_empty() || word.text.chars().any(char::is_control)) {
        let help = "a short name, such as \"X\"";
        faults.at("name", word.span, "the origin is empty or has control characters", help);
        return None;
    }
    let origin = origin.map_or("X", |word| word.text);
    Some(Calendar::symbolic(origin, count?, cadence))
}

fn read_current(value: Value<'_>, calendar: &Calendar, faults: &mut Diagnostics) -> Option<crate::release::Release> {
    let Some(word) = value.as_word() else {
        faults.wrong_type(&value, "a release in quotes");
        return None;
    };
    match calendar.find(word.text) {
        Ok(release) if release.0 < calendar.listed() => Some(release),
        Ok(_) => {
            let help = "a release that has shipped is listed with its date";
            faults.at("unknown-release", word.span, "the current release is not listed", help);
            None
        }
        Err(problem) => {
            super::unknown_release(calendar, &problem, word, faults);
            None
        }
    }
}
