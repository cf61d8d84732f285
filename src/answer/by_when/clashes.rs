//! What prevents targets, in words.

use std::collections::BTreeMap;

use super::Maker;
use crate::derivation::Clash;
use crate::model::{ElementId, Event, EventKind};
use crate::plan::fixed;
use crate::release::Release;
use crate::report::{ClashReport, ClashingReport};

impl<'a> Maker<'a, '_> {
    /// What prevents the targets. What does so for all kinds of a version alike is one clash.
    pub(super) fn clashes(&self) -> Vec<ClashReport<'a>> {
        let model = self.material.reasoning.model;
        let mut wholes: BTreeMap<(ElementId, EventKind, Release), Vec<&Clash>> = BTreeMap::new();
        let all = self.found.way.clashes.iter().chain(&self.late.way.clashes);
        // Without either, what an exception would have to cover is all there is to say.
        for clash in all.filter(|clash| !clash.obligations.is_empty() || !clash.facts.is_empty()) {
            let whole = self.whole(clash.target.event.element);
            let key = (whole, clash.target.event.what, clash.target.by);
            wholes.entry(key).or_default().push(clash);
        }
        let mut clashes = Vec::new();
        for ((whole, ..), parts) in wholes {
            let is_whole = parts.len() == model.served_by(whole).len();
            if is_whole && parts.windows(2).all(|pair| is_alike(pair[0], pair[1])) {
                clashes.push(self.clash(parts[0], Some(whole)));
            } else {
                clashes.extend(parts.into_iter().map(|clash| self.clash(clash, None)));
            }
        }
        clashes
    }

    /// A clash, of one kind or of all kinds of a version.
    fn clash(&self, clash: &Clash, whole: Option<ElementId>) -> ClashReport<'a> {
        let model = self.material.reasoning.model;
        let event = clash.target.event;
        let obligations = clash.obligations.iter().map(|clashing| {
            let law = self.material.law.rule(clashing.rule).at(clash.target.by);
            ClashingReport {
                rule: clashing.rule,
                number: law.and_then(|law| law.number.clone()),
                code: clashing.code,
                element: self.named(clashing.event.element, whole),
                event: model.event_word(clashing.event.what),
                earliest: self.moment(clashing.release),
                text: clashing.sentence.clone(),
            }
        });
        ClashReport {
            element: self.named(event.element, whole),
            event: model.event_word(event.what),
            by: self.moment(clash.target.by),
            soonest: self.moment(clash.soonest),
            obligations: obligations.collect(),
            facts: clash.facts.iter().map(|fact| self.fact(*fact)).collect(),
        }
    }

    fn fact(&self, event: Event) -> String {
        let model = self.material.reasoning.model;
        let id = model.id(event.element);
        match fixed(model, event) {
            Some(release) => {
                let verb = model.event_word(event.what).verb();
                format!("{id} {verb} in {}", self.material.reasoning.moment(release))
            }
            None => format!("{id} is declared never to be {}", model.event_word(event.what)),
        }
    }
}

/// Whether two targets are prevented by the same, as far as words go.
fn is_alike(one: &Clash, other: &Clash) -> bool {
    let [words, other_words] = [one, other].map(|clash| {
        let obligations = clash.obligations.iter();
        obligations.map(|clashing| (clashing.event.what, clashing.sentence.as_str()))
    });
    let [facts, other_facts] = [one, other].map(|clash| clash.facts.iter().map(|fact| fact.what));
    one.soonest == other.soonest && words.eq(other_words) && facts.eq(other_facts)
}
