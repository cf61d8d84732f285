//! Findings that are not new: those that the base of a change has too, and those that a baseline file lists.
//!
//! Two findings are the same if rule, code, element, event and life are; releases, dates, amounts and messages may
//! differ. A finding that became more severe is new, and so is one that misses its bound by more because its event, or
//! the one that its bound counts from, is declared for another release than before. An event that has shipped breaks
//! its rule once, however far its bound moves.

mod file;

use std::collections::HashMap;
use std::fmt;

use crate::diagnostic::{Diagnostic, Known, Missed, Severity};
use crate::report::ComparedReport;

pub(crate) use file::PAGE;
pub(crate) use file::Reported;
pub use file::{Baseline, Finder, Suppressions};

/// What a finding was like, besides its [`Identity`].
#[derive(Debug, Clone, PartialEq)]
struct Before {
    message: String,
    severity: Severity,
    event: Option<String>,
    /// The releases for which the event is declared, and the one that its bound counts from.
    declared: [Option<String>; 2],
    object: Option<String>,
    life: u8,
    missed_by: Option<Missed>,
    is_shipped: bool,
}

/// When an earlier finding is found again, the strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    /// Nothing differs.
    Exact,
    /// Its message may differ if it misses a bound, and by no more.
    NotWorse,
    /// It is the same finding, whatever its releases and dates are now.
    Same,
}

impl Before {
    fn of(finding: &Diagnostic) -> Self {
        let event = finding.event.as_ref();
        Self {
            message: finding.message.clone(),
            severity: finding.severity,
            event: event.map(|event| event.what.to_string()),
            declared: [
                event.and_then(|event| event.declared.clone()),
                event.and_then(|event| event.counted_from.clone()),
            ],
            object: finding.object.clone(),
            life: finding.life,
            missed_by: finding.missed_by,
            is_shipped: finding.shipped.is_some(),
        }
    }

    fn matches(&self, now: &Self, by: Match) -> bool {
        let is_known = now.life == self.life && now.severity <= self.severity;
        is_known
            && match by {
                Match::Exact => {
                    let is_about = self.is_old() || (self.is_about(now) && self.declared == now.declared);
                    is_about && self.message == now.message && self.missed_by == now.missed_by
                }
                Match::NotWorse => self.is_about(now) && self.both_miss(now) && !self.is_exceeded(now),
                Match::Same if self.is_old() => self.both_miss(now),
                Match::Same => {
                    let is_moved = self.declared != now.declared && self.is_exceeded(now);
                    self.is_about(now) && (!is_moved || self.has_shipped_as(now))
                }
            }
    }

    /// Whether nothing but the message tells it apart: as in entries of baselines that had no events yet.
    fn is_old(&self) -> bool {
        self.event.is_none() && self.object.is_none()
    }

    fn is_about(&self, now: &Self) -> bool {
        (&self.event, &self.object) == (&now.event, &now.object)
    }

    fn both_miss(&self, now: &Self) -> bool {
        self.missed_by.is_some() && now.missed_by.is_some()
    }

    /// Whether a finding is about what has shipped, in the release for which it was declared before.
    fn has_shipped_as(&self, now: &Self) -> bool {
        now.is_shipped && self.declared[0].is_some() && self.declared[0] == now.declared[0]
    }

    /// Whether a finding misses its bound by more than this one did.
    fn is_exceeded(&self, now: &Self) -> bool {
        let both = self.missed_by.zip(now.missed_by);
        both.is_some_and(|(before, now)| now > before)
    }
}

/// The identity of a finding, independent of its line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Identity {
    /// The rule, or the page.
    pub(crate) rule: String,
    pub(crate) code: String,
    /// The element; without one, what else it is about, or the message.
    pub(crate) subject: String,
}

impl Identity {
    pub(crate) fn of(finding: &Diagnostic) -> Self {
        let subject = finding.element.as_ref().or(finding.object.as_ref());
        let subject = subject.unwrap_or(&finding.message);
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
    mark(findings, parts(base), Known::Base, Match::Same);
}

/// Marks the findings of a trial that the base has too, and that are no worse than there.
pub(crate) fn mark_no_worse(findings: &mut [Diagnostic], base: &[Diagnostic]) {
    mark(findings, parts(base), Known::Base, Match::NotWorse);
}

/// Whether a finding that is alike is about the same breach, which has shipped.
pub(crate) fn has_shipped_alike(known: &Diagnostic, finding: &Diagnostic) -> bool {
    let [known, finding] = [known, finding].map(Before::of);
    known.is_about(&finding) && known.has_shipped_as(&finding)
}

/// The findings that the base has too and that miss their bound by more than there.
pub(crate) fn grown<'d>(findings: &'d [Diagnostic], base: &[Diagnostic]) -> Vec<&'d Diagnostic> {
    let before: Vec<_> = parts(base).collect();
    let now: Vec<_> = parts(findings).collect();
    let (pairs, _) = pair(&now, before.iter().cloned(), Match::Same);
    let grown = findings.iter().zip(&now).zip(pairs).filter(|((_, (_, now)), pair)| {
        let before = pair.and_then(|at| before.get(at));
        before.is_some_and(|(_, before)| before.is_exceeded(now))
    });
    grown.map(|((finding, _), _)| finding).collect()
}

/// The findings of the base that are not found again: those with which [`mark_base`] pairs none.
pub(crate) fn resolved<'d>(findings: &[Diagnostic], base: &'d [Diagnostic]) -> Vec<&'d Diagnostic> {
    let now: Vec<_> = parts(findings).collect();
    let (_, left) = pair(&now, parts(base), Match::Same);
    left.into_iter().filter_map(|at| base.get(at)).collect()
}

fn parts(findings: &[Diagnostic]) -> impl Iterator<Item = (Identity, Before)> {
    findings
        .iter()
        .map(|finding| (Identity::of(finding), Before::of(finding)))
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
    by: Match,
) -> (Vec<bool>, Vec<usize>) {
    let now: Vec<_> = parts(findings).collect();
    let (pairs, left) = pair(&now, before, by);
    let matched: Vec<bool> = pairs.iter().map(Option::is_some).collect();
    for (finding, _) in findings.iter_mut().zip(&matched).filter(|(_, matched)| **matched) {
        // The baseline may list a finding that the base has too.
        finding.known.get_or_insert(known);
    }
    (matched, left)
}

/// Pairs findings with earlier ones, one for one: those that match most closely first. Returns the position of the
/// earlier one of each, and the positions of those that are left.
fn pair(
    now: &[(Identity, Before)],
    before: impl Iterator<Item = (Identity, Before)>,
    by: Match,
) -> (Vec<Option<usize>>, Vec<usize>) {
    let mut open: HashMap<Identity, Vec<(usize, Before)>> = HashMap::new();
    for (position, (identity, before)) in before.enumerate() {
        open.entry(identity).or_default().push((position, before));
    }
    let mut pairs = vec![None; now.len()];
    let all = [Match::Exact, Match::NotWorse, Match::Same].into_iter();
    for by in all.take_while(|closer| *closer <= by) {
        for ((identity, now), pair) in now.iter().zip(&mut pairs).filter(|(_, pair)| pair.is_none()) {
            let Some(candidates) = open.get_mut(identity) else {
                continue;
            };
            if let Some(at) = candidates.iter().position(|(_, before)| before.matches(now, by)) {
                *pair = Some(candidates.remove(at).0);
            }
        }
    }
    let mut left: Vec<usize> = open.into_values().flatten().map(|(position, _)| position).collect();
    left.sort_unstable();
    (pairs, left)
}
