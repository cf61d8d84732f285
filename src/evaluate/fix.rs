//! `fix`: findings with a single right fix, fixed in the texts.
//!
//! **A fix is proven.** A finding proposes an edit, but the edit is kept only if an evaluation of the edited text no
//! longer has the finding, and has no new error or warning that is at least as severe. Findings that the edit causes
//! are fixed together with it. So fixing twice changes nothing, whatever rules are added.
//!
//! **A fix changes nothing that has shipped**, and adds a deprecation only if the introduction of a successor sets its
//! release. The warning text of a shipped deprecation is added as a draft: only its owner, who reads the diff, knows
//! the printed text.

use std::collections::HashSet;

use crate::baseline::{Identity, mark_no_worse};
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{Edit, apply, edit};

use super::Evaluation;

/// The most rounds: the fixes of one may cause findings for the next.
const MOST_ROUNDS: usize = 20;

/// The most attempts with parts of a batch, for models in which most findings cannot be fixed.
const MOST_ATTEMPTS: usize = 100;

/// Texts after fixing.
#[derive(Debug)]
pub struct Fixed {
    /// The texts, in the order given.
    pub texts: Vec<String>,
    /// The fixed findings.
    pub fixed: Vec<Diagnostic>,
    /// Findings whose edits do not help: the finding would stay, or others would appear.
    pub left: Vec<Diagnostic>,
    /// The model and its law after fixing.
    pub evaluation: Evaluation,
}

/// Fixes the findings that have a single right fix.
///
/// `texts` are the files by their ids; `evaluate` reads them as a model.
///
/// # Errors
///
/// The errors in the given texts.
pub fn fix(
    texts: Vec<String>,
    evaluate: impl Fn(&[String]) -> Result<Evaluation, Vec<Diagnostic>>,
) -> Result<Fixed, Vec<Diagnostic>> {
    let mut fixer = Fixer {
        evaluation: evaluate(&texts)?,
        texts,
        evaluate,
        fixed: Vec::new(),
        done: HashSet::new(),
        attempts: 0,
    };
    for _ in 0..MOST_ROUNDS {
        let open = fixer.open();
        let before = fixer.fixed.len();
        if !open.is_empty() {
            fixer.fix_or_split(&open);
        }
        // An edit that did not help in one round may help after the fixes of that round.
        if fixer.fixed.len() == before {
            break;
        }
    }
    Ok(Fixed {
        left: fixable(&fixer.evaluation.findings, &fixer.texts),
        texts: fixer.texts,
        fixed: fixer.fixed,
        evaluation: fixer.evaluation,
    })
}

struct Fixer<E> {
    texts: Vec<String>,
    evaluation: Evaluation,
    evaluate: E,
    fixed: Vec<Diagnostic>,
    /// The fixed findings, which must not come back.
    done: HashSet<Identity>,
    attempts: usize,
}

impl<E: Fn(&[String]) -> Result<Evaluation, Vec<Diagnostic>>> Fixer<E> {
    /// The findings that are still to be fixed, in the order of the list.
    fn open(&self) -> Vec<Identity> {
        let mut seen = HashSet::new();
        let findings = self.evaluation.findings.iter();
        findings
            .filter(|finding| edits(finding, &self.texts).is_some())
            .map(Identity::of)
            .filter(|identity| !self.done.contains(identity))
            .filter(|identity| seen.insert(identity.clone()))
            .collect()
    }

    /// Fixes these together. If that fails, tries without the findings that seem to be the reason, or else each half.
    fn fix_or_split(&mut self, batch: &[Identity]) {
        let Err(culprits) = self.fix(batch) else { return };
        let others: Vec<Identity> = batch.iter().filter(|one| !culprits.contains(one)).cloned().collect();
        if others.len() < batch.len() {
            if !others.is_empty() {
                self.fix_or_split(&others);
            }
        } else if batch.len() > 1 && self.attempts < MOST_ATTEMPTS {
            let (first, second) = batch.split_at(batch.len() / 2);
            self.fix_or_split(first);
            self.fix_or_split(second);
        }
    }

