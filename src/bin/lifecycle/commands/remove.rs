//! `check --remove`: would a removal be allowed?

use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::{Evaluation, Removal, page_reports, propose};
use lifecycle::render::table;
use lifecycle::report::ProposalReport;
use lifecycle::source::Sources;

use crate::args::ReportFormat;
use crate::terminal::Terminal;

use super::check::Run;
use super::why::find_element;
use super::{Failure, Outcome};

/// Answers the proposals of a run, without changing anything.
pub(super) fn answer(
    run: Run<'_>,
    evaluation: &Evaluation,
    sources: &Sources<'_>,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let typed = run.arguments.remove.iter();
    let removals = typed.map(|typed| removal(evaluation, typed));
    let removals = removals.collect::<Result<Vec<Removal>, Failure>>()?;
    once_each(evaluation, &removals)?;
    let judgement = &run.arguments.model.judgement;
    let proposed = propose(&removals, |more| run.files.evaluate_supposing(more, judgement));
    let proposed = proposed.map_err(|faults| Failure::of_faults(&faults, sources))?;
    let report = proposed.report(sources);
    let pages = page_reports(Some(proposed.law()));
    let emission = run.emission(&report, sources, &pages);
    if run.arguments.format == ReportFormat::Table {
        terminal.answer(&table::proposals(&report.proposals));
        emission.write_files(terminal)?;
    } else {
        emission.emit(terminal)?;
    }
    summarize(&report.proposals, terminal);
    let refused = report.proposals.iter().any(|proposal| !proposal.allowed);
    let fails = refused && run.arguments.fail_on.fails(Severity::Error);
    Ok(if fails { Outcome::Findings } else { Outcome::Clean })
}

/// An element goes once: two proposals for it cannot be judged together.
fn once_each(evaluation: &Evaluation, removals: &[Removal]) -> Result<(), Failure> {
    let before = |at: usize| removals[..at].iter().any(|other| other.element == removals[at].element);
    match (0..removals.len()).find(|at| before(*at)) {
        Some(at) => {
            let id = evaluation.model().id(removals[at].element);
            Err(Failure::new(format!("--remove names {id} twice")).help("propose one release for it in a run"))
        }
        None => Ok(()),
    }
}

/// `ELEMENT@RELEASE`; annotations have an `@` of their own, so the last one counts.
fn removal(evaluation: &Evaluation, typed: &str) -> Result<Removal, Failure> {
    let Some((element, release)) = typed
        .rsplit_once('@')
        .filter(|(element, release)| !element.is_empty() && !release.is_empty())
    else {
        return Err(Failure::new(format!("--remove {typed}: it names no release"))
            .help("write the element's id, `@`, and the release: --remove \"apps/v1beta1@1.16\""));
    };
    let element = find_element(evaluation.model(), element.trim())?;
    evaluation.removal(element, release.trim()).map_err(|problem| {
        let calendar = &evaluation.model().calendar;
        let next = calendar.name(calendar.next());
        let help = if calendar.finds_next() {
            format!("`lifecycle plan` shows what is there; removals are proposed for {next} or later")
        } else {
            format!("list the next release in `[calendar.releases]` first: `\"{next}\" = \"unscheduled\"`")
        };
        Failure::new(format!("--remove {typed}: {problem}")).help(help)
    })
}

fn summarize(proposals: &[ProposalReport<'_>], terminal: &mut Terminal) {
    let allowed = proposals.iter().filter(|proposal| proposal.allowed).count();
    let all = proposals.len();
    if all > 1 {
        terminal.tell(&format!("{allowed} of {all} proposed removals are allowed"));
    }
}
