//! One product's releases in order, with what is known of their dates.

use std::fmt;

use chrono::{Datelike, Months, NaiveDate};

use super::{Release, ReleaseName};

/// How far past the last listed release a name may lie.
///
/// Further away it is more likely a slip of the keyboard (1.250 for 1.25) than a plan.
const NAMEABLE_AHEAD: u64 = 100;

/// How far dates are projected: past this many releases a cadence says nothing any more.
const PROJECTED_AHEAD: u32 = 10_000;

/// How sure the date of a release is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DateKind {
    /// It has shipped.
    Actual,
    /// It has a date and has not shipped, or is not known to.
    Announced,
    /// Its date, if any, is worked out from the cadence.
    Projected,
    /// It stands for a release of an example and has no date.
    Symbolic,
}

impl DateKind {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Actual => "actual",
            Self::Announced => "announced",
            Self::Projected => "projected",
            Self::Symbolic => "symbolic",
        }
    }
}

/// One release that the user listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: ReleaseName,
    /// Its day; `None` if it is listed as unscheduled.
    pub date: Option<NaiveDate>,
}

/// How the releases of a calendar are named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Naming {
    /// 1.25, 1.26, …: the listed ones in order, then counting up the last minor number.
    Numbered(Vec<Listed>),
    /// X, X+1, …, of which the first `count` are shown. No dates.
    Symbolic {
        /// The name of the first release.
        origin: String,
        /// How many releases a table shows.
        count: u32,
    },
}

/// The moment a judgement is made at, as a user says it: a release, or a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AsOf {
    /// This release is the newest that has shipped.
    Release(String),
    /// The newest release dated on or before this day has shipped.
    Day(NaiveDate),
}

/// A product's releases, their dates, and which of them have shipped.
#[derive(Debug, Clone)]
pub struct Calendar {
    naming: Naming,
    /// Of the listed releases, unscheduled ones filled in from the cadence if there is one; never decreasing.
    dates: Vec<Option<NaiveDate>>,
    cadence: Option<u32>,
    current: Option<Release>,
}

