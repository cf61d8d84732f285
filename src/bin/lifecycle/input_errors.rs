//! Errors in the input files, reported where there is no answer.

use lifecycle::Sources;
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::error_report;
use lifecycle::render::{json, markdown, snippet};
use lifecycle::report::Report;

use crate::args::Format;
use crate::failure::{Outcome, Result};
use crate::summary::counted;
use crate::terminal::Terminal;

pub fn report(
    errors: &[Diagnostic],
    sources: &Sources<'_>,
    format: Format,
    terminal: &mut Terminal,
) -> Result<Outcome> {
    let report = error_report(errors, sources);
    match format {
        Format::Json => terminal.write(|out| json::report(&report, out)),
        Format::Markdown => terminal.answer(&markdown::check(&report)?),
        Format::Table => show(&report, sources, terminal),
    }
    Ok(abort(&report, terminal))
}

pub fn show(report: &Report<'_>, sources: &Sources<'_>, terminal: &mut Terminal) {
    let style = terminal.error_style();
    for finding in &report.diagnostics {
        terminal.show_error(snippet::finding(finding, sources, style).trim_end_matches('\n'));
        terminal.show_error("");
    }
}

pub fn abort(report: &Report<'_>, terminal: &mut Terminal) -> Outcome {
    // The last one may only say how many more there are.
    let more = report.diagnostics.iter().any(|error| error.code == "more");
    let errors = report.diagnostics.iter();
    let errors = errors.filter(|finding| finding.severity == Severity::Error && finding.code != "more");
    let errors = counted(errors.count(), "error");
    let least = if more { "more than " } else { "" };
    terminal.note(&format!("aborting due to {least}{errors}"));
    Outcome::InputErrors
}
