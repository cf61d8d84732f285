//! What prevents a target: the obligations that lead past it, and none that do not.
//!
//! From the target backwards: an event that comes too late has a bound that is too late, and each event from which that
//! may count comes too late for it. The walk ends where facts, or the order of the events of a life, are too late by
//! themselves, and takes no obligation where that order suffices. So without any one of the obligations that it meets,
//! the event that it bounds could come early enough, and so could all that follow. Only where two bounds lead to one
//! event, or several are needed because releases between them need not meet one, may one of them be superfluous: there,
//! each is left out on trial.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::RuleId;
use crate::model::Event;
use crate::obligation::{Demand, Obligation};
use crate::plan::fixed;
use crate::release::Release;

use super::graph::{Edge, From, Graph, Never};
use super::passes::Passes;
use super::target::Target;

/// Why a target cannot be reached.
#[derive(Debug)]
pub(crate) struct Clash {
    pub(crate) target: Target,
    /// The earliest release of its event; [`Release::NEVER`] if there is none.
    pub(crate) soonest: Release,
    /// The obligations that cannot be met with it, each after those that it follows from.
    pub(crate) obligations: Vec<Clashing>,
    /// The events that come too late for it.
    pub(crate) events: Vec<Event>,
    /// The events that are declared never to happen, and the ones that have a release that does not change.
    pub(crate) facts: Vec<Event>,
}

/// An obligation of a clash.
#[derive(Debug)]
pub(crate) struct Clashing {
    /// Its position.
    pub(crate) position: usize,
    pub(crate) rule: RuleId,
    pub(crate) code: &'static str,
    /// The event that it bounds.
    pub(crate) event: Event,
    /// The earliest release that it permits.
    pub(crate) release: Release,
    pub(crate) sentence: String,
}

impl Clash {
    pub(super) fn of(graph: &Graph<'_>, passes: &Passes, target: Target) -> Self {
        let mut walk = Walk {
            graph,
            passes,
            needs: HashMap::new(),
            met: HashSet::new(),
            again: false,
            clash: Self {
                target,
                soonest: Release::NEVER,
                obligations: Vec::new(),
                events: Vec::new(),
                facts: Vec::new(),
            },
        };
        if let Some(at) = graph.node_of(target.event) {
            walk.clash.soonest = passes.earliest[at];
            walk.back_from(at, target.by.plus(1));
            if walk.again {
                walk.leave_out(at, target.by);
            }
        }
        walk.clash.obligations.reverse();
        walk.clash.events = walk.needs.keys().map(|at| graph.nodes[*at].event).collect();
        walk.clash.events.sort_unstable();
        walk.clash
    }
}

struct Walk<'w> {
    graph: &'w Graph<'w>,
    passes: &'w Passes,
    /// Of each event met, from which release on it is too late.
    needs: HashMap<usize, Release>,
    met: HashSet<usize>,
    /// Whether an event was met twice.
    again: bool,
    clash: Clash,
}

impl<'w> Walk<'w> {
    fn back_from(&mut self, target: usize, need: Release) {
        let mut stack = vec![(target, need)];
        while let Some((at, need)) = stack.pop() {
            let node = &self.graph.nodes[at];
            if self.needs.get(&at).is_some_and(|known| *known >= need) {
                continue;
            }
            if self.needs.insert(at, need).is_some() {
                self.again = true;
            }
            if node.floor >= need {
                // What has shipped later than that prevents it, not the release that comes next.
                let next = self.graph.model().calendar.next();
                let has_shipped = node.is_fact() && node.declared.is_some_and(|declared| declared < next);
                self.clash.facts.extend(has_shipped.then_some(node.event));
                continue;
            }
            match node.never {
                Some(Never::Declared) => {
                    self.clash.facts.push(node.event);
                    continue;
                }
                Some(Never::Passed(later)) => {
                    self.clash.facts.push(later);
                    continue;
                }
                None => {}
            }
            if node.is_fact() {
                self.clash.facts.push(node.event);
                continue;
            }
            if self.passes.unobliged[at] >= need {
                self.meet_order(at, need, &mut stack);
                continue;
            }
            let late = self.late(at, need);
            if late.len() > 1 {
                self.again = true;
            }
            for (edge, need) in late {
                if let Some(position) = edge.position {
                    self.meet(position, at, edge);
                }
                stack.extend(self.sources(edge, need));
            }
        }
    }

    /// Bounds that together permit no release before one, each with the release that it has to reach: the order of the
    /// events of a life before obligations. One does, unless there are releases that need not meet it.
    fn late(&self, at: usize, need: Release) -> Vec<(&'w Edge, Release)> {
        let (graph, free) = (self.graph, &self.passes.free);
        let mut late = Vec::new();
        let mut first = graph.nodes[at].floor;
        while first < need {
            let reaching = graph.edges_into(at).map(|edge| {
                let reached = edge.lenient.first_from(first, graph.worth(edge, free));
                (edge, reached.min(need))
            });
            let farthest = reaching.max_by_key(|(edge, reached)| {
                let is_order = edge.position.is_none() && *reached == need;
                (is_order, *reached, graph.worth(edge, free))
            });
            let Some((edge, reached)) = farthest.filter(|(_, reached)| *reached > first) else {
                break;
            };
            late.push((edge, reached));
            first = reached;
        }
        late
    }

