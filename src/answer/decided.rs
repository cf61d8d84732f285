//! Why an event is in its release, in words.

use crate::derivation::{Reasoning, Worked};
use crate::diagnostic::RuleId;
use crate::model::{ElementId, Event, EventKind};
use crate::obligation::{Demand, Obligation};
use crate::plan::{Decision, removed_with};
use crate::release::Release;
use crate::rules::Permission;
use crate::timeline;

use super::Material;
use super::walks::Move;

/// The rule about moves of the preferred and the storage version.
const MOVES: RuleId = "preferred-and-storage";

/// A reason.
#[derive(Debug, Clone)]
pub(super) struct Reason {
    pub(super) text: String,
    /// The same without the releases that it counts from: what is alike has one basis.
    pub(super) basis: String,
}

impl Reason {
    /// A reason that names no releases.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            basis: text.clone(),
            text,
        }
    }

    /// A reason with something else that holds.
    pub(super) fn and(self, also: &str) -> Self {
        Self {
            text: format!("{}; {also}", self.text),
            basis: format!("{}; {also}", self.basis),
        }
    }

    /// A reason with a custom, which is what such reasons have in common.
    pub(super) fn by_custom(self, custom: Option<String>) -> Self {
        match custom {
            Some(basis) => Self {
                basis: basis.clone(),
                ..self.and(&basis)
            },
            None => self,
        }
    }

    fn of(reasoning: Reasoning<'_>, obligation: &Obligation, worked: &Worked) -> Self {
        Self {
            text: reasoning.sentence(obligation, worked),
            basis: reasoning.basis(obligation, worked),
        }
    }
}

/// The reason for a planned event of an element: what decides it, of a version for the kind that has that release.
pub(super) fn planned(reasoning: Reasoning<'_>, id: ElementId, life: u8, what: EventKind, release: Release) -> Reason {
    let mut events = parts(reasoning, id, life, what).into_iter();
    let own = events.find(|event| reasoning.release(*event) == Some(release));
    own.map_or_else(
        || Reason::plain("no rule asks for more"),
        |event| decision(reasoning, event),
    )
}

/// The reason for a planned move of the preferred or storage version to an element (P6).
pub(super) fn moved(material: Material<'_>, id: ElementId, moved: &Move) -> Reason {
    let Some(from) = moved.from else {
        return Reason::plain("the highest-ranked version that is served first");
    };
    let Reasoning { model, assignment, .. } = material.reasoning;
    let permission = timeline::permission((model, material.law), assignment, [from, id], moved.release);
    Reason::plain(match permission {
        Permission::Overlap => {
            "the highest-ranked version that an earlier release served beside the current one".to_owned()
        }
        Permission::AlphaGone => {
            let law = material.law.rule(MOVES).at(moved.release);
            let number = law.and_then(|law| law.number.as_ref());
            let number = number.map_or_else(String::new, |number| format!("#{number} "));
            format!("the alpha version before it is removed: {number}{MOVES} permits the move without an overlap")
        }
        Permission::Gone => "the highest-ranked version that is left: the one before it is removed".to_owned(),
    })
}

/// The reason for a deadline of an element's last life, or else for the first release that may carry the event.
pub(super) fn bounded(
    reasoning: Reasoning<'_>,
    id: ElementId,
    what: EventKind,
    deadline: Option<Release>,
) -> Option<Reason> {
    let events = parts(reasoning, id, u8::MAX, what);
    let found = events.into_iter().filter_map(|event| match deadline {
        Some(_) => reasoning.upper(event),
        None => reasoning.lower(event),
    });
    // Kinds of a version may have other deadlines.
    let decisive = found.max_by_key(|found| {
        let release = found.worked.release();
        (deadline == Some(release), release)
    })?;
    Some(Reason::of(reasoning, decisive.obligation, &decisive.worked))
}

/// An event of an element, or of the kinds of a version.
fn parts(reasoning: Reasoning<'_>, id: ElementId, life: u8, what: EventKind) -> Vec<Event> {
    let model = reasoning.model;
    let parts = model.served_by(id).into_iter();
    let events = parts.map(|part| Event::new(part, life.min(model.last_life(part)), what));
    events.collect()
}

fn decision(reasoning: Reasoning<'_>, event: Event) -> Reason {
    let Some(planned) = reasoning.planned(event) else {
        return Reason::plain(match removed_with(reasoning.model, event) {
            Some(owner) => format!("with {}", reasoning.model.id(owner.element)),
            None => "follows from what is declared".to_owned(),
        });
    };
    let decided = match planned.decision {
        Decision::Obligation(position) => reasoning.obligations.get(position),
        Decision::Current => None,
    };
    let Some(obligation) = decided else {
        let first = "the first release that has not shipped";
        let Some(passed) = reasoning.lower(event) else {
            return Reason::plain(first);
        };
        let passed = Reason::of(reasoning, passed.obligation, &passed.worked);
        return Reason {
            text: format!("{}; {first}", passed.text),
            ..passed
        };
    };
    let worked = match &obligation.demand {
        Demand::NotAfter(term) => Some(reasoning.work(*term)),
        demand => reasoning.deciding(demand),
    };
    worked.map_or_else(
        || Reason::plain(obligation.because.as_ref()),
        |worked| Reason::of(reasoning, obligation, &worked),
    )
}
