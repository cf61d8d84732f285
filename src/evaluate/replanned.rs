//! Which ends are planned again: declared ones without their declaration, and those of lives that a gate will make more
//! stable, as if they were announced before.

use std::collections::BTreeSet;

use crate::derivation::Reasoning;
use crate::diagnostic::{Diagnostic, Severity};
use crate::model::{ElementId, Event, EventKind, Model};
use crate::release::Release;

/// The ends of lives that a gate makes more stable, each with a release in which the life is less stable: the first in
/// which the end can be announced, or else the last that has shipped.
pub(super) fn ends_before_promotions(planned: Reasoning<'_>) -> Vec<(Event, Release)> {
    let model = planned.model;
    let guarded = model.judged_gates().flat_map(|gate| &gate.guards);
    let lives = guarded.flat_map(|guarded| model.served_by(*guarded));
    let lives: BTreeSet<ElementId> = lives.filter(|life| !model.element(*life).kind.is_member()).collect();
    let ends = lives.into_iter().map(|life| model.last_event(life, EventKind::Removed));
    ends.filter_map(|removed| Some((removed, before_promotion(planned, removed)?)))
        .collect()
}

fn before_promotion(planned: Reasoning<'_>, removed: Event) -> Option<Release> {
    let model = planned.model;
    let (element, deprecated) = (removed.element, removed.sibling(EventKind::Deprecated));
    let is_declared = [deprecated, removed]
        .into_iter()
        .any(|event| model.find_declared(event).is_some());
    let open = planned.first_open(removed);
    if is_declared || model.keeps(element).is_some() || planned.soonest_removal(removed).release <= open {
        return None;
    }
    let first = planned.first_announcement(removed)?;
    let last = open.previous().filter(|_| open == model.calendar.next());
    if let Some(last) = last.filter(|last| model.track_at(element, *last) < model.track_at(element, first)) {
        return Some(last);
    }
    // From here on, the end is announced in a release that is open.
    if planned.is_forbidden(deprecated) {
        return None;
    }
    let expected = planned.release(deprecated).unwrap_or(Release::NEVER);
    let tracks = model.tracks_of(removed.sibling(EventKind::Introduced)).into_iter();
    let later = tracks.map(|(since, ..)| since).filter(|since| *since > first);
    let mut candidates = std::iter::once(first).chain(later);
    candidates.find(|release| model.track_at(element, *release) < model.track_at(element, expected))
}

/// The elements whose declared ends have not shipped and are planned again: a finding that names no earliest release is
/// about the removal, or is an error about the element or caused by it; or a removal is an error. Versions come before
/// their kinds, so that the answer of a kind takes the place of that of its version.
pub(super) fn replanned_ends(model: &Model, findings: &[Diagnostic]) -> Vec<ElementId> {
    let unbounded = findings.iter().filter(|finding| {
        let event = finding.event.as_ref();
        let is_about_removal = event.is_some_and(|event| *event.what == *EventKind::Removed.as_str());
        let is_error = finding.severity == Severity::Error && finding.exception.is_none();
        let names_none = finding.earliest.is_none();
        (names_none && is_error) || (is_about_removal && (names_none || is_error))
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
