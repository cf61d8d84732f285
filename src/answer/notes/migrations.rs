//! What is removed when, and what to migrate to: kind by kind if the kinds of a version have different replacements.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ElementId, EventKind, Kind, Model};
use crate::release::Release;
use crate::report::{ChangeReport, MigrationReport, RemovalReport, SubjectReport, Voice};

use super::super::Material;
use super::Range;
use super::occurrence::{Occurrence, What};
use super::subjects::{Place, Subjects};

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
    for occurrence in of_kind(occurrences, EventKind::Removed, range) {
        let lives = occurrence.lives().into_iter().map(|(element, life)| Ending {
            element,
            life,
            declared: occurrence.declared,
        });
        by_release.entry(occurrence.release).or_default().extend(lives);
    }
    let current = material.reasoning.model.calendar.current();
    let removals = by_release.into_iter().filter_map(|(release, endings)| {
        let (apis, others): (Vec<Ending>, Vec<Ending>) = endings
            .into_iter()
            .partition(|ending| is_served(material.reasoning.model, ending.element));
        Some(RemovalReport {
            release: material.names.moment(release)?,
            shipped: current.is_some_and(|current| release <= current),
            apis: migrations(material, subjects, &apis, release, range.tentative),
            others: others
                .iter()
                .map(|ending| subjects.at(ending.element, ending.life, release))
                .collect(),
        })
    });
    removals.collect()
}

fn of_kind<'o, 'a>(
    occurrences: &'o [Occurrence<'a>],
    what: EventKind,
    range: Range,
) -> impl Iterator<Item = &'o Occurrence<'a>> {
    let found = occurrences.iter().filter(move |found| found.what == What::Event(what));
    found.filter(move |found| range.covers(found.release))
}

fn is_served(model: &Model, element: ElementId) -> bool {
    let kind = model.element(element).kind;
    kind.is_version() || kind.is_kind()
}

/// What a range of releases deprecates without a scheduled removal.
pub(super) fn unscheduled<'a>(
    material: Material<'a>,
    subjects: &Subjects<'a>,
    occurrences: &[Occurrence<'a>],
    range: Range,
) -> Vec<SubjectReport<'a>> {
    let model = material.reasoning.model;
    // What is deprecated twice is listed once.
    let lives: BTreeSet<(ElementId, u8)> = of_kind(occurrences, EventKind::Deprecated, range)
        .flat_map(Occurrence::lives)
        .filter(|(element, life)| *life == model.last_life(*element))
        .filter(|(element, _)| {
            let report = subjects.element(*element);
            report.deprecated.is_some() && report.removed.is_none()
        })
        .collect();
    let last = range.release.unwrap_or(Release::NEVER);
    let lives = lives.into_iter();
    lives.map(|(element, life)| subjects.at(element, life, last)).collect()
}

/// What the versions of one migration have in common: their group, their kind, and what to migrate to.
type Together = (usize, Option<usize>, Option<ElementId>);

/// The versions that a release removes, by group and kind, in the order of the elements.
fn migrations<'a>(
    material: Material<'a>,
    subjects: &Subjects<'a>,
    endings: &[Ending],
    release: Release,
    tentative: bool,
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
    let current = material.reasoning.model.calendar.current();
    let certain = !tentative || current.is_some_and(|current| release <= current);
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
        changes: kind.map_or_else(Vec::new, |kind| changes(subjects, kind, endings, target)),
        elements,
    }
}

fn version_id<'a>(model: &'a Model, subjects: &Subjects<'a>, element: ElementId) -> Option<&'a str> {
    let place = subjects.place(element)?;
    Some(model.id(model.groups[place.group].versions[place.version].element))
}

/// The parts of a kind that the new version does not have, or has under another name.
fn changes<'a>(
    subjects: &Subjects<'a>,
    kind: &'a Kind,
    endings: &[Ending],
    target: Option<ElementId>,
) -> Vec<ChangeReport<'a>> {
    let Some(to) = target.and_then(|target| kind.versions.iter().position(|known| *known == Some(target))) else {
        return Vec::new();
    };
    let mut changes = Vec::new();
    for Place { version: from, .. } in endings.iter().filter_map(|ending| subjects.place(ending.element)) {
        let lost = kind
            .members
            .iter()
            .filter(|member| member.versions[from].is_some() && member.versions[to].is_none());
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