    /// What comes before an event in its life, and prevents it although no rule does: a fact, or an event that is to
    /// be on the way and is followed back.
    fn meet_order(&mut self, at: usize, need: Release, stack: &mut Vec<(usize, Release)>) {
        let edges = self.graph.into[at].iter().map(|edge| &self.graph.edges[*edge]);
        let mut late =
            edges.filter(|edge| edge.position.is_none() && self.graph.worth(edge, &self.passes.unobliged) >= need);
        let Some(edge) = late.next() else { return };
        let before = edge
            .alternatives
            .iter()
            .find_map(|alternative| alternative.distance.event());
        match before.filter(|before| fixed(self.graph.model(), *before).is_some()) {
            Some(fact) => self.clash.facts.push(fact),
            None => stack.extend(self.sources(edge, need)),
        }
    }

    /// Leaves out obligations without which the others still prevent the target.
    fn leave_out(&mut self, target: usize, by: Release) {
        let mut met: Vec<usize> = self.met.iter().copied().collect();
        met.sort_unstable();
        for position in met {
            self.met.remove(&position);
            if self.under_met(target) <= by {
                self.met.insert(position);
            }
        }
        let met = &self.met;
        self.clash
            .obligations
            .retain(|clashing| met.contains(&clashing.position));
    }

    /// When the target may come if only the obligations that were met had to be met.
    fn under_met(&self, target: usize) -> Release {
        let graph = self.graph;
        // What a bound counts from was mostly found after the event that it bounds.
        let mut nodes: Vec<usize> = self.needs.keys().copied().collect();
        nodes.sort_unstable_by(|one, other| other.cmp(one));
        let mut releases: HashMap<usize, Release> = HashMap::new();
        for _ in 0..=nodes.len() {
            let mut moved = false;
            for at in nodes.iter().filter(|at| !graph.nodes[**at].is_fact()) {
                let edges = graph.edges_into(*at);
                let edges = edges.filter(|edge| edge.position.is_none_or(|position| self.met.contains(&position)));
                let known = self.known(&releases, *at);
                let bound = graph.first_permitted(edges, known, |node| self.known(&releases, node));
                if bound > known {
                    releases.insert(*at, bound);
                    moved = true;
                }
            }
            if !moved {
                break;
            }
        }
        self.known(&releases, target)
    }

    fn known(&self, releases: &HashMap<usize, Release>, node: usize) -> Release {
        releases.get(&node).copied().unwrap_or(self.passes.unobliged[node])
    }

    /// The events from which a bound may count, each with the release from which on it is too late.
    fn sources(&self, edge: &Edge, need: Release) -> Vec<(usize, Release)> {
        let calendar = &self.graph.model().calendar;
        let by = need.previous().unwrap_or(need);
        let sources = edge.alternatives.iter().filter_map(|alternative| {
            let From::Node(node) = alternative.from else {
                return None;
            };
            let latest = alternative.distance.backwards(calendar, by)?;
            Some((node, latest.plus(1)))
        });
        sources.collect()
    }

    fn meet(&mut self, position: usize, at: usize, edge: &Edge) {
        let graph = self.graph;
        let Some(obligation) = graph.terrain.stated.obligations.get(position) else {
            return;
        };
        let Some(rule) = obligation.rule().filter(|_| self.met.insert(position)) else {
            return;
        };
        let free = &self.passes.free;
        self.clash.obligations.push(Clashing {
            position,
            rule,
            code: obligation.code,
            event: obligation.event,
            release: free[at],
            sentence: match obligation.demand {
                Demand::Forbidden => forbidden(graph, obligation),
                _ => graph.sentence(edge, free).unwrap_or_default(),
            },
        });
    }
}

fn forbidden(graph: &Graph<'_>, obligation: &Obligation) -> String {
    let message = obligation.detail.as_ref().and_then(|detail| detail.message.as_deref());
    let because = obligation.because.as_ref();
    match message {
        Some(message) => format!("{because} ({message})"),
        None => format!("{because}: {} never may be", graph.model().id(obligation.event.element)),
    }
}

/// The events that decide when the tightest target can be reached.
pub(super) fn critical(graph: &Graph<'_>, passes: &Passes, targets: &[Target]) -> HashSet<usize> {
    let slack = targets.iter().filter_map(|target| {
        let at = graph.node_of(target.event)?;
        Some((i64::from(target.by.0) - i64::from(passes.earliest[at].0), at))
    });
    let mut chain = HashSet::new();
    let mut next = slack.min().map(|(_, at)| at);
    while let Some(at) = next.filter(|at| chain.insert(*at)) {
        let edge = graph.decisive(at, &passes.earliest);
        next = edge.and_then(|edge| {
            let alternatives = edge.alternatives.iter();
            let first = alternatives.min_by_key(|alternative| graph.bound(alternative, &passes.earliest))?;
            match first.from {
                From::Node(node) => Some(node),
                From::Fixed(_) => None,
            }
        });
    }
    chain
}
