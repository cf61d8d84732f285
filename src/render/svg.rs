//! SVG: one row per element, one band per state, the releases along the top.
//!
//! The file needs no other, in light and in dark. A state shows in its words, its color and its border; what is planned
//! and not declared is hatched; every mark has a title.

mod font;
mod layout;
mod legend;
mod row;
mod way;

use std::fmt::Write as _;
use std::io::{self, Write};

use super::words;
use super::xml::Escaped;
use crate::diagnostic::Severity;
use crate::release::DateKind;
use crate::report::{Moment, PictureReport, RowsReport};
use font::Font;
use layout::{GROUP, Layout, MARGIN, Names, ROW};
pub(super) use way::way;

const STYLE: &str = include_str!("svg/style.css");

/// Draws the picture.
pub(super) fn picture(picture: &PictureReport<'_>, out: &mut impl Write) -> io::Result<()> {
    let layout = Layout::of(picture);
    let legend = legend::Legend::of(picture, &layout);
    let (width, height) = (layout.width(), legend.bottom + MARGIN);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"lifecycle-title lifecycle-description\">"
    )?;
    let (title, subtitle) = (words::title(picture), subtitle(picture));
    writeln!(out, "<title id=\"lifecycle-title\">{}</title>", Escaped(&title))?;
    let description = format!("{title}. {subtitle}.");
    writeln!(
        out,
        "<desc id=\"lifecycle-description\">{}</desc>",
        Escaped(&description)
    )?;
    writeln!(out, "<style>\n{STYLE}</style>")?;
    writeln!(
        out,
        "<defs><pattern id=\"lifecycle-planned\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><line class=\"hatch\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\"/></pattern></defs>"
    )?;
    writeln!(out, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>")?;
    let room = width - 2 * MARGIN;
    let (title, subtitle) = (Font::HEADING.fit(&title, room), Font::SMALL.fit(&subtitle, room));
    text(out, MARGIN, MARGIN + 14, "heading", &title)?;
    text(out, MARGIN, MARGIN + 32, "soft", &subtitle)?;
    axis(picture, &layout, out)?;
    let mut y = layout.top;
    for (at, group) in picture.groups.iter().enumerate() {
        header(picture, &layout, group, (y, at > 0), out)?;
        y += GROUP;
        for row in &group.rows {
            row::draw(picture, &layout, row, y, out)?;
            y += ROW;
        }
    }
    current(picture, &layout, out)?;
    legend.draw(out)?;
    writeln!(out, "</svg>")
}

fn subtitle(picture: &PictureReport<'_>) -> String {
    let editions = picture
        .policies
        .iter()
        .map(|policy| format!("{} {}", policy.name, policy.edition).trim_end().to_owned());
    let editions = editions.collect::<Vec<_>>().join(", ");
    let rows = picture.rows().count();
    let shipped = picture.current.and_then(|at| picture.releases.get(at));
    let shipped = shipped.map_or_else(String::new, |current| format!("; shipped: {}", words::moment(current)));
    let plural = if rows == 1 { "" } else { "s" };
    let findings = findings(picture);
    format!("Policy {editions}; {rows} element{plural}{shipped}{findings}")
}

/// `; 2 errors, 1 note`, findings about no element included.
fn findings(picture: &PictureReport<'_>) -> String {
    let mut text = String::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let violations = picture
            .rows()
            .flat_map(|row| &row.violations)
            .chain(&picture.violations);
        let count = violations.filter(|violation| violation.severity == severity).count();
        let plural = if count == 1 { "" } else { "s" };
        let separator = if text.is_empty() { "; " } else { ", " };
        if count > 0 {
            let _ = write!(text, "{separator}{count} {severity}{plural}");
        }
    }
    text
}

fn text(out: &mut impl Write, x: usize, y: usize, class: &str, text: &str) -> io::Result<()> {
    writeln!(
        out,
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>",
        Escaped(text)
    )
}

