//! What evidence says about an element: how often it is used, by whom, and on how many of the days that count.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ElementId, ElementKind, Model};
use crate::release::Day;
use crate::report::{Consumer, ConsumerReport, DayReport, Evidence, EvidenceSource, Period, SourceFormat, Usage};

/// Evidence, by element.
#[derive(Debug)]
pub(crate) struct KnownUsage {
    evidence: Evidence,
    /// Source and entry of each use of an element.
    uses: BTreeMap<String, Vec<(usize, usize)>>,
}

/// What the sources of one format say about an element in a period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rate {
    /// The days with evidence; a day counts in part if not all users are seen.
    pub(super) days: f64,
    pub(super) count: u64,
}

impl Rate {
    /// Requests a day.
    #[expect(clippy::cast_precision_loss, reason = "a rate is for people")]
    pub(super) fn per_day(self) -> f64 {
        // What is used on no day that counts is used on one at least.
        self.count as f64 / if self.days > 0.0 { self.days } else { 1.0 }
    }
}

/// The days of a period, as a number.
pub(super) fn length(period: Period) -> f64 {
    let days = (period.to - period.from).num_days() + 1;
    f64::from(u32::try_from(days).unwrap_or_default())
}

impl KnownUsage {
    pub(crate) fn new(evidence: Evidence) -> Self {
        let mut uses: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
        for (at, source) in evidence.sources.iter().enumerate() {
            for (entry, usage) in source.usage.iter().enumerate() {
                uses.entry(usage.element.clone()).or_default().push((at, entry));
            }
        }
        Self { evidence, uses }
    }

    /// The ids whose use is a use of an element: a version is used where its kinds are.
    fn ids(model: &Model, element: ElementId) -> Vec<&str> {
        let kinds = match model.version_of(element) {
            Some(version) if model.element(element).kind == ElementKind::ApiVersion => version.kinds.as_slice(),
            _ => &[],
        };
        let all = std::iter::once(element).chain(kinds.iter().copied());
        all.map(|element| model.id(element)).collect()
    }

    fn uses(&self, ids: &[&str]) -> impl Iterator<Item = (&EvidenceSource, &Usage)> {
        let uses = ids.iter().filter_map(|id| self.uses.get(*id)).flatten();
        uses.map(|(at, entry)| {
            let source = &self.evidence.sources[*at];
            (source, &source.usage[*entry])
        })
    }

    /// The sources that would show a use of an element.
    fn sources(&self, ids: &[&str]) -> impl Iterator<Item = &EvidenceSource> {
        let (element, kinds) = ids.split_first().map_or(("", ids), |(first, rest)| (*first, rest));
        self.evidence.sources.iter().filter(move |source| {
            shows(source, element) || !kinds.is_empty() && kinds.iter().all(|kind| shows(source, kind))
        })
    }

    /// The last day on which a source would have shown a use of an element; `None` if none ever did.
    pub(super) fn last_day(&self, model: &Model, element: ElementId) -> Option<Day> {
        let ids = Self::ids(model, element);
        let last = self.sources(&ids).filter_map(|source| source.periods.last());
        last.map(|period| period.to).max()
    }

    /// What each format says about an element in a period. Sources of one format see different users, so that they add
    /// up; those of several may see the same.
    pub(super) fn rates(&self, model: &Model, element: ElementId, period: Period) -> Vec<Rate> {
        let ids = Self::ids(model, element);
        let mut by_format: BTreeMap<SourceFormat, (BTreeMap<Day, f64>, u64)> = BTreeMap::new();
        for source in self.sources(&ids) {
            let (days, _) = by_format.entry(source.format).or_default();
            for day in days_within(&source.periods, period) {
                let share = days.entry(day).or_default();
                *share = (*share + source.share).min(1.0);
            }
        }
        for (source, usage) in self.uses(&ids).filter(|(_, usage)| within(usage.day, period)) {
            let (_, count) = by_format.entry(source.format).or_default();
            *count = count.saturating_add(usage.count);
        }
        let rates = by_format.into_values().map(|(days, count)| Rate {
            days: days.values().sum(),
            count,
        });
        rates.collect()
    }

