//! What leaves when, and where its users go.

use std::collections::BTreeMap;

use crate::model::{ElementId, EventKind, Kind, Model};
use crate::release::Release;
use crate::report::{ChangeReport, MigrationReport, RemovalReport, SubjectReport};

use super::super::Material;
use super::occurrences::{Occurrence, What};
use super::subjects::{Place, Subjects};
use super::{Range, voice};

/// A life that ends.
#[derive(Debug, Clone, Copy)]
struct Ending {
    element: ElementId,
    life: u8,
    declared: bool,
}

/// What leaves in a range of releases.
pub(super) fn removals<'a>(
    material: Material<'a>,
    subjects: &Subjects<'a>,
    occurrences: &[Occurrence<'a>],
    range: Range,
) -> Vec<RemovalReport<'a>> {
    let mut by_release: BTreeMap<Release, Vec<Ending>> = BTreeMap::new();
    for occurrence in occurrences.iter().filter(|found| range.covers(found.release)) {
        if occurrence.what == What::Event(EventKind::Removed) {
            by_release
                .entry(occurrence.release)
                .or_default()
                .extend(endings(occurrence));
        }
    }
    let current = material.reasoning.model.calendar.current();
    let removal = |(release, endings): (Release, Vec<Ending>)| {
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
    };
    by_release.into_iter().filter_map(removal).collect()
}

/// What ends when something is removed: of a version, its kinds.
fn endings(occurrence: &Occurrence<'_>) -> Vec<Ending> {
    let declared = occurrence.declared;
    let ending = |(element, life)| Ending {
        element,
        life,
        declared,
    };
    match occurrence.kinds.as_slice() {
        [] => vec![ending((occurrence.element, occurrence.life))],
        kinds => kinds.iter().copied().map(ending).collect(),
    }
}

/// Whether an element is a version or a kind in one: what objects are written in.
fn is_served(model: &Model, element: ElementId) -> bool {
    let kind = model.element(element).kind;
    kind.is_version() || kind.is_kind()
}

/// What is deprecated in a range of releases, and goes in none that is known.
pub(super) fn unscheduled<'a>(
    material: Material<'a>,
    subjects: &Subjects<'a>,
    occurrences: &[Occurrence<'a>],
    range: Range,
) -> Vec<SubjectReport<'a>> {
    let model = material.reasoning.model;
    let deprecated = occurrences
        .iter()
        .filter(|found| found.what == What::Event(EventKind::Deprecated) && range.covers(found.release));
    let mut lives: Vec<(ElementId, u8, Release)> = deprecated
        .flat_map(|found| {
            endings(found)
                .into_iter()
                .map(|one| (one.element, one.life, found.release))
        })
        .filter(|(element, life, _)| *life == model.last_life(*element))
        .filter(|(element, ..)| {
            let report = subjects.element(*element);
            report.deprecated.is_some() && report.removed.is_none()
        })
        .collect();
    // One that was deprecated twice is told once.
    lives.sort_unstable();
    lives.dedup_by_key(|(element, ..)| *element);
    let last = range.release.unwrap_or(Release::NEVER);
    let subject = |(element, life, _): (ElementId, u8, Release)| subjects.at(element, life, last);
    lives.into_iter().map(subject).collect()
}

/// What versions that leave in one release are told together by: their group, their kind, and where their users go.
type Together = (usize, Option<usize>, Option<ElementId>);

/// Versions that leave in one release, by group and kind, in the order of the elements.
fn migrations<'a>(
    material: Material<'a>,
    subjects: &Subjects<'a>,
    endings: &[Ending],
    release: Release,
    tentative: bool,
) -> Vec<MigrationReport<'a>> {
    let mut found: Vec<(Together, Vec<Ending>)> = Vec::new();
    let mut positions = BTreeMap::new();
    for ending in endings {
        let Some(place) = subjects.place(ending.element) else {
            continue;
        };
        let key = (place.group, place.kind, subjects.target(ending.element, release));
        let at = *positions.entry(key).or_insert(found.len());
        if at == found.len() {
            found.push((key, Vec::new()));
        }
        found[at].1.push(*ending);
    }
    let current = material.reasoning.model.calendar.current();
    let certain = !tentative || current.is_some_and(|current| release <= current);
    found
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
        voice: voice(declared && certain),
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

/// What parts of a kind are not in the version to move to, or are there under another name.
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
        let leaving = kind
            .members
            .iter()
            .filter(|member| member.versions[from].is_some() && member.versions[to].is_none());
        changes.extend(leaving.map(|member| {
            let stands = member.represented.iter().find(|(version, _)| *version == to);
            // Or a part that is there says that this one stood for it before.
            let stood = kind.members.iter().find(|other| {
                let name = member.reference();
                let mut represented = other.represented.iter();
                other.versions[to].is_some() && represented.any(|(version, text)| *version == from && text.text == name)
            });
            ChangeReport {
                kind: member.kind.as_str(),
                name: &member.name,
                becomes: stands
                    .map(|(_, name)| name.text.as_str())
                    .or(stood.map(|other| &*other.name)),
            }
        }));
    }
    changes.sort();
    changes.dedup();
    changes
}
