//! Makes the graph: reads the events on the ways, and what bounds them, off the obligations.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::Severity;
use crate::model::{ElementId, Event, EventKind, Exception, Model, comes_before};
use crate::obligation::{Anchor, Demand, Obligation, Term};
use crate::plan::fixed;
use crate::release::{Release, Window};
use crate::rules::covers;

use super::bounds::Distance;
use super::graph::{Alternative, Edge, Follower, From, Graph, Never, Node};
use super::lenient::Lenient;
use super::target::{Target, Terrain, is_movable, may_be_declared};

pub(super) struct Builder<'r> {
    graph: Graph<'r>,
    /// The removals of versions that end with these of their kinds.
    wholes: HashMap<Event, Event>,
    /// How many nodes are targets: the first ones.
    targets: usize,
    /// The granted exceptions of each element.
    exceptions: HashMap<ElementId, Vec<&'r Exception>>,
}

impl<'r> Builder<'r> {
    /// The events on the ways to targets, and what bounds them.
    pub(super) fn graph(terrain: Terrain<'r>, targets: &[Target]) -> Graph<'r> {
        let wholes = targets.iter().filter_map(|target| Some((target.event, target.whole?)));
        let mut builder = Self {
            graph: Graph::new(terrain),
            wholes: wholes.collect(),
            targets: 0,
            exceptions: HashMap::new(),
        };
        for exception in &builder.model().exceptions {
            if let Some(element) = exception.element.target {
                builder.exceptions.entry(element).or_default().push(exception);
            }
        }
        for target in targets {
            builder.node(target.event);
        }
        builder.targets = builder.graph.nodes.len();
        let mut next = 0;
        while next < builder.graph.nodes.len() {
            builder.expand(next);
            next += 1;
        }
        builder.cap_by_dependents();
        builder.graph
    }

    fn model(&self) -> &'r Model {
        self.graph.model()
    }

    /// The node of an event, added if there is none.
    fn node(&mut self, event: Event) -> usize {
        if let Some(at) = self.graph.node_of(event) {
            return at;
        }
        let model = self.model();
        let declared = fixed(model, event);
        let movable = is_movable(model, event);
        let Terrain { floors, chosen, .. } = self.graph.terrain;
        let chosen = chosen.get(&event);
        let floor = floors.get(&event).copied().unwrap_or(Release(0));
        let floor = floor.max(chosen.map_or(Release(0), |chosen| chosen.start));
        let floor = floor.max(match event.what {
            EventKind::Deprecated => model.first_announcement(event.sibling(EventKind::Removed)),
            EventKind::Removed => {
                let value = model.last_own_value(event.element).map(|begins| begins.release.plus(1));
                model
                    .last_withdrawal(event)
                    .max(model.calendar.next())
                    .max(value.unwrap_or(Release(0)))
            }
            _ => model.calendar.next(),
        });
        let is_kept = event.what == EventKind::Deprecated && model.keeps(event.element).is_some();
        self.graph.nodes.push(Node {
            event,
            declared,
            movable,
            floor,
            cap: chosen
                .and_then(|chosen| chosen.end.previous())
                .unwrap_or(Release::NEVER),
            never: is_kept.then_some(Never::Declared),
        });
        self.graph.into.push(Vec::new());
        self.graph.out.push(Vec::new());
        let at = self.graph.nodes.len() - 1;
        self.graph.index.insert(event, at);
        at
    }

    /// What a bound counts from that is anchored here; nothing if that has no release, and can have none.
    fn anchor(&mut self, anchor: Anchor) -> Option<From> {
        let event = match anchor {
            Anchor::Release(release) => return Some(From::Fixed(release)),
            Anchor::Event(event) => event,
        };
        let model = self.model();
        match fixed(model, event) {
            Some(release) if release < model.calendar.next() => Some(From::Fixed(release)),
            Some(_) => Some(From::Node(self.node(event))),
            None if may_be_declared(model, event) && self.may_join(event) => Some(From::Node(self.node(event))),
            None => self.graph.terrain.stated.release(event).map(From::Fixed),
        }
    }

