//! What a change moves, for the terminal: what becomes illegal first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::release::DateKind;
use crate::report::{
    DiagnosticReport, ElementsBelow, MissedReport, Moment, Movement, MovingEvent, PolicyReport, WhatIfReport,
};
use crate::source::Sources;

use super::below::{MANY, counted, names};
use super::columns::{Cell, Paint, columns};
use super::table::bound;
use super::wrap::{hanging, indented, readable};
use super::{Style, snippet, visible};

/// What moves, what moves alike together, or each; the sources are those of the changed files.
pub fn what_if(report: &WhatIfReport<'_>, sources: &Sources<'_>, all: bool, style: Style) -> String {
    if report.is_empty() {
        return "no changes\n".to_owned();
    }
    let style = readable(style);
    let width = usize::from(style.width);
    let mut text = String::new();
    hanging(&counts(report), width, 2, &mut text);
    illegal(&mut text, report, sources, all, style);
    missed(&mut text, &report.missed, style);
    findings(&mut text, "New findings", &report.findings, all, style);
    findings(&mut text, "Grows", &report.grown, all, style);
    findings(&mut text, "No longer found", &report.resolved, all, style);
    if let Some(policies) = &report.policies {
        section(&mut text, "Policy", Paint::Heading, style);
        let [from, to] = [&policies.from, &policies.to].map(|editions| named(editions));
        hanging(&format!("  ~ {from} → {to}"), width, 4, &mut text);
    }
    releases(&mut text, report, style);
    events(&mut text, report, all, style);
    if !all && is_folded(report) {
        text.push_str("\nEach finding and each move: --all\n");
    }
    text
}

/// What moves with the calendar of a change whose findings are listed already.
pub(super) fn calendar(report: &WhatIfReport<'_>, style: Style) -> String {
    let style = readable(style);
    let mut text = String::new();
    indented(&format!("the calendar moves: {}", counts(report)), 0, style, &mut text);
    missed(&mut text, &report.missed, style);
    releases(&mut text, report, style);
    events(&mut text, report, false, style);
    text
}

/// Whether not every finding and every move has lines of its own.
fn is_folded(report: &WhatIfReport<'_>) -> bool {
    let all = [&report.illegal, &report.findings, &report.resolved];
    let mut codes = all.into_iter().flat_map(|findings| by_code(findings));
    let mut groups = report.event_groups.iter();
    codes.any(|findings| shown(&findings, false).len() < findings.len())
        || groups.any(|group| group.parts > 0 || group.events.len() > 1)
}

/// The errors that the change adds, with their lines; of many with one code, the first.
fn illegal(text: &mut String, report: &WhatIfReport<'_>, sources: &Sources<'_>, all: bool, style: Style) {
    if report.illegal.is_empty() {
        return;
    }
    section(text, "Becomes illegal", Paint::Alarm, style);
    for findings in by_code(&report.illegal) {
        for finding in shown(&findings, all) {
            text.push_str(&snippet::finding(finding, sources, style));
        }
        if let Some(more) = more(&findings, all) {
            hanging(&more, usize::from(style.width), 2, text);
            text.push('\n');
        }
    }
}

