//! Terms: releases that depend on another event, or on another release.

use crate::model::Event;
use crate::release::{Bound, Calendar, KindSet, Release, Window};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The first release that is at least the window later: rounds up.
    After(Window),
    /// The last release that is no more than the window later: rounds down.
    Within(Window),
    /// The first release of a later major.
    NextMajor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// Another event, in whichever release it happens.
    Event(Event),
    /// A release that is fixed: the first one under an edition of the policy, a target, or that of a planned move.
    Release(Release),
}

/// A release that depends on another event: an anchor and a distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) anchor: Anchor,
    pub(crate) reach: Reach,
    /// The kinds of release that may carry the event, if not all may.
    pub(crate) only_in: KindSet,
}

impl Term {
    /// An event plus a window, rounded up.
    pub(crate) fn after(event: Event, window: Window) -> Self {
        Self::counted(Anchor::Event(event), window)
    }

    /// A release plus a window, rounded up.
    pub(crate) fn after_release(release: Release, window: Window) -> Self {
        Self::counted(Anchor::Release(release), window)
    }

    fn counted(anchor: Anchor, window: Window) -> Self {
        Self {
            anchor,
            reach: Reach::After(window),
            only_in: KindSet::default(),
        }
    }

    /// The first release of one of some kinds from a release on.
    pub(crate) fn first_of(kinds: KindSet, from: Release) -> Self {
        Self {
            only_in: kinds,
            ..Self::from(from)
        }
    }

    /// The very release of an event.
    pub(crate) fn at(event: Event) -> Self {
        Self::after(event, Window::default())
    }

    /// A release itself.
    pub(crate) fn from(release: Release) -> Self {
        Self::after_release(release, Window::default())
    }

    /// The event it counts from, if it is one.
    pub(crate) fn event(&self) -> Option<Event> {
        match self.anchor {
            Anchor::Event(event) => Some(event),
            Anchor::Release(_) => None,
        }
    }

    /// Its release if its anchor is in this release; [`Release::NEVER`] for a major that is not in sight.
    pub(crate) fn worth(&self, calendar: &Calendar, anchor: Release) -> Bound {
        let bound = self.reached(calendar, anchor);
        if self.only_in.is_empty() || bound.release.is_never() {
            return bound;
        }
        Bound {
            release: calendar.first_of(self.only_in, bound.release).unwrap_or(Release::NEVER),
            ..bound
        }
    }

    fn reached(&self, calendar: &Calendar, anchor: Release) -> Bound {
        match self.reach {
            _ if anchor.is_never() => calendar.earliest(Release::NEVER, Window::default()),
            Reach::After(window) => calendar.earliest(anchor, window),
            Reach::Within(window) => calendar.latest(anchor, window),
            Reach::NextMajor => {
                let major = calendar.next_major(anchor).unwrap_or(Release::NEVER);
                calendar.earliest(major, Window::default())
            }
        }
    }
}
