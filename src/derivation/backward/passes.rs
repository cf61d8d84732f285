//! The two passes over the graph: forwards for the earliest releases, backwards for the latest ones.

use std::collections::{BTreeMap, HashSet, VecDeque};

use crate::model::Event;
use crate::release::Release;

use super::graph::{Edge, From, Graph};
use super::target::Target;

/// The latest release of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Latest {
    /// No release is early enough.
    None,
    By(Release),
    /// No target depends on it.
    Any,
}

pub(super) struct Passes {
    /// With declared events that come in time in their releases.
    pub(super) earliest: Vec<Release>,
    /// With all declared events free to move that may.
    pub(super) free: Vec<Release>,
    /// The same without any obligation: by facts, and by the order of the events of a life.
    pub(super) unobliged: Vec<Release>,
    latest: Vec<Latest>,
    /// The releases of declared events that do not move.
    held: Vec<Option<Release>>,
}

impl Passes {
    pub(super) fn of(graph: &Graph<'_>, targets: &[Target]) -> Self {
        let facts = graph.nodes.iter().map(|node| node.declared.filter(|_| node.is_fact()));
        let facts: Vec<Option<Release>> = facts.collect();
        let free = earliest(graph, &facts, Law::All);
        let latest = latest(graph, targets, &free);
        let nodes = graph.nodes.iter().zip(&latest).zip(&free);
        let in_time = nodes.map(|((node, latest), free)| {
            let declared = node.declared?;
            let is_in_time = *free <= declared && Latest::By(declared) <= *latest;
            (node.is_fact() || is_in_time).then_some(declared)
        });
        let held: Vec<Option<Release>> = in_time.collect();
        Self {
            earliest: earliest(graph, &held, Law::All),
            unobliged: earliest(graph, &facts, Law::None),
            free,
            latest,
            held,
        }
    }

    pub(super) fn is_on_the_way(&self, at: usize) -> bool {
        self.latest[at] != Latest::Any
    }

    pub(super) fn is_held(&self, at: usize) -> bool {
        self.held[at].is_some()
    }

    /// The events that would do in place of one on the way, for all that counts from it, with their latest releases.
    pub(super) fn instead(&self, graph: &Graph<'_>, at: usize) -> Vec<(Event, Release)> {
        let mut found: Option<BTreeMap<Event, Release>> = None;
        for edge in graph.out[at].iter().map(|edge| &graph.edges[*edge]) {
            let Some(by) = self.latest(edge.to) else { continue };
            if carried(graph, edge, &self.free, Some(by)).is_none_or(|(node, _)| node != at) {
                continue;
            }
            let others = edge.alternatives.iter().filter_map(|one| match one.from {
                From::Node(node) if node != at && graph.bound(one, &self.free) <= by => {
                    Some((graph.nodes[node].event, last(graph, edge, node, by)?))
                }
                From::Node(_) | From::Fixed(_) => None,
            });
            let mut others: BTreeMap<Event, Release> = others.collect();
            if let Some(found) = &found {
                others.retain(|event, by| found.get(event).inspect(|known| *by = (*by).min(**known)).is_some());
            }
            found = Some(others);
        }
        found.unwrap_or_default().into_iter().collect()
    }

    pub(super) fn latest(&self, at: usize) -> Option<Release> {
        match self.latest[at] {
            Latest::By(release) => Some(release),
            Latest::None | Latest::Any => None,
        }
    }
}

/// Which obligations have to be met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Law {
    All,
    None,
}

/// The least releases that meet the bounds, with some events held in theirs.
fn earliest(graph: &Graph<'_>, held: &[Option<Release>], law: Law) -> Vec<Release> {
    // What grows past every release that can be named grows without end.
    let horizon = graph.model().calendar.last_nameable();
    let nodes = graph.nodes.iter().zip(held);
    let mut releases: Vec<Release> = nodes.map(|(node, held)| held.unwrap_or(node.floor)).collect();
    // What a bound counts from was mostly found after the event that it bounds.
    let mut queue: VecDeque<usize> = (0..graph.nodes.len()).rev().collect();
    let mut queued = vec![true; graph.nodes.len()];
    while let Some(at) = queue.pop_front() {
        queued[at] = false;
        if held[at].is_some() {
            continue;
        }
        let edges = graph.edges_into(at);
        let edges = edges.filter(|edge| edge.position.is_none() || law == Law::All);
        let bound = graph.first_permitted(edges, releases[at], |node| releases[node]);
        let is_endless = graph.nodes[at].never.is_some() || bound > horizon;
        let bound = if is_endless { Release::NEVER } else { bound };
        if bound <= releases[at] {
            continue;
        }
        releases[at] = bound;
        for edge in &graph.out[at] {
            let to = graph.edges[*edge].to;
            if !std::mem::replace(&mut queued[to], true) {
                queue.push_back(to);
            }
        }
    }
    releases
}

