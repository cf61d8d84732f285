//! The search for ways to targets: over the obligations of the model as it is, and with events on the way supposed.
//!
//! What an element is obliged to depends on what is declared of it: a deprecated flag has steps to take, and the
//! edition that announces an end sets its window. So the way is found again over the obligations of the model with its
//! steps supposed, until they agree; then the model with everything at its earliest is checked.
//!
//! A gate that becomes alpha makes what it guards less stable, and what is deprecated then may be removed at once. So
//! an earlier deprecation is not always better. It is within a stretch of releases in which the law judges it alike, so
//! a way is found for each such stretch. The first one that reaches the targets is shown, and an event on it may come
//! as late as in any of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::answer::{self, Asked, FoundWay, NoTarget};
use crate::derivation::{Step, Target, Terrain, Way, changes};
use crate::diagnostic::Diagnostic;
use crate::model::{Event, EventKind};
use crate::release::Release;
use crate::report::ByWhenReport;

use super::Evaluation;
use super::findings::{happens_in, is_about, is_too_late};
use super::limits::Limits;
use super::planning::Planned;
use super::schedule::{Schedule, announced, earliest, forced, latest, merged, soonest, withdrawn};
use super::stretches::{begins_in, stretches};
use super::thresholds::{Counterparts, Threshold, thresholds};
use super::trials::{self, Trials};

/// The most evaluations of a search. Most need two. The answer says if one needs more, and no way was found until then.
const MOST_EVALUATIONS: usize = 8;

/// The most turns that move removals before what makes them errors. Few need more than one.
const MOST_TURNS: usize = 16;

/// The most deprecations that are tried in later releases, of which each needs evaluations. The answer counts the rest.
const MOST_STRETCHES: usize = 8;

/// The first releases of events that no obligation asks for.
type Floors = HashMap<Event, Release>;

impl Evaluation {
    /// Whether targets can be reached, and what has to happen by when.
    ///
    /// # Errors
    ///
    /// If something is no target.
    pub fn by_when(&self, targets: &[String]) -> Result<ByWhenReport<'_>, NoTarget> {
        self.by_when_within(trials::MOST_PLANNED, targets)
    }

    /// The same, trying no more once trials have planned so many elements.
    pub(crate) fn by_when_within(&self, most: usize, targets: &[String]) -> Result<ByWhenReport<'_>, NoTarget> {
        let asked: Vec<Asked> = answer::targets(self.material(), targets)?;
        let next = self.model.calendar.next();
        let all = asked.iter().flat_map(|asked| &asked.targets);
        let needed = answer::needed_to_drop(self.material(), all.clone());
        let all = all.copied().chain(needed);
        let (missed, open): (Vec<Target>, Vec<Target>) = all.partition(|target| target.by < next);
        let [open, missed] = [open, missed].map(|targets| Search::of(self, targets, most));
        let found = [open.run(), missed.run_late()];
        Ok(answer::by_when(self.material(), &asked, &found))
    }
}

struct Search<'s> {
    before: &'s Evaluation,
    targets: Vec<Target>,
    trials: Trials<'s>,
}

impl<'s> Search<'s> {
    fn of(before: &'s Evaluation, targets: Vec<Target>, most: usize) -> Self {
        let elements = targets.iter().map(|target| target.event.element);
        let trials = Trials::around(before, elements, most);
        Self {
            before,
            targets,
            trials,
        }
    }

    fn run(&self) -> FoundWay {
        let mut found = self.best();
        if !found.way.clashes.is_empty() {
            found.needed = self
                .trials
                .errors(&forced(&found.way, self.before.model.calendar.next()));
        }
        found.lacks_words = breaches(&found) == (0, 0) && self.trials.lacks_words(&earliest(&found.way));
        found
    }

    /// How soon targets can be reached although their releases have shipped. What clashes is what no release permits.
    fn run_late(&self) -> FoundWay {
        let asked: BTreeMap<Event, Release> = self.targets.iter().map(|target| (target.event, target.by)).collect();
        let by = self.before.model.calendar.last_nameable();
        let targets = self.targets.iter().map(|target| Target { by, ..*target });
        let mut found = Search::of(self.before, targets.collect(), self.trials.most).best();
        for clash in &mut found.way.clashes {
            clash.target.by = asked.get(&clash.target.event).copied().unwrap_or(by);
        }
        found
    }

