//! What an agenda asks for, done, is no longer asked for.

#![expect(
    clippy::expect_used,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::collections::BTreeSet;

use lifecycle::Sources;
use lifecycle::evaluate::Evaluation;
use lifecycle::report::{Action, TasksReport};
use lifecycle::what_if::Changes;
use proptest::prelude::*;

use crate::support::evaluate;
use crate::worlds::{cases, evaluated_text, load, world_with_moves};

/// The tasks that an edit of the model is for.
fn asked<'a>(report: &TasksReport<'a>) -> BTreeSet<(&'a str, Action)> {
    let tasks = report.tasks.iter().filter(|task| !task.declarations.is_empty());
    tasks.filter_map(|task| Some((task.element?, task.action))).collect()
}

fn tasks(evaluation: &Evaluation, ahead: u32) -> TasksReport<'_> {
    evaluation
        .tasks(&Sources::new(), None, ahead)
        .expect("the next release is covered")
}

/// The texts with all declarations made that an agenda has.
fn done(report: &TasksReport<'_>, before: &Evaluation, text: &str) -> String {
    let declarations = report.tasks.iter().flat_map(|task| task.declarations.clone());
    let changes = Changes {
        declarations: declarations.collect(),
        ..Changes::default()
    };
    let texts = changes.apply(before, &[text.to_owned()]);
    texts.expect("declarations that can be made").remove(0)
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn the_edits_of_an_agenda_empty_it_of_what_they_are_for(world in world_with_moves(), ahead in 0_u32..3) {
        let text = world.text();
        let before = evaluated_text(&world, &text);
        let report = tasks(&before, ahead);
        let edited = done(&report, &before, &text);
        let after = load(&world, &edited, None);
        let after = after.map_err(|errors| TestCaseError::fail(format!("{errors:?}\n{edited}")))?;
        let left = tasks(&after, ahead);
        let left: Vec<_> = asked(&left).intersection(&asked(&report)).map(|(id, action)| format!("{id} {action:?}")).collect();
        prop_assert!(left.is_empty(), "{left:?}\n{text}\n{edited}");
    }
}

#[test]
fn the_agenda_of_kubernetes_is_emptied_by_its_edits() {
    let text = include_str!("../../examples/kubernetes/lifecycle.toml");
    let before = evaluate(text).expect("an example");
    let report = tasks(&before, 1);
    let wanted = asked(&report);
    assert!(wanted.len() > 50, "{}", wanted.len());
    let edited = done(&report, &before, text);
    let after = evaluate(&edited).expect("a model");
    let report = tasks(&after, 1);
    let left: Vec<_> = asked(&report)
        .into_iter()
        .filter(|task| wanted.contains(task))
        .collect();
    assert_eq!(left, []);
}
