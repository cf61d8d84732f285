//! The solver: the least assignment, and contradictions that stand on what they cite.

use std::collections::BTreeSet;

use lifecycle::check;
use lifecycle::derivation::Reasoning;
use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::Evaluation;
use lifecycle::model::{Event, EventKind, Model};
use lifecycle::obligation::{Demand, Obligation, Obligations, Term};
use lifecycle::plan::{self, Assignment, Decision};
use proptest::prelude::*;

use crate::tests::oracle::{Tried, try_all};
use crate::tests::worlds::{NEVER, cases, world_with_moves};

use super::{evaluated, position};

fn copied(obligations: &Obligations) -> Obligations {
    let mut copy = Obligations::default();
    for obligation in obligations.all() {
        copy.push(obligation.clone());
    }
    copy
}

/// The obligations at some positions, and no others.
fn only(obligations: &Obligations, elements: usize, cited: &BTreeSet<usize>) -> Obligations {
    let mut at = 0;
    copied(obligations).filtered(elements, |_| {
        at += 1;
        cited.contains(&(at - 1))
    })
}

fn solved(model: &Model, obligations: &Obligations, open: &[Event]) -> Assignment {
    plan::solve(model, obligations, open)
}

/// What an obligation, the obligations that decide what it is counted from, and the deadlines of that are. An end that
/// nothing announces counts from the deprecation that is expected.
fn cited(evaluation: &Evaluation, position: usize, all: &mut BTreeSet<usize>) {
    if !all.insert(position) {
        return;
    }
    let obligations = evaluation.obligations();
    let Some(obligation) = obligations.get(position) else {
        return;
    };
    let mut terms: Vec<Term> = obligation.demand.lower_terms().to_vec();
    if let Demand::NotAfter(term) = &obligation.demand {
        terms.push(*term);
    }
    let itself = terms
        .iter()
        .filter_map(Term::event)
        .find(|event| *event == obligation.event);
    if let Some(end) = itself {
        let announced = end.sibling(EventKind::Deprecated);
        all.extend(evaluation.obligations().on(announced).map(|(at, _)| at));
    }
    for event in terms.iter().filter_map(Term::event).chain([obligation.event]) {
        if let Some(planned) = evaluation.assignment().planned(event)
            && let Decision::Obligation(why) = planned.decision
        {
            cited(evaluation, why, all);
        }
        all.extend(
            obligations
                .on(event)
                .filter(|(_, other)| other.demand.upper_term().is_some())
                .map(|(at, _)| at),
        );
    }
}

/// What makes two findings the same.
fn reported(finding: &Diagnostic) -> (String, String, Option<String>, String) {
    (
        finding.rule.to_owned(),
        finding.code.to_string(),
        finding.element.clone(),
        finding.message.clone(),
    )
}

fn checked(evaluation: &Evaluation, kept: &Obligations) -> Vec<Diagnostic> {
    let model = evaluation.model();
    let assignment = solved(model, kept, &evaluation.intentions().open);
    let reasoning = Reasoning {
        model,
        obligations: kept,
        assignment: &assignment,
        supposed: None,
        replanned: None,
    };
    check::check(reasoning, evaluation.law(), &evaluation.intentions())
}

fn is_late(evaluation: &Evaluation) -> bool {
    let late = |finding: &Diagnostic| ["overdue", "not-deprecated-in-time"].contains(&&*finding.code);
    evaluation.findings().iter().any(late)
}

/// Whether the calendar ends before a bound on one of these: nobody can tell yet whether that is late.
fn is_open(evaluation: &Evaluation, events: &[Event]) -> bool {
    let upper = |event: &Event| evaluation.reasoning().upper(*event);
    events.iter().filter_map(upper).any(|bound| bound.worked.is_open())
}