    fn best(&self) -> FoundWay {
        if self.targets.is_empty() {
            return FoundWay::default();
        }
        let mut limits = Limits::default();
        let mut found = self.find(&limits);
        let last = self.targets.iter().map(|target| target.by).max();
        let (own, mut others) = stretches(self.before, &found.way, last.unwrap_or(Release(0)));
        let untried = others.len().saturating_sub(MOST_STRETCHES);
        others.truncate(MOST_STRETCHES);
        if !others.is_empty() {
            limits.chosen.extend(own);
            found = self.find(&limits);
        }
        found = self.permitted_at_latest(found, &mut limits);
        found.untried = untried;
        let mut ways = Vec::new();
        for (event, stretch) in others {
            if self.trials.are_spent() {
                found.untried += 1;
                continue;
            }
            let mut with = limits.clone();
            with.chosen.insert(event, stretch.clone());
            let other = self.permitted_at_latest(self.find(&with), &mut with);
            if other.undecided {
                found.untried += 1;
            }
            if !begins_in(&other.way, event, &stretch) {
                continue;
            }
            if breaches(&other) == (0, 0) && !found.way.has_all_of(&other.way) {
                // The same without the events that it needs beside those of the first way.
                with.within = Some(found.way.steps.iter().map(|step| step.event).collect());
                let alone = self.permitted_at_latest(self.find(&with), &mut with.clone());
                with.within = None;
                ways.extend(Some(alone).filter(|alone| begins_in(&alone.way, event, &stretch)));
            }
            if breaches(&other) < breaches(&found) {
                let untried = found.untried;
                limits = with;
                ways.push(std::mem::replace(&mut found, other));
                found.untried = untried;
            } else {
                ways.push(other);
            }
        }
        ways.extend(self.unannounced(&mut found));
        self.confirm_soonest(&mut found);
        for mut way in ways.into_iter().filter(|other| breaches(other) == (0, 0)) {
            self.confirm_soonest(&mut way);
            found.widen(&way.way);
        }
        found
    }

    /// The way with removals that nothing announces, which takes the place of one that does not reach the targets.
    fn unannounced(&self, found: &mut FoundWay) -> Option<FoundWay> {
        let limits = Limits::unannounced(self.before.reasoning(), &self.targets);
        let limits = limits.filter(|_| !self.trials.are_spent())?;
        let without = self.find(&limits);
        if breaches(&without) < breaches(found) {
            *found = without;
            return None;
        }
        Some(without)
    }

    /// The way with removals no later than the law permits, which may judge a later one otherwise. Where the latest
    /// ones are errors, each is before the last release from which the law judges it otherwise, in the last turn before
    /// the first such release. What cannot move before it keeps its earliest release.
    fn permitted_at_latest(&self, mut found: FoundWay, limits: &mut Limits) -> FoundWay {
        for turn in 1..=MOST_TURNS {
            if breaches(&found) != (0, 0) {
                break;
            }
            let late = self.late(&found.way, turn == MOST_TURNS);
            if late.is_empty() {
                break;
            }
            match self.before_thresholds(&late, limits) {
                Some(next) => found = next,
                None => {
                    let late = late.into_iter().map(|(event, _)| event);
                    found.way.keep_earliest(&late.collect());
                    found.undecided = true;
                    break;
                }
            }
            found.undecided |= turn == MOST_TURNS;
        }
        found
    }

