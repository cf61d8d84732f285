//! The kinds of an API release by release, folded into their lives.
//!
//! What a model cannot express is reported (`ChangeLog`), in the order of the releases.

mod parts;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::release::ReleaseName;

use super::draft::{Draft, Element, Kind, Life, Value};
use super::notice::{ChangeLog, ImportError, Imported, Notice, Topic};
use super::releases::{File, Releases, nothing_found};
use super::snapshot::{Resource, Snapshot, Version};

/// One release, and what it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Shipped {
    /// Its name.
    pub release: ReleaseName,
    /// Its date, if that is known.
    pub date: Option<NaiveDate>,
    /// What it has.
    pub snapshot: Snapshot,
}

/// Which parts of kinds a draft has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// None.
    None,
    /// Those to which something happens while their kind is there.
    Changed,
    /// All of them.
    All,
}

/// Folds releases, the oldest first, into lives. What is first seen is introduced, what is no longer served is removed,
/// what comes back gets another life.
///
/// `known` is what is declared before the first of these releases: its lives continue from there. Groups that none of
/// the releases has are outside the source, and left out. With nothing known, what the first release has begins there.
pub fn fold(known: Draft, releases: &[Shipped], parts: Parts) -> Imported {
    let groups = releases.iter().flat_map(|shipped| shipped.snapshot.groups.keys());
    let groups: BTreeSet<&String> = groups.collect();
    let uncompared = releases
        .first()
        .filter(|_| parts != Parts::None)
        .and_then(|first| uncompared(&known, first));
    let mut fold = Fold {
        draft: Draft {
            calendar: known.calendar,
            groups: known.groups,
            ..Draft::default()
        },
        notices: uncompared.into_iter().collect(),
        parts,
        only: releases.len() == 1,
        last: BTreeMap::new(),
    };
    fold.draft.groups.retain(|name, _| groups.contains(name));
    for shipped in releases {
        for group in &groups {
            fold.group(group, shipped);
        }
    }
    let Fold { mut draft, notices, .. } = fold;
    for group in draft.groups.values_mut() {
        if parts == Parts::Changed {
            for kind in group.kinds.values_mut() {
                parts::keep_changed(kind);
            }
        }
        // A group that was declared without kinds keeps its declarations of versions.
        let declared = std::mem::take(&mut group.versions);
        group.gather();
        for (version, element) in declared {
            group.versions.entry(version).or_insert(element);
        }
    }
    draft
        .calendar
        .ship(releases.iter().map(|shipped| (shipped.release.clone(), shipped.date)));
    Imported::new(draft, notices)
}

/// That changes of fields are not recorded: the fields that known kinds had in the release before are not known.
fn uncompared(known: &Draft, first: &Shipped) -> Option<Notice> {
    let before = known.calendar.current.as_ref();
    let before = before.filter(|before| **before < first.release)?;
    let groups = known.groups.iter().filter_map(|(name, group)| {
        let now = first.snapshot.groups.get(name)?;
        Some(
            group
                .kinds
                .iter()
                .filter_map(|(kind, known)| Some((known, now.get(kind)?))),
        )
    });
    let kinds = groups.flatten().filter(|(known, now)| {
        let mut versions = now.versions.iter().filter(|(_, version)| !version.fields.is_empty());
        versions.any(|(version, _)| known.versions.contains_key(version))
    });
    let count = kinds.count();
    let these = if count == 1 {
        "1 kind gains or loses"
    } else {
        &format!("{count} kinds gain or lose")
    };
    let release = &first.release;
    let text =
        format!("fields that {these} in {release}, as those of {before} are not known: import both, as `--git` does");
    (count > 0).then(|| Notice::new(Topic::NotInModel, text))
}

/// Folds the snapshots of releases, which `add` makes of their files.
pub(super) fn fold_snapshots<T>(
    known: Draft,
    releases: &Releases<'_, T>,
    parts: Parts,
    add: fn(&mut Snapshot, &str, &File<T>) -> Vec<String>,
) -> Result<Imported, ImportError> {
    let mut notices = Vec::new();
    let mut shipped = Vec::new();
    for (name, release) in releases.iter() {
        let mut snapshot = Snapshot::default();
        for file in &release.files {
            let notes = add(&mut snapshot, &name.to_string(), file).into_iter();
            notices.extend(notes.map(|note| Notice::new(Topic::Note, note)));
        }
        shipped.push(Shipped {
            release: name.clone(),
            date: release.date,
            snapshot,
        });
    }
    if shipped.iter().all(|release| release.snapshot.groups.is_empty()) {
        return Err(nothing_found(releases.format.name));
    }
    let mut imported = fold(known, &shipped, parts);
    notices.append(&mut imported.notices);
    Ok(Imported { notices, ..imported })
}

struct Fold<'s> {
    draft: Draft,
    notices: Vec<Notice>,
    parts: Parts,
    only: bool,
    /// The state of each kind in the release before, by group and name: only what these releases show, not what was
    /// known.
    last: BTreeMap<(String, String), &'s Resource>,
}

#[derive(Clone, Copy)]
struct Step<'m> {
    release: &'m ReleaseName,
    /// The kind in the release before; `None` if that is not known.
    before: Option<&'m Resource>,
    /// The kind in this release; `None` if it is not there.
    now: Option<&'m Resource>,
    only: bool,
}

