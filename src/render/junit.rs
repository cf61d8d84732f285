//! `JUnit` XML: one suite per rule, one test per finding. CI shows it like test results.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

use crate::report::DiagnosticReport;

use super::ci::{places, text};
use super::xml::Escaped;
use super::{Findings, one_line, visible};

/// Prints one suite per page, in order, and one for each rule that has findings but no page. A finding that fails the
/// run is a failure, a known one is skipped, any other passes with its message as output. A rule without findings is
/// one test that passes.
pub(super) fn report(given: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut by_rule: BTreeMap<&str, Vec<&DiagnosticReport<'_>>> = BTreeMap::new();
    for finding in &given.report.diagnostics {
        by_rule.entry(finding.rule).or_default().push(finding);
    }
    let (mut suites, mut total) = (String::new(), Counts::default());
    for page in given.pages {
        let findings = by_rule.remove(page.slug).unwrap_or_default();
        total.add(&suite(page.slug, &findings, given, &mut suites));
    }
    for (rule, findings) in by_rule {
        total.add(&suite(rule, &findings, given, &mut suites));
    }
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"lifecycle\" {total}>\n{suites}</testsuites>")
}

/// The numbers of tests of a suite.
#[derive(Default)]
struct Counts {
    tests: usize,
    skipped: usize,
    failures: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.tests += other.tests;
        self.skipped += other.skipped;
        self.failures += other.failures;
    }
}

impl Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tests,
            skipped,
            failures,
        } = self;
        write!(
            f,
            "tests=\"{tests}\" skipped=\"{skipped}\" errors=\"0\" failures=\"{failures}\""
        )
    }
}

fn suite(rule: &str, findings: &[&DiagnosticReport<'_>], given: &Findings<'_>, out: &mut String) -> Counts {
    let mut counts = Counts::default();
    let mut cases = String::new();
    if findings.is_empty() {
        counts.tests = 1;
        let _ = writeln!(cases, "        <testcase name=\"no findings\" classname=\"{rule}\"/>");
    }
    let mut alike: BTreeMap<String, u32> = BTreeMap::new();
    for finding in findings {
        let mut name = name(finding);
        let count = alike.entry(name.clone()).or_default();
        *count += 1;
        // GitLab ignores a test whose name it has seen before.
        if *count > 1 {
            name = format!("{name} ({count})");
        }
        counts.add(&case(&name, finding, given, &mut cases));
    }
    let _ = writeln!(out, "    <testsuite name=\"{rule}\" {counts}>\n{cases}    </testsuite>");
    counts
}

/// The name of a finding, independent of its line.
fn name(finding: &DiagnosticReport<'_>) -> String {
    match &finding.element {
        Some(element) => format!("{element}: {}", finding.code),
        None => format!("{}: {}", finding.code, finding.message),
    }
}

fn case(name: &str, finding: &DiagnosticReport<'_>, given: &Findings<'_>, out: &mut String) -> Counts {
    let mut counts = Counts {
        tests: 1,
        ..Counts::default()
    };
    let _ = write!(
        out,
        "        <testcase name=\"{}\" classname=\"{}\"",
        attribute(name),
        finding.rule
    );
    let mut body = text(finding);
    if let Some(place) = places(finding).0.map(|label| &label.region) {
        let file = (given.path)(&place.file);
        body = format!(
            "{}:{}:{}: {body}",
            one_line(&file),
            place.start.line,
            place.start.column
        );
        let _ = write!(out, " file=\"{}\" line=\"{}\"", attribute(&file), place.start.line);
    }
    let (tag, message) = if finding.known.is_some() {
        counts.skipped = 1;
        ("skipped", format!("known: {}", finding.message))
    } else if (given.fails)(finding) {
        counts.failures = 1;
        ("failure", finding.message.clone())
    } else {
        let output = xml(&format!("{}: {body}", finding.severity));
        let _ = writeln!(
            out,
            ">\n            <system-out>{output}</system-out>\n        </testcase>"
        );
        return counts;
    };
    let (message, code, body) = (attribute(&message), attribute(&finding.code), xml(&body));
    let _ = writeln!(
        out,
        ">\n            <{tag} message=\"{message}\" type=\"{code}\">{body}</{tag}>\n        </testcase>"
    );
    counts
}

/// Text for an attribute: it has one line.
fn attribute(text: &str) -> String {
    xml(&one_line(text))
}

/// Text for an element: control characters are replaced, tabs become spaces.
fn xml(text: &str) -> String {
    Escaped(&visible(text).replace('\t', " ")).to_string()
}
