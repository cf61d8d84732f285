//! Ways where the law changes from one release to the next: with gates, editions and exceptions.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use lifecycle::model::EventKind;
use lifecycle::release::Release;
use lifecycle::report::Standing;

use super::super::soonest::{TWO_EDITIONS, symbolic};
use super::super::worlds::{World, evaluated_text};
use super::search::Question;

/// The flag may be removed after 12 months, in X+6; or in X+4, up to which an exception is granted.
const EXCEPTED_FOR_ONE_RELEASE: &str = r#"policy = "kubernetes"
[cli.tool]
audience = "user"
[cli.tool.flag]
"--old" = { stage = "GA", introduced = "X", deprecated = "X+3", warning = "w" }
[[exception]]
rule = "user-cli-lifetime"
element = "cli tool --old"
reason = "r"
approved-by = "a"
until = "X+5"
"#;

#[test]
fn a_granted_exception_counts_up_to_its_end_only() {
    let (world, text) = symbolic(EXCEPTED_FOR_ONE_RELEASE);
    let before = evaluated_text(&world, &text);
    for (by, latest) in [("X+4", "X+4"), ("X+5", "X+4"), ("X+6", "X+6")] {
        let report = before
            .by_when(&[format!("cli tool --old.removed<={by}")])
            .expect("a target");
        let [step] = &report.steps[..] else {
            panic!("{by}: {report:#?}");
        };
        assert!(report.reachable, "{by}: {report:#?}");
        let found = [step.earliest, step.latest].map(|moment| moment.expect("a release").release);
        assert_eq!(found, ["X+4", latest], "{by}: {report:#?}");
        let flag = before.model().find("cli tool --old").expect("it is there");
        let removed = |release| {
            (
                flag,
                EventKind::Removed,
                Some(before.model().calendar.find(release).expect("it is there")),
            )
        };
        let question = Question {
            world: &world,
            text: &text,
            before: &before,
            by: Release(0),
            withdrawn: Vec::new(),
            target: None,
        };
        assert_eq!(
            ["X+4", "X+5", "X+6"].map(|release| question.fits(&[removed(release)])),
            [true, false, true]
        );
    }
}

/// The flag is alpha in X+5 only: deprecated then, it may be removed at once.
const ALPHA_FOR_ONE_RELEASE: &str = r#"policy = "kubernetes"
[gate.Alpha]
specs = [{ stage = "alpha", since = "X+5", default = false }, { stage = "GA", since = "X+6", default = true }]
[cli.tool]
audience = "user"
[cli.tool.flag]
"--old" = { stage = "GA", introduced = "X+4", deprecated = "X+4", warning = "w", gated-by = "Alpha" }
"#;

#[test]
fn a_deprecation_is_deferred_to_where_a_gate_makes_its_element_alpha() {
    let (world, text) = symbolic(ALPHA_FOR_ONE_RELEASE);
    let before = evaluated_text(&world, &text);
    for (by, deprecated) in [("X+5", Some("X+5")), ("X+6", Some("X+5")), ("X+7", Some("X+4"))] {
        let report = before
            .by_when(&[format!("cli tool --old.removed<={by}")])
            .expect("a target");
        assert!(report.reachable, "{by}: {report:#?}");
        let step = report
            .steps
            .iter()
            .find(|step| step.event.kind == EventKind::Deprecated);
        let earliest = step.and_then(|step| step.earliest).map(|moment| moment.release);
        assert_eq!(earliest, deprecated, "{by}: {report:#?}");
    }
}

