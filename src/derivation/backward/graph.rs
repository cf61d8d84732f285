//! The events on the ways to targets, and the bounds between them.

use std::collections::HashMap;

use crate::model::{Event, EventKind, Model};
use crate::plan::fixed;
use crate::release::Release;

use super::super::Worked;
use super::bounds::Distance;
use super::lenient::Lenient;
use super::target::Terrain;

/// What a bound counts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// A release that nothing can change.
    Fixed(Release),
    /// An event on the way, by its position.
    Node(usize),
}

/// One of the releases of which the earliest is a lower bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alternative {
    pub(super) from: From,
    pub(super) distance: Distance,
}

/// A lower bound.
#[derive(Debug)]
pub(super) struct Edge {
    /// The event that it bounds.
    pub(super) to: usize,
    /// The obligation that states it; none for the order of the events of a life.
    pub(super) position: Option<usize>,
    /// None if nothing ever meets it.
    pub(super) alternatives: Vec<Alternative>,
    /// The releases of the event that need not meet it.
    pub(super) lenient: Lenient,
}

/// An event that may have to be declared, or moved, for a target.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) event: Event,
    pub(super) declared: Option<Release>,
    /// Whether it is declared for a release that may change.
    pub(super) movable: bool,
    /// The first release that may have it, whatever its bounds are.
    pub(super) floor: Release,
    /// The last one, by a bound that nothing on the way moves.
    pub(super) cap: Release,
    /// Why it never may happen.
    pub(super) never: Option<Never>,
}

/// Why an event never may happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Never {
    /// The model declares that it does not happen.
    Declared,
    /// The event that has to follow it is declared for a release that is too early for that.
    Passed(Event),
}

impl Node {
    /// Whether its release is a fact that this node starts from.
    pub(super) fn is_fact(&self) -> bool {
        self.declared.is_some() && !self.movable
    }
}

/// A declared event that counts from a node, or comes after it in the order of its life, and may move.
#[derive(Debug)]
pub(super) struct Follower {
    pub(super) node: usize,
    pub(super) event: Event,
    pub(super) declared: Release,
    /// The last release of the node that leaves it where it is.
    pub(super) latest: Option<Release>,
}

impl Follower {
    /// Whether it has to move, with the nodes in these releases.
    pub(super) fn moves(&self, releases: &[Release]) -> bool {
        let node = releases[self.node];
        !node.is_never() && self.latest.is_none_or(|latest| latest < node)
    }
}

pub(super) struct Graph<'r> {
    pub(super) terrain: Terrain<'r>,
    pub(super) nodes: Vec<Node>,
    pub(super) followers: Vec<Follower>,
    pub(super) edges: Vec<Edge>,
    /// Of each node, the edges that bound it.
    pub(super) into: Vec<Vec<usize>>,
    /// Of each node, the edges that count from it.
    pub(super) out: Vec<Vec<usize>>,
    pub(super) index: HashMap<Event, usize>,
}

impl<'r> Graph<'r> {
    pub(super) fn new(terrain: Terrain<'r>) -> Self {
        Self {
            terrain,
            nodes: Vec::new(),
            followers: Vec::new(),
            edges: Vec::new(),
            into: Vec::new(),
            out: Vec::new(),
            index: HashMap::new(),
        }
    }

