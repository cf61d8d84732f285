//! The layout of a picture, in pixels.

use super::font::Font;
use crate::report::PictureReport;

pub(super) const ROW: usize = 24;
/// The height of the line that names a group.
pub(super) const GROUP: usize = 30;
/// The empty space along the border.
pub(super) const MARGIN: usize = 16;
pub(super) const INDENT: usize = 12;
/// How far an open state extends past the last release.
pub(super) const GOES_ON: usize = 8;
/// The space for the marks of findings, right of the labels.
pub(super) const GUTTER: usize = 22;
/// The least and the greatest width of labels.
const LABELS: (usize, usize) = (140, 330);
/// The height of the heading and the line below it.
const HEADING: usize = 44;
/// The height of a legend's line.
pub(super) const LEGEND: usize = 22;

/// The positions in a picture.
#[derive(Debug)]
pub(super) struct Layout {
    /// Where the first release begins.
    pub(super) left: usize,
    pub(super) column: usize,
    pub(super) releases: usize,
    /// Where the first group begins.
    pub(super) top: usize,
    /// The orientation of the names of releases.
    pub(super) names: Names,
    /// The height of the names of releases.
    header: usize,
    /// How far the names of releases are above the first group.
    pub(super) rise: usize,
    /// Whether there is room to repeat the releases above each group.
    pub(super) repeated: bool,
    /// Every how many releases one is named.
    pub(super) every: usize,
    /// Where the rows end.
    pub(super) bottom: usize,
}

/// The orientation of the names of releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// Horizontal, a day below its release.
    Level,
    /// Slanted, a day after its release.
    Aslant,
}

/// Slanted names of releases are cut to this width.
const LONGEST_NAME: usize = 110;
/// The least distance between slanted names.
const ASLANT_APART: usize = 18;

impl Layout {
    pub(super) fn of(picture: &PictureReport<'_>) -> Self {
        let releases = picture.releases.len();
        let names = picture.releases.iter().map(|moment| Font::SMALL.width(moment.release));
        let name = names.max().unwrap_or(0);
        let days = picture.releases.iter().filter_map(|moment| moment.date);
        let day = days.map(|day| Font::SMALL.width(day)).max();
        let wide = name.max(day.unwrap_or(0)) + 8;
        let (column, names) = match releases {
            0..=12 if wide <= 90 => (wide.max(64), Names::Level),
            0..=24 if day.is_none() && wide <= 56 => (wide.max(48), Names::Level),
            0..=24 => (48, Names::Aslant),
            25..=48 => (36, Names::Aslant),
            49..=120 => (24, Names::Aslant),
            _ => (12, Names::Aslant),
        };
        let header = match (names, day) {
            (Names::Level, None) => 20,
            (Names::Level, Some(_)) => 34,
            // The diagonal of a square is its side times 1.41.
            (Names::Aslant, day) => (name.min(LONGEST_NAME) + day.map_or(0, |day| day + 8)) * 100 / 141 + 20,
        };
        let top = MARGIN + HEADING + header;
        let rows: usize = picture.groups.iter().map(|group| GROUP + ROW * group.rows.len()).sum();
        Self {
            left: MARGIN + labels(picture) + GUTTER,
            column,
            releases,
            top,
            names,
            header,
            rise: if day.is_some() { 22 } else { 8 },
            repeated: name + 6 <= column,
            every: ASLANT_APART.div_ceil(column),
            bottom: top + rows + 8,
        }
    }

    /// The most width for the name of a release.
    pub(super) fn room_of_name(&self) -> usize {
        match self.names {
            Names::Level => self.column,
            Names::Aslant => LONGEST_NAME,
        }
    }

    pub(super) fn x(&self, at: usize) -> usize {
        self.left + at * self.column
    }

    /// Where a stretch ends.
    pub(super) fn end(&self, until: Option<usize>) -> usize {
        until.map_or_else(|| self.right() + GOES_ON, |until| self.x(until))
    }

    pub(super) fn right(&self) -> usize {
        self.x(self.releases)
    }

    /// The most width for the label of a row.
    pub(super) fn label(&self, depth: usize) -> usize {
        (self.left - MARGIN - GUTTER).saturating_sub(INDENT * depth.min(3))
    }

    /// The width of the picture: slanted names extend past its right side.
    pub(super) fn width(&self) -> usize {
        let leaning = match self.names {
            Names::Level => 0,
            Names::Aslant => self.header.saturating_sub(self.column / 2),
        };
        (self.right() + GOES_ON.max(leaning) + MARGIN).max(560)
    }
}

/// The width of the labels: that of the widest, within bounds.
fn labels(picture: &PictureReport<'_>) -> usize {
    let rows = picture.rows();
    let rows = rows.map(|row| Font::ID.width(row.label) + INDENT * row.depth.min(3));
    let groups = picture.groups.iter().map(|group| Font::GROUP.width(&group.group));
    rows.chain(groups).max().unwrap_or(0).clamp(LABELS.0, LABELS.1)
}
