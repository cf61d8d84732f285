//! A model with a hypothetical declaration.

use crate::release::Release;

use super::{Declared, ElementId, Event, EventKind, Model};

impl Model {
    /// Replaces the declaration of an event, or removes it if there is no release. Its span is that of the element.
    ///
    /// A deprecation comes after those that are withdrawn. What a kind takes from its version is withdrawn from the
    /// version, and stays with its other kinds.
    pub(crate) fn suppose(&mut self, event: Event, release: Option<Release>) {
        let event = self
            .open_deprecation(event)
            .filter(|_| release.is_some())
            .unwrap_or(event);
        let span = self.element(event.element).span;
        let mut events = self.declared_of(event.element).to_vec();
        if event.step > 0 {
            self.own_deprecations(event, &mut events);
        }
        events.retain(|declared| declared.event != event);
        events.extend(release.map(|release| Declared { event, release, span }));
        // The number of lives stays: a kind still follows its version in its other events.
        self.redeclare(event.element, &events);
        let inherited = self.find_declared(event).filter(|_| release.is_none()).copied();
        if let Some(inherited) = inherited {
            self.leave_to_others(inherited, event.element);
        }
    }

    /// Makes what a version declares for its kinds a declaration of each of them but one.
    fn leave_to_others(&mut self, of_version: Declared, kind: ElementId) {
        let kinds = self.served_by(of_version.event.element).into_iter();
        let takers = kinds.filter(|other| *other != kind).filter_map(|other| {
            let own = self.last_event(other, of_version.event.what);
            let taken = self
                .find_declared(own)
                .filter(|taken| taken.event == of_version.event)?;
            Some(Declared { event: own, ..*taken })
        });
        for own in takers.collect::<Vec<_>>() {
            let events = [self.declared_of(own.event.element), &[own]].concat();
            self.redeclare(own.event.element, &events);
        }
        let version = of_version.event.element;
        let mut events = self.declared_of(version).to_vec();
        events.retain(|declared| declared.event != of_version.event);
        self.redeclare(version, &events);
    }

    /// Adds the earlier deprecations of a life, and their withdrawals, that the version of a kind declares: what a kind
    /// declares itself takes the place of all of them.
    fn own_deprecations(&self, deprecated: Event, events: &mut Vec<Declared>) {
        for what in [EventKind::Deprecated, EventKind::Undeprecated] {
            let inherited = self.repeated(deprecated.sibling(what)).enumerate();
            let inherited = inherited.filter_map(|(step, declared)| {
                let step = u8::try_from(step).ok()?;
                let event = Event {
                    step,
                    ..deprecated.sibling(what)
                };
                Some(Declared { event, ..*declared })
            });
            let known: Vec<Event> = events.iter().map(|declared| declared.event).collect();
            events.extend(inherited.filter(|declared| !known.contains(&declared.event)));
        }
    }

    /// The deprecation after the last one, if that is withdrawn.
    fn open_deprecation(&self, event: Event) -> Option<Event> {
        let is_open = event.what == EventKind::Deprecated && self.deprecation(event.element, event.life).is_none();
        let step = u8::try_from(self.repeated(event).count()).ok()?;
        is_open.then_some(Event { step, ..event })
    }

    /// Replaces the declared events of an element.
    pub(super) fn redeclare(&mut self, element: ElementId, events: &[Declared]) {
        let start = u32::try_from(self.declared.len()).unwrap_or(u32::MAX);
        self.declared.extend(events);
        let end = u32::try_from(self.declared.len()).unwrap_or(u32::MAX);
        self.elements[element.0 as usize].events = (start, end);
    }
}
