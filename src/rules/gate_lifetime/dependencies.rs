//! Dependencies between gates: a gate is not ahead of the gates it depends on, and dependencies have no cycles.

use std::collections::{HashMap, VecDeque};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::model::{ElementId, EventKind, Gate, Reference};
use crate::obligation::{Obligations, Scope};
use crate::release::Release;
use crate::stability::{Stage, Track};

use super::super::chain_words;
use super::about;

/// A gate does not exist before its dependency, and is not more stable than it, not on by default without it, and not
/// locked before it.
pub(super) fn depends(scope: &Scope<'_>, out: &mut Obligations, gate: &Gate, reference: &Reference) {
    let Some(other) = reference.target.and_then(|target| scope.model.gate(target)) else {
        return;
    };
    let removals = [gate, other].map(|gate| scope.model.declared(gate.element, EventKind::Removed));
    let end = removals.into_iter().flatten().map(|removed| removed.release).min();
    let end = end.unwrap_or(Release::NEVER);
    let changes = gate.specs.iter().chain(&other.specs).map(|spec| spec.since);
    let mut moments: Vec<Release> = changes.filter(|moment| *moment < end).collect();
    moments.sort_unstable();
    moments.dedup();
    let mut reported = [false; 5];
    for moment in moments {
        let Some(own) = gate.at(moment) else { continue };
        let base = other.at(moment);
        // What does not exist yet is no more than alpha.
        let least = base.map_or(Some(Track::Alpha), |base| standing(base.stage));
        let less_stable = least < standing(own.stage);
        let outlives = less_stable && least.is_none();
        let off = own.default && base.is_none_or(|base| !base.default);
        let unlocked = own.locked && own.default && base.is_none_or(|base| !base.locked);
        let absent = base.is_none() && !less_stable;
        let breaches = [
            (outlives, "dependency-less-stable", "is not deprecated with", DEPRECATE),
            (
                less_stable && !outlives,
                "dependency-less-stable",
                "is more stable than",
                SWAP,
            ),
            (absent, "dependency-absent", "exists before", SWAP),
            (off, "dependency-off", "is on by default without", SWAP),
            (unlocked, "dependency-unlocked", "is locked before", SWAP),
        ];
        for ((broken, code, what, help), reported) in breaches.into_iter().zip(&mut reported) {
            if broken && !std::mem::replace(reported, true) {
                let name = scope.model.calendar.name(moment);
                let what = format!("{what} its dependency {} in {name}", scope.model.id(other.element));
                let entries = (0_u8..).zip(&gate.specs);
                let begun = entries.filter(|(_, spec)| spec.since <= moment);
                let step = begun.last().map_or(0, |(step, _)| step);
                let because = "a gate is not ahead of the gates it depends on";
                let ahead = about(scope, gate, step, code, because, what);
                out.push(
                    ahead
                        .since(moment)
                        .related(reference.span, "the dependency")
                        .help_unless_shipped(help),
                );
            }
        }
    }
}

/// The next step if a gate is ahead of its dependency.
const SWAP: &str = "move this entry of the gate later, or that of its dependency earlier";
/// The next step if its dependency is deprecated.
const DEPRECATE: &str = "deprecate or remove the gate no later than its dependency";

/// How stable a gate is to those that depend on it: a deprecated one will be removed, so it is the least stable.
fn standing(stage: Stage) -> Option<Track> {
    (stage != Stage::Deprecated).then(|| stage.track())
}

/// Cycles of dependencies. Each is reported once, for its first gate.
pub(super) fn cycles(scope: &Scope<'_>, out: &mut Obligations) {
    let mut graph: DiGraph<ElementId, (), u32> = DiGraph::new();
    let mut nodes = HashMap::new();
    for gate in scope.model.judged_gates().filter(|gate| !gate.depends_on.is_empty()) {
        nodes.insert(gate.element, graph.add_node(gate.element));
    }
    for gate in scope.model.judged_gates() {
        for target in gate.depends_on.iter().filter_map(|reference| reference.target) {
            if let (Some(from), Some(to)) = (nodes.get(&gate.element), nodes.get(&target)) {
                graph.add_edge(*from, *to, ());
            }
        }
    }
    let mut rings: Vec<Vec<ElementId>> = kosaraju_scc(&graph)
        .into_iter()
        .filter(|ring| ring.len() > 1 || graph.contains_edge(ring[0], ring[0]))
        .map(|ring| ring.into_iter().map(|node| graph[node]).collect())
        .collect();
    for ring in &mut rings {
        ring.sort_unstable();
    }
    rings.sort_unstable();
    for ring in rings {
        cycle(scope, out, &ring);
    }
}

fn cycle(scope: &Scope<'_>, out: &mut Obligations, members: &[ElementId]) {
    let model = scope.model;
    let Some(gate) = members.first().and_then(|first| model.gate(*first)) else {
        return;
    };
    let way = way_round(scope, gate, members);
    let because = "dependencies between gates have no cycles";
    let what = format!("depends on itself: {}", chain_words(model, &way));
    let first = gate.depends_on.first();
    let place = first.map_or(model.element(gate.element).span, |first| first.span);
    let cycle = about(scope, gate, 0, "dependency-cycle", because, what);
    out.push(cycle.place(place).help("remove one of the dependencies"));
}

/// The shortest path along dependencies from a gate back to itself, with that gate at both ends.
fn way_round(scope: &Scope<'_>, gate: &Gate, members: &[ElementId]) -> Vec<ElementId> {
    let mut came_from: HashMap<ElementId, ElementId> = HashMap::new();
    let mut queue = VecDeque::from([gate.element]);
    while let Some(here) = queue.pop_front() {
        let targets = scope.model.gate(here).into_iter().flat_map(|gate| &gate.depends_on);
        for target in targets.filter_map(|reference| reference.target) {
            if members.binary_search(&target).is_err() || came_from.contains_key(&target) {
                continue;
            }
            came_from.insert(target, here);
            queue.push_back(target);
        }
    }
    let mut way = vec![gate.element];
    while let Some(before) = way.last().and_then(|last| came_from.get(last)) {
        way.push(*before);
        if *before == gate.element {
            break;
        }
    }
    way.reverse();
    way
}
