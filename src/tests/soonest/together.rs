//! Removals that are proposed together: which of them a finding counts against.

use lifecycle::Sources;
use lifecycle::evaluate::judge_removals;
use lifecycle::model::EventKind;

use crate::tests::worlds::{World, evaluated_text, load_supposing};

use super::symbolic;

/// Whether removals that are proposed together are allowed.
pub(super) fn allowed(world: &World, text: &str, removals: &[(&str, u32)]) -> Vec<bool> {
    judged(world, text, removals)
        .into_iter()
        .map(|(allowed, _)| allowed)
        .collect()
}

/// Whether removals that are proposed together are allowed, and the first release of each.
fn judged(world: &World, text: &str, removals: &[(&str, u32)]) -> Vec<(bool, Option<String>)> {
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
    let proposals = report.proposals.iter();
    let answers = proposals.map(|proposal| {
        let soonest = proposal.soonest.as_ref();
        (proposal.allowed, soonest.map(|soonest| soonest.release.to_string()))
    });
    answers.collect()
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

#[test]
fn what_stays_while_another_one_has_it_may_go_with_that() {
    let text = r#"
[group."e.example".version]
v1beta1 = { introduced = "X", deprecated = "X+2" }
v1 = { introduced = "X+1" }
[group."e.example".kind.A]
field."spec.n" = { introduced = "X+2", gated-by = "G", tombstone = true }
[gate.G]
specs = [{ stage = "alpha", since = "X+2", default = false }]
"#;
    let (world, text) = symbolic(text);
    let [beta, stable] = ["e.example/v1beta1 A .spec.n", "e.example/v1 A .spec.n"];
    assert_eq!(allowed(&world, &text, &[(beta, 5), (stable, 5)]), [true, true]);
    assert_eq!(allowed(&world, &text, &[(beta, 4), (stable, 5)]), [false, false]);
}

#[test]
fn a_finding_about_a_part_that_goes_first_counts_against_that_part() {
    let text = r#"
[cli.k]
audience = "user"
[cli.k.command.c]
deprecated = "X"
warning = "w"
flag."--x" = { introduced = "X" }
"#;
    let (world, text) = symbolic(text);
    let [command, flag] = ["cli k c", "cli k c --x"];
    assert_eq!(allowed(&world, &text, &[(command, 7), (flag, 5)]), [true, false]);
    assert_eq!(allowed(&world, &text, &[(command, 7), (flag, 7)]), [true, true]);
}

#[test]
fn the_first_release_of_one_counts_from_those_proposed_with_it() {
    let text = r#"
[gate.Base]
specs = [{ stage = "alpha", since = "X", default = false }]
[gate.Dependent]
depends-on = ["Base"]
specs = [{ stage = "alpha", since = "X+1", default = false }]
"#;
    let (world, text) = symbolic(text);
    let [base, dependent] = ["gate Base", "gate Dependent"];
    let of_base = |at| judged(&world, &text, &[(base, at), (dependent, 6)]).swap_remove(0);
    assert_eq!(of_base(5), (false, Some("X+6".to_owned())));
    assert!(of_base(6).0);
}

/// The planned ends of two versions, and the soonest ones.
fn ends(text: &str, versions: [&str; 2]) -> [(Option<u32>, u32); 2] {
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    versions.map(|id| {
        let version = evaluation.model().find(id).expect("it is there");
        let part = evaluation.model().served_by(version)[0];
        let removed = evaluation.model().last_event(part, EventKind::Removed);
        let planned = evaluation.reasoning().release(removed).map(|release| release.0);
        (planned, evaluation.reasoning().soonest_end(version).release.0)
    })
}

/// The law lets each of two versions be removed before what one entry declares for both; the plan keeps the one that is
/// not deprecated.
#[test]
fn one_of_several_versions_stays_for_what_is_declared_for_all() {
    let model = |members: &str| {
        format!(
            "
[group.\"g.example\".version]
v1alpha1 = {{ introduced = \"X\" }}
v1beta1 = {{ introduced = \"X\", deprecated = \"X+3\" }}
[group.\"g.example\".kind.Widget]
{members}
"
        )
    };
    let versions = ["g.example/v1alpha1", "g.example/v1beta1"];
    let kept = [(Some(8), 4), (Some(6), 6)];
    let field = "field.\"spec.size\" = { introduced = \"X\", deprecated = \"X+7\" }";
    assert_eq!(ends(&model(field), versions), kept);
    let value = "enum.\"spec.mode\".Fast = { introduced = \"X\", deprecated = \"X+7\" }";
    assert_eq!(ends(&model(value), versions), kept);
    // What is dropped later is not served then.
    let dropped = "field.\"spec.size\" = { introduced = \"X\", removed = \"X+5\", dropped = \"X+9\" }";
    assert_eq!(ends(&model(dropped), versions)[1], (Some(6), 6));
    assert!(ends(&model(dropped), versions)[0].0 < Some(8));
}

/// A GA version stays until a major release anyway.
#[test]
fn no_version_is_kept_for_what_one_that_stays_has_too() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\" }
v1 = { introduced = \"X\", deprecated = \"X+3\" }
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = { introduced = \"X\", deprecated = \"X+7\" }
";
    assert_eq!(ends(text, ["g.example/v1alpha1", "g.example/v1"])[0], (Some(4), 4));
}

/// The alphas are there in X+4, and the GA version only later.
#[test]
fn one_of_several_versions_stays_for_what_another_one_has_only_later() {
    let text = "
[group.\"g.example\".version]
v2alpha1 = { introduced = \"X\" }
v1alpha1 = { introduced = \"X\" }
v2 = { lives = [{ introduced = \"X\", removed = \"X+4\" }, { introduced = \"X+7\" }] }
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = { introduced = \"X+4\" }
";
    let planned = ends(text, ["g.example/v2alpha1", "g.example/v1alpha1"]).map(|(planned, _)| planned);
    assert_eq!(planned, [Some(5), Some(4)]);
}