    /// Whether an undeclared event may be on the way.
    fn may_join(&self, event: Event) -> bool {
        self.graph.terrain.within.is_none_or(|within| within.contains(&event))
    }

    /// The term of an undeclared removal: what counts from itself then counts from the deprecation.
    fn announced(term: Term, on: Event) -> Term {
        match term.anchor {
            Anchor::Event(event) if event == on => Term {
                anchor: Anchor::Event(on.sibling(EventKind::Deprecated)),
                ..term
            },
            _ => term,
        }
    }

    /// The alternatives of a lower bound: a part is removed with what it is part of, at the latest.
    fn alternatives(&mut self, terms: &[Term], on: Event) -> Vec<Alternative> {
        let model = self.model();
        let mut found = Vec::new();
        for term in terms {
            let term = self.in_kinds(Self::announced(*term, on), on);
            let owners = std::iter::successors(term.event(), |event| {
                let owner = (event.what == EventKind::Removed).then(|| model.owner_removal(*event));
                owner.flatten()
            });
            let mut anchors: Vec<Anchor> = owners.map(Anchor::Event).collect();
            if anchors.is_empty() {
                anchors.push(term.anchor);
            }
            for anchor in anchors {
                let term = Term { anchor, ..term };
                if let Some(from) = self.anchor(anchor) {
                    let distance = Distance::After(term);
                    found.push(Alternative { from, distance });
                }
            }
        }
        found
    }

    /// The term with the kinds of release that may carry the event. What is supposed no longer says so.
    fn in_kinds(&self, term: Term, on: Event) -> Term {
        match self.graph.terrain.facts.obligations.kinds_for(on) {
            Some(only_in) => Term { only_in, ..term },
            None => term,
        }
    }

    fn edge(&mut self, to: usize, position: Option<usize>, alternatives: Vec<Alternative>, lenient: Lenient) {
        let at = self.graph.edges.len();
        self.graph.into[to].push(at);
        for alternative in &alternatives {
            if let From::Node(node) = alternative.from
                && self.graph.out[node].last() != Some(&at)
            {
                self.graph.out[node].push(at);
            }
        }
        self.graph.edges.push(Edge {
            to,
            position,
            alternatives,
            lenient,
        });
    }

