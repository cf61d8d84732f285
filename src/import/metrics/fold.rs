//! The metrics of releases in order, folded into their lives.

use std::collections::{BTreeMap, BTreeSet};

use crate::release::ReleaseName;
use crate::stability::MetricStability;

use super::super::draft::{Calendar, Draft, Element, Life, Value};
use super::super::history::ship;
use super::{Facts, Release, State};

/// Classes of one metric that a model can have.
const MOST_SPECS: usize = 100;

/// How many releases after the last one a calendar with a cadence knows, and others are given.
const MOST_LATER: u64 = 100;

/// What releases come to.
#[derive(Debug, Default)]
pub struct Folded {
    /// The lives.
    pub draft: Draft,
    /// What a model has no word for, or says otherwise, in the order of the releases.
    pub untold: Vec<String>,
    /// Metrics that were there in the release before, and are not in one whose texts do not show all: they may only be
    /// unused.
    pub unexposed: BTreeMap<ReleaseName, BTreeSet<String>>,
    /// Metrics of the model that are living, and that none of the lists has.
    pub unlisted: BTreeSet<String>,
}

/// Folds releases into lives. What is first seen is introduced; another class, type or other labels are a new entry of
/// `specs`; what a list no longer has is removed.
///
/// `known` is what was declared before the first release. Metrics of it that none of the releases has are left out and
/// told, or, if the lists have all metrics of the product (`all`), taken for removed.
pub fn fold(known: Draft, releases: &BTreeMap<ReleaseName, Release>, all: bool) -> Folded {
    let mut folded = Folded::default();
    let Draft { calendar, metrics, .. } = known;
    let seen: BTreeSet<&String> = releases.values().flat_map(|release| release.metrics.keys()).collect();
    let mut lives: BTreeMap<String, Metric> = BTreeMap::new();
    for (name, element) in &metrics {
        let metric = Metric::known(element);
        if seen.contains(name) || all {
            lives.insert(name.clone(), metric);
        } else if metric.life.removed.is_none() && releases.values().any(Release::is_whole) {
            folded.unlisted.insert(name.clone());
        }
    }
    folded.draft.calendar = calendar;
    let shipped = releases.iter().map(|(name, release)| (name, release.date));
    ship(&mut folded.draft.calendar, shipped);
    for (name, release) in releases {
        for metric in release.metrics.keys() {
            lives.entry(metric.clone()).or_default();
        }
        for (metric, life) in &mut lives {
            let state = release.metrics.get(metric);
            if state.is_none() && life.is_living() && !release.is_whole() {
                folded.unexposed.entry(name.clone()).or_default().insert(metric.clone());
            }
            let mut tell = |what: String| folded.untold.push(format!("{name}: metric {metric} {what}"));
            match state {
                Some(state) => life.is_there(name, state, &folded.draft.calendar, &mut tell),
                None if release.is_whole() => life.is_gone(name, &mut tell),
                None => {}
            }
        }
    }
    for (name, metric) in lives {
        for release in &metric.life.deprecated {
            add_later(&mut folded.draft.calendar, release);
        }
        folded.draft.metrics.insert(name, metric.element());
    }
    folded
}

/// An entry of `specs`.
#[derive(Debug, Clone, PartialEq)]
struct Spec {
    since: ReleaseName,
    stability: MetricStability,
    metric_type: Option<String>,
    labels: Option<BTreeSet<String>>,
}

/// The life of a metric as far as it is known.
#[derive(Debug, Default)]
struct Metric {
    specs: Vec<Spec>,
    life: Life,
    /// The deprecation that the last of these releases says.
    said: Option<ReleaseName>,
}

impl Metric {
    /// As a model declares it.
    fn known(element: &Element) -> Self {
        let specs = match element.said.get("specs") {
            Some(Value::List(specs)) => specs.iter().filter_map(Spec::of).collect(),
            _ => Vec::new(),
        };
        Self {
            specs,
            life: element.lives.first().cloned().unwrap_or_default(),
            said: None,
        }
    }

    fn element(self) -> Element {
        let specs = Value::List(self.specs.iter().map(Spec::value).collect());
        Element {
            lives: vec![self.life],
            said: [("specs".to_owned(), specs)].into(),
        }
    }

    fn is_living(&self) -> bool {
        !self.specs.is_empty() && self.life.removed.is_none()
    }

