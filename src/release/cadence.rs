//! Dates that the cadence of releases projects.

use chrono::{Datelike, Months, NaiveDate};

/// Dates are projected for so many releases: further ahead, a cadence means nothing.
pub(super) const PROJECTED_AHEAD: u32 = 10_000;

/// The day `ahead` releases after a known one; without a cadence only that one itself has a day.
pub(super) fn project(anchor: Option<NaiveDate>, cadence: Option<u32>, ahead: u32) -> Option<NaiveDate> {
    match ahead {
        0 => anchor,
        _ => months_later(anchor?, cadence?.checked_mul(ahead)?),
    }
}

/// Dates the unscheduled releases, which are the last ones, by the cadence.
pub(super) fn fill_dates(
    listed: impl Iterator<Item = Option<NaiveDate>>,
    cadence: Option<u32>,
) -> Vec<Option<NaiveDate>> {
    let mut anchor = None;
    let mut ahead = 0;
    let mut dates = Vec::new();
    for date in listed {
        if date.is_some() {
            anchor = date;
            ahead = 0;
        } else {
            ahead += 1;
        }
        dates.push(project(anchor, cadence, ahead));
    }
    dates
}

/// The day some calendar months later, the day clamped to the end of a shorter month; nothing past the year 9999, which
/// is where dates of four digits end.
pub(super) fn months_later(day: NaiveDate, months: u32) -> Option<NaiveDate> {
    let later = day.checked_add_months(Months::new(months))?;
    (later.year() <= 9999).then_some(later)
}
