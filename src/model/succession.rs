//! Which version succeeds which: a version of the same kind that is higher in (major, track, number) and at least as
//! stable, or the declared replacement.
//!
//! Succession is decided kind by kind: a version that takes over one kind succeeds that kind only. A version is
//! deprecated once all kinds that it serves are. Only a declaration supersedes a version *as a whole*
//! (`is_superseded_as_a_whole`), so that kinds that no later version serves are deprecated with it (P8).

use std::cmp::Reverse;

use crate::release::Release;
use crate::stability::Track;

use super::{ElementId, Event, EventKind, Group, Kind, Model, Reference, Version};

/// A life that takes over from another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Successor {
    /// Its introduction.
    pub(crate) life: Event,
    /// What makes it at least as stable: its introduction, or the promotion of a gate that guards it.
    pub(crate) since: Event,
}

/// The lives of one kind (or of versions without kinds) through the versions of its group.
#[derive(Debug)]
pub(crate) struct Succession {
    /// The elements, newest generation first.
    pub(crate) line: Vec<ElementId>,
    /// Every life in the line by the release it begins in; in one release the most stable last, then the highest. With
    /// the position in the line.
    begun: Vec<(Release, Track, Reverse<usize>, Event)>,
    /// For each element, the life above it that is the first to be at least as stable.
    first: Vec<Option<Successor>>,
}

impl Succession {
    /// All successions of a group: one for each kind, and one for the versions that have no kinds.
    pub(crate) fn of(model: &Model, group: &Group) -> Vec<Self> {
        std::iter::once(Self::bare(group))
            .chain(group.kinds.iter().map(Self::present))
            .filter(|line: &Vec<ElementId>| !line.is_empty())
            .map(|line| Self::new(model, line))
            .collect()
    }

    /// The succession of one kind.
    pub(crate) fn of_kind(model: &Model, kind: &Kind) -> Self {
        Self::new(model, Self::present(kind))
    }

    /// The succession that an element is in, and its position in the line; `None` for a version with kinds.
    pub(crate) fn around(model: &Model, element: ElementId) -> Option<(Self, usize)> {
        let line = match model.kind_of(element) {
            Some(kind) => Self::present(kind),
            None => Self::bare(model.group_of(element)?),
        };
        let at = line.iter().position(|other| *other == element)?;
        Some((Self::new(model, line), at))
    }

    /// The versions without kinds.
    fn bare(group: &Group) -> Vec<ElementId> {
        let versions = group.versions.iter().filter(|version| version.kinds.is_empty());
        versions.map(|version| version.element).collect()
    }

    fn present(kind: &Kind) -> Vec<ElementId> {
        kind.versions.iter().flatten().copied().collect()
    }

    fn new(model: &Model, line: Vec<ElementId>) -> Self {
        let mut begun: Vec<(Release, Track, Reverse<usize>, Event)> = Vec::new();
        let mut first = Vec::with_capacity(line.len());
        let mut earliest = Earliest::default();
        for (at, element) in line.iter().enumerate() {
            let track = model.element(*element).track;
            first.push(if model.gates_guarding(*element).next().is_none() {
                earliest.at_least(track)
            } else {
                let above = begun.iter().filter_map(|(.., life)| successor(model, *element, *life));
                above
                    .min_by_key(|(release, _)| *release)
                    .map(|(_, successor)| successor)
            });
            for life in 0..model.lives(*element) {
                let life = Event::new(*element, life, EventKind::Introduced);
                if let Some(release) = model.declared_release(life) {
                    begun.push((release, track, Reverse(at), life));
                    earliest.add(model, life, track);
                }
            }
        }
        begun.sort_unstable();
        Self { line, begun, first }
    }

    /// The life that succeeds the element at a position: the first to begin of those that are higher in (major, track,
    /// number) and at least as stable, and of those that its replacement names (P9). Whether it is still served when
    /// it is needed is not considered.
    pub(crate) fn first_successor(&self, model: &Model, at: usize) -> Option<Successor> {
        self.first[at]
            .into_iter()
            .chain(abroad(model, self.line[at]))
            .min_by_key(|successor| model.declared_release(successor.since))
    }

