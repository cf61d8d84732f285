//! A changed model, compared with the model as it was.

use crate::answer;
use crate::release::Release;
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

    /// What the calendar of a change moves since an earlier state, in the words of a what-if. `None` if each release
    /// that had not shipped is still on its day.
    pub fn calendar_moves<'a>(&'a self, sources: &Sources<'_>, before: &'a Self) -> Option<WhatIfReport<'a>> {
        let (was, is) = (&before.model.calendar, &self.model.calendar);
        let mut open = (was.next().0..was.listed().max(is.listed())).map(Release);
        let moved = open.any(|release| {
            let now = is.find(&was.name(release)).ok().and_then(|now| is.date(now));
            was.date(release).is_some_and(|day| now != Some(day))
        });
        moved.then(|| answer::what_if(before.material(), self.material(), sources, Vec::new()))
    }
}
