//! Where the law turns: the releases from which it judges an event otherwise than before.

use crate::derivation::{Step, Way};
use crate::model::{ElementId, Event, EventKind, Model, Version};
use crate::plan::fixed;
use crate::release::Release;

use super::Evaluation;

/// Where the law may judge a removal otherwise than before.
#[derive(Debug, Clone, Copy)]
pub(super) enum Turn {
    /// A version begins, or is there for one release.
    Beginning(Release),
    /// It asks for another announcement.
    Law(Release),
}

impl Turn {
    pub(super) fn release(self) -> Release {
        let (Self::Beginning(release) | Self::Law(release)) = self;
        release
    }
}

/// The removals that the law may judge otherwise in their latest releases than in their earliest ones, each with
/// the last release from which it may.
pub(super) fn turns<'w>(before: &Evaluation, way: &'w Way) -> Vec<(&'w Step, Turn)> {
    let open = way.steps.iter().filter(|step| step.is_open() && !step.follows());
    let removals = open.filter(|step| step.event.what == EventKind::Removed);
    let turns = removals.filter_map(|step| {
        let begins = beginnings(&before.model, step.event.element)
            .into_iter()
            .map(Turn::Beginning);
        let deprecated = step.event.sibling(EventKind::Deprecated);
        // What is announced is judged by the law of its announcement.
        let is_announced = fixed(&before.model, deprecated).is_some() || way.step(deprecated).is_some();
        let law = if is_announced {
            Vec::new()
        } else {
            changes(before, step.event.element)
        };
        let turns = begins.chain(law.into_iter().map(Turn::Law));
        let within = turns.filter(|turn| turn.release() > step.earliest && Some(turn.release()) <= step.latest);
        Some((step, within.max_by_key(|turn| turn.release())?))
    });
    turns.collect()
}

/// The releases from which a version of the same group is there to move to: one that ends before has none, and one
/// that ends just then does not overlap with it.
fn beginnings(model: &Model, element: ElementId) -> Vec<Release> {
    let group = model.group_of(element).into_iter();
    let served = group.flat_map(|group| &group.versions).flat_map(Version::served);
    let begins = served.flat_map(|part| {
        let lives = (0..model.lives(*part)).map(|life| Event::new(*part, life, EventKind::Introduced));
        lives.filter_map(|begin| model.declared_release(begin))
    });
    begins.flat_map(|begins| [begins, begins.plus(1)]).collect()
}

/// The first release after one in which a version begins or ends to serve a kind, or a member of it, as declared, as
/// planned or on a way: a version lacks a counterpart until then.
pub(super) fn next_of_kind(before: &Evaluation, way: &Way, part: ElementId, after: Release) -> Option<Release> {
    let (model, reasoning) = (&before.model, before.reasoning());
    let mut wholes = std::iter::successors(Some(part), |id| model.element(*id).parent);
    let kind = wholes.find_map(|id| model.kind_of(id))?;
    let members = kind.members.iter().flat_map(|member| &*member.versions);
    let releases = kind.versions.iter().chain(members).flatten().flat_map(|element| {
        let lives = (0..model.lives(*element)).map(|life| Event::new(*element, life, EventKind::Introduced));
        let events = lives.flat_map(|begin| [begin, begin.sibling(EventKind::Removed)]);
        let known = events.filter_map(move |event| reasoning.release(event));
        known.chain(way.of_element(*element).map(|step| step.earliest))
    });
    releases.filter(|release| *release > after && !release.is_never()).min()
}

/// The releases from which the law judges what is announced of an element otherwise than before: a gate makes it
/// more or less stable, or an edition begins.
pub(super) fn changes(before: &Evaluation, element: ElementId) -> Vec<Release> {
    let model = &before.model;
    let gates = model.gates_guarding(element);
    let stages = gates.flat_map(|gate| gate.specs.iter().map(|spec| spec.since));
    let stages = stages.filter(|since| {
        let before = since.previous().map(|before| model.track_at(element, before));
        before.is_some_and(|before| before != model.track_at(element, *since))
    });
    let editions = before.law.editions().iter().skip(1).map(|edition| edition.from);
    let mut changes: Vec<Release> = stages.chain(editions).collect();
    changes.sort_unstable();
    changes.dedup();
    changes
}
