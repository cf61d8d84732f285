//! Workflow commands of GitHub Actions: a line a finding, which the runner shows beside the line it is about.

use std::io::{self, Write};

use crate::report::{DiagnosticReport, Report};

use super::ci::{gravest_first, places, text};
use super::{CiReading, visible};

/// Prints a command a finding. Those that are gravest come first: of each kind, a step shows ten.
///
/// # Errors
///
/// If the text cannot be written.
pub fn report(report: &Report<'_>, reading: &CiReading<'_>, out: &mut impl Write) -> io::Result<()> {
    for finding in gravest_first(&report.diagnostics) {
        let message = data(&text(finding));
        let properties: Vec<String> = properties(finding, reading)
            .into_iter()
            .map(|(name, value)| format!("{name}={}", property(&value)))
            .collect();
        writeln!(out, "::{} {}::{message}", command(finding), properties.join(","))?;
    }
    Ok(())
}

fn command(finding: &DiagnosticReport<'_>) -> &'static str {
    match finding.severity {
        // What was there before is not to crowd out news.
        _ if finding.known.is_some() => "notice",
        "error" => "error",
        "warning" => "warning",
        _ => "notice",
    }
}

fn properties(finding: &DiagnosticReport<'_>, reading: &CiReading<'_>) -> Vec<(&'static str, String)> {
    let mut properties = Vec::new();
    if let (Some(place), _) = places(finding) {
        properties.push(("file", (reading.path)(&place.file)));
        properties.push(("line", place.line.to_string()));
        properties.push(("endLine", place.end_line.to_string()));
        // GitHub takes columns for places on one line only.
        if place.line == place.end_line {
            properties.push(("col", place.column.to_string()));
            properties.push(("endColumn", place.end_column.to_string()));
        }
    }
    let before = if finding.known.is_some() { ", there before" } else { "" };
    let title = format!("lifecycle: {} ({}){before}", finding.rule, finding.code);
    properties.push(("title", title));
    properties
}

/// Text as a command's message: whatever would end the line is escaped, and what would move a terminal about is not
/// shown.
fn data(text: &str) -> String {
    text.split('\r')
        .map(|part| visible(part).replace('%', "%25").replace('\n', "%0A"))
        .collect::<Vec<_>>()
        .join("%0D")
}

/// Text as the value of a property, which a colon or a comma would end too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
