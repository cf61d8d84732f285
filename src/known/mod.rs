//! Which findings are no news: those that the base of a change has too, and those that a project has put aside.
//!
//! Two findings are the same if they are of one rule and code and about one element. One that has become graver, or
//! misses its bound by more releases than before, is news.

mod baseline;

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Known, Severity};

pub use baseline::Baseline;

/// A finding as it was before.
#[derive(Debug, Clone)]
struct Before {
    message: String,
    severity: Severity,
    missed_by: Option<u32>,
}

/// What is the same before and after: rule, code and subject.
pub type Identity = (String, String, String);

/// What a finding is about, whatever line it stands on.
pub fn identity(finding: &Diagnostic) -> Identity {
    let subject = finding.element.as_ref().unwrap_or(&finding.message);
    (finding.rule.to_owned(), finding.code.to_string(), subject.clone())
}

/// Marks the findings that the base of a change has too.
pub fn mark_base(findings: &mut [Diagnostic], base: &[Diagnostic]) {
    let before = base.iter().map(|finding| {
        let before = Before {
            message: finding.message.clone(),
            severity: finding.severity,
            missed_by: finding.missed_by,
        };
        (identity(finding), before)
    });
    mark(findings, before, Known::Base);
}

/// Marks findings by what was there before, one for one. What nothing matched is handed back, by its position.
fn mark(findings: &mut [Diagnostic], before: impl Iterator<Item = (Identity, Before)>, known: Known) -> Vec<usize> {
    let mut open: HashMap<Identity, Vec<(usize, Before)>> = HashMap::new();
    for (position, (identity, before)) in before.enumerate() {
        open.entry(identity).or_default().push((position, before));
    }
    for finding in findings.iter_mut().filter(|finding| finding.known.is_none()) {
        let Some(candidates) = open.get_mut(&identity(finding)) else {
            continue;
        };
        let no_worse = |before: &Before| {
            finding.severity <= before.severity
                && finding.missed_by.unwrap_or(0) <= before.missed_by.unwrap_or(u32::MAX)
        };
        let alike = |(_, before): &(usize, Before)| before.message == finding.message && no_worse(before);
        let at = candidates
            .iter()
            .position(alike)
            .or_else(|| candidates.iter().position(|(_, before)| no_worse(before)));
        if let Some(at) = at {
            candidates.remove(at);
            finding.known = Some(known);
        }
    }
    let mut left: Vec<usize> = open.into_values().flatten().map(|(position, _)| position).collect();
    left.sort_unstable();
    left
}
