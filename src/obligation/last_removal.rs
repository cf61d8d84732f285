//! The removal with which an element is no longer served: a version is served as long as any of its kinds is.

use std::cmp::Reverse;

use crate::model::{ElementId, Event, EventKind, Model};

use super::{Obligation, Principle, Source};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastRemoval {
    /// The only one that can come last; if all are declared, the one that does.
    Of(Event),
    /// The removal of a version several of whose kinds have no declared end.
    OfAny {
        version: Event,
        /// The removal of the kind that the plan lets stay: any would do, and it is the first by its place.
        planned: Event,
    },
}

impl LastRemoval {
    /// That of an element or, of a version, of its kinds.
    pub(crate) fn of(model: &Model, element: ElementId) -> Option<Self> {
        let parts = model.served_by(element);
        let removals = parts.iter().map(|part| model.last_event(*part, EventKind::Removed));
        let (open, declared): (Vec<Event>, Vec<Event>) =
            removals.partition(|removed| model.find_declared(*removed).is_none());
        match open.as_slice() {
            [] => {
                let last = declared
                    .into_iter()
                    .max_by_key(|removed| (model.declared_release(*removed), Reverse(*removed)));
                last.map(Self::Of)
            }
            [only] => Some(Self::Of(*only)),
            [first, ..] => Some(Self::OfAny {
                version: model.last_event(element, EventKind::Removed),
                planned: *first,
            }),
        }
    }

    /// What the law demands of it, given an event. Of several kinds the law demands it of the version, and lets each
    /// one go; the plan, in which all of them end, keeps one.
    pub(crate) fn demand(self, of: impl Fn(Event) -> Obligation) -> impl Iterator<Item = Obligation> {
        let (law, planned) = match self {
            Self::Of(removed) => (removed, None),
            Self::OfAny { version, planned } => (version, Some(planned)),
        };
        let planned = planned.map(|removed| Obligation {
            source: Source::Plan(Principle::P5),
            ..of(removed)
        });
        planned.into_iter().chain([of(law)])
    }
}
