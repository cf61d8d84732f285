//! Which events one value of an entry declares together.

use crate::model::{Declared, Event, Model};
use crate::source::Span;

/// The events that are declared for releases to come, by their places, in order: of an element, and of the kinds that
/// inherit from it.
pub(super) fn entries(model: &Model) -> Vec<(Span, Event)> {
    let mut entries = Vec::new();
    for id in model.judged() {
        let element = model.element(id);
        let version = element.parent.filter(|_| element.kind.is_kind());
        // A kind may enter a later life of its version.
        let lives: Vec<(Option<u8>, u8)> = version.map_or_else(Vec::new, |_| {
            (0..model.lives(id))
                .map(|life| (model.version_life(id, life), life))
                .collect()
        });
        let of_version = version.into_iter().flat_map(|version| model.declared_of(version));
        let inherited = of_version.flat_map(|declared| {
            let lives = lives
                .iter()
                .filter(|(of_version, _)| *of_version == Some(declared.event.life));
            let events = lives.map(|(_, life)| Event {
                life: *life,
                ..declared.event.of(id)
            });
            events.filter_map(|event| {
                Some((model.find_declared(event)?, event)).filter(|(own, _)| own.span == declared.span)
            })
        });
        let own = model.declared_of(id).iter().map(|declared| (declared, declared.event));
        let ahead = own
            .chain(inherited)
            .filter(|(declared, _)| declared.release >= model.calendar.next());
        entries.extend(ahead.map(|(declared, event)| (declared.span, event)));
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