proptest! {
    #![proptest_config(cases(150))]

    /// Where some assignment from the floor on (P1) meets every bound, the solver's is the least of them, and it speaks
    /// of no contradiction. Where only the floor stands in the way it names none either: that is late, not impossible,
    /// and `check` says so of an upper bound that has passed. Where nothing fits even without the floor it names a
    /// contradiction, unless it is late already. An event never comes only where it waits for what is not in sight, and
    /// then it is never too late.
    #[test]
    fn the_solver_finds_the_least_of_all_assignments(world in world_with_moves()) {
        let evaluation = evaluated(&world);
        let (model, obligations) = (evaluation.model(), evaluation.obligations());
        let open = evaluation.intentions().open;
        let assignment = evaluation.assignment();
        let anywhere = try_all(&world.dates, model, obligations, &open, 0);
        let tried = try_all(&world.dates, model, obligations, &open, world.dates.floor());
        for (tried, anywhere) in tried.iter().zip(&anywhere) {
            match (tried, anywhere) {
                (Tried::Least(least), _) => {
                    for (event, at) in least {
                        let found = assignment.planned(*event).map_or(NEVER, |planned| position(planned.release));
                        prop_assert_eq!(found, *at, "{:?} {}\n{}", event, model.id(event.element), world.text());
                        let contradicted = assignment.contradictions.iter().any(|other| other.event == *event);
                        prop_assert!(!contradicted, "{:?}\n{}", event, world.text());
                    }
                }
                (Tried::None(_), Tried::None(events)) => {
                    let reported = !assignment.contradictions.is_empty() || is_late(&evaluation) || is_open(&evaluation, events);
                    prop_assert!(reported, "{:?}\n{:?}", events, world);
                }
                (Tried::None(events), Tried::Least(_)) => {
                    let contradicted = assignment.contradictions.iter().any(|other| events.contains(&other.event));
                    prop_assert!(!contradicted, "{:?}\n{:?}", events, world);
                    prop_assert!(is_late(&evaluation) || is_open(&evaluation, events), "{:?}\n{:?}", events, world);
                }
                _ => {}
            }
        }
    }

    #[test]
    fn a_contradiction_stands_on_the_obligations_it_cites_alone(world in world_with_moves()) {
        let evaluation = evaluated(&world);
        let (model, obligations) = (evaluation.model(), evaluation.obligations());
        for contradiction in &evaluation.assignment().contradictions {
            let cited: BTreeSet<usize> = contradiction.ring.iter().copied().collect();
            prop_assert!(!cited.is_empty(), "{:?}\n{}", contradiction, world.text());
            let kept = only(obligations, model.elements().len(), &cited);
            let alone = solved(model, &kept, &evaluation.intentions().open);
            let why: Vec<&Obligation> = cited.iter().filter_map(|at| obligations.get(*at)).collect();
            prop_assert!(!alone.contradictions.is_empty(), "{:#?}\n{}", why, world.text());
        }
    }

    #[test]
    fn a_finding_stands_on_its_obligation_and_what_that_is_counted_from(world in world_with_moves()) {
        let evaluation = evaluated(&world);
        let (model, obligations) = (evaluation.model(), evaluation.obligations());
        let law = |finding: &&Diagnostic| lifecycle::rules::RULES.iter().any(|rule| rule.slug == finding.rule);
        for finding in evaluation.findings().iter().filter(law) {
            let candidates = obligations.all().iter().enumerate().filter(|(_, obligation)| {
                let unplanned = finding.code == "unplanned-beta" && obligation.code == "not-deprecated-in-time";
                obligation.rule() == Some(finding.rule) && (obligation.code == finding.code || unplanned)
            });
            let mut stands = candidates.map(|(position, _)| {
                let mut all = BTreeSet::new();
                cited(&evaluation, position, &mut all);
                let kept = only(obligations, model.elements().len(), &all);
                checked(&evaluation, &kept).iter().any(|other| reported(other) == reported(finding))
            });
            prop_assert!(stands.any(|stands| stands), "{:#?}\n{}", finding, world.text());
        }
    }
}
