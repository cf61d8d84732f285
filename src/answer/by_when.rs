//! What has to happen by when for targets.

mod clashes;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::derivation::{Mobility, Step, Way};
use crate::diagnostic::{Diagnostic, Violation};
use crate::grammar::EntryKey;
use crate::model::{ElementId, Event, EventKind, in_shell};
use crate::plan::fixed;
use crate::release::Release;
use crate::report::{
    ByWhenReport, HappenedReport, InsteadReport, Moment, NeededReport, NextReport, SCHEMA_VERSION, Standing,
    TargetReport, WayReport,
};

use super::Material;
use super::targets::Asked;

/// What a search for ways found.
#[derive(Debug, Default)]
pub(crate) struct FoundWay {
    pub(crate) way: Way,
    /// The errors of the model with everything at its earliest.
    pub(crate) findings: Vec<Diagnostic>,
    /// The errors of the model with the targets met that cannot be reached.
    pub(crate) needed: Vec<Diagnostic>,
    /// The errors that would come with events sooner than on the way.
    pub(crate) deferred: Vec<Diagnostic>,
    /// Whether what it declares is an error without words, such as a warning.
    pub(crate) lacks_words: bool,
    /// Whether the search stopped after its last trial: before it found a way, or the latest releases of one.
    pub(crate) undecided: bool,
    /// How many deprecations were not tried in other releases, in which the law judges them otherwise.
    pub(crate) untried: usize,
    /// Of targets, earlier releases than on this way, by others.
    sooner: BTreeMap<Event, Release>,
}

impl FoundWay {
    /// Whether the soonest releases of targets are none with errors: there are none, or they were tried apart.
    fn is_permitted(&self, asked: &Asked) -> bool {
        let mut events = asked.targets.iter().map(|target| target.event);
        self.findings.is_empty()
            || events.any(|event| {
                let step = self.way.step(event);
                self.sooner.contains_key(&event) || step.is_some_and(|step| step.soonest < step.earliest)
            })
    }

    /// Adds what another way to the same targets permits. One that needs more events shows only how soon they can be
    /// reached: without those, no event may come later.
    pub(crate) fn widen(&mut self, other: &Way) {
        let needs_no_more = self.way.has_all_of(other);
        for step in &mut self.way.steps {
            let Some(other) = other.step(step.event).filter(|other| other.follows() == step.follows()) else {
                continue;
            };
            if needs_no_more {
                step.latest = step.latest.max(other.latest);
            }
            if other.soonest < step.soonest {
                let sooner = self.sooner.entry(step.event).or_insert(other.soonest);
                *sooner = other.soonest.min(*sooner);
            }
        }
    }
}

/// Whether targets are reached on a way later than they can be, because declared events are in time as they are.
fn moves_declared(way: &Way, asked: &Asked, soonest: Release) -> bool {
    let steps = asked.targets.iter().filter_map(|target| way.step(target.event));
    let earliest = steps.map(|step| step.earliest).max();
    let keeps = way
        .steps
        .iter()
        .any(|step| step.declared == Some(step.earliest) && step.soonest < step.earliest);
    keeps && earliest.is_some_and(|earliest| soonest < earliest)
}

