//! The timeline as one HTML file: rows to read, and data for the script.
//!
//! The rows are HTML, so that the page can be read and printed without its script, which finds, hides and explains.
//! They are in blocks that a browser lays out once they are visible; the explanations are data, because thousands of
//! them would take long to open. The page's policy admits this script alone, by its hash, and no request: what a user
//! typed could not act even if escaping failed. There is no framework: a file that works for years from a disk needs
//! nothing that is updated.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;

use super::record::{self, Breach, Part};
use super::{TemplateError, Templates, visible, words};
use crate::diagnostic::Severity;
use crate::grammar::{ElementPath, rest_within};
use crate::report::{
    BandReport, Moment, Overlay, OverlayReport, PictureReport, PolicyReport, RecordReport, RowReport, RowsReport,
    SlackReport, Standing, Tally,
};

const PAGE: &str = include_str!("../../templates/timeline.html");
const STYLE: &str = include_str!("../../templates/timeline.css");
const SCRIPT: &str = concat!(
    include_str!("../../templates/timeline-details.js"),
    include_str!("../../templates/timeline.js"),
);

/// The timeline as a page.
pub fn picture(picture: &PictureReport<'_>) -> Result<String, TemplateError> {
    let mut templates = Templates::default();
    templates.put("timeline.html", "timeline.html", PAGE);
    templates.render("timeline.html", &BTreeMap::from([("page", Page::of(picture)?)]))
}

/// The timeline for the template.
#[derive(Serialize)]
struct Page<'p> {
    style: &'static str,
    script: &'static str,
    policies: &'p [PolicyReport<'p>],
    releases: Vec<Column<'p>>,
    /// The release whose states are shown first.
    at: usize,
    /// Whether it is the newest that has shipped.
    shipped: bool,
    /// The first release with a projected date.
    projected: Option<usize>,
    elements: usize,
    groups: Vec<Group<'p>>,
    kinds: BTreeSet<&'p str>,
    stabilities: BTreeSet<&'static str>,
    states: [&'static str; 6],
    record: Option<Record<'p>>,
    /// Whether evidence says what is used.
    has_usage: bool,
    overlay: Option<&'p OverlayReport>,
    /// Whether that is what a change moves.
    is_change: bool,
    /// The picture for the script, escaped for a script element.
    data: String,
}

/// The states of rows, in the order of a life.
const STATES: [&str; 6] = [NOT_YET, "tolerated", "served", "deprecated", "hidden", "gone"];

/// Before the first band.
const NOT_YET: &str = "not yet";

/// How the product kept its policy.
#[derive(Serialize)]
struct Record<'p> {
    total: Tally,
    percent: usize,
    parts: Vec<Part<'p>>,
    broken: usize,
    worst: Vec<Breach<'p>>,
}

impl<'p> Record<'p> {
    fn of(report: &'p RecordReport<'p>) -> Self {
        let sections = [
            ("rule", report.rules.as_slice()),
            ("owner", &report.owners),
            ("year", &report.years),
        ];
        Self {
            total: report.total,
            percent: report.total.percent(),
            parts: record::parts(sections, true),
            broken: report.total.broken(),
            worst: report.worst().into_iter().map(Breach::of).collect(),
        }
    }
}

/// A release, at the head of its column.
#[derive(Serialize)]
struct Column<'p> {
    name: &'p str,
    date: Option<&'p str>,
    /// Year and month, where there is a day.
    month: Option<&'p str>,
    kind: &'static str,
}

#[derive(Serialize)]
struct Group<'p> {
    name: &'p str,
    count: usize,
    blocks: Vec<Vec<Row<'p>>>,
}

/// Rows that a browser lays out together once they are visible.
const BLOCK: usize = 40;

#[derive(Serialize)]
struct Row<'p> {
    /// The version, if the name has more parts.
    version: Option<&'p str>,
    name: &'p str,
    /// Whether it is a version of a group.
    is_version: bool,
    depth: usize,
    now: &'static str,
    /// The highest severity of its findings.
    worst: Option<&'static str>,
    bands: Vec<Stretch>,
    roles: Vec<Stretch>,
    /// From the release in use when it was used first to that when it was used last, as far as evidence goes.
    used: Option<Stretch>,
    /// The earliest allowed removal, unless a removal is planned there.
    earliest: Option<usize>,
    /// Whether a change moves it.
    moved: bool,
    /// Its states before a change.
    before: Vec<Stretch>,
    /// From the earliest to the latest release of its events on the way to a target.
    way: Vec<Stretch>,
    sentence: String,
}

