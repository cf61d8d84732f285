//! Against which of several proposed removals a finding counts that is about none of them.
//!
//! They are tried in halves: a finding that one half adds counts against that half. What only both add together counts
//! against all of them.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostic, RuleId};
use crate::model::ElementId;

use super::added::added;
use super::removal::{Removal, withdrawn};
use super::{Evaluation, Supposition};

/// How many times a model is evaluated at most. What is not told apart by then counts against all that it may be
/// caused by.
const TRIALS: usize = 64;

/// What a finding is, without the releases that its message names: rule, code, element, and life.
type Key = (RuleId, String, Option<String>, u8);

/// The removals that cause findings.
#[derive(Debug, Default)]
pub(super) struct Charges(HashMap<Key, HashSet<ElementId>>);

impl Charges {
    /// Tells apart which of the removals cause these findings. `evaluate` reads the model with suppositions, and
    /// `before` is the model without the removals.
    ///
    /// # Errors
    ///
    /// If the model has errors.
    pub(super) fn of<'f>(
        findings: impl Iterator<Item = &'f Diagnostic>,
        removals: &[Removal],
        before: &Evaluation,
        evaluate: impl Fn(&[Supposition]) -> Result<Evaluation, Vec<Diagnostic>>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let keys: HashSet<Key> = findings.map(key).collect();
        let mut charges = Self::default();
        let mut open = vec![(removals, keys)];
        let mut trials = 0;
        while let Some((tried, mut keys)) = open.pop() {
            if tried.len() > 1 && !keys.is_empty() && trials < TRIALS {
                let (first, second) = tried.split_at(tried.len() / 2);
                let mut told_apart = HashSet::new();
                for half in [first, second] {
                    trials += 1;
                    let others = removals.iter().filter(|removal| !half.contains(removal));
                    let suppositions: Vec<Supposition> = withdrawn(others).chain(before.trial(half)).collect();
                    let trial = added(evaluate(&suppositions)?.findings, before);
                    let caused: HashSet<Key> = trial.iter().map(key).filter(|key| keys.contains(key)).collect();
                    told_apart.extend(caused.iter().cloned());
                    open.push((half, caused));
                }
                keys.retain(|key| !told_apart.contains(key));
            }
            for key in keys {
                charges
                    .0
                    .entry(key)
                    .or_default()
                    .extend(tried.iter().map(|removal| removal.element));
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