    /// A release that has it.
    fn is_there(&mut self, release: &ReleaseName, state: &State, calendar: &Calendar, tell: &mut dyn FnMut(String)) {
        if let Some(removed) = self.life.removed.take() {
            tell(format!(
                "is back, after it was gone in {removed}: a model has one life of a metric, so it is taken as never gone"
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
        let is_full = self.specs.len() >= MOST_SPECS;
        match self.specs.last_mut() {
            Some(last) if last.is_same(&now) => last.learn(now),
            Some(_) if is_full => {
                tell(format!(
                    "changes more than {MOST_SPECS} times: the first changes are told"
                ));
            }
            // What is not known now is as it was.
            Some(last) => {
                let now = Spec {
                    metric_type: now.metric_type.or_else(|| last.metric_type.clone()),
                    labels: now.labels.or_else(|| last.labels.clone()),
                    ..now
                };
                self.specs.push(now);
            }
            None => self.specs.push(now),
        }
        let from = deprecated.as_ref().map(|stated| self.fitting(stated, calendar));
        if let (Some(stated), Some(from)) = (
            deprecated,
            from.as_ref().filter(|from| self.said.as_ref() != Some(*from)),
        ) && stated != from
        {
            tell(format!(
                "is deprecated since {stated}, which is no release here, or before it is first seen: it is taken as of {from}"
            ));
        }
        self.deprecation(release, from.as_ref(), tell);
        self.said = from;
    }

    /// The release from which a deprecation counts: one that the calendar has, or that is after all of them, and in
    /// which the metric is there.
    fn fitting(&self, stated: &ReleaseName, calendar: &Calendar) -> ReleaseName {
        let begun = self.specs.first().map(|spec| &spec.since);
        let from = begun.filter(|begun| *begun > stated).unwrap_or(stated);
        let next = calendar.releases.range(from.clone()..).next();
        next.map_or(from, |(next, _)| next).clone()
    }

    /// A release whose list no longer has it.
    fn is_gone(&mut self, release: &ReleaseName, tell: &mut dyn FnMut(String)) {
        if !self.is_living() {
            return;
        }
        self.life.removed = Some(release.clone());
        if let Some(late) = self.life.deprecated.pop_if(|deprecated| *deprecated > *release) {
            tell(format!("is gone before {late}, in which it was to be deprecated"));
        }
    }

    /// What a release says of its deprecation.
    fn deprecation(&mut self, release: &ReleaseName, now: Option<&ReleaseName>, tell: &mut dyn FnMut(String)) {
        let is_ahead = |last: &ReleaseName| *last > *release;
        match (now, self.said.as_ref()) {
            (Some(now), _) if !self.life.is_deprecated() => {
                // Announced anew after it was taken back, it holds from this release at the earliest.
                let taken_back = self.life.undeprecated.last().is_some_and(|back| now <= back);
                let from = if taken_back { release } else { now };
                self.life.deprecated.push(from.clone());
            }
            (Some(now), Some(said)) if said == now => {}
            (Some(now), said) => {
                let Some(last) = self.life.deprecated.last_mut() else {
                    return;
                };
                // What a model says otherwise is told where the two are compared.
                if said.is_none() || is_ahead(last) {
                    last.clone_from(now);
                } else {
                    tell(format!(
                        "is now said to be deprecated since {now}, where it was {last} before: that stays"
                    ));
                }
            }
            (None, Some(_)) if self.life.is_deprecated() => {
                if self.life.deprecated.pop_if(|last| is_ahead(last)).is_none() {
                    self.life.undeprecated.push(release.clone());
                }
            }
            (None, None) if self.life.is_deprecated() => {
                tell("is not said to be deprecated, although the model says so".to_owned());
            }
            (None, _) => {}
        }
    }
}

/// Adds to a calendar the releases up to one that is after its last, without days, unless a cadence projects them.
fn add_later(calendar: &mut Calendar, release: &ReleaseName) {
    let last = calendar.releases.keys().next_back().filter(|last| *last < release);
    let Some(last) = last.cloned() else { return };
    let gap = release.minor().saturating_sub(last.minor());
    let is_near = last.major() == release.major() && gap <= MOST_LATER;
    if is_near && calendar.cadence.is_some() {
        return;
    }
    if is_near {
        calendar
            .releases
            .extend((1..gap).map(|count| (last.later(count), None)));
    }
    calendar.releases.insert(release.clone(), None);
}

impl Spec {
    /// Whether nothing that is known of both has changed.
    fn is_same(&self, now: &Self) -> bool {
        fn agree<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
            one.is_none() || other.is_none() || one == other
        }
        self.stability == now.stability
            && agree(self.metric_type.as_ref(), now.metric_type.as_ref())
            && agree(self.labels.as_ref(), now.labels.as_ref())
    }

    /// Takes over what was not known before.
    fn learn(&mut self, now: Self) {
        self.metric_type = self.metric_type.take().or(now.metric_type);
        self.labels = self.labels.take().or(now.labels);
    }

    fn value(&self) -> Value {
        let mut keys = vec![
            ("stage".to_owned(), Value::Text(self.stability.to_string())),
            ("since".to_owned(), Value::from(&self.since)),
        ];
        if let Some(metric_type) = &self.metric_type {
            keys.push(("type".to_owned(), Value::from(metric_type.as_str())));
        }
        if let Some(labels) = &self.labels {
            let labels = labels.iter().map(|label| Value::from(label.as_str()));
            keys.push(("labels".to_owned(), Value::List(labels.collect())));
        }
        Value::Table(keys)
    }

    /// Reads what [`Spec::value`] makes.
    fn of(value: &Value) -> Option<Self> {
        let Value::Table(keys) = value else { return None };
        let get = |key: &str| keys.iter().find(|(known, _)| known == key).map(|(_, value)| value);
        let text = |value: &Value| match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        };
        Some(Self {
            since: ReleaseName::parse(&text(get("since")?)?)?,
            stability: MetricStability::parse(&text(get("stage")?)?)?,
            metric_type: get("type").and_then(text),
            labels: get("labels").and_then(|labels| match labels {
                Value::List(labels) => Some(labels.iter().filter_map(text).collect()),
                _ => None,
            }),
        })
    }
}
