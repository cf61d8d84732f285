//! The row of an element: its name, marks and states.

use std::io::{self, Write};

use super::super::words;
use super::super::xml::Escaped;
use super::font::Font;
use super::layout::{GUTTER, INDENT, Layout, MARGIN};
use crate::diagnostic::Severity;
use crate::report::{BandReport, PictureReport, RowReport, SpanReport, State};

/// Within a row: where its bands begin, how high they are, and the baseline of their words.
const BAND: (usize, usize) = (5, 14);
const BASE: usize = 15;
const MIDDLE: usize = 12;
/// The width of a mark.
const WIDE: usize = 13;

#[derive(Debug, Clone, Copy)]
enum Sign {
    Earliest(usize),
    Removed { planned: bool },
    Role(Role),
}

/// What a version can be to its group or kind, and how that is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Role {
    /// Its class in the style sheet.
    pub(super) class: &'static str,
    pub(super) title: &'static str,
    letter: char,
    /// Where its line runs, from the top of the row, and in the legend.
    line: usize,
    pub(super) line_in_legend: usize,
    /// While an element has it.
    pub(super) spans: for<'r> fn(&'r RowReport<'_>) -> &'r [SpanReport],
}

pub(super) const PREFERRED: Role = Role {
    class: "preferred",
    title: "preferred version",
    letter: 'P',
    line: 2,
    line_in_legend: 2,
    spans: |row| &row.preferred,
};

pub(super) const STORED: Role = Role {
    class: "stored",
    title: "storage version",
    letter: 'S',
    line: 22,
    line_in_legend: 21,
    spans: |row| &row.stored,
};

/// A mark in a row, and where it begins.
type Mark = (Sign, usize);

pub(super) fn draw(
    picture: &PictureReport<'_>,
    layout: &Layout,
    row: &RowReport<'_>,
    y: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let drawing = Drawing {
        picture,
        layout,
        row,
        y,
    };
    writeln!(out, "<g>")?;
    drawing.label(out)?;
    drawing.findings(out)?;
    let marks = drawing.marks();
    // Words keep clear of the marks and of the line after the current release.
    let line = picture.current.map(|current| layout.x(current + 1) - WIDE / 2);
    let taken: Vec<usize> = marks.iter().map(|(_, x)| *x).chain(line).collect();
    for band in &row.bands {
        drawing.band(band, &taken, out)?;
    }
    for role in [PREFERRED, STORED] {
        for span in (role.spans)(row) {
            drawing.role(role, span, out)?;
        }
    }
    for (sign, x) in marks {
        drawing.mark(sign, x, out)?;
    }
    writeln!(out, "</g>")
}

struct Drawing<'d, 'a> {
    picture: &'d PictureReport<'a>,
    layout: &'d Layout,
    row: &'d RowReport<'a>,
    y: usize,
}

