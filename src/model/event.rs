//! Events, and those that are declared.

use crate::release::Release;
use crate::source::Span;

use super::{ElementId, EventKind};

/// An event: the element, which of its lives, what happens, and, for what can happen more than once in a life (a
/// promotion, a deprecation that was withdrawn and repeated), which time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// The element.
    pub element: ElementId,
    /// Which of its lives, from 0: an element that came back has a second one.
    pub life: u8,
    /// What happens.
    pub what: EventKind,
    /// Which time in that life, from 0.
    pub step: u8,
}

impl Event {
    /// The first time something happens in a life.
    pub fn new(element: ElementId, life: u8, what: EventKind) -> Self {
        Self {
            element,
            life,
            what,
            step: 0,
        }
    }

    /// The event of the entry of a gate or metric at a position.
    pub(crate) fn entry(element: ElementId, step: u8) -> Self {
        let what = [EventKind::Introduced, EventKind::Promoted][usize::from(step > 0)];
        Self {
            step,
            ..Self::new(element, 0, what)
        }
    }

    /// Another event of the same life.
    #[must_use]
    pub(crate) fn sibling(self, what: EventKind) -> Self {
        Self::new(self.element, self.life, what)
    }

    /// The same event of another element.
    #[must_use]
    pub(crate) fn of(self, element: ElementId) -> Self {
        Self { element, ..self }
    }
}

/// A declared event. It never moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    /// The event.
    pub event: Event,
    /// When.
    pub release: Release,
    /// Where it is declared.
    pub(crate) span: Span,
}
