//! Removals that are proposed together: which of them a finding counts against.

use lifecycle::Sources;
use lifecycle::evaluate::judge_removals;

use crate::tests::worlds::{World, evaluated_text, load_supposing};

use super::symbolic;

/// Whether removals that are proposed together are allowed.
pub(super) fn allowed(world: &World, text: &str, removals: &[(&str, u32)]) -> Vec<bool> {
    let evaluation = evaluated_text(world, text);
    let removals = removals.iter().map(|(id, release)| {
        let element = evaluation.model().find(id).expect("it is declared");
        let release = format!("X+{release}");
        evaluation.removal(element, &release).expect("it is there")
    });
    let removals: Vec<_> = removals.collect();
    let judged = judge_removals(&removals, |more| load_supposing(world, text, None, more));
    let judged = judged.expect("it can be read");
    let sources = Sources::new();
    let report = judged.report(&sources);
    report.proposals.iter().map(|proposal| proposal.allowed).collect()
}

#[test]
fn a_finding_about_none_of_them_counts_against_those_that_cause_it() {
    let text = r#"
[group."e.example".version]
v1alpha1 = { introduced = "X", deprecated = "X+2", replacement = "v1alpha2" }
v1alpha2 = { introduced = "X+1", removed = "X+5" }
v1 = { introduced = "X+3" }
[behavior.a]
introduced = "X"
deprecated = "X"
[behavior.b]
introduced = "X"
deprecated = "X"
"#;
    let (world, text) = symbolic(text);
    let [alpha, a, b] = ["e.example/v1alpha1", "behavior a", "behavior b"];
    assert_eq!(allowed(&world, &text, &[(alpha, 5), (a, 6)]), [true, true]);
    assert_eq!(allowed(&world, &text, &[(alpha, 7), (a, 6)]), [false, true]);
    assert_eq!(
        allowed(&world, &text, &[(a, 6), (b, 6), (alpha, 7)]),
        [true, true, false]
    );
}
