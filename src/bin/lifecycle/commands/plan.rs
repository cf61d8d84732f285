//! `plan`: the timeline of each group, and the plan per element.

use lifecycle::render::{json, markdown, snippet, table};
use lifecycle::report::DiagnosticReport;

use crate::args::Format;

use super::{Context, Failure, Outcome, page, summary};

pub(super) fn plan(context: &mut Context<'_>, format: Format) -> Result<Outcome, Failure> {
    let report = context.evaluation.report(context.sources);
    let look = context.terminal.look();
    match format {
        Format::Table => context.terminal.answer(&table::plan(&report, look)),
        Format::Json => context.terminal.write(|out| json::report(&report, out)),
        Format::Markdown => context.terminal.answer(&page(markdown::plan(&report))?),
    }
    let contradictions: Vec<&DiagnosticReport<'_>> = report
        .diagnostics
        .iter()
        .filter(|finding| finding.rule == "contradiction")
        .collect();
    if format == Format::Table {
        for finding in &contradictions {
            let text = snippet::finding(finding, context.sources, look);
            context.terminal.answer(&format!("\n{text}"));
        }
    }
    if !report.diagnostics.is_empty() {
        let summary = summary(&report.diagnostics.iter());
        context
            .terminal
            .tell(&format!("{summary}; `lifecycle check` shows them"));
    }
    let contradicted = !contradictions.is_empty();
    std::mem::forget(report);
    Ok(if contradicted {
        Outcome::Findings
    } else {
        Outcome::Clean
    })
}