    /// Whether a later version of the same group takes over the element at a position. A kind that moves to another
    /// group does not count: its version is not succeeded by that (P9).
    pub(crate) fn is_taken_over(&self, at: usize) -> bool {
        self.first[at].is_some()
    }

    /// The successor in favor of which an element is deprecated in a release: the last one introduced of those served
    /// then; of several in one release the most stable, then the highest (P4).
    pub(crate) fn successor_at(&self, model: &Model, at: usize, deprecated: Release) -> Option<ElementId> {
        self.successors_at(model, at, deprecated).next().or_else(|| {
            let other = self.replacement_at(model, at, deprecated)?;
            Some(other.element)
        })
    }

    /// The successors in the group that are served in a release, the last one introduced first.
    pub(crate) fn successors_at(&self, model: &Model, at: usize, release: Release) -> impl Iterator<Item = ElementId> {
        let track = model.track_at(self.line[at], release);
        let there = self.begun.partition_point(|(begun, ..)| *begun <= release);
        let served = self.begun[..there].iter().rev();
        served
            .filter(move |(.., Reverse(position), event)| {
                *position < at
                    && model.track_at(event.element, release) >= track
                    && !ended(model, *event, release)
                    && !self.is_given_up(model, event.element, release)
            })
            .map(|(.., event)| event.element)
    }

    /// Whether an element is deprecated before a release without a successor: nothing is deprecated in favor of it.
    pub(crate) fn is_given_up(&self, model: &Model, element: ElementId, release: Release) -> bool {
        let deprecated = model.deprecation(element, model.last_life(element));
        if deprecated.is_none_or(|deprecated| deprecated.release >= release) {
            return false;
        }
        let at = self.line.iter().position(|other| *other == element);
        at.is_some_and(|at| self.first[at].is_none()) && replacement_named(model, element).is_none()
    }

    /// The life of the declared replacement that is served in a release.
    fn replacement_at(&self, model: &Model, at: usize, release: Release) -> Option<Event> {
        let mut successors = abroad(model, self.line[at]).into_iter();
        let there = successors.find(|successor| {
            let since = model.declared_release(successor.since);
            since.is_some_and(|since| since <= release) && !ended(model, successor.life, release)
        });
        there.map(|successor| successor.life)
    }
}

/// Of the lives passed so far, for each track the first to be at least as stable; of several in one release the most
/// stable.
#[derive(Default)]
struct Earliest([Option<(Release, Reverse<Track>, Successor)>; 3]);

impl Earliest {
    fn add(&mut self, model: &Model, life: Event, track: Track) {
        for least in [Track::Alpha, Track::Beta, Track::Ga] {
            let Some((release, since)) = model.stable_since(life, least) else {
                continue;
            };
            let slot = &mut self.0[least as usize];
            let is_first = slot.is_none_or(|(first, other, _)| (release, Reverse(track)) < (first, other));
            if is_first {
                *slot = Some((release, Reverse(track), Successor { life, since }));
            }
        }
    }

    fn at_least(&self, track: Track) -> Option<Successor> {
        self.0[track as usize].map(|(.., successor)| successor)
    }
}

/// A life as a successor of an element: from when it is at least as stable as the element is then, and when a
/// deprecation that is still open can be announced.
fn successor(model: &Model, own: ElementId, life: Event) -> Option<(Release, Successor)> {
    let begin = model.declared(own, EventKind::Introduced);
    let begin = begin.map_or(Release(0), |begin| begin.release);
    let is_open = model.deprecation(own, model.last_life(own)).is_none();
    let mut tracks = model.tracks_of(life).into_iter();
    let (release, since, _) = tracks.find(|(release, _, track)| {
        let then = begin.max(*release);
        let announced = if is_open { then.max(model.calendar.next()) } else { then };
        *track >= model.track_at(own, then) && model.track_at(life.element, announced) >= model.track_at(own, announced)
    })?;
    Some((release, Successor { life, since }))
}

