//! What the marks of a picture mean: those that it has.

use std::io::{self, Write};

use super::super::words;
use super::font::Font;
use super::layout::{LEGEND, Layout, MARGIN};
use super::row::{cross, diamond, edge, finding, letter, removal};
use crate::report::PictureReport;

/// How a mark of the legend is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    State(&'static str),
    Planned,
    Removed(&'static str),
    Shipped,
    Reign(&'static str, &'static str),
    Earliest,
    Finding(&'static str),
}

/// A mark, where it stands, and what it means.
struct Entry {
    mark: Mark,
    text: &'static str,
    x: usize,
    y: usize,
}

/// The marks of a picture, each in its place.
pub(super) struct Legend {
    entries: Vec<Entry>,
    bottom: usize,
}

/// The space of a mark.
const MARK: usize = 34;

impl Legend {
    pub(super) fn of(picture: &PictureReport<'_>, layout: &Layout) -> Self {
        let (mut x, mut y) = (MARGIN, layout.bottom + 10);
        let mut entries = Vec::new();
        for (mark, text) in present(picture) {
            let width = MARK + Font::SMALL.width(text) + 16;
            if x > MARGIN && x + width > layout.width() - MARGIN {
                (x, y) = (MARGIN, y + LEGEND);
            }
            entries.push(Entry { mark, text, x, y });
            x += width;
        }
        Self {
            entries,
            bottom: y + LEGEND,
        }
    }

    /// Where the legend ends.
    pub(super) fn bottom(&self) -> usize {
        self.bottom
    }

    pub(super) fn draw(&self, out: &mut impl Write) -> io::Result<()> {
        for entry in &self.entries {
            let Entry { mark, text, x, y } = *entry;
            draw(mark, x, y, out)?;
            writeln!(
                out,
                "<text class=\"soft\" x=\"{}\" y=\"{}\">{text}</text>",
                x + MARK,
                y + 15
            )?;
        }
        Ok(())
    }
}

/// The marks that a picture has, with their meaning.
fn present(picture: &PictureReport<'_>) -> Vec<(Mark, &'static str)> {
    let rows = || picture.groups.iter().flat_map(|group| &group.rows);
    let bands = || rows().flat_map(|row| &row.bands);
    let has = |mark: Mark| match mark {
        Mark::State(state) => bands().any(|band| band.state == state),
        Mark::Planned => bands().any(|band| words::is_planned(picture, band) && band.state != "gone"),
        Mark::Shipped => picture.current.is_some(),
        Mark::Removed(class) => {
            let mut gone = bands().filter(|band| band.state == "gone");
            gone.any(|band| removal(picture, band) == class)
        }
        Mark::Reign("P", _) => rows().any(|row| !row.preferred.is_empty()),
        Mark::Reign(..) => rows().any(|row| !row.stored.is_empty()),
        Mark::Earliest => rows().any(|row| words::marked_earliest(row).is_some()),
        Mark::Finding(severity) => rows().any(|row| words::gravest(row) == Some(severity)),
    };
    let marks = [
        (Mark::State("tolerated"), "tolerated"),
        (Mark::State("served"), "served"),
        (Mark::State("deprecated"), "deprecated"),
        (Mark::State("hidden"), "hidden"),
        (Mark::Planned, "planned, not declared"),
        (Mark::Removed("removed"), "removed"),
        (Mark::Removed("removed planned"), "removal planned"),
        (Mark::Reign("P", "preferred"), "preferred version"),
        (Mark::Reign("S", "stored"), "storage version"),
        (Mark::Earliest, "earliest legal removal"),
        (Mark::Shipped, "shipped up to here"),
        (Mark::Finding("error"), "breaks the policy"),
        (Mark::Finding("warning"), "warning"),
        (Mark::Finding("note"), "note"),
    ];
    marks.into_iter().filter(|(mark, _)| has(*mark)).collect()
}

fn draw(mark: Mark, x: usize, y: usize, out: &mut impl Write) -> io::Result<()> {
    let (top, middle) = (y + 5, y + 11);
    let place = format!("x=\"{x}.5\" y=\"{top}.5\" width=\"26\" height=\"13\" rx=\"2\"");
    match mark {
        Mark::State(state) => {
            write!(out, "<rect class=\"band {state}\" {place}/>")?;
            edge(state, x, top, out)
        }
        Mark::Planned => write!(
            out,
            "<rect class=\"band served\" {place}/><rect class=\"hatched\" {place}/>"
        ),
        Mark::Removed(class) => cross(class, x + 10, middle, out),
        Mark::Reign(sign, class) => {
            let line = if sign == "P" { y + 2 } else { y + 21 };
            let end = x + 26;
            write!(
                out,
                "<line class=\"{class}\" x1=\"{x}\" y1=\"{line}\" x2=\"{end}\" y2=\"{line}\"/>"
            )?;
            letter(class, sign, x, middle, out)
        }
        Mark::Shipped => write!(out, "<path class=\"current\" d=\"M{}.5 {}v16\"/>", x + 13, y + 3),
        Mark::Earliest => diamond(x + 14, middle, out),
        Mark::Finding(severity) => finding(severity, x + 14, middle, out),
    }
}
