//! Why ends come no sooner, beside the obligations on them.

use crate::model::{Event, EventKind};
use crate::release::Release;
use crate::report::{DemandKind, StepReport};

use super::Deriver;
use crate::answer::custom::custom_of_gate;

impl<'a> Deriver<'a, '_> {
    /// Why the end of a life that goes on waits longer than its bounds say.
    pub(super) fn waits(&self, event: Event) -> Option<StepReport<'a>> {
        let reasoning = self.material.reasoning;
        let last = reasoning.model.last_event(event.element, EventKind::Removed);
        let is_whole = reasoning.model.served_by(event.element) == [event.element];
        if event != last || !is_whole || reasoning.has_ended(event.element) {
            return None;
        }
        let soonest = reasoning.soonest_removal(event);
        let text = self.before_promotion(event, reasoning.reason_to_wait(&soonest)?);
        let met = reasoning
            .release(event)
            .is_none_or(|release| release >= soonest.release);
        Some(self.first_open(soonest.release, text)).filter(|_| met)
    }

    /// The reason why an end comes no sooner, of one that is planned again because a gate makes the life more stable.
    fn before_promotion(&self, removed: Event, reason: String) -> String {
        let reasoning = self.material.reasoning;
        let (model, element) = (reasoning.model, removed.element);
        let before = reasoning.announced_before_promotion(removed);
        let gate = before.and_then(|announced| Some((announced, model.gate_lowering(element, announced)?)));
        match gate {
            Some((announced, gate)) => {
                let track = model.track_at(element, announced);
                format!("while gate {gate} makes it {track}: {reason}")
            }
            None => reason,
        }
    }

    /// What an end would wait for that is planned again: were it not declared, or announced before a gate makes the
    /// life more stable.
    pub(super) fn replanned(&self, event: Event) -> Option<StepReport<'a>> {
        let reasoning = self.material.reasoning;
        let soonest = reasoning.replanned_end(event)?;
        let found = soonest
            .decisive
            .filter(|found| found.worked.release() == soonest.release)?;
        let sentence = reasoning
            .supposing(soonest.supposed)
            .sentence(found.obligation, &found.worked);
        let (rule, number) = self.source(found.obligation);
        let (met, missed_by) = self.verdict(found.obligation, Some(found.worked));
        Some(StepReport {
            rule,
            number,
            demand: DemandKind::NotBefore,
            text: self.before_promotion(event, sentence),
            bound: self.material.bound(&found.worked),
            never_before_major: None,
            met,
            missed_by,
            binding: true,
            counts_from: found.worked.term.event().map(|from| self.name(from)),
        })
    }

    /// What the project waits for by custom, which is longer than the rules require.
    pub(super) fn custom(&self, event: Event) -> Option<StepReport<'a>> {
        if event.what != EventKind::Removed || self.material.reasoning.model.gate(event.element).is_none() {
            return None;
        }
        let (rule, number) = (
            "gate-lifetime",
            self.material.newest("gate-lifetime")?.number.as_deref(),
        );
        let custom = custom_of_gate(self.material, event.element)?;
        Some(StepReport {
            rule,
            number,
            demand: DemandKind::NotBefore,
            text: custom.text,
            bound: custom.end.and_then(|end| self.material.names.moment(end)),
            never_before_major: None,
            met: true,
            missed_by: None,
            binding: false,
            counts_from: None,
        })
    }

    /// P1: a release that decides, because no earlier one is open.
    pub(super) fn first_open(&self, release: Release, text: String) -> StepReport<'a> {
        StepReport {
            rule: "P1",
            number: None,
            demand: DemandKind::NotBefore,
            text,
            bound: self.material.names.moment(release),
            never_before_major: None,
            met: true,
            missed_by: None,
            binding: true,
            counts_from: None,
        }
    }
}
