//! `lifecycle import metrics`: metrics and their classes over releases.

use std::collections::{BTreeMap, BTreeSet};

use lifecycle::import::Draft;
use lifecycle::import::metrics::{Folded, Found, LARGEST, Release, fold, read};
use lifecycle::release::ReleaseName;

use crate::args::Metrics;
use crate::terminal::Terminal;

use super::gather::{File, Format, gather};
use super::{tell_skipped, told_of};
use crate::failure::{Failure, Outcome};

const FORMAT: Format<Found> = Format {
    name: "metric",
    endings: &["yaml", "yml", "prom", "txt"],
    wanted: |_| true,
    largest: LARGEST,
    read,
    counts: |found| !found.metrics.is_empty(),
};

/// How many names stand in one message; the others are counted.
const MOST_NAMED: usize = 5;

pub(super) fn metrics(arguments: &Metrics, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let gathered = gather(&arguments.releases, &FORMAT, terminal)?;
    let mut whole = true;
    let mut releases: BTreeMap<ReleaseName, Release> = BTreeMap::new();
    for (name, found) in &gathered.releases {
        let mut release = Release::of(found.date);
        for file in &found.files {
            tell_skipped(&file.label, &file.found.skipped, terminal);
            whole &= file.found.skipped.is_empty();
            tell_types(file, terminal);
            let differing = release.add(&file.found, arguments.unmarked);
            if !differing.is_empty() {
                whole = false;
                terminal.warn(&format!(
                    "warning: {}: another text of {name} says otherwise of {}; the first one counts",
                    file.label,
                    words(&differing)
                ));
            }
        }
        if !release.unmarked.is_empty() {
            terminal.note(&format!(
                "release {name}: left out, because nothing says the class: {}; --unmarked gives them one",
                words(&release.unmarked)
            ));
        }
        releases.insert(name.clone(), release);
    }
    if releases.values().all(|release| release.metrics.is_empty()) {
        let help = "Kubernetes' machinery writes `[ALPHA]` before help texts; give the others a class with --unmarked";
        return Err(Failure::new("no metric says its class").help(help));
    }
    let make = |known: Draft, terminal: &mut Terminal| {
        let folded = fold(known, &releases, arguments.all);
        tell(&folded, terminal);
        folded.draft
    };
    let origin = "Imported from lists of metrics by `lifecycle import metrics`:";
    let outcome = gathered.deliver(make, origin, &arguments.target, terminal)?;
    Ok(told_of(outcome, whole))
}

fn tell_types(file: &File<Found>, terminal: &mut Terminal) {
    for (metric_type, count) in &file.found.types {
        terminal.note(&format!(
            "{}: the type `{metric_type}` ({count}) is none of a model: no type is written",
            file.label
        ));
    }
}

fn tell(folded: &Folded, terminal: &mut Terminal) {
    terminal.note_some("not in the model: ", &folded.untold);
    for (release, unexposed) in &folded.unexposed {
        terminal.note(&format!(
            "release {release} does not show {}: perhaps unused, or skipped, so not taken for removed",
            words(unexposed)
        ));
    }
    if !folded.unlisted.is_empty() {
        terminal.note(&format!(
            "the model has {}, of which nothing here tells: with --all, they are removed",
            words(&folded.unlisted)
        ));
    }
}

/// Names of metrics, the first of them.
fn words<'n, N: IntoIterator<Item = &'n String>>(names: N) -> String {
    let names: BTreeSet<&String> = names.into_iter().collect();
    let first: Vec<&str> = names.iter().take(MOST_NAMED).map(|name| name.as_str()).collect();
    match names.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        Some(more) => format!("{} and {more} more", first.join(", ")),
        None => first.join(", "),
    }
}
