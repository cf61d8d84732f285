//! What a policy prefers beyond what it requires.

use crate::policy::Key;

use super::lifetime::End;
use super::{Demand, Obligations, Scope};

impl Scope<'_> {
    /// Adds a note about a removal that is sooner than the policy prefers. A preference moves no plan.
    pub(crate) fn prefers(&self, out: &mut Obligations, end: &End<'_>) {
        let Some(period) = end.period(Key::Prefer) else { return };
        let model = self.model;
        let (Some(removed), Some(announced)) = (
            model.find_declared(end.removed),
            model.in_force(end.announced).filter(|_| end.announced != end.removed),
        ) else {
            return;
        };
        let [first, required] = [Some(period), end.period(Key::AfterDeprecation)]
            .map(|period| period.map_or(announced.release, |period| self.earliest(announced.release, period)));
        // A removal that is too early is no matter of preference.
        if removed.release < required {
            return;
        }
        let because = format!("by preference, an element stays {period} after its deprecation");
        let sooner = self.obligation(
            "sooner-than-preferred",
            end.removed,
            Demand::Requires(removed.release >= first),
            because,
        );
        let preferred = if first.is_never() {
            format!("{period} after its deprecation")
        } else {
            model.calendar.name(first)
        };
        let (id, release) = (model.id(end.removed.element), model.calendar.name(removed.release));
        let message = format!("{id} is removed in {release}; {preferred} is preferred");
        out.push(
            sooner
                .message(message)
                .help_unless_shipped("remove it later, if nothing speaks against it"),
        );
    }
}
