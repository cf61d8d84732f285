//! What has to be done, as tables and as a calendar.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::report::{ANY_ELEMENT, ElementsBelow, TaskGroup, TaskReport, TasksReport, Urgency};

use super::below::{MANY, counted, names};
use super::columns::Paint;
use super::table::bound;
use super::wrap::{command, hanging, readable};
use super::{Style, ics, visible};

/// The tasks by urgency, those that are alike together, or each.
pub fn tasks(report: &TasksReport<'_>, all: bool, style: Style) -> String {
    if report.tasks.is_empty() {
        return nothing(report) + "\n";
    }
    let style = readable(style);
    let mut text = String::new();
    hanging(&head(report), usize::from(style.width), 2, &mut text);
    let groups = groups(report, all);
    let mut shown = BTreeSet::new();
    for urgency in Urgency::ALL {
        let own: Vec<&TaskGroup<'_>> = groups.iter().filter(|group| group.urgency == urgency).collect();
        if own.is_empty() {
            continue;
        }
        let paint = match urgency {
            Urgency::Overdue => Paint::Alarm,
            Urgency::Must | Urgency::Promised | Urgency::May => Paint::Heading,
        };
        let _ = writeln!(text, "\n{}", paint.over(urgency.title(), style));
        for groups in own.chunk_by(|group, next| !all && is_same_edit(report, group, next)) {
            write_groups(&mut text, report, groups, usize::from(style.width));
            write_exception(&mut text, report, groups, Some(&mut shown).filter(|_| !all));
        }
    }
    if groups.len() < report.tasks.len() {
        text.push_str("\nEach task with its own reason and command: --all\n");
    }
    text
}

/// "nothing to do in 1.37 (~2026-08-22)", or that tasks are left out.
pub(super) fn nothing(report: &TasksReport<'_>) -> String {
    let release = report.release.map(|_| format!(" in {}", bound(report.release)));
    let last = report.last.map(|_| format!(" to {}", bound(report.last)));
    let when = format!("{}{}", release.unwrap_or_default(), last.unwrap_or_default());
    match report.left_out {
        0 => format!("nothing to do{when}"),
        1 => format!("no such task{when}; 1 other is not asked for"),
        others => format!("no such task{when}; {others} others are not asked for"),
    }
}

/// "Agenda of 1.37 (~2026-08-22): 1 overdue, 5 must be done".
fn head(report: &TasksReport<'_>) -> String {
    let mut title = "Agenda".to_owned();
    if report.release.is_some() {
        let _ = write!(title, " of {}", bound(report.release));
    }
    if report.last.is_some() {
        let _ = write!(title, " to {}", bound(report.last));
    }
    let counts = Urgency::ALL.into_iter().filter_map(|urgency| {
        let count = report.tasks.iter().filter(|task| task.urgency == urgency).count();
        (count > 0).then(|| format!("{count} {}", in_counts(urgency)))
    });
    format!("{title}: {}", counts.collect::<Vec<_>>().join(", "))
}

fn in_counts(urgency: Urgency) -> &'static str {
    match urgency {
        Urgency::Overdue => "overdue",
        Urgency::Must => "must be done",
        Urgency::Promised => "promised",
        Urgency::May => "may be done",
    }
}

/// The tasks that are alike together, or each of its own.
pub(super) fn groups<'r, 'a>(report: &'r TasksReport<'a>, all: bool) -> Cow<'r, [TaskGroup<'a>]> {
    if all {
        (0..).zip(&report.tasks).map(|(at, task)| alone(at, task)).collect()
    } else {
        Cow::Borrowed(&report.task_groups)
    }
}

/// A task as a group of its own.
fn alone<'a>(at: usize, task: &TaskReport<'a>) -> TaskGroup<'a> {
    TaskGroup {
        urgency: task.urgency,
        action: task.action,
        release: task.release,
        declared: task.declared,
        reason: task.reason.clone(),
        owner: task.owner,
        command: task.command.clone(),
        lines: task.lines.clone(),
        exception: task.exception.clone(),
        tasks: vec![at],
    }
}

/// The elements of a group, below their headings.
pub(super) fn elements<'a>(report: &TasksReport<'a>, group: &TaskGroup<'_>) -> Vec<ElementsBelow<'a>> {
    let tasks = group.tasks.iter().filter_map(|at| report.tasks.get(*at));
    ElementsBelow::gathered(tasks.filter_map(|task| task.element))
}

