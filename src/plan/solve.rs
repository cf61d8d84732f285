//! The solver: open events are nodes, bounds are edges, and declared events are constants.
//!
//! Lower bounds are propagated in topological order until nothing moves. An event after its upper bound raises the
//! anchor of that bound, if the anchor is open. Months make an edge depend on dates, but a later start never gives an
//! earlier end, so values only grow and the least fixed point exists. An anchor is not raised past an upper bound of
//! its own: a beta that has to wait for its successor is removed late, and still deprecated in time.
//!
//! A cycle that raises itself without end is a contradiction. Its events stay at their lower bounds, and the rest is
//! solved without it. An upper bound below a lower bound that no open event can move is a contradiction if both count
//! from one event, or if each obligation is an error to violate. Otherwise the event is late because of another
//! declaration, and that is a finding of the rule.

use std::collections::HashSet;
use std::ops::Range;

use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::model::{Event, Model};
use crate::obligation::{Anchor, Demand, Obligations, Reach, Term};
use crate::release::Release;

use super::{Assignment, Contradiction, Decision, Planned, fixed, removed_with};

/// Values that grow this many releases past the calendar count as growing without end: more than any realistic chain of
/// windows.
const HORIZON: u32 = 400;

/// So many windows in a row never count as growing without end.
const LONGEST_CHAIN: u32 = 8;

const MOST_RINGS: usize = 50;

/// Finds the earliest releases of the open events (ordered) under all obligations.
pub(crate) fn solve(model: &Model, obligations: &Obligations, open: &[Event]) -> Assignment {
    let mut rings: Vec<Contradiction> = Vec::new();
    let mut held = Held::default();
    loop {
        let mut solver = Solver::new(model, obligations, open, &held);
        solver.settle();
        let Some(at) = solver.diverged.filter(|_| rings.len() < MOST_RINGS) else {
            let mut assignment = solver.finish();
            assignment.contradictions.retain(|found| {
                let mut others = rings.iter();
                !others.any(|ring| found.ring.iter().all(|at| ring.ring.contains(at)))
            });
            assignment.contradictions.extend(rings);
            assignment.contradictions.sort_by_key(|found| found.event);
            return assignment;
        };
        let (nodes, ring) = solver.ring(at);
        let event = solver.nodes[at].event;
        held.hold(nodes.iter().map(|node| solver.nodes[*node].event).collect());
        if rings.iter().all(|known| known.event != event) {
            rings.push(Contradiction {
                event,
                ring,
                circular: true,
            });
        }
    }
}

/// Events of cycles. They stay at their lower bounds; a cycle of lower bounds alone has no release.
#[derive(Default)]
struct Held {
    unraised: HashSet<Event>,
    never: HashSet<Event>,
}

impl Held {
    fn hold(&mut self, events: Vec<Event>) {
        if events.iter().all(|event| self.unraised.contains(event)) {
            self.never.extend(events);
        } else {
            self.unraised.extend(events);
        }
    }
}

struct Node {
    event: Event,
    value: Release,
    decision: Decision,
    /// An upper bound before it that nothing can move.
    passed: Option<usize>,
}

struct Solver<'s> {
    model: &'s Model,
    obligations: &'s Obligations,
    held: &'s Held,
    nodes: Vec<Node>,
    order: Vec<usize>,
    /// How often a value was raised.
    moves: usize,
    horizon: Release,
    /// The node whose value grew past the horizon.
    diverged: Option<usize>,
}

impl<'s> Solver<'s> {
    fn new(model: &'s Model, obligations: &'s Obligations, open: &[Event], held: &'s Held) -> Self {
        let floor = model.calendar.next();
        let nodes = open
            .iter()
            .map(|event| Node {
                event: *event,
                value: held.never.get(event).map_or(floor, |_| Release::NEVER),
                decision: Decision::Current,
                passed: None,
            })
            .collect();
        let mut solver = Self {
            model,
            obligations,
            held,
            nodes,
            order: Vec::new(),
            moves: 0,
            horizon: Release(model.calendar.listed()).plus(HORIZON.max(longest_window(obligations) * LONGEST_CHAIN)),
            diverged: None,
        };
        solver.order = solver.topological_order();
        solver
    }

    fn node_of(&self, event: Event) -> Option<usize> {
        self.nodes.binary_search_by_key(&event, |node| node.event).ok()
    }

    /// The open event that sets the value of an event: itself, or the removal that implies it.
    fn source_of(&self, event: Event) -> Option<usize> {
        if fixed(self.model, event).is_some() {
            return None;
        }
        self.node_of(event)
            .or_else(|| self.source_of(removed_with(self.model, event)?))
    }