/// Why a calendar cannot be made from what the user listed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CalendarError {
    /// The same release twice (`1.8` and `1.8.0` are the same).
    #[error("release {0} is listed twice")]
    Twice(ReleaseName),
    /// A release is dated before the one it follows.
    #[error("release {later} ({later_date}) is dated before release {earlier} ({earlier_date}), which it follows")]
    Backwards {
        /// The release that comes first by its number.
        earlier: ReleaseName,
        /// Its day.
        earlier_date: NaiveDate,
        /// The one that follows.
        later: ReleaseName,
        /// Its day.
        later_date: NaiveDate,
    },
    /// A release without a day comes before one that has a day.
    #[error("release {0} is unscheduled, but release {1} after it has a date")]
    Unscheduled(ReleaseName, ReleaseName),
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
    /// A calendar of numbered releases. `listed` may come in any order; `cadence` is in months and projects dates.
    ///
    /// # Errors
    ///
    /// If a release is listed twice, dated before one that precedes it, or unscheduled although a later one has a date.
    pub fn numbered(mut listed: Vec<Listed>, cadence: Option<u32>) -> Result<Self, CalendarError> {
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(pair) = listed.windows(2).find(|pair| pair[0].name == pair[1].name) {
            return Err(CalendarError::Twice(pair[0].name.clone()));
        }
        check_order(&listed)?;
        Ok(Self {
            dates: fill_dates(&listed, cadence),
            naming: Naming::Numbered(listed),
            cadence,
            current: None,
        })
    }

    /// A calendar of `count` symbolic releases from `origin` on, `cadence` months apart if that is known.
    pub fn symbolic(origin: impl Into<String>, count: u32, cadence: Option<u32>) -> Self {
        Self {
            naming: Naming::Symbolic {
                origin: origin.into(),
                count,
            },
            dates: Vec::new(),
            cadence,
            current: None,
        }
    }

    /// The same calendar with this release as the newest that has shipped; `None`: nothing has.
    #[must_use]
    pub fn with_current(mut self, current: Option<Release>) -> Self {
        self.current = current;
        self
    }

    /// The newest release that has shipped. Without one, nothing is overdue and no history is fixed.
    pub fn current(&self) -> Option<Release> {
        self.current
    }

    /// The first release that has not shipped: nothing is planned, moved or announced before it (P1).
    pub fn next(&self) -> Release {
        self.current.map_or(Release(0), |current| current.plus(1))
    }

    /// How releases are named.
    pub fn naming(&self) -> &Naming {
        &self.naming
    }

    /// How many releases the user listed, or asked to be shown.
    pub fn listed(&self) -> u32 {
        match &self.naming {
            Naming::Numbered(listed) => u32::try_from(listed.len()).unwrap_or(u32::MAX),
            Naming::Symbolic { count, .. } => *count,
        }
    }

    /// Months between two releases, if stated.
    pub fn cadence(&self) -> Option<u32> {
        self.cadence
    }

    /// The cadence of a symbolic calendar, on which months are counted in steps of it.
    pub(super) fn symbolic_cadence(&self) -> Option<u32> {
        match self.naming {
            Naming::Symbolic { .. } => self.cadence,
            Naming::Numbered(_) => None,
        }
    }

    /// Finds a release by its name, which may be a projected one if there is a cadence.
    ///
    /// # Errors
    ///
    /// If the text names no release of this calendar.
    pub fn find(&self, text: &str) -> Result<Release, UnknownRelease> {
        match &self.naming {
            Naming::Numbered(listed) => self.find_numbered(listed, text),
            Naming::Symbolic { origin, count } => find_symbolic(origin, *count, text),
        }
    }

    /// Whether the next release can be found by its name: it cannot where nothing lists it, and no cadence projects it.
    pub fn finds_next(&self) -> bool {
        self.find(&self.name(self.next())).is_ok()
    }

    fn find_numbered(&self, listed: &[Listed], text: &str) -> Result<Release, UnknownRelease> {
        let name = ReleaseName::parse(text).ok_or_else(|| UnknownRelease::Malformed(text.to_owned()))?;
        if let Ok(at) = listed.binary_search_by(|entry| entry.name.cmp(&name)) {
            return Ok(position(at));
        }
        let not_listed = || UnknownRelease::NotListed(text.to_owned());
        let last = listed.last().ok_or_else(not_listed)?;
        let follows = self.cadence.is_some() && name.major() == last.name.major();
        if !follows || name < last.name {
            return Err(not_listed());
        }
        let ahead = name.minor() - last.name.minor();
        if ahead > NAMEABLE_AHEAD {
            return Err(UnknownRelease::TooFar(text.to_owned()));
        }
        Ok(position(
            listed.len() - 1 + usize::try_from(ahead).unwrap_or(usize::MAX),
        ))
    }

    /// The release that is the newest shipped one as of a moment.
    ///
    /// # Errors
    ///
    /// If the release is unknown, or the day is before the first release.
    pub fn as_of(&self, moment: &AsOf) -> Result<Release, UnknownRelease> {
        match moment {
            AsOf::Release(name) => self.find(name),
            AsOf::Day(day) => self.last_on_or_before(*day).ok_or(UnknownRelease::BeforeAll(*day)),
        }
    }

    /// The name of a release.
    pub fn name(&self, release: Release) -> String {
        match &self.naming {
            Naming::Symbolic { origin, .. } if release.0 == 0 => origin.clone(),
            Naming::Symbolic { origin, .. } => format!("{origin}+{}", release.0),
            Naming::Numbered(listed) => match (listed.get(release.0 as usize), listed.last()) {
                (Some(entry), _) => entry.name.to_string(),
                (None, Some(last)) => last.name.later(u64::from(self.ahead(release))).to_string(),
                (None, None) => "?".to_owned(),
            },
        }
    }

    /// The day of a release, worked out from the cadence past the last listed one.
    pub fn date(&self, release: Release) -> Option<NaiveDate> {
        if let Some(date) = self.dates.get(release.0 as usize) {
            return *date;
        }
        let ahead = self.ahead(release).saturating_add(self.unscheduled());
        let anchor = *self
            .dates
            .get(self.dates.len().checked_sub(1 + self.unscheduled() as usize)?)?;
        (ahead <= PROJECTED_AHEAD).then(|| project(anchor, self.cadence, ahead))?
    }

    /// How sure the date of a release is.
    pub fn date_kind(&self, release: Release) -> DateKind {
        match &self.naming {
            Naming::Symbolic { .. } => DateKind::Symbolic,
            Naming::Numbered(listed) => match listed.get(release.0 as usize) {
                Some(_) if self.current.is_some_and(|current| release <= current) => DateKind::Actual,
                Some(Listed { date: Some(_), .. }) => DateKind::Announced,
                _ => DateKind::Projected,
            },
        }
    }

    /// The first release of a later major than this one's; `None` if the calendar has none.
    pub fn next_major(&self, from: Release) -> Option<Release> {
        let Naming::Numbered(listed) = &self.naming else {
            return None;
        };
        let major = self.major(from)?;
        let at = listed.partition_point(|entry| entry.name.major() <= major);
        (at < listed.len()).then(|| position(at))
    }

    /// The major number of a release; `None` on a symbolic calendar.
    pub fn major(&self, release: Release) -> Option<u64> {
        let Naming::Numbered(listed) = &self.naming else {
            return None;
        };
        let entry = listed.get(release.0 as usize).or(listed.last())?;
        Some(entry.name.major())
    }

    /// The first release on or after a day; `None` if no date reaches it.
    pub(super) fn first_on_or_after(&self, day: NaiveDate) -> Option<Release> {
        let at = self.dates.partition_point(|date| date.is_some_and(|date| date < day));
        match self.dates.get(at) {
            Some(Some(_)) => Some(position(at)),
            Some(None) => None,
            None => self.projected_on_or_after(day),
        }
    }

    /// The last release on or before a day; `None` if the day is before all of them.
    pub(super) fn last_on_or_before(&self, day: NaiveDate) -> Option<Release> {
        let at = self.dates.partition_point(|date| date.is_some_and(|date| date <= day));
        let next = match self.dates.get(at) {
            Some(_) => position(at),
            None => self
                .projected_on_or_after(day)
                .map_or(position(at), |release| match self.date(release) {
                    Some(date) if date == day => release.plus(1),
                    _ => release,
                }),
        };
        next.previous()
    }

    /// The first release without any date, known or projected.
    pub(super) fn first_undated(&self) -> Release {
        position(self.dates.partition_point(Option::is_some))
    }

    fn projected_on_or_after(&self, day: NaiveDate) -> Option<Release> {
        let cadence = self.cadence?;
        let last = (*self.dates.last()?)?;
        let cadence = cadence.max(1);
        let months = (day.year() - last.year()) * 12 + day.month0().cast_signed() - last.month0().cast_signed();
        // Clamping days can move a month's end by a few days: start one step early and look.
        let start = (u32::try_from(months).unwrap_or(0) / cadence).saturating_sub(1);
        let end = position(self.dates.len());
        (start..=start.saturating_add(3))
            .map(|step| end.plus(step))
            .find(|&release| self.date(release).is_some_and(|date| date >= day))
    }

    /// How many of the listed releases, the last ones, have no day of their own.
    fn unscheduled(&self) -> u32 {
        match &self.naming {
            Naming::Symbolic { .. } => 0,
            Naming::Numbered(listed) => {
                position(listed.iter().rev().take_while(|entry| entry.date.is_none()).count()).0
            }
        }
    }

    fn ahead(&self, release: Release) -> u32 {
        release.0.saturating_add(1).saturating_sub(self.listed())
    }
}

