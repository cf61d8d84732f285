//! Ways to targets, against a search through all releases.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::cell::RefCell;
use std::collections::HashMap;

use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::{Evaluation, Supposition};
use lifecycle::model::{ElementId, EventKind};
use lifecycle::release::Release;
use lifecycle::report::{ByWhenReport, Moment, Standing, WayReport};
use lifecycle::stability::Stage;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;

use super::rich::{Rich, rich};
use super::soonest::{TWO_EDITIONS, symbolic};
use super::worlds::{World, cases, evaluated_text, load_supposing, world};
use crate::derivation::{Clash, Target, Terrain, Way};
use crate::grammar::{EntryKey, heading};
use crate::model::{Event, Model, comes_before};
use crate::obligation::{Obligation, Obligations, Term};
use crate::plan::fixed;

/// A model, and what is asked of it.
struct Question<'q> {
    world: &'q World,
    text: &'q str,
    before: &'q Evaluation,
    by: Release,
    /// Events that follow: the search leaves them out, or has them in their earliest releases if they stay declared then.
    withdrawn: Vec<Supposition>,
    /// The target: an event of an element, or of each of its parts.
    target: Option<(ElementId, EventKind)>,
}

impl Question<'_> {
    /// Whether nothing speaks against declaring this.
    fn fits(&self, declared: &[Supposition]) -> bool {
        let Ok(with) = load_supposing(self.world, self.text, None, declared) else {
            return false;
        };
        let model = with.model();
        let are_in_order = declared.iter().all(|(element, what, release)| {
            // What is withdrawn later is not announced.
            let is_announced = *what != EventKind::Deprecated
                || release.is_none()
                || model.in_force(model.last_event(*element, *what)).is_some();
            is_announced && is_in_order(model, *element, *what)
        });
        if !are_in_order {
            return false;
        }
        let is_reached = self.target.is_none_or(|(element, what)| {
            let parts = model.served_by(element).into_iter();
            let mut releases = parts.map(|part| fixed(model, model.last_event(part, what)));
            releases.all(|release| release.is_some_and(|release| release <= self.by))
        });
        if !is_reached {
            return false;
        }
        let added = with.findings_added_to(self.before);
        !added
            .iter()
            .any(|finding| finding.severity == Severity::Error && !finding.lacks_words())
    }

    /// Whether some releases of events fit, none after the target; one of them has its release already.
    fn some_fit(&self, events: &[(ElementId, EventKind)], fixed: Option<(usize, Release)>) -> bool {
        let first = self.before.model().calendar.next().0;
        let count = (self.by.0 + 1 - first) as usize;
        let free = events.len() - usize::from(fixed.is_some());
        (0..count.pow(u32::try_from(free).expect("few events"))).any(|mut number| {
            let declared = events.iter().enumerate().map(|(at, (element, what))| {
                let release = match fixed {
                    Some((fixed, release)) if fixed == at => release,
                    _ => {
                        let digit = u32::try_from(number % count).expect("few releases");
                        number /= count;
                        Release(first + digit)
                    }
                };
                (*element, *what, Some(release))
            });
            self.fits(&declared.chain(self.withdrawn.iter().copied()).collect::<Vec<_>>())
        })
    }

    /// The events that follow, in the releases that they may move to.
    fn following(&self, report: &ByWhenReport<'_>) -> Vec<Supposition> {
        let model = self.before.model();
        let steps = report.steps.iter().filter(|step| step.standing == Standing::Follow);
        let following = steps.map(|step| {
            let element = model.find(step.element).expect("an element");
            let release = step.earliest.map(|earliest| self.release(Some(earliest)));
            (element, step.event.kind, release)
        });
        following.collect()
    }

    fn release(&self, moment: Option<Moment<'_>>) -> Release {
        let name = moment.expect("a release").release;
        self.before.model().calendar.find(name).expect("it is in the calendar")
    }
}

/// Whether a declared event stands in the order of its life, and is not declared never to happen: a supposed one is not
/// compared with that.
fn is_in_order(model: &Model, element: ElementId, what: EventKind) -> bool {
    if what == EventKind::Deprecated && model.keeps(element).is_some() {
        return false;
    }
    // A life goes on after its deprecation is withdrawn, and what was withdrawn is announced again after that.
    let ends = [EventKind::Deprecated, EventKind::Removed].map(|what| model.in_force(model.last_event(element, what)));
    let last = model
        .repeated(model.last_event(element, EventKind::Undeprecated))
        .last();
    let mut ends = ends.into_iter().flatten();
    if last.is_some_and(|last| ends.any(|end| end.release <= last.release)) {
        return false;
    }
    comes_before()
        .filter(|(first, then, _)| [*first, *then].contains(&what))
        .all(|(first, then, same)| {
            let events = [first, then].map(|what| model.in_force(model.last_event(element, what)));
            let [Some(earlier), Some(later)] = events else {
                return true;
            };
            // What was withdrawn is announced again after that.
            let is_again = earlier.event.step > 0 && later.event.what == EventKind::Undeprecated;
            let same = same && earlier.event.what != EventKind::Undeprecated;
            is_again || earlier.release < later.release || (same && earlier.release == later.release)
        })
}

