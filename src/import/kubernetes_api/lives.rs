//! The lives of kinds over releases.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::release::ReleaseName;

use super::super::draft::{Calendar, Draft, Element, Life, Value};
use super::super::peers::Api;
use super::calendar::fit;
use super::file::Said;
use super::package::{Release, Seen, words};
use super::told::{Notes, Told};

/// Folds releases, the oldest first, into the lives of their kinds, and tells of what changed its mind or contradicts
/// itself.
///
/// A kind is served while it is registered, up to the release that its marker calls its removal. Of markers that
/// changed, the newest counts; what an older one said is history where it was in force, and else a plan that was given
/// up.
///
/// When code forgets a kind is not said: these packages do not tell in what objects are stored.
///
/// `known` is what was declared before the first of these releases: kinds without a marker go on from there. `listed`
/// has releases with better days than the releases' own.
pub fn fold(known: Draft, releases: &[Release], listed: &Calendar) -> (Draft, Told) {
    let mut told = Told::default();
    for release in releases {
        told.skipped.extend(release.kinds.skipped.iter().cloned());
        told.contradictions.extend(release.kinds.contradictions.iter().cloned());
    }
    let known_kinds = kinds_of(&known);
    let seen = releases.iter().flat_map(|release| release.kinds.seen.keys());
    let groups: BTreeSet<&str> = seen.clone().map(|api| api.group.as_str()).collect();
    let living = known_kinds.keys().filter(|api| groups.contains(api.group.as_str()));
    let apis: BTreeSet<&Api> = seen.chain(living).collect();
    let mut draft = Draft::default();
    let mut notes = Notes::default();
    for api in &apis {
        let has_group = known
            .groups
            .get(&api.group)
            .is_some_and(|group| !group.kinds.is_empty());
        let course = Course::of(api, releases, known_kinds.get(*api), has_group);
        if course.is_part() {
            told.parts.push(words(api));
            continue;
        }
        let element = course.element(&apis, &mut told);
        course.changes(&mut notes);
        course.contradictions(&apis, &mut told);
        let group = draft.groups.entry(api.group.clone()).or_default();
        if !element.lives.is_empty() {
            let kind = group.kinds.entry(api.kind.clone()).or_default();
            kind.versions.insert(api.version.clone(), element);
        }
    }
    notes.tell(&mut draft.groups, &mut told);
    fit(&mut draft, known.calendar, releases, listed, &mut told);
    for group in draft.groups.values_mut() {
        group.kinds.retain(|_, kind| !kind.versions.is_empty());
        group.gather();
    }
    draft.groups.retain(|_, group| !group.kinds.is_empty());
    (draft, told)
}

/// The kinds of a draft, by what they are.
fn kinds_of(draft: &Draft) -> BTreeMap<Api, Element> {
    let mut kinds = BTreeMap::new();
    for (group, own) in &draft.groups {
        for (kind, found) in &own.kinds {
            for (version, element) in &found.versions {
                let api = Api {
                    group: group.clone(),
                    version: version.clone(),
                    kind: kind.clone(),
                };
                kinds.insert(api, element.clone());
            }
        }
    }
    kinds
}

/// A kind in one release.
#[derive(Clone, Copy)]
struct Step<'r> {
    release: &'r ReleaseName,
    seen: Option<&'r Seen>,
    /// As it was seen when its marker said something: here, or where it has the first one.
    marked: Option<&'r Seen>,
}

impl<'r> Step<'r> {
    fn said(&self) -> Option<&'r Said> {
        self.marked?.said.as_ref()
    }

    fn is_served(&self) -> bool {
        let removed = self.said().and_then(|said| said.removed.as_ref());
        self.seen.is_some() && removed.is_none_or(|removed| removed > self.release)
    }

    /// The deprecation that is in force.
    fn deprecation(&self) -> Option<&'r ReleaseName> {
        let deprecated = self.said()?.deprecated.as_ref()?;
        (deprecated <= self.release).then_some(deprecated)
    }
}

/// A kind over all releases.
struct Course<'r> {
    api: &'r Api,
    steps: Vec<Step<'r>>,
    known: Option<&'r Element>,
    /// Whether other kinds of its group are known, so that it would be too if it had been there.
    has_known_group: bool,
}

impl<'r> Course<'r> {
    fn of(api: &'r Api, releases: &'r [Release], known: Option<&'r Element>, has_known_group: bool) -> Self {
        let mut next: Option<&Seen> = None;
        let mut steps: Vec<Step<'r>> = Vec::new();
        for release in releases.iter().rev() {
            let seen = release.kinds.seen.get(api);
            next = seen.and_then(|seen| Some(seen).filter(|seen| seen.said.is_some()).or(next));
            steps.push(Step {
                release: &release.name,
                seen,
                marked: next,
            });
        }
        steps.reverse();
        Self {
            api,
            steps,
            known,
            has_known_group,
        }
    }

    /// Whether it is a type that only travels within requests or objects, as far as the code shows.
    fn is_part(&self) -> bool {
        let mut seen = self.steps.iter().filter_map(|step| step.seen);
        self.known.is_none() && seen.all(|seen| !seen.is_resource && seen.said.is_none())
    }

