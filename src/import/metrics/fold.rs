//! The metrics of releases in order, folded into their lives.

use std::collections::{BTreeMap, BTreeSet};

use crate::release::ReleaseName;
use crate::stability::MetricStability;

use super::super::draft::{Draft, DraftCalendar, Element, Life, Value};
use super::super::notice::{ChangeLog, Imported};
use super::{Facts, MetricsRelease, State, first_names};

const MOST_SPECS: usize = 100;

/// Folds releases into lives. What is first seen is introduced; another class, type or other labels are a new entry of
/// `specs`; what a list no longer has is removed.
///
/// `known` is what is declared before the first release. Metrics of it that none of the releases has are left out and
/// reported, or removed if the lists have all metrics of the product (`all`).
pub fn fold(known: Draft, releases: &BTreeMap<ReleaseName, MetricsRelease>, all: bool) -> Imported {
    let mut imported = Imported::default();
    let Draft { calendar, metrics, .. } = known;
    let seen: BTreeSet<&String> = releases.values().flat_map(|release| release.metrics.keys()).collect();
    let mut lives: BTreeMap<String, Metric> = BTreeMap::new();
    let mut unlisted: BTreeSet<&String> = BTreeSet::new();
    for (name, element) in &metrics {
        let metric = Metric::declared(element);
        if seen.contains(name) || all {
            lives.insert(name.clone(), metric);
        } else if metric.life.removed.is_none() && releases.values().any(MetricsRelease::is_whole) {
            unlisted.insert(name);
        }
    }
    let calendar_draft = &mut imported.draft.calendar;
    *calendar_draft = calendar;
    calendar_draft.ship(releases.iter().map(|(name, release)| (name.clone(), release.date)));
    for (name, release) in releases {
        follow(&mut lives, name, release, &mut imported);
    }
    if !unlisted.is_empty() {
        let text = format!(
            "the source does not have these metrics of the model: {}; --all removes them",
            first_names(unlisted)
        );
        imported.note(text);
    }
    for (name, metric) in lives {
        for release in &metric.life.deprecated {
            imported.draft.calendar.reach(release);
        }
        imported.draft.metrics.insert(name, metric.element());
    }
    imported
}

