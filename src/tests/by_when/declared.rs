//! Ways in models that declare some of what is on them: it stays, moves, or follows.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use lifecycle::model::EventKind;
use lifecycle::report::Standing;

use super::super::soonest::symbolic;
use super::super::support::evaluate;
use super::super::worlds::evaluated_text;

/// The removal is declared before the deprecation that is asked for.
const REMOVED_TOO_SOON: &str = r#"policy = "kubernetes"
[metric.requests_total]
specs = [{ stage = "ALPHA", since = "X" }]
removed = "X+4"
"#;

#[test]
fn what_is_declared_on_the_way_stays_if_it_can() {
    for (declared, expected) in [
        (
            "specs = [{ stage = \"ALPHA\", since = \"X\" }]\nhidden = \"X+5\"",
            "X+5",
        ),
        (
            "specs = [{ stage = \"BETA\", since = \"X\" }]\nremoved = \"X+4\"",
            "X+5",
        ),
        (
            "specs = [{ stage = \"BETA\", since = \"X\" }]\nremoved = \"X+6\"",
            "X+4",
        ),
    ] {
        let (world, text) = symbolic(&format!("[metric.m]\n{declared}\n"));
        let before = evaluated_text(&world, &text);
        let target = "metric m.removed<=X+7".to_owned();
        let report = before.by_when(&[target]);
        let report = report.expect("it is a target");
        let mut steps = report.steps.iter();
        let deprecated = steps.find(|step| step.event.kind == EventKind::Deprecated);
        let latest = deprecated.and_then(|step| step.latest).map(|latest| latest.release);
        assert_eq!(latest, Some(expected), "{report:#?}");
    }
}

/// A flag may end with its command, or once its own deprecation permits it: it has none, so that its command ends by then.
#[test]
fn the_only_one_of_several_that_permits_a_declared_end_comes_by_then() {
    let text = "
[calendar]
current = \"X+1\"
symbolic = { origin = \"X\", count = 9 }
cadence = { months = 4 }
[cli.admin]
audience = \"admin\"
[cli.admin.command.run]
introduced = \"X\"
deprecated = \"X\"
warning = \"w\"
flag.\"--old\" = { introduced = \"X\", removed = \"X+2\", warning = \"w\" }
";
    let before = evaluate(text).expect("a model");
    let report = before
        .by_when(&["cli admin run.removed<=X+4".to_owned()])
        .expect("a target");
    let latest: Vec<Option<&str>> = report
        .steps
        .iter()
        .map(|step| step.latest.map(|latest| latest.release))
        .collect();
    assert_eq!(latest, [Some("X+2")], "{report:#?}");
}

#[test]
fn a_declared_removal_follows_a_deprecation_that_comes_later() {
    let (world, text) = symbolic(REMOVED_TOO_SOON);
    let before = evaluated_text(&world, &text);
    for by in ["X+4", "X+5"] {
        let report = before
            .by_when(&[format!("metric requests_total.deprecated<={by}")])
            .expect("a target");
        assert!(report.reachable, "{report:#?}");
        let steps = report.steps.iter();
        let steps = steps.map(|step| {
            (
                step.event.kind,
                step.standing,
                step.earliest.map(|moment| moment.release),
            )
        });
        let steps: Vec<_> = steps.collect();
        let expected = [
            (EventKind::Deprecated, Standing::Open, Some("X+4")),
            (EventKind::Removed, Standing::Follow, Some("X+5")),
        ];
        assert_eq!(steps, expected, "{by}: {report:#?}");
        assert!(
            report.steps.iter().all(|step| step.declared_with.is_none()),
            "{by}: {report:#?}"
        );
        assert_eq!(report.next.expect("a step").event.kind, EventKind::Deprecated);
        let command = report.command.expect("something to declare");
        assert!(command.contains("metric requests_total.removed=X+5"), "{command}");
    }
}

/// A check accepts a deprecation before an entry that states a class again.
#[test]
fn a_metric_may_be_deprecated_before_its_last_entry() {
    let (world, text) = symbolic(
        "[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"X\" }, { stage = \"STABLE\", since = \"X+5\" }]\n",
    );
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["metric m.deprecated<=X+4".to_owned()]);
    let report = report.expect("it is a target");
    assert!(report.reachable, "{report:#?}");
    assert_eq!(report.targets[0].soonest.map(|moment| moment.release), Some("X+4"));
}

