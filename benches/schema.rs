//! What comparing two CRDs costs compared with parsing them alone.
//!
//! `cargo bench --bench schema` makes two CRDs of 1.7 MB each that differ in some places, and times, in turn, reading
//! the YAML of both into untyped values, and all that `lifecycle diff` does with them: reading, comparing, judging. The
//! figure that counts is the ratio of the two; absolute times depend on the machine.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run says why and ends")]

mod timing;

use std::fmt::Write as _;
use std::hint::black_box;

use lifecycle::compat::{CrdSource, State};
use lifecycle::evaluate::{Diff, builtin_policy};
use lifecycle::policy::Policy;
use lifecycle::schema::read;
use timing::{median, time};

/// Runs of each; the median counts.
const RUNS: usize = 21;

/// Bytes of a definition.
const SIZE: usize = 1_700_000;

#[expect(clippy::print_stdout, reason = "a benchmark's answer is its output")]
fn main() {
    let policy = builtin_policy("kubernetes").expect("it is built in");
    let old = definition(0);
    for (words, new) in [("the same", definition(0)), ("one field in 12 changed", definition(1))] {
        let mut pairs = Vec::new();
        let mut changes = 0;
        for run in 0..=RUNS {
            let parsed = time(|| {
                parse(&old);
                parse(&new);
            });
            let compared = time(|| changes = compare(&old, &new, &policy));
            // The first run only warms the caches.
            if run > 0 {
                pairs.push((parsed, compared));
            }
        }
        let ratios = pairs
            .iter()
            .map(|(parsed, compared)| compared.as_secs_f64() / parsed.as_secs_f64());
        let mut ratios: Vec<f64> = ratios.collect();
        ratios.sort_by(f64::total_cmp);
        println!(
            "2 × {} bytes, {words}: {changes} changes, parse {:.1?}, diff {:.1?}, ratio {:.2}",
            old.len(),
            median(pairs.iter().map(|(parsed, _)| *parsed)),
            median(pairs.iter().map(|(_, compared)| *compared)),
            ratios[ratios.len() / 2]
        );
    }
}

fn parse(text: &str) {
    let value: serde_json::Value = serde_saphyr::from_str(text).expect("the definition is YAML");
    black_box(value);
}

/// How many changes there are.
fn compare(old: &str, new: &str, policy: &Policy) -> usize {
    let (old, new) = (
        read(old).expect("it can be read").definitions,
        read(new).expect("it can be read").definitions,
    );
    let side = |definition| CrdSource {
        file: "widgets.yaml",
        definition,
    };
    let old: Vec<CrdSource<'_>> = old.iter().map(side).collect();
    let new: Vec<CrdSource<'_>> = new.iter().map(side).collect();
    let [old, new] = [old, new].map(|definitions| State {
        definitions,
        ..State::default()
    });
    let diff = Diff::new(&old, &new, policy, None).expect("they can be compared");
    black_box(&diff);
    diff.judgements.len()
}

/// A definition as generators write them: fields some steps deep, most of it descriptions; one field in twelve has a
/// bound.
fn definition(bound: usize) -> String {
    let mut text = String::from(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  names:\n    \
         kind: Widget\n    plural: widgets\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    \
         schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n",
    );
    for part in 0.. {
        if text.len() >= SIZE {
            break;
        }
        let _ = write!(
            text,
            "          part{part}:\n            type: object\n            properties:\n"
        );
        for field in 0..12 {
            let least = if field == 0 { bound } else { 0 };
            let _ = write!(
                text,
                "              field{field}:\n                description: |-\n                  Field {field} of part {part} says \
                 how large the widget is on that side.\n                  Defaults to what was there before.\n                \
                 type: string\n                minLength: {least}\n                enum:\n                - Small\n                \
                 - Large\n"
            );
        }
    }
    text
}
