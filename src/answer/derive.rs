//! Why the events of an element have their releases.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::derivation::{Reasoning, Worked};
use crate::diagnostic::{Label, Severity};
use crate::model::{ElementId, Event, EventKind};
use crate::obligation::{Demand, Obligation, Source};
use crate::plan::Decision;
use crate::release::Release;
use crate::report::{DemandKind, Derivation, EventDerivation, EventName, Moment, Origin, SCHEMA_VERSION, StepReport};
use crate::source::Sources;

use super::Material;
use super::diagnostics::label;
use super::shown::{self, Shown};
use super::{elements, entries};

/// The derivation of an element's events, or of one kind of them, with the events that they are counted from.
pub(crate) fn derivation<'a>(
    material: Material<'a>,
    sources: &Sources<'_>,
    element: ElementId,
    only: Option<EventKind>,
) -> Derivation<'a> {
    Deriver::new(material, sources).derivation(element, only)
}

/// The same for several elements.
pub(crate) fn derivations<'a>(
    material: Material<'a>,
    sources: &Sources<'_>,
    elements: impl IntoIterator<Item = ElementId>,
    only: Option<EventKind>,
) -> Result<Vec<Derivation<'a>>, TooManyEvents> {
    let deriver = Deriver::new(material, sources);
    let mut all: Vec<Derivation<'a>> = Vec::new();
    let mut events = 0;
    for element in elements {
        let one = deriver.derivation(element, only);
        events += one.events.iter().map(|event| 1 + event.steps.len()).sum::<usize>();
        if events > MOST_EVENTS && !all.is_empty() {
            return Err(TooManyEvents);
        }
        all.push(one);
    }
    Ok(all)
}

/// The most events, and reasons for them, of several elements: each of a chain of gates is counted from all before it.
const MOST_EVENTS: usize = 100_000;

/// Why several elements are not explained in one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the reasons of these elements, and of what they are counted from, are more than {MOST_EVENTS}")]
pub struct TooManyEvents;

mod ends;

struct Deriver<'a, 's> {
    material: Material<'a>,
    sources: &'s Sources<'s>,
    reports: elements::Builder<'a>,
}

impl<'a, 's> Deriver<'a, 's> {
    fn new(material: Material<'a>, sources: &'s Sources<'s>) -> Self {
        Self {
            material,
            sources,
            reports: elements::Builder::of(material),
        }
    }

