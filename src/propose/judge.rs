//! What is against a proposal, what to do about it, and what to review.

use crate::diagnostic::{Folded, Severity, folded};
use crate::evaluate::Evaluation;
use crate::model::{EventKind, in_shell};

use super::draft::{Draft, Step};
use super::settle::{Trial, events};

/// What a draft adds to the findings.
pub(super) struct Judged {
    /// The reasons against it.
    pub(super) against: Vec<String>,
    /// What to do about them.
    pub(super) next_steps: Vec<String>,
    /// What is no error.
    pub(super) remarks: Vec<String>,
}

pub(super) fn judged(draft: &Draft, trial: &Trial, base: &Evaluation) -> Judged {
    let findings = trial.evaluation.findings_added_to(base);
    let (errors, others): (Vec<_>, Vec<_>) = findings.iter().partition(|finding| finding.severity == Severity::Error);
    let (waiting, later) = draft.waiting();
    let [mut against, mut remarks] = [&waiting, &later].map(|steps| {
        let steps = steps.iter().map(|step| out_of_sight(step, &trial.evaluation));
        steps.collect::<Vec<String>>()
    });
    let helps = errors.iter().filter_map(|finding| finding.help.clone());
    let whys = waiting.iter().flat_map(|step| {
        let ids = step.elements.iter();
        ids.map(|id| {
            let why = base.model().command_line(&format!("why \"{id}\" {}", step.what));
            format!("`{why}` shows what it waits for")
        })
    });
    let announced = is_unannounced(draft, &waiting, base).then(|| {
        let command = format!("propose deprecation {}", in_shell(&draft.element));
        format!("`{}` announces it first", base.model().command_line(&command))
    });
    let mut next_steps: Vec<String> = Vec::new();
    for help in helps.chain(announced).chain(whys) {
        if !next_steps.contains(&help) {
            next_steps.push(help);
        }
    }
    against.extend(folded(errors).iter().map(sentence));
    against.extend(out_of_order(&draft.steps, &base.model().calendar));
    remarks.extend(folded(others).iter().map(sentence));
    Judged {
        against,
        next_steps,
        remarks,
    }
}

/// Whether a removal is out of sight of something whose deprecation is not declared either.
fn is_unannounced(draft: &Draft, waiting: &[&Step], base: &Evaluation) -> bool {
    let model = base.model();
    let parts = model.find(&draft.element).map(|element| model.served_by(element));
    waiting.iter().any(|step| step.what == EventKind::Removed)
        && parts.is_some_and(|parts| {
            parts.iter().all(|part| {
                let deprecated = model.last_event(*part, EventKind::Deprecated);
                model.find_declared(deprecated).is_none()
            })
        })
}

/// Why a step has no known release: what it waits for, and by which rule.
fn out_of_sight(step: &Step, evaluation: &Evaluation) -> String {
    let reasoning = evaluation.reasoning();
    let events = events(step, evaluation.model());
    let decisive = events.iter().filter_map(|event| reasoning.lower(*event));
    let waiting = decisive.into_iter().find(|found| found.worked.release().is_never());
    let because = waiting.map(|found| {
        let rule = found.obligation.rule().unwrap_or_default();
        let sentence = reasoning.sentence(found.obligation, &found.worked);
        format!("{}: {sentence}", numbered(rule, evaluation))
    });
    let element = step.elements.join(", ");
    let because = because.unwrap_or_else(|| "the step before it has no known release".to_owned());
    format!("{element} is not {} in any known release ({because})", step.what)
}

/// A rule with its number in the newest edition.
pub(super) fn numbered(rule: &str, evaluation: &Evaluation) -> String {
    let newest = evaluation.law().editions().last();
    let number = newest.and_then(|newest| newest.policy.rules.get(rule)?.number.as_deref());
    match number {
        Some(number) => format!("#{number} {rule}"),
        None => rule.to_owned(),
    }
}

/// Steps that were set before a step that they must follow.
fn out_of_order<'s>(
    steps: &'s [Step],
    calendar: &'s crate::release::Calendar,
) -> impl Iterator<Item = String> + use<'s> {
    let asked = steps.iter().filter(|step| step.asked);
    let pairs = asked.flat_map(|step| step.after.iter().map(move |after| (step, after)));
    pairs.filter_map(move |(step, (before, releases))| {
        let before = steps.get(*before).filter(|before| !before.waits)?;
        let soonest = before.release.plus(*releases);
        (step.release < soonest).then(|| {
            format!(
                "`{}` comes in {} at the soonest: `{}` is in {}",
                step.name,
                calendar.name(soonest),
                before.name,
                calendar.name(before.release)
            )
        })
    })
}

/// A finding in one sentence, with its rule.
fn sentence(folded: &Folded<'_>) -> String {
    let (finding, also) = (folded.finding, folded.also());
    match &finding.number {
        Some(number) => format!("#{number} {}: {}{also}", finding.rule, finding.message),
        None => format!("{}: {}{also}", finding.rule, finding.message),
    }
}