    /// Whether what is there in a release may have been there before: in the first one, unless it would be known then.
    fn may_be_older(&self, step: usize) -> bool {
        let is_resource = |step: &Step<'_>| step.seen.is_some_and(|seen| seen.is_resource);
        let is_news = self.known.is_none() && self.has_known_group && self.steps.first().is_some_and(is_resource);
        step == 0 && !is_news
    }

    /// The newest marker, and where it stands.
    fn newest(&self) -> Option<(&'r Said, &'r Seen)> {
        let mut said = self
            .steps
            .iter()
            .rev()
            .filter_map(|step| Some((step.said()?, step.marked?)));
        said.next()
    }

    fn element(&self, apis: &BTreeSet<&Api>, told: &mut Told) -> Element {
        let mut element = Element {
            lives: self.lives(),
            ..Element::default()
        };
        for life in &mut element.lives {
            self.keep_possible(life, told);
        }
        let replacement = self.newest().and_then(|(said, _)| said.replacement.as_ref());
        if let Some(replacement) = replacement {
            // In short only what is there: of anything else, the model is to say what was meant.
            let is_there = apis.contains(replacement);
            let text = if is_there {
                named(replacement, self.api)
            } else {
                words(replacement)
            };
            let text = Value::Text(text);
            element.said.insert("replacement".to_owned(), text);
        }
        element
    }

    /// Its lives: one a stretch of releases that serve it.
    fn lives(&self) -> Vec<Life> {
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

    /// The first step from one on of which something holds; the number of steps if there is none.
    fn first(&self, from: usize, holds: impl Fn(&Step<'_>) -> bool) -> usize {
        let found = self.steps.iter().skip(from).position(holds);
        found.map_or(self.steps.len(), |found| from + found)
    }

    /// The lives that are known from before, and the step from which on there are others.
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
            // That it is registered still does not mean that it is served again.
            (false, true) => (lives, self.first(0, |step| step.seen.is_none())),
            (false, false) => (lives, 0),
        }
    }

    /// The life that is served from one step to another, and registered to a third.
    fn life(&self, (from, end, stop): (usize, usize, usize), before: Option<&Life>) -> Life {
        let stretch = self.steps.get(from..stop).unwrap_or_default();
        let said = stretch.iter().rev().find_map(Step::said);
        let introduced = self.introduction(stretch, self.may_be_older(from), before);
        let gone = self.steps.get(stop);
        let planned = said.and_then(|said| said.removed.as_ref());
        // Not served any more: by its marker, or because it is not registered any more.
        let removed = if end < stop || gone.is_none() {
            planned
        } else {
            gone.map(|gone| gone.release)
        };
        let (deprecated, undeprecated) = deprecations(stretch, said.filter(|_| end == self.steps.len()));
        Life {
            introduced: introduced.cloned(),
            deprecated,
            undeprecated,
            removed: removed.cloned(),
            ..Life::default()
        }
    }

