//! Why the events of an element have their releases.

use crate::derivation::Reasoning;
use crate::diagnostic::Label;
use crate::model::{ElementId, Event, EventKind};
use crate::obligation::{Demand, Obligation, Source};
use crate::plan::Decision;
use crate::report::{DemandKind, Derivation, EventDerivation, EventName, Origin, SCHEMA_VERSION, StepReport};
use crate::source::Sources;

use super::Material;
use super::diagnostics::label;
use super::elements::stability;

/// The derivation of an element's events, or of one kind of them, with the events that they are counted from.
pub(crate) fn derivation<'a>(
    material: Material<'a>,
    sources: &Sources<'_>,
    element: ElementId,
    only: Option<EventKind>,
) -> Derivation<'a> {
    let deriver = Deriver { material, sources };
    let model = material.reasoning.model;
    let mut events = deriver.events(element, only);
    // The events that an event is counted from explain it: follow them, each once.
    let mut at = 0;
    while at < events.len() {
        for anchor in deriver.anchors(events[at]) {
            if !events.contains(&anchor) {
                events.push(anchor);
            }
        }
        at += 1;
    }
    let last = model.calendar.current().unwrap_or(crate::release::Release::NEVER);
    Derivation {
        schema_version: SCHEMA_VERSION,
        element: model.id(element),
        stability: stability(model, element, last),
        events: events.into_iter().map(|event| deriver.event(event)).collect(),
    }
}

struct Deriver<'a, 's> {
    material: Material<'a>,
    sources: &'s Sources<'s>,
}

impl<'a> Deriver<'a, '_> {
    /// The events of an element that are declared, planned or bounded; of a version with kinds, also those of the
    /// kinds.
    fn events(&self, element: ElementId, only: Option<EventKind>) -> Vec<Event> {
        let model = self.material.reasoning.model;
        let mut events: Vec<Event> = Vec::new();
        for life in 0..model.lives(element) {
            for what in EventKind::ALL {
                let event = Event::new(element, life, what);
                let bounded = self.material.reasoning.obligations.on(event).next().is_some();
                if bounded || self.material.reasoning.release(event).is_some() {
                    events.push(event);
                }
            }
        }
        let steps = model.declared_of(element).iter().map(|declared| declared.event);
        events.extend(steps.filter(|event| event.step > 0));
        let mut versions = model.groups.iter().flat_map(|group| &group.versions);
        let union = versions.find(|version| version.element == element);
        for kind in union.into_iter().flat_map(|version| &version.kinds) {
            events.extend(self.events(*kind, None));
        }
        events.retain(|event| only.is_none_or(|only| event.what == only));
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

    fn event(&self, event: Event) -> EventDerivation<'a> {
        let reasoning = self.material.reasoning;
        let model = reasoning.model;
        let declared = model.in_force(event);
        let planned = reasoning.planned(event);
        let origin = match (declared, planned, reasoning.release(event)) {
            (Some(_), ..) => Origin::Declared,
            (None, Some(_), _) => Origin::Planned,
            (None, None, Some(_)) => Origin::Implied,
            (None, None, None) => Origin::Open,
        };
        let place = declared.and_then(|declared| label(self.sources, &Label::new(declared.span, "")));
        EventDerivation {
            event: EventName {
                element: model.id(event.element),
                what: event.what,
                life: event.life,
            },
            moment: self.material.event(event),
            origin,
            place,
            steps: self.steps(event, planned.map(|planned| planned.decision)),
        }
    }

    fn steps(&self, event: Event, decision: Option<Decision>) -> Vec<StepReport<'a>> {
        let reasoning = self.reasoning_on(event);
        let binding = match decision {
            Some(Decision::Obligation(position)) => Some(position),
            Some(Decision::Current) => None,
            None => reasoning.lower(event).map(|found| found.position),
        };
        let mut steps: Vec<StepReport<'a>> = reasoning
            .obligations
            .on(event)
            .filter(|(_, obligation)| obligation.demand != Demand::Requires(true))
            .map(|(position, obligation)| self.step(obligation, binding == Some(position)))
            .collect();
        if decision == Some(Decision::Current) {
            let current = reasoning.model.calendar.current();
            steps.push(StepReport {
                rule: "P1",
                number: None,
                demand: DemandKind::NotBefore,
                text: "planned events come after the current release".to_owned(),
                bound: current.and_then(|current| self.material.names.moment(current.plus(1))),
                binding: true,
            });
        }
        steps
    }

    /// For the end of a life, with the deprecation that it is supposed to have.
    fn reasoning_on(&self, event: Event) -> Reasoning<'a> {
        let reasoning = self.material.reasoning;
        match event.what {
            EventKind::Removed => reasoning.supposing(reasoning.soonest_removal(event).supposed),
            _ => reasoning,
        }
    }

    fn step(&self, obligation: &'a Obligation, binding: bool) -> StepReport<'a> {
        let reasoning = self.reasoning_on(obligation.event);
        let (demand, worked) = match &obligation.demand {
            Demand::NotBefore(_) | Demand::NotBeforeAny(_) => {
                (DemandKind::NotBefore, reasoning.deciding(&obligation.demand))
            }
            Demand::NotAfter(term) => (DemandKind::NotAfter, Some(reasoning.work(*term))),
            Demand::Forbidden => (DemandKind::Forbidden, None),
            Demand::Requires(_) => (DemandKind::Requires, None),
        };
        let (rule, number) = match obligation.source {
            Source::Plan(principle) => (principle, None),
            Source::Rule(rule) => {
                let law = self.material.newest(rule);
                (rule, law.and_then(|law| law.number.as_deref()))
            }
        };
        StepReport {
            rule,
            number,
            demand,
            text: match &worked {
                Some(worked) => reasoning.sentence(obligation, worked),
                None => obligation.because.to_string(),
            },
            bound: worked.and_then(|worked| self.material.bound(&worked)),
            binding,
        }
    }
}

fn terms(obligation: &Obligation) -> Vec<crate::obligation::Term> {
    match &obligation.demand {
        Demand::NotAfter(term) => vec![*term],
        demand => demand.lower_terms().to_vec(),
    }
}
