//! Replacements: as declared, or by succession (P4).
//!
//! A report names as the replacement of an element only what its users can move to: something that is served in the
//! release in which it is named *and* in the release of the removal. Where no removal is scheduled, none may be
//! scheduled for the replacement either. So with v1beta1 → v1beta2 → v1, notes name v1beta2 until v1 is introduced; and
//! never v1beta2 if that is removed before v1beta1. A successor that a gate makes less stable is named only from the
//! release in which the gate makes it as stable.
//!
//! A replacement that the model *declares* may be introduced after the deprecation (`comes-later`). The plan and lists
//! of warnings without a release name it all the same, because it is the owner's word. Notes of a release before its
//! introduction do not. What takes the place of a declared one that is removed too early is no such word.

use std::collections::HashMap;

use crate::derivation::Reasoning;
use crate::model::succession::{Succession, replacement_named};
use crate::model::{ElementId, Event, EventKind, Version};
use crate::release::Release;
use crate::rules::Service;

/// The most links of a chain that are followed.
const LONGEST_CHAIN: usize = 100;

/// What replaces each element: a link to another element, whose own link leads on.
#[derive(Debug)]
pub(super) struct Replacements<'r> {
    reasoning: Reasoning<'r>,
    /// By the element's position.
    links: Vec<Option<ElementId>>,
    /// By element: when its successor becomes as stable, if that is after the deprecation.
    as_stable_from: HashMap<ElementId, Release>,
}

/// What a report names: the first link of the chain that fits, and the last one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Named {
    pub(super) replacement: Option<ElementId>,
    pub(super) migrate_to: Option<ElementId>,
}

impl<'r> Replacements<'r> {
    /// No replacements, where reports are asked for events only.
    pub(super) fn none(reasoning: Reasoning<'r>) -> Self {
        Self {
            reasoning,
            links: vec![None; reasoning.model.elements().len()],
            as_stable_from: HashMap::new(),
        }
    }

    /// The replacement of every element that is deprecated or names one.
    pub(super) fn of(reasoning: Reasoning<'r>) -> Self {
        let model = reasoning.model;
        let mut replacements = Self::none(reasoning);
        for group in model.groups.iter() {
            for succession in Succession::of(model, group) {
                for (at, element) in succession.line.iter().enumerate() {
                    replacements.links[element.0 as usize] = replacements.in_line(&succession, at);
                    let from = replacements.becomes_as_stable(&succession, at);
                    replacements.as_stable_from.extend(from.map(|from| (*element, from)));
                }
            }
            for version in group.versions.iter().filter(|version| !version.kinds.is_empty()) {
                replacements.links[version.element.0 as usize] = replacements.of_version(version);
            }
        }
        for (id, element) in model.elements().filter(|(_, element)| element.attributes().is_some()) {
            let versioned = element.kind.is_kind() || element.kind.is_version();
            if let (false, Some(other)) = (versioned, replacement_named(model, id)) {
                replacements.links[id.0 as usize] = Some(other);
            }
        }
        replacements
    }

    /// The replacement of an element, the replacement of that, and so on; none if they form a cycle.
    pub(super) fn chain(&self, element: ElementId) -> Vec<ElementId> {
        let mut chain = vec![element];
        let mut last = element;
        while let Some(next) = self.links[last.0 as usize] {
            if chain.contains(&next) {
                return Vec::new();
            }
            if chain.len() > LONGEST_CHAIN {
                break;
            }
            chain.push(next);
            last = next;
        }
        chain.split_off(1)
    }

    /// What is named for a life in a release: what is served then and when the life ends. Users who skip releases hear
    /// of it after its end, and need what is served then.
    pub(super) fn as_of(&self, element: ElementId, life: u8, release: Release) -> Named {
        let is_last = life == self.reasoning.model.last_life(element);
        // A version ends with the kinds, too, that enter it only later.
        let begun = self.last_begin(element).filter(|_| is_last);
        self.lasting(
            element,
            release,
            self.end(element, life, release.max(begun.unwrap_or(release))),
        )
    }

    /// When the last lives of the parts of an element have all begun.
    fn last_begin(&self, element: ElementId) -> Option<Release> {
        let model = self.reasoning.model;
        let parts = model.served_by(element).into_iter();
        let begins = parts.map(|part| self.service(part, model.last_life(part)).since);
        begins.max()
    }

    /// What is served in a release, and at an end.
    fn lasting(&self, element: ElementId, release: Release, end: Release) -> Named {
        if self.stable_from(element).is_some_and(|from| from > release) {
            return Named::default();
        }
        let end = end.max(release);
        let chain = self.chain(element);
        let mut lasting = chain.iter().filter(|other| self.lasts(**other, release, end));
        let first = lasting.next().copied();
        Named {
            replacement: first,
            migrate_to: lasting.next_back().copied().or(first),
        }
    }

