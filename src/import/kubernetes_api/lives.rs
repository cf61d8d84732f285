//! The lives of kinds over releases.

use std::collections::{BTreeMap, BTreeSet};

use crate::release::ReleaseName;

use super::super::deprecation_lists::Api;
use super::super::draft::{Draft, DraftCalendar, Element, Life, Value};
use super::super::notice::{Imported, Notice, Topic};
use super::calendar::fit;
use super::changes::{Changes, changed, named};
use super::declarations::Markers;
use super::package::{ApiRelease, Seen};

/// Folds releases, the oldest first, into the lives of their kinds, and reports markers that changed and
/// contradictions.
///
/// A kind is served while it is registered, up to the release that its marker states as its removal. Of markers that
/// changed, the newest counts; an older one is history where it was in force, and else a plan that was given up.
///
/// The release in which code can no longer read a kind is not declared: these packages do not show how objects are
/// stored.
///
/// `known` is what is declared before the first of these releases: kinds without a marker go on from there. `listed`
/// has releases with better days than the releases' own.
pub fn fold(known: Draft, releases: &[ApiRelease], listed: &DraftCalendar) -> Imported {
    let reported = releases.iter().flat_map(|release| &release.kinds.notices);
    let mut notices: Vec<Notice> = reported.cloned().collect();
    let known_kinds = kinds_of(&known);
    let seen = releases.iter().flat_map(|release| release.kinds.seen.keys());
    let groups: BTreeSet<&str> = seen.clone().map(|api| api.group.as_str()).collect();
    let living = known_kinds.keys().filter(|api| groups.contains(api.group.as_str()));
    let apis: BTreeSet<&Api> = seen.chain(living).collect();
    let mut draft = Draft::default();
    let mut changes = Changes::default();
    let mut parts = Vec::new();
    for api in &apis {
        let group = known.groups.get(&api.group);
        let has_known_group = group.is_some_and(|group| !group.kinds.is_empty());
        let course = Course {
            api,
            steps: steps(api, releases),
            known: known_kinds.get(*api),
            has_known_group,
        };
        if course.is_part() {
            parts.push(api.to_string());
            continue;
        }
        let element = course.element(&apis, &mut notices);
        course.changes(&mut changes);
        course.contradictions(&apis, &mut notices);
        let group = draft.groups.entry(api.group.clone()).or_default();
        if !element.lives.is_empty() {
            let kind = group.kinds.entry(api.kind.clone()).or_default();
            kind.versions.insert(api.version.clone(), element);
        }
    }
    changes.report(&mut draft.groups, &mut notices);
    fit(&mut draft, known.calendar, releases, listed, &mut notices);
    for group in draft.groups.values_mut() {
        group.kinds.retain(|_, kind| !kind.versions.is_empty());
        group.gather();
    }
    draft.groups.retain(|_, group| !group.kinds.is_empty());
    if !parts.is_empty() {
        let text = format!(
            "left out types without a client, a list or a marker in any release: {}",
            parts.join(", ")
        );
        notices.push(Notice::new(Topic::Note, text));
    }
    Imported::new(draft, notices)
}

fn kinds_of(draft: &Draft) -> BTreeMap<Api, Element> {
    let mut kinds = BTreeMap::new();
    for (group, own) in &draft.groups {
        for (kind, found) in &own.kinds {
            for (version, element) in &found.versions {
                let [group, version, kind] = [group, version, kind].map(String::clone);
                kinds.insert(Api { group, version, kind }, element.clone());
            }
        }
    }
    kinds
}

#[derive(Clone, Copy)]
pub(super) struct Step<'r> {
    pub(super) release: &'r ReleaseName,
    pub(super) seen: Option<&'r Seen>,
    /// As it was seen with a marker: here, or where it has the first one.
    marked: Option<&'r Seen>,
}

impl<'r> Step<'r> {
    fn markers(&self) -> Option<&'r Markers> {
        self.marked?.markers.as_ref()
    }

    fn is_served(&self) -> bool {
        let removed = self.markers().and_then(|markers| markers.removed.as_ref());
        self.seen.is_some() && removed.is_none_or(|removed| removed > self.release)
    }

    fn deprecation(&self) -> Option<&'r ReleaseName> {
        let deprecated = self.markers()?.deprecated.as_ref()?;
        (deprecated <= self.release).then_some(deprecated)
    }
}

