//! The releases from which the law may judge a removal otherwise than before.

use std::collections::HashMap;

use crate::derivation::{Step, Way, changes};
use crate::model::{ElementId, Event, EventKind, Family, Group, Kind, Model, Version};
use crate::plan::fixed;
use crate::release::Release;

use super::Evaluation;

/// A release from which the law may judge a removal otherwise.
#[derive(Debug, Clone, Copy)]
pub(super) enum Threshold {
    /// Of the removal itself: a version begins, or is there for one release, or a part no longer may leave its version.
    Removal(Release),
    /// The law asks for another announcement from a release on, and of removals in `removed` or later.
    Announcement { from: Release, removed: Release },
}

impl Threshold {
    pub(super) fn release(self) -> Release {
        let (Self::Removal(release) | Self::Announcement { removed: release, .. }) = self;
        release
    }
}

/// The removals that the law may judge otherwise in their latest releases than in their earliest ones, each with the
/// thresholds in between, in order.
pub(super) fn thresholds<'w>(before: &Evaluation, way: &'w Way) -> Vec<(&'w Step, Vec<Threshold>)> {
    let model = &before.model;
    let mut groups: HashMap<(Family, &str), Vec<Release>> = HashMap::new();
    let open = way.steps.iter().filter(|step| step.is_open() && !step.follows());
    let removals = open.filter(|step| step.event.what == EventKind::Removed);
    let mut found = Vec::new();
    for step in removals {
        let element = step.event.element;
        let begins = model.group_of(element).map(|group| {
            let known = groups.entry((group.family, &*group.name));
            &*known.or_insert_with(|| beginnings(model, group))
        });
        let begins = begins.into_iter().flatten().copied().map(Threshold::Removal);
        let all = begins.chain(by_law(before, way, step.event));
        let within = all.filter(|one| one.release() > step.earliest && Some(one.release()) <= step.latest);
        let mut within: Vec<Threshold> = within.collect();
        within.sort_by_key(|threshold| threshold.release());
        if !within.is_empty() {
            found.push((step, within));
        }
    }
    found
}

/// Those that the stability of an element and the editions of the law set.
fn by_law(before: &Evaluation, way: &Way, removed: Event) -> Vec<Threshold> {
    let model = &before.model;
    let changes = changes(&before.law, model, removed.element).into_iter();
    // Whether it was alpha is judged by its last release.
    let changes = changes.flat_map(|change| [(change, change), (change, change.plus(1))]);
    if model.element(removed.element).kind.is_member() {
        return changes.map(|(_, removed)| Threshold::Removal(removed)).collect();
    }
    let deprecated = removed.sibling(EventKind::Deprecated);
    if fixed(model, deprecated).is_some() {
        return Vec::new();
    }
    // What is announced is judged by the law of its announcement, wherever on its way that is.
    let step = way.step(deprecated);
    let announcements = changes.filter(|(from, _)| {
        step.is_none_or(|step| step.earliest < *from && step.latest.is_some_and(|latest| *from <= latest))
    });
    announcements
        .map(|(from, removed)| Threshold::Announcement { from, removed })
        .collect()
}

/// The releases from which a version of a group is there to move to: one that ends before has none, and one that ends
/// just then does not overlap with it.
fn beginnings(model: &Model, group: &Group) -> Vec<Release> {
    let served = group.versions.iter().flat_map(Version::served);
    let begins = served.flat_map(|part| {
        let lives = (0..model.lives(*part)).map(|life| Event::new(*part, life, EventKind::Introduced));
        lives.filter_map(|begin| model.declared_release(begin))
    });
    begins.flat_map(|begins| [begins, begins.plus(1)]).collect()
}

/// The releases in which versions begin or end to serve kinds and their members, as declared, as planned or on a way:
/// a version lacks a counterpart until then. Those of a kind are listed once.
pub(super) struct Counterparts<'w> {
    before: &'w Evaluation,
    way: &'w Way,
    kinds: HashMap<ElementId, Vec<Release>>,
}

impl<'w> Counterparts<'w> {
    pub(super) fn of(before: &'w Evaluation, way: &'w Way) -> Self {
        let kinds = HashMap::new();
        Self { before, way, kinds }
    }

    /// The first one of the kind of a part after a release.
    pub(super) fn next(&mut self, part: ElementId, after: Release) -> Option<Release> {
        let model = &self.before.model;
        let mut wholes = model.with_wholes(part);
        let kind = wholes.find_map(|id| model.kind_of(id))?;
        let first = kind.versions.iter().flatten().next()?;
        let (before, way) = (self.before, self.way);
        let releases = self.kinds.entry(*first).or_insert_with(|| releases(before, way, kind));
        let at = releases.partition_point(|release| *release <= after);
        releases.get(at).copied()
    }
}

fn releases(before: &Evaluation, way: &Way, kind: &Kind) -> Vec<Release> {
    let (model, reasoning) = (&before.model, before.reasoning());
    let members = kind.members.iter().flat_map(|member| &*member.versions);
    let releases = kind.versions.iter().chain(members).flatten().flat_map(|element| {
        let lives = (0..model.lives(*element)).map(|life| Event::new(*element, life, EventKind::Introduced));
        let events = lives.flat_map(|begin| [begin, begin.sibling(EventKind::Removed)]);
        let known = events.filter_map(move |event| reasoning.release(event));
        known.chain(way.of_element(*element).map(|step| step.earliest))
    });
    let mut releases: Vec<Release> = releases.filter(|release| !release.is_never()).collect();
    releases.sort_unstable();
    releases.dedup();
    releases
}
