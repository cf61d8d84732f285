//! One product's releases in order: how they are named, and which have shipped.

use std::fmt;

use chrono::NaiveDate;

use super::cadence::fill_dates;
use super::kind::Kinds;
use super::{Release, ReleaseName};

/// How far past the last listed release a number may lie.
///
/// Further away it is more likely a typo (1.250 for 1.25) than a plan.
pub(crate) const NAMEABLE_AHEAD: u64 = 100;

/// One release that the user listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    /// Its name.
    pub(crate) name: ReleaseName,
    /// Its date; `None` if it is listed as unscheduled.
    pub(crate) date: Option<NaiveDate>,
}

/// A release that the user listed by any name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    /// Its name, as written.
    pub(crate) name: String,
    /// Its day; `None` if it is listed as unscheduled.
    pub(crate) date: Option<NaiveDate>,
}

/// How the releases of a calendar are named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Naming {
    /// 1.25, 1.26, …: the listed ones in order, then counting up the last minor number.
    Numbered(Vec<Listed>),
    /// By any names, in the order of the list.
    Listed(Vec<Named>),
    /// X, X+1, …, of which the first `count` are shown. No dates.
    Symbolic {
        /// The name of the first release.
        origin: String,
        /// How many releases a table shows.
        count: u32,
    },
}

/// A product's releases, their dates, and which of them have shipped.
#[derive(Debug, Clone)]
pub struct Calendar {
    naming: Naming,
    /// Of the listed releases, unscheduled ones filled in from the cadence if there is one; never decreasing.
    pub(super) dates: Vec<Option<NaiveDate>>,
    cadence: Option<u32>,
    pub(super) kinds: Kinds,
    current: Option<Release>,
}

/// Why a calendar cannot be made from what the user listed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CalendarError {
    /// The same release twice (`1.8` and `1.8.0` are the same).
    #[error("release {0} is listed twice")]
    Twice(String),
    /// A release is dated before the one it follows.
    #[error("release {later} ({later_date}) is dated before release {earlier} ({earlier_date}), which it follows")]
    Backwards {
        /// The release that comes first by its number.
        earlier: String,
        /// Its date.
        earlier_date: NaiveDate,
        /// The one that follows.
        later: String,
        /// Its date.
        later_date: NaiveDate,
    },
    /// A release without a day comes before one that has a day.
    #[error("release {0} is unscheduled, but release {1} after it has a date")]
    Unscheduled(String, String),
}

impl Calendar {
    /// Whether another calendar lists the same releases, on whatever days.
    pub(crate) fn names_the_same(&self, other: &Self) -> bool {
        let listed = (0..self.listed()).map(|at| self.name(Release(at)));
        listed.eq((0..other.listed()).map(|at| other.name(Release(at))))
            && self.name(Release(self.listed())) == other.name(Release(other.listed()))
    }

    /// Whether another calendar has the same releases, of the same kinds and as many of them shipped, on whatever days.
    pub(crate) fn differs_in_days_alone(&self, other: &Self) -> bool {
        self.names_the_same(other)
            && self.kinds == other.kinds
            && (self.cadence, self.current) == (other.cadence, other.current)
    }

    /// A calendar of numbered releases. `listed` may come in any order; `cadence` is in months and projects dates.
    ///
    /// # Errors
    ///
    /// If a release is listed twice, dated before one that precedes it, or unscheduled although a later one has a date.
    pub(crate) fn numbered(mut listed: Vec<Listed>, cadence: Option<u32>) -> Result<Self, CalendarError> {
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(pair) = listed.windows(2).find(|pair| pair[0].name == pair[1].name) {
            return Err(CalendarError::Twice(pair[0].name.to_string()));
        }
        check_order(&listed.iter().map(|entry| (&entry.name, entry.date)).collect::<Vec<_>>())?;
        Ok(Self {
            dates: fill_dates(listed.iter().map(|entry| entry.date), cadence),
            naming: Naming::Numbered(listed),
            cadence,
            kinds: Kinds::default(),
            current: None,
        }
        .with_kinds(Kinds::default()))
    }

    /// A calendar of releases by any names, in this order; `cadence` is in months and projects dates.
    ///
    /// # Errors
    ///
    /// If a release is dated before one that precedes it, or unscheduled although a later one has a date.
    pub(crate) fn in_order(listed: Vec<Named>, cadence: Option<u32>) -> Result<Self, CalendarError> {
        check_order(&listed.iter().map(|entry| (&entry.name, entry.date)).collect::<Vec<_>>())?;
        Ok(Self {
            dates: fill_dates(listed.iter().map(|entry| entry.date), cadence),
            naming: Naming::Listed(listed),
            cadence,
            kinds: Kinds::default(),
            current: None,
        }
        .with_kinds(Kinds::default()))
    }

    /// A calendar of `count` symbolic releases from `origin` on, `cadence` months apart if that is known.
    pub(crate) fn symbolic(origin: impl Into<String>, count: u32, cadence: Option<u32>) -> Self {
        Self {
            naming: Naming::Symbolic {
                origin: origin.into(),
                count,
            },
            dates: Vec::new(),
            cadence,
            kinds: Kinds::default(),
            current: None,
        }
        .with_kinds(Kinds::default())
    }

