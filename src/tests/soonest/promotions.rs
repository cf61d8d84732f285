//! Ends that come sooner before a gate makes an element more stable.

use lifecycle::release::Release;

use crate::tests::worlds::evaluated_text;

use super::{answered, planned, symbolic};

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
