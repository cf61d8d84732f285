//! Flags, commands, behaviors, gates and metrics.

use std::collections::BTreeSet;

use lifecycle::Sources;
use lifecycle::evaluate::judge_removals;
use lifecycle::model::EventKind;
use lifecycle::release::Release;
use lifecycle::render::{Style, removal};
use lifecycle::report::Origin;

use crate::tests::worlds::{evaluated_text, load_supposing};

use super::{agree, answered, answers, assert_first_in, planned, printed, proposed, symbolic, with_removal};

#[test]
fn what_declares_nothing_is_removed_a_window_after_the_next_release() {
    let behavior = "[behavior.b]\n";
    assert_first_in(behavior, "behavior b", 7);
}

#[test]
fn a_metric_hidden_without_a_deprecation_is_removed_a_window_after_that() {
    let text = "[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"X\" }]\nhidden = \"X+3\"\n";
    assert_first_in(text, "metric m", 7);
}

#[test]
fn what_a_gate_makes_beta_is_removed_after_the_window_of_a_beta() {
    let text = "
[gate.G]
specs = [{ stage = \"beta\", since = \"X\", default = true }, { stage = \"GA\", since = \"X+6\", default = true }]
[cli.tool]
audience = \"user\"
[cli.tool.flag]
\"--old\" = { introduced = \"X\", gated-by = \"G\" }
";
    assert_first_in(text, "cli tool --old", 5);
}

#[test]
fn a_metric_is_removed_under_the_edition_in_which_its_end_can_be_announced() {
    let text = "
policy = [{ use = \"kubernetes-2021\" }, { use = \"kubernetes-2025\", from = \"X+5\" }]
[metric.m]
specs = [{ stage = \"STABLE\", since = \"X\" }]
";
    assert_first_in(text, "metric m", 6);
}

#[test]
fn a_flag_goes_with_its_command_without_a_deprecation_of_its_own() {
    let text = "
[cli.tool]
audience = \"user\"
[cli.tool.command.run]
deprecated = \"X+1\"
[cli.tool.command.run.flag]
\"--old\" = { introduced = \"X+2\" }
";
    assert_eq!(answered(text, "cli tool run --old", 4), Some((true, "X+4".to_owned())));
}

#[test]
fn what_a_gate_lowers_in_the_release_of_its_removal_needs_no_deprecation() {
    let text = "
[gate.G]
specs = [{ stage = \"alpha\", since = \"X+4\", default = false }]
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", gated-by = \"G\" }
";
    assert_eq!(answered(text, "g.example/v1beta1", 4), Some((true, "X+4".to_owned())));
}

#[test]
fn a_metric_of_a_policy_without_rules_about_metrics_is_removed_and_not_hidden() {
    let text = "policy = \"kubernetes-2019\"\n[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"X+5\" }]\n";
    assert_eq!(answered(text, "metric m", 6), Some((true, "X+6".to_owned())));
    let proposed = with_removal(text, "metric m");
    assert!(proposed.contains("removed = \"X+6\""), "{proposed}");
    assert!(!proposed.contains("hidden"), "{proposed}");
}

#[test]
fn a_command_stays_until_a_release_after_its_flags_begin() {
    let text = "
[cli.tool]
audience = \"user\"
[cli.tool.command.run]
stage = \"alpha\"
[cli.tool.command.run.flag]
\"--new\" = { introduced = \"X+6\" }
";
    assert_first_in(text, "cli tool run", 7);
    let proposed = with_removal(text, "cli tool run");
    assert!(proposed.contains("removed = \"X+7\""), "{proposed}");
}

#[test]
fn a_metric_whose_end_needs_no_announcement_is_not_hidden_first() {
    let text = "[metric.m]\nspecs = [{ stage = \"ALPHA\", since = \"X+5\" }]\n";
    assert_eq!(answered(text, "metric m", 6), Some((true, "X+6".to_owned())));
    let proposed = with_removal(text, "metric m");
    assert!(proposed.contains("removed = \"X+6\""), "{proposed}");
}

/// It is hidden as the STABLE metric that it becomes: that says nothing about when the ALPHA one could be deleted.
#[test]
fn a_metric_is_hidden_in_the_class_of_its_last_entry() {
    let text = "
[metric.m]
specs = [
  { stage = \"ALPHA\", since = \"X+4\" },
  { stage = \"INTERNAL\", since = \"X+5\" },
  { stage = \"STABLE\", since = \"X+6\" },
]
";
    assert_first_in(text, "metric m", 11);
    let proposed = with_removal(text, "metric m");
    assert!(proposed.contains("hidden = \"X+10\"\nremoved = \"X+11\""), "{proposed}");
}

#[test]
fn a_metric_is_hidden_after_a_deprecation_that_is_still_to_be_withdrawn() {
    let text = "
[metric.m]
specs = [{ stage = \"ALPHA\", since = \"X\" }]
deprecated = \"X+5\"
undeprecated = \"X+6\"
";
    let proposed = with_removal(text, "metric m");
    assert!(proposed.contains("removed = \"X+7\""), "{proposed}");
    assert!(!proposed.contains("hidden"), "{proposed}");
}

#[test]
fn what_is_extended_past_the_alpha_of_its_gate_is_deprecated_before_it_is_ga() {
    let text = "
[group.\"g.example\".version]
v1 = { introduced = \"X\", gated-by = \"Widget\" }
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = { introduced = \"X+5\" }
[gate.Widget]
specs = [
  { stage = \"alpha\", since = \"X\", default = false },
  { stage = \"GA\", since = \"X+5\", default = true },
]
";
    let kind = "g.example/v1 Widget";
    for (release, allowed) in [(5, false), (6, true)] {
        assert_eq!(answered(text, kind, release), Some((allowed, "X+6".to_owned())));
    }
    let proposed = with_removal(text, kind);
    assert!(
        proposed.contains("deprecated = \"X+4\", removed = \"X+6\""),
        "{proposed}"
    );
}

#[test]
fn a_metric_is_deleted_under_the_edition_in_which_that_is_announced() {
    let text = "
policy = [{ use = \"kubernetes-2019\" }, { use = \"kubernetes-2025\", from = \"X+5\" }]
[metric.m]
specs = [{ stage = \"BETA\", since = \"X\" }]
";
    for release in [5, 6] {
        assert_eq!(answered(text, "metric m", release), Some((true, "X+4".to_owned())));
    }
    let proposed = with_removal(text, "metric m");
    assert!(
        proposed.contains("deprecated = \"X+4\"\nremoved = \"X+4\""),
        "{proposed}"
    );
}

#[test]
fn an_edition_without_a_rule_for_metrics_lets_one_go_at_once() {
    let text = "
policy = [{ use = \"kubernetes\" }, { use = \"kubernetes-2019\", from = \"X+4\" }]
[metric.m]
specs = [{ stage = \"STABLE\", since = \"X\" }, { stage = \"STABLE\", since = \"X+4\" }]
";
    assert_eq!(answered(text, "metric m", 4), Some((true, "X+4".to_owned())));
    assert_eq!(
        answers(text, "metric m").0,
        ["X+4", "X+4"].map(|name| Some(name.to_owned()))
    );
}

#[test]
fn a_metric_is_not_removed_before_its_last_entry_in_any_edition() {
    let lowered = r#"
[metric.m]
specs = [{ stage = "BETA", since = "X+2" }, { stage = "ALPHA", since = "X+5" }]
"#;
    assert_first_in(lowered, "metric m", 6);
    let raised = r#"[metric.m]
specs = [{ stage = "ALPHA", since = "X" }, { stage = "STABLE", since = "X+5" }]
"#;
    // Its end can be announced in X+4, under the first edition.
    for (before, after, soonest) in [("-2019", "", 5), ("", "-2019", 10)] {
        let policy =
            format!(r#"policy = [{{ use = "kubernetes{before}" }}, {{ use = "kubernetes{after}", from = "X+5" }}]"#);
        assert_first_in(&format!("{policy}\n{raised}"), "metric m", soonest);
    }
}

/// The plan, `why`, a judged removal, a proposal and a way to the removal count from the same deprecation, which may come
/// before an entry. That a class is lowered without one is found already.
#[test]
fn the_end_of_a_metric_is_announced_before_it_moves_to_another_class() {
    for (specs, soonest) in [
        ([("STABLE", "X"), ("BETA", "X+8")], 9),
        ([("STABLE", "X"), ("BETA", "X+7")], 8),
        ([("STABLE", "X"), ("ALPHA", "X+8")], 9),
        ([("BETA", "X"), ("ALPHA", "X+6")], 7),
        ([("STABLE", "X"), ("STABLE", "X+7")], 8),
        ([("ALPHA", "X"), ("STABLE", "X+5")], 10),
    ] {
        let specs = specs.map(|(stage, since)| format!("{{ stage = \"{stage}\", since = \"{since}\" }}"));
        let metric = format!("[metric.m]\nspecs = [{}]\n", specs.join(", "));
        let name = format!("X+{soonest}");
        assert_first_in(&metric, "metric m", soonest);
        let (world, text) = symbolic(&metric);
        let evaluation = evaluated_text(&world, &text);
        let element = evaluation.model().find("metric m").expect("an element");
        assert_eq!(
            printed(&evaluation, element),
            [Some(&name), Some(&name)].map(Option::<&String>::cloned),
            "{metric}"
        );
        let way = evaluation
            .by_when(&["metric m.removed<=X+12".to_owned()])
            .expect("a target");
        let found = way.targets[0].soonest.map(|moment| moment.release);
        assert_eq!(
            (way.reachable, found),
            (true, Some(name.as_str())),
            "{metric}: {way:#?}"
        );
        assert!(
            with_removal(&metric, "metric m").contains("deprecated = \"X+4\""),
            "{metric}"
        );
    }
}

/// The soonest removal of a metric with these entries, by each answer.
fn assert_metric_ends_in(entries: &[(&str, &str)], soonest: usize) {
    let entries = entries.iter();
    let specs = entries.map(|(stage, since)| format!("{{ stage = \"{stage}\", since = \"{since}\" }}"));
    let metric = format!("[metric.m]\nspecs = [{}]\n", specs.collect::<Vec<_>>().join(", "));
    assert_eq!(
        answered(&metric, "metric m", soonest),
        Some((true, format!("X+{soonest}"))),
        "{metric}"
    );
    let (world, text) = symbolic(&metric);
    let evaluation = evaluated_text(&world, &text);
    let way = evaluation.by_when(&["metric m.removed<=X+12".to_owned()]);
    let way = way.expect("a target");
    let found = way.targets[0].soonest.map(|moment| moment.release);
    assert_eq!(found, Some(&*format!("X+{soonest}")), "{metric}: {way:#?}");
    let removed = way.steps.iter().find(|step| step.event.as_str() == "removed");
    let earliest = removed.and_then(|step| step.earliest).map(|moment| moment.release);
    assert_eq!(earliest, found, "{metric}: {way:#?}");
    let proposed = with_removal(&metric, "metric m");
    assert!(proposed.contains(&format!("removed = \"X+{soonest}\"")), "{proposed}");
}

#[test]
fn a_metric_whose_classes_promise_nothing_ends_without_an_announcement() {
    assert_metric_ends_in(&[("ALPHA", "X")], 4);
    assert_metric_ends_in(&[("INTERNAL", "X+2")], 4);
    assert_metric_ends_in(&[("ALPHA", "X+5"), ("INTERNAL", "X+6")], 7);
}

/// What a gate depends on is removed too early already; that the gate goes later makes this no new breach.
#[test]
fn a_declared_removal_that_is_too_early_already_rules_out_no_later_one_of_another_element() {
    let text = r#"
[gate.Base]
specs = [{ stage = "alpha", since = "X", default = false }]
warning = "w"
operational = false
removed = "X+4"
[gate.Old]
specs = [{ stage = "deprecated", since = "X+3", default = false }]
warning = "w"
operational = false
depends-on = "Base"
"#;
    let soonest = Some((true, "X+5".to_owned()));
    for release in 5..8 {
        assert_eq!(answered(text, "gate Old", release), soonest, "X+{release}");
    }
}

/// Symbols of a library that may go in a major release after one that warned of it.
const WARNED: &str = r#"policy = "nodejs"
[calendar]
current = "1.1"
[calendar.releases]
"1.0" = 2024-01-01
"1.1" = 2024-06-01
"1.2" = 2024-09-01
"2.0" = 2025-01-01
"3.0" = 2026-01-01
"4.0" = 2027-01-01
[symbol]
old = { introduced = "1.0", deprecated = "1.1" }
new = { introduced = "1.0" }
"#;

#[test]
fn a_step_that_the_policy_requires_is_planned_supposed_and_proposed() {
    let world = symbolic("").0;
    for (id, announced) in [("symbol old", ""), ("symbol new", "is deprecated in 1.2, and ")] {
        let evaluation = evaluated_text(&world, WARNED);
        let element = evaluation.model().find(id).expect("it is an element");
        agree(&world, WARNED, &evaluation, element).expect("all answers agree");
        let soonest = evaluation.reasoning().soonest_end(element).release;
        assert_eq!(evaluation.model().calendar.name(soonest), "3.0", "{id}");
        let proposed = evaluation.removal(element, "3.0").expect("it is there");
        let judged =
            judge_removals(&[proposed], |more| load_supposing(&world, WARNED, None, more)).expect("it is read");
        let style = Style {
            width: 120,
            color: false,
        };
        let text = removal::proposals(&judged.report(&Sources::new()).proposals, style);
        let condition = format!("allowed, if it {announced}warns (runtime) in 2.0\n");
        assert!(text.ends_with(&condition), "{text}");
    }
}

/// The window of a policy ends after the last major release of the calendar.
#[test]
fn a_declared_removal_waits_for_the_first_major_release_after_its_window() {
    let text = r#"policy = "gitlab"
[calendar]
current = "17.3"
[calendar.releases]
"17.0" = 2024-05-16
"17.3" = 2024-08-15
"17.6" = 2024-11-21
"17.9" = 2025-02-20
"18.0" = 2025-05-15
"18.3" = 2025-08-21
"19.0" = 2026-05-21
[endpoint]
"GET /late" = { introduced = "17.0", deprecated = "18.0", removed = "18.3" }
"GET /early" = { introduced = "17.0", deprecated = "17.3", removed = "17.6" }
"#;
    let world = symbolic("").0;
    let evaluation = evaluated_text(&world, text);
    let steps: BTreeSet<(&str, &str)> = evaluation
        .findings()
        .iter()
        .filter_map(|finding| Some((finding.element.as_deref()?, finding.help.as_deref()?)))
        .collect();
    let expected = [
        ("endpoint GET /early", "move it to 18.0: removed = \"18.0\""),
        ("endpoint GET /late", "delete `removed` until then"),
    ];
    assert_eq!(steps, expected.into_iter().collect());
    let reports = evaluation.elements();
    let major = |id: &str| {
        reports
            .iter()
            .find(|report| report.id == id)?
            .never_before_major
            .clone()
    };
    assert_eq!(major("endpoint GET /late").as_deref(), Some("20.0"));
    assert_eq!(major("endpoint GET /early"), None);
}

#[test]
fn a_deprecation_that_is_withdrawn_after_the_command_is_gone_keeps_no_flag() {
    let text = "
[cli.tool]
audience = \"user\"
[cli.tool.command.run]
introduced = \"X\"
deprecated = \"X+1\"
removed = \"X+5\"
[cli.tool.command.run.flag]
\"--old\" = { introduced = \"X\", deprecated = \"X+3\", undeprecated = \"X+5\" }
";
    assert_first_in(text, "cli tool run --old", 5);
}

#[test]
fn no_removal_is_proposed_of_a_flag_that_ended_with_its_command() {
    let text = "
[cli.tool]
audience = \"user\"
[cli.tool.command.run]
introduced = \"X\"
deprecated = \"X\"
removed = \"X+3\"
flag.\"--old\" = { introduced = \"X+1\" }
";
    let (world, text) = symbolic(text);
    let refused = proposed(&world, &text, "cli tool run --old").expect_err("it is gone");
    assert_eq!(refused.message, "cli tool run --old was already removed in X+3");
}

#[test]
fn a_gate_does_not_wait_for_what_ends_before_it_begins() {
    let text = r#"
[gate.G]
specs = [{ stage = "beta", since = "X", default = true }, { stage = "deprecated", since = "X+4", default = true }]
warning = "w"
operational = false
[group.g.version]
v1alpha1 = { introduced = "X", deprecated = "X+3" }
v1beta1 = { introduced = "X" }
[group.g.kind.Widget]
field."spec.day" = { introduced = "X+4" }
enum."spec.day".Tuesday.in.v1alpha1 = { introduced = "X", gated-by = "G" }
"#;
    let (world, model) = symbolic(text);
    let evaluation = evaluated_text(&world, &model);
    let gate = evaluation.model().find("gate G").expect("it is declared");
    assert_eq!(planned(&evaluation, gate), Release(5));
    assert_first_in(text, "gate G", 5);
}

#[test]
fn a_removal_that_is_declared_after_the_planned_end_of_the_command_is_not_called_declared() {
    let (world, model) = symbolic(
        r#"
[cli.tool]
audience = "user"
[cli.tool.command.run]
introduced = "X"
deprecated = "X+3"
[cli.tool.command.run.flag]
"--old" = { introduced = "X", deprecated = "X+3", removed = "X+8" }
"#,
    );
    let evaluation = evaluated_text(&world, &model);
    let flag = evaluation.model().find("cli tool run --old").expect("it is declared");
    let why = evaluation.derivation(&Sources::new(), flag, Some(EventKind::Removed));
    let removed = why.events.first().expect("it is asked for");
    let end = removed.moment.as_ref().map(|moment| (moment.release, moment.declared));
    assert_eq!((end, removed.origin), (Some(("X+6", Some(false))), Origin::Implied));
}
