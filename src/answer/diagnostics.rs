//! Findings with their places looked up.

use std::collections::BTreeMap;

use crate::baseline::Identity;
use crate::diagnostic::{Change, Diagnostic, Known, Label};
use crate::document::{self, Edit};
use crate::report::{DiagnosticReport, EditReport, FactReport, LabelReport};
use crate::source::{Location, Sources, Span};

use super::ReleaseNames;

/// Findings as the report writes them.
pub(super) fn all<'a>(
    names: &'a ReleaseNames,
    sources: &Sources<'_>,
    findings: &[Diagnostic],
) -> Vec<DiagnosticReport<'a>> {
    let mut alike: BTreeMap<Identity, u32> = BTreeMap::new();
    let one = |finding| {
        let identity = Identity::of(finding);
        let count = alike.entry(identity.clone()).or_default();
        *count += 1;
        one(names, sources, finding, format!("{identity}:{count}"))
    };
    findings.iter().map(one).collect()
}

fn one<'a>(
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
    let own = finding.primary.as_ref().and_then(|_| labels.first());
    DiagnosticReport {
        rule: finding.rule,
        number: finding.number.clone(),
        code: finding.code.to_string(),
        severity: finding.severity.as_str(),
        element: finding.element.clone(),
        message: finding.message.clone(),
        file: own.map(|label| label.file.clone()),
        line: own.map(|label| label.line),
        column: own.map(|label| label.column),
        help: finding.help.clone(),
        earliest: finding.earliest.and_then(|release| names.moment(release)),
        because: finding
            .because
            .iter()
            .map(|fact| FactReport {
                rule: fact.rule,
                number: None,
                text: match &fact.number {
                    Some(number) => format!("#{number}: {}", fact.text),
                    None => fact.text.clone(),
                },
            })
            .collect(),
        labels,
        fingerprint,
        known: finding.known.map(Known::as_str),
        fix: finding
            .mends()
            .and_then(|changes| fix(sources, changes))
            .unwrap_or_default(),
    }
}

/// The edits that changes come to; `None` if one of them cannot be made.
fn fix(sources: &Sources<'_>, changes: &[Change]) -> Option<Vec<EditReport>> {
    changes.iter().map(|change| edit(sources, change)).collect()
}

fn edit(sources: &Sources<'_>, change: &Change) -> Option<EditReport> {
    let Edit { span, text } = document::edit(sources.file(change.place().file)?.text, change)?;
    let (file, start, end) = stretch(sources, span)?;
    Some(EditReport {
        file: file.to_owned(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        text,
    })
}

/// Where a span begins and ends.
fn stretch<'s>(sources: &'s Sources<'_>, span: Span) -> Option<(&'s str, Location, Location)> {
    let (file, start) = sources.locate(span)?;
    let end = sources.file(span.file)?.location(span.end);
    Some((file, start, end))
}

/// A place as the report writes it.
pub(super) fn label(sources: &Sources<'_>, label: &Label) -> Option<LabelReport> {
    let (file, start, end) = stretch(sources, label.span)?;
    Some(LabelReport {
        file: file.to_owned(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        text: label.text.clone(),
        span: label.span,
    })
}
