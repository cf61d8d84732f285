//! Evidence files: read, merged, and kept in one order.

use std::collections::BTreeMap;

use crate::release::Day;
use crate::report::{Consumer, Evidence, EvidenceSource, LostLine, Period, SCHEMA_VERSION, Usage};
use crate::text::{LARGEST, Unreadable, at, check_size, of_json};

/// How many lost lines of a source are named.
pub(super) const MOST_NAMED: usize = 20;

/// The elements of a list in order, each once.
fn sorted<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort_unstable();
    all.dedup();
    all
}

/// The periods that cover the same days, in order, none touching the next.
pub(super) fn joined(periods: impl IntoIterator<Item = Period>) -> Vec<Period> {
    let mut all: Vec<Period> = periods
        .into_iter()
        .map(|period| Period {
            from: period.from.min(period.to),
            to: period.from.max(period.to),
        })
        .collect();
    all.sort_unstable();
    let mut joined: Vec<Period> = Vec::new();
    for period in all {
        match joined.last_mut() {
            Some(last) if last.to.succ_opt().is_none_or(|next| period.from <= next) => last.to = last.to.max(period.to),
            _ => joined.push(period),
        }
    }
    joined
}

/// The days as periods.
pub(super) fn periods(days: impl IntoIterator<Item = Day>) -> Vec<Period> {
    joined(days.into_iter().map(|day| Period { from: day, to: day }))
}

impl Evidence {
    /// What one or more sources saw.
    pub fn of(sources: impl IntoIterator<Item = EvidenceSource>) -> Self {
        let mut all: BTreeMap<_, EvidenceSource> = BTreeMap::new();
        for source in sources {
            let source = source.in_order();
            let key = (source.format, source.fingerprint.clone());
            let merged = match all.remove(&key) {
                Some(known) => known.join(source),
                None => source,
            };
            all.insert(key, merged);
        }
        Self {
            schema_version: SCHEMA_VERSION,
            sources: all.into_values().collect(),
        }
    }

    /// Both together. A content that both have read counts once.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self::of(self.sources.into_iter().chain(other.sources))
    }

    /// Reads an evidence file.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn read(text: &str) -> Result<Self, Unreadable> {
        check_size(text, LARGEST)?;
        let evidence: Self = serde_json::from_str(text).map_err(|problem| of_json(&problem))?;
        if evidence.schema_version != SCHEMA_VERSION {
            let reason = format!("this program reads version {SCHEMA_VERSION} of evidence files");
            return Err(at(1, 1, reason));
        }
        Ok(Self::of(evidence.sources))
    }
}

impl EvidenceSource {
    /// The same with its lists in order.
    fn in_order(self) -> Self {
        let mut usage: BTreeMap<(String, Consumer, Day), Usage> = BTreeMap::new();
        for entry in self.usage {
            let key = (entry.element.clone(), entry.consumer.clone(), entry.day);
            usage.entry(key).and_modify(|known| known.join(&entry)).or_insert(entry);
        }
        let mut lost_at = sorted(self.lost_at);
        lost_at.truncate(MOST_NAMED);
        let share = if self.share.is_finite() { self.share } else { 0.0 };
        Self {
            share: share.clamp(0.0, 1.0),
            periods: joined(self.periods),
            lost_at,
            elements: sorted(self.elements),
            usage: usage.into_values().collect(),
            ..self
        }
    }

    /// Two readings of the same content: what either has seen.
    fn join(self, other: Self) -> Self {
        Self {
            name: self.name.min(other.name),
            share: self.share.max(other.share),
            periods: [self.periods, other.periods].concat(),
            lines: self.lines.max(other.lines),
            lost: self.lost.max(other.lost),
            lost_at: [self.lost_at, other.lost_at].concat(),
            elements: [self.elements, other.elements].concat(),
            usage: [self.usage, other.usage].concat(),
            format: self.format,
            fingerprint: self.fingerprint,
        }
        .in_order()
    }
}

impl Usage {
    /// What two readings of the same content say about a consumer and a day.
    fn join(&mut self, other: &Self) {
        self.count = self.count.max(other.count);
        let firsts = [self.first_seen.take(), other.first_seen.clone()];
        self.first_seen = firsts.into_iter().flatten().min();
        let lasts = [self.last_seen.take(), other.last_seen.clone()];
        self.last_seen = lasts.into_iter().flatten().max();
    }
}

