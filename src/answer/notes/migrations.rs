//! What is removed when, and what to migrate to: kind by kind if the kinds of a version have different replacements.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ElementId, EventKind, Kind, Model};
use crate::release::Release;
use crate::report::{ChangeReport, MigrationReport, RemovalReport, StandingReport, SubjectReport, Voice};

use super::super::Material;
use super::Range;
use super::occurrence::{Occurrence, What};
use super::subjects::{GroupPosition, Subjects};

#[derive(Debug, Clone, Copy)]
struct Ending {
    element: ElementId,
    life: u8,
    declared: bool,
}

/// What a range of releases removes.
pub(super) fn removals<'a>(
    material: Material<'a>,
    subjects: &Subjects<'a>,
    occurrences: &[Occurrence<'a>],
    range: Range,
) -> Vec<RemovalReport<'a>> {
    let mut by_release: BTreeMap<Release, Vec<Ending>> = BTreeMap::new();
    for occurrence in of_kind(occurrences, EventKind::Removed).filter(|found| range.covers(found.release)) {
        by_release
            .entry(occurrence.release)
            .or_default()
            .extend(endings(occurrence));
    }
    let removals = by_release.into_iter();
    removals
        .filter_map(|(release, endings)| removal(material, subjects, &endings, (release, release), range))
        .collect()
}

/// What is deprecated as of the last release of a range, and not removed by then.
pub(super) fn standing<'a>(
    material: Material<'a>,
    subjects: &Subjects<'a>,
    occurrences: &[Occurrence<'a>],
    range: Range,
) -> StandingReport<'a> {
    let last = range.release.unwrap_or(Release::NEVER);
    let mut by_release: BTreeMap<Release, Vec<Ending>> = BTreeMap::new();
    for occurrence in of_kind(occurrences, EventKind::Removed).filter(|found| found.release > last) {
        let mut endings = endings(occurrence);
        endings.retain(|ending| subjects.holding(ending.element, ending.life, last).is_some());
        if !endings.is_empty() {
            by_release.entry(occurrence.release).or_default().extend(endings);
        }
    }
    let removals = by_release.into_iter();
    StandingReport {
        removals: removals
            .filter_map(|(release, endings)| removal(material, subjects, &endings, (release, last), range))
            .collect(),
        unscheduled: unscheduled(material, subjects, occurrences, (Release(0), last)),
    }
}

fn endings(removal: &Occurrence<'_>) -> Vec<Ending> {
    let lives = removal.lives().into_iter().map(|(element, life)| Ending {
        element,
        life,
        declared: removal.declared,
    });
    lives.collect()
}

/// What a release removes, as a report about another release describes it.
fn removal<'a>(
    material: Material<'a>,
    subjects: &Subjects<'a>,
    endings: &[Ending],
    (release, named_in): (Release, Release),
    range: Range,
) -> Option<RemovalReport<'a>> {
    let model = material.reasoning.model;
    let (apis, others): (Vec<Ending>, Vec<Ending>) =
        endings.iter().partition(|ending| is_served(model, ending.element));
    let shipped = model.calendar.current().is_some_and(|current| release <= current);
    let others = others.iter();
    Some(RemovalReport {
        release: material.names.moment(release)?,
        shipped,
        apis: migrations(material, subjects, &apis, named_in, shipped || !range.tentative),
        others: others
            .map(|ending| subjects.at(ending.element, ending.life, named_in))
            .collect(),
    })
}

fn of_kind<'o, 'a>(occurrences: &'o [Occurrence<'a>], what: EventKind) -> impl Iterator<Item = &'o Occurrence<'a>> {
    occurrences.iter().filter(move |found| found.what == What::Event(what))
}

fn is_served(model: &Model, element: ElementId) -> bool {
    let kind = model.element(element).kind;
    kind.is_version() || kind.is_kind()
}

/// What is deprecated from one release to another without a scheduled removal, as of the latter.
pub(super) fn unscheduled<'a>(
    material: Material<'a>,
    subjects: &Subjects<'a>,
    occurrences: &[Occurrence<'a>],
    (first, last): (Release, Release),
) -> Vec<SubjectReport<'a>> {
    let model = material.reasoning.model;
    // What is deprecated twice is listed once.
    let lives: BTreeSet<(ElementId, u8)> = of_kind(occurrences, EventKind::Deprecated)
        .filter(|found| (first..=last).contains(&found.release))
        .flat_map(Occurrence::lives)
        .filter(|(element, life)| *life == model.last_life(*element))
        .filter(|(element, life)| {
            let in_force = subjects.holding(*element, *life, last).is_some();
            in_force && subjects.element(*element).removed.is_none()
        })
        .collect();
    let lives = lives.into_iter();
    lives.map(|(element, life)| subjects.at(element, life, last)).collect()
}