    /// What the plan names for the last life: as of the current release while it is deprecated; before, as of its
    /// deprecation; after, as of its removal.
    pub(super) fn planned(&self, element: ElementId) -> Named {
        if self.links[element.0 as usize].is_none() {
            return Named::default();
        }
        let model = self.reasoning.model;
        let life = model.last_life(element);
        let current = model.calendar.current().unwrap_or(Release(0));
        let parts = model.served_by(element);
        let since = self.served_since(element);
        let last = self.last_begin(element);
        // A kind that comes back later has what the entry of its version announced before, unless it has its own.
        let own = model.in_force(model.last_event(element, EventKind::Deprecated));
        let mut kinds = parts.iter().map(|part| model.last_event(*part, EventKind::Deprecated));
        let is_taken = kinds.any(|deprecated| !model.declares_itself(deprecated));
        let announced = own
            .filter(|_| is_taken)
            .map(|own| own.release)
            .into_iter()
            .chain(self.announced_last(element));
        let announced = announced.min().max(Some(current)).max(since).unwrap_or(current);
        let end = self.end(element, life, announced.max(last.unwrap_or(announced)));
        let named = self.lasting(element, announced.min(end), end);
        if replacement_named(model, element).is_none() {
            return named;
        }
        let chain = self.chain(element);
        let mut last_first = chain.iter().rev();
        let last = last_first.find(|other| self.is_served(**other, end)).copied();
        Named {
            replacement: self.declared(element, life),
            migrate_to: named.migrate_to.or(last),
        }
    }

    /// A declared replacement, or if it is removed before a life ends, the first link after it that is served then.
    pub(super) fn declared(&self, element: ElementId, life: u8) -> Option<ElementId> {
        let end = self.end(element, life, Release::NEVER);
        let chain = self.chain(element);
        let named = chain.first().filter(|other| {
            let services = self.services(**other);
            let mut ends = services.iter().map(|service| service.until);
            ends.any(|until| until > end || until.is_never())
        });
        let mut chain = chain.iter();
        named
            .or_else(|| chain.find(|other| self.is_served(**other, end)))
            .copied()
    }

    /// Whether something that is not introduced, or not as stable, by a release replaces an element later.
    pub(super) fn comes_after(&self, element: ElementId, release: Release) -> bool {
        if self.stable_from(element).is_some_and(|from| from > release) {
            return true;
        }
        let chain = self.chain(element).into_iter();
        let services = chain.flat_map(|other| self.services(other));
        services
            .into_iter()
            .any(|service| service.since > release && !service.since.is_never())
    }

    fn lasts(&self, element: ElementId, from: Release, to: Release) -> bool {
        self.is_served(element, from) && self.is_served(element, to)
    }

    /// Whether an element is served in a release; for [`Release::NEVER`], whether it stays.
    fn is_served(&self, element: ElementId, release: Release) -> bool {
        let services = self.services(element);
        let mut services = services.iter();
        services.any(|service| service.covers(release) || release.is_never() && service.until.is_never())
    }

    /// When an element is served; of a version with kinds, when they are.
    fn services(&self, element: ElementId) -> Vec<Service> {
        let model = self.reasoning.model;
        let lives = model
            .served_by(element)
            .into_iter()
            .flat_map(|owner| (0..model.lives(owner)).map(move |life| (owner, life)));
        lives.map(|(owner, life)| self.service(owner, life)).collect()
    }

    /// Without an introduction, an element has always been there.
    fn service(&self, element: ElementId, life: u8) -> Service {
        let removed = Event::new(element, life, EventKind::Removed);
        let since = self.reasoning.release(removed.sibling(EventKind::Introduced));
        Service {
            since: since.unwrap_or(Release(0)),
            until: self.reasoning.release(removed).unwrap_or(Release::NEVER),
        }
    }

    /// Since when an element is served without a gap up to the last lives of its parts.
    fn served_since(&self, element: ElementId) -> Option<Release> {
        let model = self.reasoning.model;
        let parts = model.served_by(element).into_iter();
        let last = parts.map(|part| self.service(part, model.last_life(part)).since);
        let mut services = self.services(element);
        services.sort_by_key(|service| std::cmp::Reverse(service.until));
        let since = services.into_iter().fold(last.min()?, |since, earlier| {
            if earlier.until >= since {
                since.min(earlier.since)
            } else {
                since
            }
        });
        Some(since)
    }

