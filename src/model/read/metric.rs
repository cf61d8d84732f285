//! Metrics.

use crate::document::{Key, Table, Value};
use crate::grammar::{METRIC_SPEC, names};
use crate::stability::{MetricStability, Track};

use super::super::{ElementKind, ElementPath, EventKind, Metric, MetricSpec};
use super::Reader;

const STAGES: &[&str] = &["INTERNAL", "ALPHA", "BETA", "STABLE"];
const TYPES: &[&str] = &["counter", "gauge", "histogram", "summary"];

impl Reader<'_> {
    /// Reads one metric.
    pub(super) fn metric(&mut self, key: Key<'_>, table: Table<'_>) {
        let specs = if let Some((_, value)) = table.get("specs") {
            self.metric_specs(value)
        } else {
            let why = "its classes: specs = [{ stage = \"ALPHA\", since = \"1.21\" }]";
            self.diagnostics.missing_key(key.span, "specs", why);
            Vec::new()
        };
        for (step, spec) in (0..=u8::MAX).zip(&specs) {
            let what = if step == 0 {
                EventKind::Introduced
            } else {
                EventKind::Promoted
            };
            self.pend(0, what, step, spec.since, spec.span);
        }
        let mut entry = self.entry(table, ElementKind::Metric);
        entry.lives = 1;
        let track = specs.last().map_or(Track::Alpha, |spec| spec.stability.track());
        let path = ElementPath::Metric(key.name.into());
        let element = self.add(&path, None, key.span, track, entry);
        self.metrics.push(Metric { element, specs });
    }

    fn metric_specs(&mut self, value: Value<'_>) -> Vec<MetricSpec> {
        let items = value.list(self.diagnostics);
        if items.is_empty() || items.len() > 100 {
            let help = "list its classes, oldest first";
            self.diagnostics
                .at("specs", value.span(), "a metric has from 1 to 100 entries", help);
            return Vec::new();
        }
        let mut specs: Vec<MetricSpec> = items.into_iter().filter_map(|item| self.metric_spec(item)).collect();
        specs.sort_by_key(|spec| spec.since);
        specs
    }

    fn metric_spec(&mut self, item: Value<'_>) -> Option<MetricSpec> {
        let table = item.table(self.diagnostics)?;
        let (mut stability, mut since, mut labels, mut metric_type) = (None, None, None, None);
        for (key, value) in table.entries() {
            match key.name {
                "stage" => stability = self.metric_stability(value),
                "since" => since = self.release_value(value),
                "labels" => labels = Some(self.labels(value)),
                "type" => metric_type = self.metric_type(value),
                _ => self.diagnostics.unknown_key(&key, &names(METRIC_SPEC)),
            }
        }
        for (key, why) in [
            ("stage", "INTERNAL, ALPHA, BETA or STABLE"),
            ("since", "the release in which it enters the class"),
        ] {
            if table.get(key).is_none() {
                self.diagnostics.missing_key(table.span(), key, why);
            }
        }
        Some(MetricSpec {
            stability: stability?,
            since: since?.0,
            labels,
            metric_type,
            span: table.span(),
        })
    }

    fn metric_stability(&mut self, value: Value<'_>) -> Option<MetricStability> {
        let word = value.word(self.diagnostics)?;
        let stability = MetricStability::parse(word.text);
        if stability.is_none() {
            self.diagnostics
                .unknown_word("a stability class", word.text, word.span, STAGES);
        }
        stability
    }

    fn labels(&mut self, value: Value<'_>) -> Vec<String> {
        let mut labels: Vec<String> = value
            .words(self.diagnostics)
            .iter()
            .map(|word| word.text.to_owned())
            .collect();
        labels.sort();
        labels
    }

    fn metric_type(&mut self, value: Value<'_>) -> Option<String> {
        let word = value.word(self.diagnostics)?;
        if !TYPES.contains(&word.text) {
            self.diagnostics
                .unknown_word("a type of metric", word.text, word.span, TYPES);
        }
        Some(word.text.to_owned())
    }
}
