//! Answers that are written once for elements that are alike, and a plan that is not solved twice.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use lifecycle::evaluate::Evaluation;
use lifecycle::model::{Event, EventKind};
use lifecycle::plan::Decision;
use lifecycle::{Sources, plan, render};
use proptest::prelude::*;
use serde_json::Value;

use super::proposals::evaluated;
use super::rich::rich;
use super::support::evaluate;

/// The elements as the report prints them, and as each is made alone.
fn printed_and_made(evaluation: &Evaluation) -> [Vec<Value>; 2] {
    let report = evaluation.report(&Sources::new());
    let mut printed = Vec::new();
    render::json::report(&report, &mut printed).expect("memory can be written");
    let mut printed: Value = serde_json::from_slice(&printed).expect("it is JSON");
    let printed = printed["elements"].take().as_array().expect("it is a list").clone();
    let made = report.elements.iter();
    [
        printed,
        made.map(|element| serde_json::to_value(&element).expect("it can be written"))
            .collect(),
    ]
}

/// The elements that are alike with an earlier one.
fn repeated(evaluation: &Evaluation) -> Vec<&str> {
    let model = evaluation.model();
    let ids: Vec<_> = model.elements().map(|(id, _)| id).collect();
    let alike = ids.iter().enumerate().filter(|(at, id)| {
        let mut before = ids[..*at].iter();
        before.any(|other| evaluation.reasoning().are_alike(*other, **id))
    });
    alike.map(|(_, id)| model.id(*id)).collect()
}

proptest! {
    #![proptest_config(super::worlds::cases(500))]

    #[test]
    fn what_is_written_once_for_many_elements_is_what_each_has(rich in rich()) {
        let Some(evaluation) = evaluated(&rich) else { return Ok(()) };
        let [printed, made] = printed_and_made(&evaluation);
        prop_assert_eq!(printed, made);
    }

    #[test]
    fn bounds_that_are_stated_after_the_plan_and_cannot_move_it_do_not(rich in rich()) {
        let Some(evaluation) = evaluated(&rich) else { return Ok(()) };
        let again = plan::solve(
            evaluation.model(),
            evaluation.obligations(),
            &evaluation.intentions().open,
        );
        prop_assert!(evaluation.assignment().iter().eq(again.iter()));
        prop_assert_eq!(&evaluation.assignment().contradictions, &again.contradictions);
    }
}

const FIELDS: &str = r#"
policy = "kubernetes"
calendar = { current = "1.3", releases = { "1.0" = 2024-01-01, "1.1" = 2024-05-01, "1.2" = 2024-09-01, "1.3" = 2025-01-01 } }
[group."example.com".version]
v1 = { introduced = "1.0" }
[group."example.com".kind.Widget]
[group."example.com".kind.Widget.field]
"spec.a" = { introduced = "1.1" }
"spec.b" = { introduced = "1.1", default = "3" }
"spec.c" = { introduced = "1.2" }
"spec.d" = { introduced = "1.1", owner = "storage" }
"spec.e" = { introduced = "1.1", gated-by = "Frobber" }
"spec.f" = { introduced = "1.1", removed = "1.3", tombstone = true }
"spec.g" = { introduced = "1.1" }
"spec.h" = { lives = [{ introduced = "1.1", removed = "1.2" }, { introduced = "1.3" }] }
[gate.Frobber]
specs = [{ stage = "alpha", since = "1.1", default = false }]
[gate.Wobbler]
specs = [{ stage = "alpha", since = "1.1", default = false }]
[gate.Yodler]
specs = [{ stage = "beta", since = "1.1", default = true }]
[gate.Zapper]
specs = [{ stage = "alpha", since = "1.1", default = false }]
[cli.tool]
audience = "user"
[cli.tool.flag]
"--one" = { introduced = "1.0", deprecated = "1.2", warning = "w" }
"--two" = { introduced = "1.0", deprecated = "1.2", warning = "w" }
"--zero" = { introduced = "1.0", deprecated = "1.3", warning = "w" }
[metric.one_total]
specs = [{ stage = "STABLE", since = "1.1" }]
[metric.three_total]
specs = [{ stage = "ALPHA", since = "1.1" }]
[metric.two_total]
specs = [{ stage = "STABLE", since = "1.1" }]
"#;

#[test]
fn elements_are_alike_that_differ_in_nothing_but_their_ids() {
    let evaluation = evaluate(FIELDS).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(
        repeated(&evaluation),
        [
            "example.com/v1 Widget .spec.g",
            "cli tool --two",
            "gate Zapper",
            "metric two_total"
        ]
    );
    let [printed, made] = printed_and_made(&evaluation);
    assert_eq!(printed, made);
}

/// Both versions are overdue, so that their removals are planned for the next release. That of the replacement also
/// waits for the other one, though this moves it no further.
#[test]
fn a_bound_in_the_release_that_is_planned_already_is_the_reason_for_it() {
    let evaluation = evaluate(
        r#"
policy = "kubernetes"
[calendar]
current = "1.3"
[calendar.releases]
"1.0" = 2024-01-01
"1.1" = 2024-05-01
"1.2" = 2024-09-01
"1.3" = 2025-01-01
"1.4" = 2025-05-01
[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.0", replacement = "v2beta1" }
v2beta1 = { introduced = "1.0", deprecated = "1.0" }
v1 = { introduced = "1.0" }
"#,
    )
    .unwrap_or_else(|errors| panic!("{errors:#?}"));
    let reasons = ["v1beta1", "v2beta1"].map(|version| {
        let id = evaluation.model().find(&format!("example.com/{version}"));
        let removed = Event::new(id.expect("it is there"), 0, EventKind::Removed);
        let planned = evaluation.assignment().planned(removed).expect("it is planned");
        match planned.decision {
            Decision::Obligation(position) => evaluation.obligations().get(position).map(|reason| reason.code),
            Decision::Current => None,
        }
    });
    assert_eq!(reasons, [None, Some("gone-first")]);
}