#[test]
fn a_deprecation_waits_for_the_edition_that_allows_it() {
    let (world, text) = symbolic(TWO_EDITIONS);
    let before = evaluated_text(&world, &text);
    for (by, latest) in [("X+7", None), ("X+8", Some("X+5")), ("X+9", Some("X+6"))] {
        let report = before.by_when(&[format!("g/v1beta1.removed<={by}")]).expect("a target");
        assert_eq!(report.reachable, latest.is_some(), "{by}: {report:#?}");
        let steps = report.steps.iter();
        let releases = steps.map(|step| [step.earliest, step.latest].map(|moment| moment.map(|moment| moment.release)));
        let releases: Vec<_> = releases.collect();
        assert_eq!(
            releases.iter().map(|[earliest, _]| *earliest).collect::<Vec<_>>(),
            [Some("X+5"), Some("X+8")],
            "{by}"
        );
        if latest.is_some() {
            assert_eq!(
                releases.iter().map(|[_, latest]| *latest).collect::<Vec<_>>(),
                [latest, Some(by)]
            );
        }
    }
}

/// The flag is alpha in X+5 only, and GA before and after that: deprecated or removed then, it may go at once.
const ALPHA_BETWEEN: &str = r#"policy = "kubernetes"
[gate.Alpha]
specs = [{ stage = "alpha", since = "X+5", default = false }, { stage = "GA", since = "X+6", default = true }, { stage = "deprecated", since = "X+7", default = true }]
warning = "w"
operational = false
[cli.tool]
audience = "user"
[cli.tool.flag]
"--old" = { stage = "GA", introduced = "X+3", warning = "w", gated-by = "Alpha" }
"#;

#[test]
fn a_deprecation_is_found_between_releases_in_which_it_would_be_too_early() {
    let (world, text) = symbolic(ALPHA_BETWEEN);
    let before = evaluated_text(&world, &text);
    for (by, deprecated) in [
        ("X+4", None),
        ("X+5", Some(["X+5", "X+5"])),
        ("X+6", Some(["X+5", "X+5"])),
        ("X+7", Some(["X+4", "X+5"])),
    ] {
        let report = before
            .by_when(&[format!("cli tool --old.removed<={by}")])
            .expect("a target");
        assert_eq!(report.reachable, deprecated.is_some(), "{by}: {report:#?}");
        let step = report
            .steps
            .iter()
            .find(|step| step.event.kind == EventKind::Deprecated);
        let releases = step.map(|step| [step.earliest, step.latest].map(|moment| moment.expect("a release").release));
        if report.reachable {
            assert_eq!(releases, deprecated, "{by}: {report:#?}");
            let soonest = report.targets[0].soonest.map(|moment| moment.release);
            assert_eq!(soonest, Some("X+5"), "{by}");
        }
    }
}

/// Under the second edition, a removal in X+6 that is announced in X+5 needs that of the command, too.
const WITH_ITS_COMMAND: &str = r#"policy = [{ use = "kubernetes" }, { use = "kubernetes-2025", from = "X+5" }]
[cli.tool]
audience = "admin"
[cli.tool.command.run]
introduced = "X"
warning = "w"
[cli.tool.command.run.flag]
"--old" = { stage = "GA", introduced = "X", warning = "w" }
"#;

#[test]
fn a_way_that_needs_more_events_lets_none_come_later() {
    let (world, text) = symbolic(WITH_ITS_COMMAND);
    let evaluation = evaluated_text(&world, &text);
    for (by, deprecated) in [("X+6", "X+4"), ("X+7", "X+5")] {
        let report = evaluation.by_when(&[format!("cli tool run --old.removed<={by}")]);
        let report = report.expect("it is a target");
        let latest = report.steps.iter().map(|step| step.latest.map(|moment| moment.release));
        assert_eq!(latest.collect::<Vec<_>>(), [Some(deprecated), Some(by)], "{report:#?}");
    }
}

#[test]
fn deprecations_that_are_not_tried_in_later_releases_are_counted() {
    let (rest, flag) = ALPHA_BETWEEN.split_at(ALPHA_BETWEEN.find("\"--old\"").expect("a flag"));
    let flags: Vec<String> = (0..5).map(|at| flag.replace("--old", &format!("--old{at}"))).collect();
    let (world, text) = symbolic(&format!("{rest}{}", flags.concat()));
    let before = evaluated_text(&world, &text);
    for (targets, untried) in [("cli tool --old0", 0), ("cli tool --old*", 2)] {
        let report = before.by_when(&[format!("{targets}.removed<=X+7")]).expect("a target");
        assert_eq!(report.untried, untried, "{targets}: {report:#?}");
    }
}

