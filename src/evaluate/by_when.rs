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

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use crate::answer::{self, Asked, FoundWay, NoTarget};
use crate::derivation::{Step, Target, Terrain, Way};
use crate::diagnostic::{Diagnostic, Severity, Violation};
use crate::model::{ElementId, Event, EventKind};
use crate::release::Release;
use crate::report::ByWhenReport;

use super::Evaluation;
use super::planning::Planned;
use super::schedule::{Schedule, announced, earliest, latest, merged, soonest};
use super::turns::{Turn, changes, next_of_kind, turns};

/// The most evaluations of a search. Most need two. The answer says if one needs more, and no way was found until then.
const MOST_EVALUATIONS: usize = 8;

/// The most deprecations that are tried in later releases, of which each needs evaluations. The answer counts the rest.
const MOST_STRETCHES: usize = 8;

/// The first releases of events that no obligation asks for.
type Floors = HashMap<Event, Release>;

/// Deprecations with the releases from which each is to be one.
type Chosen = HashMap<Event, Range<Release>>;

impl Evaluation {
    /// Whether targets can be reached, and what has to happen by when.
    ///
    /// # Errors
    ///
    /// If something is no target.
    pub fn by_when(&self, targets: &[String]) -> Result<ByWhenReport<'_>, NoTarget> {
        let asked: Vec<Asked> = answer::targets(self.material(), targets)?;
        let next = self.model.calendar.next();
        let all = asked.iter().flat_map(|asked| &asked.targets).copied();
        let (missed, open): (Vec<Target>, Vec<Target>) = all.partition(|target| target.by < next);
        let [open, missed] = [open, missed].map(|targets| Search { before: self, targets });
        let found = [open.run(), missed.run_late()];
        Ok(answer::by_when(self.material(), &asked, &found))
    }
}

struct Search<'s> {
    before: &'s Evaluation,
    targets: Vec<Target>,
}

