//! What prevents a target is needed for that: without any of it, the rest can be met.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::cell::RefCell;
use std::collections::HashMap;

use lifecycle::evaluate::Evaluation;
use lifecycle::model::{ElementId, EventKind};
use lifecycle::release::Release;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;

use super::super::rich::{Rich, rich};
use super::super::soonest::symbolic;
use super::super::worlds::{World, cases, evaluated_text, load_supposing, world};
use crate::derivation::{Clash, Target, Terrain, Way};
use crate::grammar::EntryKey;
use crate::model::{Event, Model};
use crate::obligation::{Obligation, Obligations, Term};
use crate::plan::fixed;

/// What of some obligations of a model cannot be met with targets.
fn clashes_over(evaluation: &Evaluation, targets: &[Target], keep: impl Fn(usize) -> bool) -> Vec<Clash> {
    let mut some = Obligations::default();
    for (position, obligation) in evaluation.obligations().all().iter().enumerate() {
        if keep(position) {
            some.push(obligation.clone());
        }
    }
    let some = some.indexed(evaluation.model().elements().len());
    let facts = evaluation.reasoning();
    let mut stated = facts;
    stated.obligations = &some;
    let (floors, chosen) = (HashMap::new(), HashMap::new());
    let terrain = Terrain {
        facts,
        stated,
        law: evaluation.law(),
        floors: &floors,
        chosen: &chosen,
        within: None,
    };
    Way::find(terrain, targets).clashes
}

/// Whether two models have the same obligation: one that counts from other events is another one.
fn is_same(one: &Obligation, other: &Obligation) -> bool {
    let [anchors, others] = [one, other].map(|obligation| obligation.demand.lower_terms().iter().map(Term::event));
    (one.rule(), one.code, one.event) == (other.rule(), other.code, other.event) && anchors.eq(others)
}

/// The clash of a removal some releases after the last shipped one, if there is any, is one that each of its obligations
/// and facts is needed for: what has shipped does not rule the removal out by itself.
fn is_minimal(
    world: &World,
    text: &str,
    evaluation: &Evaluation,
    element: ElementId,
    later: u32,
) -> Result<Tried, TestCaseError> {
    let mut tried = Tried::default();
    let model = evaluation.model();
    let by = Release(model.calendar.next().0.saturating_sub(1) + later);
    let parts = model.served_by(element);
    let whole = (parts != [element]).then(|| model.last_event(element, EventKind::Removed));
    let targets: Vec<Target> = parts
        .iter()
        .map(|part| Target {
            event: model.last_event(*part, EventKind::Removed),
            whole,
            by,
        })
        .collect();
    let all = evaluation.obligations().all();
    for clash in clashes_over(evaluation, &targets, |_| true) {
        // The positions of some obligations are others once they are alone.
        let positions: Vec<usize> = clash.obligations.iter().map(|clashing| clashing.position).collect();
        let id = model.id(clash.target.event.element);
        let remains = |positions: &[usize]| {
            let clashes = clashes_over(evaluation, &targets, |position| positions.contains(&position));
            clashes.iter().any(|other| other.target == clash.target)
        };
        prop_assert!(remains(&positions), "{id}: {clash:#?}");
        for without in 0..positions.len() {
            let mut rest = positions.clone();
            rest.remove(without);
            prop_assert!(!remains(&rest), "{id} without {without}: {clash:#?}");
        }
        let own: Vec<&Obligation> = positions.iter().map(|position| &all[*position]).collect();
        for fact in clash.facts.iter().filter(|fact| may_change(model, **fact, by)) {
            let releases = (0..=by.0).map(|release| Some(Release(release))).chain([None]);
            let trials = releases.filter_map(|release| {
                let supposed = [(fact.element, fact.what, release)];
                let with = load_supposing(world, text, None, &supposed).ok()?;
                (fixed(with.model(), *fact) == release && fixed(model, *fact) != release).then_some(with)
            });
            let trials: Vec<Evaluation> = trials.collect();
            let is_needed = trials.iter().any(|with| {
                let stated = with.obligations().all();
                let clashes = clashes_over(with, &targets, |position| {
                    let obligation = &stated[position];
                    own.iter().any(|own| is_same(own, obligation))
                });
                !clashes.iter().any(|other| other.target == clash.target)
            });
            prop_assert!(trials.is_empty() || is_needed, "{id} without {fact:?}: {clash:#?}");
            tried.facts += usize::from(!trials.is_empty());
        }
        tried.obligations += positions.len();
    }
    Ok(tried)
}

/// Whether a fact of a clash may be left out on trial. Nothing can be introduced before the first release, what is
/// declared never to be deprecated stays so, and entries of `specs` are not supposed. What else a life declares that is not
/// before the target, in an entry of its own or in that of its version, may prevent it too.
fn may_change(model: &Model, fact: Event, by: Release) -> bool {
    let kind = model.element(fact.element).kind;
    let version = model.element(fact.element).parent.filter(|_| kind.is_kind());
    let lives = [Some(fact.element), version].into_iter().flatten();
    let mut declared = lives.flat_map(|element| model.declared_of(element));
    let specs = model.gate(fact.element).is_some() || model.metric(fact.element).is_some();
    let is_entry = specs && !kind.has_key(EntryKey::Event(fact.what));
    let is_stage = fact.what == EventKind::Deprecated && model.gate(fact.element).is_some();
    by > Release(0)
        && !is_entry
        && !is_stage
        && model.keeps(fact.element).is_none()
        && declared.all(|other| other.event.of(fact.element) == fact || other.release < by)
}

