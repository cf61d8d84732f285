//! The way to targets as a picture: of each event, the releases from its earliest to its latest.

use std::io::{self, Write};

use super::super::wrap::wrapped;
use super::super::xml::Escaped;
use super::font::Font;
use crate::report::{ByWhenReport, Moment, Standing, WayReport};

const STYLE: &str = include_str!("style.css");

const MARGIN: usize = 16;
const ROW: usize = 24;
/// Above the first row: the title, and the names of releases, without the sentences between them.
const TOP: usize = 76;
const COLUMN: usize = 72;
const MOST_LABEL: usize = 420;
const LEGEND: &str = "a band: from the earliest to the latest release; amber: it decides; a dot: declared or planned";

/// The distance between lines of text.
const LINE: usize = 16;

/// Draws the picture, below some sentences.
pub(in crate::render) fn way(report: &ByWhenReport<'_>, sentences: &[String], out: &mut impl Write) -> io::Result<()> {
    let labels = report.steps.iter().map(|step| Font::ID.width(&label(step)));
    let left = MARGIN + labels.max().unwrap_or(0).min(MOST_LABEL) + MARGIN;
    let width = left + report.releases.len() * COLUMN + MARGIN;
    let width = width.max(Font::SMALL.width(LEGEND) + 2 * MARGIN);
    let room = width - 2 * MARGIN;
    let lines = sentences.iter();
    let lines = lines.flat_map(|sentence| wrapped(sentence, Font::SMALL.letters(room)));
    let lines: Vec<String> = lines.map(|line| Font::SMALL.fit(&line, room)).collect();
    let top = TOP + lines.len() * LINE;
    let bottom = top + report.steps.len() * ROW;
    let height = bottom + 2 * MARGIN + 18;
    let targets: Vec<&str> = report.targets.iter().map(|target| target.target.as_str()).collect();
    let can = if report.reachable { "Reachable" } else { "Not reachable" };
    let title = Font::HEADING.fit(&format!("{can}: {}", targets.join(", ")), room);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"way-title\">"
    )?;
    writeln!(out, "<title id=\"way-title\">{}</title>", Escaped(&title))?;
    writeln!(out, "<style>\n{STYLE}</style>")?;
    writeln!(out, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>")?;
    text(out, (MARGIN, MARGIN + 14), "heading", &title)?;
    for (at, line) in lines.iter().enumerate() {
        text(out, (MARGIN, MARGIN + 14 + (at + 1) * LINE), "soft", line)?;
    }
    for (at, release) in report.releases.iter().enumerate() {
        let x = left + at * COLUMN;
        writeln!(out, "<path class=\"grid\" d=\"M{x}.5 {}V{bottom}\"/>", top - 8)?;
        let name = Font::SMALL.fit(release.release, COLUMN - 6);
        text(out, (x + 4, top - 26), "release", &name)?;
        text(out, (x + 4, top - 12), "soft", release.date.unwrap_or_default())?;
    }
    for (at, step) in report.steps.iter().enumerate() {
        row(report, step, (left, top + at * ROW), out)?;
    }
    text(out, (MARGIN, bottom + 2 * MARGIN), "soft", LEGEND)?;
    writeln!(out, "</svg>")
}

fn label(step: &WayReport<'_>) -> String {
    format!("{} {}", step.element, step.event)
}

fn row(
    report: &ByWhenReport<'_>,
    step: &WayReport<'_>,
    (left, y): (usize, usize),
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "<g>")?;
    writeln!(
        out,
        "<title>{}: {}</title>",
        Escaped(&label(step)),
        Escaped(&step.reason)
    )?;
    let room = left - 2 * MARGIN;
    text(out, (MARGIN, y + 15), "id", &Font::ID.fit(&label(step), room))?;
    let [earliest, latest, now] = [step.earliest, step.latest, step.release].map(|moment| column(report, moment));
    if let Some((first, last)) = earliest.zip(latest).filter(|(first, last)| first <= last) {
        let class = if step.critical { "deprecated" } else { "served" };
        let (x, width) = (left + first * COLUMN + 3, (last - first + 1) * COLUMN - 6);
        writeln!(
            out,
            "<rect class=\"band {class}\" x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"16\" rx=\"3\"/>",
            y + 3
        )?;
    } else if let Some(first) = earliest {
        let x = left + first * COLUMN + 3;
        let follows = step.standing == Standing::Follow;
        let class = if follows { "band served" } else { "too-early" };
        writeln!(
            out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{}\" width=\"{}\" height=\"16\" rx=\"3\"/>",
            y + 3,
            COLUMN - 6
        )?;
        if !follows {
            text(out, (x + 5, y + 15), "error", "too late")?;
        }
    }
    if let Some(at) = now {
        let x = left + at * COLUMN + COLUMN / 2;
        writeln!(out, "<circle class=\"earliest\" cx=\"{x}\" cy=\"{}\" r=\"4\"/>", y + 11)?;
    }
    writeln!(out, "</g>")
}

fn column(report: &ByWhenReport<'_>, moment: Option<Moment<'_>>) -> Option<usize> {
    let release = moment?.release;
    report.releases.iter().position(|other| other.release == release)
}

fn text(out: &mut impl Write, (x, y): (usize, usize), class: &str, text: &str) -> io::Result<()> {
    writeln!(
        out,
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>",
        Escaped(text)
    )
}
