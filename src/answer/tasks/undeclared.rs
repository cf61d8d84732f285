//! An event that the model does not declare: the release that is declared for it, and what is declared with it.

use std::collections::BTreeMap;

use crate::answer::decided::Reason;
use crate::answer::overview::{Matter, Standing};
use crate::answer::task_edits::declaration;
use crate::derivation::Reasoning;
use crate::model::{ElementId, EventKind};
use crate::release::Release;
use crate::report::ElementReport;

pub(super) struct Undeclared<'a, 'r> {
    pub(super) reasoning: Reasoning<'a>,
    /// Of the element.
    pub(super) report: &'r ElementReport<'a>,
}

impl Undeclared<'_, '_> {
    /// The release for which the event is declared. A deadline that no release permits is missed.
    pub(super) fn possible(&self, matter: Matter) -> Release {
        match matter.standing {
            Standing::Overdue => self.soonest(matter.event),
            Standing::Due => self.soonest(matter.event).max(matter.release),
            _ => matter.release,
        }
    }

    /// The reason for a deadline; if it is missed, also why.
    pub(super) fn with_delay(&self, matter: Matter, at: Release, reason: Reason) -> Reason {
        if matter.standing != Standing::Due || at == matter.release {
            return reason;
        }
        let model = self.reasoning.model;
        let (word, first) = (model.event_word(matter.event), model.calendar.name(at));
        reason.and(&format!("it cannot be {word} before {first}"))
    }

    /// The declarations that put the event into a release, with what has to be declared before it.
    pub(super) fn declarations(&self, id: ElementId, event: EventKind, at: Release) -> Vec<String> {
        let model = self.reasoning.model;
        let own = declaration(model, id, model.event_word(event).as_str(), at);
        let announced = self.announced_first(id, event, at);
        let announced = announced.map(|announced| declaration(model, id, EventKind::Deprecated.as_str(), announced));
        let steps = self.steps_first(id, event).into_iter();
        let steps =
            steps.map(|(step, release)| declaration(model, id, model.event_word(step).as_str(), release.min(at)));
        announced.into_iter().chain(steps).chain([own]).collect()
    }

    /// The steps that a removal waits for, if the model does not declare them.
    fn steps_first(&self, id: ElementId, event: EventKind) -> BTreeMap<EventKind, Release> {
        if event != EventKind::Removed {
            return BTreeMap::new();
        }
        self.reasoning.steps_of_all(&self.reasoning.model.served_by(id))
    }

    /// When a removal is announced, if the model does not declare that.
    fn announced_first(&self, id: ElementId, event: EventKind, at: Release) -> Option<Release> {
        let parts = self.reasoning.model.served_by(id).into_iter();
        let removals = parts.map(|part| self.reasoning.model.last_event(part, EventKind::Removed));
        let announced = removals.filter_map(|removed| self.reasoning.announcement(removed, at));
        announced.max().filter(|_| event == EventKind::Removed)
    }

    /// The first release that has not shipped, and permits the event.
    fn soonest(&self, event: EventKind) -> Release {
        let bound = match event {
            EventKind::Removed => self.report.earliest_removal,
            EventKind::Deprecated => self.report.earliest_deprecation,
            _ => None,
        };
        let calendar = &self.reasoning.model.calendar;
        let next = calendar.next();
        let bound = bound.and_then(|bound| calendar.find(bound.release).ok());
        bound.map_or(next, |bound| bound.max(next))
    }
}