    fn derivation(&self, element: ElementId, only: Option<EventKind>) -> Derivation<'a> {
        let material = self.material;
        let model = material.reasoning.model;
        let report = self.reports.report(element);
        let parts = model.served_by(element);
        let is_open = parts.iter().any(|part| !material.reasoning.has_ended(*part));
        let events = self.with_anchors(shown::events(material.reasoning, element, only));
        Derivation {
            schema_version: SCHEMA_VERSION,
            element: model.id(element),
            stability: report.stability,
            replacement: report.replacement,
            migrate_to: report.migrate_to,
            earliest_removal: report.earliest_removal.filter(|_| is_open),
            if_deprecated: report.if_deprecated.filter(|_| is_open),
            never_before_major: report.never_before_major.filter(|_| is_open),
            owner: model.owned_by(element),
            events: events.into_iter().map(|shown| self.shown(shown)).collect(),
        }
    }

    /// Adds the events that an event is counted from, which explain it, each once.
    fn with_anchors(&self, mut events: Vec<Shown<'a>>) -> Vec<Shown<'a>> {
        let mut known: HashSet<Event> = HashSet::new();
        known.extend(events.iter().filter_map(|shown| match shown {
            Shown::Event(event) => Some(*event),
            Shown::Withdrawn(_) | Shown::Gap(..) => None,
        }));
        let mut at = 0;
        while at < events.len() {
            for anchor in self.anchors(events[at].event()) {
                if known.insert(anchor) {
                    events.push(Shown::Event(anchor));
                }
            }
            at += 1;
        }
        events
    }

    /// The events that the obligations on an event count from, if there are obligations on those as well.
    fn anchors(&self, event: Event) -> Vec<Event> {
        let obligations = self.material.reasoning.obligations;
        let terms = obligations.on(event).flat_map(|(_, obligation)| terms(obligation));
        let anchors = terms.filter_map(|term| term.event());
        anchors
            .filter(|anchor| obligations.on(*anchor).next().is_some())
            .collect()
    }

    fn shown(&self, shown: Shown<'a>) -> EventDerivation<'a> {
        match shown {
            Shown::Event(event) => self.event(event),
            Shown::Withdrawn(declared) => EventDerivation {
                moment: self.moment(declared.release, true),
                origin: Origin::Declared,
                place: label(self.sources, &Label::new(declared.span, "")),
                steps: Vec::new(),
                ..self.event(declared.event)
            },
            Shown::Gap(event, release) => EventDerivation {
                moment: self.moment(release, true),
                origin: Origin::Implied,
                place: None,
                steps: Vec::new(),
                ..self.event(event)
            },
        }
    }

    fn moment(&self, release: Release, declared: bool) -> Option<Moment<'a>> {
        let moment = self.material.names.moment(release)?;
        Some(Moment {
            declared: Some(declared),
            ..moment
        })
    }

    fn event(&self, event: Event) -> EventDerivation<'a> {
        let reasoning = self.material.reasoning;
        let model = reasoning.model;
        let declared = model.in_force(event).filter(|_| !reasoning.is_cut_short(event));
        let planned = reasoning.planned(event);
        let origin = match (declared, planned, reasoning.release(event)) {
            (Some(_), ..) => Origin::Declared,
            (None, Some(_), _) => Origin::Planned,
            (None, None, Some(_)) => Origin::Implied,
            (None, None, None) => Origin::Open,
        };
        let place = declared.and_then(|declared| label(self.sources, &Label::new(declared.span, "")));
        EventDerivation {
            event: self.name(event),
            moment: self.material.event(event),
            entry: entries::entry(model, event),
            more_stable: entries::is_more_stable(model, event),
            origin,
            place,
            steps: self.steps(event, planned.map(|planned| planned.decision)),
        }
    }

    fn name(&self, event: Event) -> EventName<'a> {
        let model = self.material.reasoning.model;
        EventName {
            element: model.id(event.element),
            what: model.event_word(event.what),
            life: event.life,
        }
    }

    /// The obligations on an event. Those on a deprecation that is repeated are on the one in force.
    fn obligations(&self, event: Event) -> Vec<(usize, &'a Obligation)> {
        let Reasoning { model, obligations, .. } = self.material.reasoning;
        let in_force = model.in_force(event).map(|declared| declared.event);
        let repeated = in_force.filter(|other| *other != event && other.element == event.element);
        let repeated = repeated.into_iter().flat_map(|other| obligations.on(other));
        obligations.on(event).chain(repeated).collect()
    }

    fn steps(&self, event: Event, decision: Option<Decision>) -> Vec<StepReport<'a>> {
        let reasoning = self.reasoning_on(event);
        let replanned = self.replanned(event);
        let is_sooner = reasoning.announced_before_promotion(event).is_some();
        let waits = self.waits(event).filter(|_| decision.is_none() || is_sooner);
        let binding = match decision {
            Some(Decision::Obligation(position)) => Some(position),
            Some(Decision::Current) => None,
            None if waits.is_some() || replanned.is_some() => None,
            None => reasoning.lower(event).and_then(|found| found.position),
        };
        let obligations = self.obligations(event);
        let mut steps: Vec<StepReport<'a>> = Vec::new();
        // Two read the same where classes of a metric promise the same.
        let mut known: HashMap<(&str, DemandKind, String), usize> = HashMap::new();
        for (position, obligation) in &obligations {
            let step = self.step(reasoning, obligation, binding == Some(*position));
            match known.entry((step.rule, step.demand, step.text.clone())) {
                Entry::Occupied(at) => steps[*at.get()].binding |= step.binding,
                Entry::Vacant(_) if obligation.demand == Demand::Requires(true) || self.is_off(obligation) => {}
                Entry::Vacant(at) => {
                    at.insert(steps.len());
                    steps.push(step);
                }
            }
        }
        let other = binding.filter(|position| obligations.iter().all(|(own, _)| own != position));
        steps.extend(other.and_then(|position| self.raised(event, position)));
        steps.extend(self.custom(event));
        let ends = [replanned, waits].into_iter().flatten();
        steps.extend(ends.map(|step| StepReport {
            binding: decision.is_none(),
            ..step
        }));
        if decision == Some(Decision::Current) {
            let next = reasoning.model.calendar.next();
            steps.push(self.first_open(next, "planned events come after the current release".to_owned()));
        }
        // What decides comes first.
        steps.sort_by_key(|step| !step.binding);
        steps
    }

    /// Whether what is not declared is no finding, because the policy turns it off.
    fn is_off(&self, obligation: &Obligation) -> bool {
        let reasoning = self.material.reasoning;
        let release = reasoning.release(obligation.event).unwrap_or(Release::NEVER);
        let severity = reasoning.severity(self.material.law, obligation, release);
        obligation.demand == Demand::Requires(false) && severity == Some(Severity::Off)
    }

    /// The deadline of another event that decides when this one comes: it counts from this one, and would be missed.
    fn raised(&self, event: Event, position: usize) -> Option<StepReport<'a>> {
        let Reasoning { model, obligations, .. } = self.material.reasoning;
        let obligation = obligations.get(position)?;
        let step = self.step(self.reasoning_on(obligation.event), obligation, true);
        let (id, what) = (
            model.id(obligation.event.element),
            model.event_word(obligation.event.what),
        );
        Some(StepReport {
            demand: DemandKind::NotBefore,
            text: format!("so that {id} is {what} in time: {}", step.text),
            bound: self.material.names.moment(self.material.reasoning.release(event)?),
            ..step
        })
    }

    /// For the end of a life, with the deprecation that it is supposed to have.
    fn reasoning_on(&self, event: Event) -> Reasoning<'a> {
        let reasoning = self.material.reasoning;
        match event.what {
            EventKind::Removed | EventKind::Hidden => {
                let removed = event.sibling(EventKind::Removed);
                reasoning.supposing(reasoning.soonest_removal(removed).supposed)
            }
            _ => reasoning,
        }
    }

    /// The rule or principle of an obligation, and the number of a rule.
    fn source(&self, obligation: &Obligation) -> (&'static str, Option<&'a str>) {
        match obligation.source {
            Source::Plan(principle) => (principle.number(), None),
            Source::Rule(rule) => {
                let law = self.material.newest(rule);
                (rule, law.and_then(|law| law.number.as_deref()))
            }
        }
    }

    /// Whether an event meets an obligation, and by how many releases it misses a bound.
    fn verdict(&self, obligation: &Obligation, worked: Option<Worked>) -> (bool, Option<u32>) {
        let Some(release) = self.material.reasoning.release(obligation.event) else {
            return (true, None);
        };
        let bound = worked
            .filter(|worked| worked.bound.is_some())
            .map(|worked| worked.release());
        let missed_by = match (&obligation.demand, bound) {
            (Demand::Forbidden | Demand::Requires(_), _) => return (false, None),
            (_, None) => 0,
            (Demand::NotAfter(_), Some(bound)) => release.0.saturating_sub(bound.0),
            (_, Some(bound)) if bound.is_never() => return (false, None),
            (_, Some(bound)) => bound.0.saturating_sub(release.0),
        };
        (missed_by == 0, Some(missed_by).filter(|missed_by| *missed_by > 0))
    }

    fn step(&self, reasoning: Reasoning<'a>, obligation: &'a Obligation, binding: bool) -> StepReport<'a> {
        let (demand, worked) = match &obligation.demand {
            Demand::NotBefore(_) | Demand::NotBeforeAny(_) => {
                (DemandKind::NotBefore, reasoning.deciding(&obligation.demand))
            }
            Demand::NotAfter(term) => (DemandKind::NotAfter, Some(reasoning.work(*term))),
            Demand::Forbidden => (DemandKind::Forbidden, None),
            Demand::Requires(_) => (DemandKind::Requires, None),
        };
        let (rule, number) = self.source(obligation);
        let message = obligation.detail.as_ref().and_then(|detail| detail.message.as_ref());
        let (met, missed_by) = self.verdict(obligation, worked);
        let major = worked.and_then(|worked| reasoning.awaited_kind(&worked));
        let removed = obligation.event.sibling(EventKind::Removed);
        let soonest = major.map(|_| self.material.reasoning.soonest_removal(removed));
        StepReport {
            rule,
            number,
            demand,
            never_before_major: soonest.and_then(|soonest| self.material.reasoning.major_awaited(&soonest)),
            met,
            missed_by,
            text: match (&worked, message) {
                (Some(worked), _) => reasoning.sentence(obligation, worked),
                (None, Some(message)) => format!("{}: {message}", obligation.because),
                (None, None) => obligation.because.to_string(),
            },
            bound: worked.and_then(|worked| self.material.bound(&worked)),
            binding,
            counts_from: worked
                .and_then(|worked| worked.term.event())
                .map(|from| self.name(from)),
        }
    }
}

fn terms(obligation: &Obligation) -> Vec<crate::obligation::Term> {
    match &obligation.demand {
        Demand::NotAfter(term) => vec![*term],
        demand => demand.lower_terms().to_vec(),
    }
}