/// Whether the model has errors about the groups of some elements. A breach that is there already is no argument against
/// a release.
fn is_broken(evaluation: &Evaluation, ids: &[&str]) -> bool {
    let mut errors = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    let groups: Vec<&str> = ids.iter().map(|id| heading(id).0).collect();
    errors.any(|finding| {
        finding
            .element
            .as_deref()
            .is_none_or(|other| groups.contains(&heading(other).0))
    })
}

const MOST_EVENTS: usize = 3;
const MOST_RELEASES: u32 = 5;

/// Holds for one target.
fn agrees(question: &Question<'_>, id: &str, report: &ByWhenReport<'_>) -> Result<(), TestCaseError> {
    let model = question.before.model();
    let open = report
        .steps
        .iter()
        .filter(|step| step.is_open() && step.standing != Standing::Follow);
    let open: Vec<&WayReport<'_>> = open.collect();
    let events = open
        .iter()
        .map(|step| (model.find(step.element).expect("an element"), step.event.kind));
    let mut events: Vec<(ElementId, EventKind)> = events.collect();
    if report.reachable {
        let earliest = open.iter().zip(&events);
        let earliest: Vec<Supposition> = earliest
            .map(|(step, (element, what))| (*element, *what, Some(question.release(step.earliest))))
            .collect();
        for following in [question.following(report), question.withdrawn.clone()] {
            let all: Vec<Supposition> = earliest.iter().copied().chain(following).collect();
            prop_assert!(question.fits(&all), "{id}: everything at its earliest: {report:#?}");
        }
    }
    let first = model.calendar.next().0;
    if events.len() > MOST_EVENTS || question.by.0 < first || question.by.0 - first >= MOST_RELEASES {
        return Ok(());
    }
    if !report.reachable {
        let target = model.find(id).expect("an element");
        // A kind with an entry of its own does not follow that of its version.
        let parts = model.served_by(target).into_iter();
        let own = parts.filter(|part| *part != target && !model.declared_of(*part).is_empty());
        let targets: Vec<ElementId> = own.chain([target]).collect();
        let all = targets
            .into_iter()
            .flat_map(|target| [EventKind::Deprecated, EventKind::Removed].map(|what| (target, what)));
        for (target, what) in all {
            let is_new = !events.contains(&(target, what));
            let able = model.element(target).kind.has_key(EntryKey::Event(what));
            // An entry of a gate does not move.
            let gate = model.gate(target).filter(|_| what == EventKind::Deprecated);
            let able = able && gate.is_none_or(|gate| gate.first(Stage::Deprecated).is_none());
            // Nor does what has shipped.
            let declared = model.in_force(model.last_event(target, what));
            let able = able && declared.is_none_or(|declared| declared.release.0 >= first);
            if is_new && able && events.len() < MOST_EVENTS {
                events.push((target, what));
            }
        }
        prop_assert!(!question.some_fit(&events, None), "{id} can be reached: {report:#?}");
        return Ok(());
    }
    for (at, step) in open.iter().enumerate() {
        let latest = question.release(step.latest);
        prop_assert!(
            question.some_fit(&events, Some((at, latest))),
            "{id}: {} {} in its latest release does not fit: {report:#?}",
            step.element,
            step.event
        );
        let later = latest.plus(1);
        if later <= question.by {
            prop_assert!(
                !question.some_fit(&events, Some((at, later))),
                "{id}: {} {} may be later: {report:#?}",
                step.element,
                step.event
            );
        }
    }
    Ok(())
}

fn ask(world: &World, text: &str, (at, what, later): (Index, EventKind, u32)) -> Result<(), TestCaseError> {
    let Ok(before) = load_supposing(world, text, None, &[]) else {
        return Ok(());
    };
    let model = before.model();
    let ids: Vec<&str> = model.ids().collect();
    let id = ids[at.index(ids.len())];
    let by = model.calendar.next().plus(later);
    let name = model.calendar.name(by);
    if model.calendar.find(&name) != Ok(by) {
        return Ok(());
    }
    let target = format!("{id}.{what}<={name}");
    let report = before.by_when(&[target]);
    let Ok(report) = report else { return Ok(()) };
    let mut question = Question {
        world,
        text,
        before: &before,
        by,
        withdrawn: Vec::new(),
        target: model.find(id).map(|element| (element, what)),
    };
    let following = question.following(&report);
    let withdrawn: Vec<Supposition> = following
        .iter()
        .map(|(element, what, _)| (*element, *what, None))
        .collect();
    let without = load_supposing(world, text, None, &withdrawn);
    let withdrawn = following.into_iter().map(|(element, what, release)| {
        // A kind cannot withdraw what its version declares.
        let stays = without.as_ref().is_ok_and(|without| {
            let model = without.model();
            model.in_force(model.last_event(element, what)).is_some()
        });
        (element, what, release.filter(|_| stays))
    });
    question.withdrawn = withdrawn.collect();
    let on_the_way = report.steps.iter().map(|step| step.element);
    let on_the_way: Vec<&str> = on_the_way.chain([id]).collect();
    if report.targets[0].met == report.targets[0].events || is_broken(&before, &on_the_way) {
        return Ok(());
    }
    agrees(&question, id, &report)
}

