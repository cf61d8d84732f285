//! Which declared ends are planned again without their declaration.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Severity};
use crate::model::{ElementId, EventKind, Model};

/// The elements whose declared ends have not shipped and are planned again: a finding that names no earliest release is
/// about the removal, or is an error about the element or caused by it. Versions come before their kinds, so that the
/// answer of a kind takes the place of that of its version.
pub(super) fn replanned_ends(model: &Model, findings: &[Diagnostic]) -> Vec<ElementId> {
    let unbounded = findings.iter().filter(|finding| {
        let event = finding.event.as_ref();
        let is_about_removal = event.is_some_and(|event| *event.what == *EventKind::Removed.as_str());
        let is_error = finding.severity == Severity::Error && finding.exception.is_none();
        finding.earliest.is_none() && (is_error || is_about_removal)
    });
    let ids = unbounded.flat_map(|finding| [finding.element.as_deref(), finding.caused_by.as_deref()]);
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
