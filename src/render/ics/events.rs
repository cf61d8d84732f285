//! The events of elements in a calendar.

use crate::report::{ElementReport, Moment};

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    DeprecationDue,
    Deprecated,
    Hidden,
    RemovalDue,
    Removed,
}

impl What {
    /// Its name in UIDs, which never changes, and its words before the name of the release.
    pub(super) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::DeprecationDue => ("deprecation-due", "to be deprecated by"),
            Self::Deprecated => ("deprecated", "deprecated in"),
            Self::Hidden => ("hidden", "hidden in"),
            Self::RemovalDue => ("removal-due", "to be removed by"),
            Self::Removed => ("removed", "removed in"),
        }
    }

    pub(super) fn is_deadline(self) -> bool {
        matches!(self, Self::DeprecationDue | Self::RemovalDue)
    }
}

/// One of the events of an element.
#[derive(Debug, Clone, Copy)]
pub(super) struct ElementEvent<'r> {
    pub(super) what: What,
    pub(super) moment: Moment<'r>,
    pub(super) in_last_life: bool,
}

/// The events of an element that a calendar has.
pub(super) fn events<'r>(element: &ElementReport<'r>) -> impl Iterator<Item = ElementEvent<'r>> {
    let removed = element.removed;
    let last = [
        (
            What::DeprecationDue,
            unmet(element.latest_deprecation, [element.deprecated, removed]),
        ),
        (What::Deprecated, element.deprecated),
        (What::Hidden, element.hidden),
        (What::RemovalDue, unmet(element.removal_due, [removed, None])),
        (What::Removed, removed),
    ];
    let earlier = element.earlier_lives.iter();
    let earlier = earlier.flat_map(|life| [(What::Deprecated, life.deprecated), (What::Removed, life.removed)]);
    let last = last.into_iter().map(|(what, moment)| (what, moment, true));
    let all = last.chain(earlier.map(|(what, moment)| (what, moment, false)));
    all.filter_map(|(what, moment, in_last_life)| {
        Some(ElementEvent {
            what,
            moment: moment?,
            in_last_life,
        })
    })
}

/// A deadline that no event meets.
fn unmet<'r>(due: Option<Moment<'r>>, events: [Option<Moment<'_>>; 2]) -> Option<Moment<'r>> {
    due.filter(|due| {
        // Without dates, a declared event counts as in time.
        let mut declared = events
            .into_iter()
            .flatten()
            .filter(|event| event.declared == Some(true));
        !declared.any(|event| event.date.zip(due.date).is_none_or(|(date, due)| date <= due))
    })
}
