//! Releases, their dates, and the two ways a policy counts from one to another.
//!
//! A [`Release`] is a position in one product's `Calendar`: "n releases later" is the position plus n, whatever the
//! names are. `Window` is a span of time as the policy states it, and `Calendar::earliest` and `Calendar::latest`
//! turn one into a `Bound`.

mod cadence;
mod calendar;
mod dates;
mod find;
mod kind;
mod name;
mod of_kind;
mod slip;
mod tags;
#[cfg(test)]
mod tests;
mod window;

pub(crate) use calendar::{Calendar, CalendarError, Listed, NAMEABLE_AHEAD, Named, Naming};
pub(crate) use dates::DateKind;
pub use find::AsOf;
pub(crate) use find::{NAMED_AHEAD, UnknownRelease};
pub(crate) use kind::{KindSet, Kinds, MOST_KINDS, ReleaseKind, is_kind_name};
pub use name::ReleaseName;
pub(crate) use slip::Slip;
pub use tags::ReleaseTags;
pub(crate) use window::{Binding, Bound, Months, Window};

/// The day of a release.
pub(crate) type Day = chrono::NaiveDate;

/// A minor release, as its position in the product's calendar, the first one at 0.
///
/// Positions past the last listed release are projections; the calendar names and dates them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Release(pub u32);

impl Release {
    /// The release at a position of the calendar.
    fn at(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// After every release anyone can name: the bound of what may never happen.
    pub(crate) const NEVER: Self = Self(u32::MAX);

    /// The release `count` entries of the calendar later.
    #[must_use]
    pub(crate) fn plus(self, count: u32) -> Self {
        Self(self.0.saturating_add(count))
    }

    pub(crate) fn previous(self) -> Option<Self> {
        self.0.checked_sub(1).map(Self)
    }

    /// Whether this is [`Release::NEVER`].
    pub(crate) fn is_never(self) -> bool {
        self == Self::NEVER
    }
}