/// The gate is to go in X+4, but nobody says when the first flag goes: a check reports that, and nothing else of the
/// other flag.
#[test]
fn what_a_gate_breaks_already_does_not_keep_another_flag_early() {
    let flag = |name: &str, rest: &str| {
        format!("\"{name}\" = {{ stage = \"GA\", warning = \"w\", introduced = \"X\", gated-by = \"Guard\"{rest} }}\n")
    };
    let gate = "[gate.Guard]\nspecs = [{ stage = \"alpha\", since = \"X\", default = false }]\nwarning = \"w\"\n\
                operational = false\nremoved = \"X+4\"\n[cli.user]\naudience = \"user\"\n[cli.user.flag]\n";
    for (old, latest) in [(Some(flag("--old", "")), "X+6"), (None, "X+4")] {
        let other = flag("--new", ", deprecated = \"X\"");
        let (world, text) = symbolic(&format!(
            "policy = \"kubernetes\"\n{gate}{}{other}",
            old.unwrap_or_default()
        ));
        let before = evaluated_text(&world, &text);
        let report = before.by_when(&["cli user --new.removed<=X+6".to_owned()]);
        let report = report.expect("it is a target");
        let removed = report.steps.iter().find(|step| step.target);
        let found = removed.and_then(|step| step.latest).map(|latest| latest.release);
        assert_eq!(found, Some(latest), "{report:#?}");
    }
}

#[test]
fn what_was_withdrawn_is_announced_again_after_that() {
    let (world, text) = symbolic(
        "[group.g.version]\nv1alpha1 = { introduced = \"X\" }\n[group.g.kind.Widget]\n\
         version.v1alpha1 = { introduced = \"X\", deprecated = \"X\", undeprecated = \"X+4\" }\n",
    );
    let before = evaluated_text(&world, &text);
    for (by, reachable) in [("X+4", false), ("X+5", true)] {
        for what in ["deprecated", "removed"] {
            let report = before.by_when(&[format!("g/v1alpha1.{what}<={by}")]);
            let report = report.expect("it is a target");
            let soonest = report.targets[0].soonest.map(|moment| moment.release);
            assert_eq!(
                (report.reachable, soonest),
                (reachable, Some("X+5")),
                "{what}: {report:#?}"
            );
        }
    }
}

#[test]
fn what_a_version_withdrew_is_supposed_to_be_announced_again() {
    let (world, text) =
        symbolic("[group.g.version]\nv1beta1 = { introduced = \"X\", deprecated = \"X\", undeprecated = \"X+4\" }\n");
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1beta1.removed<=X+8".to_owned()]);
    let report = report.expect("it is a target");
    let earliest = report.steps.iter().filter(|step| step.is_open());
    let earliest: Vec<_> = earliest
        .filter_map(|step| Some((step.event.as_str(), step.earliest?.release)))
        .collect();
    assert!(report.reachable, "{report:#?}");
    assert_eq!(earliest, [("deprecated", "X+5"), ("removed", "X+8")], "{report:#?}");
}

/// The kind is due to be deprecated by X+6, in which the withdrawal of its version still holds: a later release does not
/// help.
#[test]
fn what_is_too_late_is_not_deferred() {
    let (world, text) = symbolic(
        "[group.g.version]\nv1beta1 = { introduced = \"X+4\", deprecated = \"X+4\", undeprecated = \"X+6\" }\n\
         [group.g.kind.Widget]\nversions = [\"v1beta1\"]\nversion.v1beta1 = { introduced = \"X+3\" }\n",
    );
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1beta1.removed<=X+12".to_owned()]);
    let report = report.expect("it is a target");
    let codes = report.findings.iter().map(|finding| finding.code.as_str());
    assert_eq!(codes.collect::<Vec<_>>(), ["not-deprecated-in-time"], "{report:#?}");
    assert!(!report.reachable && !report.undecided, "{report:#?}");
    assert_eq!(
        report.targets[0].soonest.map(|moment| moment.release),
        None,
        "{report:#?}"
    );
}

/// The field is removed from v1 too early, which is an error already: it stays there, so v2alpha1 needs no counterpart.
#[test]
fn what_is_declared_too_early_already_stays_where_it_is() {
    let (world, text) = symbolic(
        "[group.g.version]\nv1 = { introduced = \"X\" }\nv2alpha1 = { introduced = \"X+1\" }\n[group.g.kind.Widget]\n\
         field.\"spec.day\" = { deprecated = \"X+4\", removed = \"X+5\" }\n",
    );
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v2alpha1 Widget .spec.day.removed<=X+8".to_owned()]);
    let report = report.expect("it is a target");
    let open: Vec<_> = report.steps.iter().filter(|step| step.is_open()).collect();
    assert!(report.reachable && open.is_empty(), "{report:#?}");
}