pub(super) struct Course<'r> {
    pub(super) api: &'r Api,
    pub(super) steps: Vec<Step<'r>>,
    pub(super) known: Option<&'r Element>,
    /// Whether other kinds of its group are known, so that it would be too if it had existed.
    has_known_group: bool,
}

fn steps<'r>(api: &Api, releases: &'r [ApiRelease]) -> Vec<Step<'r>> {
    let mut marked: Option<&Seen> = None;
    let mut steps: Vec<Step<'r>> = Vec::new();
    for release in releases.iter().rev() {
        let seen = release.kinds.seen.get(api);
        marked = seen.and_then(|seen| Some(seen).filter(|seen| seen.markers.is_some()).or(marked));
        let release = &release.name;
        steps.push(Step { release, seen, marked });
    }
    steps.reverse();
    steps
}

impl<'r> Course<'r> {
    /// Whether it is only part of requests or objects, as far as the code shows.
    fn is_part(&self) -> bool {
        let mut seen = self.steps.iter().filter_map(|step| step.seen);
        self.known.is_none() && seen.all(|seen| !seen.is_resource && seen.markers.is_none())
    }

    /// Whether a kind in a release may be older: in the first one, unless it would be known then.
    pub(super) fn may_be_older(&self, step: usize) -> bool {
        let first = self.steps.first().and_then(|step| step.seen);
        let is_new = self.known.is_none() && self.has_known_group && first.is_some_and(|seen| seen.is_resource);
        step == 0 && !is_new
    }

    pub(super) fn newest(&self) -> Option<(&'r Markers, &'r Seen)> {
        let mut newest_first = self.steps.iter().rev();
        newest_first.find_map(|step| Some((step.markers()?, step.marked?)))
    }

    fn element(&self, apis: &BTreeSet<&Api>, notices: &mut Vec<Notice>) -> Element {
        let mut element = Element {
            lives: self.lives(),
            ..Element::default()
        };
        for life in &mut element.lives {
            self.keep_possible(life, notices);
        }
        let replacement = self.newest().and_then(|(markers, _)| markers.replacement.as_ref());
        if let Some(replacement) = replacement {
            // Only an existing kind is shortened: of any other, the model shows what was meant.
            let short = apis.contains(replacement).then(|| named(replacement, self.api));
            let text = short.unwrap_or_else(|| replacement.to_string());
            element.keys.insert("replacement".to_owned(), Value::Text(text));
        }
        element
    }

    /// Its lives: one per stretch of releases that serve it.
    pub(super) fn lives(&self) -> Vec<Life> {
        let (mut lives, mut at) = self.begun();
        while let Some(step) = self.steps.get(at) {
            if !step.is_served() {
                at += 1;
                continue;
            }
            let end = self.first(at, |step| !step.is_served());
            let stop = self.first(end, |step| step.seen.is_none() || step.is_served());
            lives.push(self.life((at, end, stop), lives.last()));
            at = stop;
        }
        let first = self.first(0, |step| step.seen.is_some());
        if lives.is_empty() && first < self.steps.len() {
            let stop = self.first(first, |step| step.seen.is_none());
            lives.push(self.life((first, first, stop), None));
        }
        lives
    }

