//! Ends that are not declared, as if each came as soon as the law permits: those that are not planned, and those that
//! are planned for later.
//!
//! Whether a life may end just when another version begins depends on the release in which it ends. Without one, it is
//! taken to stay. Nothing depends on it where another life without an end is there to move from: so of each kind, only
//! few ends are worked out.

use std::collections::HashMap;

use crate::model::{ElementId, Event, EventKind, Family, Group, Kind, Version};
use crate::obligation::{Demand, Obligation, STEPS_OF_LIFE, Steps, Term};
use crate::policy::Law;
use crate::release::Release;
use crate::rules;

use super::Reasoning;

/// The obligations of these lives to stay until there is a version to move to.
pub(crate) fn open_ends(reasoning: Reasoning<'_>, law: &Law, steps: &Steps) -> Vec<Obligation> {
    let mut out = Vec::new();
    let groups = reasoning.model.judged_groups();
    for group in groups.filter(|group| group.family == Family::Api) {
        let mut within = Within {
            reasoning,
            law,
            group,
            steps,
            covered: Vec::new(),
        };
        within.covered = within.covered_by_versions();
        for version in &group.versions {
            within.of_version(version, &mut out);
        }
    }
    out
}

struct Within<'r> {
    reasoning: Reasoning<'r>,
    law: &'r Law,
    group: &'r Group,
    steps: &'r Steps,
    /// The versions with a part without an end, and the first release that the earliest of these covers; that first.
    covered: Vec<(Release, ElementId)>,
}

/// Lives that end together.
struct Ends<'e> {
    /// In order.
    all: &'e [Event],
    /// The removal that is bound to stay for all of them.
    on: Event,
    kinds: &'e [&'e Kind],
    /// Whether the version ends with them.
    version: bool,
}

