//! Findings with their places looked up.
//!
//! A finding is identified by rule, code and element, with a count among equal ones: baselines, bases and SARIF
//! fingerprints use this. Lines and messages may change.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::baseline::Identity;
use crate::diagnostic::{Change, Diagnostic, EXCUSE, Known, Label};
use crate::document::{self, Edit};
use crate::report::{DiagnosticReport, EditReport, FactReport, LabelReport};
use crate::source::Sources;
use crate::text::shortened;

use super::ReleaseNames;

pub(super) fn all<'a>(
    names: &'a ReleaseNames,
    sources: &Sources<'_>,
    findings: &[Diagnostic],
) -> Vec<DiagnosticReport<'a>> {
    let mut equal: BTreeMap<Identity, u32> = BTreeMap::new();
    let reports = findings.iter().map(|finding| {
        let identity = Identity::of(finding);
        let count = equal.entry(identity.clone()).or_default();
        *count += 1;
        report(names, sources, finding, format!("{identity}:{count}"))
    });
    reports.collect()
}

fn report<'a>(
    names: &'a ReleaseNames,
    sources: &Sources<'_>,
    finding: &Diagnostic,
    fingerprint: String,
) -> DiagnosticReport<'a> {
    let labels: Vec<LabelReport> = finding
        .primary
        .iter()
        .chain(&finding.related)
        .filter_map(|place| label(sources, place))
        .collect();
    let own = labels
        .first()
        .filter(|_| finding.primary.is_some())
        .map(|label| &label.region);
    DiagnosticReport {
        rule: finding.rule,
        number: finding.number.clone(),
        code: finding.code.to_string(),
        severity: finding.severity,
        element: finding.element.clone(),
        message: shortened(finding.message.clone()),
        file: own.map(|own| own.file.clone()),
        line: own.map(|own| own.start.line),
        column: own.map(|own| own.start.column),
        help: next_step(finding).map(shortened),
        earliest: finding.earliest.and_then(|release| names.moment(release)),
        because: finding
            .because
            .iter()
            .map(|fact| FactReport {
                rule: fact.rule,
                number: fact.number.clone().map(Cow::Owned),
                text: shortened(fact.text.clone()),
            })
            .collect(),
        labels,
        fingerprint,
        known: finding.known,
        shipped: finding.shipped.and_then(|release| names.moment(release)),
        used: finding.used.as_deref().cloned(),
        fix: finding
            .changes()
            .and_then(|changes| fix(sources, changes))
            .unwrap_or_default(),
    }
}

/// What to do about a finding. One that the baseline has is not recorded again.
fn next_step(finding: &Diagnostic) -> Option<String> {
    let help = finding.help.clone()?;
    Some(match finding.known {
        Some(Known::Baseline) => help.replace(EXCUSE, "keep it in the baseline"),
        Some(Known::Base) | None => help,
    })
}

fn fix(sources: &Sources<'_>, changes: &[Change]) -> Option<Vec<EditReport>> {
    changes.iter().map(|change| edit(sources, change)).collect()
}

fn edit(sources: &Sources<'_>, change: &Change) -> Option<EditReport> {
    let Edit { span, text } = document::edit(sources.file(change.span().file)?.text, change)?;
    let region = sources.region(span)?;
    Some(EditReport { region, text })
}

pub(super) fn label(sources: &Sources<'_>, label: &Label) -> Option<LabelReport> {
    Some(LabelReport {
        region: sources.region(label.span)?,
        text: shortened(label.text.clone()),
    })
}
