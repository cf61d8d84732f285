//! Metrics: classes, deprecation, hiding and deletion.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{At, Clock, Dates, NEVER, Product, Span, Step, Year, likely, span};
use proptest::prelude::*;

/// From the least stable one on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Internal,
    Alpha,
    Beta,
    Stable,
}

#[derive(Debug, Clone)]
pub struct Metric {
    /// Each in a later release than the one before.
    pub classes: Vec<(Class, At)>,
    pub deprecated: Vec<At>,
    /// Between the first deprecation and the second.
    pub undeprecated: Option<At>,
    pub hidden: Option<At>,
    pub removed: Option<At>,
}

/// What a metric of a class is promised: life in its class, functioning after its deprecation, and how long after it
/// the metric is hidden. `None`: nothing.
type Promise = (Option<Span>, Option<Span>, usize);

fn promise(year: Year, class: Class) -> Option<Promise> {
    Some(match (year, class) {
        (Year::Y2019, _) => return None,
        // "2021 metrics: STABLE 3 releases, deprecated 2, hidden 1 (hidden one release after deprecation)."
        (Year::Y2021, Class::Stable) => (Some(span(0, 3)), Some(span(0, 1)), 1),
        (_, Class::Stable) => (Some(span(12, 4)), Some(span(9, 3)), 3),
        (Year::Y2025, Class::Beta) => (Some(span(8, 2)), Some(span(4, 1)), 1),
        (_, Class::Beta) => (None, None, 1),
        (_, Class::Alpha) => (Some(span(0, 0)), Some(span(0, 0)), 0),
        (_, Class::Internal) => (None, None, 0),
    })
}

impl Class {
    fn word(self) -> &'static str {
        match self {
            Self::Internal => "INTERNAL",
            Self::Alpha => "ALPHA",
            Self::Beta => "BETA",
            Self::Stable => "STABLE",
        }
    }
}

impl Metric {
    fn last_entry(&self) -> At {
        self.classes.last().expect("a metric has a class").1
    }

    /// The deprecation in force in a release: the last one that was not taken back by then.
    fn deprecated_by(&self, release: At) -> Option<At> {
        let last = self.deprecated.iter().copied().rfind(|at| *at <= release)?;
        let undone = self.undeprecated.filter(|at| *at <= release && *at >= last);
        undone.is_none().then_some(last)
    }

    fn entry_at(&self, release: At) -> usize {
        self.classes
            .iter()
            .rposition(|(_, since)| *since <= release)
            .unwrap_or(0)
    }

    /// The entry in force at the announcement of the end, and later ones of a higher class than any before.
    fn raised(&self, announced: At) -> Vec<usize> {
        let first = self.entry_at(announced);
        let entries = first..self.classes.len();
        entries
            .filter(|entry| {
                let mut before = self.classes[first..*entry].iter();
                before.all(|(class, _)| *class < self.classes[*entry].0)
            })
            .collect()
    }

    /// "A class reached again counts from the last time."
    fn reached(&self, entry: usize) -> At {
        let class = self.classes[entry].0;
        let same = self.classes[..=entry]
            .iter()
            .rev()
            .take_while(|(other, _)| *other == class);
        same.last().expect("the entry itself").1
    }
}

impl Product {
    /// From when on a metric could be hidden by each rule in the class of an entry, if its end is announced in a
    /// release; `None`: at will.
    fn hidden_from(&self, metric: &Metric, entry: usize, announced: At, is_deprecated: bool) -> Option<[At; 2]> {
        let (lifetime, functions, offset) = promise(self.year, metric.classes[entry].0)?;
        let lives = lifetime.map_or(0, |lifetime| self.dates.earliest(metric.reached(entry), lifetime));
        let functions = functions.map_or(0, |functions| self.dates.earliest(announced, functions));
        // An end that nothing announces is judged as if it were deprecated with it, but where nothing is promised.
        let offset = if is_deprecated || offset > 0 {
            announced + offset
        } else {
            0
        };
        Some([lives, functions.max(offset)])
    }

    /// From when on a metric could be hidden in all classes that it still reaches.
    fn all_hidden_from(&self, metric: &Metric, announced: At, is_deprecated: bool) -> Option<At> {
        let entries = metric.raised(announced).into_iter();
        let bounds = entries.filter_map(|entry| self.hidden_from(metric, entry, announced, is_deprecated));
        bounds.flatten().max()
    }

