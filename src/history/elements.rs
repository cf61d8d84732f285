//! Elements that are gone from the model, and such as are new in it.

use crate::model::{ElementId, Event, EventKind, Model};
use crate::release::Release;

use super::Comparison;

impl Comparison<'_> {
    pub(super) fn elements(&mut self) {
        let (base, head) = (self.base.model, self.head.model);
        for (was, _) in base.elements() {
            match head.find(base.id(was)) {
                Some(is) => {
                    self.events(was, is);
                    self.attributes(was, is);
                }
                None => self.lost(was),
            }
        }
        for (is, _) in head.elements() {
            if base.find(head.id(is)).is_none() {
                self.appeared(is);
            }
        }
    }

    /// An element whose entry is gone: it should have been removed, with a release to its name.
    fn lost(&mut self, was: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        let element = base.element(was);
        // What goes with its kind or version is told of that.
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
            self.tell("withdrawn", |finding| {
                let message = format!("{id} is no longer planned; it had not shipped by {shipped}");
                finding.about(id).at(place, "").message(message)
            });
            return;
        }
        let since = since.map_or_else(
            || format!("had shipped by {shipped}"),
            |since| format!("shipped in {}", base.calendar.name(since)),
        );
        let removed = base.declared(was, EventKind::Removed);
        let help = match removed {
            Some(removed) if removed.release > self.shipped => format!(
                "put the entry back: it is there until it is removed in {}",
                base.calendar.name(removed.release)
            ),
            Some(removed) => format!(
                "put the entry back: that it was removed in {} is part of its history",
                base.calendar.name(removed.release)
            ),
            None => "put the entry back, and say when it goes: `removed = \"…\"`".to_owned(),
        };
        self.tell("deleted", |finding| {
            finding
                .about(id)
                .at(place, "")
                .seen_at(element.span, "it was declared here")
                .help(help)
                .message(format!("{id} is deleted from the model, but {since}"))
        });
    }

    /// An element that was not there, and is said to have shipped.
    fn appeared(&mut self, is: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        let element = head.element(is);
        let part_of_new = element
            .parent
            .is_some_and(|parent| base.find(head.id(parent)).is_none());
        let first = || head.declared_of(is).iter().map(|declared| declared.release).min();
        let since = begins(head, is).or_else(first);
        let Some(since) = since.filter(|since| self.had_shipped(*since) && !part_of_new) else {
            return;
        };
        let id = head.id(is);
        let since = head.calendar.name(since);
        let next = self.next_open();
        self.tell("backfilled", |finding| {
            finding
                .about(id)
                .at(element.span, format!("said to be there since {since}"))
                .help(format!(
                    "if it comes with this change, say so: `introduced = \"{next}\"`"
                ))
                .message(format!(
                    "{id} is new in the model, but is said to have shipped in {since}"
                ))
        });
    }
}

/// When an element begins: by itself, or with what it is part of. `None` if nothing says so: it was always there.
pub(super) fn begins(model: &Model, element: ElementId) -> Option<Release> {
    match model.find_declared(Event::new(element, 0, EventKind::Introduced)) {
        Some(declared) => Some(declared.release),
        None => begins(model, model.element(element).parent?),
    }
}
