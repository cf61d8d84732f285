//! The timeline as a page of HTML that needs nothing beside it: rows to read without a script, and data for the script.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;

use super::{TemplateError, Templates, visible, words};
use crate::report::{BandReport, Moment, PictureReport, PolicyReport, RowReport, RowsReport};

const PAGE: &str = include_str!("../../templates/timeline.html");
const STYLE: &str = include_str!("../../templates/timeline.css");
const SCRIPT: &str = concat!(
    include_str!("../../templates/timeline-details.js"),
    include_str!("../../templates/timeline.js"),
);

/// The timeline as a page: one file without links to others.
///
/// # Errors
///
/// If the template does not fit the picture.
pub fn picture(picture: &PictureReport<'_>) -> Result<String, TemplateError> {
    let mut templates = Templates::default();
    templates.put("timeline.html", "timeline.html", PAGE);
    let whole = Whole {
        page: Page::of(picture)?,
        style: STYLE,
        script: SCRIPT,
    };
    templates.render("timeline.html", &whole)
}

/// What the template sees.
#[derive(Serialize)]
struct Whole {
    page: Page,
    style: &'static str,
    script: &'static str,
}

/// The timeline, as the template has it.
#[derive(Serialize)]
struct Page {
    policies: Vec<String>,
    releases: Vec<Column>,
    /// The release whose states are told first.
    at: usize,
    /// Whether that is the newest that has shipped.
    shipped: bool,
    /// From here on dates are guesses.
    projected: Option<usize>,
    elements: usize,
    groups: Vec<Group>,
    kinds: BTreeSet<&'static str>,
    stabilities: BTreeSet<&'static str>,
    states: [&'static str; 6],
    /// The picture for the script, as it stands in a script element.
    data: String,
}

/// The states a row can be in, in the order of a life.
const STATES: [&str; 6] = [NOT_YET, "tolerated", "served", "deprecated", "hidden", "gone"];

/// Before the first band.
const NOT_YET: &str = "not yet";

/// A release, at the head of its column.
#[derive(Serialize)]
struct Column {
    name: String,
    date: Option<String>,
    /// Year and month, where there is a day.
    month: Option<String>,
    kind: &'static str,
}

#[derive(Serialize)]
struct Group {
    name: String,
    count: usize,
    blocks: Vec<Vec<Row>>,
}

/// Rows that a browser lays out together once they come into sight.
const BLOCK: usize = 40;

#[derive(Serialize)]
struct Row {
    /// The version, where that is not all there is to say.
    version: Option<String>,
    name: String,
    /// Whether it is a version of a group: the others are parts of one, or stand alone.
    is_version: bool,
    depth: usize,
    now: &'static str,
    /// The gravest finding.
    worst: Option<&'static str>,
    bands: Vec<Stretch>,
    reigns: Vec<Stretch>,
    /// The soonest it may be removed, where no planned removal says so.
    earliest: Option<usize>,
    sentence: String,
}

/// What is drawn over releases.
#[derive(Serialize)]
struct Stretch {
    class: &'static str,
    from: usize,
    /// How many releases.
    count: usize,
    planned: bool,
    /// What is written on it, if that is not what it is.
    text: Option<String>,
}

impl Page {
    fn of(picture: &PictureReport<'_>) -> Result<Self, TemplateError> {
        let data = serde_json::to_string(picture).map_err(|problem| TemplateError::of_data(&problem.to_string()))?;
        let releases: Vec<Column> = picture.releases.iter().map(Column::of).collect();
        let at = picture.current.unwrap_or(0);
        let rows = || picture.groups.iter().flat_map(|group| &group.rows);
        Ok(Self {
            policies: picture.policies.iter().map(policy).collect(),
            at,
            shipped: picture.current.is_some(),
            projected: releases.iter().position(|release| release.kind == "projected"),
            elements: rows().count(),
            groups: picture
                .groups
                .iter()
                .map(|group| Group::of(group, picture, at))
                .collect(),
            kinds: rows().map(|row| row.kind).collect(),
            stabilities: rows().map(|row| row.stability).collect(),
            states: STATES,
            // What ends a script element cannot be in it.
            data: visible(&data).replace('<', "\\u003c"),
            releases,
        })
    }
}

fn policy(policy: &PolicyReport<'_>) -> String {
    let mut text = policy.name.to_owned();
    if !policy.edition.is_empty() {
        let _ = write!(text, " {}", policy.edition);
    }
    if let Some(from) = policy.from {
        let _ = write!(text, " from {from}");
    }
    visible(&text)
}

impl Column {
    fn of(release: &Moment<'_>) -> Self {
        Self {
            name: visible(release.release),
            date: release.date.map(visible),
            month: release
                .date
                .and_then(|day| day.rsplit_once('-'))
                .map(|(month, _)| visible(month)),
            kind: release.date_kind.as_str(),
        }
    }
}

impl Group {
    fn of(group: &RowsReport<'_>, picture: &PictureReport<'_>, at: usize) -> Self {
        let block = |rows: &[RowReport<'_>]| rows.iter().map(|row| Row::of(row, picture, at)).collect();
        Self {
            name: visible(&group.group),
            count: group.rows.len(),
            blocks: group.rows.chunks(BLOCK).map(block).collect(),
        }
    }
}

impl Row {
    fn of(row: &RowReport<'_>, picture: &PictureReport<'_>, at: usize) -> Self {
        let end = picture.releases.len();
        let is_part = row.depth > 0 && !row.kind.starts_with("cli-");
        let (version, name) = match row.label.split_once(' ').filter(|_| is_part) {
            Some((version, name)) => (Some(visible(version)), name),
            None => (None, row.label),
        };
        let now = row.bands.iter().rev().find(|band| band.from <= at);
        Self {
            version,
            name: visible(name),
            is_version: row.kind.ends_with("version"),
            depth: row.depth,
            now: now.map_or(NOT_YET, |band| band.state),
            worst: words::gravest(row),
            bands: row.bands.iter().map(|band| Stretch::band(band, row, picture)).collect(),
            reigns: [("preferred", &row.preferred), ("stored", &row.stored)]
                .into_iter()
                .flat_map(|(class, spans)| {
                    spans
                        .iter()
                        .map(move |span| Stretch::new(class, span.from, span.until, end))
                })
                .collect(),
            earliest: words::marked_earliest(row),
            sentence: visible(&sentence(row, picture)),
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

    fn band(band: &BandReport, row: &RowReport<'_>, picture: &PictureReport<'_>) -> Self {
        let text = |level: String| match band.state {
            "served" => level,
            state => format!("{level}, {state}"),
        };
        Self {
            planned: words::is_planned(picture, band),
            text: words::level_in(row, band).map(text),
            ..Self::new(band.state, band.from, band.until, picture.releases.len())
        }
    }
}

/// A row for those who hear it.
fn sentence(row: &RowReport<'_>, picture: &PictureReport<'_>) -> String {
    let name = |at: usize| picture.releases.get(at).map_or("", |release| release.release);
    let mut text = format!("{} {}", row.stability, row.kind);
    for (at, band) in row.bands.iter().enumerate() {
        text.push_str(if at == 0 { ": " } else { ", " });
        if let Some(level) = words::level_in(row, band) {
            let _ = write!(text, "{level} ");
        }
        let planned = if words::is_planned(picture, band) {
            " (planned)"
        } else {
            ""
        };
        let _ = write!(text, "{} from {}{planned}", band.state, name(band.from));
    }
    text.push('.');
    for (what, spans) in [("Preferred", &row.preferred), ("Stored", &row.stored)] {
        for span in spans {
            let _ = write!(text, " {what} from {}", name(span.from));
            if let Some(until) = span.until {
                let _ = write!(text, " until {}", name(until));
            }
            text.push('.');
        }
    }
    if let Some(earliest) = row.earliest_removal {
        let _ = write!(text, " Removal not before {}.", name(earliest));
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
