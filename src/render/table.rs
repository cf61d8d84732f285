//! Tables for people: each group through the releases, and the plan per element.

use std::fmt::Write as _;

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width, presets};

use crate::grammar::heading;
use crate::release::DateKind;
use crate::report::{ComparisonReport, StatementReport};
use crate::report::{ElementReport, ExceptionsReport, GroupReport, Moment, ReleaseReport, Report};
use crate::report::{ProposalReport, RuleReport, RulesReport, SeverityReport};

use super::{Look, visible};

/// The plan: for each group its timeline and the plan of its elements, and at the end that of all other elements.
pub fn plan(report: &Report<'_>, look: Look) -> String {
    let mut text = String::new();
    let elements: Vec<ElementReport<'_>> = report.elements.iter().collect();
    let mut rest = elements.as_slice();
    for found in &report.groups {
        let title = visible(&found.group);
        let _ = writeln!(text, "{title}\n{}\n", group(found, look));
        // Elements come in the order of the groups, those of a group together, its name before theirs.
        let own = rest
            .iter()
            .take_while(|element| heading(element.id).0 == found.group)
            .count();
        let (own, others) = rest.split_at(own);
        rest = others;
        let _ = writeln!(
            text,
            "{title}: elements\n{}\n",
            element_table(own, |id| heading(id).1, look)
        );
    }
    if !rest.is_empty() {
        let _ = writeln!(
            text,
            "commands, gates, metrics, behaviors\n{}",
            element_table(rest, |id| id, look)
        );
    }
    text
}

/// One group through the releases.
pub fn group(group: &GroupReport<'_>, look: Look) -> String {
    let rows = group.releases.iter().map(|row| {
        let release = dated(row.release, row.date, row.date_kind);
        let preferred = visible(row.preferred.unwrap_or(""));
        [release, served(row), preferred, storage(row), notes(row)]
    });
    table(
        &["RELEASE", "SERVED", "PREFERRED", "STORAGE", "NOTES"],
        rows.collect(),
        look,
    )
}