fn position(at: usize) -> Release {
    Release(u32::try_from(at).unwrap_or(u32::MAX))
}

fn find_symbolic(origin: &str, count: u32, text: &str) -> Result<Release, UnknownRelease> {
    let malformed = || UnknownRelease::Malformed(text.to_owned());
    let rest = text.strip_prefix(origin).ok_or_else(malformed)?;
    if rest.is_empty() {
        return Ok(Release(0));
    }
    let digits = rest.strip_prefix('+').ok_or_else(malformed)?;
    let canonical = digits.bytes().all(|byte| byte.is_ascii_digit());
    let steps: u64 = digits.parse().ok().filter(|_| canonical).ok_or_else(malformed)?;
    if steps > u64::from(count) + NAMEABLE_AHEAD {
        return Err(UnknownRelease::TooFar(text.to_owned()));
    }
    Ok(Release(u32::try_from(steps).unwrap_or(u32::MAX)))
}

fn check_order(listed: &[Listed]) -> Result<(), CalendarError> {
    for pair in listed.windows(2) {
        match (pair[0].date, pair[1].date) {
            (Some(earlier_date), Some(later_date)) if earlier_date > later_date => {
                return Err(CalendarError::Backwards {
                    earlier: pair[0].name.clone(),
                    earlier_date,
                    later: pair[1].name.clone(),
                    later_date,
                });
            }
            (None, Some(_)) => return Err(CalendarError::Unscheduled(pair[0].name.clone(), pair[1].name.clone())),
            _ => {}
        }
    }
    Ok(())
}