/// A line that is lost, with the reason.
pub(super) fn lost(line: u64, reason: impl Into<String>) -> LostLine {
    LostLine {
        line,
        reason: reason.into(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::report::SourceFormat;

    fn day() -> impl Strategy<Value = Day> {
        (1_u32..20).prop_map(|day| Day::from_ymd_opt(2026, 1, day).expect("a day"))
    }

    fn time() -> impl Strategy<Value = Option<String>> {
        proptest::option::of((0_u8..24).prop_map(|hour| format!("2026-01-01T{hour:02}:00:00Z")))
    }

    fn usage() -> impl Strategy<Value = Usage> {
        let consumer = ("[ab]", proptest::option::of("[xy]")).prop_map(|(user, agent)| Consumer {
            user: Some(user),
            agent,
            namespace: None,
        });
        ("[EF]", consumer, day(), 0_u64..9, time(), time()).prop_map(
            |(element, consumer, day, count, first_seen, last_seen)| Usage {
                element,
                consumer,
                day,
                count,
                first_seen,
                last_seen,
            },
        )
    }

    fn source() -> impl Strategy<Value = EvidenceSource> {
        let of = (
            "[mn]",
            "[12]",
            prop_oneof![Just(SourceFormat::Rows), Just(SourceFormat::Metrics)],
        );
        let periods = proptest::collection::vec((day(), day()).prop_map(|(from, to)| Period { from, to }), 0..4);
        let losses = proptest::collection::vec((0_u64..99).prop_map(|line| lost(line, "cut")), 0..30);
        let elements = proptest::collection::vec("[E-H]", 0..4);
        let usages = proptest::collection::vec(usage(), 0..6);
        (of, 0_u8..10, periods, 0_u64..9, losses, elements, usages).prop_map(
            |((name, fingerprint, format), share, periods, lines, lost_at, elements, usage)| EvidenceSource {
                name,
                format,
                fingerprint,
                share: f64::from(share) / 9.0,
                periods,
                lines,
                lost: lines / 2,
                lost_at,
                elements,
                usage,
            },
        )
    }

    fn evidence() -> impl Strategy<Value = Evidence> {
        proptest::collection::vec(source(), 0..5).prop_map(Evidence::of)
    }

    proptest! {
        #[test]
        fn merging_does_not_depend_on_the_order(one in evidence(), two in evidence(), three in evidence()) {
            let left = one.clone().merge(two.clone()).merge(three.clone());
            let right = one.clone().merge(two.clone().merge(three));
            prop_assert_eq!(&left, &right);
            prop_assert_eq!(one.clone().merge(two.clone()), two.merge(one));
        }

        #[test]
        fn merging_the_same_twice_counts_once(one in evidence(), two in evidence()) {
            let merged = one.clone().merge(two.clone());
            prop_assert_eq!(&merged.clone().merge(one), &merged);
            prop_assert_eq!(&merged.clone().merge(two), &merged);
        }

        #[test]
        fn what_is_written_is_read(one in evidence()) {
            let mut text = Vec::new();
            crate::render::json::value(&one, &mut text).expect("memory can be written");
            let text = String::from_utf8(text).expect("JSON is UTF-8");
            let read = Evidence::read(&text).expect("it is evidence");
            prop_assert_eq!(&read, &one);
            let mut again = Vec::new();
            crate::render::json::value(&read, &mut again).expect("memory can be written");
            prop_assert_eq!(again, text.into_bytes());
        }
    }

    #[test]
    fn periods_that_touch_are_one() {
        let day = |day| Day::from_ymd_opt(2026, 1, day).expect("a day");
        let all = periods([day(3), day(1), day(2), day(5)]);
        let expected = [(1, 3), (5, 5)].map(|(from, to)| Period {
            from: day(from),
            to: day(to),
        });
        assert_eq!(all, expected);
    }

    #[test]
    fn a_file_of_another_version_is_refused() {
        let error = Evidence::read("{\"schema_version\": 9, \"sources\": []}").expect_err("another version");
        assert_eq!(error.reason, "this program reads version 1 of evidence files");
    }
}