/// A mark over a range of releases.
#[derive(Serialize)]
struct Stretch {
    class: &'static str,
    from: usize,
    /// The number of releases.
    count: usize,
    planned: bool,
    /// Its words, if they are not its class.
    text: Option<String>,
}

impl<'p> Page<'p> {
    fn of(picture: &'p PictureReport<'p>) -> Result<Self, TemplateError> {
        let data = serde_json::to_string(picture).map_err(|problem| TemplateError::of_data(&problem.to_string()))?;
        let releases: Vec<Column<'_>> = picture.releases.iter().map(Column::of).collect();
        let at = picture.current.unwrap_or(0);
        let groups = picture.groups.iter();
        Ok(Self {
            style: STYLE,
            script: SCRIPT,
            policies: &picture.policies,
            at,
            shipped: picture.current.is_some(),
            projected: releases.iter().position(|release| release.kind == "projected"),
            elements: picture.rows().count(),
            groups: groups.map(|group| Group::of(group, picture, at)).collect(),
            kinds: picture.rows().map(|row| row.kind.as_str()).collect(),
            stabilities: picture.rows().map(|row| row.stability.as_str()).collect(),
            states: STATES,
            record: picture.record.as_ref().map(Record::of),
            has_usage: picture.rows().any(|row| !row.usage.is_empty()),
            overlay: picture.overlay.as_ref(),
            is_change: picture
                .overlay
                .as_ref()
                .is_some_and(|overlay| overlay.kind == Overlay::WhatIf),
            // The end of a script element must not occur in it.
            data: visible(&data).replace('<', "\\u003c"),
            releases,
        })
    }
}

impl<'p> Column<'p> {
    fn of(release: &Moment<'p>) -> Self {
        Self {
            name: release.release,
            date: release.date,
            month: release.date.and_then(|day| Some(day.rsplit_once('-')?.0)),
            kind: release.date_kind.as_str(),
        }
    }
}

impl<'p> Group<'p> {
    fn of(group: &'p RowsReport<'_>, picture: &PictureReport<'_>, at: usize) -> Self {
        let blocks = group.rows.chunks(BLOCK);
        let blocks = blocks.map(|rows| rows.iter().map(|row| Row::of(row, picture, at)).collect());
        Self {
            name: &group.group,
            count: group.rows.len(),
            blocks: blocks.collect(),
        }
    }
}

impl<'p> Row<'p> {
    fn of(row: &'p RowReport<'_>, picture: &PictureReport<'_>, at: usize) -> Self {
        let end = picture.releases.len();
        let (version, name) = version_and_name(row).unzip();
        let now = row.bands.iter().rev().find(|band| band.from <= at);
        let roles = [("preferred", &row.preferred), ("stored", &row.stored)].into_iter();
        Self {
            version,
            name: name.unwrap_or(row.label),
            is_version: row.kind.row.is_version(),
            depth: row.depth,
            now: now.map_or(NOT_YET, |band| band.state.as_str()),
            worst: words::highest_severity(row).map(Severity::as_str),
            bands: row.bands.iter().map(|band| Stretch::band(band, picture)).collect(),
            roles: roles
                .flat_map(|(class, spans)| {
                    spans
                        .iter()
                        .map(move |span| Stretch::new(class, span.from, span.until, end))
                })
                .collect(),
            used: Stretch::used(row, picture),
            earliest: words::marked_earliest(row),
            moved: row.before.is_some(),
            before: row
                .before
                .iter()
                .flatten()
                .map(|band| Stretch::band(band, picture))
                .collect(),
            way: row
                .way
                .iter()
                .filter_map(|step| Stretch::slack(step, picture))
                .collect(),
            sentence: sentence(row, picture),
        }
    }
}

impl Stretch {
    fn new(class: &'static str, from: usize, until: Option<usize>, end: usize) -> Self {
        Self {
            class,
            from,
            count: until.unwrap_or(end).saturating_sub(from),
            planned: false,
            text: None,
        }
    }