/// Dates the unscheduled releases, which are the last ones, by the cadence.
fn fill_dates(listed: &[Listed], cadence: Option<u32>) -> Vec<Option<NaiveDate>> {
    let mut anchor = None;
    let mut ahead = 0;
    let mut dates = Vec::with_capacity(listed.len());
    for entry in listed {
        if entry.date.is_some() {
            anchor = entry.date;
            ahead = 0;
        } else {
            ahead += 1;
        }
        dates.push(project(anchor, cadence, ahead));
    }
    dates
}

/// The day `ahead` releases after a known one; without a cadence only that one itself has a day.
fn project(anchor: Option<NaiveDate>, cadence: Option<u32>, ahead: u32) -> Option<NaiveDate> {
    match ahead {
        0 => anchor,
        _ => months_later(anchor?, cadence?.checked_mul(ahead)?),
    }
}

/// The day some calendar months later, the day clamped to the end of a shorter month; nothing past the year 9999, which
/// is where dates of four digits end.
pub(super) fn months_later(day: NaiveDate, months: u32) -> Option<NaiveDate> {
    let later = day.checked_add_months(Months::new(months))?;
    (later.year() <= 9999).then_some(later)
}

impl PartialEq<&str> for DateKind {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for DateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Binding, Window};
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn calendar(entries: &[(&str, &str)], cadence: Option<u32>) -> Calendar {
        let listed = entries
            .iter()
            .map(|(name, date)| Listed {
                name: ReleaseName::parse(name).unwrap(),
                date: (!date.is_empty()).then(|| day(date)),
            })
            .collect();
        Calendar::numbered(listed, cadence).unwrap()
    }

    fn kubernetes() -> Calendar {
        calendar(
            &[
                ("1.8", "2017-09-28"),
                ("1.9", "2017-12-15"),
                ("1.10", "2018-03-26"),
                ("1.11", "2018-06-27"),
                ("1.12", "2018-09-27"),
            ],
            Some(4),
        )
    }

    #[test]
    fn one_day_short_of_nine_months_does_not_count() {
        let calendar = kubernetes();
        let bound = calendar.earliest(calendar.find("1.8").unwrap(), Window::new(9, 3));
        assert_eq!(calendar.name(bound.release), "1.12");
        assert_eq!(calendar.name(bound.by_releases), "1.11");
        assert_eq!(bound.by_months.unwrap().target, Some(day("2018-06-28")));
        assert_eq!(bound.binding, Binding::Months);
    }

    #[test]
    fn a_day_of_grace_forgives_it() {
        let calendar = kubernetes();
        let window = Window {
            grace_days: 1,
            ..Window::new(9, 3)
        };
        let bound = calendar.earliest(calendar.find("1.8").unwrap(), window);
        assert_eq!(calendar.name(bound.release), "1.11");
    }

    #[test]
    fn the_upper_bound_rounds_down() {
        let calendar = kubernetes();
        let bound = calendar.latest(calendar.find("1.8").unwrap(), Window::new(9, 1));
        assert_eq!(calendar.name(bound.release), "1.11");
        assert_eq!(bound.binding, Binding::Months);
        let counted = calendar.latest(calendar.find("1.8").unwrap(), Window::new(9, 4));
        assert_eq!(calendar.name(counted.release), "1.12");
    }

    #[test]
    fn past_the_last_release_dates_are_projected_from_it() {
        let calendar = kubernetes();
        let bound = calendar.earliest(calendar.find("1.12").unwrap(), Window::new(9, 3));
        assert_eq!(calendar.name(bound.release), "1.15");
        assert_eq!(calendar.date(bound.release), Some(day("2019-09-27")));
        assert_eq!(calendar.date_kind(bound.release), DateKind::Projected);
        assert!(!bound.open);
    }

    #[test]
    fn without_a_cadence_the_bound_stays_open() {
        let calendar = calendar(&[("1.30", "2024-04-17"), ("1.31", "2024-08-13")], None);
        let from = calendar.find("1.31").unwrap();
        let bound = calendar.earliest(from, Window::new(9, 3));
        assert_eq!(calendar.name(bound.release), "1.34");
        assert!(bound.open && calendar.date(bound.release).is_none());
        assert!(calendar.find("1.32").is_err());
    }

    #[test]
    fn symbolic_months_are_steps_of_the_cadence() {
        let every = |months| Calendar::symbolic("X", 16, Some(months));
        let ga = Window::new(12, 3);
        assert_eq!(every(3).earliest(Release(12), ga).release, Release(16));
        assert_eq!(every(4).earliest(Release(12), ga).release, Release(15));
        assert_eq!(every(4).latest(Release(0), Window::new(9, 1)).release, Release(2));
        assert_eq!(every(4).name(every(4).find("X+20").unwrap()), "X+20");
    }

    #[test]
    fn releases_count_by_entries_of_the_calendar() {
        let calendar = calendar(&[("0.8", "2023-07-12"), ("1.0", "2023-10-31")], Some(4));
        let from = calendar.find("0.8").unwrap();
        assert_eq!(calendar.name(from.plus(1)), "1.0");
        assert_eq!(calendar.next_major(from), calendar.find("1.0").ok());
        assert_eq!(calendar.next_major(from.plus(1)), None);
    }

    #[test]
    fn dates_may_not_run_backwards() {
        let listed = vec![
            Listed {
                name: ReleaseName::new(1, 9),
                date: Some(day("2018-01-01")),
            },
            Listed {
                name: ReleaseName::new(1, 10),
                date: Some(day("2017-01-01")),
            },
        ];
        assert!(matches!(
            Calendar::numbered(listed, None),
            Err(CalendarError::Backwards { .. })
        ));
    }

    #[test]
    fn far_names_are_refused() {
        let calendar = kubernetes();
        assert!(matches!(calendar.find("1.250"), Err(UnknownRelease::TooFar(_))));
        assert!(matches!(calendar.find("2.0"), Err(UnknownRelease::NotListed(_))));
        assert!(matches!(calendar.find("1.7"), Err(UnknownRelease::NotListed(_))));
    }

    #[test]
    fn a_day_finds_the_newest_release_shipped_by_then() {
        let calendar = kubernetes();
        let newest = |text| {
            calendar
                .as_of(&AsOf::Day(day(text)))
                .map(|release| calendar.name(release))
        };
        assert_eq!(newest("2018-06-26").as_deref(), Ok("1.10"));
        assert_eq!(newest("2018-06-27").as_deref(), Ok("1.11"));
        assert_eq!(newest("2019-01-27").as_deref(), Ok("1.13"));
        assert_eq!(newest("2019-01-26").as_deref(), Ok("1.12"));
        assert!(newest("2017-01-01").is_err());
    }

    #[test]
    fn an_unscheduled_release_is_dated_by_the_cadence_where_there_is_one() {
        let entries = [("1.0", "2024-01-31"), ("1.1", ""), ("1.2", "")];
        assert_eq!(calendar(&entries, None).date(Release(1)), None);
        let projected = calendar(&entries, Some(1));
        assert_eq!(projected.date(Release(1)), Some(day("2024-02-29")));
        assert_eq!(projected.date(Release(2)), Some(day("2024-03-31")));
        assert_eq!(projected.date(Release(3)), Some(day("2024-04-30")));
        assert_eq!(projected.date_kind(Release(1)), DateKind::Projected);
    }
}
