//! Findings that are known stay known when only the calendar changes.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::collections::BTreeSet;

use lifecycle::Sources;
use lifecycle::baseline::{Baseline, Finder};
use lifecycle::diagnostic::Diagnostic;
use lifecycle::{Diagnostics, Document, FileId};
use proptest::prelude::*;

use super::proposals::evaluated;
use super::rich::rich;
use super::worlds::{cases, load};

/// Rule, element, event and life of a finding.
type About = (&'static str, Option<String>, Option<String>, u8);

fn about(finding: &Diagnostic) -> About {
    let event = finding.event.as_ref().map(|event| event.what.to_string());
    (finding.rule, finding.element.clone(), event, finding.life)
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn no_change_of_the_calendar_alone_makes_a_known_finding_new(rich in rich()) {
        let Some(before) = evaluated(&rich) else { return Ok(()) };
        let text = Baseline::write(Finder::Check, before.findings().iter());
        let mut errors = Diagnostics::default();
        let baseline = Baseline::read(Finder::Check, &Document::parse(FileId(7), &text), &mut errors);
        prop_assert!(errors.is_empty(), "{:?}", errors.into_vec());
        let known: BTreeSet<About> = before.findings().iter().map(about).collect();
        for later in &rich.later {
            let Ok(mut after) = load(&rich.world, later, None) else { continue };
            after.mark_suppressed("baseline.toml", &baseline);
            let new = after.findings().iter().filter(|finding| finding.known.is_none());
            let again: Vec<&Diagnostic> = new.filter(|finding| known.contains(&about(finding))).collect();
            prop_assert!(again.is_empty(), "{again:#?}\n{later}\n{text}");

            let mut after = load(&rich.world, later, None).expect("it was read before");
            let report = after.what_if(&Sources::new(), &before, Vec::new());
            let illegal = report.illegal.iter().chain(&report.findings);
            let again = illegal.filter(|finding| {
                let mut same = before.findings().iter();
                same.any(|known| {
                    (known.rule, &*known.code, known.element.as_deref())
                        == (finding.rule, &*finding.code, finding.element.as_deref())
                        && known.message == finding.message
                })
            });
            prop_assert_eq!(again.count(), 0);
        }
    }
}