impl Drawing<'_, '_> {
    fn label(&self, out: &mut impl Write) -> io::Result<()> {
        let depth = self.row.depth;
        let label = Font::ID.fit(self.row.label, self.layout.label(depth));
        let class = if depth == 0 { "id" } else { "id soft" };
        writeln!(
            out,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}<title>{}</title></text>",
            MARGIN + INDENT * depth.min(3),
            self.y + BASE + 1,
            Escaped(&label),
            Escaped(&words::row(self.row))
        )
    }

    /// One mark for all findings about the element, of the highest severity: a disk, a triangle, a square.
    fn findings(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(severity) = words::highest_severity(self.row) else {
            return Ok(());
        };
        let all: Vec<String> = self.row.violations.iter().map(words::violation).collect();
        write!(out, "<g><title>{}</title>", Escaped(&all.join("\n")))?;
        finding(severity, self.layout.left - GUTTER / 2, self.y + MIDDLE, out)?;
        writeln!(out, "</g>")
    }

    /// The earliest removal, crosses, and letters where a span begins.
    fn marks(&self) -> Vec<Mark> {
        let mut marks: Vec<Mark> = Vec::new();
        if let Some(earliest) = words::marked_earliest(self.row) {
            self.put(&mut marks, Sign::Earliest(earliest), earliest, usize::MAX);
        }
        for band in self.row.bands.iter().filter(|band| band.state == State::Removed) {
            let planned = words::is_planned(self.picture, band);
            self.put(&mut marks, Sign::Removed { planned }, band.from, usize::MAX);
        }
        for role in [PREFERRED, STORED] {
            for span in (role.spans)(self.row) {
                self.put(&mut marks, Sign::Role(role), span.from, self.layout.end(span.until));
            }
        }
        marks
    }

    /// Adds a mark after those that are at its release already, if it ends before `end`.
    fn put(&self, marks: &mut Vec<Mark>, sign: Sign, at: usize, end: usize) {
        let mut x = self.layout.x(at) + 3;
        while marks.iter().any(|(_, other)| *other < x + WIDE && x < other + WIDE) {
            x += WIDE;
        }
        if x + WIDE <= end {
            marks.push((sign, x));
        }
    }

    fn mark(&self, sign: Sign, x: usize, out: &mut impl Write) -> io::Result<()> {
        let y = self.y + MIDDLE;
        match sign {
            Sign::Role(role) => letter(role, x, y, out),
            Sign::Removed { planned } => cross(planned, x + 2, y, out),
            Sign::Earliest(earliest) => self.earliest(earliest, x, out),
        }?;
        writeln!(out)
    }

    fn role(&self, role: Role, span: &SpanReport, out: &mut impl Write) -> io::Result<()> {
        let title = words::role(self.picture, self.row, role.title, span);
        let (class, y) = (role.class, self.y + role.line);
        let (from, end) = (self.layout.x(span.from) + 2, self.layout.end(span.until) - 1);
        writeln!(
            out,
            "<line class=\"{class}\" x1=\"{from}\" y1=\"{y}\" x2=\"{end}\" y2=\"{y}\"><title>{}</title></line>",
            Escaped(&title)
        )
    }

    fn band(&self, band: &BandReport, taken: &[usize], out: &mut impl Write) -> io::Result<()> {
        let title = words::band(self.picture, self.row, band);
        write!(out, "<g><title>{}</title>", Escaped(&title))?;
        if band.state == State::Removed {
            self.removed(band, out)?;
        } else {
            self.state(band, taken, out)?;
        }
        writeln!(out, "</g>")
    }

    fn state(&self, band: &BandReport, taken: &[usize], out: &mut impl Write) -> io::Result<()> {
        let (x, end) = (self.layout.x(band.from) + 1, self.layout.end(band.until));
        let (y, height, width) = (self.y + BAND.0, BAND.1, end - x);
        let state = band.state;
        let place = format!(
            "x=\"{x}.5\" y=\"{y}.5\" width=\"{}\" height=\"{}\" rx=\"2\"",
            width - 1,
            height - 1
        );
        write!(out, "<rect class=\"band {}\" {place}/>", state.as_str())?;
        edge(state, x, y, out)?;
        if words::is_planned(self.picture, band) {
            write!(out, "<rect class=\"hatched\" {place}/>")?;
        }
        let words = Self::words(band);
        match words.iter().find_map(|word| Some((word, free(word, (x, end), taken)?))) {
            Some((word, at)) => write!(
                out,
                "<text class=\"in in-{}\" x=\"{at}\" y=\"{}\">{}</text>",
                state.as_str(),
                self.y + BASE,
                Escaped(word)
            ),
            None => Ok(()),
        }
    }

    /// The words for a state, the best first.
    fn words(band: &BandReport) -> Vec<String> {
        let short: &[&str] = match band.state {
            State::Deprecated => &["deprecated", "depr."],
            State::Tolerated => &["tolerated", "tol."],
            State::Hidden => &["hidden"],
            State::Served | State::Removed => &[],
        };
        let short = short.iter().map(|word| (*word).to_owned());
        std::iter::once(words::state(band)).chain(short).collect()
    }

    /// A faint line from its removal on.
    fn removed(&self, band: &BandReport, out: &mut impl Write) -> io::Result<()> {
        let (from, end, y) = (self.layout.x(band.from), self.layout.end(band.until), self.y + MIDDLE);
        let (width, top) = (end - from, self.y + BAND.0);
        write!(
            out,
            "<rect class=\"hit\" x=\"{from}\" y=\"{top}\" width=\"{width}\" height=\"{}\"/>",
            BAND.1
        )?;
        let start = from + 3 + 2 * WIDE;
        if start < end {
            write!(out, "<path class=\"gone\" d=\"M{start} {y}.5H{end}\"/>")?;
        }
        Ok(())
    }

    /// The earliest allowed removal, and a line to it from a removal that comes too early.
    fn earliest(&self, earliest: usize, x: usize, out: &mut impl Write) -> io::Result<()> {
        let title = words::earliest_removal(self.picture, self.row, earliest);
        let y = self.y + MIDDLE;
        write!(out, "<g><title>{}</title>", Escaped(&title))?;
        let removed = self.row.bands.last().filter(|band| band.state == State::Removed);
        if let Some(removed) = removed.filter(|removed| removed.from < earliest) {
            let from = self.layout.x(removed.from) + 3 + WIDE;
            write!(out, "<path class=\"too-early\" d=\"M{from} {y}.5H{x}\"/>")?;
        }
        diamond(x + WIDE / 2, y, out)?;
        write!(out, "</g>")
    }
}

