//! Releases found by what a user writes: a name, or a date.

use chrono::NaiveDate;

use super::calendar::NAMEABLE_AHEAD;
use super::{Calendar, Listed, Named, Naming, Release, ReleaseName};

/// How many releases after the listed ones may be named, by a plan, a model or a user: two of the largest windows, and
/// some more.
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
    #[error("`{0}` lies more than {1} releases after the last one listed")]
    TooFar(String, u64),
    /// No release of the calendar had shipped on that day.
    #[error("no release of the calendar had shipped by {0}")]
    BeforeAll(NaiveDate),
}

impl Calendar {
    /// Finds a release by its name: one that is listed, one after it that a cadence projects, or one that is counted
    /// from a listed one, as plans name it where no cadence does: "2 releases after 1.4".
    ///
    /// # Errors
    ///
    /// If the text names no release of this calendar, nor one that a plan could reach.
    pub fn find(&self, text: &str) -> Result<Release, UnknownRelease> {
        let unknown = match self.find_named(text) {
            Ok(release) => return Ok(release),
            Err(unknown) => unknown,
        };
        let Some((count, from)) = counted(text) else {
            return Err(unknown);
        };
        let from = self.find_named(from)?;
        let release = from.plus(count);
        if self.ahead(release) > NAMED_AHEAD {
            return Err(UnknownRelease::TooFar(text.to_owned(), NAMED_AHEAD.into()));
        }
        Ok(release)
    }

    /// The last release that can be named.
    pub(crate) fn last_nameable(&self) -> Release {
        Release(self.listed()).plus(NAMED_AHEAD - 1)
    }

    /// Finds a release as a user types it: as [`Self::find`] does, or as `current` or `next`, unless the calendar has a
    /// release of that name.
    ///
    /// # Errors
    ///
    /// If the text names no release of this calendar, nor one that a plan could reach.
    pub fn find_typed(&self, text: &str) -> Result<Release, UnknownRelease> {
        match (self.find(text), text, self.current()) {
            (Err(_), "current", Some(current)) => Ok(current),
            (Err(_), "next", _) => Ok(self.next()),
            (found, ..) => found,
        }
    }

    /// Finds a release by a name of its own.
    fn find_named(&self, text: &str) -> Result<Release, UnknownRelease> {
        match self.naming() {
            Naming::Listed(listed) => find_listed(listed, text),
            Naming::Numbered(listed) => self.find_numbered(listed, text),
            Naming::Symbolic { origin, count } => find_symbolic(origin, *count, text),
        }
    }

    /// Finds a release by its name, or else the last one on or before a day.
    ///
    /// # Errors
    ///
    /// If the text is neither, or no release is on or before the day.
    pub(crate) fn by(&self, text: &str) -> Result<Release, UnknownRelease> {
        self.find(text).or_else(|unknown| match text.parse() {
            Ok(day) => self.last_on_or_before(day).ok_or(UnknownRelease::BeforeAll(day)),
            Err(_) => Err(unknown),
        })
    }

    /// Whether the next release has a name of its own: it has none where nothing lists it, and no cadence projects it.
    pub fn names_next(&self) -> bool {
        let next = self.next();
        self.find_named(&self.name(next)) == Ok(next)
    }

    fn find_numbered(&self, listed: &[Listed], text: &str) -> Result<Release, UnknownRelease> {
        let name = ReleaseName::of_calendar(text).ok_or_else(|| UnknownRelease::Malformed(text.to_owned()))?;
        let known = listed.binary_search_by(|entry| entry.name.cmp(&name));
        if let Some(at) = known.ok().filter(|at| listed[*at].name.is_written_like(&name)) {
            return Ok(Release::at(at));
        }
        let ahead = match listed.last() {
            Some(last) if self.projects_majors() => self.ahead_to(&last.name, &name),
            last => last.and_then(|last| name.after(&last.name)),
        };
        let Some(ahead) = ahead.filter(|_| self.cadence().is_some()) else {
            return Err(UnknownRelease::NotListed(text.to_owned()));
        };
        if ahead > NAMEABLE_AHEAD {
            return Err(UnknownRelease::TooFar(text.to_owned(), NAMEABLE_AHEAD));
        }
        Ok(Release::at(listed.len() - 1).plus(u32::try_from(ahead).unwrap_or(u32::MAX)))
    }

    /// By how many releases a name comes after the last listed one, where the cadence projects major releases.
    fn ahead_to(&self, last: &ReleaseName, name: &ReleaseName) -> Option<u64> {
        let mut ahead = (1..=NAMEABLE_AHEAD).zip(self.projected_names(last));
        ahead.find(|(_, projected)| projected == name).map(|(ahead, _)| ahead)
    }

    /// The release that is the newest shipped one as of a moment.
    pub(crate) fn as_of(&self, moment: &AsOf) -> Result<Release, UnknownRelease> {
        match moment {
            AsOf::Release(name) => self.find(name),
            AsOf::Day(day) => self.last_on_or_before(*day).ok_or(UnknownRelease::BeforeAll(*day)),
        }
    }
}

/// "2 releases after 1.4", taken apart.
fn counted(text: &str) -> Option<(u32, &str)> {
    let (count, from) = text
        .split_once(" releases after ")
        .or_else(|| text.split_once(" release after "))?;
    let is_number = count.bytes().all(|byte| byte.is_ascii_digit());
    let count = count.parse().ok().filter(|count| is_number && *count > 0)?;
    Some((count, from))
}

fn find_listed(listed: &[Named], text: &str) -> Result<Release, UnknownRelease> {
    let at = listed.iter().position(|entry| entry.name == text);
    at.map(Release::at)
        .ok_or_else(|| UnknownRelease::NotListed(text.to_owned()))
}

fn find_symbolic(origin: &str, count: u32, text: &str) -> Result<Release, UnknownRelease> {
    let steps = symbolic_steps(origin, text).ok_or_else(|| UnknownRelease::Malformed(text.to_owned()))?;
    match u32::try_from(steps) {
        Ok(steps) if steps <= count.saturating_add(NAMED_AHEAD) => Ok(Release(steps)),
        _ => Err(UnknownRelease::TooFar(text.to_owned(), NAMED_AHEAD.into())),
    }
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