    fn topological_order(&self) -> Vec<usize> {
        let mut graph: DiGraph<(), (), u32> = DiGraph::with_capacity(self.nodes.len(), self.nodes.len());
        for _ in &self.nodes {
            graph.add_node(());
        }
        for (to, node) in self.nodes.iter().enumerate() {
            let obligations = self.obligations.on(node.event);
            let terms = obligations.flat_map(|(_, obligation)| obligation.demand.lower_terms());
            for from in terms.filter_map(Term::event).filter_map(|event| self.source_of(event)) {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
            }
        }
        match toposort(&graph, None) {
            Ok(order) => order.into_iter().map(NodeIndex::index).collect(),
            // A cycle has no such order; the order of components is the nearest.
            Err(_) => {
                let components = kosaraju_scc(&graph).into_iter().rev();
                components.flatten().map(NodeIndex::index).collect()
            }
        }
    }

    fn settle(&mut self) {
        loop {
            let before = self.moves;
            for at in self.order.clone() {
                self.raise_to_lower_bounds(at);
            }
            for at in self.order.clone() {
                self.raise_anchors(at);
            }
            if self.moves == before || self.diverged.is_some() {
                return;
            }
        }
    }

    fn raise_to_lower_bounds(&mut self, at: usize) {
        let obligations: &'s Obligations = self.obligations;
        for (position, obligation) in obligations.on(self.nodes[at].event) {
            if let Some(bound) = self.lower(&obligation.demand) {
                self.raise(at, bound, position);
            }
        }
    }

    /// The release of a lower bound: the earliest of its terms. Without an anchor it is never.
    fn lower(&self, demand: &Demand) -> Option<Release> {
        let terms = demand.lower_terms().iter();
        terms.map(|term| self.worth(term).unwrap_or(Release::NEVER)).min()
    }

    fn worth(&self, term: &Term) -> Option<Release> {
        let anchor = match term.anchor {
            Anchor::Release(release) => release,
            Anchor::Event(event) => self.value(event)?,
        };
        Some(term.worth(&self.model.calendar, anchor).release)
    }

    fn value(&self, event: Event) -> Option<Release> {
        let own = fixed(self.model, event).or_else(|| {
            let node = self.node_of(event)?;
            Some(self.nodes[node].value)
        });
        let with_owner = removed_with(self.model, event).and_then(|owner| self.value(owner));
        own.into_iter().chain(with_owner).min()
    }

    fn raise(&mut self, at: usize, bound: Release, position: usize) {
        let node = &mut self.nodes[at];
        if bound <= node.value {
            // An equal bound is a better reason than P1.
            if bound == node.value && node.decision == Decision::Current {
                node.decision = Decision::Obligation(position);
            }
            return;
        }
        node.value = bound;
        node.decision = Decision::Obligation(position);
        self.moves += 1;
        if self.endless().contains(&bound) {
            self.diverged.get_or_insert(at);
        }
    }

    /// Values that count as growing without end.
    fn endless(&self) -> Range<Release> {
        self.horizon..Release::NEVER
    }

    /// An event after its upper bound raises the open anchor of the bound, as far as needed.
    fn raise_anchors(&mut self, at: usize) {
        let node = &self.nodes[at];
        if node.value.is_never() {
            return;
        }
        let value = node.value;
        let passed: Vec<(usize, Term)> = self
            .obligations
            .on(node.event)
            .filter_map(|(position, obligation)| Some((position, *obligation.demand.upper_term()?)))
            .filter(|(_, term)| self.worth(term).is_some_and(|bound| bound < value))
            .collect();
        for (position, term) in passed {
            let anchor = term
                .event()
                .and_then(|event| self.source_of(event))
                .filter(|anchor| !self.held.unraised.contains(&self.nodes[*anchor].event));
            let reached =
                anchor.and_then(|anchor| Some((anchor, self.reaching(term, self.nodes[anchor].value, value)?)));
            // Of two upper bounds that cannot both be met, the anchor keeps its own.
            match reached.filter(|(anchor, release)| *release <= self.ceiling(*anchor)) {
                Some((anchor, release)) => self.raise(anchor, release, position),
                None => self.nodes[at].passed = Some(position),
            }
        }
    }

    /// The earliest upper bound of a node that no open event can move.
    fn ceiling(&self, at: usize) -> Release {
        let obligations = self.obligations.on(self.nodes[at].event);
        let fixed = obligations
            .filter_map(|(_, obligation)| obligation.demand.upper_term())
            .filter(|term| term.event().is_none_or(|event| self.source_of(event).is_none()));
        let bounds = fixed.filter_map(|term| self.worth(term));
        bounds.min().unwrap_or(Release::NEVER)
    }

