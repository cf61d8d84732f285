//! Findings that are not new: those that the base of a change has too, and those that a baseline file lists.
//!
//! Two findings are the same if rule, code and element are. A finding that became more severe, or misses its bound by
//! more releases, is new.

mod file;

use std::collections::HashMap;
use std::fmt;

use crate::diagnostic::{Diagnostic, Known, Severity};
use crate::report::ComparedReport;

pub(crate) use file::PAGE;
pub(crate) use file::Severities;
pub use file::{Baseline, Finder, Suppressions};

#[derive(Debug, Clone, PartialEq)]
struct Before {
    message: String,
    severity: Severity,
    life: u8,
    missed_by: Option<u32>,
}

impl Before {
    fn of(finding: &Diagnostic) -> Self {
        Self {
            message: finding.message.clone(),
            severity: finding.severity,
            life: finding.life,
            missed_by: finding.missed_by,
        }
    }

    /// Whether a finding is this one, and not worse. The message may differ only if the finding misses a bound.
    fn matches(&self, now: &Self, exact: bool) -> bool {
        let misses = match (self.missed_by, now.missed_by) {
            (Some(before), Some(now)) => now <= before,
            _ => exact,
        };
        let same = !exact || self.message == now.message;
        same && misses && now.life == self.life && now.severity <= self.severity
    }
}

/// The identity of a finding, independent of its line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Identity {
    /// The rule, or the page.
    pub(crate) rule: String,
    pub(crate) code: String,
    /// The element; without one, the message.
    pub(crate) subject: String,
}

impl Identity {
    pub(crate) fn of(finding: &Diagnostic) -> Self {
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
pub(crate) fn mark_base(findings: &mut [Diagnostic], base: &[Diagnostic]) {
    let before = base.iter().map(|finding| (Identity::of(finding), Before::of(finding)));
    mark(findings, before, Known::Base);
}

/// The base and the baseline with the numbers of findings that they have too; `None` without both. The names are the
/// user's.
pub(crate) fn compared<'d>(
    findings: impl Iterator<Item = &'d Diagnostic> + Clone,
    base: Option<&str>,
    baseline: Option<&str>,
) -> Option<ComparedReport> {
    (base.is_some() || baseline.is_some()).then(|| ComparedReport {
        base: base.map(str::to_owned),
        known_in_base: count(findings.clone(), Known::Base),
        baseline: baseline.map(str::to_owned),
        suppressed: count(findings, Known::Baseline),
    })
}

fn count<'d>(findings: impl Iterator<Item = &'d Diagnostic>, known: Known) -> usize {
    findings.filter(|finding| finding.known == Some(known)).count()
}

/// Marks findings that were there before, one for one. Returns which ones, and the positions of earlier ones that
/// nothing matched.
fn mark(
    findings: &mut [Diagnostic],
    before: impl Iterator<Item = (Identity, Before)>,
    known: Known,
) -> (Vec<bool>, Vec<usize>) {
    let now: Vec<_> = findings
        .iter()
        .map(|finding| (Identity::of(finding), Before::of(finding)))
        .collect();
    let (matched, left) = pair(&now, before);
    for (finding, _) in findings.iter_mut().zip(&matched).filter(|(_, matched)| **matched) {
        // The baseline may list a finding that the base has too.
        finding.known.get_or_insert(known);
    }
    (matched, left)
}

/// Pairs findings with earlier ones, one for one. Returns which of them have one, and the positions of the earlier ones
/// that are left.
fn pair(now: &[(Identity, Before)], before: impl Iterator<Item = (Identity, Before)>) -> (Vec<bool>, Vec<usize>) {
    let mut open: HashMap<Identity, Vec<(usize, Before)>> = HashMap::new();
    for (position, (identity, before)) in before.enumerate() {
        open.entry(identity).or_default().push((position, before));
    }
    // Equal findings match first, then changed ones.
    let mut matched = vec![false; now.len()];
    for exact in [true, false] {
        for ((identity, now), matched) in now.iter().zip(&mut matched).filter(|(_, matched)| !**matched) {
            let Some(candidates) = open.get_mut(identity) else {
                continue;
            };
            if let Some(at) = candidates.iter().position(|(_, before)| before.matches(now, exact)) {
                candidates.remove(at);
                *matched = true;
            }
        }
    }
    let mut left: Vec<usize> = open.into_values().flatten().map(|(position, _)| position).collect();
    left.sort_unstable();
    (matched, left)
}
