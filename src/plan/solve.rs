//! The solver: open events are nodes, bounds are edges, and declared events are constants.
//!
//! Lower bounds are propagated in topological order until nothing moves. An event after its upper bound raises the
//! anchor of that bound, if the anchor is open. Months make an edge depend on dates, but a later start never gives an
//! earlier end, so values only grow and the least fixed point exists. An anchor is not raised past an upper bound of
//! its own: a beta that has to wait for its successor is removed late, and still deprecated in time. Nor is a
//! deprecation raised past the promotion of a gate that makes the life more stable: other bounds would count from it.
//!
//! A cycle that raises itself without end is a contradiction. Its events stay at their lower bounds, and the rest is
//! solved without it. An upper bound below a lower bound that no open event can move is a contradiction if both count
//! from one event, or if each obligation is an error to violate. Otherwise the event is late because of another
//! declaration, and that is a finding of the rule.

mod ring;

use std::collections::HashSet;
use std::ops::Range;

use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::model::{Event, EventKind, Model};
use crate::obligation::{Anchor, Demand, Obligations, Reach, Term};
use crate::release::{Bound, Release};

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
        let is_known = !ring.iter().any(|position| solver.is_open(*position));
        held.hold(nodes.iter().map(|node| solver.nodes[*node].event).collect());
        if is_known && rings.iter().all(|known| known.event != event) {
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
    passed: Option<Passed>,
}

/// An upper bound that an event comes after.
#[derive(Clone, Copy)]
struct Passed {
    upper: usize,
    /// The upper bound that keeps the anchor of the other one from being raised.
    ceiling: Option<usize>,
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
        self.bound(term).map(|bound| bound.release)
    }

    /// Whether the calendar ends before an upper bound: then nobody can tell yet whether it is met.
    fn is_open(&self, position: usize) -> bool {
        let obligation = self.obligations.get(position);
        let upper = obligation.and_then(|obligation| obligation.demand.upper_term());
        upper.and_then(|term| self.bound(term)).is_some_and(|bound| bound.open)
    }

    fn bound(&self, term: &Term) -> Option<Bound> {
        let anchor = match term.anchor {
            Anchor::Release(release) => release,
            Anchor::Event(event) => self.value(event)?,
        };
        Some(term.worth(&self.model.calendar, anchor))
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
        // Anchors only grow: a bound that was passed may be met by now.
        self.nodes[at].passed = None;
        let node = &self.nodes[at];
        if node.value.is_never() {
            return;
        }
        let value = node.value;
        let passed: Vec<(usize, Term, Bound)> = self
            .obligations
            .on(node.event)
            .filter_map(|(position, obligation)| Some((position, *obligation.demand.upper_term()?)))
            .filter_map(|(position, term)| Some((position, term, self.bound(&term)?)))
            .filter(|(_, _, bound)| bound.release < value)
            .collect();
        for (position, term, bound) in passed {
            let anchor = term
                .event()
                .and_then(|event| self.source_of(event))
                .filter(|anchor| !self.held.unraised.contains(&self.nodes[*anchor].event));
            let reached =
                anchor.and_then(|anchor| Some((anchor, self.reaching(term, self.nodes[anchor].value, value)?)));
            // The event is late, which is a finding of the rule.
            if reached.is_some_and(|(anchor, release)| self.crosses_promotion(anchor, release)) {
                continue;
            }
            // Of two upper bounds that cannot both be met, the anchor keeps its own.
            let ceiling = reached.and_then(|(anchor, release)| self.ceiling_below(anchor, release));
            match reached.filter(|_| ceiling.is_none()) {
                Some((anchor, release)) => self.raise(anchor, release, position),
                None if bound.open => {}
                None => {
                    let upper = position;
                    self.nodes[at].passed = Some(Passed { upper, ceiling });
                }
            }
        }
    }

    /// The earliest upper bound of a node that no open event can move, if it comes before a release.
    fn ceiling_below(&self, at: usize, release: Release) -> Option<usize> {
        let obligations = self.obligations.on(self.nodes[at].event);
        let bounds = obligations.filter_map(|(position, obligation)| {
            let term = obligation.demand.upper_term()?;
            let is_fixed = term.event().is_none_or(|event| self.source_of(event).is_none());
            Some((self.worth(term).filter(|_| is_fixed)?, position))
        });
        let (bound, position) = bounds.min()?;
        (bound < release).then_some(position)
    }

    /// Whether a deprecation would come only after a gate has made the life more stable: other bounds count from it.
    fn crosses_promotion(&self, at: usize, release: Release) -> bool {
        let Node { event, value, .. } = self.nodes[at];
        let [is, would_be] = [value, release].map(|release| self.model.track_at(event.element, release));
        event.what == EventKind::Deprecated && is < would_be
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
            let Some(Passed { upper, ceiling }) = node.passed else {
                continue;
            };
            let Some(reasons) = self.reasons(at) else { continue };
            let mut ring = distinct(reasons, upper);
            // What holds the anchor belongs to it only if the others could be met with a later one. That is looked up
            // for the first contradictions only: each takes time for the whole model.
            let is_looked_up = contradictions.len() < MOST_RINGS;
            if ceiling.is_some() && !(is_looked_up && self.exclude_one_another(&ring)) {
                let start = self.start_of(ceiling, at);
                ring = distinct(start.into_iter().chain(ring).chain(ceiling), upper);
            }
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
}

/// Each reason once, and an upper bound last.
fn distinct(reasons: impl IntoIterator<Item = usize>, upper: usize) -> Vec<usize> {
    let mut ring: Vec<usize> = Vec::new();
    for reason in reasons {
        if reason != upper && !ring.contains(&reason) {
            ring.push(reason);
        }
    }
    ring.push(upper);
    ring
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