    /// When a life began: what its code says counts; a comment from which no code is generated counts where nothing
    /// was seen.
    fn introduction(&self, stretch: &[Step<'r>], is_open: bool, before: Option<&Life>) -> Option<&'r ReleaseName> {
        let first = stretch.first()?.release;
        let after = before.and_then(|before| before.removed.as_ref());
        let mut marked = stretch
            .iter()
            .rev()
            .filter_map(|step| Some((step.marked?, step.said()?.introduced.as_ref()?)));
        let marked = marked
            .next()
            .filter(|(_, introduced)| after.is_none_or(|after| after <= *introduced));
        if let Some((seen, introduced)) = marked
            && (seen.is_generated || (is_open && introduced < first))
        {
            return Some(introduced);
        }
        let known = self.known.filter(|_| is_open).and_then(Element::living);
        known.and_then(|known| known.introduced.as_ref()).or(Some(first))
    }

    /// Leaves out of a life what cannot be, and tells of it.
    fn keep_possible(&self, life: &mut Life, told: &mut Told) {
        let Some((_, seen)) = self.newest() else { return };
        let place = &seen.place;
        let mut tell = |what: String| told.contradictions.push(format!("{place}: {} {what}", words(self.api)));
        let introduced = life.introduced.clone();
        if let (Some(introduced), Some(removed)) = (&introduced, &life.removed)
            && removed <= introduced
        {
            tell(format!(
                "is removed in {removed}, but introduced in {introduced}: its removal is left out"
            ));
            life.removed = None;
        }
        if let (Some(introduced), Some(first)) = (&introduced, life.deprecated.first())
            && first < introduced
        {
            tell(format!(
                "is deprecated in {first}, but introduced in {introduced}: its deprecation is left out"
            ));
            life.deprecated.clear();
            life.undeprecated.clear();
        }
        if let (Some(last), Some(removed)) = (life.deprecated.last(), &life.removed) {
            if removed < last {
                tell(format!(
                    "is removed in {removed}, but deprecated in {last}: its deprecation is left out"
                ));
                life.deprecated.clear();
                life.undeprecated.clear();
            } else if removed == last {
                tell(format!("is deprecated in {last}, the release in which it is removed"));
            }
        }
    }

    /// How its markers changed.
    fn changes(&self, notes: &mut Notes) {
        let none = Said::default();
        let mut before: Option<&Said> = None;
        for step in &self.steps {
            let Some(seen) = step.seen else {
                let planned = before.and_then(|said| said.removed.as_ref());
                if let Some(planned) = planned.filter(|planned| *planned > step.release) {
                    notes.add(
                        step.release,
                        self.api,
                        format!("gone, but was to be removed in {planned}"),
                    );
                }
                before = None;
                continue;
            };
            let now = seen.said.as_ref().or(before.map(|_| &none));
            if let (Some(before), Some(now)) = (before, now)
                && before != now
            {
                notes.add(step.release, self.api, changed(before, now, self.api));
            }
            before = now;
        }
    }

    /// What its newest marker says against what was seen.
    fn contradictions(&self, apis: &BTreeSet<&Api>, told: &mut Told) {
        let Some((said, seen)) = self.newest() else { return };
        let (api, place) = (words(self.api), &seen.place);
        if let Some((introduced, was)) = self.seen_otherwise(said) {
            let counts = if seen.is_generated {
                let counted = self.lives().into_iter().find_map(|life| life.introduced);
                let counted = counted.as_ref().unwrap_or(introduced);
                format!(": {counted} counts; if it is wrong, correct it in the model")
            } else {
                ", which counts: no code is generated from that comment".to_owned()
            };
            told.contradictions.push(format!(
                "{place}: {api} says it was introduced in {introduced}, but {was}{counts}"
            ));
        }
        if let Some(replacement) = said
            .replacement
            .as_ref()
            .filter(|replacement| !apis.contains(replacement))
        {
            told.contradictions.push(format!(
                "{place}: {api} is replaced by {}, which is no kind in any release that was read",
                words(replacement)
            ));
        }
    }
}

impl Course<'_> {
    /// The introduction that a marker states, and when it was seen, where that is another release.
    fn seen_otherwise<'s>(&self, said: &'s Said) -> Option<(&'s ReleaseName, String)> {
        let first = self.first(0, |step| step.seen.is_some());
        let (introduced, release) = (said.introduced.as_ref()?, self.steps.get(first)?.release);
        // What the first release has may have come long before it.
        let is_open = self.may_be_older(first) || self.known.is_some();
        let was = match introduced.cmp(release) {
            Ordering::Less if !is_open => format!("is first registered in {release}"),
            Ordering::Greater => format!("is registered already in {release}"),
            _ => return None,
        };
        Some((introduced, was))
    }
}

/// When a kind was deprecated and when that was taken back, as its markers had it in force; at last what is planned.
fn deprecations(stretch: &[Step<'_>], planned: Option<&Said>) -> (Vec<ReleaseName>, Vec<ReleaseName>) {
    let (mut deprecated, mut undeprecated): (Vec<ReleaseName>, Vec<ReleaseName>) = (Vec::new(), Vec::new());
    for step in stretch {
        let in_force = deprecated.len() > undeprecated.len();
        let fits = |release: &&ReleaseName| undeprecated.last().is_none_or(|last| last <= *release);
        match (in_force, step.deprecation()) {
            (false, Some(release)) => {
                let release = Some(release).filter(fits).unwrap_or(step.release);
                deprecated.push(release.clone());
            }
            (true, Some(release)) => {
                if let (Some(last), Some(release)) = (deprecated.last_mut(), Some(release).filter(fits)) {
                    last.clone_from(release);
                }
            }
            (true, None) => undeprecated.push(step.release.clone()),
            (false, None) => {}
        }
    }
    if deprecated.len() == undeprecated.len() {
        deprecated.extend(planned.and_then(|said| said.deprecated.clone()));
    }
    (deprecated, undeprecated)
}

/// What one marker says otherwise than the one before it.
fn changed(before: &Said, now: &Said, api: &Api) -> String {
    let release = |said: Option<&ReleaseName>| said.map_or("none".to_owned(), ToString::to_string);
    let replacement = |said: &Said| {
        said.replacement
            .as_ref()
            .map_or("none".to_owned(), |other| named(other, api))
    };
    let pairs = [
        (
            "introduced",
            release(before.introduced.as_ref()),
            release(now.introduced.as_ref()),
        ),
        (
            "deprecated",
            release(before.deprecated.as_ref()),
            release(now.deprecated.as_ref()),
        ),
        (
            "removed",
            release(before.removed.as_ref()),
            release(now.removed.as_ref()),
        ),
        ("replacement", replacement(before), replacement(now)),
    ];
    let differing = pairs.into_iter().filter(|(_, before, now)| before != now);
    let all: Vec<String> = differing
        .map(|(what, before, now)| format!("{what} {before}, now {now}"))
        .collect();
    all.join("; ")
}

/// A replacement as a model names it: a version of the same kind in the same group by itself, anything else by its id.
fn named(replacement: &Api, of: &Api) -> String {
    if replacement.group == of.group && replacement.kind == of.kind {
        return replacement.version.clone();
    }
    words(replacement)
}
