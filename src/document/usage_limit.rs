//! How little something has to be used before it may be removed: `requires-usage-below` of a model or a policy.

use crate::grammar::{USAGE_LIMIT, names};

use super::{Diagnostics, Value};

/// The days that are looked at if nothing is said.
const OVER_DAYS: u32 = 30;

/// The part of these days for which there has to be evidence if nothing is said.
const COVERAGE: f64 = 0.9;

/// What evidence has to show before something is removed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct UsageLimit {
    /// Fewer requests a day than this.
    pub(crate) per_day: u32,
    /// In the mean over so many days.
    pub(crate) over_days: u32,
    /// With evidence for this part of the days.
    pub(crate) coverage: f64,
}

impl UsageLimit {
    /// Reads `{ requests-per-day = 10, over = "30d", coverage = 0.9 }`.
    pub(crate) fn read(value: Value<'_>, diagnostics: &mut Diagnostics) -> Option<Self> {
        let table = value.table(diagnostics)?;
        let (mut per_day, mut over_days, mut coverage) = (None, Some(OVER_DAYS), Some(COVERAGE));
        for (key, value) in table.entries() {
            match key.name {
                "requests-per-day" => per_day = value.whole(1, 1_000_000_000, diagnostics),
                "over" => over_days = days(value, diagnostics),
                "coverage" => coverage = part(value, diagnostics),
                _ => diagnostics.unknown_key(&key, &names(USAGE_LIMIT)),
            }
        }
        if table.get("requests-per-day").is_none() {
            let help = "name the number that is too much: { requests-per-day = 10 }";
            diagnostics.missing_key(table.span(), "requests-per-day", help);
        }
        Some(Self {
            per_day: per_day?,
            over_days: over_days?,
            coverage: coverage?,
        })
    }
}

/// `"30d"`
fn days(value: Value<'_>, diagnostics: &mut Diagnostics) -> Option<u32> {
    let word = value.word(diagnostics)?;
    let days = word.text.strip_suffix('d').and_then(|days| days.parse().ok());
    let days = days.filter(|days| (1..=366).contains(days));
    if days.is_none() {
        let message = format!("`{}` is no number of days from 1 to 366", word.text);
        diagnostics.at("wrong-type", word.span, message, "write it as \"30d\"");
    }
    days
}

/// A part of a whole: `0.9`.
fn part(value: Value<'_>, diagnostics: &mut Diagnostics) -> Option<f64> {
    let part = value.number_text().and_then(|number| number.parse().ok());
    let part = part.filter(|part| (0.0..=1.0).contains(part));
    if part.is_none() {
        let help = "write the part of the days that needs evidence: 0.9";
        diagnostics.at("wrong-type", value.span(), "expected a number from 0 to 1", help);
    }
    part
}