    /// The first step from one on for which something holds; the number of steps if there is none.
    pub(super) fn first(&self, from: usize, holds: impl Fn(&Step<'_>) -> bool) -> usize {
        let found = self.steps.iter().skip(from).position(holds);
        found.map_or(self.steps.len(), |found| from + found)
    }

    /// The lives that are known from before, and the step from which on others may follow.
    fn begun(&self) -> (Vec<Life>, usize) {
        let (Some(known), Some(first)) = (self.known, self.steps.first()) else {
            return (Vec::new(), 0);
        };
        let mut lives = known.lives.clone();
        match (known.living().is_some(), first.seen.is_some()) {
            (true, false) => {
                if let Some(last) = lives.last_mut() {
                    last.removed = Some(first.release.clone());
                }
                (lives, 0)
            }
            (true, true) => {
                lives.pop();
                (lives, 0)
            }
            (false, true) if first.marked.is_some() => (Vec::new(), 0),
            // It is still registered, which does not mean that it is served again.
            (false, true) => (lives, self.first(0, |step| step.seen.is_none())),
            (false, false) => (lives, 0),
        }
    }

    /// The life that is served from one step to another, and registered to a third.
    fn life(&self, (from, end, stop): (usize, usize, usize), before: Option<&Life>) -> Life {
        let stretch = self.steps.get(from..stop).unwrap_or_default();
        let markers = stretch.iter().rev().find_map(Step::markers);
        let introduced = self.introduction(stretch, self.may_be_older(from), before);
        let unregistered = self.steps.get(stop).filter(|_| end == stop);
        let removed = match unregistered {
            Some(step) => Some(step.release),
            None => markers.and_then(|markers| markers.removed.as_ref()),
        };
        let (deprecated, undeprecated) = deprecations(stretch, markers.filter(|_| end == self.steps.len()));
        Life {
            introduced: introduced.cloned(),
            deprecated,
            undeprecated,
            removed: removed.cloned(),
            ..Life::default()
        }
    }

    /// When a life began: code counts; a comment from which no code is generated counts where nothing was seen.
    fn introduction(&self, stretch: &[Step<'r>], is_open: bool, before: Option<&Life>) -> Option<&'r ReleaseName> {
        let first = stretch.first()?.release;
        let after = before.and_then(|before| before.removed.as_ref());
        let mut newest_first = stretch.iter().rev();
        let marked = newest_first.find_map(|step| Some((step.marked?, step.markers()?.introduced.as_ref()?)));
        if let Some((seen, introduced)) = marked
            && after.is_none_or(|after| after <= introduced)
            && (seen.is_generated || (is_open && introduced < first))
        {
            return Some(introduced);
        }
        let known = self.known.filter(|_| is_open).and_then(Element::living);
        known.and_then(|known| known.introduced.as_ref()).or(Some(first))
    }

    fn changes(&self, changes: &mut Changes) {
        let none = Markers::default();
        let mut before: Option<&Markers> = None;
        for step in &self.steps {
            let Some(seen) = step.seen else {
                let planned = before.and_then(|markers| markers.removed.as_ref());
                if let Some(planned) = planned.filter(|planned| *planned > step.release) {
                    let change = format!("no longer registered, but its removal was planned for {planned}");
                    changes.add(step.release, self.api, change);
                }
                before = None;
                continue;
            };
            let now = seen.markers.as_ref().or(before.map(|_| &none));
            if let (Some(before), Some(now)) = (before, now)
                && before != now
            {
                changes.add(step.release, self.api, changed(before, now, self.api));
            }
            before = now;
        }
    }
}

/// When a kind was deprecated and when that was withdrawn, as its markers had it in force; at the end, what is
/// planned.
fn deprecations(stretch: &[Step<'_>], planned: Option<&Markers>) -> (Vec<ReleaseName>, Vec<ReleaseName>) {
    let (mut deprecated, mut undeprecated): (Vec<ReleaseName>, Vec<ReleaseName>) = (Vec::new(), Vec::new());
    for step in stretch {
        let in_force = deprecated.len() > undeprecated.len();
        let taken_back = undeprecated.last();
        let Some(release) = step.deprecation() else {
            undeprecated.extend(in_force.then(|| step.release.clone()));
            continue;
        };
        let fits = taken_back.is_none_or(|last| last <= release);
        match deprecated.last_mut().filter(|_| in_force) {
            Some(last) if fits => last.clone_from(release),
            Some(_) => {}
            None => deprecated.push(if fits { release } else { step.release }.clone()),
        }
    }
    if deprecated.len() == undeprecated.len() {
        deprecated.extend(planned.and_then(|markers| markers.deprecated.clone()));
    }
    (deprecated, undeprecated)
}
