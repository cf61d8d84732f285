//! Tasks with the edits of the model that declare them.

use crate::diagnostic::{Change, Diagnostic, Violation};
use crate::document::edit;
use crate::model::{Duty, ElementId, EventKind, Model, in_shell};
use crate::release::Release;
use crate::report::{Action, TaskReport, Urgency};
use crate::source::Sources;

use super::Material;
use super::decided::Reason;

/// A message about an element as one about any: "it is deprecated, but no warning is declared".
pub(super) fn of_any(message: &str, id: &str) -> String {
    let rest = message.strip_prefix(id).filter(|rest| rest.starts_with(' '));
    rest.map_or_else(|| message.to_owned(), |rest| format!("it{rest}"))
}

/// A task about an element that the model declares already.
pub(super) fn task(
    material: Material<'_>,
    id: ElementId,
    action: Action,
    urgency: Urgency,
    release: Release,
) -> TaskReport<'_> {
    let model = material.reasoning.model;
    TaskReport {
        urgency,
        action,
        element: Some(model.id(id)),
        release: material.names.moment(release),
        declared: true,
        reason: "declared".to_owned(),
        basis: "declared".to_owned(),
        consumers: Vec::new(),
        owner: model.owned_by(id),
        command: None,
        declarations: Vec::new(),
        lines: None,
        exception: None,
    }
}

/// The release that an event is declared for, if it is after another one.
pub(super) fn declared_after(model: &Model, id: ElementId, event: EventKind, deadline: Release) -> Option<Release> {
    let parts = model.served_by(id).into_iter();
    let releases = parts.filter_map(|part| model.declared_release(model.last_event(part, event)));
    releases.max().filter(|last| *last > deadline)
}

/// The declaration of an event of an element: `apps/v1beta1.removed=1.16`.
pub(super) fn declaration(model: &Model, id: ElementId, key: &str, release: Release) -> String {
    format!("{}.{key}={}", model.id(id), model.calendar.name(release))
}

/// The command that makes declarations.
pub(super) fn command(model: &Model, declarations: &[String]) -> String {
    let sets = declarations
        .iter()
        .map(|declaration| format!(" --set {}", in_shell(declaration)));
    model.writing_line(&format!("what-if{}", sets.collect::<String>()))
}

/// A task with the declarations that it lacks.
pub(super) fn declaring<'a>(
    model: &Model,
    task: TaskReport<'a>,
    reason: Reason,
    declarations: Vec<String>,
) -> TaskReport<'a> {
    TaskReport {
        declared: false,
        command: Some(command(model, &declarations)),
        declarations,
        ..reasoned(task, reason)
    }
}

/// A task with its reason.
pub(super) fn reasoned(task: TaskReport<'_>, reason: Reason) -> TaskReport<'_> {
    TaskReport {
        reason: reason.text,
        basis: reason.basis,
        ..task
    }
}

/// The element whose declaration lacks a text that `fix` drafts, what is to be done about it, and since when.
pub(super) fn lacking(model: &Model, finding: &Diagnostic) -> Option<(ElementId, Action, Option<Release>)> {
    let id = model.find(finding.element.as_deref()?)?;
    let Violation::Lasting(since) = finding.violation else {
        return None;
    };
    finding.changes()?;
    let action = match finding.rule {
        "exception" => Action::Answer,
        _ => Action::Warn,
    };
    Some((id, action, since))
}

/// The lines that declare what an element lacks, if `fix` cannot add them to a text: its entry is not written so that
/// another key can stand beside a value.
pub(super) fn lines_by_hand(finding: &Diagnostic, sources: &Sources<'_>) -> Option<String> {
    let lines = finding.changes()?.iter().map(|change| {
        let Change::Add { beside, key, value } = change else {
            return None;
        };
        let text = sources.file(beside.file)?.text;
        edit(text, change).is_none().then(|| format!("{key} = {value}"))
    });
    let lines: Vec<String> = lines.flatten().collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// What an event asks for; nothing if it is no end, and no step towards one.
pub(super) fn action(model: &Model, event: EventKind) -> Option<Action> {
    match event {
        EventKind::Deprecated => Some(Action::Deprecate),
        EventKind::Step(_) => model.steps.of(event).map(|step| match step.duty {
            Duty::Document => Action::Document,
            Duty::Warn => Action::Warn,
            Duty::Fail => Action::Disable,
            Duty::EndSupport => Action::Unsupport,
            Duty::Hide => Action::Hide,
        }),
        EventKind::Hidden => Some(Action::Hide),
        EventKind::Locked => Some(Action::Lock),
        EventKind::Migrated => Some(Action::Migrate),
        EventKind::Removed => Some(Action::Remove),
        EventKind::Dropped => Some(Action::Drop),
        // Moves are tasks of their own.
        EventKind::Preferred
        | EventKind::Stored
        | EventKind::Tolerated
        | EventKind::Introduced
        | EventKind::Promoted
        | EventKind::Undeprecated => None,
    }
}
