//! The law in force as a report.

use crate::answer;
use crate::policy::Law;
use crate::report::EffectiveReport;
use crate::source::Sources;

use super::{Evaluation, pages};

/// The law in force, each value with what sets it, without a model.
pub fn effective_law<'a>(law: &'a Law, sources: &Sources<'_>) -> EffectiveReport<'a> {
    answer::effective(law, None, pages(), sources)
}

impl Evaluation {
    /// The law in force, each value with what sets it.
    pub fn effective(&self, sources: &Sources<'_>) -> EffectiveReport<'_> {
        answer::effective(&self.law, Some(&self.names), pages(), sources)
    }
}
