//! The formats of plans, pictures and findings. A new format is a file in this folder and a row here.

use std::io::{self, Write};

use super::{
    Detail, Findings, Style, TemplateError, concise, csv, diff, dot, findings, github, html, ics, json, junit,
    markdown, mermaid, overview, sarif, snippet, svg, table,
};
use crate::diagnostic::Severity;
use crate::report::{DiffReport, OverviewReport, PictureReport, Report};
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

/// A plan to write.
#[derive(Debug, Clone, Copy)]
pub struct PlanOutput<'p> {
    /// The whole plan.
    pub report: &'p Report<'p>,
    /// The plan at a glance, if tables show that.
    pub overview: Option<&'p OverviewReport<'p>>,
    /// The texts for snippets.
    pub sources: &'p Sources<'p>,
    /// How it looks.
    pub style: Style,
}

impl<'p> PlanOutput<'p> {
    /// The whole plan, in tables too.
    pub fn whole(report: &'p Report<'p>, sources: &'p Sources<'p>, style: Style) -> Self {
        Self {
            report,
            overview: None,
            sources,
            style,
        }
    }
}

/// How a plan is written.
pub type WritePlan = fn(PlanOutput<'_>, &mut dyn Write) -> io::Result<Option<String>>;

/// How a picture is written.
pub type WritePicture = fn(&PictureReport<'_>, &mut dyn Write) -> io::Result<Option<String>>;

/// How findings are written.
pub type WriteFindings = fn(&Findings<'_>, &mut dyn Write) -> io::Result<()>;

/// How schema changes are written.
pub type WriteChanges = fn(&DiffReport, Detail, Style, &mut dyn Write) -> io::Result<()>;

/// How a report of findings is written.
#[derive(Debug, Clone, Copy)]
pub struct ReportWriter {
    /// Whether it shows what matters, and not all.
    pub is_for_people: bool,
    /// The extensions of files that have this format, the usual one first.
    pub extensions: &'static [&'static str],
    /// Writes the findings.
    pub findings: WriteFindings,
    /// The least severity of schema changes that is listed, and what writes them; if absent, they are findings too.
    pub changes: Option<(Severity, WriteChanges)>,
}

/// The formats of `plan`, the default first.
pub const PLAN_FORMATS: &[OutputFormat<WritePlan>] = &[
    row(
        "table",
        "For the terminal: an overview, or with --all everything",
        |plan, out| plan_table(plan, out).map(|()| None),
    ),
    row("json", "For programs", |plan, mut out| {
        json::report(plan.report, &mut out).map(|()| None)
    }),
    row("markdown", "For pages and comments", |plan, out| {
        page(markdown::plan(plan.report), out).map(|()| None)
    }),
    row(
        "csv",
        "For spreadsheets: one row per element (RFC 4180)",
        |plan, mut out| csv::plan(plan.report, &mut out).map(|()| None),
    ),
    row(
        "ics",
        "For calendar applications: one event per group, change and release (RFC 5545)",
        |plan, mut out| {
            let calendar = ics::Calendar::of(plan.report);
            calendar.write(&mut out)?;
            Ok(calendar.note_on_undated())
        },
    ),
];

/// The formats of `render`, the default first.
pub const PICTURE_FORMATS: &[OutputFormat<WritePicture>] = &[
    row("svg", "An SVG picture", |picture, mut out| {
        svg::picture(picture, &mut out).map(|()| None)
    }),
    row(
        "mermaid",
        "A Mermaid diagram: a Gantt chart, or a timeline if releases have no dates",
        |picture, mut out| mermaid::picture(picture, &mut out),
    ),
    row("dot", "A Graphviz graph of what replaces what", |picture, mut out| {
        dot::picture(picture, &mut out).map(|()| None)
    }),
    row(
        "html",
        "A self-contained page to search, filter and print",
        |picture, out| page(html::picture(picture), out).map(|()| None),
    ),
    row("json", "The data of the picture", |picture, mut out| {
        json::value(picture, &mut out).map(|()| None)
    }),
];

/// The formats of findings, the default first.
pub const REPORT_FORMATS: &[OutputFormat<ReportWriter>] = &[
    of_findings("table", "For the terminal", &[".txt"], findings::table)
        .with_changes(Severity::Warning, diff::diff)
        .for_people(),
    of_findings(
        "concise",
        "One line per finding, for editors and grep",
        &[],
        concise::report,
    )
    .for_people(),
    of_findings("json", "For programs", &[".json"], |given, mut out| {
        json::report(given.report, &mut out)
    })
    .with_changes(Severity::Note, |changes, _, _, mut out| json::value(changes, &mut out)),
    of_findings("markdown", "For pages and comments", &[".md"], |given, out| {
        page(markdown::findings(given), out)
    })
    .with_changes(Severity::Warning, |changes, detail, _, out| {
        page(markdown::diff(changes, detail), out)
    }),
    of_findings(
        "sarif",
        "SARIF 2.1.0, for code scanning",
        &[".sarif", ".sarif.json"],
        sarif::report,
    ),
    of_findings("junit", "JUnit XML, for test reports", &[".xml"], junit::report),
    of_findings(
        "github",
        "GitHub workflow commands, for annotations",
        &[],
        github::report,
    ),
];

const fn row<W: Copy>(name: &'static str, about: &'static str, write: W) -> OutputFormat<W> {
    OutputFormat { name, about, write }
}

/// A format of findings, and of schema changes as findings.
const fn of_findings(
    name: &'static str,
    about: &'static str,
    extensions: &'static [&'static str],
    findings: WriteFindings,
) -> OutputFormat<ReportWriter> {
    let writer = ReportWriter {
        is_for_people: false,
        extensions,
        findings,
        changes: None,
    };
    row(name, about, writer)
}

impl OutputFormat<ReportWriter> {
    /// The format, if it shows what matters, and not all.
    const fn for_people(mut self) -> Self {
        self.write.is_for_people = true;
        self
    }

    /// The format, if it has schema changes of at least a severity in a shape of their own.
    const fn with_changes(mut self, least: Severity, write: WriteChanges) -> Self {
        self.write.changes = Some((least, write));
        self
    }
}

fn page(rendered: Result<String, TemplateError>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(rendered.map_err(io::Error::other)?.as_bytes())
}

/// The overview or the tables of a plan, and the contradictions below them.
fn plan_table(plan: PlanOutput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let text = match plan.overview {
        Some(glance) => overview::overview(glance, plan.style),
        None => table::plan(plan.report, plan.style),
    };
    out.write_all(text.as_bytes())?;
    let findings = plan.report.diagnostics.iter();
    for finding in findings.filter(|finding| finding.rule == "contradiction") {
        write!(out, "\n{}", snippet::finding(finding, plan.sources, plan.style))?;
    }
    Ok(())
}
