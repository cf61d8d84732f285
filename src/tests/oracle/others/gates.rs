//! Gates: entries, dependencies, and the windows of their transitions.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{At, Clock, Dates, NEVER, Product, Span, Step, Year, span, step};
use proptest::prelude::*;

/// From the least stable one on; a deprecated gate will be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Alpha,
    Beta,
    Ga,
    Deprecated,
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
    pub(super) fn deprecated(&self) -> Option<At> {
        self.first(Stage::Deprecated)
            .or(self.first(Stage::Ga))
            .map(|(_, since)| since)
    }

    /// From when the window of its transition counts, and the window: "beta→GA (6, 2), beta→dropped (3, 1),
    /// alpha→dropped 0". A gate that begins at GA counts from its deprecation, if there is one.
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

impl Product {
    pub(super) fn gate_codes(&self, at: usize, gate: &Gate) -> BTreeSet<&'static str> {
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
    pub(super) fn gate_removals(&self) -> Vec<Option<At>> {
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

    /// Whether the gate that this one depends on is removed once nothing depends on it by the plan, but before this one
    /// is done if its removal is later. `None` where that gate is declared to be removed too early in any case: one more
    /// reason for that may add nothing.
    pub fn outlasts_its_dependency(&self, id: &str, removed: At) -> Option<bool> {
        let own = (0..self.gates.len()).find(|at| format!("gate Gate{at}") == id);
        let on = own.and_then(|own| Some((own, self.gates[own].depends_on?)));
        // What stays with it may keep another one.
        if on.is_some_and(|(_, on)| self.gates[on].removed.is_none() && self.gates[on].depends_on.is_some()) {
            return None;
        }
        let Some((own, on, gone)) = on.and_then(|(own, on)| Some((own, on, self.gates[on].removed?))) else {
            return Some(false);
        };
        let codes = self.removal_codes(on, &self.gates[on], gone);
        if codes.iter().any(|code| *code != "custom") {
            return None;
        }
        let ga = self.gates[own].first(Stage::Ga).map_or(NEVER, |(_, since)| since);
        Some(gone < ga.min(removed))
    }

    pub(super) fn soonest_of_gate(&self, at: usize, gate: &Gate, removals: &[Option<At>]) -> At {
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

    pub(super) fn text_of_gates(&self) -> String {
        let mut text = String::new();
        for (at, gate) in self.gates.iter().enumerate() {
            let _ = write!(text, "[gate.Gate{at}]\nspecs = [{}]\n", self.entries(gate));
            text += "warning = \"w\"\noperational = false\n";
            text += &self.key("removed", gate.removed);
            text += &gate
                .depends_on
                .map_or_else(String::new, |on| format!("depends-on = \"Gate{on}\"\n"));
        }
        text
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

pub(super) type RawEntry = (u8, usize, bool, bool);
pub(super) type RawGate = (Vec<RawEntry>, Step, Option<u8>);

pub(super) fn gate(at: usize, (raw, removed, on): RawGate, dates: &Dates) -> Gate {
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

pub(super) fn raw_gate() -> impl Strategy<Value = RawGate> {
    let entry = (any::<u8>(), 0_usize..8, prop::bool::weighted(0.8), any::<bool>());
    (
        prop::collection::vec(entry, 1..=4),
        step(10),
        prop::option::of(any::<u8>()),
    )
}