/// How many obligations and facts of clashes were left out on trial.
#[derive(Debug, Default)]
struct Tried {
    obligations: usize,
    facts: usize,
}

/// Leaves out what clashes have, of models that a strategy makes: in enough of them there is something to leave out.
fn leave_out<T: std::fmt::Debug>(models: impl Strategy<Value = T>, read: impl Fn(&T) -> (&World, String)) {
    let all = RefCell::new(Tried::default());
    let config = cases(200);
    let count = config.cases as usize;
    let mut runner = TestRunner::new(config);
    let trials = runner.run(&(models, any::<Index>(), 0_u32..4), |(model, at, later)| {
        let (world, text) = read(&model);
        let Ok(evaluation) = load_supposing(world, &text, None, &[]) else {
            return Ok(());
        };
        let count = evaluation.model().elements().len();
        let element = evaluation
            .model()
            .elements()
            .nth(at.index(count))
            .expect("one of them")
            .0;
        let tried = is_minimal(world, &text, &evaluation, element, later)?;
        let mut all = all.borrow_mut();
        all.obligations += tried.obligations;
        all.facts += tried.facts;
        Ok(())
    });
    if let Err(error) = trials {
        panic!("{error}");
    }
    let tried = all.into_inner();
    assert!(
        tried.obligations * 10 >= count && tried.facts * 20 >= count,
        "{tried:?} in {count} models"
    );
}

#[test]
fn without_any_obligation_or_fact_of_a_clash_the_others_can_be_met() {
    leave_out(world(), |world| (world, world.text()));
}

#[test]
fn the_same_of_rich_models() {
    leave_out(rich(), |rich: &Rich| (&rich.world, rich.text.clone()));
}

/// The flag begins in X+5, so that it is in none of the releases before.
#[test]
fn a_fact_that_prevents_a_target_is_a_sentence() {
    for (flag, by, fact) in [
        ("introduced = \"X+5\"", "X+5", "cli tool --old is introduced in X+5"),
        (
            "introduced = \"X\", deprecated = \"never\"",
            "X+8",
            "cli tool --old is declared never to be deprecated",
        ),
    ] {
        let (world, text) = symbolic(&format!(
            "[cli.tool]\naudience = \"user\"\n[cli.tool.flag]\n\"--old\" = {{ stage = \"GA\", {flag} }}\n"
        ));
        let report = evaluated_text(&world, &text);
        let report = report.by_when(&[format!("cli tool --old.removed<={by}")]);
        let report = report.expect("it is a target");
        let facts = report.clashes.iter().flat_map(|clash| &clash.facts);
        assert_eq!(facts.collect::<Vec<_>>(), [fact], "{report:#?}");
    }
}

#[test]
fn what_no_release_permits_clashes_with_a_target_that_has_shipped_too() {
    let (world, text) = symbolic("[group.g.version]\nv1 = { introduced = \"X\" }\n");
    let evaluation = evaluated_text(&world, &text);
    let report = evaluation.by_when(&["g/v1.removed<=X+1".to_owned()]);
    let report = report.expect("it is a target");
    assert!(
        report.targets[0].missed && report.targets[0].soonest.is_none(),
        "{report:#?}"
    );
    let rules = report.clashes.iter().flat_map(|clash| &clash.obligations);
    assert_eq!(
        rules.map(|one| one.rule).collect::<Vec<_>>(),
        ["version-lifetime"],
        "{report:#?}"
    );
}

/// Neither its removal nor its migration is declared.
#[test]
fn a_version_that_begins_too_late_to_be_dropped_is_prevented_by_its_beginning() {
    let text = "
[group.g.version]
v1 = { introduced = \"X\" }
v1beta2 = { introduced = \"X+6\" }
[group.g.kind.A]
";
    let (world, text) = symbolic(text);
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1beta2.dropped<=X+5".to_owned()]);
    let report = report.expect("it is a target");
    let facts: Vec<&String> = report.clashes.iter().flat_map(|clash| &clash.facts).collect();
    assert!(!facts.is_empty(), "{report:#?}");
    assert!(
        facts.iter().all(|fact| *fact == "g/v1beta2 A is introduced in X+6"),
        "{facts:?}"
    );
}

/// Storage moves by the plan, which no obligation says: the finding about an earlier release does.
#[test]
fn what_is_not_allowed_sooner_is_named_where_no_obligation_clashes() {
    let text = "
[group.g.version]
v1beta1 = { introduced = \"X\", deprecated = \"X+4\" }
v1 = { introduced = \"X+4\" }
[group.g.kind.A]
";
    let (world, text) = symbolic(text);
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1beta1.migrated<=X+5".to_owned()]);
    let report = report.expect("it is a target");
    assert!(!report.reachable && report.clashes.is_empty(), "{report:#?}");
    let codes: Vec<&str> = report.findings.iter().map(|finding| &*finding.code).collect();
    assert_eq!(codes, ["migrated-too-early"], "{report:#?}");
}
