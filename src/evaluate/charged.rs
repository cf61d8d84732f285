//! Against which of several proposed removals a finding counts that is about none of them.
//!
//! They are tried in halves: a finding that one half adds counts against that half. What only both add together counts
//! against all of them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::diagnostic::{Diagnostic, RuleId};
use crate::model::ElementId;

/// How many trials there are at most. What is not told apart by then counts against all that it may be
/// caused by.
const TRIALS: usize = 64;

/// What a finding is, without the releases that its message names: rule, code, element, and life.
type Key = (RuleId, String, Option<String>, u8);

/// The removals that cause findings.
#[derive(Debug, Default)]
pub(super) struct Charges(HashMap<Key, HashSet<ElementId>>);

impl Charges {
    /// Tells apart the removals of which elements cause these findings. `trial` returns what the removals of some of
    /// them add, by their positions.
    ///
    /// # Errors
    ///
    /// Those of a trial.
    pub(super) fn of<'f, E>(
        findings: impl Iterator<Item = &'f Diagnostic>,
        elements: &[ElementId],
        trial: impl Fn(Range<usize>) -> Result<Vec<Diagnostic>, E>,
    ) -> Result<Self, E> {
        let mut charges = Self::default();
        let mut open = vec![(0..elements.len(), findings.map(key).collect::<HashSet<Key>>())];
        let mut trials = 0;
        while let Some((tried, mut keys)) = open.pop() {
            if tried.len() > 1 && !keys.is_empty() && trials < TRIALS {
                let middle = tried.start.midpoint(tried.end);
                let mut told_apart = HashSet::new();
                for half in [tried.start..middle, middle..tried.end] {
                    trials += 1;
                    let added = trial(half.clone())?;
                    let caused: HashSet<Key> = added.iter().map(key).filter(|key| keys.contains(key)).collect();
                    told_apart.extend(caused.iter().cloned());
                    open.push((half, caused));
                }
                keys.retain(|key| !told_apart.contains(key));
            }
            for key in keys {
                charges.0.entry(key).or_default().extend(&elements[tried.clone()]);
            }
        }
        Ok(charges)
    }

    /// Whether a finding counts against the removal of an element.
    pub(super) fn is_against(&self, finding: &Diagnostic, element: ElementId) -> bool {
        let causes = self.0.get(&key(finding));
        causes.is_none_or(|causes| causes.contains(&element))
    }
}

fn key(finding: &Diagnostic) -> Key {
    let code = finding.code.to_string();
    (finding.rule, code, finding.element.clone(), finding.life)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Against which of eight removals a finding counts that all of `causes` have to be made for.
    fn charged(causes: &[usize]) -> Vec<usize> {
        let finding = Diagnostic::error("version-lifetime", "early", "too early");
        let elements: Vec<ElementId> = (0..8).map(ElementId).collect();
        let charges = Charges::of(std::iter::once(&finding), &elements, |half| {
            let is_caused = causes.iter().all(|cause| half.contains(cause));
            Ok::<_, Infallible>(if is_caused { vec![finding.clone()] } else { Vec::new() })
        });
        let Ok(charges) = charges;
        let against = elements.iter().enumerate();
        let against = against.filter(|(_, element)| charges.is_against(&finding, **element));
        against.map(|(position, _)| position).collect()
    }

    #[test]
    fn a_finding_counts_against_the_removal_that_causes_it() {
        for cause in 0..8 {
            assert_eq!(charged(&[cause]), [cause]);
        }
    }

    #[test]
    fn what_several_cause_together_counts_against_all_that_were_tried_with_them() {
        assert_eq!(charged(&[4, 5]), [4, 5]);
        assert_eq!(charged(&[4, 6]), [4, 5, 6, 7]);
        assert_eq!(charged(&[0, 7]), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
