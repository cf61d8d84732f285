//! What the engine finds and plans for flags, behaviors, gates and metrics, beside what the oracle says.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::collections::BTreeSet;

use lifecycle::evaluate::Evaluation;
use lifecycle::model::{Event, EventKind};
use lifecycle::release::Release;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::oracle::others::metrics::{Class, Metric};
use super::oracle::others::{Product, Verdicts, Year, product};
use super::soonest::judged;
use super::worlds::{cases, evaluated_text};

/// The rules that the oracle speaks of.
const JUDGED: [&str; 6] = [
    "user-cli-lifetime",
    "admin-cli-lifetime",
    "behavior-lifetime",
    "gate-lifetime",
    "metric-lifetime",
    "metric-deprecation",
];

fn evaluated_product(product: &Product) -> Evaluation {
    evaluated_text(&product.world(), &product.text())
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn what_is_found_is_what_the_oracle_says(product in product()) {
        let evaluation = evaluated_product(&product);
        let findings = evaluation.findings().iter().filter(|finding| JUDGED.contains(&finding.rule));
        let found: Verdicts = findings
            .map(|finding| {
                let element = finding.element.clone().unwrap_or_default();
                (finding.rule.to_owned(), finding.code.to_string(), element)
            })
            .collect();
        prop_assert_eq!(found, product.verdicts());
    }

    #[test]
    fn what_is_planned_is_what_the_oracle_says(product in product()) {
        let evaluation = evaluated_product(&product);
        for (id, ends) in product.ends() {
            let element = evaluation.model().find(&id).expect("the element is declared");
            let found = [EventKind::Deprecated, EventKind::Hidden, EventKind::Removed].map(|what| {
                let release = evaluation.reasoning().release(Event::new(element, 0, what))?;
                Some(release.0 as usize)
            });
            prop_assert_eq!(found, ends, "{}", id);
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn what_may_be_removed_is_what_the_oracle_says(product in product(), at in any::<Index>(), later in 0_usize..4) {
        let all: Vec<(String, usize)> = product.soonest_removals().into_iter().collect();
        prop_assume!(!all.is_empty());
        let (id, soonest) = at.get(&all);
        let (world, text) = (product.world(), product.text());
        let named = |release: usize| Some(release).filter(|release| product.dates.nameable(*release));
        let before = soonest.min(&(product.dates.floor() + 9)).saturating_sub(1);
        for release in [named(soonest.saturating_add(later)), named(before)].into_iter().flatten() {
            let position = Release(u32::try_from(release).expect("calendars are small"));
            if let Some((allowed, said)) = judged(&world, &text, id, position) {
                if let Some(outlasts) = product.outlasts_its_dependency(id, release) {
                    let expected = release >= *soonest && !outlasts;
                    prop_assert_eq!(allowed, expected, "{} in {}", id, product.dates.name(release));
                }
                let expected = named(*soonest).map(|soonest| product.dates.name(soonest));
                prop_assert!(expected.is_none() || said == expected, "{id}: {said:?}, not {expected:?}");
            }
        }
    }
}

/// How many of so many products have something.
fn having(all: &[Product], what: impl Fn(&Product) -> bool) -> usize {
    all.iter().filter(|product| what(product)).count()
}

#[test]
fn the_products_of_the_oracle_have_all_that_is_hard() {
    let mut runner = TestRunner::new(cases(256));
    let strategy = product();
    let all: Vec<Product> = (0..400)
        .map(|_| strategy.new_tree(&mut runner).expect("a product").current())
        .collect();
    let metrics = |product: &Product, what: fn(&Metric) -> bool| product.metrics.iter().any(what);
    let counts = [
        having(&all, |product| {
            metrics(product, |metric| {
                metric.hidden.is_some() && metric.deprecated.is_empty()
            })
        }),
        having(&all, |product| {
            product.year == Year::Y2021
                && metrics(product, |metric| metric.classes.iter().any(|at| at.0 == Class::Beta))
        }),
        having(&all, |product| {
            metrics(product, |metric| {
                let class = metric.classes[0].0;
                let rest = metric.classes.iter().skip_while(|at| at.0 == class);
                rest.skip(1).any(|at| at.0 == class)
            })
        }),
        having(&all, |product| metrics(product, |metric| metric.deprecated.len() > 1)),
        having(&all, |product| {
            product.gates.iter().any(|gate| gate.depends_on.is_some())
        }),
        having(&all, |product| {
            product
                .gates
                .iter()
                .any(|gate| gate.removed < gate.entries.last().map(|last| last.since))
        }),
    ];
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
    let codes: BTreeSet<(String, String)> = all
        .iter()
        .flat_map(Product::verdicts)
        .map(|(rule, code, _)| (rule, code))
        .collect();
    assert!(codes.len() > 18, "{codes:?}");
}
