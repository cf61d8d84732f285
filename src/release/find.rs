//! Releases found by what a user writes: a name, or a date.

use chrono::NaiveDate;

use super::{Calendar, Listed, Named, Naming, Release, ReleaseName};

/// How far past the last listed release a name may lie.
///
/// Further away it is more likely a typo (1.250 for 1.25) than a plan.
pub(crate) const NAMEABLE_AHEAD: u64 = 100;

/// How many releases after the listed ones a plan may name: two of the largest windows, and what a calendar may name
/// ahead.
pub(crate) const NAMED_AHEAD: u32 = 3000;

/// The moment that a judgement is about, as a user names it: a release, or a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AsOf {
    /// This release is the newest that has shipped.
    Release(String),
    /// The newest release dated on or before this day has shipped.
    Day(NaiveDate),
}

/// Why a text names no release of the calendar.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownRelease {
    /// It has not the form of a release's name.
    #[error("`{0}` is not the name of a release")]
    Malformed(String),
    /// It is before, between or after the releases of the calendar.
    #[error("release {0} is not in the calendar")]
    NotListed(String),
    /// It would be a projection, but lies too far ahead to be meant.
    #[error("release {0} lies more than 100 releases after the last one listed")]
    TooFar(String),
    /// No release of the calendar had shipped on that day.
    #[error("no release of the calendar had shipped by {0}")]
    BeforeAll(NaiveDate),
}

impl Calendar {
    /// Finds a release by its name; with a cadence, also one after the last listed release.
    ///
    /// # Errors
    ///
    /// If the text names no release of this calendar.
    pub fn find(&self, text: &str) -> Result<Release, UnknownRelease> {
        match self.naming() {
            Naming::Listed(listed) => find_listed(listed, text),
            Naming::Numbered(listed) => self.find_numbered(listed, text),
            Naming::Symbolic { origin, count } => find_symbolic(origin, *count, text),
        }
    }

    /// Finds a release as [`Self::find`] does, or as a plan names one past the calendar: "2 releases after 1.4".
    ///
    /// # Errors
    ///
    /// If the text names no release of this calendar, nor one that a plan could reach.
    pub fn find_planned(&self, text: &str) -> Result<Release, UnknownRelease> {
        let unknown = match self.find(text) {
            Ok(release) => return Ok(release),
            Err(unknown) => unknown,
        };
        let listed = self.listed();
        let mut ahead = (listed..listed.saturating_add(NAMED_AHEAD)).map(Release);
        ahead.find(|release| self.name(*release) == text).ok_or(unknown)
    }

    /// Whether a model may name a release: it is listed, or a cadence projects it.
    pub(crate) fn can_declare(&self, release: Release) -> bool {
        self.find(&self.name(release)) == Ok(release)
    }

    /// Whether the next release can be found by its name: it cannot where nothing lists it, and no cadence projects it.
    pub fn finds_next(&self) -> bool {
        self.can_declare(self.next())
    }

    fn find_numbered(&self, listed: &[Listed], text: &str) -> Result<Release, UnknownRelease> {
        let name = ReleaseName::of_calendar(text).ok_or_else(|| UnknownRelease::Malformed(text.to_owned()))?;
        let known = listed.binary_search_by(|entry| entry.name.cmp(&name));
        if let Some(at) = known.ok().filter(|at| listed[*at].name.is_written_like(&name)) {
            return Ok(Release::at(at));
        }
        let ahead = listed.last().and_then(|last| name.after(&last.name));
        let Some(ahead) = ahead.filter(|_| self.cadence().is_some()) else {
            return Err(UnknownRelease::NotListed(text.to_owned()));
        };
        if ahead > NAMEABLE_AHEAD {
            return Err(UnknownRelease::TooFar(text.to_owned()));
        }
        Ok(Release::at(listed.len() - 1).plus(u32::try_from(ahead).unwrap_or(u32::MAX)))
    }

    /// The release that is the newest shipped one as of a moment.
    pub(crate) fn as_of(&self, moment: &AsOf) -> Result<Release, UnknownRelease> {
        match moment {
            AsOf::Release(name) => self.find(name),
            AsOf::Day(day) => self.last_on_or_before(*day).ok_or(UnknownRelease::BeforeAll(*day)),
        }
    }
}

fn find_listed(listed: &[Named], text: &str) -> Result<Release, UnknownRelease> {
    let at = listed.iter().position(|entry| entry.name == text);
    at.map(Release::at)
        .ok_or_else(|| UnknownRelease::NotListed(text.to_owned()))
}

fn find_symbolic(origin: &str, count: u32, text: &str) -> Result<Release, UnknownRelease> {
    let steps = symbolic_steps(origin, text).ok_or_else(|| UnknownRelease::Malformed(text.to_owned()))?;
    if steps > u64::from(count) + NAMEABLE_AHEAD {
        return Err(UnknownRelease::TooFar(text.to_owned()));
    }
    Ok(Release(u32::try_from(steps).unwrap_or(u32::MAX)))
}

/// How many releases after the first one a symbolic name stands for: 3 for `X+3`.
fn symbolic_steps(origin: &str, text: &str) -> Option<u64> {
    let rest = text.strip_prefix(origin)?;
    if rest.is_empty() {
        return Some(0);
    }
    let digits = rest.strip_prefix('+')?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}
