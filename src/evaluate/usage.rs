//! Evidence of usage: the elements to look for, and a condition of removals.

use std::collections::BTreeMap;

use super::surface::Judge;
use super::{Evaluation, NotCovered};
use crate::model::ElementId;
use crate::release::{AsOf, Release};
use crate::report::{ConsumerReport, Evidence};
use crate::usage::{Gate, KnownUsage, PAGE, Watched};

impl Evaluation {
    /// Sets what has shipped, and as of when the model is judged.
    pub(super) fn judged_at(mut self, current: Option<Release>, as_of: Option<&AsOf>) -> Self {
        let calendar = &self.model.calendar;
        self.as_of = as_of.and_then(|moment| match moment {
            AsOf::Day(day) => Some(*day),
            AsOf::Release(_) => calendar.date(calendar.current()?),
        });
        self.current = current;
        self.judge_usage(None);
        self
    }

    /// Lets answers say who uses what, and judges removals by it.
    pub fn know_usage(&mut self, evidence: Evidence) {
        let usage = KnownUsage::new(evidence);
        self.findings.retain(|finding| finding.rule != PAGE.slug);
        self.judge_usage(Some(&usage));
        self.usage = Some(usage);
    }

    /// Adds findings about removals of what is still used, or of which nothing shows whether it is. Without a condition
    /// in the model or the policy there are none.
    pub(super) fn judge_usage(&mut self, usage: Option<&KnownUsage>) {
        let newest = self.law.editions().last();
        let of_policy = newest.and_then(|edition| edition.policy.usage_limit);
        let Some(limit) = self.model.usage_limit.or(of_policy) else {
            return;
        };
        let gate = Gate {
            model: &self.model,
            limit,
            usage,
            as_of: self.as_of,
        };
        let findings = gate.findings(|code| self.law.severity_outside(&PAGE, code));
        self.add(findings);
    }

    /// Who uses an element, most frequent first.
    pub(crate) fn consumers(&self, element: ElementId) -> Vec<ConsumerReport> {
        self.material().consumers(element)
    }

    /// Adds the elements that are deprecated or removed by a release, or else by the last one that the model covers.
    ///
    /// # Errors
    ///
    /// If the model does not know the release.
    pub fn watch(&self, watched: &mut Watched, to: Option<&str>) -> Result<(), NotCovered> {
        let to = match to {
            Some(to) => self.find_known(to)?,
            None => self.last_covered(),
        };
        let judge = Judge {
            evaluation: self,
            from: None,
            to,
        };
        let kinds = self
            .model
            .groups
            .iter()
            .flat_map(|group| group.kinds.iter().map(move |kind| (group, kind)));
        let resources: BTreeMap<(&str, &str), &str> = kinds
            .filter_map(|(group, kind)| Some(((group.name.as_str(), kind.name.as_str()), kind.resource.as_deref()?)))
            .collect();
        watched.add(judge.surface(), &resources, self.model.ids().map(str::to_owned));
        Ok(())
    }
}