    pub(super) fn metric_codes(&self, metric: &Metric) -> Vec<(&'static str, &'static str)> {
        const RULES: [&str; 2] = ["metric-lifetime", "metric-deprecation"];
        let lowered = self.lowered(metric);
        let mut codes = BTreeSet::new();
        let deprecated = metric.deprecated_by(NEVER - 1);
        let Some(announced) = deprecated.or(metric.hidden).or(metric.removed) else {
            return lowered;
        };
        for entry in metric.raised(announced) {
            let Some(first) = self.hidden_from(metric, entry, announced, deprecated.is_some()) else {
                continue;
            };
            // What it promises counts from the entry on, so not for a metric that was hidden before.
            let shown = metric
                .hidden
                .filter(|hidden| entry == metric.entry_at(announced) || *hidden >= metric.classes[entry].1);
            for (rule, first) in RULES.into_iter().zip(first) {
                if shown.is_some_and(|hidden| hidden < first) {
                    codes.insert((rule, "hidden-early"));
                }
            }
            let Some(removed) = metric.removed else { continue };
            let (lifetime, functions, offset) =
                promise(self.year, metric.classes[entry].0).expect("the edition has rules for metrics");
            // "Deleted no earlier than one release after max(…)"; what promises nothing and is not announced goes at
            // will.
            let promises = [lifetime, functions].map(|window| window.is_some_and(|window| window != span(0, 0)));
            let at_will = |promised: bool| deprecated.is_none() && !promised;
            let deleted = [
                first[0] + usize::from(lifetime.is_some() && !at_will(promises[0])),
                first[1] + usize::from(deprecated.is_some() || promises[1] || offset > 0),
            ];
            let after_hidden = metric.hidden.map_or(0, |hidden| hidden + 1);
            if removed < deleted[0] {
                codes.insert((RULES[0], "early"));
            }
            if removed < deleted[1].max(after_hidden) {
                codes.insert((RULES[1], "early"));
            }
        }
        lowered.into_iter().chain(codes).collect()
    }

    /// "Moving STABLE → ALPHA is legal only when the STABLE metric could have been deleted."
    fn lowered(&self, metric: &Metric) -> Vec<(&'static str, &'static str)> {
        let mut codes = Vec::new();
        for (entry, pair) in metric.classes.windows(2).enumerate() {
            let ((left, _), (class, since)) = (pair[0], pair[1]);
            let Some((lifetime, functions, offset)) = promise(self.year, left).filter(|_| class < left) else {
                continue;
            };
            // A deprecation in the release of the entry is that of the lower class.
            let deprecated = metric.deprecated_by(since).filter(|deprecated| *deprecated < since);
            let lasts = |window: Option<Span>| window.is_some_and(|window| window != span(0, 0));
            if let Some(lifetime) = lifetime {
                let hidden_for = usize::from(deprecated.is_some() || lasts(Some(lifetime)));
                if since < self.dates.earliest(metric.reached(entry), lifetime) + hidden_for {
                    codes.push(("metric-lifetime", "class-lowered"));
                }
            }
            let is_lowered_early = match deprecated {
                None => lasts(functions),
                Some(deprecated) => {
                    let functions = functions.map_or(0, |functions| self.dates.earliest(deprecated, functions));
                    // "Deleted no earlier than one release after […], whether or not `hidden` is declared."
                    let first = functions.max(deprecated + offset) + 1;
                    since < first
                }
            };
            if is_lowered_early {
                codes.push(("metric-deprecation", "class-lowered"));
            }
        }
        codes
    }

    /// Hidden when it could be, unless that is past; deleted one release later.
    pub(super) fn end_of_metric(&self, metric: &Metric) -> [Option<At>; 3] {
        let deprecated = metric.deprecated_by(NEVER - 1);
        let declared = [deprecated, metric.hidden, metric.removed];
        let (Some(announced), None) = (deprecated, metric.removed) else {
            return declared;
        };
        let Some(first) = self.all_hidden_from(metric, announced, true) else {
            return declared;
        };
        let floor = self.dates.floor();
        let hidden = metric.hidden.or(Some(first).filter(|first| *first >= floor));
        let after_hidden = metric.hidden.map_or(0, |hidden| hidden + 1);
        let deleted = [first + 1, after_hidden, floor, metric.last_entry() + 1];
        [deprecated, hidden, deleted.into_iter().max()]
    }

