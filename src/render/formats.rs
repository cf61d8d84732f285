//! The formats of plans and pictures. A new format is a file in this folder and a row here.

use std::io::{self, Write};

use super::{Style, csv, dot, html, ics, json, markdown, mermaid, snippet, svg, table};
use crate::report::{PictureReport, Report};
use crate::source::Sources;

/// A format on the command line.
#[derive(Debug, Clone, Copy)]
pub struct OutputFormat<W> {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Writes a report, and returns what users should know about the output.
    pub write: W,
}

/// How a plan is written.
pub type WritePlan = fn(&Report<'_>, &Sources<'_>, Style, &mut dyn Write) -> io::Result<Option<String>>;

/// How a picture is written.
pub type WritePicture = fn(&PictureReport<'_>, &mut dyn Write) -> io::Result<Option<String>>;

/// The formats of `plan`, the default first.
pub const PLAN_FORMATS: &[OutputFormat<WritePlan>] = &[
    OutputFormat {
        name: "table",
        about: "For the terminal",
        write: |report, sources, style, out| plan_table(report, sources, style, out).map(|()| None),
    },
    OutputFormat {
        name: "json",
        about: "For programs",
        write: |report, _, _, mut out| json::report(report, &mut out).map(|()| None),
    },
    OutputFormat {
        name: "markdown",
        about: "For pages and comments",
        write: |report, _, _, out| {
            let page = markdown::plan(report).map_err(io::Error::other)?;
            out.write_all(page.as_bytes()).map(|()| None)
        },
    },
    OutputFormat {
        name: "csv",
        about: "For spreadsheets: one row per element (RFC 4180)",
        write: |report, _, _, mut out| csv::plan(report, &mut out).map(|()| None),
    },
    OutputFormat {
        name: "ics",
        about: "For calendar applications: one event per group, change and release (RFC 5545)",
        write: |report, _, _, mut out| {
            let calendar = ics::Calendar::of(report);
            calendar.write(&mut out)?;
            Ok(calendar.note_on_undated())
        },
    },
];

/// The formats of `render`, the default first.
pub const PICTURE_FORMATS: &[OutputFormat<WritePicture>] = &[
    OutputFormat {
        name: "svg",
        about: "A picture",
        write: |picture, mut out| svg::picture(picture, &mut out).map(|()| None),
    },
    OutputFormat {
        name: "mermaid",
        about: "A Mermaid diagram: a Gantt chart, or a timeline if releases have no dates",
        write: |picture, mut out| mermaid::picture(picture, &mut out),
    },
    OutputFormat {
        name: "dot",
        about: "A Graphviz graph of what replaces what",
        write: |picture, mut out| dot::picture(picture, &mut out).map(|()| None),
    },
    OutputFormat {
        name: "html",
        about: "A self-contained page to search, filter and print",
        write: |picture, out| {
            let page = html::picture(picture).map_err(io::Error::other)?;
            out.write_all(page.as_bytes()).map(|()| None)
        },
    },
    OutputFormat {
        name: "json",
        about: "The data of the picture",
        write: |picture, mut out| json::value(picture, &mut out).map(|()| None),
    },
];

/// The tables of a plan, and the contradictions below them.
fn plan_table(report: &Report<'_>, sources: &Sources<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(table::plan(report, style).as_bytes())?;
    let findings = report.diagnostics.iter();
    for finding in findings.filter(|finding| finding.rule == "contradiction") {
        write!(out, "\n{}", snippet::finding(finding, sources, style))?;
    }
    Ok(())
}
