//! The legend: the marks that a picture has, and what they mean.

use std::io::{self, Write};

use super::super::words;
use super::font::Font;
use super::layout::{LEGEND, Layout, MARGIN};
use super::row::{PREFERRED, Role, STORED, cross, diamond, edge, finding, letter};
use crate::diagnostic::Severity;
use crate::report::{PictureReport, State};

/// How a mark of the legend is drawn.
#[derive(Debug, Clone, Copy)]
enum Mark {
    State(State),
    Planned,
    Removed { planned: bool },
    Shipped,
    Role(Role),
    Earliest,
    Finding(Severity),
}

pub(super) struct Legend {
    /// Marks with their meanings, and where they are.
    entries: Vec<(Mark, &'static str, usize, usize)>,
    /// Its lower end.
    pub(super) bottom: usize,
}

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
            entries.push((mark, text, x, y));
            x += width;
        }
        let bottom = y + LEGEND;
        Self { entries, bottom }
    }

    pub(super) fn draw(&self, out: &mut impl Write) -> io::Result<()> {
        for (mark, text, x, y) in &self.entries {
            draw(*mark, *x, *y, out)?;
            let (x, y) = (x + MARK, y + 15);
            writeln!(out, "<text class=\"soft\" x=\"{x}\" y=\"{y}\">{text}</text>")?;
        }
        Ok(())
    }
}

impl Mark {
    fn is_in(self, picture: &PictureReport<'_>) -> bool {
        let (mut rows, mut bands) = (picture.rows(), picture.rows().flat_map(|row| &row.bands));
        match self {
            Self::State(state) => bands.any(|band| band.state == state),
            Self::Planned => bands.any(|band| words::is_planned(picture, band) && band.state != State::Removed),
            Self::Shipped => picture.current.is_some(),
            Self::Removed { planned } => {
                bands.any(|band| band.state == State::Removed && words::is_planned(picture, band) == planned)
            }
            Self::Role(role) => rows.any(|row| !(role.spans)(row).is_empty()),
            Self::Earliest => rows.any(|row| words::marked_earliest(row).is_some()),
            Self::Finding(severity) => rows.any(|row| words::highest_severity(row) == Some(severity)),
        }
    }
}

/// The marks that a picture has, with their meanings.
fn present(picture: &PictureReport<'_>) -> Vec<(Mark, &'static str)> {
    let marks = [
        (Mark::State(State::Tolerated), "tolerated"),
        (Mark::State(State::Served), "served"),
        (Mark::State(State::Deprecated), "deprecated"),
        (Mark::State(State::Hidden), "hidden"),
        (Mark::Planned, "planned, not declared"),
        (Mark::Removed { planned: false }, "removed"),
        (Mark::Removed { planned: true }, "removal planned"),
        (Mark::Role(PREFERRED), PREFERRED.title),
        (Mark::Role(STORED), STORED.title),
        (Mark::Earliest, "earliest allowed removal"),
        (Mark::Shipped, "shipped up to here"),
        (Mark::Finding(Severity::Error), "error"),
        (Mark::Finding(Severity::Warning), "warning"),
        (Mark::Finding(Severity::Note), "note"),
    ];
    marks.into_iter().filter(|(mark, _)| mark.is_in(picture)).collect()
}

fn draw(mark: Mark, x: usize, y: usize, out: &mut impl Write) -> io::Result<()> {
    let (top, middle) = (y + 5, y + 11);
    let place = format!("x=\"{x}.5\" y=\"{top}.5\" width=\"26\" height=\"13\" rx=\"2\"");
    match mark {
        Mark::State(state) => {
            write!(out, "<rect class=\"band {}\" {place}/>", state.as_str())?;
            edge(state, x, top, out)
        }
        Mark::Planned => write!(
            out,
            "<rect class=\"band served\" {place}/><rect class=\"hatched\" {place}/>"
        ),
        Mark::Removed { planned } => cross(planned, x + 10, middle, out),
        Mark::Role(role) => {
            let (class, line, end) = (role.class, y + role.line_in_legend, x + 26);
            write!(
                out,
                "<line class=\"{class}\" x1=\"{x}\" y1=\"{line}\" x2=\"{end}\" y2=\"{line}\"/>"
            )?;
            letter(role, x, middle, out)
        }
        Mark::Shipped => write!(out, "<path class=\"current\" d=\"M{}.5 {}v16\"/>", x + 13, y + 3),
        Mark::Earliest => diamond(x + 14, middle, out),
        Mark::Finding(severity) => finding(severity, x + 14, middle, out),
    }
}
