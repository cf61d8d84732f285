//! `lifecycle plan`: each group's timeline, and the plan per element.

use lifecycle::render::formats::{PLAN_FORMATS, PlanOutput};

use crate::args::{Format, Plan};
use crate::failure::{Outcome, Result};
use crate::io::disk::Disk;
use crate::summary::pointed_to;
use crate::terminal::Terminal;
use crate::with_model::{Asked, Context, with_elements};

pub fn plan(arguments: &Plan, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let asked = Asked {
        choice: arguments.model.choice(),
        options: &arguments.model.policy,
        filter: arguments.filter.filter(),
        evidence: &[],
        shows_findings: true,
        format: Format::of_errors(arguments.format.name),
    };
    with_elements(disk, &asked, terminal, |context| {
        context.answer_in((arguments.output.as_deref(), &[]), disk, |context| {
            Ok(print(context, arguments))
        })
    })
}

fn print(context: &mut Context<'_>, arguments: &Plan) -> Outcome {
    let report = context.evaluation.report(context.sources);
    let terminal = &mut *context.terminal;
    let style = terminal.style();
    let is_overview = !arguments.all && arguments.format.name == PLAN_FORMATS[0].name;
    let overview = is_overview.then(|| context.evaluation.overview());
    let mut note = None;
    let plan = PlanOutput {
        overview: overview.as_ref(),
        ..PlanOutput::whole(&report, context.sources, style)
    };
    terminal.write(|out| {
        note = (arguments.format.write)(plan, out)?;
        Ok(())
    });
    if let Some(note) = note {
        terminal.note(&note);
    }
    if !report.diagnostics.is_empty() {
        terminal.note(&pointed_to(&report, |words| context.evaluation.command_line(words)));
    }
    std::mem::forget(report);
    Outcome::of_findings(context.evaluation.has_contradiction())
}
