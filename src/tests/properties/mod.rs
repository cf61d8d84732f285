//! What holds of every model, tried on many: against the oracle, and of a plan against itself.
//!
//! The models are made at random from the same seed each time; `PROPTEST_CASES` (256 stands for the number written
//! here) and `PROPTEST_RNG_SEED` widen the search.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

mod contradictions;
mod editions;
mod examples;
mod plan;
mod solver;
mod texts;
mod time;

use std::collections::BTreeSet;

use lifecycle::Sources;
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::Evaluation;
use lifecycle::model::{ElementId, Event, EventKind};
use lifecycle::release::Release;
use lifecycle::render::json;
use lifecycle::timeline;

use crate::tests::support::{evaluate, evaluate_under};
use crate::tests::worlds::{At, Ends, Walk, World, evaluated_text};

fn evaluated(world: &World) -> Evaluation {
    evaluated_text(world, &world.text())
}

fn position(release: Release) -> At {
    release.0 as usize
}

fn release_of(evaluation: &Evaluation, element: ElementId, what: EventKind) -> Option<At> {
    let event = Event::new(element, 0, what);
    evaluation.reasoning().release(event).map(position)
}

/// When everything ends, as the code says.
fn ends(evaluation: &Evaluation, ids: impl Iterator<Item = String>) -> Ends {
    let model = evaluation.model();
    ids.map(|id| {
        let element = model.find(&id).unwrap_or_else(|| panic!("{id} is an element"));
        let whats = [EventKind::Deprecated, EventKind::Hidden, EventKind::Removed];
        (id, whats.map(|what| release_of(evaluation, element, what)))
    })
    .collect()
}

fn all_ends(evaluation: &Evaluation, world: &World) -> Ends {
    ends(evaluation, world.ends().into_keys())
}

/// Preferred, and storage of each kind, release by release from the first on.
fn walks_of(evaluation: &Evaluation, at: usize) -> (At, Walk, Vec<Walk>) {
    let group = &evaluation.model().groups[at];
    let timeline = timeline::group(evaluation.model(), evaluation.law(), evaluation.assignment(), group);
    // The code lists versions newest first, the oracle oldest first.
    let turned = |version: Option<usize>| version.map(|version| group.versions.len() - 1 - version);
    let preferred = timeline.rows.iter().map(|row| turned(row.preferred)).collect();
    let kinds = 0..group.kinds.len();
    let storage = kinds.map(|kind| timeline.rows.iter().map(|row| turned(row.storage[kind])).collect());
    (position(timeline.first), preferred, storage.collect())
}

/// Errors by rule, code and element, where a kind counts as its version.
fn errors(evaluation: &Evaluation) -> BTreeSet<(String, String, String)> {
    let findings = evaluation.findings().iter();
    let errors = findings.filter(|finding| finding.severity == Severity::Error);
    errors
        .map(|finding| {
            let element = finding.element.clone().unwrap_or_default();
            let version = match element.split_once(' ') {
                Some((version, _)) if version.contains('/') => version.to_owned(),
                _ => element,
            };
            (finding.rule.to_owned(), finding.code.to_string(), version)
        })
        .collect()
}

fn printed(evaluation: &Evaluation, text: &str) -> Vec<u8> {
    let mut sources = Sources::new();
    sources.add("lifecycle.toml", text);
    let mut out = Vec::new();
    json::report(&evaluation.report(&sources), &mut out).expect("memory can be written");
    out
}

const CALENDAR: &str = "
[calendar]
cadence = { months = 4 }
symbolic = { origin = \"X\", count = 16 }
";

const BETA_AND_GA: &str = "
[group.\"example.com\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X+5\" }
";

fn example(text: &str) -> Evaluation {
    evaluate(&format!("{CALENDAR}{text}")).expect("it can be read")
}

fn example_under(policy: &str, text: &str) -> Evaluation {
    evaluate_under(policy, &format!("{CALENDAR}{text}")).expect("it can be read")
}

/// The codes of the obligations that exclude one another.
fn excluded(evaluation: &Evaluation) -> Vec<Vec<&'static str>> {
    let rings = evaluation.assignment().contradictions.iter();
    rings
        .map(|contradiction| {
            let obligations = contradiction
                .ring
                .iter()
                .filter_map(|at| evaluation.obligations().get(*at));
            obligations.map(|obligation| obligation.code).collect()
        })
        .collect()
}

/// When an element is deprecated and removed.
fn end_of(evaluation: &Evaluation, id: &str) -> [Option<At>; 2] {
    let element = evaluation.model().find(id).expect("it is an element");
    [EventKind::Deprecated, EventKind::Removed].map(|what| release_of(evaluation, element, what))
}

fn codes(evaluation: &Evaluation) -> Vec<(&'static str, String)> {
    let findings = evaluation.findings().iter();
    findings
        .map(|finding| (finding.rule, finding.code.to_string()))
        .collect()
}
