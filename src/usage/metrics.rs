//! Metrics of Kubernetes API servers: as servers print them, and as Prometheus and Loki answer queries.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::collector::{Collector, Origin, Seen};
use super::watched::Watched;
use crate::release::Day;
use crate::report::{EvidenceSource, SourceFormat};
use crate::text::{Unreadable, at, of_json};

/// How many requests there were, by resource.
const REQUESTS: &str = "apiserver_request_total";

/// Which deprecated resources were requested at all.
const REQUESTED: &str = "apiserver_requested_deprecated_apis";

/// When the server began to count.
const STARTED: &str = "process_start_time_seconds";

/// The label in which a generated query says which elements it asked for.
pub(crate) const ASKED_FOR: &str = "lifecycle_elements";

/// What separates ids in that label. No id has it.
pub(crate) const BETWEEN_IDS: &str = ";";

const SECONDS_OF_DAY: i64 = 86_400;

const NO_DAY: &str = "the metrics have no time";

type Labels = BTreeMap<String, String>;

/// A sample of a metric in the text format.
struct Sample {
    name: String,
    labels: Labels,
    value: f64,
    seconds: Option<i64>,
}

/// The day of a moment, in seconds since 1970.
fn day_of(seconds: i64) -> Option<Day> {
    let days = i32::try_from(seconds.div_euclid(SECONDS_OF_DAY)).ok()?;
    Day::from_epoch_days(days)
}

/// A sample of the text format: `name{label="value"} 1 1769774400000`.
fn sample(line: &str) -> Option<Sample> {
    let end = line.find(|c: char| c == '{' || c.is_whitespace())?;
    let (name, mut rest) = line.split_at(end);
    let mut labels = Labels::new();
    if let Some(within) = rest.strip_prefix('{') {
        rest = within.trim_start();
        while !rest.starts_with('}') {
            let (label, after) = rest.split_once('=')?;
            let (value, after) = quoted(after.trim_start())?;
            labels.insert(label.trim().to_owned(), value);
            let after = after.trim_start();
            rest = after.strip_prefix(',').unwrap_or(after).trim_start();
        }
        rest = &rest[1..];
    }
    let mut words = rest.split_whitespace();
    let value = words.next()?.parse().ok()?;
    let milliseconds: Option<i64> = words.next().map(str::parse).transpose().ok()?;
    Some(Sample {
        name: name.to_owned(),
        labels,
        value,
        seconds: milliseconds.map(|time| time.div_euclid(1000)),
    })
}

/// The value of a label, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix('"')?;
    let (mut value, mut chars) = (String::new(), text.char_indices());
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            c => value.push(c),
        }
    }
    None
}

/// A count as metrics have it; nothing for what is no number, or a negative one.
fn count(value: f64) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is bounded")]
    let count = value.round().clamp(0.0, 1e18) as u64;
    (value.is_finite() && value >= 0.0).then_some(count)
}

fn label<'l>(labels: &'l Labels, names: &[&str]) -> &'l str {
    let found = names.iter().find_map(|name| labels.get(*name));
    found.map_or("", String::as_str)
}

fn watched_by<'w>(watched: &'w Watched, labels: &Labels) -> Option<&'w str> {
    let [group, version, resource] = ["group", "version", "resource"].map(|name| label(labels, &[name]));
    watched.of(group, version, resource).filter(|_| !resource.is_empty())
}

/// Reads the metrics of a server. What it has counted since it started is spread over the days since then.
///
/// # Errors
///
/// If nothing says which day that is.
pub(super) fn read_text(
    text: &str,
    origin: Origin<'_>,
    watched: &Watched,
    fingerprint: String,
) -> Result<EvidenceSource, Unreadable> {
    let mut collector = Collector::new(SourceFormat::Metrics);
    let (mut counts, mut requested): (BTreeMap<&str, u64>, BTreeSet<&str>) = (BTreeMap::new(), BTreeSet::new());
    let (mut started, mut taken, mut counts_requests) = (None, None, false);
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        collector.read_lines(1);
        let Some(sample) = sample(line) else {
            collector.lose(number, "not a sample of a metric");
            continue;
        };
        taken = taken.max(sample.seconds);
        let of = watched_by(watched, &sample.labels);
        match (sample.name.as_str(), of, count(sample.value)) {
            (STARTED, _, Some(at)) => started = Some(i64::try_from(at).unwrap_or(i64::MAX)),
            (REQUESTS | REQUESTED, _, None) => collector.lose(number, "a value that is no count"),
            (REQUESTS, of, Some(value)) => {
                counts_requests = true;
                if let Some(id) = of {
                    let sum = counts.entry(id).or_default();
                    *sum = sum.saturating_add(value);
                }
            }
            (REQUESTED, Some(id), Some(1..)) => {
                requested.insert(id);
            }
            _ => {}
        }
    }
    let day = taken.and_then(day_of).or(origin.day).ok_or_else(|| at(1, 1, NO_DAY))?;
    let started = started
        .and_then(day_of)
        .filter(|started| *started <= day)
        .unwrap_or(day);
    let days: Vec<Day> = started.iter_days().take_while(|covered| *covered <= day).collect();
    if !days.iter().all(|covered| collector.cover(*covered)) {
        return Err(at(1, 1, "the server counts for more than ten years"));
    }
    // The gauge alone shows those that it has; without requests there is no sample of a resource.
    for id in &requested {
        counts.entry(id).and_modify(|sum| *sum = (*sum).max(1)).or_insert(1);
    }
    if counts_requests {
        collector.look_for(watched.shown_by_requests());
    }
    collector.look_for(counts.keys().map(|id| (*id).to_owned()));
    for (id, count) in counts {
        spread(&mut collector, id, count, &days);
    }
    Ok(collector.finish(origin, fingerprint))
}

