//! Findings with one right answer, mended in the texts.

use std::collections::HashSet;

use crate::baseline::{Identity, mark_base};
use crate::diagnostic::{Change, Diagnostic, Severity};
use crate::document::{Edit, apply, edit};

use super::Evaluation;

/// Rounds at most: what is mended in one may show what is to be mended in the next.
const MOST_ROUNDS: usize = 20;

/// Halves are tried at most so often: where most findings cannot be mended and nothing tells which, some are left.
const MOST_ATTEMPTS: usize = 100;

/// Texts with what could be mended in them mended.
#[derive(Debug)]
pub struct Fixed {
    /// The texts, in the order given.
    pub texts: Vec<String>,
    /// The findings that are gone.
    pub mended: Vec<Diagnostic>,
    /// Findings that have an edit which does not help: they would stay, or others would come.
    pub left: Vec<Diagnostic>,
    /// The model and its law, as they are now.
    pub evaluation: Evaluation,
}

/// Mends the findings that have one right answer.
///
/// `texts` are the files by their ids, `evaluate` reads them as a model. An edit is kept only if its finding is gone
/// then and no error or warning has come, so that checking the result is clean of what was mended, and mending it again
/// changes nothing.
///
/// # Errors
///
/// The faults of the texts as they were given.
pub fn fix(
    texts: Vec<String>,
    evaluate: impl Fn(&[String]) -> Result<Evaluation, Vec<Diagnostic>>,
) -> Result<Fixed, Vec<Diagnostic>> {
    let mut mender = Mender {
        evaluation: evaluate(&texts)?,
        texts,
        evaluate,
        mended: Vec::new(),
        done: HashSet::new(),
        attempts: 0,
    };
    for _ in 0..MOST_ROUNDS {
        let open = mender.open();
        let before = mender.mended.len();
        if !open.is_empty() {
            mender.settle(&open);
        }
        // What did not help in one round may help after what the round has mended.
        if mender.mended.len() == before {
            break;
        }
    }
    let Mender {
        evaluation,
        texts,
        mended,
        ..
    } = mender;
    let left = evaluation
        .findings
        .iter()
        .filter(|finding| is_mendable(finding, &texts));
    Ok(Fixed {
        left: left.cloned().collect(),
        texts,
        mended,
        evaluation,
    })
}

struct Mender<E> {
    texts: Vec<String>,
    evaluation: Evaluation,
    evaluate: E,
    mended: Vec<Diagnostic>,
    /// What was mended: it may not come back.
    done: HashSet<Identity>,
    /// How often it was tried.
    attempts: usize,
}

impl<E: Fn(&[String]) -> Result<Evaluation, Vec<Diagnostic>>> Mender<E> {
    /// The findings still to be mended, in the order of the list.
    fn open(&self) -> Vec<Identity> {
        let mendable = self
            .evaluation
            .findings
            .iter()
            .filter(|finding| is_mendable(finding, &self.texts));
        let mut seen = HashSet::new();
        mendable
            .map(Identity::of)
            .filter(|identity| !self.done.contains(identity))
            .filter(|identity| seen.insert(identity.clone()))
            .collect()
    }

    /// Mends these together; where that does not help, without those that stand in the way, or else half by half.
    fn settle(&mut self, batch: &[Identity]) {
        let Err(culprits) = self.mend(batch) else { return };
        let others: Vec<Identity> = batch.iter().filter(|one| !culprits.contains(one)).cloned().collect();
        if others.len() < batch.len() {
            if !others.is_empty() {
                self.settle(&others);
            }
        } else if batch.len() > 1 && self.attempts < MOST_ATTEMPTS {
            let (first, second) = batch.split_at(batch.len() / 2);
            self.settle(first);
            self.settle(second);
        }
    }

