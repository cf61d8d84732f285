//! What can happen to an element, and when the user said it did.

use std::fmt;

use crate::release::Release;
use crate::source::Span;

use super::ElementId;

/// What happens, in the order in which it usually does. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// A value is accepted where an object already has it, not yet on creation.
    Tolerated,
    /// It is there for users.
    Introduced,
    /// It reaches another stage, or its default changes.
    Promoted,
    /// It is announced to go.
    Deprecated,
    /// The announcement is taken back.
    Undeprecated,
    /// It is there only for those who ask for it.
    Hidden,
    /// Its value can no longer be changed.
    Locked,
    /// It is the version servers offer first.
    Preferred,
    /// It is the version objects are written to storage in.
    Stored,
    /// No object is left in storage in this version.
    Migrated,
    /// It is no longer served.
    Removed,
    /// The code can no longer read it.
    Dropped,
}

impl EventKind {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Tolerated,
        Self::Introduced,
        Self::Promoted,
        Self::Deprecated,
        Self::Undeprecated,
        Self::Hidden,
        Self::Locked,
        Self::Preferred,
        Self::Stored,
        Self::Migrated,
        Self::Removed,
        Self::Dropped,
    ];

    /// As model files and reports write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tolerated => "tolerated",
            Self::Introduced => "introduced",
            Self::Promoted => "promoted",
            Self::Deprecated => "deprecated",
            Self::Undeprecated => "undeprecated",
            Self::Hidden => "hidden",
            Self::Locked => "locked",
            Self::Preferred => "preferred",
            Self::Stored => "stored",
            Self::Migrated => "migrated",
            Self::Removed => "removed",
            Self::Dropped => "dropped",
        }
    }

    /// Reads a name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|what| what.as_str() == text)
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something that happens to an element: which life of it, and, of what can happen more than once in a life
/// (a promotion, a deprecation taken back and repeated), which time.
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

    /// Another event of the same life.
    #[must_use]
    pub fn sibling(self, what: EventKind) -> Self {
        Self::new(self.element, self.life, what)
    }

    /// The same event of another element.
    #[must_use]
    pub fn of(self, element: ElementId) -> Self {
        Self { element, ..self }
    }
}

/// An event the user declared. It never moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    /// The event.
    pub event: Event,
    /// When.
    pub release: Release,
    /// Where the user says so.
    pub span: Span,
}
