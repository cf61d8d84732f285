//! Why events exclude one another: the obligations of a contradiction, which cannot be met together.

use std::collections::HashSet;

use crate::obligation::Obligations;

use super::{Decision, Solver, solve};

impl Solver<'_> {
    /// Where an upper bound of its own holds an anchor: the lower bound that starts it.
    pub(super) fn start_of(&self, ceiling: Option<usize>, at: usize) -> Option<usize> {
        let held = self.obligations.get(ceiling?)?;
        let anchor = self.node_of(held.event)?;
        self.bound_from_outside(anchor, &[anchor, at])
    }

    /// Whether some obligations cannot be met together, whatever the others are.
    pub(super) fn exclude_one_another(&self, ring: &[usize]) -> bool {
        let mut only = Obligations::default();
        let mut open = Vec::new();
        for obligation in ring.iter().filter_map(|position| self.obligations.get(*position)) {
            let anchors = obligation
                .demand
                .lower_terms()
                .iter()
                .chain(obligation.demand.upper_term());
            let sources = anchors.filter_map(|term| self.source_of(term.event()?));
            open.extend(sources.map(|source| self.nodes[source].event));
            open.push(obligation.event);
            only.push(obligation.clone());
        }
        open.sort_unstable();
        open.dedup();
        let only = only.indexed(self.model.elements().len());
        !solve(self.model, &only, &open).contradictions.is_empty()
    }

    /// The obligations that decide a node, from the first to its own; `None` if only P1 decides it: then it is late,
    /// not impossible.
    pub(super) fn reasons(&self, at: usize) -> Option<Vec<usize>> {
        let (mut reasons, mut visited) = (Vec::new(), HashSet::new());
        let mut here = at;
        // Two events that raised each other come round again.
        while visited.insert(here) {
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
    pub(super) fn ring(&self, at: usize) -> (Vec<usize>, Vec<usize>) {
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
