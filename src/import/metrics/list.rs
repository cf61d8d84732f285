//! A list of metrics in YAML, as Kubernetes keeps it of its stable metrics and for its documentation.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::release::ReleaseName;
use crate::stability::MetricStability;

use super::{Facts, MetricsFile};
use crate::text::{Unreadable, at, line_below, listed};

/// A metric as the list has it, without the keys that its life does not depend on: help, buckets, objectives,
/// endpoints.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StatedMetric {
    name: Option<String>,
    subsystem: Option<String>,
    namespace: Option<String>,
    #[serde(rename = "type")]
    metric_type: Option<String>,
    deprecated_version: Option<String>,
    stability_level: Option<String>,
    labels: Option<Vec<String>>,
    const_labels: Option<BTreeMap<String, Option<String>>>,
    /// A key of feature gates, which metrics do not have.
    versioned_specs: Option<IgnoredAny>,
}

/// Reads a list. An entry that cannot be read is skipped and reported, and hides no other one.
pub(super) fn read(text: &str) -> Result<MetricsFile, Unreadable> {
    let (entries, skipped) = listed::<StatedMetric>(text)?;
    let mut reader = Reader {
        file: MetricsFile {
            is_list: true,
            skipped,
            ..MetricsFile::default()
        },
        lines: BTreeMap::new(),
    };
    for (base, entry) in entries {
        let line = line_below(base, entry.referenced.line());
        if entry.value.versioned_specs.is_some() {
            let reason =
                "an entry with `versionedSpecs` is a feature gate: `lifecycle import feature-gates` reads them";
            return Err(at(line, 1, reason));
        }
        if let Err(reason) = reader.add(line, entry.value) {
            reader.file.skipped.push(at(line, 1, reason));
        }
    }
    reader.file.skipped.sort_by_key(|error| error.line);
    Ok(reader.file)
}

struct Reader {
    file: MetricsFile,
    lines: BTreeMap<String, u32>,
}

impl Reader {
    fn add(&mut self, line: u32, stated: StatedMetric) -> Result<(), String> {
        let own = stated.name.as_deref().unwrap_or_default();
        if own.is_empty() {
            return Err("a metric without a `name`".to_owned());
        }
        let before = [stated.namespace.as_deref(), stated.subsystem.as_deref()];
        let parts = before.into_iter().flatten().filter(|part| !part.is_empty());
        let name = parts.chain([own]).collect::<Vec<_>>().join("_");
        if name.chars().any(char::is_control) {
            return Err("a metric with control characters in its name".to_owned());
        }
        self.add_named(&name, line, stated)
            .map_err(|reason| format!("metric {name}: {reason}"))
    }

    fn add_named(&mut self, name: &str, line: u32, stated: StatedMetric) -> Result<(), String> {
        let class = stated.stability_level.filter(|class| !class.is_empty()).map(|class| {
            let known = MetricStability::parse(&class);
            known.ok_or_else(|| format!("`{class}` is not a class: INTERNAL, ALPHA, BETA or STABLE"))
        });
        let class = class.transpose()?;
        let deprecated = stated
            .deprecated_version
            .filter(|release| !release.is_empty())
            .map(|release| {
                let known = ReleaseName::parse(&release);
                known.ok_or_else(|| format!("deprecatedVersion `{release}` is not the name of a release"))
            });
        let deprecated = deprecated.transpose()?;
        if let Some(known) = self.lines.get(name) {
            return Err(format!("it is also in line {known}, which counts"));
        }
        self.lines.insert(name.to_owned(), line);
        let constant = stated.const_labels.unwrap_or_default().into_keys();
        let labels: BTreeSet<String> = stated.labels.unwrap_or_default().into_iter().chain(constant).collect();
        let metric_type = self.file.metric_type(stated.metric_type.as_deref().unwrap_or_default());
        let facts = Facts {
            metric_type,
            labels: Some(labels),
            deprecated,
        };
        self.file.metrics.insert(name.to_owned(), (class, facts));
        Ok(())
    }
}