    /// The first release from which a term reaches a value.
    fn reaching(&self, term: Term, from: Release, value: Release) -> Option<Release> {
        (from.0..=value.0)
            .map(Release)
            .find(|release| term.worth(&self.model.calendar, *release).release >= value)
    }

    fn finish(self) -> Assignment {
        let mut contradictions = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let Some(upper) = node.passed else { continue };
            let Some(reasons) = self.reasons(at) else { continue };
            // Two events that raised each other give each reason once a turn.
            let mut ring: Vec<usize> = Vec::new();
            for reason in reasons.into_iter().filter(|reason| *reason != upper) {
                if !ring.contains(&reason) {
                    ring.push(reason);
                }
            }
            ring.push(upper);
            contradictions.push(Contradiction {
                event: node.event,
                ring,
                circular: false,
            });
        }
        // Only cycles of lower bounds still grow without end here.
        let endless = self.endless();
        let planned = self.nodes.into_iter().map(|node| Planned {
            event: node.event,
            release: if endless.contains(&node.value) {
                Release::NEVER
            } else {
                node.value
            },
            decision: node.decision,
        });
        Assignment::new(planned.collect(), contradictions, self.model.elements().len())
    }

    /// The obligations that decide a node, from the first to its own; `None` if only P1 decides it: then it is late,
    /// not impossible.
    fn reasons(&self, at: usize) -> Option<Vec<usize>> {
        let mut reasons = Vec::new();
        let mut here = at;
        for _ in 0..=self.nodes.len() {
            let Decision::Obligation(position) = self.nodes[here].decision else {
                return None;
            };
            reasons.push(position);
            match self.raised_by(position, here) {
                Some(before) if before != here => here = before,
                _ => break,
            }
        }
        reasons.reverse();
        Some(reasons)
    }

    /// The open anchor of the obligation that decides a node.
    fn raised_by(&self, position: usize, node: usize) -> Option<usize> {
        let obligation = self.obligations.get(position)?;
        if obligation.demand.upper_term().is_some() {
            return self.node_of(obligation.event);
        }
        let value = Some(self.nodes[node].value);
        let mut terms = obligation.demand.lower_terms().iter();
        self.source_of(terms.find(|term| self.worth(term) >= value)?.event()?)
    }

    /// The cycle that raises a node without end: its nodes, and its obligations with those that start it.
    fn ring(&self, at: usize) -> (Vec<usize>, Vec<usize>) {
        let mut visited: Vec<(usize, usize)> = Vec::new();
        let mut here = at;
        while let Decision::Obligation(position) = self.nodes[here].decision {
            if let Some(start) = visited.iter().position(|(node, _)| *node == here) {
                visited.drain(..start);
                break;
            }
            visited.push((here, position));
            match self.raised_by(position, here) {
                Some(before) => here = before,
                None => break,
            }
        }
        visited.reverse();
        let nodes: Vec<usize> = visited.iter().map(|(node, _)| *node).collect();
        let around: Vec<usize> = visited.iter().map(|(_, position)| *position).collect();
        let starts = nodes.iter().filter_map(|node| self.bound_from_outside(*node, &nodes));
        let mut ring: Vec<usize> = starts.filter(|start| !around.contains(start)).collect();
        ring.extend(&around);
        (nodes, ring)
    }

    /// The latest lower bound on a node of a cycle from outside the cycle.
    fn bound_from_outside(&self, node: usize, ring: &[usize]) -> Option<usize> {
        self.obligations
            .on(self.nodes[node].event)
            .filter(|(_, obligation)| {
                let terms = obligation.demand.lower_terms();
                let mut sources = terms.iter().filter_map(|term| self.source_of(term.event()?));
                !sources.any(|source| ring.contains(&source))
            })
            .filter_map(|(position, obligation)| Some((self.lower(&obligation.demand)?, position)))
            .filter(|(bound, _)| !bound.is_never())
            .max_by_key(|(bound, position)| (*bound, std::cmp::Reverse(*position)))
            .map(|(_, position)| position)
    }
}

/// The most releases any window could span: its count, or its months at one release a month.
fn longest_window(obligations: &Obligations) -> u32 {
    let demands = obligations.all().iter().map(|obligation| &obligation.demand);
    let terms = demands.flat_map(|demand| demand.lower_terms().iter().chain(demand.upper_term()));
    let spans = terms.map(|term| match term.reach {
        Reach::After(window) | Reach::Within(window) => {
            let counted = window.releases.max(window.months).max(window.days / 28);
            u32::from(counted) + u32::from(window.then.max(window.then_months))
        }
        Reach::NextMajor => 0,
    });
    spans.max().unwrap_or(0)
}