    pub(super) fn model(&self) -> &'r Model {
        self.terrain.facts.model
    }

    pub(super) fn node_of(&self, event: Event) -> Option<usize> {
        self.index.get(&event).copied()
    }

    /// The earliest of the alternatives of an edge, in releases of the nodes.
    pub(super) fn worth(&self, edge: &Edge, releases: &[Release]) -> Release {
        self.worth_of(edge, |node| releases[node])
    }

    pub(super) fn worth_of(&self, edge: &Edge, releases: impl Fn(usize) -> Release) -> Release {
        let bounds = edge.alternatives.iter();
        let bounds = bounds.map(|alternative| self.bound_of(alternative, &releases));
        bounds.min().unwrap_or(Release::NEVER)
    }

    pub(super) fn bound(&self, alternative: &Alternative, releases: &[Release]) -> Release {
        self.bound_of(alternative, &|node| releases[node])
    }

    fn bound_of(&self, alternative: &Alternative, releases: &impl Fn(usize) -> Release) -> Release {
        let from = match alternative.from {
            From::Fixed(release) => release,
            From::Node(node) => releases(node),
        };
        alternative.distance.forwards(&self.model().calendar, from)
    }

    /// The edges that bound a node.
    pub(super) fn edges_into(&self, at: usize) -> impl Iterator<Item = &Edge> + Clone {
        self.into[at].iter().map(|edge| &self.edges[*edge])
    }

    /// The first release from one on that all of some edges permit.
    pub(super) fn first_permitted<'e>(
        &self,
        edges: impl Iterator<Item = &'e Edge>,
        from: Release,
        releases: impl Fn(usize) -> Release,
    ) -> Release {
        let bounds: Vec<(&Edge, Release)> = edges.map(|edge| (edge, self.worth_of(edge, &releases))).collect();
        let mut first = from;
        loop {
            let permitted = bounds
                .iter()
                .map(|(edge, bound)| edge.lenient.first_from(first, *bound));
            match permitted.max().filter(|permitted| *permitted > first) {
                Some(permitted) => first = permitted,
                None => return first,
            }
        }
    }

    /// The last release up to one that all edges into a node permit.
    pub(super) fn last_permitted(&self, at: usize, by: Release, releases: &[Release]) -> Option<Release> {
        let mut last = by;
        loop {
            let edges = self.edges_into(at).filter(|edge| !edge.lenient.is_empty());
            let permitted = edges.map(|edge| edge.lenient.last_up_to(last, self.worth(edge, releases)));
            match permitted.min().unwrap_or(Some(last))? {
                permitted if permitted < last => last = permitted,
                _ => return Some(last),
            }
        }
    }

    /// The edge that decides a node: the latest one that the release before does not meet, obligations before the order
    /// of events.
    pub(super) fn decisive(&self, at: usize, releases: &[Release]) -> Option<&Edge> {
        let before = releases[at].previous();
        let edges = self.edges_into(at).filter(|edge| {
            let is_lenient = before.is_some_and(|before| edge.lenient.has(before));
            self.worth(edge, releases) >= releases[at] && !is_lenient
        });
        edges.max_by_key(|edge| (self.worth(edge, releases), edge.position.is_some()))
    }

    /// Why a node is not earlier than in these releases.
    pub(super) fn reason(&self, releases: &[Release], at: usize) -> String {
        let node = &self.nodes[at];
        if node.never == Some(Never::Declared) {
            return "it is declared never to be deprecated".to_owned();
        }
        if let Some(Never::Passed(later)) = node.never {
            let declared = fixed(self.model(), later).map(|release| self.model().calendar.name(release));
            return format!("it {} in {} already", later.what.verb(), declared.unwrap_or_default());
        }
        if node.declared.is_some_and(|declared| declared == releases[at]) {
            return "declared".to_owned();
        }
        let decisive = self.decisive(at, releases);
        let sentence = decisive.and_then(|edge| {
            if edge.position.is_none() {
                return self.order_in_words(edge, releases);
            }
            let sentence = self.sentence(edge, releases)?;
            let is_met = self.worth(edge, releases) <= releases[at];
            let name = self.model().calendar.name(releases[at]);
            Some(if is_met {
                sentence
            } else {
                format!("{sentence}; not an error in {name}")
            })
        });
        sentence.unwrap_or_else(|| self.reason_to_begin(at))
    }

    /// Why an event is not before one that comes before it in its life.
    fn order_in_words(&self, edge: &Edge, releases: &[Release]) -> Option<String> {
        let to = &self.nodes[edge.to];
        let [Alternative { from, distance }] = edge.alternatives[..] else {
            return None;
        };
        let before = distance.event().filter(|_| releases[edge.to] > to.floor)?;
        let release = match from {
            From::Fixed(release) => release,
            From::Node(node) => releases[node],
        };
        if release.is_never() {
            return None;
        }
        let model = self.model();
        let (id, word) = (model.id(before.element), model.event_word(before.what));
        Some(format!("{id} {} in {}", word.verb(), model.calendar.name(release)))
    }

    /// Why a node that no bound holds back is not earlier than its floor.
    fn reason_to_begin(&self, at: usize) -> String {
        let (event, floor, model) = (self.nodes[at].event, self.nodes[at].floor, self.model());
        let (id, name) = (model.id(event.element), model.calendar.name(floor));
        let start = self.terrain.chosen.get(&event).map(|chosen| chosen.start);
        let introduced = model.declared_release(event.sibling(EventKind::Introduced));
        if floor <= model.calendar.next() {
            "the first release that has not shipped".to_owned()
        } else if start == Some(floor) {
            let track = model.track_at(event.element, floor);
            format!("{id} counts as {track} from {name} on")
        } else if self.terrain.floors.get(&event) == Some(&floor) {
            format!("before {name}, it would break a rule")
        } else if introduced == Some(floor) {
            format!("{id} is introduced in {name}")
        } else {
            format!("the last entry of {id} is for {name}")
        }
    }

    /// A bound in words, with its arithmetic; none for the order of the events of a life.
    pub(super) fn sentence(&self, edge: &Edge, releases: &[Release]) -> Option<String> {
        let stated = self.terrain.stated;
        let obligation = stated.obligations.get(edge.position?)?;
        let decisive = edge
            .alternatives
            .iter()
            .min_by_key(|alternative| self.bound(alternative, releases));
        let Some(decisive) = decisive else {
            return Some(obligation.because.to_string());
        };
        let (term, anchor) = match (decisive.distance, decisive.from) {
            (Distance::After(term), From::Fixed(release)) => (term, Some(release)),
            (Distance::After(term), From::Node(node)) => (term, Some(releases[node])),
            (Distance::Reaching(term), _) => (term, Some(releases[edge.to])),
        };
        let anchor = anchor.filter(|anchor| !anchor.is_never());
        let worked = Worked {
            term,
            anchor,
            bound: anchor.map(|anchor| term.worth(&stated.model.calendar, anchor)),
        };
        Some(stated.sentence(obligation, &worked))
    }
}
