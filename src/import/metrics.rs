//! Metrics: Kubernetes' lists of metrics in YAML, and what a program exposes in the text formats of Prometheus and
//! `OpenMetrics`.
//!
//! Either tells of one release. [`fold()`] makes lives of several. Help texts are not taken over: the machinery puts
//! the class and the deprecation before them by itself.

mod exposition;
mod fold;
mod list;

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use chrono::NaiveDate;

use crate::release::ReleaseName;
use crate::stability::MetricStability;

use crate::text::{Unreadable, at};

pub use fold::{Folded, fold};

/// Bytes of one text: twenty times what a large cluster's API server exposes.
pub const LARGEST: usize = 64 << 20;

/// What is said of a metric besides its class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its type as models call it; `None` where it is not known, or models have no word for it.
    pub metric_type: Option<&'static str>,
    /// The names of its labels, those of constant ones too; `None` where they are not known.
    pub labels: Option<BTreeSet<String>>,
    /// The release from which it is deprecated, if it is or will be.
    pub deprecated: Option<ReleaseName>,
}

/// A metric as one release has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its class.
    pub stability: MetricStability,
    /// The rest.
    pub facts: Facts,
}

/// What one text has.
#[derive(Debug, Default)]
pub struct Found {
    /// The metrics by their full names: the class, where the text says it, and the rest.
    pub metrics: BTreeMap<String, (Option<MetricStability>, Facts)>,
    /// Whether it has all metrics there are. A program exposes only those that were in use since it started.
    pub is_list: bool,
    /// Types that models have no word for, with the number of metrics that have them.
    pub types: BTreeMap<String, usize>,
    /// What could not be read, and was skipped.
    pub skipped: Vec<Unreadable>,
}

/// The metrics of one release.
#[derive(Debug, Clone, Default)]
pub struct Release {
    /// Its day, if that is known.
    pub date: Option<NaiveDate>,
    /// The metrics, by their full names.
    pub metrics: BTreeMap<String, State>,
    /// Metrics of which nothing says the class.
    pub unmarked: BTreeSet<String>,
    /// The metrics that a list tells of, not samples alone.
    listed: BTreeSet<String>,
    /// Whether there is a list, and whether some of one was skipped.
    lists: (bool, bool),
}

/// Reads a text: a list if its first line that is no comment begins an item, else what a program exposes.
///
/// # Errors
///
/// If the text is neither, or cannot be read at a place that leaves no way to go on.
pub fn read(text: &str) -> Result<Found, Unreadable> {
    if text.len() > LARGEST {
        return Err(at(1, 1, format!("larger than {} MiB", LARGEST >> 20)));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match format(text) {
        Format::List => list::read(text),
        Format::Exposition => exposition::read(text),
        Format::Neither(line) => {
            let reason = "neither a list of metrics in YAML (`- name: …`) nor what a program exposes (`# HELP …`)";
            Err(at(line, 1, reason))
        }
    }
}

enum Format {
    List,
    Exposition,
    /// With the line that shows it.
    Neither(u32),
}

fn format(text: &str) -> Format {
    let mut last = 1;
    for (number, line) in (1..).zip(text.lines()) {
        last = number;
        let line = line.trim_end();
        if ["# HELP ", "# TYPE ", "# UNIT ", "# EOF"]
            .iter()
            .any(|mark| line.starts_with(mark))
        {
            return Format::Exposition;
        }
        if line.is_empty() || line.starts_with(['#', '%']) || line == "---" {
            continue;
        }
        return match line.as_bytes() {
            [b'-' | b'[', ..] => Format::List,
            _ if exposition::is_sample(line) => Format::Exposition,
            _ => Format::Neither(number),
        };
    }
    Format::Neither(last)
}

impl Found {
    /// The type as models call it. Others are counted.
    fn metric_type(&mut self, stated: &str) -> Option<&'static str> {
        match stated.to_ascii_lowercase().as_str() {
            "counter" => Some("counter"),
            "gauge" => Some("gauge"),
            // Exposed as histograms.
            "histogram" | "timinghistogram" | "timingratiohistogram" => Some("histogram"),
            "summary" => Some("summary"),
            "" | "unknown" | "untyped" => None,
            _ => {
                *self.types.entry(stated.to_owned()).or_default() += 1;
                None
            }
        }
    }
}

impl Release {
    /// A release of which nothing was read yet.
    pub fn of(date: Option<NaiveDate>) -> Self {
        Self {
            date,
            ..Self::default()
        }
    }

    /// Whether a list of all metrics is among the texts, and nothing of it was skipped. Else none is taken for gone.
    pub fn is_whole(&self) -> bool {
        matches!(self.lists, (true, false))
    }

    /// Adds what another text of the same release has. Gives the metrics of which the two say different things: what
    /// was there first stays. `unmarked` is the class of those of which a text says none; without it they are left out.
    pub fn add(&mut self, found: &Found, unmarked: Option<MetricStability>) -> Vec<String> {
        let mut differing = Vec::new();
        self.lists.0 |= found.is_list;
        self.lists.1 |= found.is_list && !found.skipped.is_empty();
        for (name, (class, facts)) in &found.metrics {
            let Some(stability) = class.or(unmarked) else {
                self.unmarked.insert(name.clone());
                continue;
            };
            let was_listed = self.listed.contains(name);
            if found.is_list {
                self.listed.insert(name.clone());
            }
            let Some(known) = self.metrics.get_mut(name) else {
                let facts = facts.clone();
                self.metrics.insert(name.clone(), State { stability, facts });
                continue;
            };
            let types = (known.facts.metric_type, facts.metric_type);
            let agree = known.stability == stability
                && known.facts.deprecated == facts.deprecated
                && (types.0 == types.1 || types.0.is_none() || types.1.is_none());
            let is_other_list = was_listed && found.is_list && known.facts.labels != facts.labels;
            if !agree || is_other_list {
                differing.push(name.clone());
                continue;
            }
            known.facts.labels = labels(&known.facts, was_listed, facts, found.is_list);
            known.facts.metric_type = types.0.or(types.1);
        }
        differing
    }
}

/// The labels of a metric that two texts tell of: those of a list count, of samples all that are seen.
fn labels(known: &Facts, was_listed: bool, facts: &Facts, is_listed: bool) -> Option<BTreeSet<String>> {
    match (&known.labels, &facts.labels) {
        (Some(one), Some(other)) => Some(match (was_listed, is_listed) {
            (true, _) => one.clone(),
            (false, true) => other.clone(),
            (false, false) => one.union(other).cloned().collect(),
        }),
        (one, other) => one.clone().or_else(|| other.clone()),
    }
}
