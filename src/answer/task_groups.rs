//! Tasks that are alike, together.

use std::collections::BTreeMap;

use crate::model::{ElementKind, Model};
use crate::report::{ANY_ELEMENT, TaskGroup, TaskReport, Urgency};

/// The tasks that share everything but their elements and the releases that their reasons count from. Of equal urgency
/// and release, those about what is used most widely come first: versions before gates, gates before metrics.
pub(super) fn alike<'a>(tasks: &[TaskReport<'a>], model: &Model) -> Vec<TaskGroup<'a>> {
    let mut positions: BTreeMap<(&str, _), usize> = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let own = (
            task.urgency,
            task.action,
            task.release.map(|moment| moment.release),
            task.declared,
            task.owner,
            of_any(task, task.command.as_deref()),
            of_any(task, task.exception.as_deref()),
            task.lines.as_deref(),
        );
        let group = *positions.entry((&task.basis, own)).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    let mut groups: Vec<TaskGroup<'a>> = groups.into_iter().filter_map(|group| of(tasks, group, model)).collect();
    groups.sort_by_cached_key(|group| {
        let release = group
            .release
            .and_then(|moment| model.calendar.find(moment.release).ok());
        let first = group.tasks.first().and_then(|at| tasks.get(*at));
        (group.urgency, release, first.map(|task| width(task, model)))
    });
    groups
}

fn of<'a>(tasks: &[TaskReport<'a>], mut group: Vec<usize>, model: &Model) -> Option<TaskGroup<'a>> {
    group.sort_by_cached_key(|at| tasks.get(*at).map(|task| width(task, model)));
    let first = tasks.get(*group.first()?)?;
    let is_one_reason = group
        .iter()
        .all(|at| tasks.get(*at).is_some_and(|task| task.reason == first.reason));
    let command = first.command.as_deref();
    Some(TaskGroup {
        urgency: first.urgency,
        action: first.action,
        release: first.release,
        declared: first.declared,
        reason: match first.urgency {
            Urgency::Overdue | Urgency::Must if is_one_reason => first.reason.clone(),
            _ => first.basis.clone(),
        },
        owner: first.owner,
        command: match group.len() {
            1 => command.map(str::to_owned),
            _ => of_any(first, command),
        },
        lines: first.lines.clone(),
        exception: match group.len() {
            1 => first.exception.clone(),
            _ => of_any(first, first.exception.as_deref()),
        },
        tasks: group,
    })
}

/// How widely an element is used, the widest first, by its kind. What is about no element comes last.
fn width(task: &TaskReport<'_>, model: &Model) -> (bool, Option<ElementKind>) {
    let id = task.element.and_then(|element| model.find(element));
    (id.is_none(), id.map(|id| model.element(id).kind))
}

/// A command, or lines, about an element as about any.
fn of_any(task: &TaskReport<'_>, command: Option<&str>) -> Option<String> {
    let command = command?;
    Some(match task.element {
        Some(element) => command.replace(element, ANY_ELEMENT),
        None => command.to_owned(),
    })
}
