//! Metrics.

use crate::document::{Key, Table, Value};
use crate::grammar::{METRIC_SPEC, names};
use crate::stability::{MetricStability, Track};

use super::super::{ElementKind, ElementPath, EventKind, Metric, MetricSpec};
use super::Reader;

const CLASSES: &[&str] = &["INTERNAL", "ALPHA", "BETA", "STABLE"];
const TYPES: &[&str] = &["counter", "gauge", "histogram", "summary"];

impl Reader<'_> {
    /// Reads one metric.
    pub(super) fn metric(&mut self, key: Key<'_>, table: Table<'_>) {
        let example = "{ stage = \"ALPHA\", since = \"1.21\" }";
        let mut specs = self.specs((&key, table), ("metric", "classes", example), Self::metric_spec);
        specs.sort_by_key(|spec| spec.since);
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
        let path = ElementPath::Named(ElementKind::Metric, key.name.into());
        let element = self.add(&path, None, key.span, track, entry);
        self.model.metrics.push(Metric { element, specs });
    }

    fn metric_spec(&mut self, item: Value<'_>) -> Option<MetricSpec> {
        let table = item.table(self.diagnostics)?;
        let (mut stability, mut since, mut labels, mut metric_type) = (None, None, None, None);
        for (key, value) in table.entries() {
            match key.name {
                "stage" => stability = self.one_of("a stability class", value, MetricStability::parse, CLASSES),
                "since" => since = self.release_value(value),
                "labels" => labels = Some(self.labels(value)),
                "type" => metric_type = self.metric_type(value),
                _ => self.diagnostics.unknown_key(&key, &names(METRIC_SPEC)),
            }
        }
        let required = [
            ("stage", "INTERNAL, ALPHA, BETA or STABLE"),
            ("since", "the release in which it enters the class"),
        ];
        self.require(table, &required);
        Some(MetricSpec {
            stability: stability?,
            since: since?.0,
            labels,
            metric_type,
            span: table.span(),
        })
    }

    fn labels(&mut self, value: Value<'_>) -> Vec<String> {
        let mut labels: Vec<String> = value
            .words(self.diagnostics)
            .iter()
            .map(|word| word.text.to_owned())
            .collect();
        labels.sort_unstable();
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
