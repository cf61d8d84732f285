//! The trials of a search for a way: the model planned, or checked, with events on the way supposed.

use std::cell::Cell;

use crate::diagnostic::{Diagnostic, Severity};
use crate::model::{ElementId, Portion};

use super::planning::Planned;
use super::schedule::{Schedule, merged};
use super::{Evaluation, Supposition};

/// The most elements that all trials of a search plan together, before it tries no more. The answer says what was not
/// tried.
pub(super) const MOST_PLANNED: usize = 150_000;

pub(super) struct Trials<'s> {
    before: &'s Evaluation,
    /// What alone is planned: no way leads out of it.
    portion: Portion,
    /// How many elements may be planned before no more is tried.
    pub(super) most: usize,
    /// How many elements were planned so far.
    planned: Cell<usize>,
}

impl<'s> Trials<'s> {
    /// Those of ways to events of some elements.
    pub(super) fn around(before: &'s Evaluation, elements: impl Iterator<Item = ElementId>, most: usize) -> Self {
        Self {
            before,
            portion: before.model.portion_around(elements),
            most,
            planned: Cell::default(),
        }
    }

    /// Whether it takes too long to try more.
    pub(super) fn are_spent(&self) -> bool {
        self.planned.get() > self.most
    }

    fn count(&self) {
        self.planned.set(self.planned.get().saturating_add(self.portion.size()));
    }

    /// The plan with more, or less, declared, unless it takes too many steps.
    pub(super) fn planned(&self, suppositions: &[Supposition]) -> Option<Planned> {
        self.count();
        self.before.planned_within(&self.portion, suppositions).ok()
    }

    /// The errors that a schedule adds. Warnings and the like are declared together with the events.
    pub(super) fn errors(&self, schedule: &Schedule) -> Vec<Diagnostic> {
        let mut added = self.added(schedule);
        added.retain(|finding| !finding.lacks_words());
        added
    }

    /// Whether declarations of a schedule are errors without words, such as a warning.
    pub(super) fn lacks_words(&self, schedule: &Schedule) -> bool {
        self.added(schedule).iter().any(Diagnostic::lacks_words)
    }

    fn added(&self, schedule: &Schedule) -> Vec<Diagnostic> {
        if schedule.is_empty() {
            return Vec::new();
        }
        self.count();
        match self.before.within(&self.portion, &merged(&self.before.model, schedule)) {
            Ok(trial) => {
                let mut added = trial.findings_added_to(self.before);
                added.retain(|finding| finding.severity == Severity::Error);
                added
            }
            Err(error) => vec![*error],
        }
    }
}
