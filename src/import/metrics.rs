//! Metrics: Kubernetes' lists of metrics in YAML, and what a program exposes in the text formats of Prometheus and
//! `OpenMetrics`.
//!
//! Either shows one release; [`fold()`] makes lives of several. Help texts are not imported: Kubernetes' machinery puts
//! the class and the deprecation before them.
//!
//! A program exposes a metric once it is used, so only a list of which nothing was skipped shows that a metric is
//! removed. Samples show labels, a list states them and wins. A metric without a class is left out unless the command
//! gives it one: a guess would be a promise in its owner's name.

mod exposition;
mod fold;
mod list;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::release::ReleaseName;
use crate::stability::MetricStability;

use crate::text::{Unreadable, at, check_size};

use super::draft::Draft;
use super::notice::{ImportError, Imported, Notice, Topic};
use super::releases::{File, Format, Releases};

pub use fold::fold;

/// Metrics in files.
pub const FORMAT: Format<MetricsFile> = Format {
    name: "metric",
    endings: &["yaml", "yml", "prom", "txt"],
    is_wanted: |_| true,
    largest: LARGEST,
    leaves_out: false,
    read,
    is_empty: |file| file.metrics.is_empty(),
    skipped: |file| &file.skipped,
};

const MOST_NAMED: usize = 5;

/// Bytes of one text: twenty times what a large cluster's API server exposes.
pub(crate) const LARGEST: usize = 64 << 20;

/// What a text states about a metric besides its class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its type as models call it; `None` where it is not known, or a model cannot have it.
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

/// The metrics of one text.
#[derive(Debug, Default)]
pub struct MetricsFile {
    /// The metrics by their full names: the class, where the text states it, and the rest.
    pub metrics: BTreeMap<String, (Option<MetricStability>, Facts)>,
    /// Whether it has all metrics there are. A program exposes only those that were in use since it started.
    pub is_list: bool,
    /// Types that a model cannot have, with the number of metrics that have them.
    pub types: BTreeMap<String, usize>,
    /// What could not be read, and was skipped.
    pub skipped: Vec<Unreadable>,
}

/// The metrics of one release.
#[derive(Debug, Clone, Default)]
pub struct MetricsRelease {
    /// Its date, if that is known.
    pub date: Option<NaiveDate>,
    /// The metrics, by their full names.
    pub metrics: BTreeMap<String, State>,
    /// Metrics without a class.
    pub unmarked: BTreeSet<String>,
    /// The metrics that are in a list, not in samples alone.
    listed: BTreeSet<String>,
    /// Whether there is a list, and whether some of one was skipped.
    lists: (bool, bool),
}

/// Makes the lives of metrics from the texts of releases. `known` is what is declared before the first of them;
/// `unmarked` is the class of metrics whose text states none; `all` is whether the lists have all metrics of the model.
///
/// # Errors
///
/// If no metric has a class.
pub fn import(
    known: Draft,
    releases: &Releases<'_, MetricsFile>,
    unmarked: Option<MetricStability>,
    all: bool,
) -> Result<Imported, ImportError> {
    let mut notices = Vec::new();
    let mut by_name: BTreeMap<ReleaseName, MetricsRelease> = BTreeMap::new();
    for (name, files) in releases.iter() {
        let mut release = MetricsRelease {
            date: files.date,
            ..MetricsRelease::default()
        };
        for file in &files.files {
            release.add_file(name, file, unmarked, &mut notices);
        }
        if !release.unmarked.is_empty() {
            let text = format!(
                "release {name}: left out metrics without a class: {}; --unmarked gives them one",
                first_names(&release.unmarked)
            );
            notices.push(Notice::new(Topic::Note, text));
        }
        by_name.insert(name.clone(), release);
    }
    if by_name.values().all(|release| release.metrics.is_empty()) {
        let help = "Kubernetes' machinery writes `[ALPHA]` before help texts; give the others a class with --unmarked";
        return Err(ImportError::new("no metric has a class", help));
    }
    let imported = fold(known, &by_name, all);
    notices.extend(imported.notices);
    Ok(Imported { notices, ..imported })
}

fn first_names<'n>(names: impl IntoIterator<Item = &'n String>) -> String {
    let names: BTreeSet<&String> = names.into_iter().collect();
    let first: Vec<&str> = names.iter().take(MOST_NAMED).map(|name| name.as_str()).collect();
    match names.len().saturating_sub(MOST_NAMED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// Reads a text: a list if its first line that is no comment begins an item, else what a program exposes.
///
/// # Errors
///
/// If the text is neither, or cannot be read at a place that leaves no way to go on.
pub fn read(text: &str) -> Result<MetricsFile, Unreadable> {
    check_size(text, LARGEST)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut last = 1;
    for (number, line) in (1..).zip(text.lines()) {
        last = number;
        let line = line.trim_end();
        if COMMENTS.iter().any(|mark| line.starts_with(mark)) {
            return exposition::read(text);
        }
        if line.is_empty() || line.starts_with(['#', '%']) || line == "---" {
            continue;
        }
        if line.starts_with(['-', '[']) {
            return list::read(text);
        }
        if exposition::is_sample(line) {
            return exposition::read(text);
        }
        break;
    }
    let reason = "neither a list of metrics in YAML (`- name: …`) nor what a program exposes (`# HELP …`)";
    Err(at(last, 1, reason))
}

const COMMENTS: [&str; 4] = ["# HELP ", "# TYPE ", "# UNIT ", "# EOF"];

impl MetricsFile {
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

impl MetricsRelease {
    /// Whether a list of all metrics is among the texts, and nothing of it was skipped: only then is a metric that it
    /// lacks removed.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.lists, (true, false))
    }

    fn add_file(
        &mut self,
        release: &ReleaseName,
        file: &File<MetricsFile>,
        unmarked: Option<MetricStability>,
        notices: &mut Vec<Notice>,
    ) {
        let File { label, content, .. } = file;
        notices.extend(content.types.iter().map(|(metric_type, count)| {
            let text =
                format!("{label}: a model cannot have the type `{metric_type}` of {count} metrics: no type is written");
            Notice::new(Topic::Note, text)
        }));
        let different = self.add(content, unmarked);
        if !different.is_empty() {
            let text = format!(
                "{label}: {}: another text of {release} states something else, which counts",
                first_names(&different)
            );
            notices.push(Notice::new(Topic::Skipped, text));
        }
    }

    /// Adds another text of the same release. Returns the metrics about which the two state different things: the first
    /// text counts. `unmarked` is the class of metrics whose text states none; without it they are left out.
    pub fn add(&mut self, found: &MetricsFile, unmarked: Option<MetricStability>) -> Vec<String> {
        let mut different = Vec::new();
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
                different.push(name.clone());
                continue;
            }
            known.facts.labels = labels(&known.facts, was_listed, facts, found.is_list);
            known.facts.metric_type = types.0.or(types.1);
        }
        different
    }
}

/// The labels of a metric that is in two texts: those of a list count, of samples all that are seen.
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
