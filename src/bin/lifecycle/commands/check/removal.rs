//! `lifecycle check --remove`: whether a removal would be allowed.

use std::collections::BTreeSet;

use lifecycle::Sources;
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::{Evaluation, Removal, judge_removals, page_reports};
use lifecycle::render::{Listed, removal};
use lifecycle::report::ProposalReport;

use crate::element::find_element;
use crate::failure::{Failure, Outcome, Result};
use crate::terminal::Terminal;

use super::run::Run;

pub fn answer(
    run: Run<'_>,
    evaluation: &Evaluation,
    sources: &Sources<'_>,
    terminal: &mut Terminal,
) -> Result<Outcome> {
    let typed = run.arguments.remove.iter();
    let removals = typed.map(|typed| removal(evaluation, typed));
    let removals = removals.collect::<Result<Vec<Removal>>>()?;
    once_each(evaluation, &removals)?;
    let options = &run.arguments.model.policy;
    let proposed = judge_removals(&removals, |more| run.files.evaluate_supposing(more, options));
    let proposed = proposed.map_err(|errors| Failure::from_diagnostics(&errors, sources))?;
    let report = proposed.report(sources);
    let pages = page_reports(Some(proposed.law()));
    let output = run.output(&report, sources, &pages, Listed::ALL);
    if run.arguments.report.is_for_terminal() {
        terminal.answer(&removal::proposals(&report.proposals, terminal.style()));
        output.write_files(terminal)?;
    } else {
        output.emit(terminal)?;
    }
    summarize(&report.proposals, terminal);
    let refused = report.proposals.iter().any(|proposal| !proposal.allowed);
    Ok(Outcome::of_findings(
        refused && run.arguments.report.fail_on.fails(Severity::Error),
    ))
}

fn once_each(evaluation: &Evaluation, removals: &[Removal]) -> Result<()> {
    let mut seen = BTreeSet::new();
    match removals.iter().find(|removal| !seen.insert(removal.element)) {
        Some(twice) => {
            let id = evaluation.model().id(twice.element);
            Err(Failure::new(format!("--remove names {id} twice")).help("propose one release for it at a time"))
        }
        None => Ok(()),
    }
}

/// `ELEMENT@RELEASE`: the last `@` counts, because annotations contain one.
fn removal(evaluation: &Evaluation, typed: &str) -> Result<Removal> {
    let Some((element, release)) = typed
        .rsplit_once('@')
        .filter(|(element, release)| !element.is_empty() && !release.is_empty())
    else {
        return Err(Failure::new(format!("--remove {typed}: it names no release"))
            .help("write the element's id, `@`, and the release: --remove \"apps/v1beta1@1.16\""));
    };
    let element = find_element(evaluation.model(), element.trim())?;
    let removal = evaluation.removal(element, release.trim());
    removal.map_err(|problem| Failure::new(format!("--remove {typed}: {}", problem.message)).help(problem.help))
}

fn summarize(proposals: &[ProposalReport<'_>], terminal: &mut Terminal) {
    let allowed = proposals.iter().filter(|proposal| proposal.allowed).count();
    let all = proposals.len();
    if all > 1 {
        terminal.note(&format!("{allowed} of {all} proposed removals are allowed"));
    }
}