/// Whether a version is superseded as a whole: its entry names a later version of its group that is at least as stable
/// as its `replacement`. The kinds that no later version serves end with it then (P8).
///
/// Without that, a kind that no later version will serve cannot be distinguished from one that a later version takes
/// over next: with `v1` of `Widget` and `Gadget`, a `v2` of `Gadget` does not show what happens to `Widget`.
pub(crate) fn is_superseded_as_a_whole(model: &Model, group: &Group, version: &Version) -> bool {
    let named = model
        .attributes(version.element)
        .and_then(|own| own.replacement.as_deref()?.target);
    // Newest generation first.
    let later = group
        .versions
        .iter()
        .take_while(|other| other.element != version.element);
    let track = model.element(version.element).track;
    let mut stable = later.filter(|other| model.element(other.element).track >= track);
    named.is_some_and(|named| stable.any(|other| other.element == named))
}

/// Whether a life is over by a release.
fn ended(model: &Model, life: Event, by: Release) -> bool {
    let removed = model.declared_release(life.sibling(EventKind::Removed));
    removed.is_some_and(|removed| removed <= by)
}

/// The expected release of an undeclared deprecation: once the element and its successor are introduced, and not in the
/// past (P1, P2). It decides which edition of the policy applies.
pub(crate) fn expected_announcement(model: &Model, deprecated: Event, successor: Option<Event>) -> Option<Release> {
    model.find_declared(deprecated.sibling(EventKind::Introduced))?;
    let successor = successor.and_then(|successor| model.declared_release(successor));
    let first = model.first_announcement(deprecated.sibling(EventKind::Removed));
    Some(successor.map_or(first, |successor| successor.max(first)))
}

/// The lives of the kind that an element's entry names in another group, in all versions there that are at least as
/// stable: a kind leaves its group only by a declared replacement (P9).
fn abroad(model: &Model, element: ElementId) -> Vec<Successor> {
    let Some(target) = replacement_named(model, element) else {
        return Vec::new();
    };
    let line = match model.group_of(target) {
        Some(group) if model.group_of(element).map(|own| &own.name) != Some(&group.name) => {
            model.kind_of(target).map_or_else(
                || vec![target],
                |kind| kind.versions.iter().flatten().copied().collect(),
            )
        }
        _ => vec![target],
    };
    line.into_iter()
        .map(|other| Event::new(other, 0, EventKind::Introduced))
        .filter_map(|life| successor(model, element, life))
        .map(|(_, successor)| successor)
        .collect()
}

/// The declared replacement of an element: its own entry's, or its version's.
pub(crate) fn replacement_named(model: &Model, element: ElementId) -> Option<ElementId> {
    named(model, element)
        .and_then(|reference| in_kind(model, element, reference.target?))
        .filter(|other| *other != element)
}

/// The reference of the declared replacement.
pub(crate) fn named(model: &Model, element: ElementId) -> Option<&Reference> {
    let own = &model.element(element);
    let version = own.parent.filter(|_| own.kind.is_kind());
    let mut entries = std::iter::once(element).chain(version);
    entries.find_map(|id| model.attributes(id)?.replacement.as_deref())
}

/// The element whose entry declares the replacement: itself, or its version.
pub(crate) fn naming(model: &Model, element: ElementId) -> ElementId {
    let own = model.attributes(element).is_some_and(|own| own.replacement.is_some());
    let version = model.element(element).parent.filter(|_| !own);
    version.unwrap_or(element)
}

/// What a reference means for an element: for a kind that names a version, the same kind there.
pub(crate) fn in_kind(model: &Model, element: ElementId, target: ElementId) -> Option<ElementId> {
    let (from, to) = (model.element(element), model.element(target));
    if !from.kind.is_kind() || !to.kind.is_version() {
        return Some(target);
    }
    Model::kind_in(model.group_of(target)?, &from.path().kind()?.kind, target)
}