fn target() -> impl Strategy<Value = (Index, EventKind, u32)> {
    let what = prop_oneof![4 => Just(EventKind::Removed), 1 => Just(EventKind::Deprecated)];
    (any::<Index>(), what, 0_u32..6)
}

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

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn by_when_agrees_with_a_search(world in world(), asked in target()) {
        let text = world.text();
        evaluated_text(&world, &text);
        ask(&world, &text, asked)?;
    }

    #[test]
    fn by_when_agrees_with_a_search_over_rich_models(rich in rich(), asked in target()) {
        ask(&rich.world, &rich.text, asked)?;
    }

    #[test]
    fn the_soonest_release_of_a_target_out_of_reach_can_be_reached(rich in rich(), asked in target()) {
        let Ok(before) = load_supposing(&rich.world, &rich.text, None, &[]) else {
            return Ok(());
        };
        let (at, what, later) = asked;
        let ids: Vec<&str> = before.model().ids().collect();
        let event = format!("{}.{what}", ids[at.index(ids.len())]);
        let by = before.model().calendar.name(before.model().calendar.next().plus(later));
        let Ok(report) = before.by_when(&[format!("{event}<={by}")]) else {
            return Ok(());
        };
        let target = &report.targets[0];
        if let Some(soonest) = target.soonest.filter(|_| !target.reachable) {
            let instead = format!("{event}<={}", soonest.release);
            let asked_again = before.by_when(std::slice::from_ref(&instead)).expect("a target");
            prop_assert!(asked_again.reachable, "{instead}: {asked_again:#?}\n{report:#?}");
            let command = report.ask_instead.as_ref();
            prop_assert!(command.is_some_and(|command| command.contains(&instead)), "{command:?}");
        }
    }
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

/// The flag may be removed after 12 months, in X+6; or in X+4, up to which an exception is granted.
const EXCEPTED_FOR_ONE_RELEASE: &str = r#"policy = "kubernetes"
[cli.tool]
audience = "user"
[cli.tool.flag]
"--old" = { stage = "GA", introduced = "X", deprecated = "X+3", warning = "w" }
[[exception]]
rule = "user-cli-lifetime"
element = "cli tool --old"
reason = "r"
approved-by = "a"
until = "X+5"
"#;

#[test]
fn a_granted_exception_counts_up_to_its_end_only() {
    let (world, text) = symbolic(EXCEPTED_FOR_ONE_RELEASE);
    let before = evaluated_text(&world, &text);
    for (by, latest) in [("X+4", "X+4"), ("X+5", "X+4"), ("X+6", "X+6")] {
        let report = before
            .by_when(&[format!("cli tool --old.removed<={by}")])
            .expect("a target");
        let [step] = &report.steps[..] else {
            panic!("{by}: {report:#?}");
        };
        assert!(report.reachable, "{by}: {report:#?}");
        let found = [step.earliest, step.latest].map(|moment| moment.expect("a release").release);
        assert_eq!(found, ["X+4", latest], "{by}: {report:#?}");
        let flag = before.model().find("cli tool --old").expect("it is there");
        let removed = |release| {
            (
                flag,
                EventKind::Removed,
                Some(before.model().calendar.find(release).expect("it is there")),
            )
        };
        let question = Question {
            world: &world,
            text: &text,
            before: &before,
            by: Release(0),
            withdrawn: Vec::new(),
            target: None,
        };
        assert_eq!(
            ["X+4", "X+5", "X+6"].map(|release| question.fits(&[removed(release)])),
            [true, false, true]
        );
    }
}

/// The flag is alpha in X+5 only: deprecated then, it may be removed at once.
const ALPHA_FOR_ONE_RELEASE: &str = r#"policy = "kubernetes"
[gate.Alpha]
specs = [{ stage = "alpha", since = "X+5", default = false }, { stage = "GA", since = "X+6", default = true }]
[cli.tool]
audience = "user"
[cli.tool.flag]
"--old" = { stage = "GA", introduced = "X+4", deprecated = "X+4", warning = "w", gated-by = "Alpha" }
"#;

#[test]
fn a_deprecation_is_deferred_to_where_a_gate_makes_its_element_alpha() {
    let (world, text) = symbolic(ALPHA_FOR_ONE_RELEASE);
    let before = evaluated_text(&world, &text);
    for (by, deprecated) in [("X+5", Some("X+5")), ("X+6", Some("X+5")), ("X+7", Some("X+4"))] {
        let report = before
            .by_when(&[format!("cli tool --old.removed<={by}")])
            .expect("a target");
        assert!(report.reachable, "{by}: {report:#?}");
        let step = report
            .steps
            .iter()
            .find(|step| step.event.kind == EventKind::Deprecated);
        let earliest = step.and_then(|step| step.earliest).map(|moment| moment.release);
        assert_eq!(earliest, deprecated, "{by}: {report:#?}");
    }
}