    /// Mends these, if that helps: in the end they are gone, what was mended before is too, and no error or warning has
    /// come. What comes up because of them is mended with them. If not, those of them that seem to be why.
    fn mend(&mut self, batch: &[Identity]) -> Result<(), HashSet<Identity>> {
        self.attempts += 1;
        let wanted: HashSet<&Identity> = batch.iter().collect();
        let Some((texts, mut evaluation)) = self.with_follow_ups(&wanted) else {
            return Err(HashSet::new());
        };
        let stays = |finding: &Diagnostic| {
            let identity = Identity::of(finding);
            wanted.contains(&identity) || self.done.contains(&identity)
        };
        let comes = |finding: &Diagnostic| finding.known.is_none() && finding.severity >= Severity::Warning;
        let against = evaluation
            .findings
            .iter()
            .filter(|finding| stays(finding) || comes(finding));
        let subjects: HashSet<String> = against.map(|finding| Identity::of(finding).subject).collect();
        if !subjects.is_empty() {
            let culprits = batch.iter().filter(|one| subjects.contains(&one.subject));
            return Err(culprits.cloned().collect());
        }
        for finding in &mut evaluation.findings {
            finding.known = None;
        }
        let left: HashSet<Identity> = evaluation.findings.iter().map(Identity::of).collect();
        let gone = |finding: &&Diagnostic| is_mendable(finding, &self.texts) && !left.contains(&Identity::of(finding));
        let gone: Vec<Diagnostic> = self.evaluation.findings.iter().filter(gone).cloned().collect();
        self.done.extend(gone.iter().map(Identity::of));
        self.mended.extend(gone);
        self.texts = texts;
        self.evaluation = evaluation;
        Ok(())
    }

    /// The texts with these findings mended, and what comes up or gets worse because of that; and what is found then,
    /// what was there before marked. `None` if the result cannot be read, or does not settle.
    fn with_follow_ups(&self, batch: &HashSet<&Identity>) -> Option<(Vec<String>, Evaluation)> {
        let in_batch = |finding: &Diagnostic| batch.contains(&Identity::of(finding));
        let first: Vec<Diagnostic> = self
            .evaluation
            .findings
            .iter()
            .filter(|one| in_batch(one))
            .cloned()
            .collect();
        let mut texts = with_edits(&self.texts, &mendable(&first, &self.texts));
        for _ in 0..MOST_ROUNDS {
            let mut evaluation = (self.evaluate)(&texts).ok()?;
            mark_base(&mut evaluation.findings, &self.evaluation.findings);
            let next = evaluation
                .findings
                .iter()
                .filter(|one| in_batch(one) || one.known.is_none());
            let next = mendable(&next.cloned().collect::<Vec<_>>(), &texts);
            if next.is_empty() {
                return Some((texts, evaluation));
            }
            texts = with_edits(&texts, &next);
        }
        None
    }
}

/// Those of the findings that edits can mend.
fn mendable(findings: &[Diagnostic], texts: &[String]) -> Vec<Diagnostic> {
    let can_be = |finding: &&Diagnostic| is_mendable(finding, texts);
    findings.iter().filter(can_be).cloned().collect()
}

/// Whether a finding counts and each of its edits can be made.
fn is_mendable(finding: &Diagnostic, texts: &[String]) -> bool {
    edits(finding, texts).is_some()
}

fn edits(finding: &Diagnostic, texts: &[String]) -> Option<Vec<Edit>> {
    let edit = |change: &Change| edit(texts.get(usize::from(change.place().file.0))?, change);
    finding.mends()?.iter().map(edit).collect()
}

fn with_edits(texts: &[String], findings: &[Diagnostic]) -> Vec<String> {
    let edits: Vec<Edit> = findings
        .iter()
        .filter_map(|finding| edits(finding, texts))
        .flatten()
        .collect();
    let of = |at: usize| -> Vec<Edit> {
        let own = edits.iter().filter(|edit| usize::from(edit.span.file.0) == at);
        own.cloned().collect()
    };
    texts
        .iter()
        .enumerate()
        .map(|(at, text)| apply(text, &of(at)))
        .collect()
}
