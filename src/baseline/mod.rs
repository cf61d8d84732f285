//! Which findings are no news: those that the base of a change has too, and those that a project has put aside.
//!
//! Two findings are the same if they are of one rule and code and about one element. One that has become graver, or
//! misses its bound by more releases than before, is news.

mod file;

use std::collections::HashMap;
use std::fmt;

use crate::diagnostic::{Diagnostic, Known, Severity};
use crate::report::ComparedReport;

pub use file::{Baseline, Finder, PAGE};

/// A finding as it was before.
#[derive(Debug, Clone)]
struct Before {
    message: String,
    severity: Severity,
    life: u8,
    missed_by: Option<u32>,
}

impl Before {
    /// Whether a finding is this one, and no worse. Of findings that miss a bound the sentence may differ; others that
    /// say something else are others.
    fn stands_for(&self, finding: &Diagnostic, exact: bool) -> bool {
        let misses = match (self.missed_by, finding.missed_by) {
            (Some(before), Some(now)) => now <= before,
            _ => exact,
        };
        let same = !exact || self.message == finding.message;
        same && misses && finding.life == self.life && finding.severity <= self.severity
    }
}

/// What a finding is about, whatever line it stands on: the same before and after.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// The rule, or the kind of fault.
    pub rule: String,
    /// Which of its findings.
    pub code: String,
    /// The element; of what is about none, the message.
    pub subject: String,
}

impl Identity {
    /// What a finding is about.
    pub fn of(finding: &Diagnostic) -> Self {
        let subject = finding.element.as_ref().unwrap_or(&finding.message);
        Self {
            rule: finding.rule.to_owned(),
            code: finding.code.to_string(),
            subject: subject.clone(),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.rule, self.code, self.subject)
    }
}

/// Marks the findings that the base of a change has too.
pub fn mark_base(findings: &mut [Diagnostic], base: &[Diagnostic]) {
    let before = base.iter().map(|finding| {
        let before = Before {
            message: finding.message.clone(),
            severity: finding.severity,
            life: finding.life,
            missed_by: finding.missed_by,
        };
        (Identity::of(finding), before)
    });
    mark(findings, before, Known::Base);
}

/// What findings were held against, and how many of them are no news; `None` if there is neither a base nor a baseline.
/// `base` and `baseline` are what the user calls them.
pub fn compared(findings: &[Diagnostic], base: Option<&str>, baseline: Option<&str>) -> Option<ComparedReport> {
    let known = |how| findings.iter().filter(|finding| finding.known == Some(how)).count();
    (base.is_some() || baseline.is_some()).then(|| ComparedReport {
        base: base.map(str::to_owned),
        known_in_base: known(Known::Base),
        baseline: baseline.map(str::to_owned),
        suppressed: known(Known::Baseline),
    })
}

/// Marks findings by what was there before, one for one. What nothing matched is handed back, by its position.
fn mark(findings: &mut [Diagnostic], before: impl Iterator<Item = (Identity, Before)>, known: Known) -> Vec<usize> {
    let mut open: HashMap<Identity, Vec<(usize, Before)>> = HashMap::new();
    for (position, (identity, before)) in before.enumerate() {
        open.entry(identity).or_default().push((position, before));
    }
    // What says the same is the same; only then may one that changed be what another one was.
    let mut matched = vec![false; findings.len()];
    for exact in [true, false] {
        for (finding, matched) in findings.iter_mut().zip(&mut matched).filter(|(_, matched)| !**matched) {
            let Some(candidates) = open.get_mut(&Identity::of(finding)) else {
                continue;
            };
            let same = |(_, before): &(usize, Before)| before.stands_for(finding, exact);
            if let Some(at) = candidates.iter().position(same) {
                candidates.remove(at);
                // What the base has too may be put aside as well.
                finding.known.get_or_insert(known);
                *matched = true;
            }
        }
    }
    let mut left: Vec<usize> = open.into_values().flatten().map(|(position, _)| position).collect();
    left.sort_unstable();
    left
}
