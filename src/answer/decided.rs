//! Why an event is in its release, in words.

use crate::derivation::Reasoning;
use crate::model::{ElementId, Event, EventKind};
use crate::obligation::Demand;
use crate::plan::{Decision, removed_with};
use crate::release::Release;

/// The reason for a planned event of an element: what decides it, of a version for the kind that has that release.
pub(super) fn planned(reasoning: Reasoning<'_>, id: ElementId, life: u8, what: EventKind, release: Release) -> String {
    if matches!(what, EventKind::Preferred | EventKind::Stored) {
        return "the highest-ranked version that an earlier release served beside the current one".to_owned();
    }
    let mut events = parts(reasoning, id, life, what).into_iter();
    let own = events.find(|event| reasoning.release(*event) == Some(release));
    own.map_or_else(|| "planned".to_owned(), |event| decision(reasoning, event))
}

/// The reason for a deadline of an element's last life, or else for the first release that may carry the event.
pub(super) fn bounded(reasoning: Reasoning<'_>, id: ElementId, what: EventKind, is_deadline: bool) -> Option<String> {
    let events = parts(reasoning, id, u8::MAX, what);
    let found = events.into_iter().filter_map(|event| {
        if is_deadline {
            reasoning.upper(event)
        } else {
            reasoning.lower(event)
        }
    });
    let decisive = found.max_by_key(|found| found.worked.release())?;
    Some(reasoning.sentence(decisive.obligation, &decisive.worked))
}

/// An event of an element, or of the kinds of a version.
fn parts(reasoning: Reasoning<'_>, id: ElementId, life: u8, what: EventKind) -> Vec<Event> {
    let model = reasoning.model;
    let parts = model.served_by(id).into_iter();
    let events = parts.map(|part| Event::new(part, life.min(model.last_life(part)), what));
    events.collect()
}

fn decision(reasoning: Reasoning<'_>, event: Event) -> String {
    let Some(planned) = reasoning.planned(event) else {
        return match removed_with(reasoning.model, event) {
            Some(owner) => format!("with {}", reasoning.model.id(owner.element)),
            None => "follows from what is declared".to_owned(),
        };
    };
    let decided = match planned.decision {
        Decision::Obligation(position) => reasoning.obligations.get(position),
        Decision::Current => None,
    };
    let Some(obligation) = decided else {
        let passed = reasoning.lower(event);
        let passed = passed.map(|found| reasoning.sentence(found.obligation, &found.worked));
        let passed = passed.map_or_else(String::new, |passed| format!("{passed}; "));
        return format!("{passed}the first release that has not shipped");
    };
    let worked = match &obligation.demand {
        Demand::NotAfter(term) => Some(reasoning.work(*term)),
        demand => reasoning.deciding(demand),
    };
    worked.map_or_else(
        || obligation.because.to_string(),
        |worked| reasoning.sentence(obligation, &worked),
    )
}
