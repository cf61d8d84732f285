//! Releases that move: a calendar with other days.

use chrono::{Datelike, Days, Months, NaiveDate};

use super::{Calendar, Listed, Named, Naming, Release, ReleaseName};

/// How a release moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shift {
    /// By so many days.
    Days(i64),
    /// By so many calendar months.
    Months(i32),
    /// To a day.
    To(NaiveDate),
}

/// A release that moves: `1.38=+3w`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slip<'s> {
    /// The release, as written.
    pub(crate) release: &'s str,
    pub(crate) shift: Shift,
}

/// A release with the day that is listed for it, if any is.
pub(crate) type ListedDay = (String, Option<NaiveDate>);

impl<'s> Slip<'s> {
    /// Reads `1.38=+3w`, with `d`, `w` or `m` for days, weeks or months, or `1.38=2027-01-20`.
    pub(crate) fn parse(text: &'s str) -> Option<Self> {
        let (release, shift) = text.rsplit_once('=')?;
        let (release, shift) = (release.trim(), shift.trim());
        Some(Self {
            release,
            shift: Shift::parse(shift).filter(|_| !release.is_empty())?,
        })
    }
}

impl Shift {
    fn parse(text: &str) -> Option<Self> {
        if let Ok(day) = text.parse() {
            return Some(Self::To(day));
        }
        let unit = text.chars().last()?;
        let count: i32 = text.strip_suffix(unit)?.parse().ok()?;
        match unit {
            'd' => Some(Self::Days(count.into())),
            'w' => Some(Self::Days(i64::from(count) * 7)),
            'm' => Some(Self::Months(count)),
            _ => None,
        }
    }

    fn of(self, day: NaiveDate) -> Option<NaiveDate> {
        match self {
            Self::To(day) => Some(day),
            Self::Days(count) if count < 0 => day.checked_sub_days(Days::new(count.unsigned_abs())),
            Self::Days(count) => day.checked_add_days(Days::new(count.unsigned_abs())),
            Self::Months(count) if count < 0 => day.checked_sub_months(Months::new(count.unsigned_abs())),
            Self::Months(count) => day.checked_add_months(Months::new(count.unsigned_abs())),
        }
    }

    /// The same for a later release: as many days as one that moved to a day.
    fn later(self, from: NaiveDate) -> Self {
        match self {
            Self::To(day) => Self::Days((day - from).num_days()),
            other => other,
        }
    }
}

impl Calendar {
    /// The listed releases with their days; `None` for a symbolic calendar.
    pub(crate) fn days(&self) -> Option<Vec<ListedDay>> {
        match self.naming() {
            Naming::Symbolic { .. } => None,
            Naming::Numbered(listed) => Some(listed.iter().map(|one| (one.name.to_string(), one.date)).collect()),
            Naming::Listed(listed) => Some(listed.iter().map(|one| (one.name.clone(), one.date)).collect()),
        }
    }

    /// The calendar with a release moved, and with it all later ones, unless `only` it moves. Releases up to it are
    /// listed with the days that the cadence projects.
    ///
    /// # Errors
    ///
    /// The reason, if the release is unknown or has no day, or days would not follow the order of the releases.
    pub(crate) fn slipped(&self, slip: &Slip<'_>, only: bool) -> Result<Self, String> {
        let release = self.find(slip.release).map_err(|problem| problem.to_string())?;
        let mut days = self.days().ok_or("the releases of a symbolic calendar have no days")?;
        let last = if only { release.plus(1) } else { release };
        for at in (0..=last.0).map(Release) {
            let day = self.date(at);
            match days.get_mut(at.0 as usize) {
                Some(listed) => listed.1 = listed.1.or(day),
                None if day.is_some() => days.push((self.name(at), day)),
                None => break,
            }
        }
        let (before, later) = days
            .split_at_mut_checked(release.0 as usize + 1)
            .ok_or_else(|| no_day(slip))?;
        let own = before
            .last_mut()
            .and_then(|(_, day)| day.as_mut())
            .ok_or_else(|| no_day(slip))?;
        let later_shift = slip.shift.later(*own);
        *own = slip
            .shift
            .of(*own)
            .filter(|day| is_writable(*day))
            .ok_or_else(|| beyond(slip))?;
        for day in later.iter_mut().filter_map(|(_, day)| day.as_mut()).filter(|_| !only) {
            *day = later_shift
                .of(*day)
                .filter(|day| is_writable(*day))
                .ok_or_else(|| beyond(slip))?;
        }
        self.with_days(days)
    }

