//! The search for ways to targets: over the obligations of the model as it is, and with events on the way supposed.
//!
//! What an element is obliged to depends on what is declared of it: a deprecated flag has steps to take, and the
//! edition that announces an end sets its window. So the way is found again over the obligations of the model with its
//! steps supposed, until they agree; then the model with everything at its earliest is checked.
//!
//! A gate that becomes alpha makes what it guards less stable, and what is deprecated then may be removed at once. So
//! an earlier deprecation is not always better: where a target cannot be reached, later ones are tried.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::answer::{self, Asked, FoundWay, NoTarget};
use crate::derivation::{Step, Target, Terrain, Way};
use crate::diagnostic::{Diagnostic, Severity, Violation};
use crate::model::{ElementId, Event, EventKind, Model};
use crate::release::Release;
use crate::report::ByWhenReport;

use super::{Evaluation, Supposition};

/// The most evaluations of a search. Most need two.
const MOST_EVALUATIONS: usize = 8;

/// The most deprecations that are tried in a later release.
const MOST_DEFERRED: usize = 8;

/// The first releases of events that no obligation asks for.
type Floors = HashMap<Event, Release>;

impl Evaluation {
    /// Whether targets can be reached, and what has to happen by when. `evaluate` reads the model with suppositions.
    ///
    /// # Errors
    ///
    /// If something is no target.
    pub fn by_when(
        &self,
        targets: &[String],
        evaluate: impl Fn(&[Supposition]) -> Result<Self, Vec<Diagnostic>>,
    ) -> Result<ByWhenReport<'_>, NoTarget> {
        let asked: Vec<Asked> = answer::targets(self.material(), targets)?;
        let search = Search {
            before: self,
            targets: asked.iter().flat_map(|asked| &asked.targets).copied().collect(),
            evaluate,
        };
        Ok(answer::by_when(self.material(), &asked, &search.run()))
    }
}

/// Events with their releases; without one, an event is not declared.
type Schedule = Vec<(Event, Option<Release>)>;

struct Search<'s, F> {
    before: &'s Evaluation,
    targets: Vec<Target>,
    evaluate: F,
}

impl<F: Fn(&[Supposition]) -> Result<Evaluation, Vec<Diagnostic>>> Search<'_, F> {
    fn run(&self) -> FoundWay {
        let mut deferred = Floors::new();
        let mut found = self.find(deferred.clone());
        for (event, release) in self.less_stable(&found.way) {
            let mut floors = deferred.clone();
            floors.insert(event, release);
            let other = self.find(floors.clone());
            if breaches(&other) < breaches(&found) {
                (found, deferred) = (other, floors);
            }
        }
        if !found.way.clashes.is_empty() {
            found.needed = self.errors(&self.forced(&found.way));
        }
        found
    }

    /// The deprecations on the way to what cannot be reached that may come later, in releases in which gates make their
    /// elements less stable.
    fn less_stable(&self, way: &Way) -> Vec<(Event, Release)> {
        let model = &self.before.model;
        let mut found = Vec::new();
        for clash in &way.clashes {
            let late: BTreeSet<ElementId> = clash.events.iter().map(|event| event.element).collect();
            let steps = way.steps.iter().filter(|step| {
                let is_open = step.declared.is_none() || step.movable;
                step.event.what == EventKind::Deprecated && is_open && late.contains(&step.event.element)
            });
            for step in steps {
                let (element, earliest) = (step.event.element, step.earliest);
                let gates = model.gates_guarding(element);
                let changes = gates.flat_map(|gate| gate.specs.iter().map(|spec| spec.since));
                let mut later: Vec<Release> = changes
                    .filter(|release| (earliest.plus(1)..=clash.target.by).contains(release))
                    .filter(|release| model.track_at(element, *release) < model.track_at(element, earliest))
                    .collect();
                later.sort_unstable();
                later.dedup();
                found.extend(later.into_iter().map(|release| (step.event, release)));
            }
        }
        found.truncate(MOST_DEFERRED);
        found
    }

    fn find(&self, mut floors: Floors) -> FoundWay {
        let mut stated: Option<Evaluation> = None;
        let mut known: Schedule = Vec::new();
        let mut found = FoundWay::default();
        let mut checked = false;
        for _ in 0..MOST_EVALUATIONS {
            found.way = self.way(stated.as_ref(), &floors);
            let announced = announced(&found.way);
            if announced != known {
                if let Ok(evaluation) = self.supposing(&announced) {
                    stated = Some(evaluation);
                }
                known = announced;
                continue;
            }
            found.findings = self.errors(&earliest(&found.way));
            checked = true;
            if found.findings.is_empty() || !raise(&self.before.model, &mut floors, &found) {
                break;
            }
        }
        if !checked {
            found.findings = self.errors(&earliest(&found.way));
        }
        found
    }

    fn way(&self, stated: Option<&Evaluation>, floors: &Floors) -> Way {
        let terrain = Terrain {
            facts: self.before.reasoning(),
            stated: stated.unwrap_or(self.before).reasoning(),
            law: &self.before.law,
            floors,
        };
        Way::find(terrain, &self.targets)
    }

    fn supposing(&self, schedule: &Schedule) -> Result<Evaluation, Vec<Diagnostic>> {
        (self.evaluate)(&merged(&self.before.model, schedule))
    }

    /// The errors that a schedule adds. Warnings and the like are declared together with the events.
    fn errors(&self, schedule: &Schedule) -> Vec<Diagnostic> {
        if schedule.is_empty() {
            return Vec::new();
        }
        match self.supposing(schedule) {
            Ok(trial) => {
                let mut added = trial.findings_added_to(self.before);
                added.retain(|finding| finding.severity == Severity::Error && !finding.lacks_words());
                added
            }
            Err(errors) => errors,
        }
    }

    /// The targets that cannot be reached in their releases, and what leads to them no later.
    fn forced(&self, way: &Way) -> Schedule {
        let by: BTreeMap<Event, Release> = way
            .clashes
            .iter()
            .flat_map(|clash| clash.events.iter().map(|event| (*event, clash.target.by)))
            .collect();
        let next = self.before.model.calendar.next();
        let steps = way.steps.iter().filter(|step| step.declared.is_none() || step.movable);
        let forced = steps.filter_map(|step| {
            let release = by.get(&step.event).map_or(step.earliest, |by| step.earliest.min(*by));
            (release >= next && !release.is_never()).then_some((step.event, Some(release)))
        });
        forced.collect()
    }
}

