//! Which declared ends the law refuses for another reason than that they come too early.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Severity};
use crate::model::{ElementId, EventKind, Model};

/// The elements with such an end that has not shipped: an error is about them, or caused by them, and no release is
/// named from which they could end; or the end is late. Versions come before their kinds.
pub(super) fn refused_ends(model: &Model, findings: &[Diagnostic]) -> Vec<ElementId> {
    let errors = findings.iter().filter(|finding| {
        let event = finding.event.as_ref();
        let is_late = event.is_some_and(|event| *event.what == *EventKind::Removed.as_str());
        let is_error = finding.severity == Severity::Error && finding.exception.is_none();
        finding.earliest.is_none() && (is_error || is_late)
    });
    let ids = errors.flat_map(|finding| [finding.element.as_deref(), finding.caused_by.as_deref()]);
    let found: BTreeSet<ElementId> = ids.flatten().filter_map(|id| model.find(id)).collect();
    let found = found.into_iter().filter(|element| has_open_end(model, *element));
    let (versions, others): (Vec<_>, Vec<_>) = found.partition(|element| model.element(*element).kind.is_version());
    versions.into_iter().chain(others).collect()
}

fn has_open_end(model: &Model, element: ElementId) -> bool {
    let mut parts = model.served_by(element).into_iter();
    parts.any(|part| {
        let end = model.declared_release(model.last_event(part, EventKind::Removed));
        end.is_some_and(|end| end >= model.calendar.next())
    })
}
