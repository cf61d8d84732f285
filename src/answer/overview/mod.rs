//! The plan at a glance: what is overdue, what comes next, and what is left to do in each group.

mod agenda;
mod history;
mod remaining;

use crate::model::ElementId;
use crate::report::OverviewReport;

use super::Material;
use super::filter::EventIndex;
pub(super) use agenda::{Matter, Standing};
use remaining::Builder;

/// What matters of elements, which the overview words and tasks are made from.
pub(super) struct Matters<'a, 'i>(Builder<'a, 'i>);

impl<'a, 'i> Matters<'a, 'i> {
    pub(super) fn new(material: Material<'a>, index: &'i EventIndex<'a>) -> Self {
        Self(Builder::new(material, index))
    }

    /// What matters of an element, the most pressing first.
    pub(super) fn of(&self, id: ElementId) -> Vec<Matter> {
        agenda::matters(&self.0, id)
    }
}

/// Makes the overview. Without a filter, elements of which nothing is left to do are left out; with one that names
/// releases, everything but what happens in these.
pub(crate) fn overview(material: Material<'_>) -> OverviewReport<'_> {
    let index = EventIndex::of_all(material);
    let builder = Builder::new(material, &index);
    let groups = if builder.of_releases() {
        Vec::new()
    } else {
        builder.groups()
    };
    let agenda = agenda::all(&builder);
    OverviewReport {
        current: material.current(),
        dates: builder.dates(&groups, &agenda),
        finished: builder.finished(&groups),
        filtered: material.selection.is_some(),
        check: material.command_line("check"),
        why: material.reasoning.model.command_line("why ELEMENT"),
        agenda,
        groups,
    }
}