    /// The removals that are errors in their latest releases, each with the last threshold before that, or the first.
    fn late(&self, way: &Way, is_first: bool) -> Vec<(Event, Threshold)> {
        let thresholds = thresholds(self.before, way);
        if thresholds.is_empty() {
            return Vec::new();
        }
        let errors = self.trials.errors(&latest(way));
        let errors = errors.iter().filter_map(|error| Some((error, happens_in(error)?)));
        let late: HashSet<(Event, Release)> = errors
            .flat_map(|(error, release)| {
                let about = self.steps_about(way, error).into_iter();
                about.map(move |step| (step.event, release))
            })
            .collect();
        let thresholds = thresholds.into_iter().filter(|(step, _)| {
            let latest = step.latest.map(|latest| (step.event, latest));
            latest.is_some_and(|latest| late.contains(&latest))
        });
        let thresholds = thresholds.filter_map(|(step, all)| {
            let threshold = if is_first { all.first() } else { all.last() };
            Some((step.event, *threshold?))
        });
        thresholds.collect()
    }

    /// The way with some removals before what makes the law judge them otherwise, or else announced before it.
    fn before_thresholds(&self, late: &[(Event, Threshold)], limits: &mut Limits) -> Option<FoundWay> {
        let announced = late.iter().map(|(event, threshold)| match threshold {
            Threshold::Announcement { from, .. } => (event.sibling(EventKind::Deprecated), *from),
            Threshold::Removal(release) => (*event, *release),
        });
        let sooner = late.iter().map(|(event, threshold)| (*event, threshold.release()));
        let mut choices: Vec<Vec<(Event, Release)>> = vec![announced.collect(), sooner.collect()];
        choices.dedup();
        for choice in choices.into_iter().take_while(|_| !self.trials.are_spent()) {
            let mut with = limits.clone();
            let choice = choice.into_iter().map(|(event, end)| (event, Release(0)..end));
            with.chosen.extend(choice);
            let found = self.find(&with);
            if breaches(&found) == (0, 0) {
                *limits = with;
                return Some(found);
            }
        }
        None
    }