#[test]
fn a_deprecation_waits_for_the_edition_that_allows_it() {
    let (world, text) = symbolic(TWO_EDITIONS);
    let before = evaluated_text(&world, &text);
    for (by, latest) in [("X+7", None), ("X+8", Some("X+5")), ("X+9", Some("X+6"))] {
        let report = before.by_when(&[format!("g/v1beta1.removed<={by}")]).expect("a target");
        assert_eq!(report.reachable, latest.is_some(), "{by}: {report:#?}");
        let steps = report.steps.iter();
        let releases = steps.map(|step| [step.earliest, step.latest].map(|moment| moment.map(|moment| moment.release)));
        let releases: Vec<_> = releases.collect();
        assert_eq!(
            releases.iter().map(|[earliest, _]| *earliest).collect::<Vec<_>>(),
            [Some("X+5"), Some("X+8")],
            "{by}"
        );
        if latest.is_some() {
            assert_eq!(
                releases.iter().map(|[_, latest]| *latest).collect::<Vec<_>>(),
                [latest, Some(by)]
            );
        }
    }
}

/// The flag is alpha in X+5 only, and GA before and after that: deprecated or removed then, it may go at once.
const ALPHA_BETWEEN: &str = r#"policy = "kubernetes"
[gate.Alpha]
specs = [{ stage = "alpha", since = "X+5", default = false }, { stage = "GA", since = "X+6", default = true }, { stage = "deprecated", since = "X+7", default = true }]
warning = "w"
operational = false
[cli.tool]
audience = "user"
[cli.tool.flag]
"--old" = { stage = "GA", introduced = "X+3", warning = "w", gated-by = "Alpha" }
"#;

#[test]
fn a_deprecation_is_found_between_releases_in_which_it_would_be_too_early() {
    let (world, text) = symbolic(ALPHA_BETWEEN);
    let before = evaluated_text(&world, &text);
    for (by, deprecated) in [
        ("X+4", None),
        ("X+5", Some(["X+5", "X+5"])),
        ("X+6", Some(["X+5", "X+5"])),
        ("X+7", Some(["X+4", "X+5"])),
    ] {
        let report = before
            .by_when(&[format!("cli tool --old.removed<={by}")])
            .expect("a target");
        assert_eq!(report.reachable, deprecated.is_some(), "{by}: {report:#?}");
        let step = report
            .steps
            .iter()
            .find(|step| step.event.kind == EventKind::Deprecated);
        let releases = step.map(|step| [step.earliest, step.latest].map(|moment| moment.expect("a release").release));
        if report.reachable {
            assert_eq!(releases, deprecated, "{by}: {report:#?}");
            let soonest = report.targets[0].soonest.map(|moment| moment.release);
            assert_eq!(soonest, Some("X+5"), "{by}");
        }
    }
}

#[test]
fn a_version_that_begins_meanwhile_permits_no_later_end_without_overlap() {
    let versions =
        "v1beta1 = { introduced = \"X+2\" }\nv1alpha1 = { introduced = \"X+8\" }\nv2alpha1 = { introduced = \"X+2\" }";
    let kinds = "Widget = { versions = [\"v1alpha1\", \"v1beta1\"] }\nOther = { versions = [\"v2alpha1\"] }";
    let (world, text) = symbolic(&format!("[group.g.version]\n{versions}\n[group.g.kind]\n{kinds}\n"));
    let evaluation = evaluated_text(&world, &text);
    for (by, latest) in [("X+8", ["X+4", "X+7"]), ("X+9", ["X+5", "X+9"])] {
        let report = evaluation.by_when(&[format!("g/v1beta1.removed<={by}")]);
        let report = report.expect("it is a target");
        let found = report.steps.iter().filter_map(|step| Some(step.latest?.release));
        assert_eq!(found.collect::<Vec<_>>(), latest, "{report:#?}");
    }
}

/// Under the second edition, a removal in X+6 that is announced in X+5 needs that of the command, too.
const WITH_ITS_COMMAND: &str = r#"policy = [{ use = "kubernetes" }, { use = "kubernetes-2025", from = "X+5" }]
[cli.tool]
audience = "admin"
[cli.tool.command.run]
introduced = "X"
warning = "w"
[cli.tool.command.run.flag]
"--old" = { stage = "GA", introduced = "X", warning = "w" }
"#;

#[test]
fn a_way_that_needs_more_events_lets_none_come_later() {
    let (world, text) = symbolic(WITH_ITS_COMMAND);
    let evaluation = evaluated_text(&world, &text);
    for (by, deprecated) in [("X+6", "X+4"), ("X+7", "X+5")] {
        let report = evaluation.by_when(&[format!("cli tool run --old.removed<={by}")]);
        let report = report.expect("it is a target");
        let latest = report.steps.iter().map(|step| step.latest.map(|moment| moment.release));
        assert_eq!(latest.collect::<Vec<_>>(), [Some(deprecated), Some(by)], "{report:#?}");
    }
}

/// The removal is declared before the deprecation that is asked for.
const REMOVED_TOO_SOON: &str = r#"policy = "kubernetes"
[metric.requests_total]
specs = [{ stage = "ALPHA", since = "X" }]
removed = "X+4"
"#;

