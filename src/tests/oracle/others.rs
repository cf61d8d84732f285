//! What commands, flags, behaviors, gates and metrics may do: windows, verdicts and plans, from the text of the rules.
//!
//! Each number stands here a second time, and nothing is shared with the engine but the calendar of the tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use proptest::prelude::*;

use crate::tests::worlds::{At, Dates, Edition, Ends, NEVER, Span, World, built_in, dates, span};

/// The edition of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Year {
    Y2019,
    Y2021,
    Y2022,
    Y2025,
}

/// From the least stable one on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Internal,
    Alpha,
    Beta,
    Stable,
}

/// From the least stable one on; a deprecated gate will be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Alpha,
    Beta,
    Ga,
    Deprecated,
}

/// A command-line flag or a behavior.
#[derive(Debug, Clone, Copy)]
pub struct Plain {
    pub introduced: Option<At>,
    pub deprecated: Option<At>,
    pub removed: Option<At>,
}

#[derive(Debug, Clone, Copy)]
pub struct Flag {
    pub admin: bool,
    /// Alpha, beta, GA.
    pub track: u8,
    pub life: Plain,
}

#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub stage: Stage,
    pub since: At,
    pub default: bool,
    pub locked: bool,
}

#[derive(Debug, Clone)]
pub struct Gate {
    /// Each in a later release than the one before.
    pub entries: Vec<Entry>,
    pub removed: Option<At>,
    /// A gate before it in the list.
    pub depends_on: Option<usize>,
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

// The numbers.

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

/// "CLI user GA (12, 2), beta (3, 1), alpha 0. CLI admin GA (6, 1), beta (3, 1), alpha 0."
fn of_flag(flag: Flag) -> Option<Span> {
    match (flag.track, flag.admin) {
        (0, _) => None,
        (1, _) => Some(span(3, 1)),
        (_, false) => Some(span(12, 2)),
        (_, true) => Some(span(6, 1)),
    }
}

// Verdicts and plans.

impl Product {
    /// What breaks the rules about lifetimes, gates and metrics.
    pub fn verdicts(&self) -> Verdicts {
        let mut verdicts = Verdicts::new();
        let mut tell = |rule: &str, code: &str, id: &str| {
            verdicts.insert((rule.to_owned(), code.to_owned(), id.to_owned()));
        };
        for (at, flag) in self.flags.iter().enumerate() {
            let rule = ["user-cli-lifetime", "admin-cli-lifetime"][usize::from(flag.admin)];
            if of_flag(*flag).is_some_and(|window| self.is_early(flag.life, window)) {
                tell(rule, "early", &flag_id(at, *flag));
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
            let window = of_flag(*flag).unwrap_or(span(0, 0));
            ends.insert(flag_id(at, *flag), self.end(flag.life, window));
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

    /// "*earliest(deprecated, window)*", where a removal without a deprecation counts as deprecated with it.
    fn is_early(&self, life: Plain, window: Span) -> bool {
        let deprecated = life.deprecated.or(life.removed);
        let first = deprecated.map(|deprecated| self.dates.earliest(deprecated, window));
        life.removed.is_some_and(|removed| Some(removed) < first)
    }

    /// "Flags, behaviors, gates and metrics are planned to go once they are deprecated", and nothing at once.
    fn end(&self, life: Plain, window: Span) -> [Option<At>; 3] {
        let planned = life.deprecated.map(|deprecated| {
            let served = life.introduced.map_or(0, |introduced| introduced + 1);
            let first = self.dates.earliest(deprecated, window);
            first.max(served).max(self.dates.floor())
        });
        [life.deprecated, None, life.removed.or(planned)]
    }
}

// Proposed removals.

impl Product {
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
            soonest.insert(flag_id(at, *flag), self.soonest_of_plain(flag.life, of_flag(*flag)));
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

    fn soonest_of_plain(&self, life: Plain, window: Option<Span>) -> At {
        let first_open = self.dates.floor().max(life.introduced.unwrap_or(0));
        let announced = life.deprecated.or(window.map(|_| first_open));
        let counted = announced.map_or(0, |from| self.dates.earliest(from, window.unwrap_or(span(0, 0))));
        let served = life.introduced.map_or(0, |introduced| introduced + 1);
        counted.max(served).max(self.dates.floor())
    }

    fn soonest_of_gate(&self, at: usize, gate: &Gate, removals: &[Option<At>]) -> At {
        if gate.deprecated().is_some() {
            return removals[at].unwrap_or(NEVER);
        }
        let (_, window) = gate.window();
        let [begins, last] =
            [gate.entries.first(), gate.entries.last()].map(|entry| entry.map_or(0, |entry| entry.since));
        // What is declared to reach a stage is not deprecated before.
        let first_open = self.dates.floor().max(last);
        let counted = window.map_or(0, |window| self.dates.earliest(first_open, window));
        let bounds = [
            counted,
            gate.after_last_entry(),
            begins + 1,
            self.dates.floor(),
            self.dependents_done(at, removals),
        ];
        bounds.into_iter().fold(0, At::max)
    }

    /// `None`: the edition has no rules for metrics.
    fn soonest_of_metric(&self, metric: &Metric) -> Option<At> {
        // What is declared to reach a class, or not to be deprecated from a release on, is not deprecated before.
        let first_open = self.dates.floor().max(metric.last_entry());
        let first_open = first_open.max(metric.undeprecated.map_or(0, |withdrawn| withdrawn + 1));
        let deprecated = metric.deprecated_by(NEVER - 1);
        let is_deprecated = deprecated.is_some() || metric.hidden.is_none();
        let announced = deprecated.or(metric.hidden).unwrap_or(first_open);
        let first = self.all_hidden_from(metric, announced, is_deprecated)?;
        let last = metric.classes.last().expect("a metric has a class").1;
        let after = [
            last + 1,
            metric.hidden.map_or(0, |hidden| hidden + 1),
            self.dates.floor(),
        ];
        Some(after.into_iter().fold(first + 1, At::max))
    }
}

// Gates.

impl Gate {
    fn at(&self, release: At) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| entry.since <= release)
    }

    fn first(&self, stage: Stage) -> Option<(usize, At)> {
        let mut entries = self.entries.iter().enumerate();
        let (step, entry) = entries.find(|(_, entry)| entry.stage == stage)?;
        Some((step, entry.since))
    }

    /// "A gate is deprecated when its feature goes GA or is dropped."
    fn deprecated(&self) -> Option<At> {
        self.first(Stage::Deprecated)
            .or(self.first(Stage::Ga))
            .map(|(_, since)| since)
    }

    /// From when the window of its transition counts, and the window: "beta→GA (6, 2), beta→dropped (3, 1), alpha→dropped
    /// 0". A gate that begins at GA counts from its deprecation, if there is one.
    fn window(&self) -> (Option<At>, Option<Span>) {
        let dropped = self.first(Stage::Deprecated).map(|(_, since)| since).or(self.removed);
        let before = self.entries.iter().rev().find(|entry| entry.stage != Stage::Deprecated);
        match (self.first(Stage::Ga), before.map(|entry| entry.stage)) {
            (Some((step, since)), _) if step > 0 => (Some(since), Some(span(6, 2))),
            (Some((_, since)), _) => {
                let deprecated = self.first(Stage::Deprecated).map(|(_, since)| since);
                (deprecated.or(Some(since)), Some(span(6, 2)))
            }
            (None, Some(Stage::Alpha)) => (dropped, None),
            (None, Some(_)) => (dropped, Some(span(3, 1))),
            (None, None) => (dropped, Some(span(6, 2))),
        }
    }

    /// "A gate is not removed before its last declared entry", unless that deprecates it, in which it may be.
    fn after_last_entry(&self) -> At {
        let last = self.entries.last().expect("a gate has an entry");
        last.since + usize::from(last.stage != Stage::Deprecated)
    }
}

impl Product {
    fn gate_codes(&self, at: usize, gate: &Gate) -> BTreeSet<&'static str> {
        let mut codes = BTreeSet::new();
        for pair in gate.entries.windows(2) {
            if pair[0].locked && (!pair[1].locked || pair[1].default != pair[0].default) {
                codes.insert("unlocked");
            }
        }
        for (step, entry) in gate.entries.iter().enumerate() {
            // "A gate that begins at GA and has later entries may start off and unlocked."
            let way_back = step == 0 && gate.entries.len() > 1;
            codes.extend(match (entry.stage, entry.default) {
                (Stage::Alpha, true) => Some("alpha-on"),
                (Stage::Beta, false) => Some("beta-off"),
                (Stage::Ga, false) if !way_back => Some("ga-off"),
                (Stage::Ga, true) if !way_back && !entry.locked => Some("ga-unlocked"),
                _ => None,
            });
        }
        if let Some(on) = gate.depends_on {
            codes.extend(self.dependency_codes(gate, &self.gates[on]));
        }
        if let Some(removed) = gate.removed {
            codes.extend(self.removal_codes(at, gate, removed));
        }
        codes
    }

