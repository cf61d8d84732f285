//! Replacements that break a rule are found before any deprecation is declared, and delay nothing.

use lifecycle::diagnostic::Diagnostic;
use lifecycle::model::ElementId;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::tests::replacements::with_replacements;
use crate::tests::worlds::{cases, evaluated_text, world};

use super::{agree, answered, assert_first_in, is_open_but_for, judged, symbolic, with_removal};

#[test]
fn a_replacement_that_breaks_the_rule_is_found_before_the_deprecation_and_delays_nothing() {
    let group = |versions: &str| format!("\n[group.g.version]\n{versions}\n[group.g.kind.Widget]\n");
    let unknown = group("v1beta1 = { introduced = \"X\", replacement = \"v9\" }");
    let less_stable =
        group("v1alpha1 = { introduced = \"X\" }\nv1beta1 = { introduced = \"X\", replacement = \"v1alpha1\" }");
    let before = group(
        "v1beta1 = { introduced = \"X\", replacement = \"v1beta2\" }\n\
         v1beta2 = { introduced = \"X\", deprecated = \"X+2\", removed = \"X+8\" }",
    );
    let cycle = group(
        "v1beta1 = { introduced = \"X\", replacement = \"v1beta2\" }\n\
         v1beta2 = { introduced = \"X\", replacement = \"v1beta1\" }",
    );
    let metric = "\n[metric.old]\nspecs = [{ stage = \"STABLE\", since = \"X\" }]\nreplacement = \"new\"\n\
                  [metric.new]\nspecs = [{ stage = \"ALPHA\", since = \"X\" }]\n";
    let gated = format!(
        "\n[gate.G]\nspecs = [{{ stage = \"alpha\", default = false, since = \"X+4\" }}, \
         {{ stage = \"beta\", default = true, since = \"X+8\" }}]{}",
        group(
            "v1beta1 = { introduced = \"X+3\", replacement = \"v1beta2\" }\n\
             v1beta2 = { introduced = \"X+4\", gated-by = \"G\" }",
        )
    );
    for (text, id, code, release) in [
        (unknown, "g/v1beta1", "unknown", 7),
        (less_stable, "g/v1beta1", "less-stable", 7),
        (before, "g/v1beta1", "deprecated-before", 7),
        (cycle, "g/v1beta1", "cycle", 7),
        (gated, "g/v1beta1", "less-stable", 9),
        (metric.to_owned(), "metric old", "less-stable", 8),
    ] {
        let (world, model) = symbolic(&text);
        let evaluation = evaluated_text(&world, &model);
        let found = evaluation
            .findings()
            .iter()
            .filter(|finding| finding.code == code)
            .count();
        assert_eq!(found, 1, "{code}: {:#?}", evaluation.findings());
        assert_first_in(&text, id, release);
    }
}

#[test]
fn a_deadline_that_has_passed_is_missed_and_contradicts_nothing() {
    let (world, text) = symbolic(
        "\n[group.g.version]\nv1alpha1 = { introduced = \"X\", deprecated = \"X+5\", replacement = \"v1beta1\" }\n\
         v1beta1 = { introduced = \"X\" }\nv1 = { introduced = \"X+4\" }\n",
    );
    let evaluation = evaluated_text(&world, &text);
    let codes: Vec<&str> = evaluation.findings().iter().map(|finding| &*finding.code).collect();
    assert_eq!(codes, ["not-deprecated-in-time"]);
}

/// The gadget of the first version waits for the deprecation of that of the second one, and is due before the widget.
#[test]
fn kinds_of_which_another_version_waits_for_one_are_deprecated_apart() {
    let text = "\n[group.g.version]\nv1beta1 = { introduced = \"X+2\" }\n\
                v2beta1 = { introduced = \"X+4\", replacement = \"v1beta1\" }\n\
                [group.g.kind.Gadget]\n[group.g.kind.Widget]\nversions = [\"v2beta1\"]\n";
    assert_first_in(text, "g/v2beta1", 10);
    let proposed = with_removal(text, "g/v2beta1");
    for (kind, deprecated) in [("Gadget", "X+4"), ("Widget", "X+7")] {
        let own = format!("[group.g.kind.{kind}.version]\nv2beta1 = {{ deprecated = \"{deprecated}\" }}");
        assert!(proposed.contains(&own), "{proposed}");
    }
    assert!(
        proposed.contains("replacement = \"v1beta1\", removed = \"X+10\" }"),
        "{proposed}"
    );
}