    /// The calendar with other days: from the first of these releases on, those that have not shipped are replaced.
    ///
    /// # Errors
    ///
    /// The reason, if the releases have other names than numbers, or the days do not follow their order.
    pub(crate) fn replaced(&self, days: &[(ReleaseName, Option<NaiveDate>)]) -> Result<Self, String> {
        let Naming::Numbered(listed) = self.naming() else {
            return Err(
                "only a calendar of numbered releases can be replaced by a list of releases and dates".to_owned(),
            );
        };
        let first = days.iter().map(|(name, _)| name).min();
        let mut kept: Vec<Listed> = Vec::new();
        for (at, own) in listed.iter().enumerate() {
            let new = days.iter().find(|(name, _)| *name == own.name);
            let is_kept = first.is_none_or(|first| own.name < *first) || Release::at(at) < self.next();
            match new {
                Some((_, date)) => kept.push(Listed {
                    name: own.name.clone(),
                    date: *date,
                }),
                None if is_kept => kept.push(own.clone()),
                None => {}
            }
        }
        for (name, date) in days
            .iter()
            .filter(|(name, _)| listed.iter().all(|own| own.name != *name))
        {
            let (name, date) = (name.clone(), *date);
            kept.push(Listed { name, date });
        }
        let calendar = Self::numbered(kept, self.cadence()).map_err(|problem| problem.to_string())?;
        Ok(calendar.with_kinds(self.kinds.clone()).with_current(self.current()))
    }

    fn with_days(&self, days: Vec<ListedDay>) -> Result<Self, String> {
        let calendar = match self.naming() {
            Naming::Listed(_) => {
                let days = days.into_iter().map(|(name, date)| Named { name, date });
                Self::in_order(days.collect(), self.cadence())
            }
            Naming::Numbered(_) | Naming::Symbolic { .. } => {
                let days = days.into_iter().map(|(name, date)| {
                    let name =
                        ReleaseName::of_calendar(&name).ok_or_else(|| format!("release {name} has no name yet"))?;
                    Ok(Listed { name, date })
                });
                Self::numbered(days.collect::<Result<_, String>>()?, self.cadence())
            }
        };
        let calendar = calendar.map_err(|problem| problem.to_string())?;
        Ok(calendar.with_kinds(self.kinds.clone()).with_current(self.current()))
    }
}

fn no_day(slip: &Slip<'_>) -> String {
    format!("release {} has no day, and no cadence projects one", slip.release)
}

/// Whether TOML has a form for a day: its years have four digits.
fn is_writable(day: NaiveDate) -> bool {
    (0..=9999).contains(&day.year())
}

fn beyond(slip: &Slip<'_>) -> String {
    format!("the day of {} is out of range", slip.release)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn calendar() -> Calendar {
        let listed = [("1.0", "2024-01-10"), ("1.1", "2024-05-10"), ("1.2", "2024-09-10")];
        let listed = listed.map(|(name, date)| Listed {
            name: ReleaseName::parse(name).unwrap(),
            date: Some(day(date)),
        });
        Calendar::numbered(listed.to_vec(), Some(4)).unwrap()
    }

    fn slipped(text: &str, only: bool) -> Vec<(String, String)> {
        let slip = Slip::parse(text).unwrap();
        let days = calendar().slipped(&slip, only).unwrap().days().unwrap();
        days.into_iter()
            .map(|(name, day)| (name, day.unwrap().to_string()))
            .collect()
    }

    #[test]
    fn later_releases_slip_too_unless_only_one_does() {
        let days = slipped("1.1=+3w", false);
        assert_eq!(
            days[1..],
            [("1.1".into(), "2024-05-31".into()), ("1.2".into(), "2024-10-01".into())]
        );
        let days = slipped("1.1=2024-05-31", true);
        assert_eq!(
            days[1..],
            [("1.1".into(), "2024-05-31".into()), ("1.2".into(), "2024-09-10".into())]
        );
    }

    #[test]
    fn a_projected_release_is_listed_and_alone_it_keeps_the_next_one() {
        let days = slipped("1.4=+1m", false);
        assert_eq!(
            days[3..],
            [("1.3".into(), "2025-01-10".into()), ("1.4".into(), "2025-06-10".into())]
        );
        let days = slipped("1.4=-5d", true);
        assert_eq!(
            days[4..],
            [("1.4".into(), "2025-05-05".into()), ("1.5".into(), "2025-09-10".into())]
        );
    }

    #[test]
    fn what_is_no_slip_and_what_breaks_the_order_is_refused() {
        for text in ["1.1", "1.1=3 weeks", "=+3w", "1.1=+w"] {
            assert_eq!(Slip::parse(text), None, "{text}");
        }
        let slip = Slip::parse("1.0=+9m").unwrap();
        assert!(calendar().slipped(&slip, true).unwrap_err().contains("is dated before"));
    }

    #[test]
    fn a_list_replaces_what_has_not_shipped() {
        let name = |text| ReleaseName::parse(text).unwrap();
        let calendar = calendar().with_current(Some(Release(1)));
        let new = [
            (name("1.1"), Some(day("2024-05-11"))),
            (name("1.3"), Some(day("2024-12-01"))),
        ];
        let days = calendar.replaced(&new).unwrap().days().unwrap();
        let names: Vec<&str> = days.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["1.0", "1.1", "1.3"]);
        assert_eq!(days[1].1, Some(day("2024-05-11")));
    }
}