    fn expand(&mut self, at: usize) {
        let node = &self.graph.nodes[at];
        let event = node.event;
        if node.is_fact() {
            return;
        }
        self.in_order(at);
        let events = std::iter::once(event).chain(self.wholes.get(&event).copied());
        let obligations = self.graph.terrain.stated.obligations;
        let all: Vec<(usize, &'r Obligation)> = events.flat_map(|event| obligations.on(event)).collect();
        for (position, obligation) in all {
            let floor = self.graph.nodes[at].floor;
            if let Demand::NotAfter(term) = obligation.demand {
                if self.binds(obligation, floor) {
                    self.not_after(at, position, term);
                }
                continue;
            }
            let lenient = self.lenient(obligation, floor);
            match &obligation.demand {
                _ if lenient.is_all_from(floor) || self.is_missed_there(at, obligation) => {}
                Demand::NotBefore(_) | Demand::NotBeforeAny(_) => {
                    let alternatives = self.alternatives(obligation.demand.lower_terms(), obligation.event);
                    self.edge(at, Some(position), alternatives, lenient);
                }
                Demand::Forbidden => self.edge(at, Some(position), Vec::new(), lenient),
                Demand::NotAfter(_) | Demand::Requires(_) => {}
            }
        }
    }

    /// A late event asks that what it has to follow closely comes later too, if that can move.
    fn not_after(&mut self, at: usize, position: usize, term: Term) {
        let term = Self::announced(term, self.graph.nodes[at].event);
        let fixed = match self.anchor(term.anchor) {
            Some(From::Fixed(release)) => release,
            Some(From::Node(node)) => match self.graph.nodes[node].declared {
                Some(release) if !self.graph.nodes[node].movable => release,
                _ => {
                    let alternative = Alternative {
                        from: From::Node(at),
                        distance: Distance::Reaching(term),
                    };
                    self.edge(node, Some(position), vec![alternative], Lenient::default());
                    return;
                }
            },
            None => return,
        };
        let bound = term.worth(&self.model().calendar, fixed);
        // A bound that has passed is a finding already.
        if !bound.open && bound.release >= self.graph.nodes[at].floor {
            let node = &mut self.graph.nodes[at];
            node.cap = node.cap.min(bound.release);
        }
    }

    /// The order of the events of a life, as far as others are declared or chosen.
    fn in_order(&mut self, at: usize) {
        let event = self.graph.nodes[at].event;
        for (first, _, same) in comes_before().filter(|(_, then, _)| *then == event.what) {
            let before = event.sibling(first);
            let is_target = self.graph.node_of(before).is_some_and(|node| node < self.targets);
            let is_given =
                is_target || fixed(self.model(), before).is_some() || self.graph.terrain.chosen.contains_key(&before);
            if let Some(from) = is_given.then(|| self.anchor(Anchor::Event(before))).flatten() {
                let distance = Distance::After(Term::after(before, Window::new(0, u16::from(!same))));
                self.edge(at, None, vec![Alternative { from, distance }], Lenient::default());
            }
        }
    }

    /// Whether an obligation has to be met in a release: it is an error not to, and no exception was granted.
    fn binds(&self, obligation: &Obligation, release: Release) -> bool {
        let Some(rule) = obligation.rule() else { return false };
        let Terrain { stated, law, .. } = self.graph.terrain;
        if stated.severity(law, obligation, release) != Some(Severity::Error) {
            return false;
        }
        let mut exceptions = self.exceptions_of(obligation.event.element);
        !exceptions.any(|exception| covers(law, exception, (rule, obligation.code), release))
    }

    /// The exceptions that are granted for an element or, of a kind, for its version.
    fn exceptions_of(&self, element: ElementId) -> impl Iterator<Item = &'r Exception> {
        let model = self.model();
        let version = model
            .element(element)
            .parent
            .filter(|_| model.element(element).kind.is_kind());
        let subjects = std::iter::once(element).chain(version);
        subjects.filter_map(|id| self.exceptions.get(&id)).flatten().copied()
    }

    /// The releases from one on in which an obligation need not be met.
    fn lenient(&self, obligation: &Obligation, first: Release) -> Lenient {
        let element = obligation.event.element;
        let editions = self.graph.terrain.law.editions().iter().map(|edition| edition.from);
        let exceptions = self.exceptions_of(element);
        let expiries = exceptions.filter_map(|exception| exception.until.map(|(until, _)| until));
        let gates = self.model().gates_guarding(element);
        let stages = gates.flat_map(|gate| gate.specs.iter().map(|spec| spec.since));
        let changes = editions.chain(expiries).chain(stages).collect();
        Lenient::from(first, changes, |release| self.binds(obligation, release))
    }

    /// Declared events that are not on the way, and count from one that is, keep their releases if they can. Else those
    /// that have not shipped follow it.
    fn cap_by_dependents(&mut self) {
        let model = self.model();
        let elements: HashSet<_> = self.graph.nodes.iter().map(|node| node.event.element).collect();
        for at in 0..self.graph.nodes.len() {
            let event = self.graph.nodes[at].event;
            for (first, then, same) in comes_before() {
                let later = event.sibling(then);
                // What was withdrawn is announced again after that.
                if then == EventKind::Undeprecated && fixed(model, event).is_none() {
                    continue;
                }
                if let Some(declared) = fixed(model, later).filter(|_| first == event.what) {
                    let distance = Distance::After(Term::after(event, Window::new(0, u16::from(!same))));
                    // What is on the way too stays if it can.
                    if self.follow(at, (later, declared), distance) || self.graph.node_of(later).is_some() {
                        continue;
                    }
                    let latest = distance.backwards(&model.calendar, declared);
                    let node = &mut self.graph.nodes[at];
                    if node.declared.is_none() && latest.is_none_or(|latest| latest < node.floor) {
                        node.never.get_or_insert(Never::Passed(later));
                    }
                    self.cap(at, distance, declared);
                }
            }
        }
        for obligation in self.graph.terrain.stated.obligations.all() {
            for term in obligation.demand.lower_terms() {
                let Some(node) = term.event().filter(|event| elements.contains(&event.element)) else {
                    continue;
                };
                if let Some(at) = self.graph.node_of(node)
                    && self.graph.node_of(obligation.event).is_none()
                    // Nothing on the way comes before what has shipped: if that is too early, it stays the same breach.
                    && let Some(last) = self.last_of(obligation).filter(|last| *last >= model.calendar.next())
                    && self.is_needed(obligation, *term, last)
                    && self.binds(obligation, last)
                {
                    let (distance, last) = (Distance::After(*term), self.missed_already(obligation, last));
                    if !self.follow(at, (obligation.event, last), distance) {
                        self.cap(at, distance, last);
                    }
                }
            }
        }
    }

