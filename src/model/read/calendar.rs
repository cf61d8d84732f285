//! The calendar of a model.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::document::{Diagnostics, Key, RULE, Table, Value, Word};
use crate::grammar::{CALENDAR, names};
use crate::model::CalendarPlaces;
use crate::release::{
    Calendar, CalendarError, Day, KindSet, Kinds, Listed, MOST_KINDS, Named, Naming, Release, ReleaseKind, ReleaseName,
    UnknownRelease, is_kind_name,
};
use crate::source::Span;

use super::limits::{self, LONGEST_NAME, MOST_RELEASES};

/// Reads the calendar and where its parts are; without a usable one nothing else can be read.
pub(super) fn read(root: Table<'_>, diagnostics: &mut Diagnostics) -> Option<(Calendar, CalendarPlaces)> {
    let Some((key, value)) = root.get("calendar") else {
        let place = Span { end: 1, ..root.span() };
        let why = "releases with their dates, for example: calendar.releases = { \"1.0\" = 2024-01-31 }";
        diagnostics.missing_key(place, "calendar", why);
        return None;
    };
    let table = value.table(diagnostics)?;
    let (mut current, mut cadence, mut releases, mut symbolic, mut as_listed) = (None, None, None, None, false);
    for (key, value) in table.entries() {
        match key.name {
            "current" => current = Some(value),
            "cadence" => cadence = value.table(diagnostics),
            "order" => as_listed = read_order(value, diagnostics),
            "releases" => releases = value.table(diagnostics),
            "symbolic" => symbolic = value.table(diagnostics).map(|table| (key, table)),
            _ => diagnostics.unknown_key(&key, &names(CALENDAR)),
        }
    }
    let mut kinds = Kinds::default();
    let cadence = cadence.and_then(|cadence| read_cadence(cadence, &mut kinds, diagnostics));
    let calendar = match (releases, symbolic) {
        (Some(releases), None) if as_listed => listed(releases, cadence, diagnostics)?,
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
    let places = CalendarPlaces {
        list: releases
            .or(symbolic.map(|(_, table)| table))
            .map_or(key.span, |list| list.span()),
        current: current.map_or(key.span, |value| value.span()),
        releases: places_of(releases, &calendar),
    };
    if let Some(releases) = releases {
        read_kinds(releases, &calendar, &mut kinds, diagnostics);
    }
    let calendar = calendar.with_kinds(kinds);
    let current = current.and_then(|value| read_current(value, &calendar, diagnostics));
    Some((calendar.with_current(current), places))
}

fn places_of(releases: Option<Table<'_>>, calendar: &Calendar) -> BTreeMap<Release, Span> {
    let entries = releases.into_iter().flat_map(|table| table.entries());
    let places = entries.filter_map(|(key, value)| {
        let place = Span {
            end: value.span().end,
            ..key.span
        };
        Some((calendar.find(key.name).ok()?, place))
    });
    places.collect()
}

/// The months from one release to the next; adds which of them are of a kind.
fn read_cadence(table: Table<'_>, kinds: &mut Kinds, diagnostics: &mut Diagnostics) -> Option<u32> {
    let mut months = None;
    for (key, value) in table.entries() {
        match key.name {
            "months" => months = value.whole(1, 120, diagnostics),
            "every" => read_every(value, kinds, diagnostics),
            _ => diagnostics.unknown_key(&key, &["months", "every"]),
        }
    }
    months
}

/// `{ major = 12 }`: every 12th release is a major one.
fn read_every(value: Value<'_>, kinds: &mut Kinds, diagnostics: &mut Diagnostics) {
    let Some(table) = value.table(diagnostics) else { return };
    for (key, value) in table.entries() {
        let count = value.whole(1, 100, diagnostics);
        let kind = if key.name == "minor" {
            let help = "say how often a major release comes: `every = { major = 4 }`";
            diagnostics.at("kind", key.span, "each release that is not major is a minor one", help);
            None
        } else {
            named_kind(key.name, key.span, kinds, diagnostics)
        };
        if let (Some(kind), Some(count)) = (kind, count) {
            kinds.repeat(kind, count);
        }
    }
}

fn named_kind(name: &str, place: Span, kinds: &mut Kinds, diagnostics: &mut Diagnostics) -> Option<ReleaseKind> {
    if !is_kind_name(name) {
        let help = "name it by lower-case letters, digits and hyphens: `lts`";
        diagnostics.at("kind", place, "this is no name of a kind of release", help);
        return None;
    }
    let kind = kinds.named(name);
    if kind.is_none() {
        let message = format!("a calendar has at most {MOST_KINDS} kinds of releases");
        diagnostics.at("kind", place, message, "name the kinds that a policy counts");
    }
    kind
}

/// The kinds that the entries of releases state.
fn read_kinds(releases: Table<'_>, calendar: &Calendar, kinds: &mut Kinds, diagnostics: &mut Diagnostics) {
    for (key, value) in releases.entries() {
        let stated = value.as_table().and_then(|entry| entry.get("kind"));
        let (Some((_, value)), Ok(release)) = (stated, calendar.find(key.name)) else {
            continue;
        };
        for word in value.words(diagnostics) {
            if let Some(kind) = named_kind(word.text, word.span, kinds, diagnostics) {
                kinds.state(release, KindSet::from(kind));
            }
        }
    }
}

/// Whether releases may have any names, and follow each other as listed.
fn read_order(value: Value<'_>, diagnostics: &mut Diagnostics) -> bool {
    let Some(word) = value.word(diagnostics) else {
        return false;
    };
    if word.text != "listed" {
        let help = "write `order = \"listed\"`, or leave it out: numbered releases are ordered by their numbers";
        let message = format!("`{}` is no order of releases", word.text);
        diagnostics.at("order", word.span, message, help);
    }
    word.text == "listed"
}

fn numbered(table: Table<'_>, cadence: Option<u32>, diagnostics: &mut Diagnostics) -> Option<Calendar> {
    let releases = read_releases(table, diagnostics, |key, diagnostics| {
        let name = ReleaseName::of_calendar(key.name);
        if name.is_none() {
            let help = "a release is named by numbers, \"1.8\" or \"24\"; with `order = \"listed\"` by any name";
            let message = format!("`{}` is not the name of a release", key.name);
            diagnostics.at("unknown-release", key.span, message, help);
        }
        name
    })?;
    let releases = releases.into_iter().map(|(name, date)| Listed { name, date });
    let help = "list minor releases only; dates follow the order of the numbers";
    made(
        Calendar::numbered(releases.collect(), cadence),
        table,
        help,
        diagnostics,
    )
}

fn listed(table: Table<'_>, cadence: Option<u32>, diagnostics: &mut Diagnostics) -> Option<Calendar> {
    let releases = read_releases(table, diagnostics, |key, diagnostics| {
        let is_name = check_name(key.name, key.span, "name of the release", diagnostics);
        is_name.then(|| key.name.to_owned())
    })?;
    let releases = releases.into_iter().map(|(name, date)| Named { name, date });
    let help = "list the releases in their order; their dates follow it";
    made(
        Calendar::in_order(releases.collect(), cadence),
        table,
        help,
        diagnostics,
    )
}

/// Whether a text can name releases.
fn check_name(name: &str, span: Span, what: &str, diagnostics: &mut Diagnostics) -> bool {
    let message = if name.trim().is_empty() || name.chars().any(char::is_control) {
        format!("the {what} is empty or has control characters")
    } else if name.chars().count() > LONGEST_NAME {
        format!("the {what} has more than {LONGEST_NAME} letters")
    } else {
        return true;
    };
    diagnostics.at(
        "name",
        span,
        message,
        "name it as users know it, such as \"X\" or \"2028\"",
    );
    false
}

/// The calendar, or its error.
fn made(
    calendar: Result<Calendar, CalendarError>,
    table: Table<'_>,
    help: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Calendar> {
    calendar
        .map_err(|problem| diagnostics.at("calendar", table.span(), problem.to_string(), help))
        .ok()
}

/// The releases with their days, as listed; `name` reads their names. `None` if there are none.
fn read_releases<N>(
    table: Table<'_>,
    diagnostics: &mut Diagnostics,
    name: impl Fn(&Key<'_>, &mut Diagnostics) -> Option<N>,
) -> Option<Vec<(N, Option<Day>)>> {
    let before = diagnostics.count();
    let mut releases = Vec::new();
    let mut entries: Vec<_> = table.entries().collect();
    if limits::is_too_long(
        "releases",
        entries.len(),
        MOST_RELEASES as usize,
        table.span(),
        diagnostics,
    ) {
        return None;
    }
    entries.sort_by_key(|(key, _)| key.span);
    for (key, value) in entries {
        let day = match value.as_table() {
            Some(entry) if ["date", "kind"].iter().any(|key| entry.get(key).is_some()) => {
                read_release(entry, diagnostics)
            }
            Some(dotted) => {
                unquoted(&key, dotted, diagnostics);
                continue;
            }
            None => Some(value),
        };
        let Some(name) = name(&key, diagnostics) else { continue };
        match day {
            Some(day) if is_unscheduled(&day) => releases.push((name, None)),
            Some(day) => releases.extend(day.day(diagnostics).map(|day| (name, Some(day)))),
            None => {}
        }
    }
    if releases.is_empty() && diagnostics.count() == before {
        let help = "list at least one: \"1.0\" = 2024-01-31";
        diagnostics.at("empty", table.span(), "the calendar lists no release", help);
    }
    (!releases.is_empty()).then_some(releases)
}

/// The day in the entry of a release that has more to say: `{ date = 2025-04-02, kind = ["lts"] }`.
fn read_release<'d>(entry: Table<'d>, diagnostics: &mut Diagnostics) -> Option<Value<'d>> {
    for (key, _) in entry.entries() {
        if !["date", "kind"].contains(&key.name) {
            diagnostics.unknown_key(&key, &["date", "kind"]);
        }
    }
    let date = entry.get("date").map(|(_, value)| value);
    if date.is_none() {
        let help = "the day of the release, such as 2025-04-02, or \"unscheduled\"";
        diagnostics.missing_key(entry.span(), "date", help);
    }
    date
}

fn unquoted(key: &Key<'_>, dotted: Table<'_>, diagnostics: &mut Diagnostics) {
    for (minor, _) in dotted.entries() {
        let help = format!("put it in quotes: \"{}.{}\" = …", key.name, minor.name);
        let message = "an unquoted release is read as a table, because of its dot";
        diagnostics.at("unquoted-release", minor.span, message, help);
    }
}

fn is_unscheduled(value: &Value<'_>) -> bool {
    value.as_word().is_some_and(|word| word.text == "unscheduled")
}

fn read_symbolic(table: Table<'_>, cadence: Option<u32>, diagnostics: &mut Diagnostics) -> Option<Calendar> {
    let (mut origin, mut count) = (None, None);
    for (key, value) in table.entries() {
        match key.name {
            "origin" => origin = value.word(diagnostics),
            "count" => count = value.whole(1, MOST_RELEASES, diagnostics),
            _ => diagnostics.unknown_key(&key, &["origin", "count"]),
        }
    }
    if table.get("count").is_none() {
        diagnostics.missing_key(table.span(), "count", "how many releases are shown");
    }
    if origin.is_some_and(|word| !check_name(word.text, word.span, "origin", diagnostics)) {
        return None;
    }
    let origin = origin.map_or("X", |word| word.text);
    Some(Calendar::symbolic(origin, count?, cadence))
}

fn read_current(value: Value<'_>, calendar: &Calendar, diagnostics: &mut Diagnostics) -> Option<Release> {
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
            unknown_release(calendar, &problem, word, diagnostics);
            None
        }
    }
}

