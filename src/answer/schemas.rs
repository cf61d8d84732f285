//! Judgements of schema changes as a report.

use crate::compat::Judgement;
use crate::diagnostic::Severity;
use crate::report::{DiffReport, DiffSummary, DifferenceReport, SCHEMA_VERSION};
use crate::schema::Verdict;

/// The report of a comparison. It counts all changes, and lists those of at least a severity.
pub(crate) fn diff(policy: &str, compared: usize, judgements: &[Judgement], least: Severity) -> DiffReport {
    let listed = judgements.iter().filter(|judgement| judgement.severity >= least);
    DiffReport {
        schema_version: SCHEMA_VERSION,
        policy: policy.to_owned(),
        summary: diff_summary(compared, judgements),
        changes: listed.map(difference).collect(),
    }
}

/// How many changes there are, by verdict.
pub(crate) fn diff_summary(compared: usize, judgements: &[Judgement]) -> DiffSummary {
    DiffSummary {
        compared,
        breaking: count(judgements, Verdict::Breaking),
        risky: count(judgements, Verdict::Risky),
        compatible: count(judgements, Verdict::Compatible),
    }
}

fn count(judgements: &[Judgement], verdict: Verdict) -> usize {
    judgements
        .iter()
        .filter(|judgement| judgement.verdict() == verdict)
        .count()
}

fn difference(judgement: &Judgement) -> DifferenceReport {
    let change = &judgement.change;
    let place = judgement.place();
    DifferenceReport {
        code: change.kind,
        verdict: judgement.verdict(),
        writers: judgement.writers,
        readers: judgement.readers,
        effect: change.effect,
        severity: judgement.severity,
        track: judgement.track,
        element: judgement.element(),
        message: judgement.message.clone(),
        reason: judgement.reason.clone(),
        help: judgement.help.clone(),
        group: judgement.group.clone(),
        kind: judgement.kind.clone(),
        version: change.version.clone(),
        path: change.path.clone(),
        subject: change.subject.clone(),
        also: judgement.also.clone(),
        old: change.old.clone(),
        new: change.new.clone(),
        file: judgement.file.clone(),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        losses: judgement.losses.iter().map(difference).collect(),
        example: judgement.example.clone(),
    }
}
