//! Tasks with the edits of the model that declare them.

use crate::diagnostic::{Diagnostic, Violation};
use crate::model::{ElementId, Model, in_shell};
use crate::release::Release;
use crate::report::{Action, TaskReport};

use super::decided::Reason;

/// A message about an element as one about any: "it is deprecated, but no warning is declared".
pub(super) fn of_any(message: &str, id: &str) -> String {
    let rest = message.strip_prefix(id).filter(|rest| rest.starts_with(' '));
    rest.map_or_else(|| message.to_owned(), |rest| format!("it{rest}"))
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
        reason: reason.text,
        basis: reason.basis,
        command: Some(command(model, &declarations)),
        declarations,
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
