//! Removals that leave no release in which the old and the new version are both served.
//!
//! The preferred and the storage version move to a version from one that was served beside it, whether the move is
//! declared or planned (P6). So the last of the older versions stays until a new one has been served beside it for the
//! overlap. Which one that is depends on what is planned.
//!
//! If no version is left when the new one is introduced, there is a *gap*, in which stored objects have no version.
//! Then the last of the older versions has to stay if the new one takes over from it: if that ranks higher, is at least
//! as stable, and serves the same kind. Else the new version is a first one: a version that comes back, `v1beta2` after
//! `v1`, or a version whose kinds are new.

use std::collections::{HashMap, HashSet};

use crate::model::{ElementId, Event, EventKind, Family, Group, Kind, Model};
use crate::obligation::{Demand, Obligation, STEPS_OF_LIFE, Scope, Steps, Term};
use crate::release::{Release, Window};
use crate::stability::{Track, VersionName};

use super::lives::{declared_moves, introductions};
use super::walk::{MoveLaw, Service};

/// The declared or planned release of an event.
type Releases<'r> = dyn Fn(Event) -> Option<Release> + 'r;

/// The versions among which the preferred or the storage version moves.
struct Line<'l> {
    /// With their positions in the group.
    versions: Vec<(usize, &'l VersionName, ElementId)>,
    /// Versions to which a declared version moves, which is judged by itself.
    judged: Vec<ElementId>,
    /// For each version of the group, since when another one has had one of its kinds: moves after that are judged by
    /// the kind. None if this line is that of a kind.
    shared: Vec<Option<Release>>,
}

/// A version that is served without a gap.
#[derive(Debug, Clone, Copy)]
struct Interval<'l> {
    at: usize,
    name: &'l VersionName,
    element: ElementId,
    track: Track,
    service: Service,
    /// The introduction that it begins with, and the removal that it ends with.
    begin: Event,
    end: Event,
}

/// The obligations of versions to stay until there is one to move to.
pub(in crate::rules) fn overlaps(scope: &Scope<'_>, releases: &Releases<'_>, steps: &Steps) -> Vec<Obligation> {
    let groups = scope.model.judged_groups();
    let groups = groups.filter(|group| group.family == Family::Api);
    let all = groups.flat_map(|group| {
        let kinds: Vec<&Kind> = group.kinds.iter().collect();
        overlaps_of(scope, releases, group, (&kinds, true), steps)
    });
    all.collect()
}

/// The same of some kinds of a group and, if that is asked for, of its versions.
pub(in crate::rules) fn overlaps_of(
    scope: &Scope<'_>,
    releases: &Releases<'_>,
    group: &Group,
    (kinds, versions): (&[&Kind], bool),
    steps: &Steps,
) -> Vec<Obligation> {
    let model = scope.model;
    let whole = versions.then(|| of_group(model, group, steps));
    let kinds = kinds.iter().map(|kind| of_kind(model, group, kind));
    let lines: Vec<Line<'_>> = whole.into_iter().chain(kinds).collect();
    of_lines(scope, releases, &lines, steps)
}

/// The first release in which another one has been served for the overlap beside something that begins in a release.
pub(in crate::rules) fn overlapped_in(scope: &Scope<'_>, begin: Event, since: Release) -> Release {
    let law = MoveLaw::new(scope.law_at(scope.model.find_declared(begin)));
    let term = Term::after(begin, law.overlap);
    term.worth(&scope.model.calendar, since).release
}

/// The ends of lives as planned, and as far as they are delayed already.
struct Ends<'e> {
    releases: &'e Releases<'e>,
    delayed: HashMap<Event, Release>,
}

impl Ends<'_> {
    fn of(&self, removed: Event) -> Release {
        let planned = (self.releases)(removed).unwrap_or(Release::NEVER);
        self.delayed
            .get(&removed)
            .map_or(planned, |delayed| planned.max(*delayed))
    }
}