/// A gate guards a version with two kinds.
fn guarding(stage: &str) -> String {
    format!(
        r#"policy = "kubernetes"
[gate.Guard]
specs = [{{ stage = "{stage}", since = "X", default = {} }}]
[group.g.version]
v1beta1 = {{ introduced = "X", deprecated = "X+3", gated-by = "Guard" }}
[group.g.kind]
Gadget = {{ versions = ["v1beta1"] }}
Widget = {{ versions = ["v1beta1"] }}
"#,
        stage == "beta"
    )
}

#[test]
fn a_gate_waits_for_each_kind_of_a_version_that_it_guards() {
    for (stage, soonest) in [("alpha", "X+4"), ("beta", "X+6")] {
        let (world, text) = symbolic(&guarding(stage));
        let before = evaluated_text(&world, &text);
        for (by, reachable) in [("X+4", stage == "alpha"), ("X+6", true)] {
            let report = before.by_when(&[format!("gate Guard.removed<={by}")]);
            let report = report.expect("it is a target");
            let found = report.targets[0].soonest.map(|moment| moment.release);
            assert_eq!((report.reachable, found), (reachable, Some(soonest)), "{report:#?}");
            let version = report.steps.iter().find(|step| step.element == "g/v1beta1");
            let removed = version.and_then(|step| step.earliest).map(|earliest| earliest.release);
            assert_eq!(removed, Some(soonest), "{report:#?}");
        }
    }
}

fn under_two_editions(class: &str, rest: &str) -> (World, String) {
    symbolic(&format!(
        r#"policy = [{{ use = "kubernetes-2019" }}, {{ use = "kubernetes-2025", from = "X+5" }}]
[metric.m]
specs = [{{ stage = "{class}", since = "X" }}]
{rest}
"#
    ))
}

/// Under the first edition, a metric may be removed at once. What is announced under it may be removed later.
#[test]
fn a_removal_under_a_later_edition_is_announced_before_it() {
    let (world, text) = under_two_editions("BETA", "");
    let before = evaluated_text(&world, &text);
    for (by, latest) in [
        ("X+4", vec![("removed", "X+4")]),
        ("X+7", vec![("deprecated", "X+4"), ("removed", "X+7")]),
    ] {
        let report = before.by_when(&[format!("metric m.removed<={by}")]);
        let report = report.expect("it is a target");
        let steps = report.steps.iter();
        let steps = steps.filter_map(|step| Some((step.event.as_str(), step.latest?.release)));
        assert_eq!(steps.collect::<Vec<_>>(), latest, "{report:#?}");
    }
}

#[test]
fn a_declared_deprecation_moves_to_an_edition_that_asks_for_less() {
    let (world, text) = under_two_editions("STABLE", "deprecated = \"X+5\"");
    let before = evaluated_text(&world, &text);
    for (by, standing) in [
        ("X+4", Standing::Move),
        ("X+7", Standing::Move),
        ("X+8", Standing::Move),
        ("X+9", Standing::Declared),
    ] {
        let Ok(report) = before.by_when(&[format!("metric m.removed<={by}")]) else {
            panic!("{by} is in the calendar");
        };
        assert!(report.reachable, "{by}: {report:#?}");
        let soonest = report.targets[0].soonest.map(|moment| moment.release);
        assert_eq!(
            (report.steps[0].standing, soonest),
            (standing, Some("X+4")),
            "{by}: {report:#?}"
        );
    }
}

