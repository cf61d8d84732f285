//! What happens to an element: an event, a promotion, a move.

use crate::model::{ElementId, Event, EventKind, Model};
use crate::release::Release;
use crate::report::AnnouncedEvent;

/// What happens: an event of the model, or a change that only announcements distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::answer) enum What<'a> {
    Event(EventKind),
    /// Another stage or class.
    Promoted {
        from: &'static str,
        to: &'static str,
        /// Whether it is the more stable one.
        forward: bool,
    },
    /// A gate is on, or off, by default from now on.
    DefaultChanged(bool),
    /// A metric has other labels from now on: the position of the entry.
    Relabelled(usize),
    /// Another version is preferred, or stored.
    Moved {
        /// [`EventKind::Preferred`] or [`EventKind::Stored`].
        what: EventKind,
        from: &'a str,
        to: &'a str,
    },
}

impl What<'_> {
    /// The order of announcements in one release.
    pub(super) fn usual_order(self) -> EventKind {
        match self {
            Self::Event(what) | Self::Moved { what, .. } => what,
            Self::Promoted { .. } | Self::DefaultChanged(_) | Self::Relabelled(_) => EventKind::Promoted,
        }
    }

    pub(super) fn announced(self, model: &Model) -> AnnouncedEvent<'_> {
        match self {
            Self::Event(what) | Self::Moved { what, .. } => AnnouncedEvent::Event(model.event_word(what)),
            Self::Promoted { forward: true, .. } => AnnouncedEvent::Event(EventKind::Promoted.into()),
            Self::Promoted { .. } => AnnouncedEvent::Demoted,
            Self::DefaultChanged(_) => AnnouncedEvent::DefaultChanged,
            Self::Relabelled(_) => AnnouncedEvent::LabelsChanged,
        }
    }
}

/// Something that happens to an element.
#[derive(Debug, Clone)]
pub(in crate::answer) struct Occurrence<'a> {
    pub(in crate::answer) release: Release,
    pub(in crate::answer) element: ElementId,
    pub(in crate::answer) life: u8,
    pub(in crate::answer) what: What<'a>,
    /// Whether it is declared, or implied by a declaration.
    pub(in crate::answer) declared: bool,
    /// Of a version: the lives of its kinds that it happens to.
    pub(in crate::answer) kinds: Lives,
}

/// Kinds, each with one of its lives.
pub(in crate::answer) type Lives = Vec<(ElementId, u8)>;

impl<'a> Occurrence<'a> {
    /// An event of one life.
    pub(super) fn of(event: Event, release: Release, declared: bool) -> Self {
        Self {
            release,
            element: event.element,
            life: event.life,
            what: What::Event(event.what),
            declared,
            kinds: Vec::new(),
        }
    }

    /// A declared change of a gate or a metric.
    pub(super) fn change(element: ElementId, release: Release, what: What<'a>) -> Self {
        Self {
            what,
            ..Self::of(Event::new(element, 0, EventKind::Promoted), release, true)
        }
    }

    /// The lives that it happens to: of a version with kinds, theirs.
    pub(in crate::answer) fn lives(&self) -> Lives {
        match self.kinds.as_slice() {
            [] => vec![(self.element, self.life)],
            kinds => kinds.to_vec(),
        }
    }

    /// The same of each of its kinds.
    pub(super) fn of_kinds(&self) -> impl Iterator<Item = Self> {
        self.kinds.iter().map(|(kind, life)| Self {
            element: *kind,
            life: *life,
            kinds: Vec::new(),
            ..self.clone()
        })
    }

    /// Whether an element is introduced again.
    pub(super) fn is_again(&self) -> bool {
        self.what == What::Event(EventKind::Introduced) && self.lives().iter().all(|(_, life)| *life > 0)
    }
}
