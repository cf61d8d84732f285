//! `lifecycle agenda`: what has to be done for a release.

use std::collections::BTreeSet;

use lifecycle::Sources;
use lifecycle::render::{json, markdown, tasks};
use lifecycle::report::{Action, TaskReport, TasksReport, Urgency};

use crate::args::{Agenda, AgendaFormat, Format};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::model_files::{self, Base, BaseModel};
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
        evidence: &arguments.evidence.evidence,
        shows_findings: true,
    };
    with_elements(disk, &asked, terminal, |context| print(context, arguments, disk))
}

fn print(context: &mut Context<'_>, arguments: &Agenda, disk: &Disk) -> Result<Outcome> {
    let release = arguments.release.as_deref();
    let report = context.evaluation.tasks(context.sources, release, arguments.ahead);
    let mut report =
        report.map_err(|problem| Failure::new(problem.to_string()).help("name a release of the calendar"))?;
    if let Some(since) = &arguments.since {
        let known = known(since, &report, arguments, disk)?;
        report.retain(|task| !known.contains(&key(task)));
    }
    if !arguments.urgency.is_empty() {
        let asked: Vec<Urgency> = arguments.urgency.iter().copied().map(Urgency::from).collect();
        report.retain(|task| asked.contains(&task.urgency));
    }
    let terminal = &mut *context.terminal;
    let style = terminal.style();
    let mut undated = 0;
    match arguments.format {
        AgendaFormat::Table => terminal.answer(&tasks::tasks(&report, arguments.all, style)),
        AgendaFormat::Json => terminal.write(|out| json::value(&report, out)),
        AgendaFormat::Markdown => terminal.answer(&markdown::agenda(&report, arguments.all)?),
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

/// What makes a task another one: how pressing it is, the action, the element, and the release.
type Key = (Urgency, Action, Option<String>, Option<String>);

fn key(task: &TaskReport<'_>) -> Key {
    let release = task.release.map(|moment| moment.release.to_owned());
    (task.urgency, task.action, task.element.map(str::to_owned), release)
}

/// The tasks that an earlier state of the model has for the release.
fn known(since: &str, report: &TasksReport<'_>, arguments: &Agenda, disk: &Disk) -> Result<BTreeSet<Key>> {
    let (name, _) = model_files::find(arguments.model.choice(), disk)?;
    let base = Base::read(since, &name, &arguments.model.policy, disk)?;
    let loaded = match &base.model {
        BaseModel::Loaded(loaded) => loaded,
        BaseModel::Missing => return Err(Failure::new(format!("{since} has no model `{}`", base.name))),
        BaseModel::Unreadable(reason) => return Err(Failure::new(reason.clone())),
    };
    let mut sources = Sources::new();
    loaded.files.add_to(&mut sources);
    let before = loaded
        .evaluated
        .as_ref()
        .map_err(|errors| Failure::from_diagnostics(errors, &sources))?;
    let release = report.release.map(|release| release.release);
    // A state that does not cover the release has no agenda of it.
    let earlier = before.tasks(&sources, release, arguments.ahead).ok();
    let tasks = earlier.iter().flat_map(|earlier| &earlier.tasks);
    Ok(tasks.map(key).collect())
}