impl Search<'_> {
    fn run(&self) -> FoundWay {
        let mut found = self.best();
        if !found.way.clashes.is_empty() {
            found.needed = self.errors(&self.forced(&found.way));
        }
        found
    }

    /// How soon targets can be reached although their releases have shipped. What clashes is what no release permits.
    fn run_late(&self) -> FoundWay {
        let asked: BTreeMap<Event, Release> = self.targets.iter().map(|target| (target.event, target.by)).collect();
        let by = self.before.model.calendar.last_nameable();
        let targets = self.targets.iter().map(|target| Target { by, ..*target });
        let search = Search {
            targets: targets.collect(),
            ..*self
        };
        let mut found = search.best();
        for clash in &mut found.way.clashes {
            clash.target.by = asked.get(&clash.target.event).copied().unwrap_or(by);
        }
        found
    }

    fn best(&self) -> FoundWay {
        if self.targets.is_empty() {
            return FoundWay::default();
        }
        let mut chosen = Chosen::new();
        let mut found = self.find(&chosen, None);
        let (own, mut others) = self.stretches(&found.way);
        let untried = others.len().saturating_sub(MOST_STRETCHES);
        others.truncate(MOST_STRETCHES);
        if !others.is_empty() {
            chosen.extend(own);
            found = self.find(&chosen, None);
        }
        found = self.settled(found, &mut chosen);
        let mut ways = Vec::new();
        for (event, stretch) in others {
            let mut with = chosen.clone();
            with.insert(event, stretch.clone());
            let other = self.settled(self.find(&with, None), &mut with);
            if !begins_in(&other.way, event, &stretch) {
                continue;
            }
            if breaches(&other) == (0, 0) && !found.way.has_all_of(&other.way) {
                // The same without the events that it needs beside those of the first way.
                let events: HashSet<Event> = found.way.steps.iter().map(|step| step.event).collect();
                let alone = self.find(&with, Some(&events));
                ways.extend(Some(alone).filter(|alone| begins_in(&alone.way, event, &stretch)));
            }
            if breaches(&other) < breaches(&found) {
                chosen = with;
                ways.push(std::mem::replace(&mut found, other));
            } else {
                ways.push(other);
            }
        }
        for way in ways.iter().filter(|other| breaches(other) == (0, 0)) {
            found.widen(&way.way);
        }
        found.untried = untried;
        found
    }

    /// The way with removals no later than the law permits, which may judge a later one otherwise: where the latest
    /// ones are errors, none is later than the last release that it judges as the one before. So each turn leaves out
    /// one such release, and there are as many turns as those at most.
    fn settled(&self, mut found: FoundWay, chosen: &mut Chosen) -> FoundWay {
        while breaches(&found) == (0, 0) {
            let turns: Vec<(&Step, Turn)> = turns(self.before, &found.way);
            if turns.is_empty() {
                break;
            }
            let errors = self.errors(&latest(&found.way));
            let mut late: Vec<(Event, Turn)> = Vec::new();
            for (step, turn) in turns {
                let errors = errors.iter().filter(|error| happens_in(error) == step.latest);
                let mut about = errors.flat_map(|error| self.steps_about(&found.way, error));
                late.extend(
                    about
                        .any(|about| about.event == step.event)
                        .then_some((step.event, turn)),
                );
            }
            let Some(next) = self.before_turns(&late, chosen) else {
                break;
            };
            found = next;
        }
        found
    }

    /// The way with some removals before what would make the law judge them otherwise, or else announced before it.
    fn before_turns(&self, late: &[(Event, Turn)], chosen: &mut Chosen) -> Option<FoundWay> {
        let announced = late.iter().map(|(event, turn)| match turn {
            Turn::Law(release) => (event.sibling(EventKind::Deprecated), *release),
            Turn::Beginning(release) => (*event, *release),
        });
        let sooner = late.iter().map(|(event, turn)| (*event, turn.release()));
        let mut choices: Vec<Vec<(Event, Release)>> = vec![announced.collect(), sooner.collect()];
        choices.dedup();
        for choice in choices.into_iter().filter(|choice| !choice.is_empty()) {
            let mut with = chosen.clone();
            with.extend(choice.into_iter().map(|(event, end)| (event, Release(0)..end)));
            let found = self.find(&with, None);
            if breaches(&found) == (0, 0) {
                *chosen = with;
                return Some(found);
            }
        }
        None
    }

    /// The steps that still have to be declared, of the element of a finding or of its parts; if there are none, of the
    /// element that causes it.
    fn steps_about<'w>(&self, way: &'w Way, finding: &Diagnostic) -> Vec<&'w Step> {
        let model = &self.before.model;
        let ids = [finding.element.as_deref(), finding.caused_by.as_deref()];
        let elements = ids.into_iter().flatten().filter_map(|id| model.find(id));
        let steps = elements.map(|element| {
            let mut parts = model.served_by(element);
            parts.extend(Some(element).filter(|element| !parts.contains(element)));
            let steps = parts.iter().flat_map(|part| way.of_element(*part));
            steps.filter(|step| step.is_open() && !step.follows()).collect()
        });
        let mut known: Vec<Vec<&Step>> = steps.collect();
        known.retain(|steps| !steps.is_empty());
        known.into_iter().next().unwrap_or_default()
    }

    /// Where the law judges the deprecations on the way differently in different releases: of each, the releases in
    /// which it is judged as in its earliest one, and others in which it is judged otherwise: later ones and, of what
    /// is declared, the earlier ones that it may move to.
    fn stretches(&self, way: &Way) -> (Chosen, Vec<(Event, Range<Release>)>) {
        let last = self.targets.iter().map(|target| target.by).max().unwrap_or(Release(0));
        let late = way.clashes.iter().flat_map(|clash| &clash.events);
        let late: BTreeSet<ElementId> = late.map(|event| event.element).collect();
        let (mut own, mut others) = (Chosen::new(), Vec::new());
        for step in &way.steps {
            let is_open = step.declared.is_none() || step.is_movable();
            let is_late = late.is_empty() || late.contains(&step.event.element);
            if step.event.what != EventKind::Deprecated || !is_open || !is_late {
                continue;
            }
            let mut starts = changes(self.before, step.event.element);
            starts.insert(0, Release(0));
            let ends = starts.iter().skip(1).copied().chain([Release::NEVER]);
            for stretch in starts.iter().zip(ends).map(|(start, end)| *start..end) {
                if stretch.contains(&step.earliest) {
                    own.insert(step.event, stretch);
                } else if self.may_begin_in(step, &stretch) && stretch.start <= last {
                    others.push((step.event, stretch));
                }
            }
        }
        (own, others)
    }

    fn may_begin_in(&self, step: &Step, stretch: &Range<Release>) -> bool {
        let removed = step.event.sibling(EventKind::Removed);
        let is_later = stretch.start > step.earliest;
        is_later || (step.declared.is_some() && stretch.end > self.before.model.first_announcement(removed))
    }

    fn find(&self, chosen: &Chosen, within: Option<&HashSet<Event>>) -> FoundWay {
        let mut floors = Floors::new();
        let mut stated: Option<Planned> = None;
        let mut known: Schedule = Vec::new();
        let mut found = FoundWay::default();
        let (mut checked, mut is_open) = (false, true);
        for _ in 0..MOST_EVALUATIONS {
            found.way = self.way(stated.as_ref(), &floors, (chosen, within));
            let announced = announced(&found.way);
            if announced != known {
                let suppositions = merged(&self.before.model, &announced);
                if let Ok(planned) = self.before.planned_supposing(&suppositions) {
                    stated = Some(planned);
                }
                known = announced;
                continue;
            }
            found.findings = self.errors(&earliest(&found.way));
            checked = true;
            if found.findings.is_empty() || !self.raise(&mut floors, &found) {
                is_open = false;
                break;
            }
        }
        if !checked {
            found.findings = self.errors(&earliest(&found.way));
        }
        found.undecided = is_open && !found.findings.is_empty();
        self.confirm_soonest(&mut found);
        found
    }

    /// Checks that declared events may move to where targets can be reached sooner; else they stay.
    fn confirm_soonest(&self, found: &mut FoundWay) {
        let mut targets = self.targets.iter().filter_map(|target| found.way.step(target.event));
        let is_sooner = targets.any(|step| step.soonest < step.earliest);
        if is_sooner && !self.errors(&soonest(&found.way)).is_empty() {
            for step in &mut found.way.steps {
                step.soonest = step.earliest;
            }
        }
    }

    fn way(
        &self,
        stated: Option<&Planned>,
        floors: &Floors,
        (chosen, within): (&Chosen, Option<&HashSet<Event>>),
    ) -> Way {
        let terrain = Terrain {
            facts: self.before.reasoning(),
            stated: stated.map_or_else(|| self.before.reasoning(), Planned::reasoning),
            law: &self.before.law,
            floors,
            chosen,
            within,
        };
        Way::find(terrain, &self.targets)
    }

    /// The errors that a schedule adds. Warnings and the like are declared together with the events.
    fn errors(&self, schedule: &Schedule) -> Vec<Diagnostic> {
        if schedule.is_empty() {
            return Vec::new();
        }
        match self.before.supposing(&merged(&self.before.model, schedule)) {
            Ok(trial) => {
                let mut added = trial.findings_added_to(self.before);
                added.retain(|finding| finding.severity == Severity::Error && !finding.lacks_words());
                added
            }
            Err(error) => vec![*error],
        }
    }

    /// Lets the events that findings are about come later, up to where the law judges them otherwise; whether there
    /// are any.
    fn raise(&self, floors: &mut Floors, found: &FoundWay) -> bool {
        let mut raised = false;
        for finding in &found.findings {
            let Some(release) = happens_in(finding) else { continue };
            let later = finding.earliest.filter(|later| *later > release && !later.is_never());
            let is_of_another = finding.caused_by.is_some();
            let about = self.steps_about(&found.way, finding).into_iter();
            for step in about.filter(|step| step.earliest == release || (is_of_another && step.earliest < release)) {
                let mut changes = changes(self.before, step.event.element).into_iter();
                let change = changes.find(|change| *change > release).unwrap_or(Release::NEVER);
                let later = match later {
                    None if is_of_another => next_of_kind(self.before, &found.way, step.event.element, release),
                    later => Some(later.unwrap_or(release.plus(1)).min(change)),
                };
                let is_target = self.targets.iter().any(|target| target.event == step.event);
                if later.is_none() && is_target {
                    continue;
                }
                // What no change permits is not on a way.
                floors.insert(step.event, later.unwrap_or(Release::NEVER));
                raised = true;
            }
        }
        raised
    }

    /// The targets that rules alone prevent in their releases, and what leads to them no later. No exception moves what
    /// is declared, or changes the order of the events of a life.
    fn forced(&self, way: &Way) -> Schedule {
        let by_rules = way.clashes.iter().filter(|clash| !clash.obligations.is_empty());
        let by: BTreeMap<Event, Release> = by_rules
            .flat_map(|clash| clash.events.iter().map(|event| (*event, clash.target.by)))
            .collect();
        let next = self.before.model.calendar.next();
        let steps = way
            .steps
            .iter()
            .filter(|step| step.declared.is_none() || step.is_movable());
        let forced = steps.filter_map(|step| {
            if step.follows() {
                return Some((step.event, None));
            }
            let release = by.get(&step.event).map_or(step.earliest, |by| step.earliest.min(*by));
            (release >= next && !release.is_never()).then_some((step.event, Some(release)))
        });
        forced.collect()
    }
}

/// Whether the earliest release of an event is in a stretch of releases.
fn begins_in(way: &Way, event: Event, stretch: &Range<Release>) -> bool {
    way.earliest(event).is_some_and(|earliest| stretch.contains(&earliest))
}

/// How many targets cannot be reached, and how many errors everything at its earliest adds.
fn breaches(found: &FoundWay) -> (usize, usize) {
    (found.way.clashes.len(), found.findings.len())
}

/// The release of an event that a finding is about, or from which on it lasts.
fn happens_in(finding: &Diagnostic) -> Option<Release> {
    match finding.violation {
        Violation::Event(release) | Violation::Lasting(Some(release)) => Some(release),
        Violation::Lasting(None) => None,
    }
}
