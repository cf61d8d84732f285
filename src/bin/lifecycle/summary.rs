//! What a run found, in one line.

use lifecycle::diagnostic::Severity;
use lifecycle::report::{ComparedReport, DiagnosticReport, Report};

/// "1 finding", "2 findings".
pub fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// "2 errors, 1 warning", or "no policy violations"; and how to list the notes, if the output `hides_notes`.
pub fn by_severity<'r>(findings: impl IntoIterator<Item = &'r DiagnosticReport<'r>>, hides_notes: bool) -> String {
    let mut counts = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| (severity, 0));
    for finding in findings {
        for (severity, count) in &mut counts {
            *count += usize::from(finding.severity == *severity);
        }
    }
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(severity, count)| match (severity, count) {
            (Severity::Note, 1) if hides_notes => "1 note (-v shows it)".to_owned(),
            (Severity::Note, count) if hides_notes => format!("{count} notes (-v lists them)"),
            (severity, count) => counted(*count, severity.as_str()),
        })
        .collect();
    if counts.is_empty() {
        "no policy violations".to_owned()
    } else {
        counts.join(", ")
    }
}

/// What was found, and the command that says more: "2 errors; run `lifecycle check` for details". `command` makes it
/// from its words.
pub fn pointed_to(report: &Report<'_>, command: impl Fn(&str) -> String) -> String {
    let new = report.diagnostics.iter().filter(|finding| finding.known.is_none());
    let known = known(report.compared.as_ref(), true);
    // Notes alone are listed only if that is asked for.
    let words = if new.clone().all(|finding| finding.severity == Severity::Note) {
        "check --verbose"
    } else {
        "check"
    };
    match new.clone().next() {
        Some(_) => format!(
            "{}{known}; run `{}` for details",
            by_severity(new, false),
            command(words)
        ),
        None => format!(
            "no new policy violations{known}; `{}` lists them",
            command("check --all")
        ),
    }
}

/// "; 3 known in origin/main, 2 suppressed by lifecycle-baseline.toml", and how to list them unless `all` are.
pub fn known(compared: Option<&ComparedReport>, all: bool) -> String {
    let Some(compared) = compared else { return String::new() };
    let mut parts = Vec::new();
    if let Some(base) = compared.base.as_ref().filter(|_| compared.known_in_base > 0) {
        parts.push(format!("{} known in {base}", compared.known_in_base));
    }
    if let Some(file) = compared.baseline.as_ref().filter(|_| compared.suppressed > 0) {
        parts.push(format!("{} suppressed by {file}", compared.suppressed));
    }
    match (parts.is_empty(), all) {
        (true, _) => String::new(),
        (false, true) => format!("; {}", parts.join(", ")),
        (false, false) => format!("; {}; --all lists them", parts.join(", ")),
    }
}
