//! What answers and proposals say of a soonest removal.

use lifecycle::Sources;
use lifecycle::model::EventKind;
use lifecycle::release::Release;

use crate::tests::support::evaluate;
use crate::tests::worlds::evaluated_text;

use super::{answered, answers, assert_first_in, judged, planned, proposed, symbolic, with_removal};

#[test]
fn a_finding_about_what_has_shipped_does_not_count_against_a_late_removal() {
    let text = "
[gate.Gone]
specs = [{ stage = \"alpha\", since = \"X\", default = false }]
removed = \"X+1\"
[gate.Dependent]
specs = [{ stage = \"beta\", since = \"X\", default = true }]
depends-on = \"Gone\"
";
    assert_eq!(answered(text, "gate Dependent", 5), Some((true, "X+5".to_owned())));
    assert_eq!(answered(text, "gate Dependent", 8), Some((true, "X+5".to_owned())));
}

#[test]
fn nothing_is_deprecated_again_before_its_deprecation_is_withdrawn() {
    let text = "
[metric.m]
specs = [{ stage = \"STABLE\", since = \"X\" }]
deprecated = \"X+2\"
undeprecated = \"X+5\"
";
    assert_eq!(answered(text, "metric m", 5), Some((false, "X+10".to_owned())));
    assert_first_in(text, "metric m", 10);
}

#[test]
fn no_advice_moves_an_entry_of_a_metric_that_has_shipped() {
    let text = "
[calendar]
current = \"X+3\"
symbolic = { origin = \"X\", count = 9 }
[metric.m]
specs = [{ stage = \"STABLE\", since = \"X\" }, { stage = \"ALPHA\", since = \"X+1\" }]
";
    let evaluation = evaluate(text).expect("it can be read");
    let lowered = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.code == "class-lowered");
    let helps: Vec<&str> = lowered.filter_map(|finding| finding.help.as_deref()).collect();
    assert!(!helps.is_empty());
    assert!(
        helps.iter().all(|help| help.starts_with("X+1 has shipped")),
        "{helps:?}"
    );
}

#[test]
fn the_removal_of_a_kind_is_proposed_for_the_last_life_of_its_version() {
    let text = "
[group.\"g.example\".kind.Widget]
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\" }] }
v1 = { introduced = \"X+4\" }
";
    let proposed = with_removal(text, "g.example/v1beta1 Widget");
    let own = "lives = [{}, { deprecated = \"X+4\", removed = \"X+7\" }]";
    assert!(proposed.contains(own), "{proposed}");
}

/// What a kind stores and migrates belongs to no life.
#[test]
fn the_removal_of_a_stored_kind_is_proposed_for_the_last_life_of_its_version() {
    let storage = "storage = { v1beta1 = \"X\", v1 = \"X+4\" }\nmigrated = { v1beta1 = \"X+5\" }";
    let text = format!(
        "
[group.\"g.example\".kind.Widget]
{storage}
[group.\"g.example\".version]
v1beta1 = {{ lives = [{{ introduced = \"X\", removed = \"X+2\" }}, {{ introduced = \"X+3\" }}] }}
v1 = {{ introduced = \"X+3\" }}
"
    );
    let proposed = with_removal(&text, "g.example/v1beta1 Widget");
    assert!(
        proposed.contains("v1beta1 = { lives = [{}, { deprecated = "),
        "{proposed}"
    );
}

#[test]
fn the_removal_of_a_part_from_one_version_repeats_the_keys_of_its_earlier_lives() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X\" }
v1beta2 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
versions = [\"v1beta1\", \"v1beta2\"]
field.size = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+2\" }] }
";
    let id = "g.example/v1beta1 Widget .size";
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let soonest = planned(&evaluation, evaluation.model().find(id).expect("it is an element"));
    assert_eq!(
        proposed(&world, &text, id).expect("it can be proposed").1,
        Some(soonest)
    );
}

#[test]
fn a_withdrawn_deprecation_is_proposed_again_beside_the_first() {
    let model = |entry: &str| {
        format!(
            "\n[group.\"g.example\".kind.Widget]\n[group.\"g.example\".version]\nv1beta1 = {{ {entry} }}\nv1 = {{ introduced = \"X+3\" }}\n"
        )
    };
    let life = "introduced = \"X\", deprecated = \"X\", undeprecated = \"X+2\"";
    let again = "introduced = \"X\", deprecated = [\"X\", \"X+4\"], undeprecated = \"X+2\", removed = \"X+7\"";
    let one = with_removal(&model(life), "g.example/v1beta1");
    assert!(one.contains(again), "{one}");
    let earlier = "{ introduced = \"X\", removed = \"X+1\" }";
    let lives = life.replace("\"X\"", "\"X+1\"");
    let several = with_removal(
        &model(&format!("lives = [{earlier}, {{ {lives} }}]")),
        "g.example/v1beta1",
    );
    let again = "deprecated = [\"X+1\", \"X+4\"], undeprecated = \"X+2\", removed = \"X+7\"";
    assert!(several.contains(again), "{several}");
}

#[test]
fn a_removal_is_judged_with_its_deprecation_and_the_words_that_go_with_it() {
    let metrics = |help: &str| format!("[metric.m]\nspecs = [{{ stage = \"STABLE\", since = \"X\" }}]\n{help}\n");
    let worded = metrics("help = \"Requests.\"");
    assert_eq!(answered(&worded, "metric m", 8), Some((true, "X+8".to_owned())));
    let replaced = metrics("replacement = \"n\"\n[metric.n]\nspecs = [{ stage = \"ALPHA\", since = \"X\" }]");
    assert_eq!(answered(&replaced, "metric m", 8), Some((true, "X+8".to_owned())));
    let flag = "[cli.tool]\naudience = \"user\"\n[cli.tool.flag.\"--old\"]\n";
    assert_eq!(answered(flag, "cli tool --old", 7), Some((true, "X+7".to_owned())));
}

#[test]
fn what_is_never_deprecated_is_not_removed_where_that_has_to_be_announced() {
    let text = "
[group.g.version]
v1alpha1 = { introduced = \"X\", deprecated = \"never\" }
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X+1\" }
[group.g.kind.A]
version = { v1beta1 = { deprecated = \"never\" } }
[group.g.kind.B]
";
    assert_eq!(answered(text, "g/v1alpha1", 4), Some((true, "X+4".to_owned())));
    assert_eq!(answered(text, "g/v1beta1 B", 7), Some((true, "X+7".to_owned())));
    let (world, text) = symbolic(text);
    for id in ["g/v1beta1", "g/v1beta1 A"] {
        assert_eq!(judged(&world, &text, id, Release(7)), Some((false, None)), "{id}");
    }
}

#[test]
fn a_kind_that_is_never_deprecated_does_not_follow_its_version() {
    let text = "
[group.g.version]
v1beta1 = { introduced = \"X\", deprecated = \"X+1\" }
v1 = { introduced = \"X+1\" }
[group.g.kind.A]
versions = [\"v1beta1\"]
version = { v1beta1 = { deprecated = \"never\" } }
[group.g.kind.B]
";
    assert_eq!(answered(text, "g/v1beta1 B", 4), Some((true, "X+4".to_owned())));
    let (world, text) = symbolic(text);
    assert_eq!(judged(&world, &text, "g/v1beta1 A", Release(7)), Some((false, None)));
    assert!(proposed(&world, &text, "g/v1beta1 A").is_err());
}

#[test]
fn a_part_of_one_version_is_proposed_to_be_removed_from_that_one() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
subresource.status = { introduced = \"X+1\" }
";
    let (world, text) = symbolic(text);
    let status = "g.example/v1alpha1 Widget/status";
    assert_eq!(proposed(&world, &text, status), Ok((true, Some(Release(4)))));
}

#[test]
fn the_removal_of_a_later_life_is_proposed_in_that_life() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X\", deprecated = \"X\", removed = \"X+1\" }, { introduced = \"X+2\" }] }
v1 = { introduced = \"X+2\" }
[behavior.b]
[[behavior.b.lives]]
introduced = \"X\"
deprecated = \"X\"
removed = \"X+1\"
[[behavior.b.lives]]
introduced = \"X+2\" # Again.
";
    let (world, text) = symbolic(text);
    for id in ["g.example/v1beta1", "behavior b"] {
        let evaluation = evaluated_text(&world, &text);
        let soonest = planned(&evaluation, evaluation.model().find(id).expect("it is an element"));
        let proposal = proposed(&world, &text, id).expect("it can be proposed");
        assert_eq!(proposal.1, Some(soonest), "{id}");
    }
}

#[test]
fn a_removal_that_the_law_has_long_permitted_is_possible_in_the_next_release() {
    let text = "[metric.m]\nspecs = [{ stage = \"ALPHA\", since = \"X\" }]\ndeprecated = \"X+1\"\n";
    let next = Some("X+4".to_owned());
    let (soonest, since) = answers(text, "metric m");
    assert_eq!(soonest, [next.clone(), next.clone()]);
    assert_eq!(since.as_deref(), Some("X+2"));
    assert_eq!(answered(text, "metric m", 4), Some((true, "X+4".to_owned())));
    // A declared later removal does not make it permitted later.
    let declared = format!("{text}removed = \"X+8\"\n");
    assert_eq!(answers(&declared, "metric m").0, [next.clone(), next]);
    assert_eq!(answered(&declared, "metric m", 4), Some((true, "X+4".to_owned())));
}

#[test]
fn a_due_date_before_the_soonest_removal_is_marked() {
    let model = |introduced: &str| {
        format!(
            "
[group.\"g.example\".version]
v1beta1 = {{ introduced = \"X\", deprecated = \"X+2\" }}
v1 = {{ introduced = \"X\" }}
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = {{ in = {{ v1beta1 = {{ introduced = \"{introduced}\" }}, v1 = {{ introduced = \"X+6\" }} }} }}
"
        )
    };
    for (introduced, soonest, is_marked) in [("X+6", "X+7", true), ("X+2", "X+5", false)] {
        let text = model(introduced);
        let id = "g.example/v1beta1";
        assert_eq!(answers(&text, id).0[0].as_deref(), Some(soonest));
        let (world, text) = symbolic(&text);
        let evaluation = evaluated_text(&world, &text);
        let overview = evaluation.overview();
        let rows = overview.groups.iter().flat_map(|group| &group.rows);
        let row = rows.into_iter().find(|row| row.names == ["v1beta1"]);
        let row = row.expect("something is left to do");
        assert_eq!(row.element.removal_due.map(|due| due.release), Some("X+5"));
        assert_eq!(row.element.due_before_possible, is_marked, "{introduced}");
    }
}

#[test]
fn no_two_next_steps_move_one_removal_to_different_releases() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", removed = \"X+7\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
version.v1beta1 = { deprecated = \"X+2\" }
[group.\"g.example\".kind.Gadget]
version.v1beta1 = { deprecated = \"X+4\" }
";
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let findings = evaluation.findings().iter();
    let helps: Vec<&str> = findings.filter_map(|finding| finding.help.as_deref()).collect();
    assert!(
        helps.contains(&"declare removed = \"X+5\" for Widget, or add an exception"),
        "{helps:?}"
    );
    assert!(!helps.iter().any(|help| help.starts_with("move it to")), "{helps:?}");
}

#[test]
fn a_release_may_be_named_as_next_or_current() {
    let (world, text) = symbolic("\n[behavior.b]\n");
    let evaluation = evaluated_text(&world, &text);
    let behavior = evaluation.model().find("behavior b").expect("it is an element");
    let named = evaluation.removal(behavior, "next").expect("it can be judged");
    assert_eq!(Ok(named), evaluation.removal(behavior, "X+4"));
    let shipped = evaluation.removal(behavior, "current").map_err(|no| no.message);
    assert_eq!(shipped, Err("X+3 has shipped".to_owned()));
}

#[test]
fn a_kind_that_inherits_a_withdrawn_deprecation_keeps_it_in_a_proposal() {
    let text = "
[group.\"g.example\".kind.Widget]
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X\", undeprecated = \"X+2\" }
v1 = { introduced = \"X+3\" }
";
    let proposed = with_removal(text, "g.example/v1beta1 Widget");
    let own = "deprecated = [\"X\", \"X+4\"], removed = \"X+7\", undeprecated = \"X+2\"";
    assert!(proposed.contains(own), "{proposed}");
}

#[test]
fn why_an_end_waits_longer_than_the_law_is_said() {
    for (entries, reason) in [
        (
            "specs = [{ stage = \"STABLE\", since = \"X\" }]",
            "X+4 is the first release that has not shipped",
        ),
        (
            "specs = [{ stage = \"STABLE\", since = \"X\" }]\ndeprecated = \"X+1\"\nundeprecated = \"X+5\"",
            "its deprecation is withdrawn in the release before X+6",
        ),
        (
            "specs = [{ stage = \"STABLE\", since = \"X+5\" }]",
            "it is served in a release before X+6",
        ),
        (
            "specs = [{ stage = \"STABLE\", since = \"X\" }]\ndeprecated = \"X+7\"",
            "what is declared does not move: it is deprecated in X+7",
        ),
    ] {
        let (world, text) = symbolic(&format!("policy = \"kubernetes-2019\"\n[metric.m]\n{entries}\n"));
        let evaluation = evaluated_text(&world, &text);
        let reasoning = evaluation.reasoning();
        let metric = evaluation.model().find("metric m").expect("it is an element");
        let waits = reasoning.reason_to_wait(&reasoning.soonest_end(metric));
        assert_eq!(waits.as_deref(), Some(reason), "{entries}");
    }
}

#[test]
fn steps_are_planned_between_a_declared_deprecation_and_a_removal_that_is_not_declared() {
    for (declared, is_planned) in [
        ("deprecated = \"1.1\"", true),
        ("deprecated = \"1.1\"\nremoved = \"3.0\"", false),
        ("", false),
    ] {
        let text = format!(
            "policy = \"nodejs\"\n[calendar]\ncurrent = \"1.1\"\ncadence = {{ months = 4 }}\n[calendar.releases]\n\
             \"1.0\" = 2024-01-01\n\"1.1\" = 2024-05-01\n\"2.0\" = 2024-09-01\n\"3.0\" = 2025-01-01\n\
             [behavior.b]\nintroduced = \"1.0\"\n{declared}\n"
        );
        let evaluation = evaluate(&text).expect("it can be read");
        let model = evaluation.model();
        let removed = model.last_event(model.find("behavior b").expect("it is an element"), EventKind::Removed);
        let steps = model.steps.iter().map(|(what, _)| removed.sibling(what));
        let planned: Vec<_> = steps.filter_map(|step| evaluation.reasoning().release(step)).collect();
        assert_eq!(planned.len(), usize::from(is_planned), "{declared}");
    }
}

#[test]
fn a_version_is_not_proposed_to_go_before_a_kind_that_declares_to_go_later() {
    let text = r#"
[group.g.version]
v1beta1 = { introduced = "X", deprecated = "X+2" }
v1 = { introduced = "X+2" }
[group.g.kind.Widget]
[group.g.kind.Gadget]
version = { v1beta1 = { removed = "X+7" } }
"#;
    let (world, text) = symbolic(text);
    let refused = proposed(&world, &text, "g/v1beta1").expect_err("a kind goes later");
    let said = "g/v1beta1 can be removed in X+5, but g/v1beta1 Gadget is declared to be removed in X+7";
    assert_eq!(refused.message, said);
}

#[test]
fn a_deprecation_that_waits_for_a_deadline_of_its_removal_has_that_as_its_reason() {
    let text = r#"
[group.g.version]
v1alpha1 = { introduced = "X+8" }
v1beta1 = { introduced = "X+5" }
v1 = { introduced = "X", removed = "X+6" }
"#;
    let (_, text) = symbolic(text);
    let evaluation = evaluate(&text).expect("it can be read");
    let version = evaluation.model().find("g/v1beta1").expect("it is declared");
    let why = evaluation.derivation(&Sources::new(), version, Some(EventKind::Deprecated));
    let deprecated = why.events.first().expect("it is planned");
    let binding: Vec<&str> = deprecated
        .steps
        .iter()
        .filter(|step| step.binding)
        .map(|step| step.text.as_str())
        .collect();
    assert!(
        matches!(binding.as_slice(), [only] if only.starts_with("so that g/v1beta1 is removed in time: ")),
        "{binding:?}"
    );
}