    /// While it was used. Days before the first release with a date have no place.
    fn used(row: &RowReport<'_>, picture: &PictureReport<'_>) -> Option<Self> {
        let mut used = row.usage.iter().filter(|day| day.count > 0);
        let (first, last) = (used.next()?, used.next_back());
        let [from, last] = [first, last.unwrap_or(first)].map(|used| {
            let mut releases = picture.releases.iter();
            releases.rposition(|release| release.date.is_some_and(|date| date <= used.day.as_str()))
        });
        Some(Self::new("used", from?, Some(last? + 1), picture.releases.len()))
    }

    /// From the earliest to the latest release of an event; of one that comes too late, the earliest alone.
    fn slack(step: &SlackReport, picture: &PictureReport<'_>) -> Option<Self> {
        let from = step.earliest.or(step.latest)?;
        let class = match (step.slack, step.critical) {
            (None, _) if step.standing == Standing::Follow => "slack",
            (None, _) => "late",
            (Some(_), true) => "critical",
            (Some(_), false) => "slack",
        };
        let until = step
            .latest
            .filter(|_| step.slack.is_some())
            .map_or(from + 1, |latest| latest + 1);
        Some(Self {
            text: Some(words::slack(step)),
            ..Self::new(class, from, Some(until), picture.releases.len())
        })
    }

    fn band(band: &BandReport, picture: &PictureReport<'_>) -> Self {
        Self {
            planned: words::is_planned(picture, band),
            text: words::level_in(band).map(|_| words::state(band)),
            ..Self::new(band.state.as_str(), band.from, band.until, picture.releases.len())
        }
    }
}

/// The version of a label and what comes after it, if anything does.
fn version_and_name<'p>(row: &'p RowReport<'_>) -> Option<(&'p str, &'p str)> {
    let path = ElementPath::parse(row.id).ok()?;
    let name = rest_within(row.id, &path.version()?.to_string()).filter(|name| !name.is_empty())?;
    Some((row.label.strip_suffix(name)?, name.trim_start()))
}

fn release<'p>(picture: &'p PictureReport<'_>, at: usize) -> &'p str {
    picture.releases.get(at).map_or("", |release| release.release)
}

/// A row as a sentence, for screen readers.
fn sentence(row: &RowReport<'_>, picture: &PictureReport<'_>) -> String {
    let mut text = format!("{} {}", row.stability, row.kind.as_str());
    for (at, band) in row.bands.iter().enumerate() {
        text.push_str(if at == 0 { ": " } else { ", " });
        if let Some(level) = words::level_in(band) {
            let _ = write!(text, "{level} ");
        }
        let _ = write!(text, "{} from {}", band.state, release(picture, band.from));
        if words::is_planned(picture, band) {
            text.push_str(" (planned)");
        }
    }
    text.push('.');
    for (what, spans) in [("Preferred", &row.preferred), ("Stored", &row.stored)] {
        for span in spans {
            let _ = write!(text, " {what} from {}", release(picture, span.from));
            if let Some(until) = span.until {
                let _ = write!(text, " until {}", release(picture, until));
            }
            text.push('.');
        }
    }
    if let Some(earliest) = row.earliest_removal {
        let _ = write!(text, " Removal not before {}.", release(picture, earliest));
    }
    for (at, band) in row.before.iter().flatten().enumerate() {
        text.push_str(if at == 0 { " Before: " } else { ", " });
        let _ = write!(text, "{} from {}", band.state, release(picture, band.from));
    }
    if let Some(before) = &row.before {
        text.push_str(if before.is_empty() { " New." } else { "." });
    }
    for step in &row.way {
        let latest = step.latest.map_or("", |latest| release(picture, latest));
        match step.slack {
            Some(_) => {
                let _ = write!(text, " {} by {latest}.", words::slack(step));
            }
            None => {
                let _ = write!(text, " {}.", words::slack(step));
            }
        }
    }
    if !row.usage.is_empty() {
        let count = row.usage.iter().fold(0_u64, |sum, day| sum.saturating_add(day.count));
        let _ = write!(text, " Used {count} times in {} days of evidence.", row.usage.len());
    }
    match row.violations.len() {
        0 => {}
        1 => text.push_str(" 1 finding."),
        more => {
            let _ = write!(text, " {more} findings.");
        }
    }
    text
}
