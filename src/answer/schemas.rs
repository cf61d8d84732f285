//! Judgements of schema changes as a report.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::compat::Judgement;
use crate::report::{ChangeGroup, DiffReport, DiffSummary, DifferenceReport, MessageCount, SCHEMA_VERSION, TypeCount};
use crate::schema::{Verdict, api_version};

/// The report of a comparison, of which some changes are listed.
pub(crate) fn diff<'j>(policy: &str, summary: DiffSummary, listed: impl Iterator<Item = &'j Judgement>) -> DiffReport {
    let changes: Vec<DifferenceReport> = listed.map(difference).collect();
    DiffReport {
        schema_version: SCHEMA_VERSION,
        policy: policy.to_owned(),
        summary,
        partly_compared: Vec::new(),
        groups: groups(&changes),
        changes,
    }
}

/// Changes that are alike: of one severity, verdict and code, and about the same keyword. Those within embedded types
/// of Kubernetes are one group, as severe as the most severe of them.
fn groups(changes: &[DifferenceReport]) -> Vec<ChangeGroup> {
    let embedded = changes.iter().filter(|change| change.embedded.is_some());
    let of_embedded = embedded.map(|change| change.severity).max();
    let mut alike: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, change) in changes.iter().enumerate() {
        let verdicts = Reverse((change.verdict, change.writers, change.readers));
        let of_bound = change.code.is_of_bound().then_some(change.subject.as_deref()).flatten();
        let what = of_bound.unwrap_or(&change.message);
        // The messages of long rules may be equal where these differ.
        let subject = change.subject.as_deref();
        let own = change
            .embedded
            .is_none()
            .then_some((verdicts, change.code, what, subject));
        let severity = if own.is_some() {
            Some(change.severity)
        } else {
            of_embedded
        };
        let key = (Reverse(severity), change.embedded.is_some(), own);
        alike.entry(key).or_default().push(at);
    }
    alike
        .into_values()
        .filter_map(|group| group_of(changes, group))
        .collect()
}

fn group_of(changes: &[DifferenceReport], alike: Vec<usize>) -> Option<ChangeGroup> {
    let members: Vec<&DifferenceReport> = alike.iter().filter_map(|at| changes.get(*at)).collect();
    let first = members
        .iter()
        .max_by_key(|change| (change.severity, change.verdict, Reverse(change.code)))?;
    let mut kinds = BTreeSet::new();
    for change in &members {
        kinds.insert(format!("{} {}", change.group, change.kind));
        kinds.extend(change.also.iter().cloned());
    }
    let messages = counts(members.iter().map(|change| change.message.as_str()));
    let embedded = counts(members.iter().filter_map(|change| change.embedded.as_deref()));
    Some(ChangeGroup {
        severity: first.severity,
        code: first.code,
        writers: members.iter().map(|change| change.writers).max()?,
        readers: members.iter().map(|change| change.readers).max()?,
        messages: messages
            .into_iter()
            .map(|(message, places)| MessageCount { message, places })
            .collect(),
        kinds: kinds.into_iter().collect(),
        embedded: embedded
            .into_iter()
            .map(|(name, places)| TypeCount { name, places })
            .collect(),
        changes: alike,
    })
}

/// How often each text occurs, the most frequent one first.
fn counts<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts
        .into_iter()
        .map(|(text, count)| (text.to_owned(), count))
        .collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts
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
        embedded: change.embedded.map(|name| format!("{} {name}", api_version(name))),
        losses: judgement.losses.iter().map(difference).collect(),
        example: judgement.example.clone(),
        known: judgement.known,
    }
}
