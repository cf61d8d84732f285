//! Which deadlines have passed that the baseline lists: nothing has to be done for them.

use std::collections::BTreeSet;

use super::super::Material;
use crate::model::{ElementId, EventKind, Model};

/// Deadlines that have passed: those that the baseline lists, and those that are new.
pub(super) struct KnownDelays<'a> {
    /// Elements with an event that is late.
    own: BTreeSet<(ElementId, &'a str)>,
    /// What these are part of.
    wholes: BTreeSet<(ElementId, &'a str)>,
    new: BTreeSet<(ElementId, &'a str)>,
}

impl<'a> KnownDelays<'a> {
    pub(super) fn of(material: Material<'a>) -> Self {
        let model = material.reasoning.model;
        let mut delays = Self {
            own: BTreeSet::new(),
            wholes: BTreeSet::new(),
            new: BTreeSet::new(),
        };
        for finding in material.findings {
            let element = finding.element.as_deref().and_then(|id| model.find(id));
            let is_late = finding.missed_by.is_some() && finding.earliest.is_none();
            let (Some(id), Some(event), true) = (element, &finding.event, is_late) else {
                continue;
            };
            let what = &*event.what;
            if finding.known.is_none() {
                delays.new.extend(model.with_wholes(id).map(|element| (element, what)));
            } else {
                delays.own.insert((id, what));
                delays
                    .wholes
                    .extend(model.with_wholes(id).skip(1).map(|whole| (whole, what)));
            }
        }
        delays
    }

    /// Whether the baseline lists that an event of an element is late: by itself, by what it is part of, or by its
    /// parts.
    pub(super) fn suppress(&self, model: &Model, id: ElementId, what: EventKind) -> bool {
        let event = model.event_word(what).as_str();
        let mut with = model.with_wholes(id);
        let is_known = self.wholes.contains(&(id, event)) || with.any(|id| self.own.contains(&(id, event)));
        is_known && !self.new.contains(&(id, event))
    }
}