/// Adds what was counted over days in equal parts, the rest on the last one: how much it was on each is unknown.
fn spread(collector: &mut Collector, id: &str, count: u64, days: &[Day]) {
    let each = count / (days.len() as u64).max(1);
    for (at, day) in days.iter().enumerate() {
        let count = if at + 1 == days.len() {
            count - each * at as u64
        } else {
            each
        };
        if count > 0 && !collector.add(id, seen_on(*day, count)) {
            collector.lose(0, "more days than are kept");
        }
    }
}

fn seen_on<'l>(day: Day, count: u64) -> Seen<'l> {
    Seen {
        user: "",
        agent: "",
        namespace: "",
        day,
        times: [None, None],
        count,
    }
}

/// What the HTTP API of Prometheus and Loki answers.
#[derive(Debug, Deserialize)]
struct Response {
    status: String,
    #[serde(default)]
    error: String,
    #[serde(default)]
    data: Data,
}

#[derive(Debug, Default, Deserialize)]
struct Data {
    #[serde(default)]
    result: Vec<Series>,
}

#[derive(Debug, Deserialize)]
struct Series {
    metric: Labels,
    #[serde(default)]
    value: Option<(f64, String)>,
    #[serde(default)]
    values: Vec<(f64, String)>,
}

/// Reads the answer to a generated query. A value is that of the day which ends at its time.
///
/// # Errors
///
/// If it is no answer, or the server reports an error.
pub(super) fn read_response(
    text: &str,
    origin: Origin<'_>,
    watched: &Watched,
    fingerprint: String,
) -> Result<EvidenceSource, Unreadable> {
    let response: Response = serde_json::from_str(text).map_err(|problem| of_json(&problem))?;
    if response.status != "success" {
        return Err(at(
            1,
            1,
            format!("the server answered {}: {}", response.status, response.error),
        ));
    }
    let mut collector = Collector::new(SourceFormat::Metrics);
    for (number, series) in (1..).zip(&response.data.result) {
        collector.read_lines(1);
        let asked_for = series.metric.get(ASKED_FOR);
        if let Some(ids) = asked_for {
            let ids = ids.split(BETWEEN_IDS).filter(|id| watched.declares(id));
            collector.look_for(ids.map(str::to_owned));
        }
        for (time, value) in series.value.iter().chain(&series.values) {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a time that no calendar has gives no day"
            )]
            let day = day_of(time.floor() as i64 - 1);
            let value = value.parse().ok().and_then(count);
            let (Some(day), Some(value)) = (day, value) else {
                collector.lose(number, "a value without a day or a number");
                continue;
            };
            if !collector.cover(day) {
                collector.lose(number, "more days than ten years have");
            } else if asked_for.is_none() && label(&series.metric, &["resource"]).is_empty() {
                collector.lose(number, "labels that are not those of the query");
            } else if let Some(id) = watched_by(watched, &series.metric).filter(|_| value > 0 && asked_for.is_none()) {
                let [user, agent, namespace] =
                    ["user", "agent", "namespace"].map(|name| label(&series.metric, &[name]));
                let seen = Seen {
                    user,
                    agent,
                    namespace,
                    ..seen_on(day, value)
                };
                if !collector.add(id, seen) {
                    collector.lose(number, "more consumers and days than are kept");
                }
            }
        }
    }
    Ok(collector.finish(origin, fingerprint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_count_counts_as_nothing_and_not_as_zero() {
        assert_eq!([0.0, 2.4].map(count), [Some(0), Some(2)]);
        assert_eq!([f64::NAN, f64::INFINITY, -5.0].map(count), [None; 3]);
    }

    #[test]
    fn samples_have_labels_with_escapes_and_maybe_a_time() {
        let line = r#"m{a="x, \"y\"}",b="\\"} 1.5e3 1769774400000"#;
        let sample = sample(line).expect("a sample");
        let labels: Vec<_> = sample
            .labels
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(labels, [("a", "x, \"y\"}"), ("b", "\\")]);
        assert_eq!(
            (sample.name.as_str(), count(sample.value), sample.seconds),
            ("m", Some(1500), Some(1_769_774_400))
        );
        assert_eq!(
            day_of(1_769_774_400).map(|day| day.to_string()).as_deref(),
            Some("2026-01-30")
        );
        assert!(super::sample("m{a=\"x} 1").is_none());
        assert!(super::sample("m{a} 1").is_none());
    }
}
