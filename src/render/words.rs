//! What a picture shows, in words: for titles, and for those who cannot see it.

use crate::release::DateKind;
use crate::report::{BandReport, Moment, PictureReport, RowReport, SpanReport, ViolationReport};

/// A release and its day: `1.25 (2022-08-23)`.
pub(super) fn moment(moment: &Moment<'_>) -> String {
    match (moment.date, moment.date_kind) {
        (Some(date), DateKind::Projected) => format!("{} (projected {date})", moment.release),
        (Some(date), _) => format!("{} ({date})", moment.release),
        (None, _) => moment.release.to_owned(),
    }
}

/// What a picture shows.
pub(super) fn title(picture: &PictureReport<'_>) -> String {
    match (picture.releases.first(), picture.releases.last()) {
        (Some(first), Some(last)) => format!("Public surface, {} to {}", first.release, last.release),
        _ => "Public surface".to_owned(),
    }
}

/// How grave the gravest finding about an element is.
pub(super) fn gravest(row: &RowReport<'_>) -> Option<&'static str> {
    let severities = ["error", "warning", "note"];
    let is_there = |severity: &&str| row.violations.iter().any(|found| found.severity == *severity);
    severities.into_iter().find(is_there)
}

/// From when to when: `from 1.22 (2021-08-04) until 1.25 (2022-08-23)`.
fn stretch(picture: &PictureReport<'_>, from: usize, until: Option<usize>) -> String {
    let named = |at: usize| picture.releases.get(at).map(moment).unwrap_or_default();
    match until {
        Some(until) => format!("from {} until {}", named(from), named(until)),
        None => format!("from {} on", named(from)),
    }
}

/// A state, its time, and who says so.
pub(super) fn band(picture: &PictureReport<'_>, row: &RowReport<'_>, band: &BandReport) -> String {
    let level = band
        .level
        .map(|name| format!(", {}", level(row, name)))
        .unwrap_or_default();
    let said = match band.declared {
        true => "declared",
        false if is_planned(picture, band) => "planned",
        false => "not declared",
    };
    let time = stretch(picture, band.from, band.until);
    format!("{}: {}{level} {time}; {said}", row.id, band.state)
}

/// The level of a gate or a metric in a state, where that says more than the state.
pub(super) fn level_in(row: &RowReport<'_>, band: &BandReport) -> Option<String> {
    let level = band.level.map(|name| level(row, name));
    level.filter(|level| level != band.state && band.state != "gone")
}

/// Whether a state begins by plan: not declared, and neither there from the first release on nor shipped.
pub(super) fn is_planned(picture: &PictureReport<'_>, band: &BandReport) -> bool {
    let begun = picture.current.is_some_and(|current| band.from <= current);
    !band.declared && !begun && (band.from > 0 || band.state != "served")
}

/// Whether two elements are in the same states at the same times, whoever says so.
pub(super) fn alike(one: &[BandReport], other: &[BandReport]) -> bool {
    let seen =
        |bands: &[BandReport]| -> Vec<_> { bands.iter().map(|band| (band.state, band.from, band.until)).collect() };
    seen(one) == seen(other)
}

/// While a version is preferred, or the storage version.
pub(super) fn reign(picture: &PictureReport<'_>, row: &RowReport<'_>, what: &str, span: &SpanReport) -> String {
    format!("{}: {what} {}", row.id, stretch(picture, span.from, span.until))
}

/// The soonest release of an element's removal, where it is marked: not where a removal planned there says it already.
pub(super) fn marked_earliest(row: &RowReport<'_>) -> Option<usize> {
    let removed = row.bands.last().filter(|band| band.state == "gone" && !band.declared);
    let planned = removed.map(|band| band.from);
    row.earliest_removal.filter(|at| planned != Some(*at))
}

/// The soonest an element may be removed.
pub(super) fn earliest_removal(picture: &PictureReport<'_>, row: &RowReport<'_>, at: usize) -> String {
    let soonest = picture.releases.get(at).map(moment).unwrap_or_default();
    let open = if row.earliest_removal_open { " or later" } else { "" };
    format!("{}: may be removed from {soonest}{open} on", row.id)
}

/// A stage or class as people write it: `beta`, `GA`, and of metrics `STABLE`.
pub(super) fn level(row: &RowReport<'_>, level: &'static str) -> String {
    match level {
        "ga" => "GA".to_owned(),
        level if row.kind == "metric" => level.to_uppercase(),
        level => level.to_owned(),
    }
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

/// All there is to say of a row that its bands do not: a line each.
pub(super) fn row(row: &RowReport<'_>) -> String {
    let mut lines = vec![
        row.id.to_owned(),
        format!("{}, {}", row.kind, level(row, row.stability)),
    ];
    let more = [
        ("replaced by", row.replacement),
        ("migrate to", row.migrate_to.filter(|end| row.replacement != Some(end))),
        ("not removed before", row.never_before_major.as_deref()),
        ("owner", row.owner),
        ("tracking", row.tracking),
    ];
    lines.extend(
        more.iter()
            .filter_map(|(what, said)| Some(format!("{what}: {}", (*said)?))),
    );
    lines.extend(row.because.iter().map(|fact| match fact.number {
        Some(number) => format!("#{number}: {}", fact.text),
        None => fact.text.clone(),
    }));
    lines.join("\n")
}