/// The report about targets, from the way to those whose releases have not shipped, and the one to the others.
pub(crate) fn by_when<'a>(material: Material<'a>, asked: &[Asked], [found, late]: &[FoundWay; 2]) -> ByWhenReport<'a> {
    let maker = Maker { material, found, late };
    let targets: BTreeSet<Event> = asked
        .iter()
        .flat_map(|asked| &asked.targets)
        .map(|target| target.event)
        .collect();
    let steps = maker.steps(&targets);
    let declarations = steps.iter().filter_map(|(_, step)| step.declaration.clone());
    let declarations: Vec<String> = declarations.collect();
    let model = material.reasoning.model;
    let command = (!declarations.is_empty()).then(|| super::task_edits::command(model, &declarations));
    let steps: Vec<WayReport<'a>> = steps.into_iter().map(|(_, step)| step).collect();
    let next = steps.iter().find(|step| step.is_open()).map(|step| NextReport {
        element: step.element,
        event: step.event,
        by: step.latest,
        owner: step.owner,
    });
    let all: Vec<TargetReport<'a>> = asked.iter().map(|asked| maker.target(asked)).collect();
    let reachable = all.iter().all(|target| target.reachable);
    let ask_instead = maker.ask_instead(&all);
    let clashes = maker.clashes();
    let mut findings = maker.needed(found.findings.iter().chain(&late.findings));
    if !reachable && clashes.is_empty() && findings.is_empty() && found.needed.is_empty() {
        findings = maker.needed(found.deferred.iter().chain(&late.deferred));
    }
    ByWhenReport {
        schema_version: SCHEMA_VERSION,
        reachable,
        targets: all,
        next: next.filter(|_| reachable),
        releases: maker.releases(asked),
        steps,
        clashes,
        findings,
        exceptions: maker.needed(&found.needed),
        undecided: found.undecided || late.undecided,
        untried: found.untried + late.untried,
        then: command
            .as_ref()
            .filter(|_| found.lacks_words)
            .map(|_| model.writing_line("fix")),
        command,
        ask_instead,
    }
}

struct Maker<'a, 'f> {
    material: Material<'a>,
    found: &'f FoundWay,
    /// The way to targets whose releases have shipped.
    late: &'f FoundWay,
}

/// What two events have to share to be shown as one.
#[derive(PartialEq, Eq)]
struct Shown {
    planned: Option<Release>,
    open: bool,
    earliest: Release,
    latest: Option<Release>,
    movable: bool,
    follows: bool,
    instead: Vec<(ElementId, EventKind, Release)>,
}