    /// Who uses an element, most frequent first, in a period or ever; of several formats, the one that shows most.
    pub(crate) fn consumers(&self, model: &Model, element: ElementId, period: Option<Period>) -> Vec<ConsumerReport> {
        let ids = Self::ids(model, element);
        let mut by_format: BTreeMap<SourceFormat, BTreeMap<&Consumer, Vec<&Usage>>> = BTreeMap::new();
        for (source, usage) in self
            .uses(&ids)
            .filter(|(_, usage)| period.is_none_or(|period| within(usage.day, period)))
        {
            let consumers = by_format.entry(source.format).or_default();
            consumers.entry(&usage.consumer).or_default().push(usage);
        }
        let Some((format, consumers)) = by_format
            .into_iter()
            .max_by_key(|(_, consumers)| sum(consumers.values().flatten()))
        else {
            return Vec::new();
        };
        let days = self.days(&ids, format, period);
        let mut all: Vec<ConsumerReport> = consumers
            .into_iter()
            .map(|(consumer, uses)| consumer_report(consumer, &uses, days))
            .collect();
        all.sort_by(|one, other| {
            other
                .count
                .cmp(&one.count)
                .then_with(|| one.consumer.cmp(&other.consumer))
        });
        all
    }

    /// How often an element was used on each day with evidence; of several formats, the one that shows most.
    pub(crate) fn by_day(&self, model: &Model, element: ElementId) -> Vec<DayReport> {
        let ids = Self::ids(model, element);
        let mut by_format: BTreeMap<SourceFormat, BTreeMap<Day, u64>> = BTreeMap::new();
        for source in self.sources(&ids) {
            let days = by_format.entry(source.format).or_default();
            for period in &source.periods {
                let covered = period.from.iter_days().take_while(|day| *day <= period.to);
                days.extend(covered.map(|day| (day, 0)));
            }
        }
        for (source, usage) in self.uses(&ids) {
            let days = by_format.entry(source.format).or_default();
            let count = days.entry(usage.day).or_default();
            *count = count.saturating_add(usage.count);
        }
        let most = by_format.into_values().max_by_key(|days| days.values().sum::<u64>());
        let days = most.into_iter().flatten().map(|(day, count)| DayReport {
            day: day.to_string(),
            count,
        });
        days.collect()
    }

    /// The days on which sources of a format would have shown a use.
    fn days(&self, ids: &[&str], format: SourceFormat, period: Option<Period>) -> f64 {
        let own = self.sources(ids).filter(|source| source.format == format);
        let days: BTreeSet<Day> = own
            .filter_map(|source| {
                let all = source.periods.first().zip(source.periods.last());
                let all = all.map(|(first, last)| Period {
                    from: first.from,
                    to: last.to,
                });
                period.or(all).map(|period| days_within(&source.periods, period))
            })
            .flatten()
            .collect();
        f64::from(u32::try_from(days.len()).unwrap_or(u32::MAX)).max(1.0)
    }
}

/// Whether a source would show a use of an element.
fn shows(source: &EvidenceSource, id: &str) -> bool {
    source.elements.binary_search_by(|known| known.as_str().cmp(id)).is_ok()
}

fn sum<'u, 'e: 'u>(uses: impl Iterator<Item = &'u &'e Usage>) -> u64 {
    uses.fold(0, |sum: u64, usage| sum.saturating_add(usage.count))
}

/// A time, or without one its day.
fn moment(time: Option<&String>, day: Day) -> String {
    time.cloned().unwrap_or_else(|| day.to_string())
}

fn within(day: Day, period: Period) -> bool {
    (period.from..=period.to).contains(&day)
}

/// The days of periods that are within another one.
fn days_within(periods: &[Period], within: Period) -> Vec<Day> {
    let parts = periods.iter().map(|period| Period {
        from: period.from.max(within.from),
        to: period.to.min(within.to),
    });
    let days = parts.flat_map(|part| part.from.iter_days().take_while(move |day| *day <= part.to));
    days.collect()
}

fn consumer_report(consumer: &Consumer, uses: &[&Usage], days: f64) -> ConsumerReport {
    let count = sum(uses.iter());
    let first = uses
        .iter()
        .map(|usage| moment(usage.first_seen.as_ref(), usage.day))
        .min();
    let last = uses
        .iter()
        .map(|usage| moment(usage.last_seen.as_ref(), usage.day))
        .max();
    // One decimal: "0.3 requests a day".
    let per_day = (Rate { days, count }.per_day() * 10.0).round() / 10.0;
    let [first_seen, last_seen] = [first, last].map(Option::unwrap_or_default);
    let rate = if per_day >= 0.1 {
        format!("{per_day} a day")
    } else {
        format!("{count} in all")
    };
    let [since, until] = [&first_seen, &last_seen].map(|time| time.get(..10).unwrap_or(time));
    ConsumerReport {
        consumer: consumer.clone(),
        words: format!("{}: {rate} since {since}, last on {until}", consumer.words()),
        count,
        per_day,
        first_seen,
        last_seen,
    }
}
