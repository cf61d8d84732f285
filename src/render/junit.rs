//! `JUnit` XML: a suite a rule, a test a finding. Build servers show it as they show tests.

use std::collections::BTreeMap;
use std::io::{self, Write};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite, XmlString};

use crate::report::{DiagnosticReport, PageReport, Report};

use super::ci::{places, text};
use super::{CiReading, visible};

/// Prints a suite a page, in their order, and one for each rule that has findings and no page. A finding that makes the
/// run fail is a failure, one that was there before is skipped, any other is a test that passes and says so; a rule
/// without findings is one test that passes.
///
/// # Errors
///
/// If the text cannot be written.
pub fn report(
    report: &Report<'_>,
    pages: &[PageReport<'_>],
    reading: &CiReading<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut by_rule: BTreeMap<&str, Vec<&DiagnosticReport<'_>>> = BTreeMap::new();
    for finding in &report.diagnostics {
        by_rule.entry(finding.rule).or_default().push(finding);
    }
    let mut document = quick_junit::Report::new("lifecycle");
    for page in pages {
        let findings = by_rule.remove(page.slug).unwrap_or_default();
        document.add_test_suite(suite(page.slug, &findings, reading));
    }
    for (rule, findings) in by_rule {
        document.add_test_suite(suite(rule, &findings, reading));
    }
    // Why a text cannot be written is told by whoever it is written to.
    let text = document.to_string().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}

fn suite(rule: &str, findings: &[&DiagnosticReport<'_>], reading: &CiReading<'_>) -> TestSuite {
    let mut suite = TestSuite::new(rule);
    if findings.is_empty() {
        let mut holds = TestCase::new("holds", TestCaseStatus::success());
        holds.set_classname(rule);
        suite.add_test_case(holds);
    }
    let mut alike: BTreeMap<String, u32> = BTreeMap::new();
    for finding in findings {
        let mut name = name(finding);
        let count = alike.entry(name.clone()).or_default();
        *count += 1;
        // GitLab passes over a test whose name it has seen before.
        if *count > 1 {
            name = format!("{name} ({count})");
        }
        suite.add_test_case(case(&name, finding, reading));
    }
    suite
}

/// What a finding is called, whatever line it stands on.
fn name(finding: &DiagnosticReport<'_>) -> String {
    match &finding.element {
        Some(element) => format!("{element}: {}", finding.code),
        None => format!("{}: {}", finding.code, finding.message),
    }
}

fn case(name: &str, finding: &DiagnosticReport<'_>, reading: &CiReading<'_>) -> TestCase {
    let mut body = text(finding);
    let own = places(finding).0.map(|place| ((reading.path)(&place.file), place));
    if let Some((file, place)) = &own {
        body = format!("{file}:{}:{}: {body}", place.line, place.column);
    }
    let mut status = if finding.known.is_some() {
        let mut status = TestCaseStatus::skipped();
        status.set_message(xml(&format!("there before: {}", finding.message)));
        status
    } else if (reading.fails)(finding) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(xml(&finding.message));
        status
    } else {
        TestCaseStatus::success()
    };
    status.set_type(xml(&finding.code)).set_description(xml(&body));
    let passes = matches!(status, TestCaseStatus::Success { .. });
    let mut case = TestCase::new(xml(name), status);
    case.set_classname(finding.rule);
    if let Some((file, place)) = own {
        case.extra.insert("file".into(), xml(&file));
        case.extra.insert("line".into(), place.line.to_string().into());
    }
    if passes {
        case.set_system_out(xml(&format!("{}: {body}", finding.severity)));
    }
    case
}

/// Text as XML can hold it. What it cannot, and tabs, which the writer would take away, are replaced.
fn xml(text: &str) -> XmlString {
    let text = visible(text)
        .replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
        .replace('\t', " ");
    XmlString::new(text)
}