impl<'m> Step<'m> {
    fn before(self, version: &str) -> Option<&'m Version> {
        self.before?.versions.get(version)
    }

    fn now(self, version: &str) -> Option<&'m Version> {
        self.now?.versions.get(version)
    }
}

impl<'s> Fold<'s> {
    fn group(&mut self, name: &str, shipped: &'s Shipped) {
        let resources = shipped.snapshot.groups.get(name);
        let group = self.draft.groups.entry(name.to_owned()).or_default();
        let bare = if group.kinds.is_empty() {
            group.versions.clone()
        } else {
            BTreeMap::default()
        };
        let seen = resources.into_iter().flat_map(BTreeMap::keys);
        let kinds: BTreeSet<String> = group.kinds.keys().chain(seen).cloned().collect();
        for kind_name in kinds {
            let now = resources.and_then(|all| all.get(&kind_name));
            let key = (name.to_owned(), kind_name.clone());
            let before = self.last.get(&key).copied();
            let step = Step {
                release: &shipped.release,
                before,
                now,
                only: self.only,
            };
            let mut log = ChangeLog {
                subject: format!("{}: {name} {kind_name}", shipped.release),
                notices: &mut self.notices,
            };
            let kind = group.kinds.entry(kind_name).or_insert_with(|| begun(&bare, now));
            let begun: BTreeSet<String> = kind.versions.keys().cloned().collect();
            follow_kind(kind, step, &mut log);
            if self.parts != Parts::None {
                parts::follow(kind, step, &begun, self.parts, &mut log);
            }
            match now {
                Some(now) => drop(self.last.insert(key, now)),
                None => drop(self.last.remove(&key)),
            }
        }
        // A kind of which no version was ever served is not part of the surface.
        group.kinds.retain(|_, kind| !kind.versions.is_empty());
    }
}

/// A kind that is new here: in versions that were declared without kinds it has existed since they began.
fn begun(declared: &BTreeMap<String, Element>, now: Option<&Resource>) -> Kind {
    let mut versions = declared.clone();
    versions.retain(|version, _| now.is_some_and(|now| now.versions.contains_key(version)));
    Kind {
        versions,
        ..Kind::default()
    }
}

fn follow_kind(kind: &mut Kind, step: Step<'_>, log: &mut ChangeLog<'_>) {
    if let Some(now) = step.now {
        kind.resource = Some(now.plural.clone());
    }
    let seen = step.now.iter().flat_map(|now| &now.versions);
    let served = seen.filter(|(_, version)| version.served).map(|(name, _)| name.clone());
    let versions: BTreeSet<String> = kind.versions.keys().cloned().chain(served).collect();
    for name in versions {
        let element = kind.versions.entry(name.clone()).or_default();
        follow_version(element, step, &name);
        let unmarked = step.now(&name).is_some_and(|now| now.served && !now.deprecated);
        if unmarked && element.living().is_some_and(Life::is_deprecated) {
            log.push(&format!(
                "{name} is not marked as deprecated, but the model declares it deprecated"
            ));
        }
    }
    follow_storage(kind, step, log);
    let (Some(before), Some(now)) = (step.before, step.now) else {
        return;
    };
    if now.stored.is_empty() {
        return;
    }
    for version in before.stored.difference(&now.stored) {
        let element = kind.versions.get_mut(version);
        if let Some(life) = element.and_then(|element| element.lives.last_mut()) {
            life.migrated.get_or_insert_with(|| step.release.clone());
        }
    }
}

fn follow_version(element: &mut Element, step: Step<'_>, version: &str) {
    let (release, before, now) = (step.release, step.before(version), step.now(version));
    let served = now.filter(|now| now.served);
    element.follow(served.is_some(), release);
    if let (Some(now), Some(life)) = (served, element.lives.last_mut()) {
        let was_deprecated = before.is_some_and(|before| before.served && before.deprecated);
        if now.deprecated && !life.is_deprecated() {
            life.deprecated.push(release.clone());
        } else if was_deprecated && !now.deprecated && life.is_deprecated() {
            life.undeprecated.push(release.clone());
        }
        if let Some(warning) = now.warning.as_ref().filter(|_| now.deprecated) {
            element.keys.insert("warning".to_owned(), Value::Text(warning.clone()));
        }
    }
    // A kind that is removed as a whole takes its objects with it. The end of what was not known to exist is unknown.
    let removed = element.lives.last().and_then(|life| life.removed.as_ref());
    let is_known = before.is_some() || removed == Some(release);
    if step.now.is_some_and(|now| !now.served_only)
        && now.is_none()
        && is_known
        && let Some(life) = element.lives.last_mut()
    {
        life.dropped.get_or_insert_with(|| release.clone());
    }
}

fn follow_storage(kind: &mut Kind, step: Step<'_>, log: &mut ChangeLog<'_>) {
    let mut versions = step.now.iter().flat_map(|now| &now.versions);
    let Some((stored, _)) = versions.find(|(_, version)| version.storage) else {
        return;
    };
    let last = kind.storage.iter().max_by_key(|(_, release)| *release);
    if last.is_some_and(|(version, _)| version == stored) {
        return;
    }
    if kind.storage.contains_key(stored) {
        log.push(&format!(
            "moves its storage back to {stored}: a model has one move to each storage version"
        ));
    } else if kind.versions.contains_key(stored) {
        kind.storage.insert(stored.clone(), step.release.clone());
    } else {
        log.push(&format!("is stored in {stored}, which was never served"));
    }
}
