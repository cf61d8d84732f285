//! `lifecycle import feature-gates`: the stages of feature gates, from lists.

use std::collections::BTreeSet;

use lifecycle::import::gates::{Found, LARGEST};
use lifecycle::import::{Calendar, Draft};
use lifecycle::release::ReleaseName;

use crate::args::FeatureGates;
use crate::io::disk;
use crate::terminal::Terminal;

use super::update::bring_up_to_date;
use super::{deliver, tell_skipped, told_of, unreadable};
use crate::failure::{Failure, Outcome};

/// How many releases after the last one a calendar with a cadence knows.
const MOST_PROJECTED: u64 = 100;

pub(super) fn feature_gates(arguments: &FeatureGates, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let mut found = Found::default();
    let mut whole = true;
    for path in &arguments.paths {
        let text = disk::read_at_most(path, LARGEST)?;
        let skipped = found.add(&text.content).map_err(|fault| unreadable(path, &fault))?;
        whole &= skipped.is_empty();
        tell_skipped(path, &skipped, terminal);
    }
    let named: BTreeSet<ReleaseName> = found.gates.values().flatten().map(|spec| spec.since.clone()).collect();
    let (Some(first), Some(last)) = (named.first().cloned(), named.last().cloned()) else {
        let help = "name a versioned feature list: `- name: …` with `versionedSpecs`";
        return Err(Failure::new(format!("{}: no feature gate", arguments.paths.join(", "))).help(help));
    };
    let mut calendar = Calendar::default();
    if !arguments.calendar.is_empty() {
        let (read, all) = super::calendar::read(&arguments.calendar, terminal)?;
        calendar = read;
        whole &= all;
    }
    let mut draft = found.draft();
    let outcome = if let Some(model) = &arguments.target.update {
        let make = |known: Draft, terminal: &mut Terminal| {
            let mut all = known.calendar;
            all.releases.extend(calendar.releases.clone());
            let lacking = add_later(&all, &named, &mut calendar);
            tell_lacking(model, &lacking, terminal);
            draft.calendar = calendar;
            draft
        };
        bring_up_to_date(model, (&first, &last), make, terminal)?
    } else {
        draft.calendar = complete(calendar, &named, terminal)?;
        draft.origin = vec![format!(
            "Imported by `lifecycle import feature-gates` from {}",
            arguments.paths.join(" ")
        )];
        let inputs: Vec<&str> = arguments
            .paths
            .iter()
            .chain(&arguments.calendar)
            .map(String::as_str)
            .collect();
        deliver(&draft, &arguments.target, &inputs, terminal)?
    };
    Ok(told_of(outcome, whole))
}

/// The calendar of a new model: the one that was given, or the releases that the list names.
fn complete(
    mut calendar: Calendar,
    named: &BTreeSet<ReleaseName>,
    terminal: &mut Terminal,
) -> Result<Calendar, Failure> {
    if calendar.releases.is_empty() {
        calendar.releases = named.iter().map(|release| (release.clone(), None)).collect();
        terminal.note(
            "the calendar has the releases that the list names, without days, and none between them: windows want all of \
             them, so give --calendar, or bring the model up to date with `lifecycle import calendar`",
        );
        return Ok(calendar);
    }
    let lacking = add_later(&calendar.clone(), named, &mut calendar);
    if lacking.is_empty() {
        return Ok(calendar);
    }
    let message = format!("--calendar: no {}, which the list names", words(&lacking));
    let help = "add them with their days: --calendar may be given again, and takes lines such as 1.8,2017-09-28";
    Err(Failure::new(message).help(help))
}

/// Adds to a calendar, without a day, the named releases after the last one that is known, unless a cadence projects
/// them all. Gives the earlier ones that are not known: they would need a day.
pub(super) fn add_later(known: &Calendar, named: &BTreeSet<ReleaseName>, into: &mut Calendar) -> Vec<ReleaseName> {
    let last = known.releases.keys().next_back();
    let unknown = named.iter().filter(|release| !known.releases.contains_key(*release));
    let (later, lacking): (Vec<_>, Vec<_>) = unknown
        .cloned()
        .partition(|release| last.is_none_or(|last| release > last));
    let is_projected = |release: &ReleaseName| {
        let reach = last.map(|last| last.later(MOST_PROJECTED));
        known.cadence.is_some() && reach.is_some_and(|reach| release.major() == reach.major() && *release <= reach)
    };
    if !later.iter().all(is_projected) {
        into.releases.extend(later.into_iter().map(|release| (release, None)));
    }
    lacking
}

fn tell_lacking(model: &str, lacking: &[ReleaseName], terminal: &mut Terminal) {
    if !lacking.is_empty() {
        terminal.warn(&format!(
            "warning: the calendar of {model} has no {}, which the list names: add them with their days, in the model or with \
             --calendar",
            words(lacking)
        ));
    }
}

fn words(releases: &[ReleaseName]) -> String {
    let names: Vec<String> = releases.iter().map(ToString::to_string).collect();
    names.join(", ")
}