/// How many targets cannot be reached, and how many errors everything at its earliest adds.
fn breaches(found: &FoundWay) -> (usize, usize) {
    (found.way.clashes.len(), found.findings.len())
}

/// What is announced before the last events of the ways: all but removals, which are withdrawn where they are
/// declared.
fn announced(way: &Way) -> Schedule {
    let steps = way.steps.iter().filter(|step| step.movable || step.declared.is_none());
    let announced = steps.filter_map(|step| match step.event.what {
        EventKind::Removed => step.declared.map(|_| (step.event, None)),
        _ if step.earliest.is_never() => None,
        _ => step.is_open().then_some((step.event, Some(step.earliest))),
    });
    announced.collect()
}

/// What has to be declared, at its earliest.
fn earliest(way: &Way) -> Schedule {
    let open = way
        .steps
        .iter()
        .filter(|step| step.is_open() && !step.earliest.is_never());
    open.map(|step| (step.event, Some(step.earliest))).collect()
}

/// Lets the events that findings are about come later; whether there are any.
fn raise(model: &Model, floors: &mut Floors, found: &FoundWay) -> bool {
    let mut raised = false;
    let mut steps: BTreeMap<ElementId, Vec<&Step>> = BTreeMap::new();
    for step in found.way.steps.iter().filter(|step| step.is_open()) {
        steps.entry(step.event.element).or_default().push(step);
    }
    for finding in &found.findings {
        let element = finding.element.as_deref().and_then(|id| model.find(id));
        let (Some(element), Violation::Event(release) | Violation::Lasting(Some(release))) =
            (element, finding.violation)
        else {
            continue;
        };
        let later = finding.earliest.filter(|later| *later > release && !later.is_never());
        let parts = model.served_by(element);
        let own = Some(&element).filter(|element| !parts.contains(element));
        let about = parts.iter().chain(own).filter_map(|part| steps.get(part)).flatten();
        for step in about.filter(|step| step.earliest == release) {
            floors.insert(step.event, later.unwrap_or(release.plus(1)));
            raised = true;
        }
    }
    raised
}

/// A part of a version, with the release of an event.
type Part = (ElementId, Option<Release>);

/// A schedule as suppositions: one for a version if all its kinds agree and its entry has room for it, and those of
/// kinds with entries of their own.
fn merged(model: &Model, schedule: &Schedule) -> Vec<Supposition> {
    let mut versions: BTreeMap<(ElementId, EventKind), Vec<Part>> = BTreeMap::new();
    for (event, release) in schedule {
        let element = model.element(event.element);
        let version = element.parent.filter(|_| element.kind.is_kind());
        let whole = version.unwrap_or(event.element);
        versions
            .entry((whole, event.what))
            .or_default()
            .push((event.element, *release));
    }
    let mut suppositions = Vec::new();
    let moving: BTreeSet<(ElementId, EventKind)> = versions.keys().copied().collect();
    for ((whole, what), parts) in versions {
        let release = parts[0].1;
        let event = model.last_event(whole, what);
        let agree = parts.iter().all(|(_, other)| *other == release)
            && parts.len() == model.served_by(whole).len()
            && release.is_none_or(|release| model.has_room(event, release, &moving));
        if agree {
            suppositions.push((whole, what, release));
        }
        let own = parts.into_iter().filter(|(part, _)| {
            let declared = model.declared_of(*part).iter();
            *part != whole && (!agree || declared.clone().any(|declared| declared.event.what == what))
        });
        suppositions.extend(own.map(|(part, release)| (part, what, release)));
    }
    suppositions
}
