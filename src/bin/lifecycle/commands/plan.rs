//! `lifecycle plan`: each group's timeline, and the plan per element.

use lifecycle::render::{csv, ics, json, markdown, snippet, table};
use lifecycle::report::{DiagnosticReport, Report};

use crate::args::{ModelArgs, PlanFormat};
use crate::failure::{Failure, Outcome};
use crate::input_errors::rendered;
use crate::summary::by_severity;
use crate::terminal::Terminal;
use crate::with_model::{Context, with_model};

pub fn plan(model: &ModelArgs, format: PlanFormat, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    with_model(model.choice(), &model.policy, format.of_errors(), terminal, |context| {
        print(context, format)
    })
}

fn print(context: &mut Context<'_>, format: PlanFormat) -> Result<Outcome, Failure> {
    let report = context.evaluation.report(context.sources);
    let terminal = &mut *context.terminal;
    let look = terminal.look();
    match format {
        PlanFormat::Table => terminal.answer(&table::plan(&report, look)),
        PlanFormat::Json => terminal.write(|out| json::report(&report, out)),
        PlanFormat::Markdown => terminal.answer(&rendered(markdown::plan(&report))?),
        PlanFormat::Csv => terminal.write(|out| csv::plan(&report, out)),
        PlanFormat::Ics => print_calendar(&report, terminal),
    }
    let findings = report.diagnostics.iter();
    let contradictions: Vec<&DiagnosticReport<'_>> =
        findings.filter(|finding| finding.rule == "contradiction").collect();
    if format == PlanFormat::Table {
        for finding in &contradictions {
            let text = snippet::finding(finding, context.sources, look);
            terminal.answer(&format!("\n{text}"));
        }
    }
    if !report.diagnostics.is_empty() {
        let summary = by_severity(&report.diagnostics);
        terminal.note(&format!("{summary}; `lifecycle check` lists them"));
    }
    let outcome = Outcome::of_findings(!contradictions.is_empty());
    std::mem::forget(report);
    Ok(outcome)
}

/// Prints the plan as a calendar, and how many events no day of it shows.
fn print_calendar(report: &Report<'_>, terminal: &mut Terminal) {
    let calendar = ics::Calendar::of(report);
    terminal.write(|out| calendar.write(out));
    let undated = calendar.undated();
    if undated > 0 {
        let have = if undated == 1 { " has" } else { "s have" };
        terminal.note(&format!(
            "{undated} event{have} no date, because the release is neither dated nor projected; a note in the calendar \
             lists them"
        ));
    }
}