    /// The steps that still have to be declared, of the element of a finding or of its parts; if there are none, of the
    /// element that causes it.
    fn steps_about<'w>(&self, way: &'w Way, finding: &Diagnostic) -> Vec<&'w Step> {
        self.steps_of(way, finding, Step::is_open)
    }

    fn steps_of<'w>(&self, way: &'w Way, finding: &Diagnostic, counts: impl Fn(&Step) -> bool) -> Vec<&'w Step> {
        let model = &self.before.model;
        let ids = [finding.element.as_deref(), finding.caused_by.as_deref()];
        let elements = ids.into_iter().flatten().filter_map(|id| model.find(id));
        let steps = elements.map(|element| {
            let mut parts = model.served_by(element);
            parts.extend(Some(element).filter(|element| !parts.contains(element)));
            let steps = parts.iter().flat_map(|part| way.of_element(*part));
            steps.filter(|step| counts(step)).collect()
        });
        let mut known: Vec<Vec<&Step>> = steps.collect();
        known.retain(|steps| !steps.is_empty());
        known.into_iter().next().unwrap_or_default()
    }

    fn find(&self, limits: &Limits) -> FoundWay {
        let mut floors = Floors::new();
        let model = &self.before.model;
        let first = [withdrawn(model, &self.targets), limits.unannounced.clone()].concat();
        let mut stated: Option<Planned> = (!first.is_empty())
            .then(|| self.trials.planned(&merged(model, &first)))
            .flatten();
        let (mut known, mut earlier): (Schedule, Vec<(Schedule, Way)>) = (Schedule::new(), Vec::new());
        let mut found = FoundWay::default();
        let mut is_open = true;
        for _ in 0..MOST_EVALUATIONS {
            found.way = self.way(stated.as_ref(), &floors, limits);
            let announced = announced(&found.way, &self.targets);
            let again = earlier.iter().position(|(schedule, _)| *schedule == announced);
            // What is announced may depend on itself without end: then any of it is checked.
            if announced != known && again.is_none() {
                let supposed = [announced.clone(), limits.unannounced.clone()].concat();
                let suppositions = merged(model, &supposed);
                stated = self.trials.planned(&suppositions).or(stated);
                earlier.push((std::mem::replace(&mut known, announced), std::mem::take(&mut found.way)));
                continue;
            }
            found.findings = self.trials.errors(&earliest(&found.way));
            let repeated = earlier.split_off(again.unwrap_or(earlier.len()));
            if breaches(&found) != (0, 0)
                && let Some(way) = self.permitted(repeated.into_iter().map(|(_, way)| way))
            {
                (found.way, found.findings) = (way, Vec::new());
            }
            if found.findings.is_empty() || !self.defer(&mut floors, &mut found) {
                is_open = false;
                break;
            }
            earlier.clear();
        }
        // The last trial found another way, of which nothing was checked.
        if let Some((_, way)) = earlier.pop().filter(|_| is_open) {
            found.findings = self.trials.errors(&earliest(&way));
            found.way = way;
        }
        found.undecided = is_open && !found.findings.is_empty();
        found
    }

    /// The first way that reaches the targets, with nothing added to the errors of the model.
    fn permitted(&self, mut ways: impl Iterator<Item = Way>) -> Option<Way> {
        ways.find(|way| way.clashes.is_empty() && self.trials.errors(&earliest(way)).is_empty())
    }

    /// Checks that declared events may move to where targets can be reached sooner. Those that errors are about stay.
    fn confirm_soonest(&self, found: &mut FoundWay) {
        for _ in (0..MOST_EVALUATIONS).take_while(|_| !self.trials.are_spent()) {
            let mut targets = self.targets.iter().filter_map(|target| found.way.step(target.event));
            if !targets.any(|step| step.soonest < step.earliest) {
                return;
            }
            let errors = self.trials.errors(&soonest(&found.way));
            if errors.is_empty() {
                return;
            }
            let about = errors
                .iter()
                .flat_map(|error| self.steps_of(&found.way, error, Step::is_sooner));
            let about: HashSet<Event> = about.map(|step| step.event).collect();
            found.way.keep_soonest(&about);
        }
        found.way.keep_soonest(&HashSet::new());
    }

    fn way(&self, stated: Option<&Planned>, floors: &Floors, limits: &Limits) -> Way {
        let terrain = Terrain {
            facts: self.before.reasoning(),
            stated: stated.map_or_else(|| self.before.reasoning(), Planned::reasoning),
            law: &self.before.law,
            floors,
            chosen: &limits.chosen,
            within: limits.within.as_ref(),
        };
        Way::find(terrain, &self.targets)
    }

    /// Lets the events that findings are about come later, up to where the law judges them otherwise; whether there
    /// are any.
    fn defer(&self, floors: &mut Floors, found: &mut FoundWay) -> bool {
        let mut counterparts = Counterparts::of(self.before, &found.way);
        let targets: HashSet<Event> = self.targets.iter().map(|target| target.event).collect();
        let mut is_any = false;
        for finding in &found.findings {
            let Some(release) = happens_in(finding).filter(|_| !is_too_late(finding)) else {
                continue;
            };
            let later = finding.earliest.filter(|later| *later > release && !later.is_never());
            let is_of_another = finding.caused_by.is_some();
            let mut about = self.steps_of(&found.way, finding, |step| {
                step.is_open() && (step.earliest == release || (is_of_another && step.earliest < release))
            });
            let own = about
                .iter()
                .any(|step| is_about(finding, step.event, &self.before.model));
            about.retain(|step| !own || is_about(finding, step.event, &self.before.model));
            for step in about {
                let mut changes = changes(&self.before.law, &self.before.model, step.event.element).into_iter();
                let change = changes.find(|change| *change > release).unwrap_or(Release::NEVER);
                let is_announced = step.event.what == EventKind::Deprecated && step.earliest < release;
                let later = match later {
                    // It may be announced together with what names it as its replacement.
                    None if is_of_another && is_announced => Some(release),
                    None if is_of_another => counterparts.next(step.event.element, release),
                    later => Some(later.unwrap_or(release.plus(1)).min(change)),
                };
                if later.is_none() && targets.contains(&step.event) {
                    continue;
                }
                // What no change permits is not on a way.
                floors.insert(step.event, later.unwrap_or(Release::NEVER));
                is_any = true;
            }
        }
        if is_any {
            found.deferred.clone_from(&found.findings);
        }
        is_any
    }
}

/// How many targets cannot be reached, and how many errors everything at its earliest adds.
fn breaches(found: &FoundWay) -> (usize, usize) {
    (found.way.clashes.len(), found.findings.len())
}
