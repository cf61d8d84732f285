//! What the formats for build servers share.

use crate::report::{DiagnosticReport, LabelReport};

/// What a build server has to know of findings beside the report.
#[derive(Clone, Copy)]
pub struct CiReading<'a> {
    /// How the name of a file reads from the root of the repository, its parts set off by `/`.
    pub path: &'a dyn Fn(&str) -> String,
    /// What the findings were compared with to tell which of them were there before: a base, a baseline.
    pub judged_against: Option<&'a str>,
    /// The file, by its name in the report, that stands in where a finding has no place: GitHub's code scanning refuses
    /// all of an upload for one result without.
    pub stands_in: Option<&'a str>,
    /// Whether a finding makes the run fail.
    pub fails: &'a dyn Fn(&DiagnosticReport<'_>) -> bool,
}

/// Findings with the gravest first: news before what was there before, then by severity, alike ones in their order.
pub(super) fn gravest_first<'f, 'a>(findings: &'f [DiagnosticReport<'a>]) -> Vec<&'f DiagnosticReport<'a>> {
    let mut sorted: Vec<_> = findings.iter().collect();
    sorted.sort_by_key(|finding| {
        let severity = match finding.severity {
            "error" => 0,
            "warning" => 1,
            _ => 2,
        };
        (finding.known.is_some(), severity)
    });
    sorted
}

/// A finding's own place, if it has one, and the further ones.
pub(super) fn places<'f>(finding: &'f DiagnosticReport<'_>) -> (Option<&'f LabelReport>, &'f [LabelReport]) {
    match finding.labels.split_first() {
        Some((own, further)) if finding.file.is_some() => (Some(own), further),
        _ => (None, &finding.labels),
    }
}

/// A finding with its reasons and the next step, a line each.
pub(super) fn text(finding: &DiagnosticReport<'_>) -> String {
    let mut text = finding.message.clone();
    for fact in &finding.because {
        text.push_str("\nnote: ");
        text.push_str(&fact.text);
    }
    if let Some(help) = &finding.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    text
}
