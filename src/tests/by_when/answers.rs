//! What is answered about targets and the steps to them.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use lifecycle::model::EventKind;

use super::super::soonest::symbolic;
use super::super::worlds::evaluated_text;

#[test]
fn a_target_whose_release_has_shipped_is_missed_and_has_a_soonest_release() {
    let alpha =
        |name: &str, rest: &str| format!("[metric.{name}]\nspecs = [{{ stage = \"ALPHA\", since = \"X\" }}]\n{rest}\n");
    let open = alpha("open", "");
    let early = alpha("early", "removed = \"X+1\"");
    let late = alpha("late", "removed = \"X+2\"");
    for (text, met, late, soonest) in [
        (open.clone(), 0, 0, "X+4"),
        ([&early[..], &late].concat(), 1, 1, "X+2"),
        ([&early[..], &late, &open].concat(), 1, 1, "X+4"),
    ] {
        let (world, text) = symbolic(&text);
        let report = evaluated_text(&world, &text);
        let report = report.by_when(&["metrics.removed<=X+1".to_owned()]);
        let report = report.expect("it is a target");
        let target = &report.targets[0];
        assert_eq!((target.met, target.late), (met, late), "{report:#?}");
        assert!(target.missed && !target.reachable && !report.reachable, "{report:#?}");
        assert_eq!(
            target.soonest.map(|moment| moment.release),
            Some(soonest),
            "{report:#?}"
        );
        assert!(report.clashes.is_empty() && report.steps.is_empty(), "{report:#?}");
    }
}

#[test]
fn a_step_whose_latest_release_has_shipped_is_missed() {
    let (world, text) = symbolic("[behavior.b]\nintroduced = \"X\"\n");
    let evaluation = evaluated_text(&world, &text);
    let report = evaluation.by_when(&["behavior b.removed<=X+5".to_owned()]);
    let report = report.expect("it is a target");
    let steps = report.steps.iter().map(|step| (step.event.kind, step.missed));
    let expected = [(EventKind::Deprecated, true), (EventKind::Removed, false)];
    assert_eq!(steps.collect::<Vec<_>>(), expected, "{report:#?}");
}

#[test]
fn reasons_of_a_way_name_what_an_event_waits_for() {
    for (metric, reason) in [
        (
            "{ stage = \"BETA\", since = \"X\" }",
            "the first release that has not shipped",
        ),
        ("{ stage = \"BETA\", since = \"X+5\" }", "metric m is introduced in X+5"),
        (
            "{ stage = \"ALPHA\", since = \"X\" }, { stage = \"BETA\", since = \"X+5\" }",
            "the first release that has not shipped",
        ),
    ] {
        let (world, text) = symbolic(&format!("[metric.m]\nspecs = [{metric}]\n"));
        let before = evaluated_text(&world, &text);
        let target = "metric m.deprecated<=X+9".to_owned();
        let report = before.by_when(&[target]);
        let report = report.expect("it is a target");
        let mut steps = report.steps.iter();
        let deprecated = steps.find(|step| step.event.kind == EventKind::Deprecated);
        assert_eq!(deprecated.map(|step| &*step.reason), Some(reason), "{report:#?}");
    }
}

#[test]
fn the_soonest_release_is_the_same_for_each_target() {
    let (world, text) = symbolic("[behavior.b]\nintroduced = \"X\"\ndeprecated = \"X+1\"\nremoved = \"X+6\"\n");
    let before = evaluated_text(&world, &text);
    for by in ["X+3", "X+4", "X+5", "X+6", "X+8"] {
        let report = before.by_when(&[format!("behavior b.removed<={by}")]);
        let report = report.expect("it is a target");
        let soonest = report.targets[0].soonest.map(|moment| moment.release);
        assert_eq!(soonest, Some("X+4"), "{by}: {report:#?}");
    }
}

/// Its code reads a version until that is removed and no object is stored in it.
#[test]
fn a_version_that_is_to_be_dropped_is_removed_and_migrated_first() {
    let text = "
[group.g.version]
v1beta1 = { introduced = \"X\" }
v1beta2 = { introduced = \"X\" }
v1 = { introduced = \"X+1\" }
[group.g.kind.A]
storage = { v1beta1 = \"X\", v1 = \"X+3\" }
";
    let (world, text) = symbolic(text);
    let before = evaluated_text(&world, &text);
    for (version, by, expected) in [
        ("v1beta1", 20, &["deprecated", "migrated", "removed", "dropped"][..]),
        // Nothing was ever stored in it.
        ("v1beta2", 20, &["deprecated", "removed", "dropped"]),
        ("v1beta1", 6, &[]),
    ] {
        let target = format!("g/{version}.dropped<=X+{by}");
        let report = before.by_when(&[target]).expect("it is a target");
        assert_eq!(report.reachable, !expected.is_empty(), "{report:#?}");
        if report.reachable {
            let steps: Vec<&str> = report.steps.iter().map(|step| step.event.as_str()).collect();
            assert_eq!(steps, expected, "{report:#?}");
            let targets: Vec<bool> = report.steps.iter().map(|step| step.target).collect();
            assert_eq!(targets.iter().filter(|target| **target).count(), 1, "{report:#?}");
        }
        // The removal decides: the code may lack the version in its release.
        let removed = before.by_when(&[format!("g/{version}.removed<=X+{by}")]);
        let removed = removed.expect("it is a target");
        assert_eq!(report.targets[0].soonest, removed.targets[0].soonest, "{report:#?}");
        assert!(
            report.clashes.iter().all(|clash| !clash.obligations.is_empty()),
            "{report:#?}"
        );
    }
}
