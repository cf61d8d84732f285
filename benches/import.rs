//! What importing a definition of a custom resource costs beside parsing it alone.
//!
//! `cargo bench --bench import` makes a definition of about a megabyte and times, in turn, reading its YAML into an untyped
//! value, and all that `lifecycle import crds --fields all` does with it: reading, folding, writing the model. The figure that
//! counts is the ratio of the two; absolute times depend on the machine.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run says why and ends")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use lifecycle::import::crds::read;
use lifecycle::import::history::{Parts, Shipped, fold};
use lifecycle::import::{Draft, Snapshot, write};
use lifecycle::release::ReleaseName;

/// Runs of each; the median counts.
const RUNS: usize = 21;

/// Bytes of the definition.
const SIZE: usize = 1_000_000;

#[expect(clippy::print_stdout, reason = "a benchmark's answer is its output")]
fn main() {
    let text = definition();
    for parts in [Parts::Changed, Parts::All] {
        let mut pairs = Vec::new();
        for run in 0..=RUNS {
            let parse = time(|| parse(&text));
            let import = time(|| import(&text, parts));
            // The first run only warms the caches.
            if run > 0 {
                pairs.push((parse, import));
            }
        }
        let mut ratios: Vec<f64> = pairs
            .iter()
            .map(|(parse, import)| import.as_secs_f64() / parse.as_secs_f64())
            .collect();
        ratios.sort_by(f64::total_cmp);
        println!(
            "{} bytes, {parts:?}: parse {:.1?}, import {:.1?}, ratio {:.2}",
            text.len(),
            median(pairs.iter().map(|(parse, _)| *parse)),
            median(pairs.iter().map(|(_, import)| *import)),
            ratios[ratios.len() / 2]
        );
    }
}

fn parse(text: &str) {
    let value: serde_json::Value = serde_saphyr::from_str(text).expect("the definition is YAML");
    black_box(value);
}

fn import(text: &str, parts: Parts) {
    let mut snapshot = Snapshot::default();
    for definition in read(text).expect("the definition can be read").definitions {
        let added = snapshot.add(&definition.group, &definition.kind, definition.resource);
        added.expect("there is one");
    }
    let shipped = Shipped {
        release: ReleaseName::new(1, 0),
        date: None,
        snapshot,
    };
    black_box(write(&fold(Draft::default(), &[shipped], parts).draft));
}

/// A definition as generators write them: two versions, fields some steps deep, most of it descriptions.
fn definition() -> String {
    let mut text = String::from(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  names:\n    \
         kind: Widget\n    plural: widgets\n  versions:\n",
    );
    for (version, storage) in [("v1beta1", false), ("v1", true)] {
        let _ = write!(
            text,
            "  - name: {version}\n    served: true\n    storage: {storage}\n    schema:\n      openAPIV3Schema:\n        \
             type: object\n        properties:\n"
        );
        let end = if storage { SIZE } else { SIZE / 2 };
        for part in 0.. {
            if text.len() >= end {
                break;
            }
            let _ = write!(
                text,
                "          part{part}:\n            type: object\n            properties:\n"
            );
            for field in 0..12 {
                let _ = write!(
                    text,
                    "              field{field}:\n                description: |-\n                  Field {field} of part {part} says \
                     how large the widget is on that side.\n                  Defaults to what was there before.\n                \
                     type: string\n                enum:\n                - Small\n                - Large\n"
                );
            }
        }
    }
    text
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn time(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    times[times.len() / 2]
}
