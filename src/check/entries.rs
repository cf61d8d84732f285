//! Which events one value of an entry declares together.

use crate::model::{Declared, Event, Model};
use crate::source::Span;

/// The events that are declared for releases to come, by their places, in order: of an element, and of the kinds that
/// inherit from it.
pub(super) fn entries(model: &Model) -> Vec<(Span, Event)> {
    let mut entries = Vec::new();
    for (id, element) in model.elements() {
        let version = element.parent.filter(|_| element.kind.is_kind());
        let inherited = version.into_iter().flat_map(|version| model.declared_of(version));
        let inherited = inherited.filter(|declared| {
            let own = model.find_declared(declared.event.of(id));
            own.is_some_and(|own| own.span == declared.span)
        });
        let all = model.declared_of(id).iter().chain(inherited);
        let ahead = all.filter(|declared| declared.release >= model.calendar.next());
        entries.extend(ahead.map(|declared| (declared.span, declared.event.of(id))));
    }
    entries.sort_unstable();
    entries
}

/// The events that the value of a declared one declares.
pub(super) fn declared_by(entries: &[(Span, Event)], declared: &Declared) -> Vec<Event> {
    let start = entries.partition_point(|(span, _)| *span < declared.span);
    let sharing = entries[start..].iter().take_while(|(span, _)| *span == declared.span);
    let events = sharing.map(|(_, event)| *event);
    events.filter(|event| event.what == declared.event.what).collect()
}