    /// Fixes a batch of findings if that works: afterwards none of them and of those fixed before is found again, and
    /// no error or warning is new that is as severe as the mildest of them. A removal that is put off because it is
    /// illegal may then be overdue. If it does not work, returns those of them that seem to be the reason.
    fn fix(&mut self, batch: &[Identity]) -> Result<(), HashSet<Identity>> {
        self.attempts += 1;
        let wanted: HashSet<&Identity> = batch.iter().collect();
        let Some((texts, mut evaluation)) = self.with_follow_ups(&wanted) else {
            return Err(HashSet::new());
        };
        let open = self.evaluation.findings.iter();
        let open = open.filter(|finding| wanted.contains(&Identity::of(finding)));
        let mildest = open.map(|finding| finding.severity).min();
        let least = mildest.map_or(Severity::Warning, |mildest| mildest.max(Severity::Warning));
        let remaining = evaluation.findings.iter().filter(|finding| {
            let identity = Identity::of(finding);
            let is_new = finding.known.is_none() && finding.severity >= least;
            is_new || wanted.contains(&identity) || self.done.contains(&identity)
        });
        let subjects: HashSet<String> = remaining.map(|finding| Identity::of(finding).subject).collect();
        if !subjects.is_empty() {
            let culprits = batch.iter().filter(|one| subjects.contains(&one.subject));
            return Err(culprits.cloned().collect());
        }
        for finding in &mut evaluation.findings {
            finding.known = None;
        }
        let left: HashSet<Identity> = evaluation.findings.iter().map(Identity::of).collect();
        let mut fixed = fixable(&self.evaluation.findings, &self.texts);
        fixed.retain(|finding| !left.contains(&Identity::of(finding)));
        self.done.extend(fixed.iter().map(Identity::of));
        self.fixed.extend(fixed);
        self.texts = texts;
        self.evaluation = evaluation;
        Ok(())
    }

    /// The texts with these findings fixed, and those that appear or get worse because of it; and the evaluation of the
    /// result, with earlier findings marked. `None` if the result cannot be read, or new findings keep appearing.
    fn with_follow_ups(&self, batch: &HashSet<&Identity>) -> Option<(Vec<String>, Evaluation)> {
        let mut first = fixable(&self.evaluation.findings, &self.texts);
        first.retain(|finding| batch.contains(&Identity::of(finding)));
        let mut texts = with_edits(&self.texts, &first);
        for _ in 0..MOST_ROUNDS {
            let mut evaluation = (self.evaluate)(&texts).ok()?;
            mark_no_worse(&mut evaluation.findings, &self.evaluation.findings);
            let mut next = fixable(&evaluation.findings, &texts);
            next.retain(|finding| finding.known.is_none() || batch.contains(&Identity::of(finding)));
            if next.is_empty() {
                return Some((texts, evaluation));
            }
            texts = with_edits(&texts, &next);
        }
        None
    }
}

/// The findings that edits can fix.
fn fixable(findings: &[Diagnostic], texts: &[String]) -> Vec<Diagnostic> {
    let fixable = findings.iter().filter(|finding| edits(finding, texts).is_some());
    fixable.cloned().collect()
}

/// The edits of a finding, if each of them is possible.
fn edits(finding: &Diagnostic, texts: &[String]) -> Option<Vec<Edit>> {
    let changes = finding.changes()?.iter();
    changes
        .map(|change| edit(texts.get(usize::from(change.span().file.0))?, change))
        .collect()
}

fn with_edits(texts: &[String], findings: &[Diagnostic]) -> Vec<String> {
    let all = findings.iter().filter_map(|finding| edits(finding, texts));
    let all: Vec<Edit> = all.flatten().collect();
    let texts = texts.iter().enumerate();
    let edited = texts.map(|(at, text)| {
        let own = all.iter().filter(|edit| usize::from(edit.span.file.0) == at);
        apply(text, &own.cloned().collect::<Vec<_>>())
    });
    edited.collect()
}
