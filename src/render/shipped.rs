//! Findings for the terminal: first what can still be acted on, then one line per rule and severity about what has
//! shipped.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use annotate_snippets::{Group, Level};

use super::ci::most_severe_first;
use super::snippet::Title;
use super::{Findings, Style, snippet};
use crate::diagnostic::Severity;
use crate::report::DiagnosticReport;

/// Prints the findings, the most severe first.
pub(super) fn table(given: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut shown = most_severe_first(given.shown());
    let mut shipped: BTreeMap<(&str, Severity), Vec<&DiagnosticReport<'_>>> = BTreeMap::new();
    if !given.listed.shipped {
        for finding in shown.iter().filter(|finding| finding.shipped.is_some()) {
            shipped
                .entry((finding.rule, finding.severity))
                .or_default()
                .push(finding);
        }
        shipped.retain(|_, findings| findings.len() > 1);
        shown.retain(|finding| finding.shipped.is_none() || !shipped.contains_key(&(finding.rule, finding.severity)));
        shown.sort_by_key(|finding| finding.shipped.is_some());
    }
    let others = if shown.is_empty() { "" } else { " and those above" };
    if given.report.finding_groups.is_empty() || given.listed.shipped {
        snippet::each(shown.into_iter(), given, out)?;
    } else {
        alike(&shown, given, out)?;
    }
    let mut lines: Vec<_> = shipped.iter().collect();
    lines.sort_by_key(|((_, severity), _)| Reverse(*severity));
    for ((_, severity), findings) in lines {
        writeln!(out, "{}", line(given, findings, *severity))?;
    }
    if !shipped.is_empty() {
        let file = if given.listed.has_folder {
            ""
        } else {
            " --baseline FILE"
        };
        let help = format!(
            "`--write-baseline{file}` records these{others}, so that only new findings are reported; `--all` lists them"
        );
        writeln!(out, "{}\n", titled(Level::HELP, "help", None, &help, given.style))?;
    }
    Ok(())
}

/// Findings with their lines, those that are alike once.
fn alike(shown: &[&DiagnosticReport<'_>], given: &Findings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let positions = given.report.finding_groups.iter().enumerate();
    let group_of: BTreeMap<&str, usize> = positions
        .flat_map(|(group, members)| members.findings.iter().map(move |at| (group, *at)))
        .filter_map(|(group, at)| Some((given.report.diagnostics.get(at)?.fingerprint.as_str(), group)))
        .collect();
    let mut groups: Vec<Vec<&DiagnosticReport<'_>>> = Vec::new();
    let mut begun: BTreeMap<usize, usize> = BTreeMap::new();
    for finding in shown {
        let group = group_of.get(finding.fingerprint.as_str());
        match group.and_then(|group| begun.get(group)) {
            Some(at) => groups[*at].push(finding),
            None => {
                begun.extend(group.map(|group| (*group, groups.len())));
                groups.push(vec![finding]);
            }
        }
    }
    for members in groups {
        let Some((first, others)) = members.split_first() else {
            continue;
        };
        let others: Vec<&str> = others.iter().filter_map(|other| other.element.as_deref()).collect();
        let text = snippet::finding_of(first, &others, given.sources, given.style);
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// How many findings of a rule and a severity are about releases that have shipped, and with which codes.
fn line(given: &Findings<'_>, findings: &[&DiagnosticReport<'_>], severity: Severity) -> String {
    let Some(first) = findings.first() else {
        return String::new();
    };
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings {
        *codes.entry(finding.code.as_str()).or_default() += 1;
    }
    let codes: Vec<String> = codes.iter().map(|(code, count)| format!("{count} {code}")).collect();
    let last = given.report.current.map_or("", |current| current.release);
    let mut named: Vec<&str> = findings
        .iter()
        .filter_map(|finding| finding.element.as_deref())
        .collect();
    named.sort_unstable();
    named.dedup();
    let more = named.len().saturating_sub(MOST_NAMED);
    named.truncate(MOST_NAMED);
    let named = match (named.as_slice(), more) {
        ([], _) => String::new(),
        (named, 0) => format!("; of {}", named.join(", ")),
        (named, more) => format!("; of {} and {more} more", named.join(", ")),
    };
    let message = format!(
        "{} findings about releases up to {last}, which have shipped: {}{named}",
        findings.len(),
        codes.join(", ")
    );
    let id = snippet::rule_with_number(first);
    titled(
        snippet::level(severity),
        &severity.to_string(),
        Some(id),
        &message,
        given.style,
    )
}

/// The most elements that a line about shipped releases names.
const MOST_NAMED: usize = 4;

/// A message after its severity, in lines that fit.
fn titled(level: Level<'_>, name: &str, id: Option<String>, message: &str, style: Style) -> String {
    let title = Title::of(
        name,
        id.as_deref().unwrap_or_default(),
        message,
        usize::from(style.width),
    );
    let text = level.primary_title(title.text.as_str());
    let text = match id {
        Some(id) => text.id(id),
        None => text,
    };
    let drawn = style.renderer().render(&[Group::with_title(text)]);
    let drawn = title.outdented(&drawn);
    let lines: Vec<&str> = drawn.lines().map(str::trim_end).collect();
    lines.join("\n")
}
