//! Findings for people: one by one with their lines, or, of many, those that are alike together.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::diagnostic::Severity;
use crate::grammar::ElementPath;
use crate::report::{DiagnosticReport, FindingGroup};

use super::alike::{self, Occurrence};
use super::wrap::{hanging, hanging_place};
use super::{Findings, one_line, shipped, snippet, visible, what_if};

/// Errors up to this number are shown with their lines, whatever else is folded.
const FEW_ERRORS: usize = 20;

/// All findings, as the level of detail asks; then what moves with the calendar of a change.
pub(super) fn table(given: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    list(given, out)?;
    match &given.report.moves {
        Some(moves) => out.write_all(what_if::calendar(moves, given.style).as_bytes()),
        None => Ok(()),
    }
}

fn list(given: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let findings = &given.report.diagnostics;
    if given.is_summary() {
        return out.write_all(counts(given).as_bytes());
    }
    if !given.is_folded() {
        return shipped::table(given, out);
    }
    let errors = findings.iter().filter(|finding| is_new_error(finding));
    let few_errors = errors.clone().count() <= FEW_ERRORS;
    if few_errors {
        snippet::each(errors, given, out)?;
    }
    let mut text = String::new();
    for group in &given.report.finding_groups {
        let members = group.findings.iter().filter_map(|at| findings.get(*at));
        let members: Vec<&DiagnosticReport<'_>> = members.collect();
        let Some(first) = members.first() else { continue };
        let shown = (!few_errors || !is_new_error(first)) && given.shows(first);
        if shown {
            write_group(group, &members, usize::from(given.style.width), &mut text);
        }
    }
    text.push_str(&counts(given));
    text.push_str("--expand shows each finding with its lines; --summary only how many there are\n");
    out.write_all(text.as_bytes())
}

fn is_new_error(finding: &DiagnosticReport<'_>) -> bool {
    finding.known.is_none() && finding.severity == Severity::Error
}

/// How many findings there are of each severity, and with which codes.
fn counts(given: &Findings<'_>) -> String {
    let findings = given.report.diagnostics.iter();
    let codes: Vec<(Severity, String)> = findings
        .map(|finding| (finding.severity, format!("{}:{}", finding.rule, finding.code)))
        .collect();
    let codes = codes.iter().map(|(severity, code)| (*severity, code.as_str()));
    let mut text = String::new();
    alike::counts(codes, usize::from(given.style.width), &mut text);
    text
}

/// What several findings have in common, where they are, and the next step.
fn write_group(group: &FindingGroup, members: &[&DiagnosticReport<'_>], width: usize, text: &mut String) {
    let known = if group.known.is_some() { "known " } else { "" };
    let head = format!(
        "{known}{}[{}:{}]: {}",
        group.severity,
        group.rule,
        group.code,
        one_line(&group.message)
    );
    hanging(&head, width, 4, text);
    let places: Vec<Occurrence<'_>> = members.iter().map(|finding| place(finding)).collect();
    match (members, places.as_slice()) {
        ([only], [place]) => {
            hanging_place(&format!("  {}", place.name()), &location(only), (width, 4), text);
        }
        _ => {
            let _ = writeln!(text, "{}", alike::places(group.kinds.len(), &places, width));
        }
    }
    if let Some(help) = &group.help {
        hanging(&format!("  help: {}", one_line(help)), width, 4, text);
    }
    text.push('\n');
}

/// The kind, the version and the field of a finding; its line, if it names none.
fn place<'f>(finding: &'f DiagnosticReport<'_>) -> Occurrence<'f> {
    let element = finding.element.as_deref().unwrap_or_default();
    let path = ElementPath::parse(element).ok();
    let Some(kind) = path.as_ref().and_then(|path| path.kind()) else {
        return Occurrence {
            kind: String::new().into(),
            below: location(finding),
        };
    };
    let member = path.as_ref().and_then(|path| path.member());
    let member = member
        .map(|member| format!(" {}", member.with_sign()))
        .unwrap_or_default();
    Occurrence {
        kind: kind.kind.to_string().into(),
        below: visible(&format!("{}{member}", kind.version.version)),
    }
}

fn location(finding: &DiagnosticReport<'_>) -> String {
    match (&finding.file, finding.line, finding.column) {
        (Some(file), Some(line), Some(column)) => format!("{}:{line}:{column}", one_line(file)),
        _ => String::new(),
    }
}