/// The obligations of some lines of a group. What one line delays may end where a version of another line begins.
fn of_lines(scope: &Scope<'_>, releases: &Releases<'_>, lines: &[Line<'_>], steps: &Steps) -> Vec<Obligation> {
    let mut out: Vec<Obligation> = Vec::new();
    let mut known: HashSet<(Event, Release)> = HashSet::new();
    let mut ends = Ends {
        releases,
        delayed: HashMap::new(),
    };
    // Those whose ends have moved since they were worked out.
    let mut moved: Vec<&Line<'_>> = lines.iter().collect();
    while !moved.is_empty() && !steps.are_spent() {
        // A version that stays for a kind of it may be what the group moves from.
        let (kinds, groups): (Vec<_>, Vec<_>) = moved.into_iter().partition(|line| line.shared.is_empty());
        let (now, later) = if kinds.is_empty() {
            (groups, kinds)
        } else {
            (kinds, groups)
        };
        let mut found = Vec::new();
        for line in &now {
            stays(scope, &mut found, &ends, line, steps);
        }
        let mut delayed: HashSet<ElementId> = HashSet::new();
        for (stay, until) in found {
            if !known.insert((stay.event, until)) {
                continue;
            }
            // What is declared stays where it is.
            if scope.model.find_declared(stay.event).is_none() {
                let end = ends.delayed.entry(stay.event).or_insert(until);
                *end = until.max(*end);
                delayed.insert(stay.event.element);
            }
            out.push(stay);
        }
        moved = later;
        if !delayed.is_empty() {
            let changed = lines.iter().filter(|line| line.has_any(&delayed));
            let waits = moved.len();
            moved.extend(changed.filter(|line| waits == 0 || line.shared.is_empty()));
        }
    }
    out
}

fn of_group<'l>(model: &Model, group: &'l Group, steps: &Steps) -> Line<'l> {
    let versions = group.versions.iter().enumerate();
    let versions: Vec<(usize, &VersionName, ElementId)> = versions
        .map(|(at, version)| (at, &version.name, version.element))
        .collect();
    let mut shared: Vec<Option<Release>> = vec![None; versions.len()];
    for kind in &group.kinds {
        let begins: Vec<(usize, Release)> = kind
            .versions
            .iter()
            .enumerate()
            .filter_map(|(at, element)| Some((at, introductions(model, (*element)?).into_iter().min()?.0)))
            .collect();
        steps.take(begins.len() * STEPS_OF_LIFE);
        let first = begins.iter().min_by_key(|(_, since)| *since);
        let others = begins
            .iter()
            .filter(|(at, _)| Some(*at) != first.map(|(first, _)| *first));
        let second = others.min_by_key(|(_, since)| *since);
        for (at, element) in kind.versions.iter().enumerate() {
            let other = if first.is_some_and(|(first, _)| *first == at) {
                second
            } else {
                first
            };
            let since = other.filter(|_| element.is_some()).map(|(_, since)| *since);
            shared[at] = shared[at].into_iter().chain(since).min();
        }
    }
    Line {
        judged: judged(model, &versions, EventKind::Preferred),
        versions,
        shared,
    }
}

fn of_kind<'l>(model: &Model, group: &'l Group, kind: &Kind) -> Line<'l> {
    let versions = group.versions.iter().zip(&kind.versions).enumerate();
    let versions: Vec<(usize, &VersionName, ElementId)> = versions
        .filter_map(|(at, (version, element))| Some((at, &version.name, (*element)?)))
        .collect();
    Line {
        judged: judged(model, &versions, EventKind::Stored),
        versions,
        shared: Vec::new(),
    }
}

/// A declared move from a declared one is judged by itself.
fn judged(model: &Model, versions: &[(usize, &VersionName, ElementId)], what: EventKind) -> Vec<ElementId> {
    let elements: Vec<ElementId> = versions.iter().map(|(.., element)| *element).collect();
    let moves = declared_moves(model, &elements, what);
    moves.iter().skip(1).map(|moved| moved.event.element).collect()
}

impl Line<'_> {
    /// Whether one of these is in it. Of a group, each is: a kind as part of its version.
    fn has_any(&self, elements: &HashSet<ElementId>) -> bool {
        let mut own = self.versions.iter().map(|(.., element)| element);
        !self.shared.is_empty() || own.any(|element| elements.contains(element))
    }

    /// Whether another version had a kind of a version before it: then the move is judged by the kind.
    fn is_shared(&self, new: &Interval<'_>) -> bool {
        let since = self.shared.get(new.at).copied().flatten();
        since.is_some_and(|since| since < new.service.since)
    }
}