    /// Whether an event has to wait for a term to come in a release: of several, one that is met by then is enough.
    fn is_needed(&self, obligation: &Obligation, term: Term, release: Release) -> bool {
        let mut others = obligation.demand.lower_terms().iter().filter(|other| **other != term);
        others.all(|other| self.graph.terrain.facts.work(*other).release() > release)
    }

    /// Whether a declared event that is no target misses a bound where it is: a breach of the model as it is does not
    /// have to end for a target.
    fn is_missed_there(&self, at: usize, obligation: &Obligation) -> bool {
        let declared = self.graph.nodes[at].declared.filter(|_| at >= self.targets);
        declared.is_some_and(|declared| self.missed_already(obligation, declared) > declared)
    }

    /// The release from which on a bound is missed by more than already: that of an event, or the latest one that the
    /// model as it is asks of it by an obligation with the same code. A check reports that one only.
    fn missed_already(&self, obligation: &Obligation, release: Release) -> Release {
        let facts = self.graph.terrain.facts;
        let alike = facts.obligations.on(obligation.event).filter(|(_, other)| {
            let is_alike = (other.rule(), other.code) == (obligation.rule(), obligation.code);
            is_alike && self.binds(other, release)
        });
        let bounds = alike.filter_map(|(_, other)| facts.deciding(&other.demand));
        bounds.map(|worked| worked.release()).fold(release, Release::max)
    }

    /// Lets an event follow a node, if it is declared for a release that may change, unless the node still meets the
    /// last release of its bound. What is too early already does not have to.
    fn follow(&mut self, at: usize, (event, last): (Event, Release), distance: Distance) -> bool {
        let model = self.model();
        let Some(declared) = fixed(model, event).filter(|_| is_movable(model, event)) else {
            return false;
        };
        let latest = distance.backwards(&model.calendar, last);
        if self.graph.nodes[at].declared.is_none_or(|node| Some(node) <= latest) {
            self.graph.followers.push(Follower {
                node: at,
                event,
                declared,
                latest,
            });
        }
        true
    }

    /// The last release of an event that is not on the way: its declared one, or its deadline.
    fn last_of(&self, obligation: &Obligation) -> Option<Release> {
        let event = obligation.event;
        fixed(self.model(), event).or_else(|| {
            self.graph.terrain.stated.planned(event)?;
            let upper = self.graph.terrain.stated.upper(event)?;
            let is_known = !upper.worked.is_open() && self.binds(upper.obligation, upper.worked.release());
            is_known.then(|| upper.worked.release())
        })
    }

    /// Keeps an event early enough for one that counts from it, unless it is too late for that already.
    fn cap(&mut self, at: usize, distance: Distance, last: Release) {
        let latest = distance.backwards(&self.model().calendar, last);
        let node = &mut self.graph.nodes[at];
        if let Some(latest) = latest.filter(|latest| *latest >= node.declared.unwrap_or(node.floor).max(node.floor)) {
            node.cap = node.cap.min(latest);
        }
    }
}
