//! Workflow commands of GitHub Actions: one line per finding, which the runner shows at the line of the source.

use std::io::{self, Write};

use crate::diagnostic::Severity;
use crate::report::DiagnosticReport;

use super::ci::{most_severe_first, places, text};
use super::{Findings, visible};

/// Prints one command per finding, the most severe first: a step shows ten of each kind.
pub(super) fn report(given: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in most_severe_first(&given.report.diagnostics) {
        let message = data(&text(finding));
        let properties: Vec<String> = properties(finding, given)
            .into_iter()
            .map(|(name, value)| format!("{name}={}", property(&value)))
            .collect();
        writeln!(out, "::{} {}::{message}", command(finding), properties.join(","))?;
    }
    Ok(())
}

fn command(finding: &DiagnosticReport<'_>) -> &'static str {
    match finding.severity {
        // Known findings must not displace new ones.
        _ if finding.known.is_some() => "notice",
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note | Severity::Off => "notice",
    }
}

fn properties(finding: &DiagnosticReport<'_>, given: &Findings<'_>) -> Vec<(&'static str, String)> {
    let mut properties = Vec::new();
    if let Some(place) = places(finding).0.map(|label| &label.region) {
        properties.push(("file", (given.path)(&place.file)));
        properties.push(("line", place.start.line.to_string()));
        properties.push(("endLine", place.end.line.to_string()));
        // GitHub accepts columns only for places within one line.
        if place.start.line == place.end.line {
            properties.push(("col", place.start.column.to_string()));
            properties.push(("endColumn", place.end.column.to_string()));
        }
    }
    let before = if finding.known.is_some() { ", known" } else { "" };
    let title = format!("lifecycle: {} ({}){before}", finding.rule, finding.code);
    properties.push(("title", title));
    properties
}

/// Text for the message of a command: line breaks are escaped, control characters are replaced.
fn data(text: &str) -> String {
    text.split('\r')
        .map(|part| visible(part).replace('%', "%25").replace('\n', "%0A"))
        .collect::<Vec<_>>()
        .join("%0D")
}

/// Text for the value of a property, which a colon or a comma would end as well.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