impl<'a> Maker<'a, '_> {
    fn moment(&self, release: Release) -> Option<Moment<'a>> {
        self.material.names.moment(release)
    }

    /// The releases from the next one to the last target, or to the last event on the way.
    fn releases(&self, asked: &[Asked]) -> Vec<Moment<'a>> {
        let next = self.material.reasoning.model.calendar.next();
        let by = asked.iter().map(|asked| asked.by);
        let steps = self.found.way.steps.iter().map(|step| step.earliest);
        let last = by
            .chain(steps)
            .filter(|release| !release.is_never())
            .max()
            .unwrap_or(next);
        (next.0..=last.0).filter_map(|at| self.moment(Release(at))).collect()
    }

    fn target(&self, asked: &Asked) -> TargetReport<'a> {
        let model = self.material.reasoning.model;
        let has_shipped = asked.by < model.calendar.next();
        let found = if has_shipped { self.late } else { self.found };
        let releases = asked.targets.iter().map(|target| {
            let declared = fixed(model, target.event).unwrap_or(Release::NEVER);
            let earliest = found.sooner.get(&target.event).copied();
            earliest
                .or_else(|| found.way.step(target.event).map(|step| step.soonest))
                .unwrap_or(declared)
        });
        let releases: Vec<Release> = releases.collect();
        let soonest = releases.iter().max().copied();
        let others = releases.iter().copied().filter(|release| !release.is_never()).max();
        let others = others.filter(|others| soonest != Some(*others) && *others >= model.calendar.next());
        let is_late = soonest.is_some_and(|soonest| soonest > asked.by);
        let fails = is_late || !found.findings.is_empty();
        let is_never = releases.iter().any(|release| release.is_never());
        // A release with findings is none in which the target can be reached.
        let soonest = soonest.filter(|_| (is_late || !fails) && found.is_permitted(asked));
        TargetReport {
            target: asked.text.clone(),
            by: self.moment(asked.by),
            reachable: !fails,
            missed: fails && has_shipped,
            soonest: soonest.and_then(|soonest| self.moment(soonest)),
            soonest_moves_declared: soonest.is_some_and(|soonest| moves_declared(&found.way, asked, soonest)),
            events: asked.targets.len() + asked.met,
            met: asked.met,
            late: asked.late.len(),
            happened_late: self.happened(&asked.late),
            never: releases.iter().filter(|release| release.is_never()).count(),
            never_before_major: is_never.then(|| self.awaited_by(asked)).flatten(),
            soonest_of_others: others.and_then(|others| self.moment(others)),
        }
    }

    /// The major release that removals wait for, if the calendar does not have it.
    fn awaited_by(&self, asked: &Asked) -> Option<String> {
        let reasoning = self.material.reasoning;
        let events = asked.targets.iter().map(|target| target.event);
        let mut removals = events.filter(|event| matches!(event.what, EventKind::Removed | EventKind::Dropped));
        removals.find_map(|event| reasoning.major_awaited(&reasoning.soonest_end(event.element)))
    }

    /// The command that asks for targets in their soonest releases, if there are any.
    fn ask_instead(&self, targets: &[TargetReport<'a>]) -> Option<String> {
        let mut is_other = false;
        let mut words = "by-when".to_owned();
        for target in targets.iter().filter(|target| target.events > target.met + target.late) {
            let (event, _) = target.target.rsplit_once("<=")?;
            let asked = match target.soonest {
                _ if target.reachable => target.target.clone(),
                Some(soonest) => format!("{}<={}", event.trim_end(), soonest.release),
                None => continue,
            };
            is_other |= !target.reachable;
            let _ = write!(words, " {}", in_shell(&asked));
        }
        is_other.then(|| self.material.command_line(&words))
    }

    /// Events that have happened, the first ones first. Those of all kinds of a version in one release are one.
    fn happened(&self, events: &[Event]) -> Vec<HappenedReport<'a>> {
        let model = self.material.reasoning.model;
        let mut wholes: BTreeMap<(Release, ElementId), Vec<ElementId>> = BTreeMap::new();
        for event in events {
            let release = self.material.reasoning.release(*event).unwrap_or(Release::NEVER);
            let whole = self.whole(event.element);
            wholes.entry((release, whole)).or_default().push(event.element);
        }
        let happened = wholes.into_iter().flat_map(|((release, whole), parts)| {
            let is_whole = parts.len() == model.served_by(whole).len();
            let kinds = if is_whole { parts.len() } else { 1 };
            let elements = if is_whole { vec![whole] } else { parts };
            elements.into_iter().map(move |element| HappenedReport {
                element: model.id(element),
                kinds,
                release: self.moment(release),
            })
        });
        happened.collect()
    }

    /// The events on the way, the most urgent first. Those of all kinds of a version are one if they agree.
    fn steps(&self, targets: &BTreeSet<Event>) -> Vec<(Release, WayReport<'a>)> {
        let model = self.material.reasoning.model;
        let mut versions: BTreeMap<(ElementId, EventKind), Vec<&Step>> = BTreeMap::new();
        for step in &self.found.way.steps {
            let whole = self.whole(step.event.element);
            versions.entry((whole, step.event.what)).or_default().push(step);
        }
        let open = versions.iter().filter(|(_, parts)| parts[0].is_open());
        let moving: BTreeSet<(ElementId, EventKind)> = open.map(|(key, _)| *key).collect();
        let mut steps = Vec::new();
        for ((whole, what), parts) in versions {
            let event = model.last_event(whole, what);
            let agree = parts.windows(2).all(|pair| self.shown(pair[0]) == self.shown(pair[1]))
                && (!parts[0].is_open() || model.has_room(event, parts[0].earliest, &moving));
            let (all, first) = (model.served_by(whole).len(), parts[0]);
            if agree && parts.len() == all {
                let critical = parts.iter().any(|part| part.critical);
                steps.push(self.step(whole, first, critical, targets));
            } else {
                let parts = parts.into_iter();
                steps.extend(parts.map(|part| self.step(part.event.element, part, part.critical, targets)));
            }
        }
        steps.sort_by_key(|(latest, step)| (*latest, step.event));
        steps
    }

    fn shown(&self, step: &Step) -> Shown {
        let planned = self.material.reasoning.release(step.event);
        let instead = step.instead.iter();
        let instead = instead.map(|(event, by)| (self.whole(event.element), event.what, *by));
        Shown {
            planned,
            open: step.is_open(),
            earliest: step.earliest,
            latest: step.latest,
            movable: step.is_movable(),
            follows: step.follows(),
            instead: instead.collect(),
        }
    }

    fn step(
        &self,
        element: ElementId,
        step: &Step,
        critical: bool,
        targets: &BTreeSet<Event>,
    ) -> (Release, WayReport<'a>) {
        let model = self.material.reasoning.model;
        let standing = match step.declared {
            None => Standing::Open,
            Some(_) if step.follows() => Standing::Follow,
            Some(declared) if step.mobility == Mobility::Moves && step.earliest != declared => Standing::Move,
            Some(_) if step.is_movable() => Standing::Declared,
            Some(_) => Standing::Fact,
        };
        let key = EntryKey::of(step.event.what);
        let is_never = step.earliest.is_never();
        let is_written = step.is_open() && (step.follows() || !is_never) && model.element(element).kind.has_key(key);
        let declaration = is_written.then(|| {
            // Nothing after `=` deletes a declaration.
            let release = if is_never {
                String::new()
            } else {
                model.calendar.name(step.earliest)
            };
            format!("{}.{}={release}", model.id(element), model.event_word(step.event.what))
        });
        let report = WayReport {
            element: model.id(element),
            event: model.event_word(step.event.what),
            standing,
            declared_with: self
                .declared_with(element, step.event.what)
                .filter(|_| standing == Standing::Follow)
                .map(|version| model.id(version)),
            release: self.material.event(step.event),
            earliest: self.moment(step.earliest),
            latest: step.latest.and_then(|latest| self.moment(latest)),
            missed: step.slack().is_none() && step.latest.is_some_and(|latest| latest < model.calendar.next()),
            slack: step.slack(),
            critical,
            target: targets.contains(&step.event),
            owner: model.owned_by(element),
            reason: step.reason.clone(),
            instead: self.instead(element, step),
            declaration,
        };
        let none = if step.follows() { Release::NEVER } else { Release(0) };
        (step.latest.unwrap_or(none), report)
    }

    /// The version whose entry declares an event for a kind.
    fn declared_with(&self, element: ElementId, what: EventKind) -> Option<ElementId> {
        let model = self.material.reasoning.model;
        let version = Some(self.whole(element)).filter(|whole| *whole != element);
        version.filter(|version| model.in_force(model.last_event(*version, what)).is_some())
    }

    /// The events that would do instead; of a version, named for it where they are those of its kinds.
    fn instead(&self, element: ElementId, step: &Step) -> Vec<InsteadReport<'a>> {
        let whole = Some(element).filter(|element| *element != step.event.element);
        let events = step.instead.iter().map(|(event, by)| InsteadReport {
            element: self.named(event.element, whole),
            event: self.material.reasoning.model.event_word(event.what),
            by: self.moment(*by),
        });
        events.collect()
    }

    /// The version of a kind, or the element itself.
    fn whole(&self, id: ElementId) -> ElementId {
        let model = self.material.reasoning.model;
        let element = model.element(id);
        element.parent.filter(|_| element.kind.is_kind()).unwrap_or(id)
    }

    /// The id of an element, or of the version that is named for all its kinds.
    fn named(&self, id: ElementId, whole: Option<ElementId>) -> &'a str {
        let whole = whole.filter(|whole| *whole == self.whole(id));
        self.material.reasoning.model.id(whole.unwrap_or(id))
    }

    fn needed<'d>(&self, findings: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<NeededReport<'a>> {
        let needed = findings.into_iter().map(|finding| NeededReport {
            rule: finding.rule,
            code: finding.code.to_string(),
            element: finding.element.clone(),
            until: match finding.violation {
                Violation::Event(release) | Violation::Lasting(Some(release)) => self.moment(release.plus(1)),
                Violation::Lasting(None) => None,
            },
            message: finding.message.clone(),
        });
        let mut seen: BTreeSet<(&'static str, String, Option<String>, String)> = BTreeSet::new();
        let new = needed.filter(|one| {
            let key = (one.rule, one.code.clone(), one.element.clone(), one.message.clone());
            seen.insert(key)
        });
        new.collect()
    }
}