impl Within<'_> {
    fn of_version(&self, version: &Version, out: &mut Vec<Obligation>) {
        let model = self.reasoning.model;
        let parts = version.served().iter().copied();
        let open: Vec<ElementId> = parts
            .filter(|part| self.is_open(*part) || self.may_end_sooner(*part))
            .collect();
        let ends = open.iter().map(|part| model.last_event(*part, EventKind::Removed));
        let ends: Vec<Event> = ends.collect();
        let Some(first) = self.first_end(&ends) else { return };
        let whole = !self.is_covered_by_version(version, first);
        let mut needed: Vec<&Kind> = Vec::new();
        for (part, end) in open.iter().zip(&ends) {
            let first = self.reasoning.soonest_removal(*end).release;
            let kind = model.kind_of(*part).filter(|kind| !self.is_covered(kind, *part, first));
            needed.extend(kind);
            let ends = Ends {
                all: &[*end],
                on: *end,
                kinds: kind.as_slice(),
                version: whole && open.len() == 1,
            };
            self.stay(&ends, first, out);
        }
        if !version.kinds.is_empty() {
            let mut all = ends;
            all.sort_unstable();
            let ends = Ends {
                all: &all,
                on: model.last_event(version.element, EventKind::Removed),
                kinds: &needed,
                version: whole,
            };
            self.stay(&ends, self.reasoning.soonest_end(version.element).release, out);
        }
    }

    /// The earliest of the releases in which these lives may end.
    fn first_end(&self, ends: &[Event]) -> Option<Release> {
        ends.iter()
            .map(|end| self.reasoning.soonest_removal(*end).release)
            .min()
    }

    fn is_open(&self, part: ElementId) -> bool {
        let removed = self.reasoning.model.last_event(part, EventKind::Removed);
        self.reasoning.release(removed).is_none_or(Release::is_never)
    }

    /// Whether a life may end before the release that is planned for its end.
    fn may_end_sooner(&self, part: ElementId) -> bool {
        let removed = self.reasoning.model.last_event(part, EventKind::Removed);
        let planned = self.reasoning.planned(removed);
        planned.is_some_and(|planned| self.reasoning.soonest_removal(removed).release < planned.release)
    }

    /// Whether another version of a kind is there to move from, without an end, when one ends.
    fn is_covered(&self, kind: &Kind, part: ElementId, end: Release) -> bool {
        let mut others = kind.versions.iter().flatten().filter(|other| **other != part);
        end.is_never() || others.any(|other| self.covers(*other, end))
    }

    fn is_covered_by_version(&self, version: &Version, end: Release) -> bool {
        let mut others = self.covered.iter().filter(|(_, other)| *other != version.element);
        end.is_never() || others.next().is_some_and(|(from, _)| *from <= end)
    }

    fn covered_by_versions(&self) -> Vec<(Release, ElementId)> {
        let versions = self.group.versions.iter();
        let earliest = versions.filter_map(|version| {
            let from = version.served().iter().filter_map(|part| self.covers_from(*part));
            Some((from.min()?, version.element))
        });
        let mut earliest: Vec<(Release, ElementId)> = earliest.collect();
        earliest.sort_unstable();
        earliest
    }

    fn covers(&self, part: ElementId, end: Release) -> bool {
        self.covers_from(part).is_some_and(|from| from <= end)
    }

    /// The first release in which another life may end, because this one is there and has no end.
    fn covers_from(&self, part: ElementId) -> Option<Release> {
        self.steps.take(STEPS_OF_LIFE);
        let model = self.reasoning.model;
        let begin = model.last_event(part, EventKind::Introduced);
        let since = model.declared_release(begin).filter(|_| self.is_open(part))?;
        Some(rules::overlapped_in(model, self.law, begin, since))
    }

    fn stated(&self, ends: &Ends<'_>, releases: &dyn Fn(Event) -> Option<Release>) -> Vec<Obligation> {
        let lines = (ends.kinds, ends.version);
        rules::state_supposed(self.reasoning.model, self.law, self.group, lines, releases, self.steps)
    }

    /// Whether another life may end in a release: its end is not declared, is due no earlier, and these do not wait for
    /// it.
    fn may_stay(&self, removed: Event, until: Release, ends: &Ends<'_>) -> bool {
        let reasoning = self.reasoning;
        let due = reasoning.upper(removed);
        reasoning.model.find_declared(removed).is_none()
            && due.is_none_or(|due| due.worked.release() >= until)
            && ends.all.iter().all(|end| reasoning.waiting(*end, removed).is_none())
    }

    /// States how long these lives stay, from the first release in which they could end.
    fn stay(&self, ends: &Ends<'_>, first: Release, out: &mut Vec<Obligation>) {
        if first.is_never() || (ends.kinds.is_empty() && !ends.version) {
            return;
        }
        let reasoning = self.reasoning;
        // The plan leaves an overlap.
        let planned = ends.all.iter().map(|end| reasoning.release(*end));
        let planned = planned.map(|planned| planned.unwrap_or(Release::NEVER)).max();
        let planned = planned.filter(|planned| !planned.is_never());
        let mut known: HashMap<Event, Vec<Obligation>> = HashMap::new();
        for stay in self.stated(ends, &|event| reasoning.release(event)) {
            known.entry(stay.event).or_default().push(stay);
        }
        let mut at = first;
        while !self.steps.are_spent() {
            let stated = self.stated(ends, &|event| {
                let is_supposed = ends.all.binary_search(&event).is_ok();
                is_supposed.then_some(at).or_else(|| reasoning.release(event))
            });
            let mut last = at;
            for stay in stated {
                // Where another version would leave no overlap without these, they are the ones to stay.
                let is_known = known.get(&stay.event).is_some_and(|known| known.contains(&stay));
                let until = reasoning.deciding(&stay.demand).map_or(at, |worked| worked.release());
                let is_other = !is_known && !self.may_stay(stay.event, until, ends);
                if until > at && (is_other || ends.all.binary_search(&stay.event).is_ok()) {
                    last = last.max(until.min(planned.unwrap_or(until)));
                    out.push(Obligation {
                        event: ends.on,
                        demand: up_to(stay.demand, planned),
                        ..stay
                    });
                }
            }
            if last == at {
                return;
            }
            at = last;
        }
    }
}

/// The same demand up to a release, from which on it is none.
fn up_to(demand: Demand, release: Option<Release>) -> Demand {
    let Some(release) = release else { return demand };
    let terms = demand.lower_terms().iter().copied().chain([Term::from(release)]);
    Demand::not_before_any(terms.collect()).unwrap_or(demand)
}
