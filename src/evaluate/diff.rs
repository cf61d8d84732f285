//! The order of steps for a change of schemas, which `diff` and `check` share.

use std::collections::{BTreeMap, BTreeSet};

use crate::answer;
use crate::baseline::{self, Finder, Reported, Suppressions};
use crate::compat::{
    CompareError, Differences, DocumentSource, Judgement, State, Successive, Texts, compare_states, finding, findings,
    grade_by_model, hold_against_model,
};
use crate::diagnostic::{Diagnostic, Severity};
use crate::model::ElementId;
use crate::policy::{Law, Policy};
use crate::release::Release;
use crate::report::{DiffReport, DiffSummary};
use crate::schema::compare::Steps;
use crate::source::Location;

use super::Evaluation;

/// What differs between two states of a product's schemas, judged.
#[derive(Debug)]
pub struct Diff {
    policy: String,
    compared: usize,
    /// The kinds that were compared in part: their rules, combinations or patterns take more steps than there are.
    pub partly: Vec<String>,
    /// The changes, kind by kind.
    pub judgements: Vec<Judgement>,
}

impl Diff {
    /// Compares two states and judges what differs by a policy; what a model says of the change takes precedence.
    ///
    /// # Errors
    ///
    /// If a state defines a kind in two ways, or the schemas are too large to compare.
    pub fn new(
        old: &State<'_>,
        new: &State<'_>,
        policy: &Policy,
        model: Option<&Evaluation>,
    ) -> Result<Self, CompareError> {
        Self::within([old, new], policy, model, &mut Steps::default())
    }

    /// The same within the steps of a run.
    pub(super) fn within(
        states: [&State<'_>; 2],
        policy: &Policy,
        model: Option<&Evaluation>,
        steps: &mut Steps,
    ) -> Result<Self, CompareError> {
        let mut differences = compare_states(states[0], states[1], policy, steps)?;
        if let Some(evaluation) = model {
            evaluation.grade(&mut differences.judgements, states, policy);
        }
        Ok(Self::of(differences, policy))
    }

    /// The same for CRDs that were compared while they were read; they were kept if there is a model.
    ///
    /// # Errors
    ///
    /// If the schemas are too large to compare.
    pub fn of_successive(
        comparison: Successive<'_>,
        documents: [&[DocumentSource<'_>]; 2],
        model: Option<&Evaluation>,
    ) -> Result<Self, CompareError> {
        let policy = comparison.policy();
        let differences = comparison.finish(documents, |judgements, states| {
            if let Some(evaluation) = model {
                evaluation.grade(judgements, states, policy);
            }
        })?;
        Ok(Self::of(differences, policy))
    }

    fn of(differences: Differences, policy: &Policy) -> Self {
        let partly = differences.partly.into_iter();
        Self {
            policy: policy.name.clone(),
            compared: differences.compared,
            partly: partly.map(|(group, kind)| format!("{group} {kind}")).collect(),
            judgements: differences.judgements,
        }
    }

    /// Takes the severities that a law sets for rules and codes.
    pub fn take_levels(&mut self, law: &Law) {
        self.judgements
            .iter_mut()
            .for_each(|judgement| judgement.take_level(law));
    }

    /// Marks the changes that a baseline lists. Returns a finding for each entry that is fixed.
    pub fn suppress(&mut self, law: &Law, suppressions: Suppressions<'_>) -> Vec<Diagnostic> {
        let record = Finder::Diff.record();
        let reported = Reported {
            fixed: law.severity_outside(&baseline::PAGE, "fixed"),
            added: Severity::Off,
            record: &record,
        };
        let texts = Texts::new();
        let in_force = self.judgements.iter_mut();
        let mut in_force: Vec<&mut Judgement> = in_force
            .filter(|judgement| judgement.severity > Severity::Off)
            .collect();
        let mut found: Vec<Diagnostic> = in_force
            .iter()
            .map(|judgement| finding(judgement, &texts, law))
            .collect();
        let silenced = (
            |entry: &baseline::Identity| law.silences(&entry.rule, &entry.code),
            |_: &baseline::Identity| false,
        );
        let about = suppressions.baseline.suppress(&mut found, None, reported, silenced);
        for (judgement, finding) in in_force.iter_mut().zip(&found) {
            judgement.known = finding.known;
        }
        about
    }

    /// How many changes there are, by verdict.
    pub fn summary(&self) -> DiffSummary {
        answer::diff_summary(self.compared, &self.judgements)
    }

    /// The changes of at least a severity that are not known; all for the least one.
    pub fn at_least(&self, least: Severity) -> impl Iterator<Item = &Judgement> {
        let all = least == Severity::Off;
        self.judgements
            .iter()
            .filter(move |judgement| all || judgement.severity >= least && !judgement.is_known())
    }

    /// The places of changes, by file.
    pub fn places(&self) -> BTreeMap<&str, BTreeSet<Location>> {
        let mut places: BTreeMap<&str, BTreeSet<Location>> = BTreeMap::new();
        for judgement in &self.judgements {
            if let Some(file) = judgement.file.as_deref() {
                places.entry(file).or_default().extend(judgement.place());
            }
        }
        places
    }

    /// The report; it lists the changes of at least a severity.
    pub fn report(&self, least: Severity) -> DiffReport {
        let mut report = answer::diff(&self.policy, self.summary(), self.at_least(least));
        report.partly_compared.clone_from(&self.partly);
        report
    }

    /// The changes of at least a severity as findings.
    pub fn findings(&self, least: Severity, texts: &Texts<'_>, law: &Law) -> Vec<Diagnostic> {
        findings(self.at_least(least), texts, law)
    }
}

impl Evaluation {
    /// Judges changes by what the model says of them, which takes precedence.
    fn grade(&self, judgements: &mut [Judgement], states: [&State<'_>; 2], policy: &Policy) {
        hold_against_model(judgements, states, &self.model, |element| {
            self.earliest_removal(element)
        });
        grade_by_model(judgements, states[1], &self.model, policy);
    }

    /// The earliest release in which an element may be removed, if it is in sight and its deprecation is declared or
    /// planned.
    fn earliest_removal(&self, element: ElementId) -> Option<Release> {
        let soonest = self.reasoning().soonest_end(element);
        (self.reasoning().condition(&soonest).is_none() && !soonest.release.is_never()).then_some(soonest.release)
    }
}
