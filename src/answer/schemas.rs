//! Judgements of schema changes as a report.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::compat::Judgement;
use crate::report::{ChangeGroup, DiffReport, DiffSummary, DifferenceReport, MessageCount, SCHEMA_VERSION};
use crate::schema::Verdict;

/// The report of a comparison, of which some changes are listed.
pub(crate) fn diff<'j>(policy: &str, summary: DiffSummary, listed: impl Iterator<Item = &'j Judgement>) -> DiffReport {
    let changes: Vec<DifferenceReport> = listed.map(difference).collect();
    DiffReport {
        schema_version: SCHEMA_VERSION,
        policy: policy.to_owned(),
        summary,
        groups: groups(&changes),
        changes,
    }
}

/// Changes that are alike: of one severity, verdict and code, and about the same keyword.
fn groups(changes: &[DifferenceReport]) -> Vec<ChangeGroup> {
    let mut alike: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, change) in changes.iter().enumerate() {
        let verdicts = Reverse((change.verdict, change.writers, change.readers));
        let of_bound = change.code.is_of_bound().then_some(change.subject.as_deref()).flatten();
        let what = of_bound.unwrap_or(&change.message);
        let key = (Reverse(change.severity), verdicts, change.code, what);
        alike.entry(key).or_default().push(at);
    }
    alike
        .into_values()
        .filter_map(|group| group_of(changes, group))
        .collect()
}

fn group_of(changes: &[DifferenceReport], alike: Vec<usize>) -> Option<ChangeGroup> {
    let first = changes.get(*alike.first()?)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kinds = BTreeSet::new();
    for change in alike.iter().filter_map(|at| changes.get(*at)) {
        *counts.entry(&change.message).or_default() += 1;
        kinds.insert(format!("{} {}", change.group, change.kind));
        kinds.extend(change.also.iter().cloned());
    }
    let messages = counts.into_iter().map(|(message, places)| MessageCount {
        message: message.to_owned(),
        places,
    });
    let mut messages: Vec<MessageCount> = messages.collect();
    messages.sort_by_key(|message| Reverse(message.places));
    Some(ChangeGroup {
        severity: first.severity,
        code: first.code,
        writers: first.writers,
        readers: first.readers,
        messages,
        kinds: kinds.into_iter().collect(),
        changes: alike,
    })
}

/// How many changes there are, by verdict.
pub(crate) fn diff_summary(compared: usize, judgements: &[Judgement]) -> DiffSummary {
    DiffSummary {
        compared,
        breaking: count(judgements, Verdict::Breaking),
        risky: count(judgements, Verdict::Risky),
        compatible: count(judgements, Verdict::Compatible),
        suppressed: judgements.iter().filter(|judgement| judgement.is_known()).count(),
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
        rule: judgement.rule(),
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
        known: judgement.known,
    }
}
