//! What a source is made of while it is read, within bounds.

use std::collections::{BTreeSet, HashMap};

use super::evidence::{MOST_NAMED, lost, periods};
use crate::release::Day;
use crate::report::{Consumer, EvidenceSource, LostLine, SourceFormat, Usage};

/// The most consumers of one source that are distinguished. A log in which everyone has another name fills no memory.
const MOST_CONSUMERS: usize = 20_000;

/// Entries of one source.
const MOST_ENTRIES: usize = 100_000;

/// Days of one source: ten years.
const MOST_DAYS: usize = 3_660;

/// Characters of a name.
const LONGEST_NAME: usize = 256;

/// How a source is called, and how much of all users it can see.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'o> {
    /// The name of the file.
    pub name: &'o str,
    /// The part of all users that it can see.
    pub share: f64,
    /// The day that what has no time is from.
    pub day: Option<Day>,
}

/// A use as a line shows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen<'l> {
    pub(super) user: &'l str,
    pub(super) agent: &'l str,
    pub(super) namespace: &'l str,
    pub(super) day: Day,
    pub(super) times: [Option<&'l str>; 2],
    pub(super) count: u64,
}

#[derive(Debug)]
pub(super) struct Collector {
    format: SourceFormat,
    days: BTreeSet<Day>,
    lines: u64,
    lost: u64,
    lost_at: Vec<LostLine>,
    elements: BTreeSet<String>,
    ids: Vec<String>,
    consumers: Vec<Consumer>,
    by_consumer: HashMap<Consumer, usize>,
    entries: HashMap<(usize, usize, Day), Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    count: u64,
    first: Option<String>,
    last: Option<String>,
}

/// A name as evidence has it; nothing if it is empty.
fn name(text: &str) -> Option<String> {
    let name: String = text.trim().chars().take(LONGEST_NAME).collect();
    (!name.is_empty()).then_some(name)
}

impl Collector {
    pub(super) fn new(format: SourceFormat) -> Self {
        Self {
            format,
            days: BTreeSet::new(),
            lines: 0,
            lost: 0,
            lost_at: Vec::new(),
            elements: BTreeSet::new(),
            ids: Vec::new(),
            consumers: Vec::new(),
            by_consumer: HashMap::new(),
            entries: HashMap::new(),
        }
    }

    pub(super) fn read_lines(&mut self, count: u64) {
        self.lines += count;
    }

    pub(super) fn lose(&mut self, line: u64, reason: &str) {
        self.lost += 1;
        if self.lost_at.len() < MOST_NAMED {
            self.lost_at.push(lost(line, reason));
        }
    }

    /// A day that the source covers; whether it can still be one.
    pub(super) fn cover(&mut self, day: Day) -> bool {
        self.days.len() < MOST_DAYS && {
            self.days.insert(day);
            true
        }
    }

    pub(super) fn look_for(&mut self, elements: impl IntoIterator<Item = String>) {
        self.elements.extend(elements);
    }

    /// Adds a use; whether there is room for it.
    pub(super) fn add(&mut self, element: &str, seen: Seen<'_>) -> bool {
        let id = match self.ids.iter().position(|id| id == element) {
            Some(id) => id,
            None => {
                self.ids.push(element.to_owned());
                self.ids.len() - 1
            }
        };
        let consumer = self.consumer(seen);
        let key = (id, consumer, seen.day);
        if self.entries.len() >= MOST_ENTRIES && !self.entries.contains_key(&key) {
            return false;
        }
        let counted = self.entries.entry(key).or_default();
        counted.count = counted.count.saturating_add(seen.count);
        for time in seen.times.into_iter().flatten() {
            if counted.first.as_deref().is_none_or(|first| time < first) {
                counted.first = Some(time.to_owned());
            }
            if counted.last.as_deref().is_none_or(|last| time > last) {
                counted.last = Some(time.to_owned());
            }
        }
        true
    }

    /// The consumer of a use. One that comes after too many others has no name.
    fn consumer(&mut self, seen: Seen<'_>) -> usize {
        let named = Consumer {
            user: name(seen.user),
            agent: name(seen.agent.split_whitespace().next().unwrap_or_default()),
            namespace: name(seen.namespace),
        };
        if let Some(known) = self.by_consumer.get(&named) {
            return *known;
        }
        let named = if self.consumers.len() < MOST_CONSUMERS {
            named
        } else {
            Consumer::default()
        };
        *self.by_consumer.entry(named).or_insert_with_key(|named| {
            self.consumers.push(named.clone());
            self.consumers.len() - 1
        })
    }

    pub(super) fn finish(self, origin: Origin<'_>, fingerprint: String) -> EvidenceSource {
        let Self {
            ids,
            consumers,
            entries,
            ..
        } = self;
        let usage = entries.into_iter().map(|((id, consumer, day), counted)| Usage {
            element: ids[id].clone(),
            consumer: consumers[consumer].clone(),
            day,
            count: counted.count,
            first_seen: counted.first,
            last_seen: counted.last,
        });
        let mut usage: Vec<Usage> = usage.collect();
        usage.sort_unstable();
        EvidenceSource {
            name: origin.name.to_owned(),
            format: self.format,
            fingerprint,
            share: origin.share,
            periods: periods(self.days),
            lines: self.lines,
            lost: self.lost,
            lost_at: self.lost_at,
            elements: self.elements.into_iter().collect(),
            usage,
        }
    }
}

/// A day as logs begin their times with it.
pub(super) fn day(text: &[u8]) -> Option<Day> {
    let text = std::str::from_utf8(text.get(..10)?).ok()?;
    text.parse().ok()
}

/// A time to the second, as evidence has it: `2026-01-30T12:00:00Z` of `2026-01-30T12:00:00.123456Z`.
pub(super) fn time(text: &str) -> Option<String> {
    let seconds = text.get(..19)?;
    let is_time = day(seconds.as_bytes()).is_some()
        && seconds[10..].bytes().zip(*b"T00:00:00").all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            _ => byte == form,
        });
    is_time.then(|| format!("{seconds}Z"))
}