    fn removal_codes(&self, at: usize, gate: &Gate, removed: At) -> Vec<&'static str> {
        let mut codes = Vec::new();
        let (from, window) = gate.window();
        let from = from.expect("a removed gate ends");
        if window.is_some_and(|window| removed < self.dates.earliest(from, window)) {
            codes.push("early");
        }
        if removed < gate.after_last_entry() {
            codes.push("name-reused");
        }
        if removed < self.dependents_done(at, &self.gate_removals()) {
            codes.push("dependency-gone");
        }
        // "A deprecated gate takes two steps: lock, and three releases after that"; "alphas are exempt".
        let locked = gate.entries.iter().find(|entry| entry.locked);
        let by_custom = locked.is_some_and(|locked| locked.since + 3 <= removed);
        if self.year == Year::Y2025 && window.is_some() && !by_custom {
            codes.push("custom");
        }
        codes
    }

    /// "A dependent is neither more stable than, nor on by default without, nor locked before, what it depends on."
    fn dependency_codes(&self, gate: &Gate, base: &Gate) -> BTreeSet<&'static str> {
        let end = gate.removed.unwrap_or(NEVER).min(base.removed.unwrap_or(NEVER));
        let mut codes = BTreeSet::new();
        for release in 0..end.min(self.dates.listed() + 100) {
            let Some(own) = gate.at(release) else { continue };
            let other = base.at(release);
            // "*Deprecated* is the least stable stage", and what does not exist yet is alpha at most.
            let standing = |stage: Stage| if stage == Stage::Deprecated { 0 } else { stage as u8 + 1 };
            let least = other.map_or(1, |other| standing(other.stage));
            if least < standing(own.stage) {
                codes.insert("dependency-less-stable");
            } else if other.is_none() {
                codes.insert("dependency-absent");
            }
            if own.default && other.is_none_or(|other| !other.default) {
                codes.insert("dependency-off");
            }
            if own.locked && own.default && other.is_none_or(|other| !other.locked) {
                codes.insert("dependency-unlocked");
            }
        }
        codes
    }

    /// The first release in which nothing depends on a gate: its dependents are GA or removed.
    fn dependents_done(&self, at: usize, removals: &[Option<At>]) -> At {
        let dependents = self
            .gates
            .iter()
            .zip(removals)
            .filter(|(gate, _)| gate.depends_on == Some(at));
        let done = dependents.map(|(gate, removed)| {
            let ga = gate.first(Stage::Ga).map_or(NEVER, |(_, since)| since);
            ga.min(removed.unwrap_or(NEVER))
        });
        done.max().unwrap_or(0)
    }

    /// The removals of gates, declared or planned. A gate depends on one before it, so the last one is planned first.
    fn gate_removals(&self) -> Vec<Option<At>> {
        let mut removals: Vec<Option<At>> = self.gates.iter().map(|gate| gate.removed).collect();
        for at in (0..self.gates.len()).rev() {
            let gate = &self.gates[at];
            if gate.removed.is_some() || gate.deprecated().is_none() {
                continue;
            }
            let (from, window) = gate.window();
            let counted = from
                .zip(window)
                .map_or(0, |(from, window)| self.dates.earliest(from, window));
            let bounds = [
                counted,
                gate.after_last_entry(),
                gate.entries[0].since + 1,
                self.dates.floor(),
                self.dependents_done(at, &removals),
            ];
            removals[at] = bounds.into_iter().max().filter(|first| *first != NEVER);
        }
        removals
    }
}

