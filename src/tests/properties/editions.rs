//! Editions in turn.

use proptest::prelude::*;

use crate::tests::worlds::{At, Edition, built_ins, cases, world_under};

use super::plan::{judges_a_replacement, with_plan_declared};
use super::{all_ends, errors, evaluated};

/// An older edition, then a newer one.
fn editions_in_turn() -> impl Strategy<Value = Vec<(At, Edition)>> {
    let [of_2022, of_2025, of_2019, of_2021] = built_ins();
    let pairs = vec![
        (of_2019.clone(), of_2021),
        (of_2019.clone(), of_2022.clone()),
        (of_2019, of_2025.clone()),
        (of_2022, of_2025),
    ];
    (prop::sample::select(pairs), 1_usize..8).prop_map(|((first, second), from)| vec![(0, first), (from, second)])
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn check_accepts_what_plan_proposes_under_editions_in_turn(mut world in world_under(editions_in_turn())) {
        prop_assume!(world.dates.listed() > 1);
        world.editions[1].0 = 1 + world.editions[1].0 % (world.dates.listed() - 1);
        let evaluation = evaluated(&world);
        prop_assume!(evaluation.assignment().contradictions.is_empty());
        let declared = with_plan_declared(&world, &evaluation);
        let (before, after) = (errors(&evaluation), errors(&evaluated(&declared)));
        let new: Vec<_> = after.difference(&before).filter(|(rule, ..)| !judges_a_replacement(&world, rule)).collect();
        prop_assert!(new.is_empty(), "{:?}\n{}\nbecame\n{}", new, world.text(), declared.text());
    }

    #[test]
    fn the_plan_under_editions_in_turn_is_what_the_oracle_says(mut world in world_under(editions_in_turn())) {
        prop_assume!(world.dates.listed() > 1);
        world.editions[1].0 = 1 + world.editions[1].0 % (world.dates.listed() - 1);
        let evaluation = evaluated(&world);
        prop_assume!(evaluation.assignment().contradictions.is_empty());
        let found = all_ends(&evaluation, &world);
        for (id, ends) in &world.ends() {
            prop_assert_eq!(ends, &found[id], "{}\n{}", id, world.text());
        }
    }
}
