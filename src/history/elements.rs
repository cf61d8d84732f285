//! Elements that were deleted from the model or added to it.

use crate::model::{ElementId, Event, EventKind, Model};
use crate::release::Release;

use super::{Comparison, about};

impl Comparison<'_> {
    pub(super) fn elements(&mut self) {
        let (base, head) = (self.base.model, self.head.model);
        let twins = base.twins_in(head);
        let same_steps = base.event_names().eq(head.event_names());
        let mut is_new = vec![true; head.elements().len()];
        for is in twins.iter().flatten() {
            is_new[is.0 as usize] = false;
        }
        let states = base.elements().zip(twins).map(|((was, _), is)| (was, is));
        for (was, is) in states.filter(|(was, _)| base.judges(*was)) {
            match is {
                Some(is) => {
                    if !(same_steps && self.declares_the_same(was, is)) {
                        self.events(was, is);
                    }
                    self.attributes(was, is);
                }
                None => self.deleted(was),
            }
        }
        let states = head.elements().zip(is_new).map(|((is, _), is_new)| (is, is_new));
        for (is, _) in states.filter(|(is, is_new)| *is_new && head.judges(*is)) {
            self.added_element(is);
        }
    }

    /// Whether the entries of an element declare the same events for the same releases.
    fn declares_the_same(&self, was: ElementId, is: ElementId) -> bool {
        let [before, now] = [self.base.model.declared_of(was), self.head.model.declared_of(is)];
        let mut pairs = before.iter().zip(now);
        self.same_names
            && before.len() == now.len()
            && pairs.all(|(before, now)| before.event.of(is) == now.event && before.release == now.release)
    }

    fn deleted(&mut self, was: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        let element = base.element(was);
        // If its kind or version was deleted too, only that is reported.
        if element
            .parent
            .is_some_and(|parent| head.find(base.id(parent)).is_none())
        {
            return;
        }
        let id = base.id(was);
        let place = self.place_of_lost(was);
        let shipped = base.calendar.name(self.shipped);
        let since = begins(base, was);
        if since.is_some_and(|since| since > self.shipped) {
            let message = format!("{id} is deleted; it had not shipped by {shipped}");
            return self.report(about(id, "withdrawn", place, message));
        }
        let since = since.map_or_else(
            || format!("had shipped by {shipped}"),
            |since| format!("shipped in {}", base.calendar.name(since)),
        );
        let removed = base.declared(was, EventKind::Removed);
        let help = match removed {
            Some(removed) if removed.release > self.shipped => format!(
                "restore the entry: the element stays until its removal in {}",
                base.calendar.name(removed.release)
            ),
            Some(removed) => format!(
                "restore the entry: its removal in {} is part of the history",
                base.calendar.name(removed.release)
            ),
            None => "restore the entry, and declare when the element is removed: `removed = \"…\"`".to_owned(),
        };
        let message = format!("the entry of {id} was deleted, but the element {since}");
        let deleted = about(id, "deleted", place, message).help(help);
        self.report(deleted.seen_at(element.span, "declared here before"));
    }

    /// A new entry of an element that shipped earlier.
    fn added_element(&mut self, is: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        let element = head.element(is);
        let part_of_new = element
            .parent
            .is_some_and(|parent| base.find(head.id(parent)).is_none());
        let since = begins(head, is).or_else(|| head.declared_of(is).iter().map(|declared| declared.release).min());
        let Some(since) = since.filter(|since| self.had_shipped(*since) && !part_of_new) else {
            return;
        };
        let id = head.id(is);
        let since = head.calendar.name(since);
        let next = self.next_open();
        let message = format!("{id} is new in the model, but declared as introduced in {since}, which has shipped");
        let help = format!("if the element is new, declare it: `introduced = \"{next}\"`");
        let backfilled = about(id, "backfilled", element.span, message).help(help);
        self.report(backfilled.at(element.span, format!("introduced in {since}")));
    }
}

/// The introduction of an element, or of its parent. `None` if none is declared: it has always existed.
pub(super) fn begins(model: &Model, element: ElementId) -> Option<Release> {
    match model.find_declared(Event::new(element, 0, EventKind::Introduced)) {
        Some(declared) => Some(declared.release),
        None => begins(model, model.element(element).parent?),
    }
}
