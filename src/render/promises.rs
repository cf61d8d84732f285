//! What came of the promises of earlier states, as a table.

use std::fmt::Write as _;

use crate::report::{PromiseReport, PromisesReport};

use super::table::{bound, table};
use super::{Style, visible};

const HEADER: [&str; 6] = ["ELEMENT", "EVENT", "PROMISED", "BY", "NOW", "OUTCOME"];

/// The promises as a table. Those that are kept or pending are counted only, unless `all` are listed.
pub fn promises(report: &PromisesReport<'_>, all: bool, style: Style) -> String {
    let shown = shown(report, all);
    let mut text = format!("{}\n", summary(report));
    if !shown.is_empty() {
        let rows = shown
            .into_iter()
            .map(|promise| cells(promise).map(|cell| visible(&cell)));
        let _ = write!(text, "\n{}", table(&HEADER, rows.collect(), style));
    }
    text
}

pub(super) fn shown<'r, 'a>(report: &'r PromisesReport<'a>, all: bool) -> Vec<&'r PromiseReport<'a>> {
    let promises = report.promises.iter();
    promises.filter(|promise| all || promise.outcome.is_drift()).collect()
}

pub(super) fn summary(report: &PromisesReport<'_>) -> String {
    let states = match report.states.as_slice() {
        [] => return "no earlier state has the model".to_owned(),
        [only] => only.clone(),
        [first, .., last] => format!("{} states, {first} to {last}", report.states.len()),
    };
    let counts = report.outcomes.iter();
    let counts: Vec<String> = counts
        .map(|count| format!("{} {}", count.promises, count.outcome.as_str()))
        .collect();
    match report.promises.len() {
        0 => format!("{states}: no promise"),
        1 => format!("{states}: 1 promise: {}", counts.join(", ")),
        promises => format!("{states}: {promises} promises: {}", counts.join(", ")),
    }
}

pub(super) fn cells(promise: &PromiseReport<'_>) -> [String; 6] {
    let by = if promise.since == promise.until {
        promise.since.clone()
    } else {
        format!("{} to {}", promise.since, promise.until)
    };
    let now = match (promise.now, promise.shipped) {
        (None, _) => "never".to_owned(),
        (now, true) => bound(now),
        (now, false) => format!("{}, to come", bound(now)),
    };
    let differs_by = promise.differs_by();
    let outcome = match promise.outcome.as_str() {
        outcome if differs_by.is_empty() => outcome.to_owned(),
        outcome => format!("{outcome} by {differs_by}"),
    };
    [
        promise.element.clone(),
        promise.event.as_str().to_owned(),
        promise.promised.clone(),
        by,
        now,
        outcome,
    ]
}