/// What each node may do at most.
struct Ranges<'f> {
    free: &'f [Release],
    caps: Vec<Release>,
}

/// The last releases of the nodes with which what follows them stays, but for what has to move in any case.
fn caps(graph: &Graph<'_>, free: &[Release]) -> Vec<Release> {
    let moving = graph.followers.iter().filter(|follower| {
        let own = graph.node_of(follower.event);
        follower.moves(free) || own.is_some_and(|own| free[own] > follower.declared)
    });
    let moving: HashSet<Event> = moving.map(|follower| follower.event).collect();
    let mut caps: Vec<Release> = graph.nodes.iter().map(|node| node.cap).collect();
    let staying = graph
        .followers
        .iter()
        .filter(|follower| !moving.contains(&follower.event));
    for follower in staying {
        if let Some(latest) = follower.latest {
            caps[follower.node] = caps[follower.node].min(latest);
        }
    }
    caps
}

/// The last releases with which the targets are still met; `free` are the earliest ones with nothing held.
fn latest(graph: &Graph<'_>, targets: &[Target], free: &[Release]) -> Vec<Latest> {
    let ranges = Ranges {
        free,
        caps: caps(graph, free),
    };
    let mut latest = vec![Latest::Any; graph.nodes.len()];
    let mut queue: VecDeque<usize> = VecDeque::new();
    for target in targets {
        if let Some(at) = graph.node_of(target.event) {
            lower(graph, &ranges, &mut latest, (at, Some(target.by)), &mut queue);
        }
    }
    while let Some(at) = queue.pop_front() {
        // What is declared and comes in time stays, and what it counts from has to leave it there.
        let stays = graph.nodes[at].declared.filter(|declared| *declared >= free[at]);
        let by = match latest[at] {
            Latest::By(release) => Some(stays.map_or(release, |declared| declared.min(release))),
            Latest::None | Latest::Any => None,
        };
        for edge in graph.into[at].iter().map(|edge| &graph.edges[*edge]) {
            if let Some((node, release)) = carried(graph, edge, free, by) {
                lower(graph, &ranges, &mut latest, (node, release), &mut queue);
            }
        }
    }
    latest
}

/// Lowers the latest release of a node, and looks at what it counts from again if that changes anything.
fn lower(
    graph: &Graph<'_>,
    ranges: &Ranges<'_>,
    latest: &mut [Latest],
    (at, by): (usize, Option<Release>),
    queue: &mut VecDeque<usize>,
) {
    let free = ranges.free;
    let cap = Some(ranges.caps[at]).filter(|cap| *cap >= free[at] && !cap.is_never());
    let by = by.map(|by| cap.map_or(by, |cap| cap.min(by)));
    // Between the releases that need not meet a bound and the bound, none is early enough.
    let by = by.map(|by| {
        let permitted = graph.last_permitted(at, by, free).filter(|_| by >= free[at]);
        permitted.unwrap_or(by)
    });
    let new = by.map_or(Latest::None, Latest::By);
    if new < latest[at] {
        latest[at] = new;
        queue.push_back(at);
    }
}

/// The node through which an edge is met earliest, and the last release of it with which the edge is met by a release.
/// None if what nothing can change meets it.
fn carried(graph: &Graph<'_>, edge: &Edge, free: &[Release], by: Option<Release>) -> Option<(usize, Option<Release>)> {
    if by.is_some_and(|by| edge.lenient.has(by)) {
        return None;
    }
    let mut fixed = edge
        .alternatives
        .iter()
        .filter(|one| matches!(one.from, From::Fixed(_)));
    if by.is_some_and(|by| fixed.any(|one| graph.bound(one, free) <= by)) {
        return None;
    }
    let first = edge.alternatives.iter().min_by_key(|one| graph.bound(one, free))?;
    let From::Node(node) = first.from else { return None };
    Some((node, by.and_then(|by| last(graph, edge, node, by))))
}

/// The last release of a node with which an edge is met by a release.
fn last(graph: &Graph<'_>, edge: &Edge, node: usize, by: Release) -> Option<Release> {
    let calendar = &graph.model().calendar;
    let same = edge.alternatives.iter().filter(|one| one.from == From::Node(node));
    same.filter_map(|one| one.distance.backwards(calendar, by)).max()
}
