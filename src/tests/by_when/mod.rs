//! Ways to targets: by when each event on them has to happen.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

mod answers;
mod clashes;
mod declared;
mod law_changes;
mod parts;
mod search;

use lifecycle::model::EventKind;
use proptest::prelude::*;
use proptest::sample::Index;

use super::rich::rich;
use super::worlds::{cases, evaluated_text, load_supposing, world};
use search::ask;

fn target() -> impl Strategy<Value = (Index, EventKind, u32)> {
    let what = prop_oneof![4 => Just(EventKind::Removed), 1 => Just(EventKind::Deprecated)];
    (any::<Index>(), what, 0_u32..6)
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn by_when_agrees_with_a_search(world in world(), asked in target()) {
        let text = world.text();
        evaluated_text(&world, &text);
        ask(&world, &text, asked)?;
    }

    #[test]
    fn by_when_agrees_with_a_search_over_rich_models(rich in rich(), asked in target()) {
        ask(&rich.world, &rich.text, asked)?;
    }

    #[test]
    fn the_soonest_release_of_a_target_out_of_reach_can_be_reached(rich in rich(), asked in target()) {
        let Ok(before) = load_supposing(&rich.world, &rich.text, None, &[]) else {
            return Ok(());
        };
        let (at, what, later) = asked;
        let ids: Vec<&str> = before.model().ids().collect();
        let event = format!("{}.{what}", ids[at.index(ids.len())]);
        let by = before.model().calendar.name(before.model().calendar.next().plus(later));
        let Ok(report) = before.by_when(&[format!("{event}<={by}")]) else {
            return Ok(());
        };
        let target = &report.targets[0];
        if let Some(soonest) = target.soonest.filter(|_| !target.reachable) {
            let instead = format!("{event}<={}", soonest.release);
            let asked_again = before.by_when(std::slice::from_ref(&instead)).expect("a target");
            prop_assert!(asked_again.reachable, "{instead}: {asked_again:#?}\n{report:#?}");
            let command = report.ask_instead.as_ref();
            prop_assert!(command.is_some_and(|command| command.contains(&instead)), "{command:?}");
        }
    }
}
