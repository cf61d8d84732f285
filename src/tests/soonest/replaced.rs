//! Replacements that break a rule are found before any deprecation is declared, and delay nothing.

use lifecycle::model::ElementId;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::tests::replacements::with_replacements;
use crate::tests::worlds::{cases, evaluated_text, world};

use super::{agree, assert_first_in, is_open_but_for, symbolic};

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
    for (text, id, code, release) in [
        (unknown, "g/v1beta1", "unknown", 7),
        (less_stable, "g/v1beta1", "less-stable", 7),
        (before, "g/v1beta1", "deprecated-before", 7),
        (cycle, "g/v1beta1", "cycle", 7),
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
        let ids = evaluation.model().elements().map(|(id, _)| id);
        let open: Vec<ElementId> = ids
            .filter(|id| is_open_but_for(&evaluation, *id, |finding| finding.rule == "version-replacement"))
            .collect();
        prop_assume!(!open.is_empty());
        agree(&world, &text, &evaluation, *at.get(&open))?;
    }
}
