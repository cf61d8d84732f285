//! What commands, flags, behaviors, gates and metrics may do: windows, verdicts and plans, from the text of the rules.
//!
//! Each number stands here a second time, and nothing is shared with the engine but the calendar of the tests.

pub mod gates;
pub mod metrics;
pub mod plain;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::tests::worlds::{At, Dates, Edition, Ends, NEVER, Span, World, built_in, dates, span};

use gates::Gate;
use metrics::Metric;
use plain::{Flag, Plain};

/// The edition of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Year {
    Y2019,
    Y2021,
    Y2022,
    Y2025,
}

/// A product without versions.
#[derive(Clone)]
pub struct Product {
    pub year: Year,
    pub dates: Dates,
    pub flags: Vec<Flag>,
    pub behaviors: Vec<Plain>,
    pub gates: Vec<Gate>,
    pub metrics: Vec<Metric>,
}

/// Rule, code, element.
pub type Verdicts = BTreeSet<(String, String, String)>;

impl std::fmt::Debug for Product {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\n{}", self.text())
    }
}

impl Product {
    /// What breaks the rules about lifetimes, gates and metrics.
    pub fn verdicts(&self) -> Verdicts {
        let mut verdicts = Verdicts::new();
        let mut tell = |rule: &str, code: &str, id: &str| {
            verdicts.insert((rule.to_owned(), code.to_owned(), id.to_owned()));
        };
        for (at, flag) in self.flags.iter().enumerate() {
            let rule = ["user-cli-lifetime", "admin-cli-lifetime"][usize::from(flag.admin)];
            if plain::of_flag(*flag).is_some_and(|window| self.is_early(flag.life, window)) {
                tell(rule, "early", &plain::flag_id(at, *flag));
            }
        }
        for (at, life) in self.behaviors.iter().enumerate() {
            if self.is_early(*life, span(12, 0)) {
                tell("behavior-lifetime", "early", &format!("behavior behavior{at}"));
            }
        }
        for (at, gate) in self.gates.iter().enumerate() {
            for code in self.gate_codes(at, gate) {
                tell("gate-lifetime", code, &format!("gate Gate{at}"));
            }
        }
        for (at, metric) in self.metrics.iter().enumerate() {
            for (rule, code) in self.metric_codes(metric) {
                tell(rule, code, &format!("metric metric{at}"));
            }
        }
        verdicts
    }

    /// When everything ends, as declared or planned.
    pub fn ends(&self) -> Ends {
        let mut ends = BTreeMap::new();
        for (at, flag) in self.flags.iter().enumerate() {
            let window = plain::of_flag(*flag).unwrap_or(span(0, 0));
            ends.insert(plain::flag_id(at, *flag), self.end(flag.life, window));
        }
        for (at, life) in self.behaviors.iter().enumerate() {
            ends.insert(format!("behavior behavior{at}"), self.end(*life, span(12, 0)));
        }
        let removals = self.gate_removals();
        for (at, gate) in self.gates.iter().enumerate() {
            ends.insert(format!("gate Gate{at}"), [gate.deprecated(), None, removals[at]]);
        }
        for (at, metric) in self.metrics.iter().enumerate() {
            ends.insert(format!("metric metric{at}"), self.end_of_metric(metric));
        }
        ends
    }

    /// The first releases in which what has no declared removal may be removed.
    ///
    /// "Where no deprecation is declared, it is judged with the deprecation that `plan` proposes", and else with one in
    /// the first release that is still open. "No lifetime applies to an alpha."
    pub fn soonest_removals(&self) -> BTreeMap<String, At> {
        let mut soonest = BTreeMap::new();
        for (at, flag) in self
            .flags
            .iter()
            .enumerate()
            .filter(|(_, flag)| flag.life.removed.is_none())
        {
            soonest.insert(
                plain::flag_id(at, *flag),
                self.soonest_of_plain(flag.life, plain::of_flag(*flag)),
            );
        }
        for (at, life) in self
            .behaviors
            .iter()
            .enumerate()
            .filter(|(_, life)| life.removed.is_none())
        {
            let first = self.soonest_of_plain(*life, Some(span(12, 0)));
            soonest.insert(format!("behavior behavior{at}"), first);
        }
        let removals = self.gate_removals();
        for (at, gate) in self.gates.iter().enumerate().filter(|(_, gate)| gate.removed.is_none()) {
            soonest.insert(format!("gate Gate{at}"), self.soonest_of_gate(at, gate, &removals));
        }
        for (at, metric) in self.metrics.iter().enumerate() {
            if metric.removed.is_none() {
                let first = self.soonest_of_metric(metric);
                soonest.extend(first.map(|first| (format!("metric metric{at}"), first)));
            }
        }
        soonest
    }

    fn edition(&self) -> Edition {
        let name = match self.year {
            Year::Y2019 => "kubernetes-2019",
            Year::Y2021 => "kubernetes-2021",
            Year::Y2022 => "kubernetes",
            Year::Y2025 => "kubernetes-2025",
        };
        built_in(name, true, false, None)
    }

    /// The same calendar and policy, with nothing declared.
    pub fn world(&self) -> World {
        World {
            editions: vec![(0, self.edition())],
            dates: self.dates.clone(),
            groups: Vec::new(),
            others: Vec::new(),
        }
    }

    pub fn text(&self) -> String {
        let parts = [self.text_of_plain(), self.text_of_gates(), self.text_of_metrics()];
        self.world().text() + "[behavior.always]\n" + &parts.concat()
    }

    fn key(&self, key: &str, at: Option<At>) -> String {
        at.map_or_else(String::new, |at| format!("{key} = \"{}\"\n", self.dates.name(at)))
    }
}

// At random.

/// Steps from one event to the next; `None`: it is not declared.
type Step = Option<usize>;

fn step(most: usize) -> impl Strategy<Value = Step> {
    likely(0.6, most)
}

fn likely(weight: f64, most: usize) -> impl Strategy<Value = Step> {
    prop::option::weighted(weight, 0..most)
}

/// Releases after one another that the calendar can name.
struct Clock<'d> {
    dates: &'d Dates,
    at: At,
}

impl Clock<'_> {
    fn after(&mut self, step: Step) -> Option<At> {
        let at = self.at + step?;
        self.dates.nameable(at).then(|| {
            self.at = at;
            at
        })
    }
}

pub fn product() -> impl Strategy<Value = Product> {
    let year = prop::sample::select(vec![Year::Y2019, Year::Y2021, Year::Y2022, Year::Y2022, Year::Y2025]);
    let flags = prop::collection::vec((any::<bool>(), 0_u8..3, plain::life()), 0..=3);
    let behaviors = prop::collection::vec(plain::life(), 0..=2);
    let gates = prop::collection::vec(gates::raw_gate(), 0..=3);
    let metrics = prop::collection::vec(metrics::raw_metric(), 0..=3);
    (year, dates(), flags, behaviors, gates, metrics).prop_map(|(year, dates, flags, behaviors, gates, metrics)| {
        let flags = flags.into_iter().map(|(admin, track, life)| Flag {
            admin,
            track,
            life: plain::plain(life, &dates),
        });
        let gates = gates.into_iter().enumerate();
        Product {
            year,
            flags: flags.collect(),
            behaviors: behaviors.into_iter().map(|life| plain::plain(life, &dates)).collect(),
            gates: gates.map(|(at, raw)| gates::gate(at, raw, &dates)).collect(),
            metrics: metrics.into_iter().map(|raw| metrics::metric(raw, &dates)).collect(),
            dates,
        }
    })
}
