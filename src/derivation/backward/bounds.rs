//! Bounds as functions of one release, and their inverses.

use crate::model::Event;
use crate::obligation::Term;
use crate::release::{Calendar, Release};

/// A release that depends on another one: later starts give later ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Distance {
    /// The release of a lower bound.
    After(Term),
    /// The first release whose upper bound reaches the other one: what a late event asks of the event that it has to
    /// follow closely.
    Reaching(Term),
}

impl Distance {
    /// The event that it counts from.
    pub(super) fn event(self) -> Option<Event> {
        let (Self::After(term) | Self::Reaching(term)) = self;
        term.event()
    }

    /// The release from which the bound counts, to the bound.
    pub(super) fn forwards(self, calendar: &Calendar, from: Release) -> Release {
        match self {
            _ if from.is_never() => Release::NEVER,
            Self::After(term) => term.worth(calendar, from).release,
            Self::Reaching(term) => first(from.0, |release| upper(calendar, term, release) >= from).unwrap_or(from),
        }
    }

    /// The last release from which the bound is not after another one.
    pub(super) fn backwards(self, calendar: &Calendar, by: Release) -> Option<Release> {
        match self {
            _ if by.is_never() => Some(by),
            // No window reaches back, so the last release is not after the bound.
            Self::After(term) => match first(by.0, |release| term.worth(calendar, release).release > by) {
                Some(Release(late)) => late.checked_sub(1).map(Release),
                None => Some(by),
            },
            Self::Reaching(term) => Some(upper(calendar, term, by)),
        }
    }
}

/// The release of an upper bound; one that the calendar does not reach does not bind.
fn upper(calendar: &Calendar, term: Term, from: Release) -> Release {
    let bound = term.worth(calendar, from);
    if bound.open { Release::NEVER } else { bound.release }
}

/// The first release, up to a last one, with a property that all later ones have too.
fn first(last: u32, has: impl Fn(Release) -> bool) -> Option<Release> {
    let (mut low, mut high) = (0, last);
    if !has(Release(last)) {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if has(Release(middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(Release(low))
}
