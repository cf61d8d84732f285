//! `plan`: the timeline of each group, and the plan per element.

use lifecycle::render::{csv, ics, json, markdown, snippet, table};
use lifecycle::report::{DiagnosticReport, Report};

use crate::args::PlanFormat;
use crate::terminal::Terminal;

use super::{Context, Failure, Outcome, page, summary};

pub(super) fn plan(context: &mut Context<'_>, format: PlanFormat) -> Result<Outcome, Failure> {
    let report = context.evaluation.report(context.sources);
    let look = context.terminal.look();
    match format {
        PlanFormat::Table => context.terminal.answer(&table::plan(&report, look)),
        PlanFormat::Json => context.terminal.write(|out| json::report(&report, out)),
        PlanFormat::Markdown => context.terminal.answer(&page(markdown::plan(&report))?),
        PlanFormat::Csv => context.terminal.write(|out| csv::plan(&report, out)),
        PlanFormat::Ics => calendar(&report, context.terminal),
    }
    let contradictions: Vec<&DiagnosticReport<'_>> = report
        .diagnostics
        .iter()
        .filter(|finding| finding.rule == "contradiction")
        .collect();
    if format == PlanFormat::Table {
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

/// Prints the plan as a calendar, and tells what no day of it shows.
fn calendar(report: &Report<'_>, terminal: &mut Terminal) {
    let calendar = ics::Calendar::of(report);
    terminal.write(|out| calendar.write(out));
    let undated = calendar.undated();
    if undated > 0 {
        let plural = if undated == 1 { " has" } else { "s have" };
        terminal.tell(&format!(
            "{undated} event{plural} no date: a note in the calendar lists what happens in releases neither dated nor projected"
        ));
    }
}
