//! Texts that are no models.

use lifecycle::Sources;
use proptest::prelude::*;

use crate::tests::support::{evaluate, evaluate_under};
use crate::tests::worlds::{cases, world};

use super::printed;

/// A change of a text: where, how much goes, what comes instead.
pub type Change = (prop::sample::Index, usize, String);

pub fn change() -> impl Strategy<Value = Change> {
    let words = [
        "",
        "\"",
        "[",
        "]",
        "{",
        "}",
        "=",
        ".",
        ",",
        "\n",
        "X",
        "X+999999999999",
        "\"X+3\"",
        "2021-02-30",
        "never",
        "[]",
        "{}",
        "true",
        "0",
        "-1",
        "18446744073709551616",
        "removed",
        "introduced",
        "lives = [",
        "\u{0}",
        "ß",
        "[group",
        "version",
        "from",
    ];
    let word = prop::sample::select(words.map(str::to_owned).to_vec());
    (any::<prop::sample::Index>(), 0_usize..12, word)
}

pub fn changed(text: &str, changes: &[Change]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (at, length, word) in changes {
        let at = at.index(letters.len().max(1)).min(letters.len());
        let end = (at + length).min(letters.len());
        letters.splice(at..end, word.chars());
    }
    letters.into_iter().collect()
}

/// Evaluates, and looks at everything that comes out of it.
fn survive(text: &str) {
    if let Ok(evaluation) = evaluate(text) {
        printed(&evaluation, text);
        for (element, _) in evaluation.model().elements() {
            let mut sources = Sources::new();
            sources.add("lifecycle.toml", text);
            let _ = evaluation.derivation(&sources, element, None);
        }
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_change_of_a_model_makes_it_panic(world in world(), changes in prop::collection::vec(change(), 1..6)) {
        survive(&changed(&world.text(), &changes));
    }

    #[test]
    fn no_change_of_the_example_makes_it_panic(changes in prop::collection::vec(change(), 1..6)) {
        survive(&changed(include_str!("../../../examples/widget-timeline.toml"), &changes));
    }

    #[test]
    fn no_change_of_a_policy_makes_it_panic(changes in prop::collection::vec(change(), 1..6), world in world()) {
        let policy = changed(include_str!("../../../policies/kubernetes.toml"), &changes);
        let _ = evaluate_under(&policy, &world.text());
    }
}