    /// The same calendar with this release as the newest that has shipped; `None`: nothing has.
    #[must_use]
    pub(crate) fn with_current(mut self, current: Option<Release>) -> Self {
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

    pub(crate) fn naming(&self) -> &Naming {
        &self.naming
    }

    /// How many releases the user listed, or asked to be shown.
    pub(crate) fn listed(&self) -> u32 {
        match &self.naming {
            Naming::Numbered(listed) => u32::try_from(listed.len()).unwrap_or(u32::MAX),
            Naming::Listed(listed) => u32::try_from(listed.len()).unwrap_or(u32::MAX),
            Naming::Symbolic { count, .. } => *count,
        }
    }

    /// Months between two releases, if stated.
    pub(crate) fn cadence(&self) -> Option<u32> {
        self.cadence
    }

    /// The cadence of a symbolic calendar, on which months are counted in steps of it.
    pub(super) fn symbolic_cadence(&self) -> Option<u32> {
        match self.naming {
            Naming::Symbolic { .. } => self.cadence,
            Naming::Numbered(_) | Naming::Listed(_) => None,
        }
    }

    /// The name of a release, by which [`Self::find`] finds it; past a calendar without a cadence, and far past any,
    /// how far it is after the last one: "2 releases after 1.4".
    pub fn name(&self, release: Release) -> String {
        match &self.naming {
            Naming::Symbolic { origin, .. } if release.0 == 0 => origin.clone(),
            Naming::Symbolic { origin, .. } => format!("{origin}+{}", release.0),
            Naming::Listed(listed) => match (listed.get(release.0 as usize), listed.last()) {
                (Some(entry), _) => entry.name.clone(),
                (None, Some(last)) => name_ahead(&last.name, self.ahead(release)),
                (None, None) => "?".to_owned(),
            },
            Naming::Numbered(listed) => match (listed.get(release.0 as usize), listed.last()) {
                (Some(entry), _) => entry.name.to_string(),
                (None, Some(last)) => match u64::from(self.ahead(release)) {
                    ahead if self.cadence.is_some() && ahead <= NAMEABLE_AHEAD => {
                        self.projected_name(&last.name, release).to_string()
                    }
                    _ => name_ahead(&last.name, self.ahead(release)),
                },
                (None, None) => "?".to_owned(),
            },
        }
    }

    /// The name that the next release most likely gets if no calendar lists it: one up from the last.
    pub fn likely_next(&self) -> String {
        match self.naming() {
            Naming::Numbered(listed) if !self.names_next() => match listed.last() {
                Some(last) => self.projected_name(&last.name, self.next()).to_string(),
                None => self.name(self.next()),
            },
            _ => self.name(self.next()),
        }
    }

    /// The name of a release past the last listed one: the next numbers, and those of the next major where the cadence
    /// projects one.
    fn projected_name(&self, last: &ReleaseName, release: Release) -> ReleaseName {
        if !self.projects_majors() {
            return last.later(self.ahead(release).into());
        }
        let mut names = self.projected_names(last);
        let before = release.0.saturating_sub(self.listed());
        names.nth(before as usize).unwrap_or_else(|| last.clone())
    }

    /// The names of the releases past the last listed one, without end, where the cadence projects major ones.
    pub(super) fn projected_names(&self, last: &ReleaseName) -> impl Iterator<Item = ReleaseName> {
        let releases = (self.listed()..).map(Release);
        releases.scan(last.clone(), |name, release| {
            *name = if self.is_major(release) {
                name.next_major()
            } else {
                name.later(1)
            };
            Some(name.clone())
        })
    }

    /// The name of the first release of the major after that of a release; `None` where releases have no numbers.
    pub(crate) fn next_major_name(&self, release: Release) -> Option<String> {
        let Naming::Numbered(listed) = &self.naming else {
            return None;
        };
        let name = match listed.get(release.0 as usize) {
            Some(entry) => entry.name.next_major(),
            None => self.projected_name(&listed.last()?.name, release).next_major(),
        };
        Some(name.to_string())
    }

    /// How many releases after the last listed one.
    pub(super) fn ahead(&self, release: Release) -> u32 {
        release.0.saturating_add(1).saturating_sub(self.listed())
    }
}

/// A release so far after the last one of a calendar that nothing names.
fn name_ahead(last: &impl fmt::Display, ahead: u32) -> String {
    match ahead {
        1 => format!("1 release after {last}"),
        _ => format!("{ahead} releases after {last}"),
    }
}

fn check_order(listed: &[(&impl fmt::Display, Option<NaiveDate>)]) -> Result<(), CalendarError> {
    for pair in listed.windows(2) {
        let [(earlier, earlier_date), (later, later_date)] = [pair[0], pair[1]];
        match (earlier_date, later_date) {
            (Some(earlier_date), Some(later_date)) if earlier_date > later_date => {
                return Err(CalendarError::Backwards {
                    earlier: earlier.to_string(),
                    earlier_date,
                    later: later.to_string(),
                    later_date,
                });
            }
            (None, Some(_)) => return Err(CalendarError::Unscheduled(earlier.to_string(), later.to_string())),
            _ => {}
        }
    }
    Ok(())
}
