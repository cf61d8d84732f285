//! A model as if more had been declared.

use crate::release::Release;

use super::{Declared, Event, Model};

impl Model {
    /// Declares an event in place of what was declared of it, or with no release takes that back. Its place is that of
    /// the element.
    pub(crate) fn suppose(&mut self, event: Event, release: Option<Release>) {
        let span = self.element(event.element).span;
        let mut events = self.declared_of(event.element).to_vec();
        events.retain(|declared| declared.event != event);
        events.extend(release.map(|release| Declared { event, release, span }));
        let start = u32::try_from(self.declared.len()).unwrap_or(u32::MAX);
        self.declared.extend(events);
        let end = u32::try_from(self.declared.len()).unwrap_or(u32::MAX);
        // How many lives it has stays: a kind goes on following its version in what is not supposed of it.
        self.elements[event.element.0 as usize].events = (start, end);
    }
}
