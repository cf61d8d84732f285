//! Schemas beside a model: what they lose between versions, where they disagree with the model, and what a change of
//! them breaks.

use std::collections::BTreeSet;

use crate::baseline;
use crate::check::Exceptions;
use crate::compat::{
    Fault, PAGE, State, Texts, diff_states, disagreements, ends, findings, grade_by_model, hold_against_model,
    leave_out_represented, round_trips,
};
use crate::diagnostic::{Diagnostic, Known, Label, Severity};
use crate::policy::{Law, Policy};
use crate::report::DifferenceReport;

use super::Evaluation;

/// The code of what a change that ends a version tells too.
const UNSERVED: &str = "unserved";

/// The schemas of an earlier state, and the model that it had.
#[derive(Debug, Clone, Copy)]
pub struct Before<'b> {
    /// The schemas.
    pub state: State<'b>,
    /// The model, under its own law.
    pub evaluation: &'b Evaluation,
}

/// What a loss is known by: group, kind, the two versions, the field, the sort of loss.
type Loss<'r> = (&'r str, &'r str, Option<&'r str>, Option<&'r str>, &'r str, &'r str);

fn loss(change: &DifferenceReport) -> Loss<'_> {
    (
        &change.group,
        &change.kind,
        change.version.as_deref(),
        change.subject.as_deref(),
        &change.path,
        change.code,
    )
}

impl Evaluation {
    /// Adds what is to be said of the schemas that the model names: what objects lose between versions, and where
    /// schemas and model disagree.
    ///
    /// # Errors
    ///
    /// If a kind is defined in two ways, or more differs than can be told.
    pub(super) fn add_schemas(&mut self, state: State<'_>, texts: &Texts<'_>) -> Result<(), Fault> {
        let Some(policy) = newest(&self.law) else { return Ok(()) };
        let losses = self.round_trips(state, policy)?;
        let mut found = self.disagreements(state, texts);
        found.extend(findings(losses.iter().filter(|lost| tells(lost)), texts, &self.law));
        self.agreed().settle_schemas(&self.findings, &mut found, false);
        self.add(found);
        Ok(())
    }

    /// The same for a change from an earlier state; and what the change breaks, or where it is risky. What is there
    /// already in the earlier state is marked as known. Changes are graded by the law of the earlier state: a change
    /// cannot excuse itself.
    ///
    /// # Errors
    ///
    /// If a state defines a kind in two ways, or more differs than can be told.
    pub(super) fn compare_schemas(
        &mut self,
        state: State<'_>,
        before: Before<'_>,
        texts: &Texts<'_>,
    ) -> Result<(), Fault> {
        let law = &before.evaluation.law;
        let Some(policy) = newest(law) else { return Ok(()) };
        let mut changes = diff_states(before.state, state, policy)?;
        let elements = self.elements();
        hold_against_model(&mut changes, [before.state, state], &elements, &self.model.calendar);
        grade_by_model(&mut changes.changes, state, &self.model, policy);
        leave_out_represented(&mut changes.changes, state, &self.model);
        let changes = changes.changes.iter().filter(|change| tells(change));
        let changes: Vec<&DifferenceReport> = changes.collect();
        let mut disagreements = self.disagreements(state, texts);
        baseline::mark_base(
            &mut disagreements,
            &before.evaluation.disagreements(before.state, texts),
        );
        disagreements.retain(|finding| !is_told(finding, &changes));

        let mut found = findings(changes.iter().copied(), texts, law);
        for finding in found.iter_mut().filter(|finding| finding.primary.is_none()) {
            let named = self.model.schemas.first();
            finding.primary = named.map(|named| Label::new(named.span, "named here"));
        }
        found.extend(disagreements);
        found.extend(self.known_losses(state, before, policy, texts)?);
        self.agreed().settle_schemas(&self.findings, &mut found, true);
        self.add(found);
        Ok(())
    }

    fn agreed(&self) -> Exceptions<'_> {
        Exceptions {
            model: &self.model,
            law: &self.law,
        }
    }

    /// What objects lose between versions, and lost in the earlier state already. What is lost since is told by the
    /// changes.
    fn known_losses(
        &self,
        state: State<'_>,
        before: Before<'_>,
        policy: &Policy,
        texts: &Texts<'_>,
    ) -> Result<Vec<Diagnostic>, Fault> {
        let losses = self.round_trips(state, policy)?;
        let old = round_trips(before.state.definitions, policy)?;
        let old: BTreeSet<Loss<'_>> = old.iter().map(loss).collect();
        let known = losses.iter().filter(|lost| tells(lost) && old.contains(&loss(lost)));
        let mut found = findings(known, texts, &self.law);
        for finding in &mut found {
            finding.known = Some(Known::Base);
        }
        Ok(found)
    }

    /// What objects lose between versions, graded by what the model says of it.
    fn round_trips(&self, state: State<'_>, policy: &Policy) -> Result<Vec<DifferenceReport>, Fault> {
        let mut losses = round_trips(state.definitions, policy)?;
        grade_by_model(&mut losses, state, &self.model, policy);
        leave_out_represented(&mut losses, state, &self.model);
        Ok(losses)
    }

    fn disagreements(&self, state: State<'_>, texts: &Texts<'_>) -> Vec<Diagnostic> {
        let found = disagreements(state, &self.model, texts).into_iter();
        let graded = found.map(|finding| {
            let severity = self.law.severity_outside(&PAGE, &finding.code);
            finding.severity(severity)
        });
        graded.filter(|finding| finding.severity > Severity::Off).collect()
    }
}

/// Whether something stops working, or may.
fn tells(change: &DifferenceReport) -> bool {
    change.verdict != "compatible"
}

/// The policy that grades changes of schemas.
fn newest(law: &Law) -> Option<&Policy> {
    law.editions().last().map(|newest| &newest.policy)
}

/// Whether a change tells already that a version is not served any more.
fn is_told(finding: &Diagnostic, changes: &[&DifferenceReport]) -> bool {
    let ended = |change: &&DifferenceReport| {
        let start = match &change.version {
            Some(version) => format!("{}/{version} {}", change.group, change.kind),
            None => format!("{}/", change.group),
        };
        let of = finding.element.as_deref().unwrap_or_default();
        ends(change) && of.starts_with(&start) && of.ends_with(&format!(" {}", change.kind))
    };
    finding.code == UNSERVED && finding.known.is_none() && changes.iter().any(ended)
}