fn stays(scope: &Scope<'_>, out: &mut Vec<(Obligation, Release)>, ends: &Ends<'_>, line: &Line<'_>, steps: &Steps) {
    let model = scope.model;
    let versions = line.versions.iter();
    let mut intervals: Vec<Interval<'_>> = versions
        .flat_map(|version| served_without_gap(model, ends, *version, steps))
        .collect();
    intervals.sort_by_key(|interval| interval.service.since);
    for position in 0..intervals.len() {
        let new = intervals[position];
        let law = MoveLaw::new(scope.law_at(model.find_declared(new.begin)));
        if law.overlap == Window::default() || line.judged.contains(&new.element) || line.is_shared(&new) {
            continue;
        }
        steps.take(position);
        if steps.are_spent() {
            return;
        }
        let term = Term::after(new.begin, law.overlap);
        let until = term.worth(&model.calendar, new.service.since).release;
        if let Some(old) = removed_before((model, law), &mut intervals[..position], &new, until) {
            let because = "the version that a move starts from stays served";
            let obligation = scope.obligation("no-overlap", old.end, Demand::NotBefore(term), because);
            out.push((obligation, until));
            old.service.until = until;
        }
    }
}

/// The last of the older versions to be removed, if that is before a release; of several, one whose end is not
/// declared. None has to stay for a removed alpha.
fn removed_before<'i, 'l>(
    (model, law): (&Model, MoveLaw),
    older: &'i mut [Interval<'l>],
    new: &Interval<'_>,
    end: Release,
) -> Option<&'i mut Interval<'l>> {
    let since = new.service.since;
    let earlier: Vec<Service> = older
        .iter()
        .filter(|old| old.at == new.at)
        .map(|old| old.service)
        .collect();
    let mut older: Vec<&mut Interval<'l>> = older.iter_mut().filter(|old| old.service.since < since).collect();
    let gap = older.iter().all(|old| old.service.until < since);
    if gap {
        older.retain(|old| old.is_by_itself() && !law.needs_none(&[], old.track, end));
    }
    let served: Vec<Service> = older.iter().map(|old| old.service).collect();
    let older = older.into_iter();
    let last = older.max_by(|a, b| {
        let [a_waits, b_waits] =
            [a, b].map(|old| model.find_declared(old.end).is_none() && !law.needs_none(&[], old.track, end));
        let ends = a.service.until.cmp(&b.service.until);
        ends.then(a_waits.cmp(&b_waits)).then_with(|| a.name.rank(b.name))
    })?;
    let stays = !law.needs_none(&[], last.track, end) && (!gap || new.takes_over_from(last));
    // A version that comes back may have been served before beside one of those that end last.
    let mut together = served
        .iter()
        .filter(|old| old.until == last.service.until)
        .flat_map(|old| earlier.iter().filter_map(|life| life.overlap(*old)));
    let were_together = together.any(|both| model.calendar.earliest(both, law.overlap).release <= since);
    (last.service.until < end && stays && !were_together).then_some(last)
}

impl Interval<'_> {
    /// Whether this is a version of one kind, or a version without kinds.
    fn is_by_itself(&self) -> bool {
        self.begin.element == self.element
    }

    fn takes_over_from(&self, old: &Self) -> bool {
        self.is_by_itself() && self.name.rank(old.name).is_gt() && self.track >= old.track
    }
}

/// The lives of a version, joined where one follows the other without a gap, or where kinds are served together.
fn served_without_gap<'l>(
    model: &Model,
    ends: &Ends<'_>,
    (at, name, element): (usize, &'l VersionName, ElementId),
    steps: &Steps,
) -> Vec<Interval<'l>> {
    let mut lives = introductions(model, element);
    steps.take(lives.len() * STEPS_OF_LIFE);
    lives.sort_unstable();
    let mut joined: Vec<Interval<'l>> = Vec::new();
    for (since, begin) in lives {
        let end = begin.sibling(EventKind::Removed);
        let until = ends.of(end);
        match joined.last_mut() {
            Some(last) if since <= last.service.until => {
                if until > last.service.until {
                    (last.service.until, last.end) = (until, end);
                }
            }
            _ => joined.push(Interval {
                at,
                name,
                element,
                track: model.element(element).track,
                service: Service { since, until },
                begin,
                end,
            }),
        }
    }
    joined
}