/// The findings of each code.
fn by_code<'f, 'a>(findings: &'f [DiagnosticReport<'a>]) -> Vec<Vec<&'f DiagnosticReport<'a>>> {
    let mut positions: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut groups: Vec<Vec<&'f DiagnosticReport<'a>>> = Vec::new();
    for finding in findings {
        let at = *positions
            .entry((finding.rule, finding.code.as_str()))
            .or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// Those of one code that are shown: all of few, or the first of many.
fn shown<'g, 'f>(findings: &'g [&'f DiagnosticReport<'f>], all: bool) -> &'g [&'f DiagnosticReport<'f>] {
    let most = if all || findings.len() <= MANY {
        findings.len()
    } else {
        1
    };
    findings.get(..most).unwrap_or_default()
}

/// "12 more with this code: gate A, gate B and 10 others".
fn more(findings: &[&DiagnosticReport<'_>], all: bool) -> Option<String> {
    let hidden = findings
        .get(shown(findings, all).len()..)
        .filter(|hidden| !hidden.is_empty())?;
    let named: BTreeSet<&str> = hidden.iter().filter_map(|finding| finding.element.as_deref()).collect();
    let ids: Vec<&str> = named.iter().copied().take(MOST_NAMES).collect();
    let names = match (ids.as_slice(), named.len().saturating_sub(ids.len())) {
        ([], _) => String::new(),
        (ids, 0) => format!(": {}", ids.join(", ")),
        (ids, others) => format!(": {} and {others} others", ids.join(", ")),
    };
    Some(visible(&format!("{} more with this code{names}", hidden.len())))
}

/// Of more elements, the first are named.
const MOST_NAMES: usize = 8;

/// Of more groups of moves, the first are listed.
const MOST_MOVES: usize = 20;

fn section(text: &mut String, title: &str, paint: Paint, style: Style) {
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
    let _ = writeln!(text, "{}", paint.over(title, style));
}

const DECLARED_AS_PLANNED: &str = "declared as planned";

const NO_LONGER_DECLARED: &str = "planned, no longer declared";

/// Of an event that keeps its release, whether it is declared now.
fn kept(from: Option<Moment<'_>>, to: Option<Moment<'_>>) -> Option<bool> {
    let (from, to) = from.zip(to)?;
    let is_kept = from.release == to.release && from.declared != to.declared;
    is_kept.then_some(to.declared == Some(true))
}

/// "1 illegal, 0 missed; events: 2 added, 3 moved; findings: 1 new". Of what does not move there is no count.
pub fn counts(report: &WhatIfReport<'_>) -> String {
    let counts = report.counts;
    let kept: Vec<bool> = report
        .events
        .iter()
        .filter_map(|moved| kept(moved.from, moved.to))
        .collect();
    let declared = kept.iter().filter(|declared| **declared).count();
    let events = [
        (counts.added, "added"),
        (counts.moved.saturating_sub(kept.len()), "moved"),
        (declared, DECLARED_AS_PLANNED),
        (kept.len() - declared, NO_LONGER_DECLARED),
        (counts.removed, "removed"),
    ];
    let findings = [
        (counts.findings, "new"),
        (counts.grown, "grown"),
        (counts.resolved, "resolved"),
    ];
    let releases = [(counts.releases, "moved")];
    let mut text = format!("{} illegal, {} missed", counts.illegal, counts.missed);
    for (what, counts) in [
        ("events", &events[..]),
        ("releases", &releases),
        ("findings", &findings),
    ] {
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, how)| format!("{count} {how}")).collect();
        if !counts.is_empty() {
            let _ = write!(text, "; {what}: {}", counts.join(", "));
        }
    }
    text
}

/// "kubernetes-2019, kubernetes (edition 2022) from 1.19".
fn named(editions: &[PolicyReport<'_>]) -> String {
    let editions = editions.iter().map(|edition| {
        let mut text = edition.name.to_owned();
        if !edition.name.ends_with(edition.edition) {
            let _ = write!(text, " (edition {})", edition.edition);
        }
        if let Some(from) = edition.from {
            let _ = write!(text, " from {from}");
        }
        text
    });
    visible(&editions.collect::<Vec<_>>().join(", "))
}

fn missed(text: &mut String, missed: &[MissedReport<'_>], style: Style) {
    if missed.is_empty() {
        return;
    }
    section(text, "Misses what was announced", Paint::Alarm, style);
    for line in missed_lines(missed) {
        hanging(&format!("  {line}"), usize::from(style.width), 4, text);
    }
}

/// What an announcement said and what is now, of elements that are alike together: releases first.
pub(super) fn missed_lines(missed: &[MissedReport<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for missed in missed {
        let (from, to) = (bound(Some(missed.from)), later(missed.to));
        let (Some(element), Some(event)) = (missed.element, missed.event) else {
            lines.push(format!("release {from}, now {to}{}", with(missed)));
            continue;
        };
        let owner = missed
            .owner
            .map_or_else(String::new, |owner| format!(", {}", visible(owner)));
        let head = format!("{}, announced for {from}, now {to}{owner}", event.as_str());
        groups.entry(head).or_default().push(element);
    }
    lines.extend(groups.into_iter().map(|(head, ids)| {
        let below = ElementsBelow::gathered(ids.into_iter());
        format!("{head}: {}", names(&below))
    }));
    lines
}

/// How much comes with a release.
fn with(missed: &MissedReport<'_>) -> String {
    match missed.with {
        0 => String::new(),
        1 => ", with 1 declared event".to_owned(),
        with => format!(", with {with} declared events"),
    }
}

fn later(moment: Option<Moment<'_>>) -> String {
    moment.map_or_else(|| "never".to_owned(), |moment| bound(Some(moment)))
}

/// Findings on a line each; of many with one code, the first.
fn findings(text: &mut String, title: &str, findings: &[DiagnosticReport<'_>], all: bool, style: Style) {
    if findings.is_empty() {
        return;
    }
    section(text, title, Paint::Heading, style);
    let width = usize::from(style.width);
    for findings in by_code(findings) {
        for finding in shown(&findings, all) {
            hanging(&line(finding), width, 4, text);
        }
        if let Some(more) = more(&findings, all) {
            hanging(&format!("    {more}"), width, 4, text);
        }
    }
}

fn line(finding: &DiagnosticReport<'_>) -> String {
    let id = format!("{}: {}", finding.rule, finding.code);
    format!("  {}[{id}]: {}", finding.severity, visible(&finding.message))
}

fn releases(text: &mut String, report: &WhatIfReport<'_>, style: Style) {
    if report.releases.is_empty() && report.same_day.is_empty() {
        return;
    }
    section(text, "Releases", Paint::Heading, style);
    if !report.releases.is_empty() {
        moved_releases(text, report, style);
    }
    for line in same_day(report) {
        hanging(&format!("  {line}"), usize::from(style.width), 4, text);
    }
}

/// "announced now, on the day that was projected: 1.36 (2026-08-26), 1.37 (2026-12-26)".
pub(super) fn same_day(report: &WhatIfReport<'_>) -> Vec<String> {
    let kinds = [
        (DateKind::Actual, "shipped now"),
        (DateKind::Announced, "announced now, on the day that was projected"),
        (DateKind::Projected, "no longer announced, projected on the same day"),
    ];
    let lines = kinds.into_iter().filter_map(|(kind, what)| {
        let releases = report.same_day.iter().filter_map(|kept| kept.to);
        let of_kind = releases.filter(|moment| moment.date_kind == kind);
        let named: Vec<String> = of_kind.map(|moment| bound(Some(moment))).collect();
        (!named.is_empty()).then(|| format!("{what}: {}", named.join(", ")))
    });
    lines.collect()
}

fn moved_releases(text: &mut String, report: &WhatIfReport<'_>, style: Style) {
    let rows = report.releases.iter().map(|moved| {
        let name = format!("{} {}", moved.change.mark(), moved.release);
        let removals = match moved.removals.len() {
            0 => String::new(),
            count => count.to_string(),
        };
        [name, bound(moved.from), bound(moved.to), removals]
            .map(Cell::plain)
            .to_vec()
    });
    text.push_str(&columns(
        &["RELEASE", "FROM", "TO", "REMOVALS"],
        &rows.collect::<Vec<_>>(),
        2,
        style,
    ));
}

/// The moves of events, those that are alike together.
fn events(text: &mut String, report: &WhatIfReport<'_>, all: bool, style: Style) {
    if report.events.is_empty() {
        return;
    }
    section(text, "Events", Paint::Heading, style);
    let width = usize::from(style.width);
    if all {
        for moved in &report.events {
            let head = head(moved.change, moved.event, moved.from, moved.to);
            hanging(&format!("{head}: {}", visible(moved.element)), width, 6, text);
            reason(text, &moved.reason, width);
        }
        return;
    }
    for group in report.event_groups.iter().take(MOST_MOVES) {
        let head = head(group.change, group.event, group.from, group.to);
        let moves = group.events.iter().filter_map(|at| report.events.get(*at));
        let ids: Vec<&str> = moves.map(|moved| moved.element).collect();
        let parts = match group.parts {
            0 => String::new(),
            1 => " (and 1 part)".to_owned(),
            parts => format!(" (and {parts} parts)"),
        };
        let below = ElementsBelow::gathered(ids.iter().take(MOST_NAMES).copied());
        match ids.len().saturating_sub(MOST_NAMES) {
            0 => hanging(&format!("{head}: {}{parts}", names(&below)), width, 6, text),
            more => {
                let counted = counted(&ElementsBelow::gathered(ids.iter().copied()));
                hanging(&format!("{head}: {counted}{parts}"), width, 6, text);
                hanging(&format!("      {} and {more} more", names(&below)), width, 6, text);
            }
        }
        reason(text, &group.reason, width);
    }
    let rest = report.event_groups.iter().skip(MOST_MOVES);
    let rest: usize = rest.map(|group| group.events.len()).sum();
    if rest > 0 {
        let _ = writeln!(text, "  {rest} more moves");
    }
}

/// Why an event is in its release. That it is declared or planned is said already.
fn reason(text: &mut String, reason: &str, width: usize) {
    if !["declared", "planned"].contains(&reason) {
        hanging(&format!("      {}", visible(reason)), width, 6, text);
    }
}

/// "~ removed 1.36 (planned) → 1.37".
fn head(change: Movement, what: MovingEvent<'_>, from: Option<Moment<'_>>, to: Option<Moment<'_>>) -> String {
    let (mark, what) = (change.mark(), what.as_str());
    if let Some(declared) = kept(from, to) {
        let now = if declared {
            DECLARED_AS_PLANNED
        } else {
            NO_LONGER_DECLARED
        };
        return format!("  {mark} {what} {}, {now}", to.map_or("", |to| to.release));
    }
    match change {
        Movement::Added => format!("  {mark} {what} {}", event(to)),
        Movement::Moved => format!("  {mark} {what} {} → {}", event(from), event(to)),
        Movement::Removed => match from.filter(|from| from.declared == Some(false)) {
            Some(planned) => format!("  {mark} {what} (was planned for {})", planned.release),
            None => format!("  {mark} {what} (was {})", event(from)),
        },
    }
}

/// The release of an event, and whether it is planned only.
fn event(moment: Option<Moment<'_>>) -> String {
    match moment {
        Some(moment) if moment.declared == Some(false) => format!("{} (planned)", moment.release),
        Some(moment) => moment.release.to_owned(),
        None => "–".to_owned(),
    }
}
