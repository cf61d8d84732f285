//! `check --remove`: would a removal be allowed?

use std::fmt::Write as _;

use lifecycle::evaluate::{Evaluation, Removal, Supposition, pages};
use lifecycle::model::Happening;
use lifecycle::render::{table, visible};
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
    // What the model says of these removals is put aside: it may be what is asked about.
    let aside = |removal: &Removal| (removal.element, Happening::Removed, None);
    let without: Vec<Supposition> = removals.iter().map(aside).collect();
    let gone = |removal: &Removal| (removal.element, Happening::Removed, Some(removal.release));
    let gone: Vec<Supposition> = removals.iter().map(gone).collect();
    let announcements = suppose(run, &without)?.announcements(&suppose(run, &gone)?, &removals);
    let announced = |(element, release): &_| (*element, Happening::Deprecated, Some(*release));
    let announced: Vec<Supposition> = announcements.iter().map(announced).collect();
    let without = suppose(run, &[announced.clone(), without].concat())?;
    let mut removed = suppose(run, &[announced, gone].concat())?;
    let proposals = without.proposals(&mut removed, &announcements, &removals, sources);
    let refused = proposals.iter().any(|proposal| !proposal.allowed);
    tell(run, &removed, proposals, sources, terminal)?;
    Ok(if refused { Outcome::Findings } else { Outcome::Clean })
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

/// The model as if more had been declared.
fn suppose(run: Run<'_>, suppositions: &[Supposition]) -> Result<Evaluation, Failure> {
    let found = run
        .files
        .evaluate_supposing(suppositions, &run.arguments.model.judgement);
    found.map_err(|faults| {
        let first = faults.into_iter().next();
        let first = first.map_or_else(|| "the proposal cannot be judged".to_owned(), |fault| fault.message);
        Failure::new(first).help("propose another release")
    })
}

fn tell(
    run: Run<'_>,
    removed: &Evaluation,
    proposals: Vec<ProposalReport<'_>>,
    sources: &Sources<'_>,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let mut report = removed.report(sources);
    if run.arguments.format == ReportFormat::Table {
        terminal.answer(&in_words(&proposals));
    }
    summarize(&proposals, terminal);
    report.proposals = proposals;
    let pages = pages(Some(removed.law()));
    let emission = run.emission(&report, sources, &pages);
    if run.arguments.format == ReportFormat::Table {
        emission.write_files(terminal)
    } else {
        emission.emit(terminal)
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
        let next = calendar.name(evaluation.next_release());
        Failure::new(format!("--remove {typed}: {problem}")).help(format!(
            "`lifecycle plan` shows what is there; removals are proposed for {next} or later"
        ))
    })
}

fn in_words(proposals: &[ProposalReport<'_>]) -> String {
    let mut text = String::new();
    for proposal in proposals {
        let verdict = if proposal.allowed { "allowed" } else { "not allowed" };
        let announced = proposal.if_deprecated.map(|release| release.release);
        let condition = announced.map_or_else(String::new, |release| format!(", if it is deprecated in {release}"));
        let also = if proposal.allowed { condition.as_str() } else { "" };
        let release = table::bound(proposal.release);
        let _ = writeln!(text, "{} in {release}: {verdict}{also}", visible(proposal.element));
        if !proposal.allowed {
            let soonest = match (&proposal.soonest, &proposal.never_before_major) {
                (_, Some(major)) => format!("not before {}", visible(&table::major(major))),
                (Some(_), None) => format!("{}{condition}", table::bound(proposal.soonest)),
                (None, None) => "not in sight".to_owned(),
            };
            let _ = writeln!(text, "  soonest: {soonest}");
        }
        for reason in &proposal.reasons {
            let what = if proposal.allowed { "note" } else { "why" };
            let _ = writeln!(text, "  {what}: {}", visible(reason));
        }
        for named in &proposal.named_by {
            let place = match (&named.file, named.line) {
                (Some(file), Some(line)) => format!(" ({}:{line})", visible(file)),
                _ => String::new(),
            };
            let _ = writeln!(
                text,
                "  still names it: {} {}{place}",
                visible(named.element),
                named.how
            );
        }
    }
    text
}

fn summarize(proposals: &[ProposalReport<'_>], terminal: &mut Terminal) {
    let allowed = proposals.iter().filter(|proposal| proposal.allowed).count();
    let all = proposals.len();
    if all > 1 {
        terminal.tell(&format!("{allowed} of {all} proposed removals are allowed"));
    }
}
