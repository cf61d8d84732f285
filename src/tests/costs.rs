//! What models cost, in comparisons of elements: twice the model costs twice as much.

use std::fmt::Write as _;

use lifecycle::Sources;
use lifecycle::evaluate::{Evaluation, TooManyEvents};
use lifecycle::propose::{Proposal, Request, propose};
use lifecycle::{Document, FileId};

use crate::evaluate::Load;
use crate::model::comparisons::during;

use super::soonest::symbolic;
use super::support::evaluate;
use super::worlds::evaluated_text;

/// The most that twice the model may cost, in tenths of what the model costs.
const TWICE: u64 = 24;

/// Forty releases, the last but one of which is current.
fn calendar() -> String {
    let mut text = String::from("[calendar]\ncurrent = \"1.38\"\ncadence = { months = 4 }\n[calendar.releases]\n");
    for release in 0..40 {
        let (year, month) = (2000 + release / 3, release % 3 * 4 + 1);
        let _ = writeln!(text, "\"1.{release}\" = {year}-{month:02}-01");
    }
    text
}

/// So many kinds of one group, in these versions, each with an entry like this.
fn kinds(versions: &str, count: usize, entry: &str) -> String {
    let mut text = format!("{}[group.g.version]\n{versions}\n[group.g.kind]\n", calendar());
    for kind in 0..count {
        let _ = writeln!(text, "K{kind} = {{ {entry} }}");
    }
    text
}

/// So many groups of one kind, whose beta is deprecated.
fn groups(count: usize) -> String {
    let mut text = calendar();
    for group in 0..count {
        let _ = writeln!(
            text,
            "[group.g{group}.version]\nv1beta1 = {{ introduced = \"1.30\", deprecated = \"1.37\", replacement = \
             \"v1\" }}\nv1 = {{ introduced = \"1.36\" }}\n[group.g{group}.kind.K]"
        );
    }
    text
}

