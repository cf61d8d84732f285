//! What a project waits for by custom, which is longer than its policy requires.

use crate::model::{ElementId, Event, EventKind};
use crate::policy::Key;
use crate::release::Release;
use crate::report::Moment;
use crate::rules::transition;

use super::Material;

/// Until when a gate stays by custom: in words, and the release if the gate is locked.
pub(super) struct Custom {
    pub(super) text: String,
    pub(super) end: Option<Release>,
}

/// A gate stays after it is locked; a deprecated gate is locked first.
pub(super) fn custom_of_gate(material: Material<'_>, id: ElementId) -> Option<Custom> {
    let reasoning = material.reasoning;
    let gate = reasoning.model.gate(id)?;
    let law = material.newest("gate-lifetime")?;
    let window = law.window(transition(gate), Key::CustomAfterLocking)?;
    let [deprecated, locked] =
        [EventKind::Deprecated, EventKind::Locked].map(|what| reasoning.release(Event::new(id, 0, what)));
    let calendar = &reasoning.model.calendar;
    let end = locked.map(|locked| calendar.earliest(locked, window).release);
    let text = match (deprecated, locked.zip(end)) {
        (_, Some((locked, end))) => format!(
            "by custom a gate stays {window} after it is locked ({}): {}",
            calendar.name(locked),
            calendar.name(end)
        ),
        (Some(_), None) => format!("by custom a deprecated gate is locked first, and stays {window} after that"),
        (None, None) => return None,
    };
    Some(Custom { text, end })
}

/// What an event waits for by custom, if it is a removal: the release that the report of the element names, or that a
/// gate is locked.
pub(super) fn of_event(
    material: Material<'_>,
    (id, event): (ElementId, EventKind),
    release: Option<Moment<'_>>,
) -> Option<String> {
    if event != EventKind::Removed {
        return None;
    }
    match release {
        Some(release) => Some(format!("by custom not before {}", release.release)),
        None => {
            let custom = custom_of_gate(material, id).filter(|custom| custom.end.is_none());
            custom.map(|_| "by custom locked first".to_owned())
        }
    }
}
