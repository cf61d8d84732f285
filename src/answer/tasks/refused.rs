//! Declared events that a check refuses: they are to be corrected, not to be done.

use crate::answer::Material;
use crate::answer::task_edits::of_any;
use crate::diagnostic::{Diagnostic, Severity, Violation};
use crate::model::{ElementId, EventKind, Model};
use crate::release::Release;
use crate::report::{Action, TaskReport};

/// The error of a check about an event that is declared for a release.
pub(super) fn by_check(
    material: Material<'_>,
    (id, event, release): (ElementId, EventKind, Release),
) -> Option<&Diagnostic> {
    let model = material.reasoning.model;
    let word = model.event_word(event).as_str();
    // What a kind takes from its version is found about the version.
    let declared = model.in_force(model.last_event(id, event));
    let subjects = [Some(id), declared.map(|declared| declared.event.element)].map(|id| id.map(|id| model.id(id)));
    let mut findings = material.findings.iter();
    findings.find(|finding| {
        finding.severity == Severity::Error
            && finding.known.is_none()
            && finding.violation == Violation::Event(release)
            && finding.event.as_ref().is_some_and(|event| &*event.what == word)
            && subjects.contains(&finding.element.as_deref())
    })
}

/// The task of correcting it, with the message of the check and its next step.
pub(super) fn correcting<'a>(model: &Model, refused: &Diagnostic, task: TaskReport<'a>) -> TaskReport<'a> {
    let help = refused
        .help
        .as_ref()
        .map_or_else(String::new, |help| format!("; {help}"));
    let basis = task
        .element
        .map_or_else(|| refused.message.clone(), |id| of_any(&refused.message, id));
    TaskReport {
        action: Action::Correct,
        reason: format!("{}{help}", refused.message),
        basis: format!("{basis}{help}"),
        // `fix` does not read what it cannot write.
        command: Some(model.writing_line("fix")).filter(|_| refused.changes().is_some() && !model.is_read_only()),
        ..task
    }
}