/// What is to be done to which elements, why, and how. The groups differ in their reasons only.
fn write_groups(text: &mut String, report: &TasksReport<'_>, groups: &[&TaskGroup<'_>], width: usize) {
    let Some(first) = groups.first() else { return };
    let head = head_of(first, report);
    let all: Vec<ElementsBelow<'_>> = groups.iter().flat_map(|group| elements(report, group)).collect();
    let count = groups.iter().map(|group| group.tasks.len()).sum::<usize>();
    if let [only] = groups {
        if count > MANY {
            hanging(&format!("  {head}: {}", counted(&all)), width, 4, text);
            hanging(&format!("    {}", named(&all)), width, 4, text);
        } else {
            hanging(&format!("  {head}: {}", named(&all)), width, 4, text);
        }
        reason(text, only, width, 4);
    } else {
        hanging(&format!("  {head}: {}", counted(&all)), width, 4, text);
        for group in groups {
            hanging(&format!("    {}", named(&elements(report, group))), width, 4, text);
            reason(text, group, width, 6);
        }
    }
    let edit = match groups {
        [only] => only.command.clone(),
        _ => for_any(report, first, first.command.as_deref()),
    };
    match (edit, &first.lines) {
        (Some(edit), _) => {
            let each = if edit.contains(ANY_ELEMENT) { " each" } else { "" };
            command(
                &format!("    {}{each}: ", verb(&edit)),
                &visible(&edit),
                (width, 6),
                text,
            );
        }
        (None, Some(lines)) => hanging(&format!("    edit: {}", visible(lines)), width, 6, text),
        (None, None) => {}
    }
}

/// The exception that covers groups of tasks; once for all that differ in their elements only, if those `shown` are
/// known.
fn write_exception(
    text: &mut String,
    report: &TasksReport<'_>,
    groups: &[&TaskGroup<'_>],
    shown: Option<&mut BTreeSet<String>>,
) {
    let Some(first) = groups.first() else { return };
    let Some(for_any) = for_any(report, first, first.exception.as_deref()) else {
        return;
    };
    let exception = match groups {
        [only] => only.exception.as_ref().unwrap_or(&for_any),
        _ => &for_any,
    };
    let each = if exception.contains(ANY_ELEMENT) { " each" } else { "" };
    if shown.as_ref().is_some_and(|shown| shown.contains(&for_any)) {
        let it = if each.is_empty() { ", for this element" } else { "" };
        let _ = writeln!(text, "    with an exception{each}: as above{it}");
        return;
    }
    let _ = writeln!(text, "    with an exception{each}:");
    for line in exception.lines() {
        let _ = writeln!(text, "      {}", visible(line));
    }
    if let Some(shown) = shown {
        shown.insert(for_any);
    }
}

/// What a command does: it edits the files, or only prints.
fn verb(command: &str) -> &'static str {
    if command.ends_with("--write") { "edit" } else { "run" }
}

/// The elements; tasks without any are about the release notes.
fn named(elements: &[ElementsBelow<'_>]) -> String {
    match elements {
        [] => "release notes".to_owned(),
        elements => names(elements),
    }
}

/// "remove by 1.37 (owner sig-auth), declared".
fn head_of(group: &TaskGroup<'_>, report: &TasksReport<'_>) -> String {
    let mut head = group.action.as_str().to_owned();
    if let Some(release) = group.release {
        let is_asked = report.release.is_some_and(|asked| asked.release == release.release);
        let name = if is_asked {
            release.release.to_owned()
        } else {
            bound(group.release)
        };
        let _ = write!(head, " {} {name}", word(group.urgency));
    }
    if let Some(owner) = group.owner {
        let _ = write!(head, " (owner {})", visible(owner));
    }
    if group.declared {
        head.push_str(", declared");
    }
    head
}

fn reason(text: &mut String, group: &TaskGroup<'_>, width: usize, indent: usize) {
    if group.reason != "declared" {
        hanging(
            &format!("{:indent$}{}", "", visible(&group.reason)),
            width,
            indent,
            text,
        );
    }
}

/// The command of a group, or its exception, for any of its elements.
fn for_any(report: &TasksReport<'_>, group: &TaskGroup<'_>, command: Option<&str>) -> Option<String> {
    let command = command?;
    let element = match group.tasks.as_slice() {
        [only] => report.tasks.get(*only).and_then(|task| task.element),
        _ => None,
    };
    Some(match element {
        Some(element) => command.replace(element, ANY_ELEMENT),
        None => command.to_owned(),
    })
}

/// Whether groups differ in their elements and reasons only.
fn is_same_edit(report: &TasksReport<'_>, group: &TaskGroup<'_>, next: &TaskGroup<'_>) -> bool {
    let [own, other] = [group, next].map(|group| {
        let release = group.release.map(|moment| moment.release);
        (
            group.action,
            group.declared,
            release,
            group.owner,
            &group.lines,
            for_any(report, group, group.command.as_deref()),
            for_any(report, group, group.exception.as_deref()),
        )
    });
    group.command.is_some() && own == other
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

/// Why, and the command or the lines that declare a task.
fn described(task: &TaskReport<'_>) -> String {
    let edit = task.command.as_deref().or(task.lines.as_deref());
    let lines = std::iter::once(task.reason.as_str()).chain(edit);
    lines.collect::<Vec<_>>().join("\n")
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
            description: described(task),
            is_certain: task.declared,
        })
        .collect();
    ics::tasks("Agenda", &events, None, out)?;
    Ok(report.tasks.len() - events.len())
}
