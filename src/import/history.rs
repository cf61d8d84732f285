//! Releases of a product in order, folded into the lives of what they have.

mod parts;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::release::ReleaseName;

use super::draft::{Calendar, Draft, Element, Kind, Life, Value};
use super::snapshot::{Resource, Snapshot, Version};

/// One release, and what it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Shipped {
    /// Its name.
    pub release: ReleaseName,
    /// Its day, if that is known.
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

/// What a history comes to.
#[derive(Debug, Default)]
pub struct History {
    /// The lives.
    pub draft: Draft,
    /// What happened that a model has no word for, in the order of the releases.
    pub untold: Vec<String>,
}

/// Folds releases, the oldest first, into lives. What is first seen is introduced, what is no longer served is removed,
/// what comes back lives again.
///
/// `known` is what was declared before the first of these releases: it goes on from there. Groups that none of the
/// releases has are not the business of this source, and are left out. With nothing known, what the first release has
/// begins there.
pub fn fold(known: Draft, releases: &[Shipped], parts: Parts) -> History {
    let groups: BTreeSet<&String> = releases
        .iter()
        .flat_map(|shipped| shipped.snapshot.groups.keys())
        .collect();
    let mut fold = Fold {
        history: History {
            draft: known,
            untold: Vec::new(),
        },
        parts,
        only: releases.len() == 1,
        last: BTreeMap::new(),
    };
    fold.history.draft.groups.retain(|name, _| groups.contains(name));
    // Not the business of this source either.
    fold.history.draft.metrics.clear();
    for shipped in releases {
        for group in &groups {
            fold.group(group, shipped);
        }
    }
    let draft = &mut fold.history.draft;
    for group in draft.groups.values_mut() {
        if parts == Parts::Changed {
            for kind in group.kinds.values_mut() {
                parts::keep_changed(kind);
            }
        }
        // A group that was declared without kinds keeps what it says of its versions.
        let declared = std::mem::take(&mut group.versions);
        group.gather();
        for (version, element) in declared {
            group.versions.entry(version).or_insert(element);
        }
    }
    ship(
        &mut draft.calendar,
        releases.iter().map(|shipped| (&shipped.release, shipped.date)),
    );
    fold.history
}

/// Adds releases that have shipped to a calendar.
pub(super) fn ship<'r>(
    calendar: &mut Calendar,
    releases: impl Iterator<Item = (&'r ReleaseName, Option<NaiveDate>)> + Clone,
) {
    let newest = releases.clone().map(|(release, _)| release.clone()).max();
    calendar
        .releases
        .extend(releases.map(|(release, date)| (release.clone(), date)));
    calendar.current = calendar.current.take().max(newest);
    calendar.cadence = calendar.cadence.or_else(|| cadence(calendar.releases.values()));
}

/// The usual number of months between two releases: the median. `None` of fewer than three releases with a day.
pub(super) fn cadence<'d>(days: impl Iterator<Item = &'d Option<NaiveDate>>) -> Option<u32> {
    let mut days: Vec<NaiveDate> = days.flatten().copied().collect();
    days.sort_unstable();
    let mut gaps: Vec<i64> = days.windows(2).map(|pair| (pair[1] - pair[0]).num_days()).collect();
    gaps.sort_unstable();
    let median = *gaps.get(gaps.len() / 2).filter(|_| gaps.len() > 1)?;
    // Thirty days and a half are a month.
    u32::try_from((median * 2 + 30) / 61)
        .ok()
        .map(|months| months.clamp(1, 120))
}

struct Fold<'s> {
    history: History,
    parts: Parts,
    /// Whether there is one release.
    only: bool,
    /// The state of each kind in the release before, by group and name: only what these releases say, not what was
    /// known.
    last: BTreeMap<(String, String), &'s Resource>,
}

/// A moment in the life of a kind.
#[derive(Clone, Copy)]
struct Moment<'m> {
    release: &'m ReleaseName,
    /// The kind in the release before; `None` if that is not known.
    before: Option<&'m Resource>,
    /// The kind now; `None` if it is not there.
    now: Option<&'m Resource>,
    /// Whether nothing follows, and nothing came before.
    only: bool,
}

impl<'m> Moment<'m> {
    /// A version in the release before.
    fn before(self, version: &str) -> Option<&'m Version> {
        self.before?.versions.get(version)
    }

    /// A version now.
    fn now(self, version: &str) -> Option<&'m Version> {
        self.now?.versions.get(version)
    }
}

