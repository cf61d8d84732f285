//! Exceptions that end, and those that would cover what comes after its deadline.

use std::ops::RangeInclusive;

use crate::answer::task_edits::{declared_after, task};
use crate::answer::{Material, all_exceptions};
use crate::document::quoted;
use crate::model::{ElementId, EventKind, Exception, Model};
use crate::release::Release;
use crate::report::{Action, ExceptionState, TaskReport, Urgency};
use crate::rules::is_about;
use crate::source::Sources;

/// The lines of an exception that covers an event in a release after its deadline; `None` if one is granted: where that
/// has ended, it is to be extended.
pub(super) fn from_deadline(
    material: Material<'_>,
    (id, event): (ElementId, EventKind),
    release: Release,
) -> Option<String> {
    let model = material.reasoning.model;
    let mut parts = model.served_by(id).into_iter();
    let due = parts.find_map(|part| material.reasoning.upper(model.last_event(part, event)))?;
    let (rule, code) = (due.obligation.rule()?, due.obligation.code);
    // What a kind takes from its version is found about the version.
    let version = model.element(id).parent.filter(|_| model.element(id).kind.is_kind());
    let mut granted = model.exceptions.iter().filter(|granted| {
        let target = granted.element.target;
        target == Some(id) || target.is_some() && target == version
    });
    if granted.any(|granted| is_about(material.law, granted, (rule, code))) {
        return None;
    }
    let until = model.calendar.name(release.plus(1));
    Some(format!(
        "[[exception]]\nrule = {}\nelement = {}\nreason = \"…\"\napproved-by = \"…\"\nuntil = {}",
        quoted(&format!("{rule}:{code}")),
        quoted(model.id(id)),
        quoted(&until),
    ))
}

/// The tasks about exceptions that end in some releases, and about those that have ended by then.
pub(super) fn tasks<'a>(
    material: Material<'a>,
    sources: &Sources<'_>,
    asked: RangeInclusive<Release>,
) -> Vec<TaskReport<'a>> {
    let model = material.reasoning.model;
    let reports = all_exceptions(material, sources);
    let exceptions = model.exceptions.iter().zip(reports).enumerate();
    let tasks = exceptions.filter_map(|(position, (exception, report))| {
        let id = exception.element.target.filter(|id| material.has(*id))?;
        let (until, _) = exception.until?;
        let (urgency, verb) = match report.state {
            ExceptionState::InForce if asked.contains(&until) && runs_out(material, position) => {
                (Urgency::Must, "ends")
            }
            ExceptionState::Expired if until <= *asked.end() => (Urgency::Overdue, "has ended"),
            _ => return None,
        };
        let until_then = last_to_cover(model, (id, exception), *asked.end()).plus(1);
        let basis = format!("the exception from {} {verb}: {}", report.violation(), exception.reason);
        let reason = match report.file {
            Some(file) => format!("{basis} ({file}:{})", report.line.unwrap_or(1)),
            None => basis.clone(),
        };
        Some(TaskReport {
            declared: false,
            basis,
            reason,
            lines: Some(format!("until = {}", quoted(&model.calendar.name(until_then)))),
            ..task(material, id, Action::Answer, urgency, until)
        })
    });
    tasks.collect()
}

/// Whether an exception covers what lasts: an event that is declared for a release stays covered.
fn runs_out(material: Material<'_>, position: usize) -> bool {
    let mut covered = material.findings.iter();
    covered.any(|finding| {
        let event = finding.event.as_ref().filter(|event| event.declared.is_some());
        finding.exception == Some(position) && event.is_none()
    })
}

/// The last release that an exception has to cover if it is extended: the last one that is asked for, or that of a
/// declared end which it allows to be late.
fn last_to_cover(model: &Model, (id, exception): (ElementId, &Exception), asked: Release) -> Release {
    let last = asked.max(model.calendar.next());
    let ends_late = exception.code.as_ref().is_some_and(|code| code.text == "overdue");
    let end = declared_after(model, id, EventKind::Removed, last).filter(|_| ends_late);
    end.unwrap_or(last)
}
