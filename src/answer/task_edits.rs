//! Tasks with the edits of the model that declare them.

use crate::model::{Model, in_shell};
use crate::report::TaskReport;

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