#[test]
fn what_is_declared_on_the_way_stays_if_it_can() {
    for (declared, expected) in [
        (
            "specs = [{ stage = \"ALPHA\", since = \"X\" }]\nhidden = \"X+5\"",
            "X+5",
        ),
        (
            "specs = [{ stage = \"BETA\", since = \"X\" }]\nremoved = \"X+4\"",
            "X+5",
        ),
        (
            "specs = [{ stage = \"BETA\", since = \"X\" }]\nremoved = \"X+6\"",
            "X+4",
        ),
    ] {
        let (world, text) = symbolic(&format!("[metric.m]\n{declared}\n"));
        let before = evaluated_text(&world, &text);
        let target = "metric m.removed<=X+7".to_owned();
        let report = before.by_when(&[target]);
        let report = report.expect("it is a target");
        let mut steps = report.steps.iter();
        let deprecated = steps.find(|step| step.event.kind == EventKind::Deprecated);
        let latest = deprecated.and_then(|step| step.latest).map(|latest| latest.release);
        assert_eq!(latest, Some(expected), "{report:#?}");
    }
}

#[test]
fn a_declared_removal_follows_a_deprecation_that_comes_later() {
    let (world, text) = symbolic(REMOVED_TOO_SOON);
    let before = evaluated_text(&world, &text);
    for by in ["X+4", "X+5"] {
        let report = before
            .by_when(&[format!("metric requests_total.deprecated<={by}")])
            .expect("a target");
        assert!(report.reachable, "{report:#?}");
        let steps = report.steps.iter();
        let steps = steps.map(|step| {
            (
                step.event.kind,
                step.standing,
                step.earliest.map(|moment| moment.release),
            )
        });
        let steps: Vec<_> = steps.collect();
        let expected = [
            (EventKind::Deprecated, Standing::Open, Some("X+4")),
            (EventKind::Removed, Standing::Follow, Some("X+5")),
        ];
        assert_eq!(steps, expected, "{by}: {report:#?}");
        assert!(
            report.steps.iter().all(|step| step.declared_with.is_none()),
            "{by}: {report:#?}"
        );
        assert_eq!(report.next.expect("a step").event.kind, EventKind::Deprecated);
        let command = report.command.expect("something to declare");
        assert!(command.contains("metric requests_total.removed=X+5"), "{command}");
    }
}

