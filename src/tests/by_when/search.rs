//! A search through all releases, against which ways to targets are compared.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::{Evaluation, Supposition};
use lifecycle::model::{ElementId, EventKind};
use lifecycle::release::Release;
use lifecycle::report::{ByWhenReport, Moment, Standing, WayReport};
use lifecycle::stability::Stage;
use proptest::prelude::*;
use proptest::sample::Index;

use super::super::worlds::{World, load_supposing};
use crate::grammar::EntryKey;
use crate::model::{Model, comes_before};
use crate::plan::fixed;

/// A model, and what is asked of it.
pub(super) struct Question<'q> {
    pub(super) world: &'q World,
    pub(super) text: &'q str,
    pub(super) before: &'q Evaluation,
    pub(super) by: Release,
    /// Events that follow: the search leaves them out, or has them in their earliest releases if they stay declared then.
    pub(super) withdrawn: Vec<Supposition>,
    /// The target: an event of an element, or of each of its parts.
    pub(super) target: Option<(ElementId, EventKind)>,
}

impl Question<'_> {
    /// Whether nothing speaks against declaring this.
    pub(super) fn fits(&self, declared: &[Supposition]) -> bool {
        let Ok(with) = load_supposing(self.world, self.text, None, declared) else {
            return false;
        };
        let model = with.model();
        let are_in_order = declared.iter().all(|(element, what, release)| {
            // What is withdrawn later is not announced.
            let is_announced = *what != EventKind::Deprecated
                || release.is_none()
                || model.in_force(model.last_event(*element, *what)).is_some();
            is_announced && is_in_order(model, self.before.model(), *element, *what)
        });
        if !are_in_order {
            return false;
        }
        let is_reached = self.target.is_none_or(|(element, what)| {
            let parts = model.served_by(element).into_iter();
            let mut releases = parts.map(|part| fixed(model, model.last_event(part, what)));
            releases.all(|release| release.is_some_and(|release| release <= self.by))
        });
        if !is_reached {
            return false;
        }
        let added = with.findings_added_to(self.before);
        !added
            .iter()
            .any(|finding| finding.severity == Severity::Error && !finding.lacks_words())
    }

    /// Whether some releases of events fit, none after the target; one of them has its release already.
    fn some_fit(&self, events: &[(ElementId, EventKind)], fixed: Option<(usize, Release)>) -> bool {
        let first = self.before.model().calendar.next().0;
        let count = (self.by.0 + 1 - first) as usize;
        let free = events.len() - usize::from(fixed.is_some());
        (0..count.pow(u32::try_from(free).expect("few events"))).any(|mut number| {
            let declared = events.iter().enumerate().map(|(at, (element, what))| {
                let release = match fixed {
                    Some((fixed, release)) if fixed == at => release,
                    _ => {
                        let digit = u32::try_from(number % count).expect("few releases");
                        number /= count;
                        Release(first + digit)
                    }
                };
                (*element, *what, Some(release))
            });
            self.fits(&declared.chain(self.withdrawn.iter().copied()).collect::<Vec<_>>())
        })
    }

    /// The events that follow, in the releases that they may move to.
    fn following(&self, report: &ByWhenReport<'_>) -> Vec<Supposition> {
        let model = self.before.model();
        let steps = report.steps.iter().filter(|step| step.standing == Standing::Follow);
        let following = steps.map(|step| {
            let element = model.find(step.element).expect("an element");
            let release = step.earliest.map(|earliest| self.release(Some(earliest)));
            (element, step.event.kind, release)
        });
        following.collect()
    }

    fn release(&self, moment: Option<Moment<'_>>) -> Release {
        let name = moment.expect("a release").release;
        self.before.model().calendar.find(name).expect("it is in the calendar")
    }
}

/// Whether a declared event stands in the order of its life, and is not declared never to happen: a supposed one is not
/// compared with that. What the model before withdraws of a kind stays withdrawn where the kind gets an entry of its
/// own.
fn is_in_order(model: &Model, before: &Model, element: ElementId, what: EventKind) -> bool {
    if what == EventKind::Deprecated && model.keeps(element).is_some() {
        return false;
    }
    // A life goes on after its deprecation is withdrawn, and what was withdrawn is announced again after that.
    let ends = [EventKind::Deprecated, EventKind::Removed].map(|what| model.in_force(model.last_event(element, what)));
    let last = before
        .repeated(before.last_event(element, EventKind::Undeprecated))
        .last();
    let mut ends = ends.into_iter().flatten();
    if last.is_some_and(|last| ends.any(|end| end.release <= last.release)) {
        return false;
    }
    comes_before()
        .filter(|(first, then, _)| [*first, *then].contains(&what))
        .all(|(first, then, same)| {
            let events = [first, then].map(|what| model.in_force(model.last_event(element, what)));
            let [Some(earlier), Some(later)] = events else {
                return true;
            };
            // What was withdrawn is announced again after that.
            let is_again = earlier.event.step > 0 && later.event.what == EventKind::Undeprecated;
            let same = same && earlier.event.what != EventKind::Undeprecated;
            is_again || earlier.release < later.release || (same && earlier.release == later.release)
        })
}

