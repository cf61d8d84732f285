//! A list of metrics in YAML, as Kubernetes keeps it of its stable metrics and for its documentation.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_saphyr::Spanned;

use crate::release::ReleaseName;
use crate::stability::MetricStability;

use super::{Facts, Found};
use crate::text::{Unreadable, at, limits, line_below, listed, of_problem};

/// A metric as the list has it. What tells nothing of its life is not read: help, buckets, objectives, endpoints.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    name: Option<String>,
    subsystem: Option<String>,
    namespace: Option<String>,
    #[serde(rename = "type")]
    metric_type: Option<String>,
    deprecated_version: Option<String>,
    stability_level: Option<String>,
    labels: Option<Vec<String>>,
    const_labels: Option<BTreeMap<String, Option<String>>>,
    /// What gates have, and metrics have not.
    versioned_specs: Option<IgnoredAny>,
}

/// Reads a list. An entry that cannot be read is skipped and told, and costs no other one.
pub(super) fn read(text: &str) -> Result<Found, Unreadable> {
    let mut reader = Reader {
        found: Found {
            is_list: true,
            ..Found::default()
        },
        lines: BTreeMap::new(),
    };
    let (entries, unreadable) = listed(text, entries)?;
    if let Some((line, _)) = entries.iter().find(|(_, entry)| entry.versioned_specs.is_some()) {
        let reason = "an entry with `versionedSpecs` is a feature gate: `lifecycle import feature-gates` reads them";
        return Err(at(*line, 1, reason));
    }
    reader.found.skipped = unreadable;
    for entry in entries {
        reader.entry(entry);
    }
    reader.found.skipped.sort_by_key(|fault| fault.line);
    Ok(reader.found)
}

/// The entries of a text that begins at a line, each with its line.
fn entries(text: &str, line: u32, nodes: usize) -> Result<Vec<(u32, Entry)>, Unreadable> {
    let parsed = serde_saphyr::from_str_with_options::<Option<Vec<Spanned<Entry>>>>(text, limits(nodes));
    let parsed = parsed.map_err(|problem| of_problem(&problem, line))?;
    let parsed = parsed.ok_or_else(|| at(line, 1, "there is no list of metrics"))?;
    let placed = parsed.into_iter();
    Ok(placed
        .map(|entry| (line_below(line, entry.referenced.line()), entry.value))
        .collect())
}

struct Reader {
    found: Found,
    /// Where each metric was found.
    lines: BTreeMap<String, u32>,
}

impl Reader {
    fn entry(&mut self, (line, entry): (u32, Entry)) {
        if let Err(reason) = self.read(line, entry) {
            self.found.skipped.push(at(line, 1, reason));
        }
    }

    fn read(&mut self, line: u32, entry: Entry) -> Result<(), String> {
        let own = entry.name.as_deref().unwrap_or_default();
        if own.is_empty() {
            return Err("a metric without a `name`".to_owned());
        }
        let before = [entry.namespace.as_deref(), entry.subsystem.as_deref()];
        let parts = before.into_iter().flatten().filter(|part| !part.is_empty());
        let name = parts.chain([own]).collect::<Vec<_>>().join("_");
        if name.chars().any(char::is_control) {
            return Err("a metric with control characters in its name".to_owned());
        }
        let of_metric = |reason: String| format!("metric {name}: {reason}");
        let class = match entry.stability_level.as_deref().unwrap_or_default() {
            "" => None,
            stated => Some(
                MetricStability::parse(stated)
                    .ok_or_else(|| of_metric(format!("`{stated}` is no class: INTERNAL, ALPHA, BETA or STABLE")))?,
            ),
        };
        let deprecated = match entry.deprecated_version.as_deref().unwrap_or_default() {
            "" => None,
            stated => Some(
                ReleaseName::parse(stated)
                    .ok_or_else(|| of_metric(format!("deprecatedVersion `{stated}` is not the name of a release")))?,
            ),
        };
        let constant = entry.const_labels.unwrap_or_default().into_keys();
        let labels: BTreeSet<String> = entry.labels.unwrap_or_default().into_iter().chain(constant).collect();
        if let Some(known) = self.lines.insert(name.clone(), line) {
            self.lines.insert(name.clone(), known);
            return Err(of_metric(format!("it stands in line {known} too, which counts")));
        }
        let metric_type = self.found.metric_type(entry.metric_type.as_deref().unwrap_or_default());
        let facts = Facts {
            metric_type,
            labels: Some(labels),
            deprecated,
        };
        self.found.metrics.insert(name, (class, facts));
        Ok(())
    }
}