/// The releases along the top, and a line down from the beginning of each.
fn axis(picture: &PictureReport<'_>, layout: &Layout, out: &mut impl Write) -> io::Result<()> {
    if let Some(current) = picture.current {
        let (x, top) = (layout.x(current + 1), layout.top);
        let (width, height) = (layout.right() + layout::GOES_ON - x, layout.bottom - top);
        writeln!(
            out,
            "<rect class=\"ahead\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>"
        )?;
    }
    write!(out, "<path class=\"grid\" d=\"")?;
    for at in 0..=layout.releases {
        write!(out, "M{}.5 {}V{}", layout.x(at), layout.top - 4, layout.bottom)?;
    }
    writeln!(out, "\"/>")?;
    // If there is no room for all names, there is for that of the current release.
    for (at, moment) in picture.releases.iter().enumerate() {
        let is_named = match picture.current {
            Some(current) if at != current => at.abs_diff(current) >= layout.every && at.is_multiple_of(layout.every),
            Some(_) => true,
            None => at.is_multiple_of(layout.every),
        };
        if !is_named {
            continue;
        }
        let middle = layout.x(at) + layout.column / 2;
        let how = match moment.date_kind {
            _ if picture.current == Some(at) => "newest",
            DateKind::Projected => "projected",
            DateKind::Actual | DateKind::Announced | DateKind::Symbolic => "release",
        };
        let (place, anchor) = match layout.names {
            Names::Level => (format!("x=\"{middle}\" y=\"{}\"", layout.top - layout.rise), "middle"),
            Names::Aslant => {
                let y = layout.top - 8;
                (format!("transform=\"translate({middle} {y}) rotate(-45)\""), "start")
            }
        };
        write!(out, "<text {place} text-anchor=\"{anchor}\" class=\"{how}\">")?;
        name(layout, moment, middle, out)?;
        writeln!(out, "<title>{}</title></text>", Escaped(&words::moment(moment)))?;
    }
    Ok(())
}

/// A release and its date.
fn name(layout: &Layout, moment: &Moment<'_>, middle: usize, out: &mut impl Write) -> io::Result<()> {
    let release = Font::SMALL.fit(moment.release, layout.room_of_name());
    write!(out, "{}", Escaped(&release))?;
    match (moment.date, layout.names) {
        (Some(day), Names::Level) => write!(
            out,
            "<tspan class=\"soft\" x=\"{middle}\" dy=\"14\">{}</tspan>",
            Escaped(day)
        ),
        (Some(day), Names::Aslant) => write!(out, "<tspan class=\"soft\" dx=\"6\">{}</tspan>", Escaped(day)),
        (None, _) => Ok(()),
    }
}

/// The line with a group's name, and the releases once more if there is room.
fn header(
    picture: &PictureReport<'_>,
    layout: &Layout,
    group: &RowsReport<'_>,
    (y, repeated): (usize, bool),
    out: &mut impl Write,
) -> io::Result<()> {
    let width = layout.right() + layout::GOES_ON - MARGIN + 6;
    let (x, strip, base) = (MARGIN - 6, y + 5, y + 19);
    writeln!(
        out,
        "<rect class=\"strip\" x=\"{x}\" y=\"{strip}\" width=\"{width}\" height=\"21\" rx=\"3\"/>"
    )?;
    let name = Font::GROUP.fit(&group.group, layout.label(0) + 12);
    writeln!(
        out,
        "<text class=\"group\" x=\"{MARGIN}\" y=\"{base}\">{}<title>{}</title></text>",
        Escaped(&name),
        Escaped(&group.group)
    )?;
    if !(repeated && layout.repeated) {
        return Ok(());
    }
    for (at, moment) in picture.releases.iter().enumerate() {
        let middle = layout.x(at) + layout.column / 2;
        writeln!(
            out,
            "<text class=\"soft\" text-anchor=\"middle\" x=\"{middle}\" y=\"{base}\">{}</text>",
            Escaped(moment.release)
        )?;
    }
    Ok(())
}

/// The line after the newest release that has shipped.
fn current(picture: &PictureReport<'_>, layout: &Layout, out: &mut impl Write) -> io::Result<()> {
    let Some((at, newest)) = picture.current.and_then(|at| Some((at, picture.releases.get(at)?))) else {
        return Ok(());
    };
    let (x, top, bottom) = (layout.x(at + 1), layout.top - 4, layout.bottom);
    writeln!(
        out,
        "<path class=\"current\" d=\"M{x}.5 {top}V{bottom}\"><title>{} has shipped; releases right of this line \
         have not</title></path>",
        Escaped(&words::moment(newest))
    )
}