// Metrics.

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
        // An end that nothing announces is judged by the window alone.
        let offset = if is_deprecated { announced + offset } else { 0 };
        Some([lives, functions.max(offset)])
    }

    /// From when on a metric could be hidden in all classes that it still reaches.
    fn all_hidden_from(&self, metric: &Metric, announced: At, is_deprecated: bool) -> Option<At> {
        let entries = metric.raised(announced).into_iter();
        let bounds = entries.filter_map(|entry| self.hidden_from(metric, entry, announced, is_deprecated));
        bounds.flatten().max()
    }

    fn metric_codes(&self, metric: &Metric) -> Vec<(&'static str, &'static str)> {
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
            let (lifetime, functions, _) =
                promise(self.year, metric.classes[entry].0).expect("the edition has rules for metrics");
            // "Deleted no earlier than one release after max(…)"; what promises nothing and is not announced goes at
            // will.
            let promises = [lifetime, functions].map(|window| window.is_some_and(|window| window != span(0, 0)));
            let at_will = |promised: bool| deprecated.is_none() && !promised;
            let deleted = [
                first[0] + usize::from(lifetime.is_some() && !at_will(promises[0])),
                first[1] + usize::from(deprecated.is_some() || promises[1]),
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
            let deprecated = metric.deprecated_by(since);
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
                    let first = functions.max(deprecated + offset).max(metric.hidden.unwrap_or(0)) + 1;
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
    fn end_of_metric(&self, metric: &Metric) -> [Option<At>; 3] {
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
}

// As TOML.

fn flag_id(at: usize, flag: Flag) -> String {
    format!("cli {} --flag{at}", program(flag))
}

fn program(flag: Flag) -> &'static str {
    if flag.admin { "admin" } else { "user" }
}

impl Stage {
    fn word(self) -> &'static str {
        match self {
            Self::Alpha => "alpha",
            Self::Beta => "beta",
            Self::Ga => "GA",
            Self::Deprecated => "deprecated",
        }
    }
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

impl Product {
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
        let mut text = self.world().text() + "[behavior.always]\n";
        for (at, flag) in self.flags.iter().enumerate() {
            let stage = ["alpha", "beta", "GA"][usize::from(flag.track)];
            let table = format!(
                "[cli.{}.flag.\"--flag{at}\"]\nstage = \"{stage}\"\nwarning = \"w\"\n",
                program(*flag)
            );
            text += &(table + &self.plain(flag.life));
        }
        for (at, life) in self.behaviors.iter().enumerate() {
            text += &(format!("[behavior.behavior{at}]\n") + &self.plain(*life));
        }
        for (at, gate) in self.gates.iter().enumerate() {
            let _ = write!(text, "[gate.Gate{at}]\nspecs = [{}]\n", self.entries(gate));
            text += "warning = \"w\"\noperational = false\n";
            text += &self.key("removed", gate.removed);
            text += &gate
                .depends_on
                .map_or_else(String::new, |on| format!("depends-on = \"Gate{on}\"\n"));
        }
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

    fn key(&self, key: &str, at: Option<At>) -> String {
        at.map_or_else(String::new, |at| format!("{key} = \"{}\"\n", self.dates.name(at)))
    }

    fn plain(&self, life: Plain) -> String {
        [
            ("introduced", life.introduced),
            ("deprecated", life.deprecated),
            ("removed", life.removed),
        ]
        .map(|(key, at)| self.key(key, at))
        .concat()
    }

    fn entries(&self, gate: &Gate) -> String {
        let entries = gate.entries.iter().map(|entry| {
            format!(
                "{{ stage = \"{}\", since = \"{}\", default = {}, locked = {} }}",
                entry.stage.word(),
                self.dates.name(entry.since),
                entry.default,
                entry.locked
            )
        });
        entries.collect::<Vec<_>>().join(", ")
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

fn plain((introduced, deprecated, removed): (Step, Step, Step), dates: &Dates) -> Plain {
    let mut clock = Clock { dates, at: 0 };
    let introduced = clock.after(introduced.map(|at| at % dates.listed()));
    let deprecated = clock.after(deprecated);
    clock.at = clock.at.max(introduced.map_or(0, |introduced| introduced + 1));
    Plain {
        introduced,
        deprecated,
        removed: clock.after(removed),
    }
}

type RawEntry = (u8, usize, bool, bool);
type RawGate = (Vec<RawEntry>, Step, Option<u8>);

fn gate(at: usize, (raw, removed, on): RawGate, dates: &Dates) -> Gate {
    let mut clock = Clock { dates, at: 0 };
    let mut entries: Vec<Entry> = Vec::new();
    for (place, (stage, apart, default, locked)) in raw.into_iter().enumerate() {
        let stages = [Stage::Alpha, Stage::Beta, Stage::Ga, Stage::Deprecated];
        // What holds of a gate that goes back is not told by the rules.
        let least = entries.last().map_or(0, |last| last.stage as usize);
        let stage = stages[least.max(usize::from(stage) % 4)];
        let apart = if place == 0 {
            apart % dates.listed()
        } else {
            1 + apart % 4
        };
        if let Some(since) = clock.after(Some(apart)) {
            entries.push(Entry {
                stage,
                since,
                default: default == (stage != Stage::Alpha),
                locked,
            });
        }
    }
    // What is removed before it is deprecated cannot be read.
    let deprecated = entries.iter().find(|entry| entry.stage == Stage::Deprecated);
    clock.at = deprecated.map_or(0, |entry| entry.since).max(entries[0].since + 1);
    Gate {
        removed: clock.after(removed),
        entries,
        depends_on: on.map(usize::from).filter(|_| at > 0).map(|on| on % at),
    }
}

type RawMetric = (Vec<(u8, usize)>, [Step; 5]);

fn metric((raw, [deprecated, undeprecated, again, hidden, removed]): RawMetric, dates: &Dates) -> Metric {
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

pub fn product() -> impl Strategy<Value = Product> {
    let year = prop::sample::select(vec![Year::Y2019, Year::Y2021, Year::Y2022, Year::Y2022, Year::Y2025]);
    let life = || (step(6), step(6), step(8));
    let flags = prop::collection::vec((any::<bool>(), 0_u8..3, life()), 0..=3);
    let behaviors = prop::collection::vec(life(), 0..=2);
    let entry = (any::<u8>(), 0_usize..8, prop::bool::weighted(0.8), any::<bool>());
    let raw_gate = (
        prop::collection::vec(entry, 1..=4),
        step(10),
        prop::option::of(any::<u8>()),
    );
    let gates = prop::collection::vec(raw_gate, 0..=3);
    let class = (any::<u8>(), 0_usize..6);
    let steps = [
        likely(0.6, 5),
        likely(0.2, 6),
        likely(0.6, 4),
        likely(0.6, 6),
        likely(0.6, 5),
    ];
    let metrics = prop::collection::vec((prop::collection::vec(class, 1..=4), steps), 0..=3);
    (year, dates(), flags, behaviors, gates, metrics).prop_map(|(year, dates, flags, behaviors, gates, metrics)| {
        let flags = flags.into_iter().map(|(admin, track, life)| Flag {
            admin,
            track,
            life: plain(life, &dates),
        });
        let gates = gates.into_iter().enumerate();
        Product {
            year,
            flags: flags.collect(),
            behaviors: behaviors.into_iter().map(|life| plain(life, &dates)).collect(),
            gates: gates.map(|(at, raw)| gate(at, raw, &dates)).collect(),
            metrics: metrics.into_iter().map(|raw| metric(raw, &dates)).collect(),
            dates,
        }
    })
}
