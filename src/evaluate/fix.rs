//! Findings with one right answer, mended in the texts.

use std::collections::HashSet;

use crate::diagnostic::{Change, Diagnostic, Severity};
use crate::document::{Edit, apply, edit};
use crate::known::{Identity, identity, mark_base};

use super::Evaluation;

/// Rounds at most: what is mended in one may show what is to be mended in the next.
const MOST_ROUNDS: usize = 20;

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
/// `texts` are the files by their ids, `evaluate` reads them as a model. An edit is kept only if its finding is gone then
/// and no error has come, so that checking the result is clean of what was mended, and mending it again changes nothing.
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
            .map(identity)
            .filter(|identity| !self.done.contains(identity))
            .filter(|identity| seen.insert(identity.clone()))
            .collect()
    }

    /// Mends these together; where that does not help, the first half of them, and then the others.
    fn settle(&mut self, batch: &[Identity]) {
        if self.mend(batch) {
            return;
        }
        if batch.len() == 1 {
            return;
        }
        let (first, second) = batch.split_at(batch.len() / 2);
        self.settle(first);
        self.settle(second);
    }

    /// Whether edits for these findings help: they are gone then, what was mended before is too, and no error has come.
    fn mend(&mut self, batch: &[Identity]) -> bool {
        let batch: HashSet<&Identity> = batch.iter().collect();
        let chosen = |finding: &&Diagnostic| is_mendable(finding, &self.texts) && batch.contains(&identity(finding));
        let chosen: Vec<Diagnostic> = self.evaluation.findings.iter().filter(chosen).cloned().collect();
        if chosen.is_empty() {
            return true;
        }
        let texts = with_edits(&self.texts, &chosen);
        let Ok(mut evaluation) = (self.evaluate)(&texts) else {
            return false;
        };
        mark_base(&mut evaluation.findings, &self.evaluation.findings);
        let stays = |finding: &Diagnostic| {
            let identity = identity(finding);
            batch.contains(&identity) || self.done.contains(&identity)
        };
        let comes = |finding: &Diagnostic| finding.known.is_none() && finding.severity == Severity::Error;
        if evaluation
            .findings
            .iter()
            .any(|finding| stays(finding) || comes(finding))
        {
            return false;
        }
        for finding in &mut evaluation.findings {
            finding.known = None;
        }
        self.done.extend(chosen.iter().map(identity));
        self.mended.extend(chosen);
        self.texts = texts;
        self.evaluation = evaluation;
        true
    }
}

/// Whether a finding counts and each of its edits can be made.
fn is_mendable(finding: &Diagnostic, texts: &[String]) -> bool {
    finding.agreed.is_none() && edits(finding, texts).is_some_and(|edits| !edits.is_empty())
}

fn edits(finding: &Diagnostic, texts: &[String]) -> Option<Vec<Edit>> {
    let edit = |change: &Change| edit(texts.get(usize::from(change.place().file.0))?, change);
    finding.fix.iter().map(edit).collect()
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