fn follow(lives: &mut BTreeMap<String, Metric>, name: &ReleaseName, release: &MetricsRelease, imported: &mut Imported) {
    for metric in release.metrics.keys() {
        lives.entry(metric.clone()).or_default();
    }
    let mut unexposed = Vec::new();
    for (metric, life) in lives {
        let mut log = ChangeLog {
            subject: format!("{name}: metric {metric}"),
            notices: &mut imported.notices,
        };
        match release.metrics.get(metric) {
            Some(state) => life.present(name, state, &imported.draft.calendar, &mut log),
            None if release.is_whole() => life.absent(name, &mut log),
            None if life.is_living() => unexposed.push(metric),
            None => {}
        }
    }
    if !unexposed.is_empty() {
        let text = format!(
            "release {name} does not show {}: perhaps unused or skipped, so not counted as removed",
            first_names(unexposed)
        );
        imported.note(text);
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Spec {
    since: ReleaseName,
    stability: MetricStability,
    metric_type: Option<String>,
    labels: Option<BTreeSet<String>>,
}

#[derive(Debug, Default)]
struct Metric {
    specs: Vec<Spec>,
    life: Life,
    /// The deprecation that the release before states.
    stated: Option<ReleaseName>,
}

impl Metric {
    fn declared(element: &Element) -> Self {
        Self {
            specs: element.specs().iter().filter_map(Spec::declared).collect(),
            life: element.lives.first().cloned().unwrap_or_default(),
            stated: None,
        }
    }

    fn element(self) -> Element {
        Element::with_specs(vec![self.life], self.specs.iter().map(Spec::value))
    }

    fn is_living(&self) -> bool {
        !self.specs.is_empty() && self.life.removed.is_none()
    }

    fn present(&mut self, release: &ReleaseName, state: &State, calendar: &DraftCalendar, log: &mut ChangeLog<'_>) {
        if let Some(removed) = self.life.removed.take() {
            log.push(&format!(
                "is back after its removal in {removed}: a metric has one life in a model, so the removal is left out"
            ));
        }
        let Facts {
            metric_type,
            labels,
            deprecated,
        } = &state.facts;
        let now = Spec {
            since: release.clone(),
            stability: state.stability,
            metric_type: metric_type.map(str::to_owned),
            labels: labels.clone(),
        };
        self.change(now, log);
        let from = deprecated.as_ref().map(|stated| self.fitting(stated, calendar));
        if let (Some(stated), Some(from)) = (deprecated, &from)
            && self.stated.as_ref() != Some(from)
            && stated != from
        {
            log.push(&format!(
                "is deprecated since {stated}, which the calendar lacks or which is before its first release: imported as {from}"
            ));
        }
        self.deprecate(release, from.as_ref(), log);
        self.stated = from;
    }

    fn change(&mut self, mut now: Spec, log: &mut ChangeLog<'_>) {
        let is_full = self.specs.len() >= MOST_SPECS;
        match self.specs.last_mut() {
            Some(last) if last.is_same(&now) => last.learn(now),
            Some(_) if is_full => {
                let text = format!("changes more than {MOST_SPECS} times: only the first changes are imported");
                log.push(&text);
            }
            // What is unknown now is as it was.
            Some(last) => {
                now.learn(last.clone());
                self.specs.push(now);
            }
            None => self.specs.push(now),
        }
    }

    /// The release from which a deprecation counts: one that the calendar has, or that is after all of them, and in
    /// which the metric is there.
    fn fitting(&self, stated: &ReleaseName, calendar: &DraftCalendar) -> ReleaseName {
        let begun = self.specs.first().map(|spec| &spec.since);
        let from = begun.filter(|begun| *begun > stated).unwrap_or(stated);
        let next = calendar.releases.range(from.clone()..).next();
        next.map_or(from, |(next, _)| next).clone()
    }

    fn absent(&mut self, release: &ReleaseName, log: &mut ChangeLog<'_>) {
        if !self.is_living() {
            return;
        }
        self.life.removed = Some(release.clone());
        if let Some(late) = self.life.deprecated.pop_if(|deprecated| *deprecated > *release) {
            log.push(&format!("is removed before {late}, its planned deprecation"));
        }
    }

    fn deprecate(&mut self, release: &ReleaseName, now: Option<&ReleaseName>, log: &mut ChangeLog<'_>) {
        match (now, self.stated.as_ref()) {
            (Some(now), _) if !self.life.is_deprecated() => {
                // Announced again after it was withdrawn, it holds from this release at the earliest.
                let taken_back = self.life.undeprecated.last().is_some_and(|back| now <= back);
                let from = if taken_back { release } else { now };
                self.life.deprecated.push(from.clone());
            }
            (Some(now), Some(stated)) if stated == now => {}
            (Some(now), stated) => {
                let Some(last) = self.life.deprecated.last_mut() else {
                    return;
                };
                // A contradiction with the model is reported where the two are compared.
                if stated.is_none() || *last > *release {
                    last.clone_from(now);
                } else {
                    log.push(&format!("changes its deprecation from {last} to {now}: {last} stays"));
                }
            }
            (None, Some(_)) if self.life.is_deprecated() => {
                if self.life.deprecated.pop_if(|last| *last > *release).is_none() {
                    self.life.undeprecated.push(release.clone());
                }
            }
            (None, None) if self.life.is_deprecated() => {
                log.push("is not marked as deprecated, but the model declares it deprecated");
            }
            (None, _) => {}
        }
    }
}

impl Spec {
    /// Whether nothing that is known of both has changed.
    fn is_same(&self, now: &Self) -> bool {
        self.stability == now.stability
            && agree(self.metric_type.as_ref(), now.metric_type.as_ref())
            && agree(self.labels.as_ref(), now.labels.as_ref())
    }

    fn learn(&mut self, now: Self) {
        self.metric_type = self.metric_type.take().or(now.metric_type);
        self.labels = self.labels.take().or(now.labels);
    }

    fn value(&self) -> Value {
        let (metric_type, labels) = (self.metric_type.as_deref(), self.labels.as_ref());
        Value::metric_spec(self.stability, &self.since, metric_type, labels)
    }

    fn declared(value: &Value) -> Option<Self> {
        let labels = value.get("labels").map(Value::items);
        let labels = labels.map(|labels| labels.iter().filter_map(Value::as_text).map(str::to_owned).collect());
        Some(Self {
            since: ReleaseName::parse(value.get("since")?.as_text()?)?,
            stability: MetricStability::parse(value.get("stage")?.as_text()?)?,
            metric_type: value.get("type").and_then(Value::as_text).map(str::to_owned),
            labels,
        })
    }
}

/// Whether two values are equal, as far as both are known.
fn agree<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
    one.is_none() || other.is_none() || one == other
}