    fn kinds_of(&self, element: ElementId) -> &'r [ElementId] {
        let model = self.reasoning.model;
        let version = Some(element).filter(|id| model.element(*id).kind.is_version());
        version
            .and_then(|version| model.version_of(version))
            .map_or(&[], |version| &version.kinds)
    }

    /// The release that removes a life; for a version with kinds, the last of those that it serves by a release.
    fn end(&self, element: ElementId, life: u8, by: Release) -> Release {
        if self.kinds_of(element).is_empty() {
            return self.service(element, life).until;
        }
        let services = self.services(element).into_iter();
        let begun = services.filter(|service| service.since <= by);
        begun.map(|service| service.until).max().unwrap_or(Release::NEVER)
    }

    /// The release that removes the last life of a kind.
    fn last_end(&self, kind: ElementId) -> Release {
        self.service(kind, self.reasoning.model.last_life(kind)).until
    }

    /// When the end of a life is announced. A removal without a deprecation deprecates as well (rule 4a).
    fn announced(&self, element: ElementId, life: u8) -> Option<Release> {
        let events = [EventKind::Deprecated, EventKind::Removed].map(|what| Event::new(element, life, what));
        events.into_iter().find_map(|event| self.reasoning.release(event))
    }

    /// The same for the last life of an element; of a version with kinds, when the end of all of them is announced.
    fn announced_last(&self, element: ElementId) -> Option<Release> {
        let model = self.reasoning.model;
        let owners = model.served_by(element).into_iter();
        let all: Option<Vec<Release>> = owners
            .map(|owner| self.announced(owner, model.last_life(owner)))
            .collect();
        all?.into_iter().max()
    }

    /// The replacement in a line of versions: what the entry names, or the successor at its deprecation, if possible
    /// one that is still served when it is removed.
    fn in_line(&self, succession: &Succession, at: usize) -> Option<ElementId> {
        let model = self.reasoning.model;
        let element = succession.line[at];
        if let Some(named) = replacement_named(model, element) {
            return Some(named);
        }
        let life = model.last_life(element);
        let announced = self.announced(element, life)?;
        let end = self.end(element, life, announced);
        let mut lasting = succession.successors_at(model, at, announced);
        lasting
            .find(|other| self.lasts(*other, announced, end))
            .or_else(|| succession.successors_at(model, at, announced).next())
            .or_else(|| {
                let first = succession.first_successor(model, at)?.life.element;
                Some(first).filter(|first| !succession.is_given_up(model, *first, announced))
            })
    }

    /// When the successor of an element becomes as stable, if it has none at its deprecation: a gate may make it so
    /// later than it is introduced.
    fn becomes_as_stable(&self, succession: &Succession, at: usize) -> Option<Release> {
        let model = self.reasoning.model;
        let element = succession.line[at];
        let announced = self.announced(element, model.last_life(element))?;
        let is_there = replacement_named(model, element).is_some()
            || succession.successors_at(model, at, announced).next().is_some();
        let first = succession.first_successor(model, at).filter(|_| !is_there)?;
        model.declared_release(first.since)
    }

    /// The same; of a version with kinds, for all of them.
    fn stable_from(&self, element: ElementId) -> Option<Release> {
        let parts = self.reasoning.model.served_by(element).into_iter();
        parts.filter_map(|part| self.as_stable_from.get(&part).copied()).max()
    }

    /// The replacement of a version that is deprecated with all its kinds: the most stable of theirs, then the highest.
    /// What replaced kinds that have left it says nothing about those that it still serves. Another group replaces it
    /// only if each kind moves there.
    fn of_version(&self, version: &Version) -> Option<ElementId> {
        let model = self.reasoning.model;
        replacement_named(model, version.element).or_else(|| {
            self.announced_last(version.element)?;
            let current = model.calendar.current().unwrap_or(Release(0));
            let ends = version.kinds.iter().map(|kind| (*kind, self.last_end(*kind)));
            let (left, served): (Vec<_>, Vec<_>) = ends.partition(|(_, end)| *end <= current);
            let kinds = if served.is_empty() { left } else { served };
            let targets = kinds.iter().map(|(kind, _)| self.links[kind.0 as usize]);
            let targets: Vec<_> = targets.map(|target| model.version_of(target?)).collect();
            let versions = targets.iter().flatten();
            let last = versions.max_by(|a, b| a.name.rank(&b.name).then(b.element.cmp(&a.element)));
            let last = last?.element;
            let mut others = targets.iter();
            let moves = self.are_of_one_group(last, version.element)
                || others.all(|target| target.is_some_and(|target| self.are_of_one_group(last, target.element)));
            moves.then_some(last)
        })
    }

    fn are_of_one_group(&self, one: ElementId, other: ElementId) -> bool {
        let groups = [one, other].map(|version| self.reasoning.model.group_of(version));
        let [one, other] = groups.map(|group| group.map(|group| (group.family, &group.name)));
        one == other
    }
}