impl<'s> Fold<'s> {
    fn group(&mut self, name: &str, shipped: &'s Shipped) {
        let resources = shipped.snapshot.groups.get(name);
        let group = self.history.draft.groups.entry(name.to_owned()).or_default();
        let bare = if group.kinds.is_empty() {
            group.versions.clone()
        } else {
            BTreeMap::new()
        };
        let known = group.kinds.keys().cloned();
        let kinds: BTreeSet<String> = known
            .chain(resources.iter().flat_map(|all| all.keys().cloned()))
            .collect();
        for kind_name in kinds {
            let now = resources.and_then(|all| all.get(&kind_name));
            let key = (name.to_owned(), kind_name.clone());
            let before = self.last.get(&key).copied();
            let moment = Moment {
                release: &shipped.release,
                before,
                now,
                only: self.only,
            };
            let mut untold = Untold {
                place: format!("{}: {name} {kind_name}", shipped.release),
                list: &mut self.history.untold,
            };
            let kind = group.kinds.entry(kind_name).or_insert_with(|| begun(&bare, now));
            let begun: BTreeSet<String> = kind.versions.keys().cloned().collect();
            step(kind, moment, &mut untold);
            if self.parts != Parts::None {
                parts::step(kind, moment, &begun, self.parts, &mut untold);
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

/// Collects what a model has no word for.
struct Untold<'u> {
    place: String,
    list: &'u mut Vec<String>,
}

impl Untold<'_> {
    fn push(&mut self, what: &str) {
        self.list.push(format!("{} {what}", self.place));
    }
}

/// A kind that is new here: in versions that were declared without kinds it has been since they began.
fn begun(declared: &BTreeMap<String, Element>, now: Option<&Resource>) -> Kind {
    let here = |version: &&String| now.is_some_and(|now| now.versions.contains_key(*version));
    let versions = declared.iter().filter(|(version, _)| here(version));
    Kind {
        versions: versions
            .map(|(version, element)| (version.clone(), element.clone()))
            .collect(),
        ..Kind::default()
    }
}

/// One release in the life of a kind.
fn step(kind: &mut Kind, moment: Moment<'_>, untold: &mut Untold<'_>) {
    if let Some(now) = moment.now {
        kind.resource = Some(now.plural.clone());
    }
    let seen = moment.now.iter().flat_map(|now| &now.versions);
    let served = seen.filter(|(_, version)| version.served).map(|(name, _)| name.clone());
    let versions: BTreeSet<String> = kind.versions.keys().cloned().chain(served).collect();
    for name in versions {
        let element = kind.versions.entry(name.clone()).or_default();
        version(element, moment, moment.before(&name), moment.now(&name));
        let unmarked = moment.now(&name).is_some_and(|now| now.served && !now.deprecated);
        if unmarked && element.living().is_some_and(Life::is_deprecated) {
            untold.push(&format!(
                "{name} is not marked as deprecated, although the model says so"
            ));
        }
    }
    storage(kind, moment, untold);
    let stored = |resource: Option<&Resource>| resource.map(|resource| resource.stored.clone()).unwrap_or_default();
    let now = stored(moment.now);
    let migrated = stored(moment.before)
        .into_iter()
        .filter(|version| !now.is_empty() && !now.contains(version));
    for version in migrated {
        if let Some(life) = kind
            .versions
            .get_mut(&version)
            .and_then(|element| element.lives.last_mut())
        {
            life.migrated.get_or_insert_with(|| moment.release.clone());
        }
    }
}

/// One release in the life of a kind in a version.
fn version(element: &mut Element, moment: Moment<'_>, before: Option<&Version>, now: Option<&Version>) {
    let release = moment.release;
    let served = now.filter(|now| now.served);
    live(element, served.is_some(), release);
    if let (Some(now), Some(life)) = (served, element.lives.last_mut()) {
        let was = before.is_some_and(|before| before.served && before.deprecated);
        if now.deprecated && !life.is_deprecated() {
            life.deprecated.push(release.clone());
        } else if was && !now.deprecated && life.is_deprecated() {
            life.undeprecated.push(release.clone());
        }
        if let Some(warning) = now.warning.as_ref().filter(|_| now.deprecated) {
            element.said.insert("warning".to_owned(), Value::Text(warning.clone()));
        }
    }
    // A kind that goes as a whole takes its objects with it. Of what was not known to be there it cannot be told when
    // it went.
    let known = before.is_some()
        || element
            .lives
            .last()
            .is_some_and(|life| life.removed.as_ref() == Some(release));
    if moment.now.is_some_and(|now| !now.served_only)
        && now.is_none()
        && known
        && let Some(life) = element.lives.last_mut()
    {
        life.dropped.get_or_insert_with(|| release.clone());
    }
}

/// One release in the life of anything: it begins, ends, or begins again.
fn live(element: &mut Element, there: bool, release: &ReleaseName) {
    match (element.lives.last_mut().filter(|life| life.removed.is_none()), there) {
        (None, true) => element.lives.push(Life::begun(release.clone())),
        (Some(life), false) => life.removed = Some(release.clone()),
        _ => {}
    }
}

fn storage(kind: &mut Kind, moment: Moment<'_>, untold: &mut Untold<'_>) {
    let versions = moment.now.iter().flat_map(|now| &now.versions);
    let Some((stored, _)) = versions.clone().find(|(_, version)| version.storage) else {
        return;
    };
    let last = kind
        .storage
        .iter()
        .max_by_key(|(_, release)| *release)
        .map(|(version, _)| version);
    if last == Some(stored) {
        return;
    }
    if kind.storage.contains_key(stored) {
        untold.push(&format!(
            "goes back to {stored} as its storage version: a model has one such move a version"
        ));
    } else if kind.versions.contains_key(stored) {
        kind.storage.insert(stored.clone(), moment.release.clone());
    } else {
        untold.push(&format!("is stored in {stored}, which was never served"));
    }
}

/// The days of releases in the order of their names: where one is dated before the one it follows, the later of the two
/// days, with a sentence about it.
pub fn in_order(releases: &mut [(ReleaseName, NaiveDate)]) -> Vec<String> {
    releases.sort();
    let mut told = Vec::new();
    for at in 1..releases.len() {
        let (earlier, before) = releases[at - 1].clone();
        let (later, day) = &mut releases[at];
        if *day < before {
            told.push(format!(
                "{later} is dated {day}, before {earlier} ({before}): it is taken as of {before}"
            ));
            *day = before;
        }
    }
    told
}