/// By itself the widget could be deprecated before the gadget, and before the alpha that it replaces.
#[test]
fn kinds_that_can_only_be_deprecated_together_are_judged_so() {
    let (mut world, text) = symbolic(
        "policy = \"custom.toml\"\n[group.g.version]\n\
         v1alpha1 = { introduced = \"X+5\", replacement = \"v2\" }\n\
         v1beta1 = { introduced = \"X+3\", deprecated = \"X+5\", replacement = \"v2\" }\n\
         v2 = { introduced = \"X+3\" }\n\
         [group.g.kind.Gadget]\nversions = [\"v1beta1\", \"v2\"]\n\
         [group.g.kind.Widget]\nversions = [\"v1alpha1\", \"v2\"]\n",
    );
    let policy = "name = \"custom\"\nextends = \"kubernetes\"\n[rule.version-lifetime]\n\
                  ga = { remove = \"any\", after-deprecation = { months = 0, releases = 1 } }\n";
    let edition = &mut world.editions[0].1;
    (edition.name, edition.text) = ("custom.toml".to_owned(), Some(policy.to_owned()));
    let evaluation = evaluated_text(&world, &text);
    let version = evaluation.model().find("g/v2").expect("it is declared");
    agree(&world, &text, &evaluation, version).expect("all answers agree");
    let soonest = evaluation.reasoning().soonest_end(version).release;
    assert_eq!(
        judged(&world, &text, "g/v2", soonest),
        Some((true, Some("X+8".to_owned())))
    );
}

#[test]
fn a_field_stays_until_a_value_that_it_alone_gets_was_there() {
    let text = "\n[group.g.version]\nv1alpha1 = { introduced = \"X\" }\n[group.g.kind.Widget]\n\
                field.size = {}\nenum.size = { On = { introduced = \"X+5\" } }\n";
    let id = "g/v1alpha1 Widget .size";
    let answers = [5, 6].map(|release| answered(text, id, release));
    let first = "X+6".to_owned();
    assert_eq!(answers, [Some((false, first.clone())), Some((true, first))]);
    let (world, model) = symbolic(text);
    let evaluation = evaluated_text(&world, &model);
    let reachable = ["X+5", "X+6"].map(|by| {
        let report = evaluation.by_when(&[format!("{id}.removed<={by}")]);
        report.expect("it is a target").reachable
    });
    assert_eq!(reachable, [false, true]);
}

/// The end of the gadget is not planned: it outlives the second alpha, so that the beta after it need not.
#[test]
fn a_link_that_stays_outlives_what_it_replaces() {
    let (mut world, text) = symbolic(
        "policy = \"custom.toml\"\n[group.one.version]\nv1beta1 = { introduced = \"X+4\" }\n\
         [group.two.version]\nv1alpha1 = { introduced = \"X+6\", deprecated = \"X+6\", replacement = \"one/v1beta1\" }\n\
         v2alpha1 = { introduced = \"X+4\", deprecated = \"X+4\", replacement = \"two/v1alpha1\" }\n\
         [group.two.kind.Gadget]\nversions = [\"v1alpha1\"]\n",
    );
    let policy = "name = \"custom\"\nextends = \"kubernetes\"\n[rule.version-lifetime]\n\
                  beta = { deprecate-within = { months = 0, releases = 0 }, \
                  after-deprecation = { months = 0, releases = 1 }, remove-within = { months = 0, releases = 1 } }\n";
    let edition = &mut world.editions[0].1;
    (edition.name, edition.text) = ("custom.toml".to_owned(), Some(policy.to_owned()));
    let evaluation = evaluated_text(&world, &text);
    let version = evaluation.model().find("one/v1beta1").expect("it is declared");
    agree(&world, &text, &evaluation, version).expect("all answers agree");
    let soonest = evaluation.reasoning().soonest_end(version).release;
    assert_eq!(evaluation.model().calendar.name(soonest), "X+5");
}

/// Whether a finding is about a replacement for a deprecation that is not declared yet.
fn will_break_the_rule(finding: &Diagnostic) -> bool {
    let is_declared = finding.event.as_ref().is_some_and(|event| event.declared.is_some());
    finding.rule == "version-replacement" && !is_declared
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn every_answer_about_what_is_replaced_names_the_same_soonest_removal(
        world in world(),
        choices in prop::collection::vec((0_usize..8, prop::bool::weighted(0.4)), 12),
        at in any::<Index>(),
    ) {
        let text = with_replacements(&world, &choices);
        let evaluation = evaluated_text(&world, &text);
        let mut findings = evaluation.findings().iter();
        // Where replacements that are declared form a cycle, each of them is deprecated before another one.
        prop_assume!(!findings.any(|finding| finding.code == "cycle" && !will_break_the_rule(finding)));
        let ids = evaluation.model().elements().map(|(id, _)| id);
        let open: Vec<ElementId> = ids
            .filter(|id| is_open_but_for(&evaluation, *id, will_break_the_rule))
            .collect();
        prop_assume!(!open.is_empty());
        agree(&world, &text, &evaluation, *at.get(&open))?;
    }
}