/// The gate is alpha up to X+5, so that the field may leave its version up to then, and no longer.
#[test]
fn a_field_leaves_before_its_version_is_no_longer_alpha() {
    let (world, text) = symbolic(
        "[gate.Guard]\nspecs = [{ stage = \"alpha\", since = \"X\", default = false }, \
         { stage = \"GA\", since = \"X+6\", default = true, locked = true }]\n\
         [group.g.version]\nv1 = { introduced = \"X\", gated-by = \"Guard\" }\n\
         [group.g.kind.Widget.field.\"spec.day\"]\n",
    );
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1 Widget .spec.day.removed<=X+8".to_owned()]);
    let report = report.expect("it is a target");
    let latest = report.steps.iter().find(|step| step.target);
    let latest = latest.and_then(|step| step.latest).map(|latest| latest.release);
    assert_eq!((latest, report.undecided), (Some("X+5"), false), "{report:#?}");
}

/// Its last alpha release is X+4: removed in the next one, it needs no announcement; later, one while it is alpha.
#[test]
fn an_end_after_the_last_alpha_release_is_announced_in_it() {
    let (world, text) = symbolic(
        "[gate.Guard]\nspecs = [{ stage = \"alpha\", since = \"X+3\", default = false }, \
         { stage = \"beta\", since = \"X+5\", default = true }, { stage = \"GA\", since = \"X+6\", default = true }]\n\
         [group.g.version]\nv1beta1 = { introduced = \"X+4\", gated-by = \"Guard\" }\n",
    );
    let before = evaluated_text(&world, &text);
    for (by, announced) in [("X+5", None), ("X+6", Some("X+4")), ("X+8", Some("X+4"))] {
        let report = before.by_when(&[format!("g/v1beta1.removed<={by}")]);
        let report = report.expect("it is a target");
        let latest = [EventKind::Deprecated, EventKind::Removed].map(|kind| {
            let step = report.steps.iter().find(|step| step.event.kind == kind);
            step.and_then(|step| step.latest).map(|latest| latest.release)
        });
        assert_eq!(latest, [announced, Some(by)], "{report:#?}");
    }
}

/// It is alpha up to X+4, beta in X+5 and GA from then on: announced in X+5, it would be served for three releases more.
#[test]
fn an_end_is_announced_before_each_promotion_that_makes_it_later() {
    let (world, text) = symbolic(
        "[gate.Guard]\nspecs = [{ stage = \"alpha\", since = \"X\", default = false }, \
         { stage = \"beta\", since = \"X+5\", default = true }, { stage = \"GA\", since = \"X+6\", default = true }]\n\
         [group.g.version]\nv2 = { introduced = \"X\", gated-by = \"Guard\" }\n",
    );
    let before = evaluated_text(&world, &text);
    for (by, announced) in [("X+5", None), ("X+6", Some("X+4")), ("X+7", Some("X+4"))] {
        let report = before.by_when(&[format!("g/v2.removed<={by}")]);
        let report = report.expect("it is a target");
        let mut steps = report.steps.iter();
        let deprecated = steps.find(|step| step.event.kind == EventKind::Deprecated);
        let latest = deprecated.and_then(|step| step.latest).map(|latest| latest.release);
        assert_eq!(latest, announced, "{by}: {report:#?}");
    }
}

/// The gate is alpha in X+5 only: the field may leave its version then, and not before.
#[test]
fn a_field_leaves_its_version_in_the_first_release_in_which_its_gate_is_alpha() {
    let (world, text) = symbolic(
        "[gate.Guard]\nspecs = [{ stage = \"alpha\", since = \"X+5\", default = false }, \
         { stage = \"GA\", since = \"X+6\", default = true, locked = true }]\n\
         [group.g.version]\nv1 = { introduced = \"X\" }\n\
         [group.g.kind.Widget.field.\"spec.day\"]\nintroduced = \"X+3\"\ngated-by = \"Guard\"\n",
    );
    let before = evaluated_text(&world, &text);
    for (by, reachable) in [("X+4", false), ("X+5", true), ("X+8", true)] {
        let report = before.by_when(&[format!("g/v1 Widget .spec.day.removed<={by}")]);
        let report = report.expect("it is a target");
        let soonest = report.targets[0].soonest.map(|soonest| soonest.release);
        assert_eq!(
            (soonest, report.reachable),
            (Some("X+5"), reachable),
            "{by}: {report:#?}"
        );
    }
}
