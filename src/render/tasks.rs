//! What has to be done, as tables and as a calendar.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::report::{TaskReport, TasksReport, Urgency};

use super::columns::{Cell, Paint, columns};
use super::table::bound;
use super::{Style, ics, visible};

/// The tasks by urgency.
pub fn tasks(report: &TasksReport<'_>, style: Style) -> String {
    if report.tasks.is_empty() {
        return "nothing to do\n".to_owned();
    }
    let mut text = String::new();
    for urgency in Urgency::ALL {
        let own: Vec<&TaskReport<'_>> = report.tasks.iter().filter(|task| task.urgency == urgency).collect();
        if own.is_empty() {
            continue;
        }
        let paint = match urgency {
            Urgency::Overdue => Paint::Alarm,
            Urgency::Must | Urgency::Promised | Urgency::May => Paint::Heading,
        };
        let separator = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{separator}{}", paint.over(urgency.title(), style));
        let rows: Vec<Vec<Cell>> = own.into_iter().map(row).collect();
        text.push_str(&columns(&HEADER, &rows, 2, style));
    }
    text
}

const HEADER: [&str; 6] = ["WHAT", "ACTION", "RELEASE", "OWNER", "REASON", "EDIT"];

fn row(task: &TaskReport<'_>) -> Vec<Cell> {
    let cells = [
        visible(task.element.unwrap_or("release notes")),
        task.action.as_str().to_owned(),
        when(task),
        visible(task.owner.unwrap_or_default()),
        visible(&task.reason),
        visible(edit(task)),
    ];
    cells.map(Cell::plain).to_vec()
}

/// "by 1.37 (2027-01-12)"; what may be done is so from then on.
fn when(task: &TaskReport<'_>) -> String {
    let word = word(task.urgency);
    match task.release {
        Some(_) => format!("{word} {}", bound(task.release)),
        None => String::new(),
    }
}

pub(super) fn word(urgency: Urgency) -> &'static str {
    match urgency {
        Urgency::Overdue | Urgency::Must => "by",
        Urgency::Promised => "in",
        Urgency::May => "from",
    }
}

/// What a task is about, by a name of its own.
fn subject(task: &TaskReport<'_>) -> String {
    let release = task.release.map_or("", |moment| moment.release);
    task.element
        .map_or_else(|| format!("release notes of {release}"), str::to_owned)
}

/// The command or the lines that declare a task.
fn edit<'t>(task: &'t TaskReport<'_>) -> &'t str {
    task.command.as_deref().or(task.lines.as_deref()).unwrap_or_default()
}

/// The tasks as events of a calendar, those with a date; how many have none.
pub fn calendar(report: &TasksReport<'_>, out: &mut impl Write) -> io::Result<usize> {
    let dated = report.tasks.iter().filter_map(|task| Some((task.release?.date?, task)));
    let events: Vec<ics::Task> = dated
        .map(|(day, task)| ics::Task {
            day: day.to_owned(),
            names: [
                subject(task),
                task.action.as_str().to_owned(),
                task.urgency.as_str().to_owned(),
            ],
            summary: format!("{} {}", task.action.as_str(), task.element.unwrap_or("the release")),
            description: [task.reason.as_str(), edit(task)].join("\n").trim_end().to_owned(),
            is_certain: task.declared,
        })
        .collect();
    ics::tasks("Agenda", &events, out)?;
    Ok(report.tasks.len() - events.len())
}