/// The plan per element, ids without what their table's title says.
fn element_table(elements: &[ElementReport<'_>], short: fn(&str) -> &str, look: Look) -> String {
    let rows = elements.iter().map(|element| {
        [
            visible(short(element.id)),
            element.stability.to_owned(),
            event(element.deprecated),
            bound(element.latest_deprecation),
            event(element.removed),
            earliest_removal(element),
            bound(element.removal_due),
            element.binding.unwrap_or("").to_owned(),
        ]
    });
    let header = [
        "ELEMENT",
        "LEVEL",
        "DEPRECATED",
        "AT LATEST",
        "REMOVED",
        "NOT BEFORE",
        "DUE",
        "BINDING",
    ];
    table(&header, rows.collect(), look)
}

/// The rules of each edition with their findings, then the findings that are no rule's.
pub fn rules(report: &RulesReport<'_>, look: Look) -> String {
    let mut text = String::new();
    for edition in &report.editions {
        let from = edition
            .from
            .map_or_else(String::new, |from| format!(", from {}", visible(from)));
        let name = visible(edition.policy);
        let _ = writeln!(text, "{name}, edition {}{from}", visible(edition.edition));
        let _ = writeln!(text, "{}\n", grades(&edition.rules, look));
    }
    let _ = writeln!(text, "findings that are no rule's\n{}", grades(&report.outside, look));
    text
}

fn grades(rules: &[RuleReport<'_>], look: Look) -> String {
    let rows = rules.iter().flat_map(|rule| {
        let number = rule
            .number
            .map_or_else(String::new, |number| format!("#{}", visible(number)));
        let mut names = std::iter::once((rule.rule.to_owned(), number.clone()));
        let mut name = move || names.next().unwrap_or_default();
        let idle = (!rule.in_force).then(|| {
            let (rule, number) = (rule.rule.to_owned(), number.clone());
            [rule, number, String::new(), "not in force".to_owned(), String::new()]
        });
        let findings = rule.findings.iter().map(move |finding| {
            let (rule, number) = name();
            let code = finding.code.to_owned();
            [rule, number, code, severity(finding.severity), visible(&finding.set_by)]
        });
        idle.into_iter().chain(findings)
    });
    table(
        &["RULE", "NUMBER", "FINDING", "SEVERITY", "SET BY"],
        rows.collect(),
        look,
    )
}

/// One word where a severity is the same for all.
fn severity(levels: SeverityReport) -> String {
    let SeverityReport { alpha, beta, ga } = levels;
    if alpha == beta && beta == ga {
        ga.to_owned()
    } else {
        format!("GA {ga}, beta {beta}, alpha {alpha}")
    }
}

/// The breaches that were agreed to.
pub fn exceptions(report: &ExceptionsReport<'_>, look: Look) -> String {
    if report.exceptions.is_empty() {
        return "no exceptions\n".to_owned();
    }
    let rows = report.exceptions.iter().map(|exception| {
        let place = match (&exception.file, exception.line) {
            (Some(file), Some(line)) => format!("{}:{line}", visible(file)),
            _ => String::new(),
        };
        [
            visible(exception.element),
            visible(exception.rule),
            exception.state.to_owned(),
            bound(exception.until),
            visible(exception.approved_by),
            visible(exception.reason),
            place,
        ]
    });
    let header = ["ELEMENT", "RULE", "STATE", "UNTIL", "APPROVED BY", "REASON", "WHERE"];
    format!("{}\n", table(&header, rows.collect(), look))
}

/// Where two sources disagree, a row a disagreement.
pub fn comparison(report: &ComparisonReport, look: Look) -> String {
    if report.differences.is_empty() {
        return "no differences\n".to_owned();
    }
    let says = |said: &StatementReport| said.says.as_deref().map_or_else(|| "-".to_owned(), visible);
    let rows = report.differences.iter().map(|difference| {
        [
            visible(&difference.element),
            difference.what.to_string(),
            says(&difference.here),
            says(&difference.there),
            difference
                .reason
                .as_ref()
                .map_or_else(String::new, |reason| visible(&reason.text)),
        ]
    });
    let [here, there] = report.titles().map(visible);
    format!(
        "{}\n",
        table(&["ELEMENT", "WHAT", &here, &there, "REASON"], rows.collect(), look)
    )
}

/// A table as wide as there is room, its first column unbroken; where there is no room for that, a block a row.
pub(super) fn table<const COLUMNS: usize>(
    header: &[&str; COLUMNS],
    rows: Vec<[String; COLUMNS]>,
    look: Look,
) -> String {
    let longest = |column: usize| {
        let cells = rows.iter().map(|row| row[column].as_str()).chain([header[column]]);
        let words = cells.flat_map(|cell| {
            if column == 0 {
                vec![cell]
            } else {
                cell.split_whitespace().collect()
            }
        });
        words.map(|word| word.chars().count()).max().unwrap_or(0)
    };
    // Each column takes two blanks and a line beside its longest word.
    let least: usize = (0..COLUMNS).map(|column| longest(column) + 3).sum::<usize>() + 1;
    if least > usize::from(look.width) {
        return blocks(header, &rows);
    }
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_FULL_CONDENSED)
        .set_header(header.iter().copied());
    if look.width == u16::MAX {
        table.set_content_arrangement(ContentArrangement::Disabled);
    } else {
        let words = (0..COLUMNS).map(|column| u16::try_from(longest(column) + 2).unwrap_or(u16::MAX));
        table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(look.width)
            .set_constraints(words.map(|width| ColumnConstraint::LowerBoundary(Width::Fixed(width))));
    }
    table.add_rows(rows);
    table.trim_fmt()
}

/// A block a row: what the first column says, and below it what the others do, where they say something.
fn blocks<const COLUMNS: usize>(header: &[&str; COLUMNS], rows: &[[String; COLUMNS]]) -> String {
    let mut text = String::new();
    for row in rows {
        let _ = writeln!(text, "{}", row[0]);
        for (name, cell) in header.iter().zip(row).skip(1).filter(|(_, cell)| !cell.is_empty()) {
            let _ = writeln!(text, "  {}: {}", name.to_lowercase(), cell.replace('\n', "; "));
        }
    }
    text.trim_end().to_owned()
}

fn dated(release: &str, date: Option<&str>, kind: DateKind) -> String {
    match (date, kind) {
        (Some(date), DateKind::Projected) => format!("{release} (~{date})"),
        (Some(date), _) => format!("{release} ({date})"),
        (None, _) => release.to_owned(),
    }
}

fn served(row: &ReleaseReport<'_>) -> String {
    let versions: Vec<String> = row
        .versions
        .iter()
        .map(|version| match version.state {
            "deprecated" => format!("{} (deprecated)", visible(version.version)),
            _ => visible(version.version),
        })
        .collect();
    versions.join(", ")
}

/// The storage version most kinds have, and the kinds that differ.
pub(super) fn storage(row: &ReleaseReport<'_>) -> String {
    let stored: Vec<(&str, &str)> = row
        .kinds
        .iter()
        .filter_map(|kind| Some((kind.kind, kind.storage?)))
        .collect();
    let Some(common) = row.storage.or(row.preferred) else {
        return String::new();
    };
    let differing: Vec<String> = stored
        .iter()
        .filter(|(_, version)| *version != common)
        .map(|(kind, version)| format!("{}: {version}", visible(kind)))
        .collect();
    match differing.len() {
        0 => common.to_owned(),
        n if n == stored.len() => differing.join(", "),
        _ => format!("{common} ({})", differing.join(", ")),
    }
}

fn notes(row: &ReleaseReport<'_>) -> String {
    let notes: Vec<String> = row
        .notes
        .iter()
        .map(|note| {
            let mark = if note.declared { "" } else { " (planned)" };
            format!("{}{mark}", visible(&note.text))
        })
        .collect();
    notes.join("\n")
}

/// When something happens, and that it is only planned where the user did not say so.
fn event(moment: Option<Moment<'_>>) -> String {
    match moment {
        Some(Moment {
            release,
            declared: Some(false),
            ..
        }) => format!("{release} (planned)"),
        Some(Moment { release, .. }) => release.to_owned(),
        None => String::new(),
    }
}

/// A release with its date, or that it is that one or a later one; nothing for none.
fn bound(moment: Option<Moment<'_>>) -> String {
    match moment {
        Some(moment) if moment.at_least => format!("{} or later", moment.release),
        Some(moment) => dated(moment.release, moment.date, moment.date_kind),
        None => String::new(),
    }
}

fn earliest_removal(element: &ElementReport<'_>) -> String {
    match &element.never_before_major {
        Some(name) => major(name),
        None if element.earliest_removal.is_none() && element.binding.is_some() => "not in sight".to_owned(),
        None => bound(element.earliest_removal),
    }
}

/// A major release that the calendar does not have yet, in words.
fn major(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("major {name}")
    } else {
        name.to_owned()
    }
}