/// Whether the model has errors about some elements, their wholes or their parts. A breach that is there already is no
/// argument against a release.
fn is_broken(evaluation: &Evaluation, ids: &[&str]) -> bool {
    let model = evaluation.model();
    let wholes: Vec<ElementId> = ids
        .iter()
        .filter_map(|id| Some(whole(model, model.find(id)?)))
        .collect();
    let mut errors = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    errors.any(|finding| {
        let about = [finding.element.as_deref(), finding.caused_by.as_deref()];
        let mut about = about.into_iter().flatten().filter_map(|id| model.find(id));
        finding.element.is_none() || about.any(|id| wholes.contains(&whole(model, id)))
    })
}

/// The version that an element is part of, or itself.
fn whole(model: &Model, id: ElementId) -> ElementId {
    model.with_wholes(id).last().unwrap_or(id)
}

const MOST_EVENTS: usize = 3;

const MOST_RELEASES: u32 = 5;

/// Holds for one target.
fn agrees(question: &Question<'_>, id: &str, report: &ByWhenReport<'_>) -> Result<(), TestCaseError> {
    let model = question.before.model();
    let open = report
        .steps
        .iter()
        .filter(|step| step.is_open() && step.standing != Standing::Follow);
    let open: Vec<&WayReport<'_>> = open.collect();
    let events = open
        .iter()
        .map(|step| (model.find(step.element).expect("an element"), step.event.kind));
    let mut events: Vec<(ElementId, EventKind)> = events.collect();
    if report.reachable {
        let earliest = open.iter().zip(&events);
        let earliest: Vec<Supposition> = earliest
            .map(|(step, (element, what))| (*element, *what, Some(question.release(step.earliest))))
            .collect();
        for following in [question.following(report), question.withdrawn.clone()] {
            let all: Vec<Supposition> = earliest.iter().copied().chain(following).collect();
            prop_assert!(question.fits(&all), "{id}: everything at its earliest: {report:#?}");
        }
    }
    let first = model.calendar.next().0;
    if events.len() > MOST_EVENTS || question.by.0 < first || question.by.0 - first >= MOST_RELEASES {
        return Ok(());
    }
    if !report.reachable {
        let target = model.find(id).expect("an element");
        // A kind with an entry of its own does not follow that of its version.
        let parts = model.served_by(target).into_iter();
        let own = parts.filter(|part| *part != target && !model.declared_of(*part).is_empty());
        let targets: Vec<ElementId> = own.chain([target]).collect();
        let all = targets
            .into_iter()
            .flat_map(|target| [EventKind::Deprecated, EventKind::Removed].map(|what| (target, what)));
        for (target, what) in all {
            let is_new = !events.contains(&(target, what));
            let able = model.element(target).kind.has_key(EntryKey::Event(what));
            // An entry of a gate does not move.
            let gate = model.gate(target).filter(|_| what == EventKind::Deprecated);
            let able = able && gate.is_none_or(|gate| gate.first(Stage::Deprecated).is_none());
            // Nor does what has shipped.
            let declared = model.in_force(model.last_event(target, what));
            let able = able && declared.is_none_or(|declared| declared.release.0 >= first);
            if is_new && able && events.len() < MOST_EVENTS {
                events.push((target, what));
            }
        }
        prop_assert!(!question.some_fit(&events, None), "{id} can be reached: {report:#?}");
        return Ok(());
    }
    for (at, step) in open.iter().enumerate() {
        let latest = question.release(step.latest);
        prop_assert!(
            question.some_fit(&events, Some((at, latest))),
            "{id}: {} {} in its latest release does not fit: {report:#?}",
            step.element,
            step.event
        );
        let later = latest.plus(1);
        if later <= question.by {
            prop_assert!(
                !question.some_fit(&events, Some((at, later))),
                "{id}: {} {} may be later: {report:#?}",
                step.element,
                step.event
            );
        }
    }
    Ok(())
}

pub(super) fn ask(world: &World, text: &str, (at, what, later): (Index, EventKind, u32)) -> Result<(), TestCaseError> {
    let Ok(before) = load_supposing(world, text, None, &[]) else {
        return Ok(());
    };
    let model = before.model();
    let ids: Vec<&str> = model.ids().collect();
    let id = ids[at.index(ids.len())];
    let by = model.calendar.next().plus(later);
    let name = model.calendar.name(by);
    if model.calendar.find(&name) != Ok(by) {
        return Ok(());
    }
    let target = format!("{id}.{what}<={name}");
    let report = before.by_when(&[target]);
    let Ok(report) = report else { return Ok(()) };
    let mut question = Question {
        world,
        text,
        before: &before,
        by,
        withdrawn: Vec::new(),
        target: model.find(id).map(|element| (element, what)),
    };
    let following = question.following(&report);
    let withdrawn: Vec<Supposition> = following
        .iter()
        .map(|(element, what, _)| (*element, *what, None))
        .collect();
    let without = load_supposing(world, text, None, &withdrawn);
    let withdrawn = following.into_iter().map(|(element, what, release)| {
        // A kind cannot withdraw what its version declares.
        let stays = without.as_ref().is_ok_and(|without| {
            let model = without.model();
            model.in_force(model.last_event(element, what)).is_some()
        });
        (element, what, release.filter(|_| stays))
    });
    question.withdrawn = withdrawn.collect();
    let on_the_way = report.steps.iter().map(|step| step.element);
    let on_the_way: Vec<&str> = on_the_way.chain([id]).collect();
    if report.targets[0].met == report.targets[0].events || is_broken(&before, &on_the_way) {
        return Ok(());
    }
    agrees(&question, id, &report)
}