/// Its replacement was removed too early, and that has shipped.
#[test]
fn what_has_shipped_too_early_keeps_nothing_early() {
    let (world, text) = symbolic(
        "[config.\"tool.example\".version]\nv2alpha1 = { introduced = \"X\", removed = \"X+3\" }\n\
         v1alpha1 = { introduced = \"X\", deprecated = \"X+2\", replacement = \"v2alpha1\" }\n",
    );
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["config tool.example/v1alpha1.removed<=X+6".to_owned()]);
    let report = report.expect("it is a target");
    let latest = report.steps.iter().filter_map(|step| step.latest);
    let latest: Vec<&str> = latest.map(|moment| moment.release).collect();
    assert_eq!(latest, ["X+6"], "{report:#?}");
}

/// It was hidden in X+2: a deprecation after that announces nothing.
#[test]
fn nothing_is_announced_after_an_end_that_has_shipped() {
    let (world, text) = symbolic("[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"X\" }]\nhidden = \"X+2\"\n");
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["metric m.deprecated<=X+6".to_owned()]);
    let report = report.expect("it is a target");
    let facts = report.clashes.iter().flat_map(|clash| &clash.facts);
    let facts: Vec<&str> = facts.map(String::as_str).collect();
    assert_eq!(
        (report.reachable, facts),
        (false, vec!["metric m is hidden in X+2"]),
        "{report:#?}"
    );
}

/// The declared end is what a model without it permits: an ALPHA metric needs no deprecation.
#[test]
fn a_removal_that_is_declared_as_it_may_be_is_in_time() {
    for declared in ["", "removed = \"X+4\"\n"] {
        let metric = format!("[metric.m]\nspecs = [{{ stage = \"ALPHA\", since = \"X\" }}]\n{declared}");
        let (world, text) = symbolic(&metric);
        let before = evaluated_text(&world, &text);
        let report = before.by_when(&["metric m.removed<=X+4".to_owned()]);
        let report = report.expect("it is a target");
        assert!(report.reachable, "{report:#?}");
        let steps: Vec<&str> = report.steps.iter().map(|step| step.event.as_str()).collect();
        assert_eq!(steps, ["removed"], "{report:#?}");
        assert_eq!(report.next.is_none(), !declared.is_empty(), "{report:#?}");
    }
}

/// The replacement is found to be less stable before any deprecation is declared: a deadline makes that no worse.
#[test]
fn what_a_replacement_breaks_already_keeps_no_target_out_of_reach() {
    let text = "[metric.old]\nspecs = [{ stage = \"BETA\", since = \"X+2\" }, { stage = \"STABLE\", since = \"X+3\" }]\n\
                replacement = \"metric new\"\n[metric.new]\nspecs = [{ stage = \"BETA\", since = \"X\" }]\n";
    let (world, text) = symbolic(&format!("policy = \"kubernetes-2021\"\n{text}"));
    let before = evaluated_text(&world, &text);
    let codes: Vec<&str> = before.findings().iter().map(|finding| &*finding.code).collect();
    assert_eq!(codes, ["less-stable"]);
    for (by, reachable) in [("X+6", false), ("X+7", true)] {
        let report = before.by_when(&[format!("metric old.removed<={by}")]);
        let report = report.expect("it is a target");
        assert_eq!((report.reachable, report.undecided), (reachable, false), "{report:#?}");
    }
}

/// The end of a chain may not be deprecated before the declared deprecation that names it.
#[test]
fn the_end_of_a_chain_is_deprecated_with_what_names_it() {
    let (world, text) = symbolic(
        "\n[group.g.version]\nv1beta1 = { introduced = \"X+2\", deprecated = \"X+5\", replacement = \"v1beta2\" }\n\
         v1beta2 = { introduced = \"X+3\" }\nv1 = { introduced = \"X+6\" }\n",
    );
    let before = evaluated_text(&world, &text);
    for by in ["X+8", "X+9", "X+12"] {
        let report = before.by_when(&[format!("g/v1beta2.removed<={by}")]);
        assert!(report.expect("it is a target").reachable, "{by}");
    }
}
