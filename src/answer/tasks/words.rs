//! Tasks of texts that declarations lack.

use super::super::task_edits::of_any;
use super::Maker;
use crate::diagnostic::{Diagnostic, Violation};
use crate::report::{Action, TaskReport, Urgency};

impl<'a> Maker<'a, '_> {
    /// Warnings and other texts that declarations lack, and that `fix` drafts. Returns also how many tasks the baseline
    /// suppresses.
    pub(super) fn words(&self) -> (Vec<TaskReport<'a>>, usize) {
        let (mut tasks, mut suppressed) = (Vec::new(), 0);
        for finding in self.material.findings {
            let Some(task) = self.of_words(finding) else { continue };
            if finding.known.is_some() {
                suppressed += 1;
            } else {
                tasks.push(task);
            }
        }
        (tasks, suppressed)
    }

    fn of_words(&self, finding: &Diagnostic) -> Option<TaskReport<'a>> {
        let model = self.material.reasoning.model;
        let id = model.find(finding.element.as_deref()?)?;
        let Violation::Lasting(since) = finding.violation else {
            return None;
        };
        finding.changes().filter(|_| self.material.has(id))?;
        let release = since.unwrap_or(self.first);
        let urgency = if release < model.calendar.next() {
            Urgency::Overdue
        } else {
            Urgency::Must
        };
        let action = match finding.rule {
            "exception" => Action::Answer,
            _ => Action::Warn,
        };
        (urgency == Urgency::Overdue || self.is_asked(release)).then(|| TaskReport {
            declared: false,
            reason: finding.message.clone(),
            basis: of_any(&finding.message, model.id(id)),
            // `fix` does not read what it cannot write.
            command: Some(model.writing_line("fix")).filter(|_| !model.is_read_only()),
            ..self.task(id, action, urgency, release)
        })
    }
}