    /// `None`: the edition has no rules for metrics.
    pub(super) fn soonest_of_metric(&self, metric: &Metric) -> Option<At> {
        // Nothing is deprecated before it is introduced, or declared not to be deprecated any more.
        let first_open = self.dates.floor().max(metric.classes[0].1);
        let first_open = first_open.max(metric.undeprecated.map_or(0, |withdrawn| withdrawn + 1));
        let deprecated = metric.deprecated_by(NEVER - 1);
        let is_deprecated = deprecated.is_some() || metric.hidden.is_none();
        // A deprecation makes no lower class illegal that is legal without it.
        let lowered = self.lowered(metric);
        let adds_nothing = |at: &At| {
            let mut with = metric.clone();
            with.deprecated.push(*at);
            self.lowered(&with).iter().all(|code| lowered.contains(code))
        };
        let first_open = (first_open..NEVER).find(adds_nothing)?;
        let announced = deprecated.or(metric.hidden).unwrap_or(first_open);
        let first = self.all_hidden_from(metric, announced, is_deprecated)?;
        let after = [
            metric.last_entry() + 1,
            metric.hidden.map_or(0, |hidden| hidden + 1),
            metric.undeprecated.map_or(0, |withdrawn| withdrawn + 1),
            self.dates.floor(),
        ];
        let at_will = after.into_iter().fold(0, At::max);
        let is_announced = deprecated.is_some() || metric.hidden.is_some();
        Some(if is_announced || self.promises_anything(metric, first_open) {
            at_will.max(first + 1)
        } else {
            at_will
        })
    }

    /// Whether a class that it has from a release on promises anything. What promises nothing and is not announced may
    /// be removed at will.
    fn promises_anything(&self, metric: &Metric, from: At) -> bool {
        let classes = metric.raised(from).into_iter().map(|entry| metric.classes[entry].0);
        let mut promises = classes.filter_map(|class| promise(self.year, class));
        promises.any(|(lifetime, functions, offset)| {
            let windows = [lifetime, functions, Some(span(0, offset))];
            windows.into_iter().flatten().any(|window| window != span(0, 0))
        })
    }

    pub(super) fn text_of_metrics(&self) -> String {
        let mut text = String::new();
        for (at, metric) in self.metrics.iter().enumerate() {
            let name = |at: &At| self.dates.name(*at);
            let classes = metric.classes.iter();
            let classes =
                classes.map(|(class, at)| format!("{{ stage = \"{}\", since = \"{}\" }}", class.word(), name(at)));
            let _ = write!(
                text,
                "[metric.metric{at}]\nspecs = [{}]\n",
                classes.collect::<Vec<_>>().join(", ")
            );
            let deprecated = metric.deprecated.iter().map(|at| format!("\"{}\"", name(at)));
            let deprecated = deprecated.collect::<Vec<_>>().join(", ");
            if !deprecated.is_empty() {
                let _ = writeln!(text, "deprecated = [{deprecated}]");
            }
            text += &self.key("undeprecated", metric.undeprecated);
            text += &self.key("hidden", metric.hidden);
            text += &self.key("removed", metric.removed);
        }
        text
    }
}

pub(super) type RawMetric = (Vec<(u8, usize)>, [Step; 5]);

pub(super) fn metric((raw, [deprecated, undeprecated, again, hidden, removed]): RawMetric, dates: &Dates) -> Metric {
    let mut clock = Clock { dates, at: 0 };
    let mut classes = Vec::new();
    for (place, (class, apart)) in raw.into_iter().enumerate() {
        let class = [Class::Internal, Class::Alpha, Class::Beta, Class::Stable, Class::Stable][usize::from(class) % 5];
        let apart = if place == 0 { apart % dates.listed() } else { 1 + apart };
        classes.extend(clock.after(Some(apart)).map(|since| (class, since)));
    }
    let last = clock.at;
    clock.at = classes[0].1;
    let mut all: Vec<At> = clock.after(deprecated).into_iter().collect();
    let undeprecated = clock.after(undeprecated.filter(|_| !all.is_empty()));
    all.extend(clock.after(again.filter(|_| undeprecated.is_some())));
    let hidden = clock.after(hidden);
    clock.at = clock.at.max(last + 1);
    Metric {
        classes,
        deprecated: all,
        undeprecated,
        hidden,
        removed: clock.after(removed),
    }
}

pub(super) fn raw_metric() -> impl Strategy<Value = RawMetric> {
    let class = (any::<u8>(), 0_usize..6);
    let steps = [
        likely(0.6, 5),
        likely(0.2, 6),
        likely(0.6, 4),
        likely(0.6, 6),
        likely(0.6, 5),
    ];
    (prop::collection::vec(class, 1..=4), steps)
}
