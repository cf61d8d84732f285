//! `lifecycle plan`: each group's timeline, and the plan per element.

use lifecycle::render::formats::{OutputFormat, WritePlan};

use crate::args::{Format, ModelArgs};
use crate::failure::{Outcome, Result};
use crate::io::disk::Disk;
use crate::summary::by_severity;
use crate::terminal::Terminal;
use crate::with_model::{Context, with_model};

pub fn plan(
    model: &ModelArgs,
    format: &OutputFormat<WritePlan>,
    disk: &Disk,
    terminal: &mut Terminal,
) -> Result<Outcome> {
    with_model(
        disk,
        model.choice(),
        &model.policy,
        Format::of_errors(format.name),
        terminal,
        |context| Ok(print(context, format)),
    )
}

fn print(context: &mut Context<'_>, format: &OutputFormat<WritePlan>) -> Outcome {
    let report = context.evaluation.report(context.sources);
    let terminal = &mut *context.terminal;
    let style = terminal.style();
    let mut note = None;
    terminal.write(|out| {
        note = (format.write)(&report, context.sources, style, out)?;
        Ok(())
    });
    if let Some(note) = note {
        terminal.note(&note);
    }
    if !report.diagnostics.is_empty() {
        let summary = by_severity(&report.diagnostics);
        terminal.note(&format!("{summary}; run `lifecycle check` for details"));
    }
    let mut findings = report.diagnostics.iter();
    let outcome = Outcome::of_findings(findings.any(|finding| finding.rule == "contradiction"));
    std::mem::forget(report);
    outcome
}
