//! What `init` prints: what was found, what was not, what was written, and the next commands.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::Evaluation;

use crate::io::tags::Tags;
use crate::summary::counted;

use super::find::{Sort, Survey, Surveyed};
use super::import::Model;
use super::states::States;
use super::update::NextImport;

/// Lists are cut after this many.
const MOST_LISTED: usize = 3;

/// The same of folders, whose names are long.
const MOST_FOLDERS: usize = 1;

pub fn found(states: &States, survey: &Survey, model: &Model) -> String {
    let mut text = releases(states, survey);
    let Some(sort) = survey.sort else {
        text.push_str("found      no CRDs, Go packages of an API, or OpenAPI documents with Kubernetes kinds\n");
        text.push_str("           the model has the releases and one flag: declare what you ship\n");
        return text;
    };
    let kinds: usize = model
        .draft
        .groups
        .values()
        .map(lifecycle::import::Group::kind_count)
        .sum();
    let groups: Vec<&String> = model.draft.groups.keys().collect();
    let _ = writeln!(
        text,
        "found      {} of {}",
        counted(kinds, "kind"),
        listed(&groups, MOST_LISTED)
    );
    for (at, stay) in stays(survey, sort).iter().enumerate() {
        let label = if at == 0 { sort.name() } else { "" };
        let _ = writeln!(text, "{label:<10} {stay}");
    }
    text.push_str(&missing(survey, sort));
    for other in Sort::ALL.into_iter().filter(|other| *other != sort) {
        let count = survey.releases.last().map_or(0, |newest| newest.files(other).count());
        if count > 0 {
            let _ = writeln!(
                text,
                "not read   {}: the {} show the kinds already",
                counted(count, other.name().trim_end_matches('s')),
                sort.name()
            );
        }
    }
    if !model.left_out.is_empty() {
        let changes = counted(model.left_out.len(), "change");
        let _ = writeln!(
            text,
            "left out   {changes} of schemas that a model does not express; --verbose lists them"
        );
    }
    text
}

/// Which releases there are, and what they are taken from.
fn releases(states: &States, survey: &Survey) -> String {
    let mut text = String::new();
    let first = survey.releases.first().map(|release| &release.state.release);
    let last = survey.releases.last().map(|release| &release.state.release);
    match (&states.tags, first.zip(last)) {
        (Ok(_), Some((first, last))) if first != last => {
            let _ = writeln!(
                text,
                "releases   {}: {first} to {last}, from tags",
                survey.releases.len()
            );
        }
        (Ok(_), Some((first, _))) => {
            let _ = writeln!(text, "releases   1: {first}, from a tag");
        }
        (Err(reason), _) => {
            let _ = writeln!(text, "releases   no tags: what is here counts as 0.1, without a date");
            let _ = writeln!(text, "           {reason}");
        }
        (Ok(_), None) => {}
    }
    if let Some(ignored) = states.tags.iter().find_map(Tags::ignored) {
        let _ = writeln!(text, "           {ignored}");
    }
    let skipped = states.tags.iter().flat_map(|tags| &tags.skipped);
    for reason in skipped.clone().take(MOST_LISTED) {
        let _ = writeln!(text, "           skipped {reason}");
    }
    if let more @ 1.. = skipped.skip(MOST_LISTED).count() {
        let _ = writeln!(text, "           skipped {more} more");
    }
    text
}

/// Where files of a sort are, the latest first: `config/crd/bases (0.3 to 0.19)`.
fn stays(survey: &Survey, sort: Sort) -> Vec<String> {
    let mut runs: Vec<(&Vec<String>, &Surveyed, &Surveyed)> = Vec::new();
    for release in &survey.releases {
        let Some(folders) = release.folders.get(&sort) else {
            continue;
        };
        match runs.last_mut() {
            Some((known, _, last)) if *known == folders => *last = release,
            _ => runs.push((folders, release, release)),
        }
    }
    let count = runs.len();
    let lines = runs.into_iter().rev().take(MOST_LISTED).map(|(folders, first, last)| {
        let (first, last) = (&first.state.release, &last.state.release);
        let folders: Vec<String> = folders
            .iter()
            .map(|folder| {
                if folder.is_empty() {
                    ".".to_owned()
                } else {
                    folder.clone()
                }
            })
            .collect();
        let folders: Vec<&String> = folders.iter().collect();
        if first == last {
            format!("{} ({first})", listed(&folders, MOST_FOLDERS))
        } else {
            format!("{} ({first} to {last})", listed(&folders, MOST_FOLDERS))
        }
    });
    let mut lines: Vec<String> = lines.collect();
    if count > MOST_LISTED {
        lines.push(format!("and in {} before", counted(count - MOST_LISTED, "other place")));
    }
    lines
}

fn missing(survey: &Survey, sort: Sort) -> String {
    let without = survey
        .releases
        .iter()
        .filter(|release| !release.folders.contains_key(&sort));
    let names: Vec<String> = without.map(|release| release.state.release.to_string()).collect();
    if names.is_empty() {
        return String::new();
    }
    let names_shown: Vec<&String> = names.iter().collect();
    format!(
        "missing    {} of {} releases: no {} in {}\n",
        names.len(),
        survey.releases.len(),
        sort.name(),
        listed(&names_shown, MOST_LISTED)
    )
}

/// "a, b and 3 more".
fn listed(names: &[&String], most: usize) -> String {
    let (shown, more) = names.split_at(names.len().min(most));
    let shown: Vec<&str> = shown.iter().map(|name| name.as_str()).collect();
    match more.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

pub fn written(
    path: &str,
    policy: &str,
    recorded: Option<usize>,
    evaluation: &Evaluation,
    next: Option<&NextImport>,
) -> String {
    let mut text = format!("\nwritten    {path}, with the policy {policy}\n");
    text.push_str("           lifecycle.schema.json, by which editors complete and check it\n");
    if let Some(recorded) = recorded {
        let findings = counted(recorded, "finding");
        let _ = writeln!(
            text,
            "           lifecycle-baseline.toml, with {findings} about releases that have shipped"
        );
    }
    let open = evaluation.findings().iter();
    let open = open.filter(|found| found.severity >= Severity::Warning && !is_history(found));
    let rules: BTreeSet<&str> = open.clone().map(|found| found.rule).collect();
    let open = match open.count() {
        0 => "nothing to act on now".to_owned(),
        count => {
            let rules: Vec<&str> = rules.into_iter().collect();
            format!("{} to act on ({})", counted(count, "finding"), rules.join(", "))
        }
    };
    let calendar = &evaluation.model().calendar;
    let notes = if calendar.names_next() {
        format!("lifecycle notes --release {}", calendar.name(calendar.next()))
    } else {
        // What has no name yet is what `notes` is about by itself.
        "lifecycle notes".to_owned()
    };
    let _ = write!(
        text,
        "\nNext:\n  lifecycle check                  {open}\n  \
         lifecycle plan                   when each element may and must be removed\n  \
         {notes:<31}  the draft of the next release notes\n"
    );
    if let Some(next) = next {
        let _ = write!(text, "\n{}:\n  {}\n", next.when, next.command);
    }
    text
}

/// Whether a baseline records a finding: it is about what has shipped, and a run may fail for it.
pub fn is_history(finding: &Diagnostic) -> bool {
    finding.shipped.is_some() && finding.severity >= Severity::Warning
}