#[test]
fn a_target_whose_release_has_shipped_is_missed_and_has_a_soonest_release() {
    let alpha =
        |name: &str, rest: &str| format!("[metric.{name}]\nspecs = [{{ stage = \"ALPHA\", since = \"X\" }}]\n{rest}\n");
    let open = alpha("open", "");
    let early = alpha("early", "removed = \"X+1\"");
    let late = alpha("late", "removed = \"X+2\"");
    for (text, met, late, soonest) in [
        (open.clone(), 0, 0, "X+5"),
        ([&early[..], &late].concat(), 1, 1, "X+2"),
        ([&early[..], &late, &open].concat(), 1, 1, "X+5"),
    ] {
        let (world, text) = symbolic(&text);
        let report = evaluated_text(&world, &text);
        let report = report.by_when(&["metrics.removed<=X+1".to_owned()]);
        let report = report.expect("it is a target");
        let target = &report.targets[0];
        assert_eq!((target.met, target.late), (met, late), "{report:#?}");
        assert!(target.missed && !target.reachable && !report.reachable, "{report:#?}");
        assert_eq!(
            target.soonest.map(|moment| moment.release),
            Some(soonest),
            "{report:#?}"
        );
        assert!(report.clashes.is_empty() && report.steps.is_empty(), "{report:#?}");
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

#[test]
fn a_step_whose_latest_release_has_shipped_is_missed() {
    let (world, text) = symbolic("[behavior.b]\nintroduced = \"X\"\n");
    let evaluation = evaluated_text(&world, &text);
    let report = evaluation.by_when(&["behavior b.removed<=X+5".to_owned()]);
    let report = report.expect("it is a target");
    let steps = report.steps.iter().map(|step| (step.event.kind, step.missed));
    let expected = [(EventKind::Deprecated, true), (EventKind::Removed, false)];
    assert_eq!(steps.collect::<Vec<_>>(), expected, "{report:#?}");
}

#[test]
fn reasons_of_a_way_name_what_an_event_waits_for() {
    for (metric, reason) in [
        (
            "{ stage = \"BETA\", since = \"X\" }",
            "the first release that has not shipped",
        ),
        ("{ stage = \"BETA\", since = \"X+5\" }", "metric m is introduced in X+5"),
        (
            "{ stage = \"ALPHA\", since = \"X\" }, { stage = \"BETA\", since = \"X+5\" }",
            "the first release that has not shipped",
        ),
    ] {
        let (world, text) = symbolic(&format!("[metric.m]\nspecs = [{metric}]\n"));
        let before = evaluated_text(&world, &text);
        let target = "metric m.deprecated<=X+9".to_owned();
        let report = before.by_when(&[target]);
        let report = report.expect("it is a target");
        let mut steps = report.steps.iter();
        let deprecated = steps.find(|step| step.event.kind == EventKind::Deprecated);
        assert_eq!(deprecated.map(|step| &*step.reason), Some(reason), "{report:#?}");
    }
}

#[test]
fn deprecations_that_are_not_tried_in_later_releases_are_counted() {
    let (rest, flag) = ALPHA_BETWEEN.split_at(ALPHA_BETWEEN.find("\"--old\"").expect("a flag"));
    let flags: Vec<String> = (0..5).map(|at| flag.replace("--old", &format!("--old{at}"))).collect();
    let (world, text) = symbolic(&format!("{rest}{}", flags.concat()));
    let before = evaluated_text(&world, &text);
    for (targets, untried) in [("cli tool --old0", 0), ("cli tool --old*", 2)] {
        let report = before.by_when(&[format!("{targets}.removed<=X+7")]).expect("a target");
        assert_eq!(report.untried, untried, "{targets}: {report:#?}");
    }
}

/// A gate guards a version with two kinds.
fn guarding(stage: &str) -> String {
    format!(
        r#"policy = "kubernetes"
[gate.Guard]
specs = [{{ stage = "{stage}", since = "X", default = {} }}]
[group.g.version]
v1beta1 = {{ introduced = "X", deprecated = "X+3", gated-by = "Guard" }}
[group.g.kind]
Gadget = {{ versions = ["v1beta1"] }}
Widget = {{ versions = ["v1beta1"] }}
"#,
        stage == "beta"
    )
}

#[test]
fn a_gate_waits_for_each_kind_of_a_version_that_it_guards() {
    for (stage, soonest) in [("alpha", "X+4"), ("beta", "X+6")] {
        let (world, text) = symbolic(&guarding(stage));
        let before = evaluated_text(&world, &text);
        for (by, reachable) in [("X+4", stage == "alpha"), ("X+6", true)] {
            let report = before.by_when(&[format!("gate Guard.removed<={by}")]);
            let report = report.expect("it is a target");
            let found = report.targets[0].soonest.map(|moment| moment.release);
            assert_eq!((report.reachable, found), (reachable, Some(soonest)), "{report:#?}");
            let version = report.steps.iter().find(|step| step.element == "g/v1beta1");
            let removed = version.and_then(|step| step.earliest).map(|earliest| earliest.release);
            assert_eq!(removed, Some(soonest), "{report:#?}");
        }
    }
}

/// The removal of a field in X+5 takes the counterpart of another version away, which begins in X+5. In X+6, the version
/// with the field ends.
const WITH_COUNTERPARTS: &str = r#"policy = "kubernetes"
[group.g.version]
v1beta1 = { introduced = "X+5" }
v2alpha1 = { introduced = "X+3", deprecated = "X+5" }
v1alpha2 = { introduced = "X+2", deprecated = "X+6" }
[group.g.kind.Widget.field."spec.day"]
"#;

#[test]
fn a_removal_waits_where_another_version_would_lack_a_counterpart() {
    let (world, text) = symbolic(WITH_COUNTERPARTS);
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1alpha2 Widget .spec.day.removed<=X+6".to_owned()]);
    let report = report.expect("it is a target");
    assert!(report.reachable && report.findings.is_empty(), "{report:#?}");
    assert_eq!(report.targets[0].soonest.map(|moment| moment.release), Some("X+6"));
}

/// The other version with the field is planned to end in X+11: later than a search tries releases one by one.
#[test]
fn a_removal_waits_for_the_next_release_in_which_counterparts_change() {
    let text = WITH_COUNTERPARTS.replace("deprecated = \"X+6\" }", "deprecated = \"X+6\", removed = \"X+17\" }");
    let (world, text) = symbolic(&text);
    let before = evaluated_text(&world, &text);
    for (by, reachable) in [("X+10", false), ("X+11", true)] {
        let report = before.by_when(&[format!("g/v1alpha2 Widget .spec.day.removed<={by}")]);
        let report = report.expect("it is a target");
        assert_eq!((report.reachable, report.undecided), (reachable, false), "{report:#?}");
    }
}

fn under_two_editions(class: &str, rest: &str) -> (World, String) {
    symbolic(&format!(
        r#"policy = [{{ use = "kubernetes-2019" }}, {{ use = "kubernetes-2025", from = "X+5" }}]
[metric.m]
specs = [{{ stage = "{class}", since = "X" }}]
{rest}
"#
    ))
}

/// Under the first edition, a metric may be removed at once. What is announced under it may be removed later.
#[test]
fn a_removal_under_a_later_edition_is_announced_before_it() {
    let (world, text) = under_two_editions("BETA", "");
    let before = evaluated_text(&world, &text);
    for (by, latest) in [
        ("X+4", vec![("removed", "X+4")]),
        ("X+7", vec![("deprecated", "X+4"), ("removed", "X+7")]),
    ] {
        let report = before.by_when(&[format!("metric m.removed<={by}")]);
        let report = report.expect("it is a target");
        let steps = report.steps.iter();
        let steps = steps.filter_map(|step| Some((step.event.as_str(), step.latest?.release)));
        assert_eq!(steps.collect::<Vec<_>>(), latest, "{report:#?}");
    }
}

#[test]
fn a_declared_deprecation_moves_to_an_edition_that_asks_for_less() {
    let (world, text) = under_two_editions("STABLE", "deprecated = \"X+5\"");
    let before = evaluated_text(&world, &text);
    for (by, standing) in [
        ("X+4", Standing::Move),
        ("X+7", Standing::Move),
        ("X+8", Standing::Move),
        ("X+9", Standing::Declared),
    ] {
        let Ok(report) = before.by_when(&[format!("metric m.removed<={by}")]) else {
            panic!("{by} is in the calendar");
        };
        assert!(report.reachable, "{by}: {report:#?}");
        let soonest = report.targets[0].soonest.map(|moment| moment.release);
        assert_eq!(
            (report.steps[0].standing, soonest),
            (standing, Some("X+4")),
            "{by}: {report:#?}"
        );
    }
}

#[test]
fn the_soonest_release_is_the_same_for_each_target() {
    let (world, text) = symbolic("[behavior.b]\nintroduced = \"X\"\ndeprecated = \"X+1\"\nremoved = \"X+6\"\n");
    let before = evaluated_text(&world, &text);
    for by in ["X+3", "X+4", "X+5", "X+6", "X+8"] {
        let report = before.by_when(&[format!("behavior b.removed<={by}")]);
        let report = report.expect("it is a target");
        let soonest = report.targets[0].soonest.map(|moment| moment.release);
        assert_eq!(soonest, Some("X+4"), "{by}: {report:#?}");
    }
}

/// A check accepts a deprecation before an entry that states a class again.
#[test]
fn a_metric_may_be_deprecated_before_its_last_entry() {
    let (world, text) = symbolic(
        "[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"X\" }, { stage = \"STABLE\", since = \"X+5\" }]\n",
    );
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["metric m.deprecated<=X+4".to_owned()]);
    let report = report.expect("it is a target");
    assert!(report.reachable, "{report:#?}");
    assert_eq!(report.targets[0].soonest.map(|moment| moment.release), Some("X+4"));
}

/// The gate is to go in X+4, but nobody says when the first flag goes: a check reports that, and nothing else of the
/// other flag.
#[test]
fn what_a_gate_breaks_already_does_not_keep_another_flag_early() {
    let flag = |name: &str, rest: &str| {
        format!("\"{name}\" = {{ stage = \"GA\", warning = \"w\", introduced = \"X\", gated-by = \"Guard\"{rest} }}\n")
    };
    let gate = "[gate.Guard]\nspecs = [{ stage = \"alpha\", since = \"X\", default = false }]\nwarning = \"w\"\n\
                operational = false\nremoved = \"X+4\"\n[cli.user]\naudience = \"user\"\n[cli.user.flag]\n";
    for (old, latest) in [(Some(flag("--old", "")), "X+6"), (None, "X+4")] {
        let other = flag("--new", ", deprecated = \"X\"");
        let (world, text) = symbolic(&format!(
            "policy = \"kubernetes\"\n{gate}{}{other}",
            old.unwrap_or_default()
        ));
        let before = evaluated_text(&world, &text);
        let report = before.by_when(&["cli user --new.removed<=X+6".to_owned()]);
        let report = report.expect("it is a target");
        let removed = report.steps.iter().find(|step| step.target);
        let found = removed.and_then(|step| step.latest).map(|latest| latest.release);
        assert_eq!(found, Some(latest), "{report:#?}");
    }
}

/// The version is to end in X+6: without that, the plan has it end in X+5, and so would nothing need to wait for it.
#[test]
fn what_a_part_ends_with_stays_declared_while_a_way_is_found() {
    let (world, text) = symbolic(
        "[group.g.version]\nv1alpha1 = { introduced = \"X\", removed = \"X+6\" }\nv1 = { introduced = \"X+5\" }\n\
         [group.g.kind.Widget]\nversions = [\"v1alpha1\", \"v1\"]\nenum.\"spec.day\".Tuesday = {}\n",
    );
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1alpha1 Widget .spec.day=Tuesday.removed<=X+6".to_owned()]);
    let report = report.expect("it is a target");
    assert!(report.reachable && !report.undecided, "{report:#?}");
}

/// The version ends in the release of the deprecation that is asked for. A kind of it can only end later.
#[test]
fn what_follows_a_deprecation_of_a_part_waits_for_each_of_its_bounds() {
    let (mut world, text) = symbolic(
        "policy = \"custom.toml\"\n[group.g.version]\nv1alpha1 = { introduced = \"X+4\" }\n\
         v1 = { introduced = \"X\", deprecated = \"X\", removed = \"X+4\" }\n\
         [group.g.kind]\nGadget = { versions = [\"v1alpha1\", \"v1\"], version.v1alpha1.introduced = \"X+5\", \
         enum.\"spec.day\".Tuesday = {} }\nWidget = { versions = [\"v1\"] }\n",
    );
    let policy = "name = \"custom\"\nextends = \"kubernetes\"\n[rule.version-lifetime]\n\
                  ga = { remove = \"any\", after-deprecation = { months = 0, releases = 1 } }\n";
    let edition = &mut world.editions[0].1;
    (edition.name, edition.text) = ("custom.toml".to_owned(), Some(policy.to_owned()));
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1 Gadget .spec.day=Tuesday.deprecated<=X+5".to_owned()]);
    let report = report.expect("it is a target");
    let follows = report.steps.iter().find(|step| step.standing == Standing::Follow);
    let earliest = follows.and_then(|step| step.earliest).map(|earliest| earliest.release);
    assert_eq!((report.reachable, earliest), (true, Some("X+6")), "{report:#?}");
    // The entry of the version declares it for the kind.
    assert_eq!(follows.and_then(|step| step.declared_with), Some("g/v1"), "{report:#?}");
}

#[test]
fn a_part_ends_with_its_whole() {
    let (world, text) = symbolic(
        "[group.g.version]\nv1alpha1 = { introduced = \"X\", removed = \"X+2\" }\n[group.g.kind.Widget.field.\"spec.day\"]\n",
    );
    let before = evaluated_text(&world, &text);
    let target = |what: &str| vec![format!("g/v1alpha1 Widget .spec.day.{what}<=X+6")];
    let removed = before.by_when(&target("removed")).expect("it is a target");
    assert_eq!(
        (removed.targets[0].met, removed.targets[0].events),
        (1, 1),
        "{removed:#?}"
    );
    let problem = before.by_when(&target("deprecated")).expect_err("it has ended");
    assert!(problem.to_string().ends_with("was removed in X+2"), "{problem}");
}

#[test]
fn what_was_withdrawn_is_announced_again_after_that() {
    let (world, text) = symbolic(
        "[group.g.version]\nv1alpha1 = { introduced = \"X\" }\n[group.g.kind.Widget]\n\
         version.v1alpha1 = { introduced = \"X\", deprecated = \"X\", undeprecated = \"X+4\" }\n",
    );
    let before = evaluated_text(&world, &text);
    for (by, reachable) in [("X+4", false), ("X+5", true)] {
        for what in ["deprecated", "removed"] {
            let report = before.by_when(&[format!("g/v1alpha1.{what}<={by}")]);
            let report = report.expect("it is a target");
            let soonest = report.targets[0].soonest.map(|moment| moment.release);
            assert_eq!(
                (report.reachable, soonest),
                (reachable, Some("X+5")),
                "{what}: {report:#?}"
            );
        }
    }
}

#[test]
fn what_a_version_withdrew_is_supposed_to_be_announced_again() {
    let (world, text) =
        symbolic("[group.g.version]\nv1beta1 = { introduced = \"X\", deprecated = \"X\", undeprecated = \"X+4\" }\n");
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1beta1.removed<=X+8".to_owned()]);
    let report = report.expect("it is a target");
    let earliest = report.steps.iter().filter(|step| step.is_open());
    let earliest: Vec<_> = earliest
        .filter_map(|step| Some((step.event.as_str(), step.earliest?.release)))
        .collect();
    assert!(report.reachable, "{report:#?}");
    assert_eq!(earliest, [("deprecated", "X+5"), ("removed", "X+8")], "{report:#?}");
}

/// The gate is alpha up to X+5, so that the field may leave its version up to then, and no longer.
#[test]
fn a_field_leaves_before_its_version_is_no_longer_alpha() {
    let (world, text) = symbolic(
        "[gate.Guard]\nspecs = [{ stage = \"alpha\", since = \"X\", default = false }, \
         { stage = \"GA\", since = \"X+6\", default = true, locked = true }]\n\
         [group.g.version]\nv1 = { introduced = \"X\", gated-by = \"Guard\" }\n\
         [group.g.kind.Widget.field.\"spec.day\"]\n",
    );
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1 Widget .spec.day.removed<=X+8".to_owned()]);
    let report = report.expect("it is a target");
    let latest = report.steps.iter().find(|step| step.target);
    let latest = latest.and_then(|step| step.latest).map(|latest| latest.release);
    assert_eq!((latest, report.undecided), (Some("X+5"), false), "{report:#?}");
}

/// Without its declared removal, the version is planned to end when the other one begins. Then the value needs no
/// counterpart, and the version would not have to move.
#[test]
fn a_removal_may_depend_on_one_that_the_plan_would_have_there_too() {
    let (world, text) = symbolic(
        "[group.g.version]\nv1alpha1 = { introduced = \"X+3\", removed = \"X+5\" }\n\
         v1alpha2 = { introduced = \"X+4\" }\nv1beta1 = { introduced = \"X+3\" }\n[group.g.kind]\n\
         Gadget = { versions = [\"v1alpha1\", \"v1alpha2\"], enum.\"spec.day\".Tuesday = {} }\n\
         Widget = { versions = [\"v1alpha2\"] }\n",
    );
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1alpha1 Gadget .spec.day=Tuesday.removed<=X+4".to_owned()]);
    let report = report.expect("it is a target");
    assert!(report.reachable, "{report:#?}");
}