fn evaluated(text: &str) -> Evaluation {
    evaluate(text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Asserts that what some work compares grows with the size of its model.
fn grows_with_the_model(what: &str, model: impl Fn(usize) -> String, work: impl Fn(&str)) {
    let [once, twice] = [400, 800].map(|size| {
        let text = model(size);
        during(|| work(&text)).1
    });
    assert!(once > 400, "{what}: {once} comparisons");
    assert!(
        twice * 10 <= once * TWICE,
        "{what}: {once} comparisons, and {twice} for twice the model"
    );
}

/// Evaluates a model, and makes its report.
fn report(text: &str) {
    let evaluation = evaluated(text);
    let report = serde_json::to_string(&evaluation.report(&Sources::new()));
    assert!(report.is_ok_and(|report| !report.is_empty()));
}

const OPEN: &str = "v1beta1 = { introduced = \"1.30\", deprecated = \"1.36\" }\nv1 = { introduced = \"1.39\" }";
const TWO: &str = "v1beta1 = { introduced = \"1.20\", deprecated = \"1.30\" }\nv1 = { introduced = \"1.25\" }";

#[test]
fn a_report_costs_as_much_as_the_kinds_of_a_group() {
    grows_with_the_model("two versions", |count| kinds(TWO, count, ""), report);
    grows_with_the_model("ends that wait", |count| kinds(OPEN, count, ""), report);
    grows_with_the_model("groups", groups, report);
}

#[test]
fn betas_without_a_successor_cost_as_much_as_there_are() {
    let version = "v1beta1 = { introduced = \"1.37\" }";
    grows_with_the_model("betas", |count| kinds(version, count, ""), report);
}

#[test]
fn kinds_that_are_overdue_together_cost_as_much_as_there_are() {
    let versions = "v1beta1 = { introduced = \"1.1\", deprecated = \"1.37\", removed = \"1.41\" }\n\
                    v1 = { introduced = \"1.2\" }";
    let with_another = |count| {
        let late = "Z = { version = { v1beta1 = { introduced = \"1.1\", deprecated = \"1.38\" } } }\n";
        kinds(versions, count, "") + late
    };
    let found = evaluated(&with_another(5));
    let late = found.findings().iter().find(|finding| finding.code == "overdue");
    let help = late.and_then(|finding| finding.help.as_deref());
    assert!(
        help.is_some_and(|help| help.contains("K0 and 4 other kinds")),
        "{help:?}"
    );
    grows_with_the_model("overdue", with_another, report);
}

#[test]
fn migrations_cost_as_much_as_the_kinds() {
    let entry = "storage = { v1beta1 = \"1.20\", v1 = \"1.27\" }, migrated = { v1beta1 = \"1.29\" }";
    grows_with_the_model("migrations", |count| kinds(TWO, count, entry), report);
}

/// The reasons for the events of all elements whose ids have this in them.
fn reasons(text: &str, named: &str) {
    let evaluation = evaluated(text);
    let elements = evaluation.model().elements().map(|(id, _)| id);
    let elements = elements.filter(|id| evaluation.model().id(*id).contains(named));
    let sources = Sources::new();
    let found = evaluation.derivations(&sources, elements, None);
    assert!(found.is_ok_and(|found| !found.is_empty()));
}

#[test]
fn reasons_cost_as_much_as_what_is_explained() {
    grows_with_the_model("reasons of all", groups, |text| reasons(text, ""));
    let of_a_version = |text: &str| {
        let evaluation = evaluated(text);
        let version = evaluation.model().find("g/v1beta1").expect("it is declared");
        let derivation = evaluation.derivation(&Sources::new(), version, None);
        assert!(derivation.events.len() > 800);
    };
    grows_with_the_model("reasons of a version", |count| kinds(TWO, count, ""), of_a_version);
}

/// Gates of which each needs the next one, so that none is removed before those before it.
fn chain_of_gates(count: usize) -> String {
    let mut text = calendar();
    for gate in 0..count {
        let since = gate % 30;
        let _ = writeln!(
            text,
            "[gate.G{gate:04}]\nspecs = [{{ stage = \"alpha\", since = \"1.{since}\", default = false }}]"
        );
        if gate + 1 < count {
            let _ = writeln!(text, "depends-on = [\"G{:04}\"]", gate + 1);
        }
    }
    text
}

#[test]
fn the_reasons_of_a_chain_are_limited() {
    let evaluation = evaluated(&chain_of_gates(600));
    let elements = || evaluation.model().elements().map(|(id, _)| id);
    let sources = Sources::new();
    assert_eq!(
        evaluation.derivations(&sources, elements(), None).err(),
        Some(TooManyEvents)
    );
    let last = elements().last();
    let longest = evaluation
        .derivations(&sources, last, None)
        .expect("one element is explained");
    assert!(longest[0].events.len() > 400, "{}", longest[0].events.len());
    assert!(evaluation.derivations(&sources, elements().take(20), None).is_ok());
}

/// The releases of many versions of one kind, each of which begins when the one before ends, but for the first.
fn one_after_another(versions: usize) -> String {
    let mut text = String::from("[calendar]\ncadence = { months = 1 }\nsymbolic = { origin = \"X\", count = 100 }\n");
    text += "[group.g.version]\n";
    for version in 1..=versions {
        let _ = writeln!(text, "v{version} = {{ introduced = \"X+{version}\" }}");
    }
    text
}

#[test]
fn overlaps_take_steps_in_proportion_to_the_pairs_of_versions() {
    let steps = |text: &str| evaluated(text).steps_taken();
    let [once, twice] = [400, 800].map(|count| steps(&kinds(OPEN, count, "")));
    assert!(
        once > 400 * 16 && twice * 10 <= once * 22,
        "{once} steps of kinds, {twice} of twice as many"
    );
    let [once, twice] = [20, 40].map(|count| steps(&one_after_another(count)));
    assert!(
        once > 200 && twice * 10 <= once * 45,
        "{once} steps of versions, {twice} of twice as many"
    );
}

#[test]
fn a_model_whose_overlaps_take_too_many_steps_has_no_plan() {
    let evaluation = evaluated(&kinds(OPEN, 100, ""));
    assert_eq!(evaluation.refused_within(1_000_000), None);
    let refused = evaluation.refused_within(1_000).expect("it takes more steps");
    assert_eq!(
        refused.message,
        "the versions of the model overlap in too many ways: it takes more than 1000 steps to plan their ends"
    );
    assert!(refused.span().is_some() && refused.help.is_some(), "{refused:?}");
}

/// What it costs to evaluate a model, and to propose a removal in it.
fn costs_of_a_removal(text: &str) -> (u64, u64, usize) {
    let read = |texts: &[String]| Load::new(&[Document::parse(FileId(0), &texts[0])]).evaluate();
    let (base, check) = during(|| evaluated(text));
    let request = Request {
        proposal: Proposal::Removal,
        element: "g1/v1beta1",
        from: None,
        at: &[],
    };
    let rounds = std::cell::Cell::new(0);
    let counted = |texts: &[String]| {
        rounds.set(rounds.get() + 1);
        read(texts)
    };
    let ((), cost) = during(|| {
        let proposed = propose(&request, &base, &[text.to_owned()], counted).expect("it can be proposed");
        assert!(proposed.is_allowed());
        let report = proposed.report(&base, &Sources::new());
        assert!(!report.releases.is_empty());
    });
    (check, cost, rounds.get())
}

#[test]
fn a_proposal_costs_a_few_evaluations() {
    let (check, cost, rounds) = costs_of_a_removal(&groups(400));
    assert!(rounds <= 4, "{rounds} evaluations");
    assert!(cost <= check * 8, "{cost} comparisons, {check} of an evaluation");
}

/// The comparisons that it takes to find a way to a target.
fn way(text: &str, target: &str) -> (u64, bool) {
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let (report, cost) = during(|| evaluation.by_when(&[target.to_owned()]));
    (cost, report.expect("it is a target").undecided)
}

/// Policies that change in each of so many releases.
fn editions(count: usize) -> String {
    let editions = (0..count).map(|at| {
        let edition = ["-2025", ""][at % 2];
        format!(", {{ use = \"kubernetes{edition}\", from = \"X+{}\" }}", at + 8)
    });
    format!(
        "policy = [{{ use = \"kubernetes\" }}{}]\n",
        editions.collect::<String>()
    )
}

/// The field may leave its version up to X+5. Each edition after that may permit it again, so the search goes back from
/// one to the one before it, but not through all.
#[test]
fn a_removal_goes_back_before_few_of_the_releases_that_may_permit_it() {
    let text = |count: usize| {
        format!(
            "{}[gate.Guard]\nspecs = [{{ stage = \"alpha\", since = \"X\", default = false }}, {{ stage = \"GA\", since = \
             \"X+6\", default = true, locked = true }}]\n[group.g.version]\nv1 = {{ introduced = \"X\", gated-by = \
             \"Guard\" }}\n[group.g.kind.Widget.field.\"spec.day\"]\n",
            editions(count)
        )
    };
    let target = "g/v1 Widget .spec.day.removed<=X+90";
    let [(few, is_open), (many, is_open_too)] = [40, 80].map(|count| way(&text(count), target));
    assert!(is_open && is_open_too, "the search stops before it has tried all");
    assert!(
        many * 10 <= few * 15,
        "{few} comparisons, and {many} for twice the editions"
    );
}

/// A flag that each edition judges otherwise, and that may be deprecated in any of them.
#[test]
fn few_of_the_stretches_in_which_a_deprecation_is_judged_alike_are_tried() {
    let text = |count: usize| {
        format!(
            "{}[cli.tool]\naudience = \"admin\"\n[cli.tool.command.run]\nintroduced = \"X\"\nwarning = \"w\"\n\
             [cli.tool.command.run.flag]\n\"--old\" = {{ stage = \"GA\", introduced = \"X\", warning = \"w\" }}\n",
            editions(count)
        )
    };
    let target = "cli tool run --old.removed<=X+90";
    let [(few, _), (many, _)] = [40, 80].map(|count| way(&text(count), target));
    assert!(
        many * 10 <= few * 15,
        "{few} comparisons, and {many} for twice the editions"
    );
}

/// The removal of each field takes the counterpart of another version away, so each waits for the release in which that
/// changes.
#[test]
fn the_releases_in_which_counterparts_change_are_listed_once() {
    let text = |count: usize| {
        let fields = (0..count).map(|at| format!("field.\"spec.day{at}\" = {{}}\n"));
        format!(
            "policy = \"kubernetes\"\n[group.g.version]\nv1beta1 = {{ introduced = \"X+5\" }}\nv2alpha1 = {{ introduced = \
             \"X+3\", deprecated = \"X+5\" }}\nv1alpha2 = {{ introduced = \"X+2\", deprecated = \"X+6\", removed = \"X+17\" }}\n\
             [group.g.kind.Widget]\n{}",
            fields.collect::<String>()
        )
    };
    let target = "g/v1alpha2 Widget .spec.*.removed<=X+11";
    let [(once, _), (twice, _)] = [100, 200].map(|count| way(&text(count), target));
    assert!(
        twice * 10 <= once * TWICE,
        "{once} comparisons, and {twice} for twice the fields"
    );
}

/// Each of so many flags is judged otherwise from a release on, so for each there is another way to try.
#[test]
fn a_search_tries_no_more_once_it_has_planned_enough() {
    let flag = |at| format!("\"--old{at}\" = {{ stage = \"GA\", introduced = \"X\", warning = \"w\" }}\n");
    let flags: Vec<String> = (0..40).map(flag).collect();
    let program = format!("[cli.tool]\naudience = \"admin\"\n[cli.tool.flag]\n{}", flags.concat());
    let text = editions(2) + &program;
    let (world, text) = symbolic(&text);
    let evaluation = evaluated_text(&world, &text);
    let asked = ["cli tool *.removed<=X+30".to_owned()];
    let [all, some] = [150_000, 100].map(|most| during(|| evaluation.by_when_within(most, &asked)));
    let [(all, cost), (some, bounded)] = [all, some].map(|(report, cost)| (report.expect("a target"), cost));
    assert!(all.reachable && some.reachable, "{some:#?}");
    assert!(some.untried > all.untried, "{} and {}", some.untried, all.untried);
    assert!(bounded * 2 < cost, "{bounded} comparisons, {cost} without the limit");
}
