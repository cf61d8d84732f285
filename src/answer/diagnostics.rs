//! Findings with their places looked up.

use crate::diagnostic::{Diagnostic, Label};
use crate::report::{DiagnosticReport, FactReport, LabelReport};
use crate::source::Sources;

use super::ReleaseNames;

/// A finding as the report writes it.
pub(super) fn one<'a>(names: &'a ReleaseNames, sources: &Sources<'_>, finding: &Diagnostic) -> DiagnosticReport<'a> {
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
    }
}

/// A place as the report writes it.
pub(super) fn label(sources: &Sources<'_>, label: &Label) -> Option<LabelReport> {
    let (file, place) = sources.locate(label.span)?;
    Some(LabelReport {
        file: file.to_owned(),
        line: place.line,
        column: place.column,
        text: label.text.clone(),
        span: label.span,
    })
}
