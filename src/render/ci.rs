//! What the formats for CI have in common.

use std::cmp::Reverse;

use super::{Detail, Style, numbered_fact, one_line};
use crate::diagnostic::Severity;
use crate::report::{DiagnosticReport, LabelReport, PageReport, Report};
use crate::source::Sources;

/// Findings, and what their formats need besides.
#[derive(Clone, Copy)]
pub struct Findings<'a> {
    /// The findings.
    pub report: &'a Report<'a>,
    /// The texts that they are in.
    pub sources: &'a Sources<'a>,
    /// The pages that explain them.
    pub pages: &'a [PageReport<'a>],
    /// How many of them are shown, where the report has them in groups.
    pub detail: Detail,
    /// What text for people may use.
    pub style: Style,
    /// The path of a file from the root of the repository, with `/` between its parts.
    pub path: &'a dyn Fn(&str) -> String,
    /// What the findings were compared with: a base or a baseline.
    pub judged_against: Option<&'a str>,
    /// The file that findings without a place are reported in: GitHub's code scanning refuses an upload with a result
    /// that has none.
    pub stands_in: Option<&'a str>,
    /// Whether a finding fails the run.
    pub fails: &'a dyn Fn(&DiagnosticReport<'_>) -> bool,
    /// What text for people lists; other formats list all.
    pub listed: Listed,
}

/// Which findings text for people lists one by one.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    /// Notes that fail no run.
    pub notes: bool,
    /// Findings about releases that have shipped; if not, there is one line per rule.
    pub shipped: bool,
    /// Whether a baseline has a folder, that of the model; if not, a user has to name its file.
    pub has_folder: bool,
}

impl Listed {
    /// Every finding.
    pub const ALL: Self = Self {
        notes: true,
        shipped: true,
        has_folder: true,
    };
}

impl<'a> Findings<'a> {
    /// The findings that text for people shows.
    pub(super) fn shown(&self) -> impl Iterator<Item = &'a DiagnosticReport<'a>> {
        let findings = self.report.diagnostics.iter();
        findings.filter(|finding| self.shows(finding))
    }

    /// Whether text for people shows a finding.
    pub(super) fn shows(&self, finding: &DiagnosticReport<'_>) -> bool {
        self.listed.notes || finding.severity > Severity::Note || (self.fails)(finding)
    }
}

impl Findings<'_> {
    /// Whether findings that are alike are shown together.
    pub(super) fn is_folded(&self) -> bool {
        !self.report.finding_groups.is_empty() && self.detail.folds(self.report.diagnostics.len())
    }

    /// Whether only their number is shown.
    pub(super) fn is_summary(&self) -> bool {
        self.detail == Detail::Summary
    }
}

/// Findings, the most severe first: new ones before known ones, then by severity, then as listed.
pub(super) fn most_severe_first<'f, 'a: 'f>(
    findings: impl IntoIterator<Item = &'f DiagnosticReport<'a>>,
) -> Vec<&'f DiagnosticReport<'a>> {
    let mut sorted: Vec<_> = findings.into_iter().collect();
    sorted.sort_by_key(|finding| (finding.known.is_some(), Reverse(finding.severity)));
    sorted
}

/// The place of a finding, if it has one, and the other places.
pub(super) fn places<'f>(finding: &'f DiagnosticReport<'_>) -> (Option<&'f LabelReport>, &'f [LabelReport]) {
    match finding.labels.split_first() {
        Some((own, further)) if finding.file.is_some() => (Some(own), further),
        _ => (None, &finding.labels),
    }
}

/// A finding with its reasons and the next step, one line each.
pub(super) fn text(finding: &DiagnosticReport<'_>) -> String {
    let mut text = one_line(&finding.message);
    for fact in &finding.because {
        text.push_str("\nnote: ");
        text.push_str(&one_line(&numbered_fact(fact)));
    }
    if let Some(help) = &finding.help {
        text.push_str("\nhelp: ");
        text.push_str(&one_line(help));
    }
    text
}
