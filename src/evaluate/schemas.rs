//! The schemas that a model names: what objects lose between versions, where schemas and model disagree, and what a
//! change of the schemas breaks.
//!
//! Only `check` reads them: a plan that depended on other files would not be a plan of the model.

use std::collections::BTreeSet;

use crate::baseline;
use crate::check::Exceptions;
use crate::compat::{
    CompareError, Disagreement, Judgement, PAGE, State, Texts, disagreements, findings, grade_by_model,
    leave_out_represented, round_trips,
};
use crate::diagnostic::{Diagnostic, Known, Label, Severity};
use crate::policy::{Law, Policy};
use crate::schema::{ChangeKind, Verdict};

use super::{Diff, Evaluation};
use crate::schema::compare::Steps;

/// The code of a version that the schemas do not serve. The change that ends the version reports it too.
const UNSERVED: &str = "unserved";

/// The schemas of an earlier state, and the model that it had.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Before<'b> {
    /// The schemas.
    pub(crate) state: &'b State<'b>,
    /// The model, under its own law.
    pub(crate) evaluation: &'b Evaluation,
}

/// What identifies a loss in two states: group, kind, the two versions, the field and the kind of loss.
type LossKey<'r> = (&'r str, &'r str, Option<&'r str>, Option<&'r str>, &'r str, ChangeKind);

fn loss_key(loss: &Judgement) -> LossKey<'_> {
    (
        &loss.group,
        &loss.kind,
        loss.change.version.as_deref(),
        loss.change.subject.as_deref(),
        &loss.change.path,
        loss.change.kind,
    )
}

impl Evaluation {
    /// Adds findings about the schemas that the model names: what objects lose between versions, and where schemas and
    /// model disagree.
    ///
    /// # Errors
    ///
    /// If a kind is defined in two ways, or the schemas are too large to compare.
    pub(super) fn add_schemas(&mut self, state: &State<'_>, texts: &Texts<'_>) -> Result<(), CompareError> {
        let Some(policy) = newest(&self.law) else { return Ok(()) };
        let losses = self.round_trips(state, policy, &mut Steps::default())?;
        let disagreements = self.disagreements(state, texts).into_iter();
        let mut found: Vec<Diagnostic> = disagreements.map(|disagreement| disagreement.diagnostic).collect();
        found.extend(findings(losses.iter().filter(|loss| matters(loss)), texts, &self.law));
        self.exceptions_to_schemas()
            .settle_schemas(&self.findings, &mut found, false);
        self.add(found);
        Ok(())
    }

    /// Does the same for a change from an earlier state, and adds what the change breaks or makes risky. Findings that
    /// the earlier state has too are marked as known. The law of the earlier state sets the severities, so that a
    /// change cannot excuse itself.
    ///
    /// # Errors
    ///
    /// If a state defines a kind in two ways, or the schemas are too large to compare.
    pub(super) fn compare_schemas(
        &mut self,
        state: &State<'_>,
        before: Before<'_>,
        texts: &Texts<'_>,
    ) -> Result<(), CompareError> {
        let law = &before.evaluation.law;
        let Some(policy) = newest(law) else { return Ok(()) };
        let mut steps = Steps::default();
        let mut diff = Diff::within([before.state, state], policy, Some(self), &mut steps)?;
        diff.take_levels(law);
        self.partly_compared = diff.partly;
        let mut judgements = diff.judgements;
        leave_out_represented(&mut judgements, state, &self.model);
        judgements.retain(matters);

        let mut found = findings(&judgements, texts, law);
        for finding in found.iter_mut().filter(|finding| finding.primary.is_none()) {
            let named = self.model.schemas.first();
            finding.primary = named.map(|named| Label::new(named.span, "named here"));
        }
        found.extend(self.new_disagreements(state, before, texts, &judgements));
        found.extend(self.known_losses([before.state, state], policy, texts, &mut steps)?);
        self.exceptions_to_schemas()
            .settle_schemas(&self.findings, &mut found, true);
        self.add(found);
        Ok(())
    }

    /// Where schemas and model disagree. What the earlier state has too is marked as known; what a change reports is
    /// left out.
    fn new_disagreements(
        &self,
        state: &State<'_>,
        before: Before<'_>,
        texts: &Texts<'_>,
        judgements: &[Judgement],
    ) -> Vec<Diagnostic> {
        let disagreements = self.disagreements(state, texts);
        let reported = disagreements
            .iter()
            .filter(|disagreement| is_reported(disagreement, judgements));
        let reported: BTreeSet<Option<String>> = reported.map(|found| found.diagnostic.element.clone()).collect();
        let mut found: Vec<Diagnostic> = disagreements.into_iter().map(|found| found.diagnostic).collect();
        let earlier = before.evaluation.disagreements(before.state, texts).into_iter();
        baseline::mark_base(&mut found, &earlier.map(|found| found.diagnostic).collect::<Vec<_>>());
        found.retain(|finding| {
            let is_unserved = finding.code == UNSERVED && finding.known.is_none();
            !(is_unserved && reported.contains(&finding.element))
        });
        found
    }

    fn exceptions_to_schemas(&self) -> Exceptions<'_> {
        Exceptions {
            model: &self.model,
            law: &self.law,
        }
    }

    /// What objects lose between versions and already lost in the earlier state. New losses are among the changes.
    fn known_losses(
        &self,
        [before, state]: [&State<'_>; 2],
        policy: &Policy,
        texts: &Texts<'_>,
        steps: &mut Steps,
    ) -> Result<Vec<Diagnostic>, CompareError> {
        let losses = self.round_trips(state, policy, steps)?;
        let old = round_trips(&before.definitions, policy, steps)?;
        let old: BTreeSet<LossKey<'_>> = old.iter().map(loss_key).collect();
        let known = losses
            .iter()
            .filter(|loss| matters(loss) && old.contains(&loss_key(loss)));
        let mut found = findings(known, texts, &self.law);
        for finding in &mut found {
            finding.known = Some(Known::Base);
        }
        Ok(found)
    }

    /// What objects lose between versions, with the severities that follow from the model.
    fn round_trips(
        &self,
        state: &State<'_>,
        policy: &Policy,
        steps: &mut Steps,
    ) -> Result<Vec<Judgement>, CompareError> {
        let mut losses = round_trips(&state.definitions, policy, steps)?;
        grade_by_model(&mut losses, state, &self.model, policy);
        for loss in &mut losses {
            loss.take_level(&self.law);
        }
        leave_out_represented(&mut losses, state, &self.model);
        Ok(losses)
    }

    fn disagreements(&self, state: &State<'_>, texts: &Texts<'_>) -> Vec<Disagreement> {
        let mut found = disagreements(state, &self.model, texts);
        for Disagreement { diagnostic, .. } in &mut found {
            diagnostic.severity = self.law.severity_outside(&PAGE, &diagnostic.code);
        }
        found.retain(|disagreement| disagreement.diagnostic.severity > Severity::Off);
        found
    }
}

/// Whether a change breaks clients, or may.
fn matters(judgement: &Judgement) -> bool {
    judgement.verdict() > Verdict::Compatible
}

/// The policy that judges changes of schemas.
fn newest(law: &Law) -> Option<&Policy> {
    law.editions().last().map(|newest| &newest.policy)
}

/// Whether one of the changes ends the version that a disagreement is about.
fn is_reported(disagreement: &Disagreement, judgements: &[Judgement]) -> bool {
    let (group, version, kind) = &disagreement.version;
    judgements.iter().any(|judgement| judgement.ends(group, version, kind))
}