pub(super) fn unknown_release(
    calendar: &Calendar,
    problem: &UnknownRelease,
    word: Word<'_>,
    diagnostics: &mut Diagnostics,
) {
    let help = if diagnostics.is_full() {
        String::new()
    } else {
        known_releases(calendar, problem)
    };
    diagnostics.push(
        Diagnostic::error(RULE, "unknown-release", problem.to_string())
            .at(word.span, "not in the calendar")
            .help(help),
    );
}

/// What to write instead of a release that the calendar does not have.
pub(crate) fn known_releases(calendar: &Calendar, problem: &UnknownRelease) -> String {
    let names: Vec<String> = (0..calendar.listed()).map(|at| calendar.name(Release(at))).collect();
    let range = match names.as_slice() {
        [] => "the calendar lists no release".to_owned(),
        [only] => format!("the calendar lists {only} alone"),
        [first, .., last] => format!("the calendar lists {first} to {last}"),
    };
    if let UnknownRelease::Malformed(text) = problem
        && let Some(guess) = did_you_mean(text, names.iter().map(String::as_str))
    {
        return guess;
    }
    match (problem, calendar.naming(), names.last()) {
        (_, Naming::Symbolic { origin, .. }, _) => format!("releases here are {origin}, {origin}+1, …"),
        (UnknownRelease::TooFar(..), ..) => format!("{range}; check the number"),
        (UnknownRelease::NotListed(text), _, Some(last)) if is_later(text, last) && calendar.cadence().is_none() => {
            format!(
                "{range}; add `\"{text}\" = \"unscheduled\"` to [calendar.releases], give the calendar a `cadence`, or \
                 count from {last}: \"1 release after {last}\""
            )
        }
        (UnknownRelease::NotListed(text), _, Some(last)) if is_later(text, last) => {
            let next = calendar.name(Release(calendar.listed()));
            format!("{range}; list it in [calendar.releases] behind the releases that come before it ({next}, …)")
        }
        _ => format!("{range}; add it to [calendar.releases]"),
    }
}

fn is_later(release: &str, other: &str) -> bool {
    let [release, other] = [release, other].map(ReleaseName::of_calendar);
    release.zip(other).is_some_and(|(release, other)| release > other)
}