/// Where a word fits into a band between its marks.
fn free(word: &str, (x, end): (usize, usize), taken: &[usize]) -> Option<usize> {
    let width = Font::BAND.width(word);
    let mut starts: Vec<usize> = taken
        .iter()
        .map(|mark| mark + WIDE + 1)
        .filter(|start| *start > x)
        .collect();
    starts.insert(0, x + 6);
    starts.sort_unstable();
    starts.into_iter().find(|start| {
        let mut marks = taken.iter();
        marks.all(|mark| start + width + 2 <= *mark || mark + WIDE <= *start) && start + width + 2 <= end
    })
}

/// A letter in a box, from x on, around a height.
pub(super) fn letter(role: Role, x: usize, y: usize, out: &mut impl Write) -> io::Result<()> {
    let (class, letter) = (role.class, role.letter);
    write!(
        out,
        "<rect class=\"{class} box\" x=\"{x}\" y=\"{}\" width=\"11\" height=\"10\" rx=\"2\"/>\
         <text class=\"letter\" x=\"{}.5\" y=\"{}\">{letter}</text>",
        y - 5,
        x + 5,
        y + 3
    )
}

/// The mark of a removal.
pub(super) fn cross(planned: bool, x: usize, y: usize, out: &mut impl Write) -> io::Result<()> {
    let planned = if planned { " planned" } else { "" };
    write!(
        out,
        "<path class=\"removed{planned}\" d=\"M{x} {}l7 7m0 -7l-7 7\"/>",
        y - 3
    )
}

/// A heavy edge: it distinguishes deprecated from served without color.
pub(super) fn edge(state: State, x: usize, y: usize, out: &mut impl Write) -> io::Result<()> {
    if state != State::Deprecated {
        return Ok(());
    }
    write!(
        out,
        "<rect class=\"edge\" x=\"{x}\" y=\"{y}\" width=\"4\" height=\"14\" rx=\"1.5\"/>"
    )
}

/// The mark of findings.
pub(super) fn finding(severity: Severity, x: usize, y: usize, out: &mut impl Write) -> io::Result<()> {
    let shape = match severity {
        Severity::Error => format!("<circle class=\"error\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>"),
        Severity::Warning => format!("<path class=\"warning\" d=\"M{x} {}l6.5 11.5h-13z\"/>", y - 7),
        Severity::Note | Severity::Off => format!(
            "<rect class=\"note\" x=\"{}\" y=\"{}\" width=\"11\" height=\"11\" rx=\"2\"/>",
            x - 5,
            y - 5
        ),
    };
    let letter = if severity == Severity::Note { "i" } else { "!" };
    write!(
        out,
        "{shape}<text class=\"letter\" x=\"{x}\" y=\"{}\">{letter}</text>",
        y + 3
    )
}

/// The mark of the earliest removal.
pub(super) fn diamond(x: usize, y: usize, out: &mut impl Write) -> io::Result<()> {
    write!(
        out,
        "<path class=\"earliest\" d=\"M{x} {}l5.5 5.5l-5.5 5.5l-5.5 -5.5z\"/>",
        y - 5
    )
}
