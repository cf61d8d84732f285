//! A changed model, compared with the model as it was.

use crate::answer;
use crate::report::WhatIfReport;
use crate::source::Sources;

use super::Evaluation;

impl Evaluation {
    /// What a change moves: this is the changed model, `before` the model as it was. A base judges a change in the same
    /// way: findings that both have are marked, and history is compared.
    pub fn what_if<'a>(
        &'a mut self,
        sources: &Sources<'_>,
        before: &'a Self,
        changes: Vec<String>,
    ) -> WhatIfReport<'a> {
        self.compare_with("the model as it is", before);
        answer::what_if(before.material(), self.material(), sources, changes)
    }
}
