//! Deadlines that have been missed and leave nothing to do: the baseline lists them, or an exception allows it.

use std::collections::BTreeSet;

use super::Material;
use crate::diagnostic::Diagnostic;
use crate::model::{ElementId, EventKind, Model};

/// Missed deadlines: those that are settled, and the others.
pub(super) struct Delays<'a> {
    /// Elements with an event that is late.
    own: BTreeSet<(ElementId, &'a str)>,
    /// What these are part of.
    wholes: BTreeSet<(ElementId, &'a str)>,
    open: BTreeSet<(ElementId, &'a str)>,
}

impl<'a> Delays<'a> {
    /// Those that the baseline lists.
    pub(super) fn listed(material: Material<'a>) -> Self {
        Self::of(material, |finding| finding.known.is_some())
    }

    /// Those that an exception allows.
    pub(super) fn excepted(material: Material<'a>) -> Self {
        Self::of(material, |finding| finding.exception.is_some())
    }

    fn of(material: Material<'a>, is_settled: fn(&Diagnostic) -> bool) -> Self {
        let model = material.reasoning.model;
        let mut delays = Self {
            own: BTreeSet::new(),
            wholes: BTreeSet::new(),
            open: BTreeSet::new(),
        };
        for finding in material.findings {
            let element = finding.element.as_deref().and_then(|id| model.find(id));
            let is_late = finding.missed_by.is_some() && finding.earliest.is_none();
            let (Some(id), Some(event), true) = (element, &finding.event, is_late) else {
                continue;
            };
            let what = &*event.what;
            if is_settled(finding) {
                delays.own.insert((id, what));
                delays
                    .wholes
                    .extend(model.with_wholes(id).skip(1).map(|whole| (whole, what)));
            } else {
                delays.open.extend(model.with_wholes(id).map(|element| (element, what)));
            }
        }
        delays
    }

    /// Whether it is settled that an event of an element is late: by itself, by what it is part of, or by its parts.
    pub(super) fn settle(&self, model: &Model, id: ElementId, what: EventKind) -> bool {
        let event = model.event_word(what).as_str();
        let mut with = model.with_wholes(id);
        let is_settled = self.wholes.contains(&(id, event)) || with.any(|id| self.own.contains(&(id, event)));
        is_settled && !self.open.contains(&(id, event))
    }
}
