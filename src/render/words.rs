//! The words of pictures: titles, and descriptions for those who cannot see them.

use crate::diagnostic::Severity;
use crate::release::DateKind;
use crate::report::{
    BandReport, DifferenceReport, Moment, PictureReport, RowReport, SlackReport, SpanReport, Standing, State,
    ViolationReport,
};
use crate::schema::Verdict::{self, Breaking, Compatible, Risky};
use crate::stability::{Level, Stage};

use super::{numbered_fact, one_line};

/// A release and its date: `1.25 (2022-08-23)`, `1.39 or later (projected 2027-04-26)`.
pub(super) fn moment(moment: &Moment<'_>) -> String {
    let least = if moment.at_least { " or later" } else { "" };
    match (moment.date, moment.date_kind) {
        (Some(date), DateKind::Projected) => format!("{}{least} (projected {date})", moment.release),
        (Some(date), DateKind::Actual | DateKind::Announced | DateKind::Symbolic) => {
            format!("{}{least} ({date})", moment.release)
        }
        (None, _) => format!("{}{least}", moment.release),
    }
}

/// What a picture shows.
pub(super) fn title(picture: &PictureReport<'_>) -> String {
    match (picture.releases.first(), picture.releases.last()) {
        (Some(first), Some(last)) => format!("Public surface, {} to {}", first.release, last.release),
        _ => "Public surface".to_owned(),
    }
}

/// The highest severity of the findings about an element.
pub(super) fn highest_severity(row: &RowReport<'_>) -> Option<Severity> {
    row.violations.iter().map(|violation| violation.severity).max()
}

/// From when to when: `from 1.22 (2021-08-04) until 1.25 (2022-08-23)`.
fn stretch(picture: &PictureReport<'_>, from: usize, until: Option<usize>) -> String {
    let [from, until] = [Some(from), until].map(|at| Some(moment(picture.releases.get(at?)?)));
    let from = from.unwrap_or_default();
    match until {
        Some(until) => format!("from {from} until {until}"),
        None => format!("from {from} on"),
    }
}

/// A state, its time, and whether it is declared.
pub(super) fn band(picture: &PictureReport<'_>, row: &RowReport<'_>, band: &BandReport) -> String {
    let level = band.level.map(|level| format!(", {level}")).unwrap_or_default();
    let origin = match band.declared {
        true => "declared",
        false if is_planned(picture, band) => "planned",
        false => "not declared",
    };
    let time = stretch(picture, band.from, band.until);
    format!("{}: {}{level} {time}; {origin}", row.id, band.state)
}

/// The level of a gate or a metric in a state, if it says more than the state.
pub(super) fn level_in(band: &BandReport) -> Option<Level> {
    let same = (Some(Level::Stage(Stage::Deprecated)), State::Deprecated);
    band.level
        .filter(|_| band.state != State::Removed && (band.level, band.state) != same)
}

/// `beta`, `GA, deprecated`, `removed`: the level, and the state.
pub(super) fn state(band: &BandReport) -> String {
    match (level_in(band), band.state) {
        (Some(level), State::Served) => level.to_string(),
        (Some(level), state) => format!("{level}, {state}"),
        (None, state) => state.to_string(),
    }
}

/// Whether a state is planned: not declared, not shipped, and not served since the first release.
pub(super) fn is_planned(picture: &PictureReport<'_>, band: &BandReport) -> bool {
    let begun = picture.current.is_some_and(|current| band.from <= current);
    !band.declared && !begun && (band.from > 0 || band.state != State::Served)
}

/// Whether two elements are in the same states at the same times.
pub(super) fn alike(one: &[BandReport], other: &[BandReport]) -> bool {
    let [one, other] = [one, other].map(|bands| bands.iter().map(|band| (band.state, band.from, band.until)));
    one.eq(other)
}

/// While a version is the preferred or the storage version.
pub(super) fn role(picture: &PictureReport<'_>, row: &RowReport<'_>, what: &str, span: &SpanReport) -> String {
    format!("{}: {what} {}", row.id, stretch(picture, span.from, span.until))
}

/// The earliest allowed removal, unless a removal is planned there.
pub(super) fn marked_earliest(row: &RowReport<'_>) -> Option<usize> {
    let removed = row
        .bands
        .last()
        .filter(|band| band.state == State::Removed && !band.declared);
    let planned = removed.map(|band| band.from);
    row.earliest_removal.filter(|at| planned != Some(*at))
}

/// The earliest allowed removal.
pub(super) fn earliest_removal(picture: &PictureReport<'_>, row: &RowReport<'_>, at: usize) -> String {
    let earliest = picture.releases.get(at).map(moment).unwrap_or_default();
    let open = if row.earliest_removal_open { " or later" } else { "" };
    format!("{}: earliest allowed removal {earliest}{open}", row.id)
}

/// A finding with its rule.
pub(super) fn violation(violation: &ViolationReport<'_>) -> String {
    let number = violation.number.map(|number| format!(" #{number}")).unwrap_or_default();
    let ViolationReport {
        severity,
        rule,
        message,
        ..
    } = violation;
    format!("{severity} [{rule}]{number}: {message}")
}

/// What the bands of a row do not show, one line each.
pub(super) fn row(row: &RowReport<'_>) -> String {
    let mut lines = vec![row.id.to_owned(), format!("{}, {}", row.kind.as_str(), row.stability)];
    let more = [
        ("replaced by", row.replacement),
        ("migrate to", row.migrate_to.filter(|end| row.replacement != Some(end))),
        ("not removed before", row.never_before_major.as_deref()),
        ("owner", row.owner),
        ("tracking", row.tracking),
    ];
    lines.extend(
        more.iter()
            .filter_map(|(what, value)| Some(format!("{what}: {}", (*value)?))),
    );
    lines.extend(row.because.iter().map(numbered_fact));
    lines.join("\n")
}

/// Which clients a change of a schema breaks.
pub(super) fn verdict(writers: Verdict, readers: Verdict) -> &'static str {
    match (writers, readers) {
        (Breaking, Breaking) => "breaks writers and readers",
        (Breaking, Risky | Compatible) => "breaks writers",
        (Risky | Compatible, Breaking) => "breaks readers",
        (Risky, Risky) => "risky for both",
        (Risky, Compatible) => "risky for writers",
        (Compatible, Risky) => "risky for readers",
        (Compatible, Compatible) => "compatible",
    }
}

/// Where a change of a schema stands.
pub(super) fn place(change: &DifferenceReport) -> String {
    match (&change.file, change.line) {
        (Some(file), Some(line)) => format!("{}:{line}", one_line(file)),
        (Some(file), None) => one_line(file),
        (None, _) => String::new(),
    }
}

/// A major release that the calendar does not have yet.
pub(super) fn major(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("major {name}")
    } else {
        name.to_owned()
    }
}

/// "removed: 2 releases of slack".
pub(super) fn slack(step: &SlackReport) -> String {
    let slack = match step.slack {
        None if step.standing == Standing::Follow => "follows".to_owned(),
        None => "too late".to_owned(),
        Some(0) => "no slack".to_owned(),
        Some(1) => "1 release of slack".to_owned(),
        Some(slack) => format!("{slack} releases of slack"),
    };
    format!("{}: {slack}", step.event)
}
