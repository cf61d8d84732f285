//! The backward pass: of each event on the way to a target, the earliest and the latest release.
//!
//! The way is read off the obligations: an event has lower bounds that count from other events, which have bounds of
//! their own. A later start never gives an earlier end, so the earliest releases are the least fixed point forwards, as
//! in the plan, and the latest ones are found backwards: of an event, the last release whose bound is not after the
//! latest release of what counts from it. A target can be reached if no event on the way is later than that.
//!
//! Only obligations that are errors to violate bind, in the releases in which they are. What planning wishes does not:
//! a target may be reached sooner or later than the plan. Declared events that come in time keep their releases;
//! others that have not shipped are moved. So is what counts from an event on the way, if it is declared too early for
//! that: it comes when the model plans it. Of several events from which a bound may count, the one that permits the
//! earliest release is on the way, and names the others that would do instead. None is where the bound is met already.

mod bounds;
mod builder;
mod clash;
mod graph;
mod lenient;
mod passes;
mod target;

use std::collections::HashSet;

use crate::model::{ElementId, Event};
use crate::release::Release;

use builder::Builder;
pub(crate) use clash::Clash;
use graph::{Graph, Node};
use passes::Passes;
pub(crate) use target::{Target, Terrain, may_be_declared};

/// Whether the release of an event may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mobility {
    /// It is not declared, or what is declared does not change.
    None,
    /// It is declared for a release that may change, and comes in time.
    Stays,
    /// It is declared for a release that is too late, and may be declared for another one.
    Moves,
    /// No target depends on it: it moves, or is no longer declared, because an event on the way comes later.
    Follows,
}

/// An event on the way.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) event: Event,
    /// Its declared release, if it is declared.
    pub(crate) declared: Option<Release>,
    pub(crate) mobility: Mobility,
    /// [`Release::NEVER`] if there is none.
    pub(crate) earliest: Release,
    /// Its earliest release if all declared events move that may.
    pub(crate) soonest: Release,
    /// `None` if no release is early enough.
    pub(crate) latest: Option<Release>,
    /// Whether it decides when the tightest target can be reached.
    pub(crate) critical: bool,
    /// Why it is not earlier, in words.
    pub(crate) reason: String,
    /// The events any of which would do in its place, with their latest releases.
    pub(crate) instead: Vec<(Event, Release)>,
}

/// The way to some targets.
#[derive(Debug, Default)]
pub(crate) struct Way {
    /// In the order of the events.
    pub(crate) steps: Vec<Step>,
    /// Of each target that cannot be reached, what prevents it.
    pub(crate) clashes: Vec<Clash>,
}

impl Step {
    /// Whether it still has to be declared.
    pub(crate) fn is_open(&self) -> bool {
        self.declared.is_none() || matches!(self.mobility, Mobility::Moves | Mobility::Follows)
    }

    /// Whether its declared release may change at all.
    pub(crate) fn is_movable(&self) -> bool {
        self.mobility != Mobility::None
    }

    /// Whether it can be sooner if all declared events move that may.
    pub(crate) fn is_sooner(&self) -> bool {
        self.soonest < self.earliest
    }

    pub(crate) fn follows(&self) -> bool {
        self.mobility == Mobility::Follows
    }

    /// How many releases it may come later.
    pub(crate) fn slack(&self) -> Option<u32> {
        let latest = self.latest.filter(|_| !self.earliest.is_never())?;
        latest.0.checked_sub(self.earliest.0)
    }
}

impl Way {
    pub(crate) fn find(terrain: Terrain<'_>, targets: &[Target]) -> Self {
        let graph = Builder::graph(terrain, targets);
        let passes = Passes::of(&graph, targets);
        let critical = clash::critical(&graph, &passes, targets);
        let mut steps: Vec<Step> = (0..graph.nodes.len())
            .filter(|at| passes.is_on_the_way(*at))
            .map(|at| {
                let node: &Node = &graph.nodes[at];
                Step {
                    event: node.event,
                    declared: node.declared,
                    mobility: match (node.movable, passes.is_held(at)) {
                        (false, _) => Mobility::None,
                        (true, true) => Mobility::Stays,
                        (true, false) => Mobility::Moves,
                    },
                    earliest: passes.earliest[at],
                    soonest: passes.free[at],
                    latest: passes.latest(at),
                    critical: critical.contains(&at),
                    reason: graph.reason(&passes.earliest, at),
                    instead: passes.instead(&graph, at),
                }
            })
            .collect();
        steps.extend(following(&graph, &passes));
        steps.sort_by_key(|step| step.event);
        steps.dedup_by_key(|step| step.event);
        let failing = targets.iter().filter(|target| {
            let at = graph.node_of(target.event);
            at.is_some_and(|at| passes.earliest[at] > target.by)
        });
        Self {
            steps,
            clashes: failing.map(|target| Clash::of(&graph, &passes, *target)).collect(),
        }
    }

    /// When an event on the way may come at the earliest; [`Release::NEVER`] if never.
    pub(crate) fn earliest(&self, event: Event) -> Option<Release> {
        self.step(event).map(|step| step.earliest)
    }

    pub(crate) fn of_element(&self, element: ElementId) -> impl Iterator<Item = &Step> {
        let first = self.steps.partition_point(|step| step.event.element < element);
        let rest = self.steps.iter().skip(first);
        rest.take_while(move |step| step.event.element == element)
    }

    /// Whether another way has nothing to declare that this one has not.
    pub(crate) fn has_all_of(&self, other: &Self) -> bool {
        let mut open = other.steps.iter().filter(|step| step.is_open() && !step.follows());
        open.all(|step| self.step(step.event).is_some())
    }

    pub(crate) fn step(&self, event: Event) -> Option<&Step> {
        let at = self.steps.binary_search_by_key(&event, |step| step.event).ok()?;
        self.steps.get(at)
    }

    /// Lets some events come no later than at their earliest.
    pub(crate) fn keep_earliest(&mut self, events: &HashSet<Event>) {
        let steps = self.steps.iter_mut().filter(|step| events.contains(&step.event));
        steps.for_each(|step| step.latest = Some(step.earliest));
    }

    /// Lets some events come no sooner than with declared events where they are; all events, if none of them could.
    pub(crate) fn keep_soonest(&mut self, events: &HashSet<Event>) {
        for step in &mut self.steps {
            if events.is_empty() || events.contains(&step.event) {
                step.soonest = step.earliest;
            }
        }
    }
}

/// The declared events that cannot stay where they are because an event on the way comes later.
fn following(graph: &Graph<'_>, passes: &Passes) -> Vec<Step> {
    let moving = graph
        .followers
        .iter()
        .filter(|follower| passes.is_on_the_way(follower.node) && follower.moves(&passes.earliest));
    let steps = moving.map(|follower| {
        let (model, event) = (graph.model(), follower.event);
        let before = graph.nodes[follower.node].event;
        // Planned once the declaration is withdrawn on trial; of a kind, that of its version is in force then.
        let floor = graph.terrain.floors.get(&event).copied();
        let planned = graph
            .terrain
            .stated
            .release(event)
            .map(|planned| planned.max(floor.unwrap_or(planned)));
        Step {
            event,
            declared: Some(follower.declared),
            mobility: Mobility::Follows,
            earliest: planned.unwrap_or(Release::NEVER),
            soonest: planned.unwrap_or(Release::NEVER),
            latest: None,
            critical: false,
            reason: format!(
                "it counts from {} {}",
                model.id(before.element),
                model.event_word(before.what)
            ),
            instead: Vec::new(),
        }
    });
    steps.collect()
}
