//! `lifecycle agenda`: what has to be done for a release.

use lifecycle::render::{json, markdown, tasks};

use crate::args::{Agenda, AgendaFormat, Format};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::summary::counted;
use crate::terminal::Terminal;
use crate::with_model::{Asked, Context, with_elements};

pub fn agenda(arguments: &Agenda, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let asked = Asked {
        choice: arguments.model.choice(),
        options: &arguments.model.policy,
        filter: arguments.filter.filter(),
        format: match arguments.format {
            AgendaFormat::Json => Format::Json,
            AgendaFormat::Markdown => Format::Markdown,
            AgendaFormat::Table | AgendaFormat::Ics => Format::Table,
        },
        shows_findings: true,
    };
    with_elements(disk, &asked, terminal, |context| print(context, arguments))
}

fn print(context: &mut Context<'_>, arguments: &Agenda) -> Result<Outcome> {
    let release = arguments.release.as_deref();
    let report = context.evaluation.tasks(context.sources, release, arguments.ahead);
    let report = report.map_err(|problem| Failure::new(problem.to_string()).help("name a release of the calendar"))?;
    let terminal = &mut *context.terminal;
    let style = terminal.style();
    let mut undated = 0;
    match arguments.format {
        AgendaFormat::Table => terminal.answer(&tasks::tasks(&report, style)),
        AgendaFormat::Json => terminal.write(|out| json::value(&report, out)),
        AgendaFormat::Markdown => terminal.answer(&markdown::agenda(&report)?),
        AgendaFormat::Ics => terminal.write(|mut out| {
            undated = tasks::calendar(&report, &mut out)?;
            Ok(())
        }),
    }
    if undated > 0 {
        terminal.note(&format!("{} without a date left out", counted(undated, "task")));
    }
    if let Some(file) = report.baseline.filter(|_| report.suppressed > 0) {
        terminal.note(&format!("{} suppressed by {file}", counted(report.suppressed, "task")));
    }
    if report.current.is_none() {
        terminal.note("the calendar has no `current` release: nothing is overdue; --as-of RELEASE names one");
    }
    Ok(Outcome::Clean)
}
