//! Examples of succession, of moves, and of editions in turn.

use lifecycle::evaluate::Evaluation;

use crate::tests::support::evaluate;

use super::{BETA_AND_GA, CALENDAR, codes, end_of, example, example_under, excluded};

const KIND_WITHOUT_SUCCESSOR: &str = "
[group.\"example.com\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X+2\" }
[group.\"example.com\".kind.Gadget]
versions = [\"v1beta1\"]
[group.\"example.com\".kind.Widget]
versions = [\"v1beta1\", \"v1\"]
";

/// The same where the version names its replacement.
fn superseded_as_a_whole() -> String {
    KIND_WITHOUT_SUCCESSOR.replacen(
        "{ introduced = \"X\" }",
        "{ introduced = \"X\", replacement = \"v1\" }",
        1,
    )
}

#[test]
fn a_version_that_takes_over_one_kind_deprecates_that_kind_only() {
    let evaluation = example(KIND_WITHOUT_SUCCESSOR);
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Widget"), [Some(2), Some(5)]);
    // A beta: at its deadline.
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Gadget"), [Some(3), Some(6)]);
    let ga = KIND_WITHOUT_SUCCESSOR
        .replace("v1 ", "v2 ")
        .replace("\"v1\"", "\"v2\"")
        .replace("v1beta1", "v1");
    let evaluation = example(&ga);
    assert_eq!(end_of(&evaluation, "example.com/v1 Widget"), [Some(2), None]);
    assert_eq!(end_of(&evaluation, "example.com/v1 Gadget"), [None, None]);
}

#[test]
fn a_kind_without_a_successor_is_deprecated_with_a_version_that_is_superseded_as_a_whole() {
    let evaluation = example(&superseded_as_a_whole());
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Gadget"), [Some(2), Some(5)]);
}

/// "May not be deprecated until a version at least as stable is released" (2019) speaks of versions: P8 holds there
/// too.
#[test]
fn in_2019_too_a_kind_without_a_successor_is_deprecated_with_its_version() {
    let text = format!("policy = \"kubernetes-2019\"\n{CALENDAR}{}", superseded_as_a_whole());
    let evaluation = evaluate(&text).expect("it can be read");
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Widget"), [Some(2), Some(5)]);
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Gadget"), [Some(2), Some(5)]);
}

/// P9: `Endpoints` of `core/v1` moved to `EndpointSlice`, and `Pod` did not.
#[test]
fn a_kind_that_leaves_for_another_group_takes_no_other_kind_with_it() {
    let evaluation = example(
        "
[group.core.version]
v1 = { introduced = \"X\" }
[group.core.kind.Pod]
[group.core.kind.Endpoints]
version.v1 = { deprecated = \"X+2\", replacement = \"discovery.k8s.io/v1 EndpointSlice\" }
[group.\"discovery.k8s.io\".version]
v1 = { introduced = \"X+1\" }
[group.\"discovery.k8s.io\".kind.EndpointSlice]
",
    );
    assert_eq!(end_of(&evaluation, "core/v1 Endpoints"), [Some(2), None]);
    assert_eq!(end_of(&evaluation, "core/v1 Pod"), [None, None]);
    assert_eq!(end_of(&evaluation, "core/v1"), [None, None]);
}

/// "A version's [life] is the union" of its kinds'.
#[test]
fn a_version_whose_kinds_are_all_removed_is_removed_for_the_preferred_version_too() {
    let evaluation = example(
        "
[group.\"example.com\".version]
v1alpha1 = { introduced = \"X\" }
v1beta1 = { introduced = \"X+1\" }
[group.\"example.com\".preferred]
v1alpha1 = \"X\"
v1beta1 = \"X+1\"
[group.\"example.com\".kind.Gadget.version]
v1alpha1 = { deprecated = \"X+1\", removed = \"X+1\" }
v1beta1 = {}
",
    );
    let errors: Vec<_> = codes(&evaluation)
        .into_iter()
        .filter(|(rule, _)| *rule == "preferred-and-storage")
        .collect();
    assert_eq!(errors, []);
}

#[test]
fn a_version_is_served_from_the_introduction_of_its_first_kind_on() {
    let evaluation = example(
        "
[group.\"example.com\".version]
v1 = {}
[group.\"example.com\".preferred]
v1 = \"X+1\"
[group.\"example.com\".kind.Gadget.version]
v1 = { introduced = \"X+1\" }
",
    );
    assert_eq!(codes(&evaluation), []);
}

#[test]
fn a_version_is_served_as_long_as_it_is_preferred_whoever_declares_its_end() {
    let evaluation = example(
        "
[group.\"example.com\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X+1\" }
[group.\"example.com\".preferred]
v1beta1 = \"X\"
v1 = \"X+9\"
[group.\"example.com\".kind.Gadget.version]
v1beta1 = { deprecated = \"X+1\", removed = \"X+5\" }
v1 = {}
",
    );
    assert!(
        codes(&evaluation).contains(&("preferred-and-storage", "still-preferred".to_owned())),
        "{:?}",
        codes(&evaluation)
    );
}

/// Served again after a gap: what counts is the first release that serves both.
#[test]
fn a_move_waits_for_a_release_that_really_served_both() {
    let evaluation = example(
        "
[group.\"example.com\"]
version.v1beta1 = {}
version.v1 = { introduced = \"X+4\" }
preferred = { v1beta1 = \"X\", v1 = \"X+5\" }
[group.\"example.com\".kind.Gadget.version]
v1beta1 = { lives = [{ introduced = \"X\", deprecated = \"X\", removed = \"X+3\" }, { introduced = \"X+6\" }] }
v1 = {}
",
    );
    let found = codes(&evaluation);
    assert!(
        found.iter().any(|(rule, _)| *rule == "preferred-and-storage"),
        "{found:?}"
    );
}

#[test]
fn from_a_removed_alpha_the_move_is_at_once_even_if_it_comes_back() {
    let evaluation = example(
        "
[group.\"example.com\"]
version.v1alpha1 = {}
version.v1alpha2 = { introduced = \"X+2\" }
preferred = { v1alpha1 = \"X\", v1alpha2 = \"X+2\" }
[group.\"example.com\".kind.Gadget.version]
v1alpha1 = { lives = [{ introduced = \"X\", removed = \"X+2\" }, { introduced = \"X+4\" }] }
v1alpha2 = {}
",
    );
    assert_eq!(codes(&evaluation), []);
}

#[test]
fn a_version_with_several_lives_may_have_a_declared_move() {
    let evaluation = example(
        "
[group.\"example.com\"]
version.v1 = { lives = [{ introduced = \"X\" }] }
preferred.v1 = \"X\"
",
    );
    assert_eq!(codes(&evaluation), []);
}

fn in_turn(first: &str, second: &str) -> Evaluation {
    let policy = format!("policy = [{{ use = \"{first}\" }}, {{ use = \"{second}\", from = \"X+7\" }}]");
    let versions = "[group.\"example.com\".version]\nv1 = { introduced = \"X\" }\nv2 = { introduced = \"X+2\" }\n";
    evaluate(&format!("{policy}\n{CALENDAR}{versions}")).expect("it can be read")
}

/// "What was announced under one edition is judged by it", also what is planned to be announced under it.
#[test]
fn what_is_planned_to_be_announced_under_an_edition_is_judged_by_it() {
    let old = in_turn("kubernetes-2019", "kubernetes");
    assert_eq!(end_of(&old, "example.com/v1"), [Some(2), Some(5)]);
}

#[test]
fn an_edition_to_come_ends_nothing_that_is_announced_before_it() {
    let new = in_turn("kubernetes", "kubernetes-2019");
    assert_eq!(end_of(&new, "example.com/v1"), [Some(2), None]);
}

/// The deadline has passed, so the deprecation would be announced under an edition that demands a successor.
#[test]
fn a_beta_past_its_deadline_waits_for_the_successor_that_the_edition_of_now_demands() {
    let end = |second: &str| {
        let policy = format!("policy = [{{ use = \"kubernetes\" }}, {{ use = \"{second}\", from = \"X+6\" }}]");
        let calendar = CALENDAR.replacen("cadence", "current = \"X+5\"\ncadence", 1);
        let beta = "[group.\"example.com\".version]\nv1beta1 = { introduced = \"X\" }\n";
        let evaluation = evaluate(&format!("{policy}\n{calendar}{beta}")).expect("it can be read");
        end_of(&evaluation, "example.com/v1beta1")
    };
    assert_eq!(end("kubernetes-2025"), [Some(6), Some(9)]);
    assert_eq!(end("kubernetes-2019"), [None, None]);
}

/// A policy may set windows of up to 1200 releases; a long wait is no contradiction.
#[test]
fn a_very_long_window_is_no_contradiction() {
    let policy = "
name = \"patient\"
extends = \"kubernetes\"
[rule.version-lifetime]
beta = { after-deprecation = { releases = 1200 }, remove-within = { releases = 1200 } }
";
    let evaluation = example_under(policy, BETA_AND_GA);
    assert_eq!(excluded(&evaluation), Vec::<Vec<&str>>::new());
    assert_eq!(end_of(&evaluation, "example.com/v1beta1"), [Some(3), Some(1203)]);
}

/// "Satisfied if some version at least as stable serves the kind at the deprecation."
#[test]
fn a_version_that_is_removed_by_then_is_no_successor() {
    let evaluation = example(
        "
[group.\"example.com\".version]
v1beta1 = { introduced = \"X+6\", deprecated = \"X+7\" }
v1beta2 = { introduced = \"X\", deprecated = \"X+1\", removed = \"X+4\" }
",
    );
    let reported = codes(&evaluation)
        .into_iter()
        .filter(|(_, code)| code == "no-replacement");
    assert_eq!(reported.count(), 2, "{:?}", codes(&evaluation));
}