/// What the versions of one migration have in common: their group, their kind, and what to migrate to.
type Together = (usize, Option<usize>, Option<ElementId>);

/// The versions that a release removes, by group and kind, in the order of the elements, as of another release.
fn migrations<'a>(
    material: Material<'a>,
    subjects: &Subjects<'a>,
    endings: &[Ending],
    release: Release,
    certain: bool,
) -> Vec<MigrationReport<'a>> {
    let mut migrations: Vec<(Together, Vec<Ending>)> = Vec::new();
    let mut positions = BTreeMap::new();
    for ending in endings {
        let Some(place) = subjects.place(ending.element) else {
            continue;
        };
        let key = (
            place.group,
            place.kind,
            subjects.target(ending.element, ending.life, release),
        );
        let at = *positions.entry(key).or_insert(migrations.len());
        if at == migrations.len() {
            migrations.push((key, Vec::new()));
        }
        migrations[at].1.push(*ending);
    }
    migrations
        .iter()
        .map(|(together, endings)| migration(material.reasoning.model, subjects, *together, endings, release, certain))
        .collect()
}

fn migration<'a>(
    model: &'a Model,
    subjects: &Subjects<'a>,
    (group, kind, target): Together,
    endings: &[Ending],
    release: Release,
    certain: bool,
) -> MigrationReport<'a> {
    let group = &model.groups[group];
    let kind = kind.map(|kind| &group.kinds[kind]);
    let lives = endings.iter();
    let elements: Vec<_> = lives
        .map(|ending| subjects.at(ending.element, ending.life, release))
        .collect();
    let versions = endings
        .iter()
        .filter_map(|ending| version_id(model, subjects, ending.element));
    let declared = endings.iter().all(|ending| ending.declared);
    MigrationReport {
        kind: kind.map_or(group.name.as_str(), |kind| kind.name.as_str()),
        resource: kind.and_then(|kind| kind.resource.as_deref()),
        group: &group.name,
        versions: versions.collect(),
        voice: Voice::of(declared && certain),
        migrate_to: target.map(|target| model.id(target)),
        available_since: elements.first().and_then(|element| element.available_since),
        changes: kind.map_or_else(Vec::new, |kind| {
            changes((model, release), subjects, kind, endings, target)
        }),
        elements,
    }
}

fn version_id<'a>(model: &'a Model, subjects: &Subjects<'a>, element: ElementId) -> Option<&'a str> {
    let place = subjects.place(element)?;
    Some(model.id(model.groups[place.group].versions[place.version].element))
}

/// Whether nothing removes a part of a version before a release.
fn stays_until(model: &Model, part: ElementId, release: Release) -> bool {
    let removed = model.declared_release(model.last_event(part, EventKind::Removed));
    removed.is_none_or(|removed| removed >= release)
}

/// The parts of a kind that the new version does not have in a release, or has under another name. What the old version
/// has lost before is left out.
fn changes<'a>(
    (model, release): (&Model, Release),
    subjects: &Subjects<'a>,
    kind: &'a Kind,
    endings: &[Ending],
    target: Option<ElementId>,
) -> Vec<ChangeReport<'a>> {
    let Some(to) = target.and_then(|target| kind.versions.iter().position(|known| *known == Some(target))) else {
        return Vec::new();
    };
    let mut changes = Vec::new();
    for GroupPosition { version: from, .. } in endings.iter().filter_map(|ending| subjects.place(ending.element)) {
        let lost = kind.members.iter().filter(|member| {
            let [old, new] = [from, to].map(|at| member.versions[at].filter(|part| stays_until(model, *part, release)));
            old.is_some() && new.is_none()
        });
        changes.extend(lost.map(|member| {
            let represented = member.represented.iter().find(|(version, _)| *version == to);
            // Or a part of the new version declares that this one represented it.
            let representing = kind.members.iter().find(|other| {
                let name = member.reference();
                let mut represented = other.represented.iter();
                other.versions[to].is_some() && represented.any(|(version, text)| *version == from && text.text == name)
            });
            ChangeReport {
                kind: member.kind,
                name: &member.name,
                becomes: represented
                    .map(|(_, name)| name.text.as_str())
                    .or(representing.map(|other| &*other.name)),
            }
        }));
    }
    changes.sort_by_key(|change| (change.kind.as_str(), change.name, change.becomes));
    changes.dedup();
    changes
}