/// Proposed removals: the verdict, the soonest release, what speaks against each, and what still names it.
pub fn proposals(proposals: &[ProposalReport<'_>]) -> String {
    let mut text = String::new();
    for proposal in proposals {
        let verdict = if proposal.allowed { "allowed" } else { "not allowed" };
        let announced = proposal.if_deprecated.map(|release| release.release);
        let condition = announced.map_or_else(String::new, |release| format!(", if it is deprecated in {release}"));
        let also = if proposal.allowed { condition.as_str() } else { "" };
        let release = bound(proposal.release);
        let _ = writeln!(text, "{} in {release}: {verdict}{also}", visible(proposal.element));
        if !proposal.allowed {
            let soonest = match (&proposal.soonest, &proposal.never_before_major) {
                (_, Some(name)) => format!("not before {}", visible(&major(name))),
                (Some(_), None) => format!("{}{condition}", bound(proposal.soonest)),
                (None, None) => "not in sight".to_owned(),
            };
            let _ = writeln!(text, "  soonest: {soonest}");
        }
        for reason in &proposal.reasons {
            let what = if proposal.allowed { "note" } else { "why" };
            let _ = writeln!(text, "  {what}: {}", visible(reason));
        }
        for named in &proposal.named_by {
            let place = match (&named.file, named.line) {
                (Some(file), Some(line)) => format!(" ({}:{line})", visible(file)),
                _ => String::new(),
            };
            let _ = writeln!(
                text,
                "  still names it: {} {}{place}",
                visible(named.element),
                named.how
            );
        }
    }
    text
}
