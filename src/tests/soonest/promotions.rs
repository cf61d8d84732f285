//! Ends that come sooner before a gate makes an element more stable.

use lifecycle::Sources;
use lifecycle::model::EventKind;
use lifecycle::release::Release;

use crate::tests::worlds::evaluated_text;

use super::{agree, answered, answers, assert_first_in, judged, planned, symbolic, with_removal};

/// The gate makes the version beta in the next release: only a removal in that needs no deprecation.
const PROMOTED: &str = "
[gate.G]
specs = [{ stage = \"alpha\", default = false, since = \"X\" }, { stage = \"beta\", default = true, since = \"X+4\" }]
[group.g.version]
v1beta1 = { introduced = \"X\", gated-by = \"G\" }
[group.g.kind.Widget]
";

#[test]
fn an_end_that_is_declared_too_late_for_a_gate_is_planned_again_before_its_promotion() {
    let declared = PROMOTED.replace("\"G\" }", "\"G\", removed = \"X+6\" }");
    for text in [PROMOTED, &declared] {
        let (world, model) = symbolic(text);
        let evaluation = evaluated_text(&world, &model);
        let version = evaluation.model().find("g/v1beta1").expect("it is declared");
        assert_eq!(planned(&evaluation, version), Release(4), "{text}");
        let answers = [4, 5].map(|release| answered(text, "g/v1beta1", release));
        let first = "X+4".to_owned();
        assert_eq!(answers, [Some((true, first.clone())), Some((false, first))], "{text}");
    }
}

/// Alone, the widget may go in the next release, before the gate makes it beta. The version goes with the gadget.
#[test]
fn a_version_waits_for_what_it_is_by_the_end_of_its_last_kind() {
    let text = r#"
[gate.G]
specs = [{ stage = "alpha", default = false, since = "X" }, { stage = "beta", default = true, since = "X+4" }]
[group.g.version]
v1beta1 = { introduced = "X", gated-by = "G" }
[group.g.kind.Widget]
[group.g.kind.Gadget]
version.v1beta1 = { deprecated = "X+3" }
annotation."g/size".in.v1beta1 = { introduced = "X+4" }
"#;
    assert_eq!(answered(text, "g/v1beta1 Widget", 4), Some((true, "X+4".to_owned())));
    assert_first_in(text, "g/v1beta1 Gadget", 5);
    assert_first_in(text, "g/v1beta1", 10);
}

/// A move waits for the alpha, so that the version stays longer than its deprecation as a beta asks for. Deprecated later,
/// to stay no longer than that, it would be GA.
#[test]
fn no_deprecation_is_planned_for_after_a_promotion_to_be_removed_in_time() {
    let text = r#"
[gate.G]
specs = [{ stage = "beta", since = "X", default = true }, { stage = "GA", since = "X+5", default = true, locked = true }]
[group.g.version]
v1alpha1 = { introduced = "X+7" }
v2beta1 = { introduced = "X+4" }
v2 = { introduced = "X+4", gated-by = "G", replacement = "v2beta1" }
"#;
    assert_first_in(text, "g/v2", 8);
    let (world, model) = symbolic(text);
    let evaluation = evaluated_text(&world, &model);
    let version = evaluation.model().find("g/v2").expect("it is declared");
    let planned = [EventKind::Deprecated, EventKind::Removed].map(|what| {
        let event = evaluation.model().last_event(version, what);
        evaluation.reasoning().release(event)
    });
    assert_eq!(planned, [Some(Release(4)), Some(Release(8))]);
    let codes: Vec<&str> = evaluation.findings().iter().map(|finding| &*finding.code).collect();
    assert_eq!(codes, ["overdue"]);
}

#[test]
fn a_target_is_reached_without_a_deprecation_before_a_gate_is_promoted() {
    let (world, model) = symbolic(PROMOTED);
    let evaluation = evaluated_text(&world, &model);
    let targets = [
        ("X+4", "removed X+4"),
        ("X+6", "removed X+4"),
        ("X+9", "deprecated X+6, removed X+9"),
    ];
    for (by, latest) in targets {
        let report = evaluation.by_when(&[format!("g/v1beta1.removed<={by}")]);
        let report = report.expect("it is a target");
        let steps = report.steps.iter().map(|step| {
            let latest = step.latest.map_or("", |latest| latest.release);
            format!("{} {latest}", step.event.as_str())
        });
        let steps: Vec<String> = steps.collect();
        let soonest = report.targets[0].soonest.map(|soonest| soonest.release);
        let found = (report.reachable, soonest, steps.join(", "));
        assert_eq!(found, (true, Some("X+4"), latest.to_owned()), "{report:#?}");
    }
}

#[test]
fn a_gate_that_is_still_to_come_makes_no_alpha_before() {
    let text = r#"
[gate.G]
specs = [{ stage = "alpha", since = "X+6", default = false }]
[group.g.version]
v1beta1 = { introduced = "X+1", gated-by = "G" }
v1beta2 = { introduced = "X+6" }
"#;
    assert_first_in(text, "g/v1beta1", 7);
    let earlier = text.replace("X+6\", default", "X+5\", default");
    assert_first_in(&earlier, "g/v1beta1", 7);
}

/// As an alpha it needs no deprecation; removed later, it is announced while it is one.
#[test]
fn what_a_gate_is_still_to_make_more_stable_is_announced_before() {
    let text = r#"
[gate.P]
specs = [{ stage = "alpha", since = "X", default = false }, { stage = "beta", since = "X+5", default = true }]
[group.g.version]
v1beta1 = { introduced = "X+1", gated-by = "P" }
v1 = { introduced = "X+2", gated-by = "P" }
"#;
    for release in [4, 6, 7] {
        let answer = answered(text, "g/v1beta1", release);
        assert_eq!(answer, Some((true, "X+4".to_owned())), "X+{release}");
    }
}

/// Without a successor, and with one that comes only once it is a beta.
#[test]
fn what_a_gate_is_still_to_make_more_stable_may_go_before() {
    let gate = r#"
[gate.P]
specs = [{ stage = "alpha", since = "X", default = false }, { stage = "beta", since = "X+6", default = true }]
[group.g.version]
v1beta1 = { introduced = "X+1", gated-by = "P" }
"#;
    for release in [4, 6, 7] {
        let answer = answered(gate, "g/v1beta1", release);
        assert_eq!(answer, Some((true, "X+4".to_owned())), "X+{release}");
    }
    let replaced = format!("{gate}v1 = {{ introduced = \"X+7\" }}\n");
    assert_first_in(&replaced, "g/v1beta1", 8);
    let (world, text) = symbolic(&replaced);
    let evaluation = evaluated_text(&world, &text);
    let report = evaluation.report(&Sources::new());
    let old = report.elements.iter().find(|element| element.id == "g/v1beta1");
    let condition = old
        .and_then(|old| old.if_deprecated)
        .map(|then| then.deprecated.release.to_owned());
    assert_eq!(condition.as_deref(), Some("X+4"));
}

/// A later removal could only be announced once the gate has made it a beta.
#[test]
fn what_a_gate_makes_more_stable_in_the_next_release_may_go_in_that_only() {
    let text = r#"
[gate.P]
specs = [{ stage = "alpha", since = "X", default = false }, { stage = "beta", since = "X+4", default = true }]
[group.g.version]
v1beta1 = { introduced = "X+1", gated-by = "P" }
[cli.k]
audience = "user"
flag.--g = { introduced = "X+1", gated-by = "P" }
"#;
    for id in ["g/v1beta1", "cli k --g"] {
        assert_eq!(answered(text, id, 4), Some((true, "X+4".to_owned())), "{id}");
    }
    assert_eq!(answered(text, "g/v1beta1", 5), Some((false, "X+4".to_owned())));
    assert_eq!(answered(text, "g/v1beta1", 10), Some((true, "X+4".to_owned())));
}

#[test]
fn a_gate_that_begins_later_makes_an_alpha_from_then_on() {
    let text = r#"
[gate.P]
specs = [{ stage = "alpha", since = "X+6", default = false }, { stage = "beta", since = "X+8", default = true }]
[group.g.version]
v1 = { introduced = "X+1", gated-by = "P" }
[group.h.version]
v1beta1 = { introduced = "X+1", gated-by = "P" }
v1beta2 = { introduced = "X+5" }
[cli.k]
audience = "user"
flag.--g = { introduced = "X+5", gated-by = "P" }
"#;
    for id in ["g/v1", "h/v1beta1", "cli k --g"] {
        assert_first_in(text, id, 6);
    }
}

/// As an alpha, it needs no deprecation: not even in the release in which its gate would make it a beta.
#[test]
fn what_may_not_be_deprecated_may_end_before_its_gate_makes_it_more_stable() {
    let text = "
policy = \"kubernetes-2019\"
[group.\"g.example\".version]
v1 = { introduced = \"X\", gated-by = \"G\" }
[gate.G]
specs = [{ stage = \"alpha\", since = \"X\", default = false }, { stage = \"beta\", since = \"X+4\", default = true }]
";
    assert_eq!(answered(text, "g.example/v1", 4), Some((true, "X+4".to_owned())));
}

/// No version as stable is released, so `v1` may not be deprecated, also while its gate keeps it beta.
#[test]
fn no_forbidden_deprecation_is_supposed_before_a_gate_makes_a_version_more_stable() {
    let text = "
policy = \"kubernetes-2019\"
[group.\"g.example\".version]
v1 = { introduced = \"X+2\", gated-by = \"G\" }
[gate.G]
specs = [{ stage = \"beta\", since = \"X+2\", default = true }, { stage = \"GA\", since = \"X+6\", default = true }]
";
    assert_eq!(answers(text, "g.example/v1").0, [None, None]);
    let (world, text) = symbolic(text);
    assert_eq!(judged(&world, &text, "g.example/v1", Release(8)), Some((false, None)));
}

#[test]
fn a_version_that_its_gate_makes_beta_before_its_deprecation_is_removed_as_a_beta() {
    let (world, text) = symbolic(
        "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", gated-by = \"G\" }
[gate.G]
specs = [{ stage = \"alpha\", since = \"X\", default = false }, { stage = \"beta\", since = \"X+5\", default = true }]
",
    );
    let evaluation = evaluated_text(&world, &text);
    let version = evaluation.model().find("g.example/v1beta1").expect("it is there");
    let ends = [EventKind::Deprecated, EventKind::Removed].map(|what| {
        evaluation
            .reasoning()
            .release(evaluation.model().last_event(version, what))
    });
    assert_eq!(ends, [Some(Release(8)), Some(Release(11))]);
}

#[test]
fn a_version_that_is_beta_in_the_release_of_its_planned_deprecation_stays_as_long_as_a_beta() {
    let text = r#"
[gate.G]
specs = [
  { stage = "alpha", since = "X", default = false },
  { stage = "beta", since = "X+6", default = true },
  { stage = "deprecated", since = "X+7", default = true },
]
[group.g.version]
v1 = { introduced = "X", replacement = "v1alpha1" }
v1alpha1 = { introduced = "X+6", deprecated = "X+6", replacement = "v1beta1" }
v1beta1 = { introduced = "X", gated-by = "G" }
"#;
    // It replaces v1alpha1, so that it is deprecated no earlier.
    let (world, model) = symbolic(text);
    let evaluation = evaluated_text(&world, &model);
    let version = evaluation.model().find("g/v1beta1").expect("it is declared");
    let deprecated = evaluation.model().last_event(version, EventKind::Deprecated);
    assert_eq!(evaluation.reasoning().release(deprecated), Some(Release(6)));
    agree(&world, &model, &evaluation, version).expect("all answers agree");
    assert_first_in(text, "g/v1beta1", 9);
}

/// Another version keeps it until a gate has made it GA.
#[test]
fn a_removal_after_a_promotion_that_it_does_not_cause_is_proposed_with_a_deprecation_before() {
    let text = r#"
[group.g.version]
v1alpha1 = { introduced = "X+6" }
v1 = { introduced = "X+5", gated-by = "G" }
[gate.G]
specs = [{ stage = "alpha", since = "X+3", default = false }, { stage = "GA", since = "X+6", default = true }]
"#;
    assert_first_in(text, "g/v1", 7);
    let written = with_removal(text, "g/v1");
    assert!(written.contains("deprecated = \"X+5\", removed = \"X+7\""), "{written}");
}
