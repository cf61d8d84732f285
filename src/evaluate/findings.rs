//! What findings say about the events of a way.

use crate::diagnostic::{Diagnostic, Missed, Violation};
use crate::model::{Event, Model};
use crate::release::Release;

/// Whether a finding is about an event, of whatever element.
pub(super) fn is_about(finding: &Diagnostic, event: Event, model: &Model) -> bool {
    let about = finding.event.as_ref();
    about.is_some_and(|about| *about.what == *model.event_word(event.what).as_str())
}

/// Whether a finding is about a declared event that comes after its bound.
pub(super) fn is_too_late(finding: &Diagnostic) -> bool {
    matches!(finding.missed_by, Some(Missed::By(_))) && finding.earliest.is_none()
}

/// The release of an event that a finding is about, or from which on it lasts.
pub(super) fn happens_in(finding: &Diagnostic) -> Option<Release> {
    match finding.violation {
        Violation::Event(release) | Violation::Lasting(Some(release)) => Some(release),
        Violation::Lasting(None) => None,
    }
}
