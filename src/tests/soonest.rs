//! The soonest removal: one release for the plan, judged removals and proposals.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use lifecycle::Sources;
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::{Evaluation, judge_removals};
use lifecycle::model::{ElementId, EventKind};
use lifecycle::propose::{Proposal, Request, propose};
use lifecycle::release::Release;
use lifecycle::report::Moment;
use lifecycle::stability::Track;
use proptest::prelude::*;
use proptest::sample::Index;

use super::proposals::evaluated;
use super::rich::rich;
use super::support::evaluate;
use super::worlds::{Dates, World, cases, evaluated_text, kubernetes, load_supposing, world};

/// The soonest release by the plan: of a version, that of the kind that is removed last.
fn planned(evaluation: &Evaluation, element: ElementId) -> Release {
    evaluation.reasoning().soonest_end(element).release
}

/// Whether a removal is allowed, and the soonest release that the answer names.
pub(super) fn judged(world: &World, text: &str, id: &str, release: Release) -> Option<(bool, Option<String>)> {
    let evaluation = evaluated_text(world, text);
    let model = evaluation.model();
    let element = model.find(id).expect("it is an element");
    let removal = evaluation.removal(element, &model.calendar.name(release)).ok()?;
    let judged = judge_removals(&[removal], |more| load_supposing(world, text, None, more)).ok()?;
    let sources = Sources::new();
    let report = judged.report(&sources);
    let proposal = report.proposals.first().expect("one was proposed");
    Some((
        proposal.allowed,
        proposal.soonest.map(|moment| moment.release.to_owned()),
    ))
}

/// Whether the proposal of a removal is allowed, and the release of the removal.
fn proposed(world: &World, text: &str, id: &str) -> Option<(bool, Option<Release>)> {
    let base = evaluated_text(world, text);
    let request = Request {
        proposal: Proposal::Removal,
        element: id,
        from: None,
        at: &[],
    };
    let read = |texts: &[String]| load_supposing(world, &texts[0], None, &[]);
    let rollout = propose(&request, &base, &[text.to_owned()], read).ok()?;
    let with = rollout.evaluation().model();
    let element = with.find(id).expect("it is an element");
    let parts = with.served_by(element).into_iter();
    let removed = parts.map(|part| with.declared_release(with.last_event(part, EventKind::Removed)));
    Some((rollout.is_allowed(), removed.max()?))
}

/// Whether all its parts still lack a removal, and no error of the model is about it.
///
/// What declares its removal has nothing planned or proposed. An error about an element is about a breach that a removal
/// can end, repeat or make worse, so the answers are about different models.
pub(super) fn is_open(evaluation: &Evaluation, element: ElementId) -> bool {
    let model = evaluation.model();
    let parts = model.served_by(element);
    let mut ends = parts.iter().map(|part| model.last_event(*part, EventKind::Removed));
    let begins = parts.iter().map(|part| model.last_event(*part, EventKind::Introduced));
    // What it is part of may be planned to be removed before.
    let mut never_begins = begins
        .filter(|begin| model.find_declared(*begin).is_some() && evaluation.reasoning().release(*begin).is_none());
    let mut errors = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    let mut about = parts.iter().chain([&element]).map(|part| model.id(*part));
    ends.all(|removed| model.find_declared(removed).is_none())
        && never_begins.next().is_none()
        && !errors.any(|finding| about.any(|id| finding.element.as_deref() == Some(id)))
}

/// Holds for one element that all answers agree.
pub(super) fn agree(
    world: &World,
    text: &str,
    evaluation: &Evaluation,
    element: ElementId,
) -> Result<(), TestCaseError> {
    let model = evaluation.model();
    let (id, calendar) = (model.id(element), &model.calendar);
    let soonest = planned(evaluation, element);
    if soonest.is_never() {
        let last = calendar.listed().saturating_sub(1);
        let answer = judged(world, text, id, Release(last));
        prop_assert!(
            answer.as_ref().is_none_or(|(_, said)| said.is_none()),
            "{id}: {answer:?}"
        );
        return Ok(());
    }
    if calendar.find(&calendar.name(soonest)) != Ok(soonest) {
        return Ok(());
    }
    let name = calendar.name(soonest);
    let Some((allowed, said)) = judged(world, text, id, soonest) else {
        prop_assert!(
            evaluation.reasoning().kept(element).is_some(),
            "{id} cannot be judged in {name}"
        );
        prop_assert!(proposed(world, text, id).is_none(), "{id} is proposed");
        return Ok(());
    };
    let proposal = proposed(world, text, id);
    // Only its deprecation may be what is not allowed.
    let refused =
        proposal.is_some_and(|(allowed, _)| !allowed) && evaluation.reasoning().unannounced(element).next().is_some();
    prop_assert_eq!(allowed, !refused, "the removal of {} in {}", id, name);
    prop_assert_eq!(said.as_deref(), Some(name.as_str()), "{}", id);
    if let Some(before) = soonest.0.checked_sub(1).map(Release)
        && let Some((allowed, said)) = judged(world, text, id, before)
    {
        // In an alpha version, a part that leaves before it is a warning.
        let tolerated = model.element(element).kind.is_member() && model.element(element).track == Track::Alpha;
        prop_assert!(!allowed || tolerated, "{id} is allowed to be removed before {name}");
        prop_assert_eq!(said.as_deref(), Some(name.as_str()), "{}", id);
    }
    if let Some((_, Some(removed))) = proposal {
        prop_assert_eq!(calendar.name(removed), name, "{}", id);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn every_answer_names_the_same_soonest_removal(world in world(), at in any::<Index>()) {
        let text = world.text();
        let evaluation = evaluated_text(&world, &text);
        let ids = evaluation.model().elements().map(|(id, _)| id);
        let open: Vec<ElementId> = ids.filter(|id| is_open(&evaluation, *id)).collect();
        prop_assume!(!open.is_empty());
        agree(&world, &text, &evaluation, *at.get(&open))?;
    }

    // Of models with elements of all kinds; see `is_open` for the elements that are left out.
    #[test]
    fn every_answer_about_any_element_names_the_same_soonest_removal(rich in rich(), at in any::<Index>()) {
        let Some(evaluation) = evaluated(&rich) else { return Ok(()) };
        let ids = evaluation.model().elements().map(|(id, _)| id);
        let open: Vec<ElementId> = ids.filter(|id| is_open(&evaluation, *id)).collect();
        prop_assume!(!open.is_empty());
        agree(&rich.world, &rich.text, &evaluation, *at.get(&open))?;
    }

    #[test]
    fn no_next_step_is_about_a_shipped_release(world in world()) {
        let evaluation = evaluated_text(&world, &world.text());
        let calendar = &evaluation.model().calendar;
        let Some(current) = calendar.current() else { return Ok(()) };
        for finding in evaluation.findings() {
            let help = finding.help.as_deref().unwrap_or_default();
            // What lies past the calendar is named by the last release of it.
            let last = calendar.name(Release(calendar.listed().saturating_sub(1)));
            let help = help.replace(&format!("after {last}"), "");
            let words = help.split([' ', '"', ';', ',', ':']);
            let named: Vec<Release> = words.filter_map(|word| calendar.find(word).ok()).collect();
            let is_final = help.contains(" has shipped: ") && help.ends_with("record a baseline or add an exception");
            prop_assert!(is_final || named.iter().all(|release| *release > current), "{finding:?}");
        }
    }
}

/// A model with nine symbolic releases, of which four have shipped.
fn symbolic(text: &str) -> (World, String) {
    let world = World {
        editions: vec![(0, kubernetes())],
        dates: Dates {
            symbolic: true,
            days: vec![None; 9],
            cadence: Some(4),
            current: Some(3),
            second_major: None,
        },
        groups: Vec::new(),
        others: Vec::new(),
    };
    let (top, tables) = text.split_at(text.find("\n[").unwrap_or(0));
    let text = format!(
        "{top}\n[calendar]\ncurrent = \"X+3\"\ncadence = {{ months = 4 }}\nsymbolic = {{ origin = \"X\", count = 9 }}\n{tables}"
    );
    (world, text)
}

#[test]
fn what_may_not_be_deprecated_is_removed_in_no_release() {
    for (edition, soonest) in [("-2019", None), ("-2021", None), ("", Some("X+7"))] {
        let text = format!("policy = \"kubernetes{edition}\"\n[group.g.version]\nv1beta1 = {{ introduced = \"X\" }}\n");
        let (world, text) = symbolic(&text);
        let answer = judged(&world, &text, "g/v1beta1", Release(7)).expect("it can be judged");
        assert_eq!(answer, (soonest.is_some(), soonest.map(str::to_owned)), "{edition}");
        let evaluation = evaluated_text(&world, &text);
        let reports = evaluation.elements();
        let beta = reports.first().expect("there is one");
        let names = |moment: &Option<Moment<'_>>| moment.as_ref().map(|moment| moment.release.to_owned());
        assert_eq!(
            names(&beta.earliest_deprecation).is_some(),
            soonest.is_some(),
            "{edition}"
        );
        assert_eq!(names(&beta.earliest_removal).as_deref(), soonest, "{edition}");
    }
}

/// Whether a removal is allowed in a model, and the soonest release that the answer names.
fn answered(text: &str, id: &str, release: usize) -> Option<(bool, String)> {
    let (world, text) = symbolic(text);
    let release = Release(u32::try_from(release).expect("a small number"));
    let (allowed, soonest) = judged(&world, &text, id, release)?;
    Some((allowed, soonest.expect("a removal is in sight")))
}

#[test]
fn what_declares_nothing_is_removed_a_window_after_the_next_release() {
    let behavior = "[behavior.b]\n";
    assert_eq!(answered(behavior, "behavior b", 6), Some((false, "X+7".to_owned())));
    assert_eq!(answered(behavior, "behavior b", 7), Some((true, "X+7".to_owned())));
}

#[test]
fn a_finding_about_what_has_shipped_does_not_count_against_a_late_removal() {
    let text = "
[gate.Gone]
specs = [{ stage = \"alpha\", since = \"X\", default = false }]
removed = \"X+1\"
[gate.Dependent]
specs = [{ stage = \"beta\", since = \"X\", default = true }]
depends-on = \"Gone\"
";
    assert_eq!(answered(text, "gate Dependent", 5), Some((true, "X+5".to_owned())));
    assert_eq!(answered(text, "gate Dependent", 8), Some((true, "X+5".to_owned())));
}

#[test]
fn nothing_is_deprecated_again_before_its_deprecation_is_withdrawn() {
    let text = "
[metric.m]
specs = [{ stage = \"ALPHA\", since = \"X\" }]
deprecated = \"X+2\"
undeprecated = \"X+5\"
";
    assert_eq!(answered(text, "metric m", 5), None);
    assert_eq!(answered(text, "metric m", 6), Some((false, "X+7".to_owned())));
    assert_eq!(answered(text, "metric m", 7), Some((true, "X+7".to_owned())));
}

#[test]
fn a_metric_hidden_without_a_deprecation_is_removed_a_window_after_that() {
    let text = "[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"X\" }]\nhidden = \"X+3\"\n";
    assert_eq!(answered(text, "metric m", 6), Some((false, "X+7".to_owned())));
    assert_eq!(answered(text, "metric m", 7), Some((true, "X+7".to_owned())));
}

#[test]
fn no_advice_moves_an_entry_of_a_metric_that_has_shipped() {
    let text = "
[calendar]
current = \"X+3\"
symbolic = { origin = \"X\", count = 9 }
[metric.m]
specs = [{ stage = \"STABLE\", since = \"X\" }, { stage = \"ALPHA\", since = \"X+1\" }]
";
    let evaluation = evaluate(text).expect("it can be read");
    let lowered = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.code == "class-lowered");
    let helps: Vec<&str> = lowered.filter_map(|finding| finding.help.as_deref()).collect();
    assert!(!helps.is_empty());
    assert!(
        helps.iter().all(|help| help.starts_with("X+1 has shipped")),
        "{helps:?}"
    );
}

#[test]
fn what_a_gate_makes_beta_is_removed_after_the_window_of_a_beta() {
    let text = "
[gate.G]
specs = [{ stage = \"beta\", since = \"X\", default = true }, { stage = \"GA\", since = \"X+6\", default = true }]
[cli.tool]
audience = \"user\"
[cli.tool.flag]
\"--old\" = { introduced = \"X\", gated-by = \"G\" }
";
    assert_eq!(answered(text, "cli tool --old", 4), Some((false, "X+5".to_owned())));
    assert_eq!(answered(text, "cli tool --old", 5), Some((true, "X+5".to_owned())));
}

#[test]
fn a_metric_is_removed_under_the_edition_in_which_its_end_can_be_announced() {
    let text = "
policy = [{ use = \"kubernetes-2021\" }, { use = \"kubernetes-2025\", from = \"X+5\" }]
[metric.m]
specs = [{ stage = \"STABLE\", since = \"X\" }]
";
    assert_eq!(answered(text, "metric m", 5), Some((false, "X+6".to_owned())));
    assert_eq!(answered(text, "metric m", 6), Some((true, "X+6".to_owned())));
}

#[test]
fn a_flag_goes_with_its_command_without_a_deprecation_of_its_own() {
    let text = "
[cli.tool]
audience = \"user\"
[cli.tool.command.run]
deprecated = \"X+1\"
[cli.tool.command.run.flag]
\"--old\" = { introduced = \"X+2\" }
";
    assert_eq!(answered(text, "cli tool run --old", 4), Some((true, "X+4".to_owned())));
}

#[test]
fn a_replacement_is_removed_no_earlier_than_what_it_replaces() {
    let text = "
[group.\"a.example\".version]
v1beta1 = { introduced = \"X+1\", deprecated = \"X+4\", replacement = \"b.example/v1beta1\" }
[group.\"a.example\".kind.Widget]
[group.\"b.example\".version]
v1beta1 = { introduced = \"X+1\", deprecated = \"X+1\" }
[group.\"b.example\".kind.Widget]
";
    for id in ["b.example/v1beta1 Widget", "b.example/v1beta1"] {
        assert_eq!(answered(text, id, 6), Some((false, "X+7".to_owned())));
        assert_eq!(answered(text, id, 7), Some((true, "X+7".to_owned())));
    }
}

#[test]
fn a_version_is_removed_after_a_release_that_serves_the_one_that_begins_just_then() {
    let text = "
[group.\"g.example\".kind.Widget]
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X\", undeprecated = \"X+2\" }
v1alpha1 = { introduced = \"X+7\" }
v1alpha2 = { introduced = \"X+12\" }
";
    for id in ["g.example/v1beta1 Widget", "g.example/v1beta1"] {
        assert_eq!(answered(text, id, 7), Some((false, "X+8".to_owned())));
        assert_eq!(answered(text, id, 8), Some((true, "X+8".to_owned())));
    }
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let reports = evaluation.elements();
    let beta = reports.iter().find(|report| report.id == "g.example/v1beta1");
    let announced = beta.and_then(|beta| beta.if_deprecated.as_ref());
    assert_eq!(announced.map(|moment| moment.earliest_removal.release), Some("X+8"));
}

/// The model with the removal of an element, as proposed.
fn with_removal(text: &str, id: &str) -> String {
    let (world, text) = symbolic(text);
    let base = evaluated_text(&world, &text);
    let request = Request {
        proposal: Proposal::Removal,
        element: id,
        from: None,
        at: &[],
    };
    let read = |texts: &[String]| load_supposing(&world, &texts[0], None, &[]);
    let rollout = propose(&request, &base, &[text], read).expect("it can be proposed");
    assert!(rollout.is_allowed(), "{}", rollout.texts[0]);
    rollout.texts[0].clone()
}

#[test]
fn a_version_stays_where_another_one_would_leave_no_overlap_without_it() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X+5\", removed = \"X+6\" }
v2alpha1 = { introduced = \"X+1\" }
v2beta1 = { introduced = \"X+6\" }
[group.\"g.example\".kind.Gadget]
versions = [\"v2alpha1\"]
";
    assert_eq!(answered(text, "g.example/v2alpha1", 4), Some((false, "X+7".to_owned())));
    assert_eq!(answered(text, "g.example/v2alpha1", 7), Some((true, "X+7".to_owned())));
}

#[test]
fn the_removal_of_a_kind_is_proposed_for_the_last_life_of_its_version() {
    let text = "
[group.\"g.example\".kind.Widget]
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\" }] }
v1 = { introduced = \"X+4\" }
";
    let proposed = with_removal(text, "g.example/v1beta1 Widget");
    let own = "lives = [{}, { deprecated = \"X+4\", removed = \"X+7\" }]";
    assert!(proposed.contains(own), "{proposed}");
}

#[test]
fn a_withdrawn_deprecation_is_proposed_again_beside_the_first() {
    let model = |entry: &str| {
        format!(
            "\n[group.\"g.example\".kind.Widget]\n[group.\"g.example\".version]\nv1beta1 = {{ {entry} }}\nv1 = {{ introduced = \"X+3\" }}\n"
        )
    };
    let life = "introduced = \"X\", deprecated = \"X\", undeprecated = \"X+2\"";
    let again = "introduced = \"X\", deprecated = [\"X\", \"X+4\"], undeprecated = \"X+2\", removed = \"X+7\"";
    let one = with_removal(&model(life), "g.example/v1beta1");
    assert!(one.contains(again), "{one}");
    let earlier = "{ introduced = \"X\", removed = \"X+1\" }";
    let lives = life.replace("\"X\"", "\"X+1\"");
    let several = with_removal(
        &model(&format!("lives = [{earlier}, {{ {lives} }}]")),
        "g.example/v1beta1",
    );
    let again = "deprecated = [\"X+1\", \"X+4\"], undeprecated = \"X+2\", removed = \"X+7\"";
    assert!(several.contains(again), "{several}");
}

#[test]
fn of_a_chain_of_replacements_the_last_one_stays() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X+3\", removed = \"X+8\", replacement = \"v1beta2\" }
v1beta2 = { introduced = \"X\", deprecated = \"X+2\", replacement = \"v1beta3\" }
v1beta3 = { introduced = \"X\", deprecated = \"X+1\" }
";
    assert_eq!(answered(text, "g.example/v1beta2", 5), Some((true, "X+5".to_owned())));
    assert_eq!(answered(text, "g.example/v1beta3", 7), Some((false, "X+8".to_owned())));
    assert_eq!(answered(text, "g.example/v1beta3", 8), Some((true, "X+8".to_owned())));
}

#[test]
fn a_version_that_replaces_another_one_stays_as_a_whole() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X+3\", removed = \"X+8\", replacement = \"v1beta2\" }
v1beta2 = { introduced = \"X\", deprecated = \"X+2\" }
[group.\"g.example\".kind]
Widget = { versions = [\"v1beta2\"] }
Gadget = { versions = [\"v1beta2\"] }
";
    assert_eq!(
        answered(text, "g.example/v1beta2 Widget", 5),
        Some((true, "X+5".to_owned()))
    );
    assert_eq!(answered(text, "g.example/v1beta2", 7), Some((false, "X+8".to_owned())));
    assert_eq!(answered(text, "g.example/v1beta2", 8), Some((true, "X+8".to_owned())));
}

#[test]
fn a_removal_is_judged_with_its_deprecation_and_the_words_that_go_with_it() {
    let metrics = |help: &str| format!("[metric.m]\nspecs = [{{ stage = \"STABLE\", since = \"X\" }}]\n{help}\n");
    let worded = metrics("help = \"Requests.\"");
    assert_eq!(answered(&worded, "metric m", 8), Some((true, "X+8".to_owned())));
    let replaced = metrics("replacement = \"n\"\n[metric.n]\nspecs = [{ stage = \"ALPHA\", since = \"X\" }]");
    assert_eq!(answered(&replaced, "metric m", 8), Some((false, "X+8".to_owned())));
    let flag = "[cli.tool]\naudience = \"user\"\n[cli.tool.flag.\"--old\"]\n";
    assert_eq!(answered(flag, "cli tool --old", 7), Some((true, "X+7".to_owned())));
}

#[test]
fn what_is_never_deprecated_is_not_removed_where_that_has_to_be_announced() {
    let text = "
[group.g.version]
v1alpha1 = { introduced = \"X\", deprecated = \"never\" }
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X+1\" }
[group.g.kind.A]
version = { v1beta1 = { deprecated = \"never\" } }
[group.g.kind.B]
";
    assert_eq!(answered(text, "g/v1alpha1", 4), Some((true, "X+4".to_owned())));
    assert_eq!(answered(text, "g/v1beta1 B", 7), Some((true, "X+7".to_owned())));
    for id in ["g/v1beta1", "g/v1beta1 A"] {
        assert_eq!(answered(text, id, 7), None, "{id}");
    }
}

#[test]
fn a_part_of_an_alpha_is_removed_in_the_next_release() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.width\" = {}
enum.\"spec.policy\".Always = { introduced = \"X+4\" }
annotation.\"g.example/size\" = {}
subresource.status = {}
";
    let widget = "g.example/v1alpha1 Widget";
    for part in [" .spec.width", " @g.example/size", "/status"] {
        assert_eq!(
            answered(text, &format!("{widget}{part}"), 4),
            Some((true, "X+4".to_owned()))
        );
    }
    let value = format!("{widget} .spec.policy=Always");
    assert_eq!(answered(text, &value, 5), Some((true, "X+5".to_owned())));
}

#[test]
fn what_is_behind_an_alpha_gate_is_removed_in_the_next_release_unless_it_is_a_counterpart() {
    let text = "
[gate.G]
specs = [{ stage = \"alpha\", since = \"X\", default = false }, { stage = \"beta\", since = \"X+5\", default = true }]
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X+3\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.width\" = { in = { v1 = { gated-by = \"G\" } } }
field.\"spec.depth\" = { gated-by = \"G\" }
";
    let width = answered(text, "g.example/v1 Widget .spec.width", 4);
    assert_eq!(width, Some((true, "X+4".to_owned())));
    let depth = "g.example/v1 Widget .spec.depth";
    assert_eq!(answered(text, depth, 5), Some((false, "X+6".to_owned())));
}

#[test]
fn what_a_gate_lowers_in_the_release_of_its_removal_needs_no_deprecation() {
    let text = "
[gate.G]
specs = [{ stage = \"alpha\", since = \"X+4\", default = false }]
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", gated-by = \"G\" }
";
    assert_eq!(answered(text, "g.example/v1beta1", 4), Some((true, "X+4".to_owned())));
}

#[test]
fn a_part_of_one_version_is_proposed_to_be_removed_from_that_one() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
subresource.status = { introduced = \"X+1\" }
";
    let (world, text) = symbolic(text);
    let status = "g.example/v1alpha1 Widget/status";
    assert_eq!(proposed(&world, &text, status), Some((true, Some(Release(4)))));
}

#[test]
fn a_version_has_the_lives_of_a_part_in_which_it_is_served() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+2\" }] }
v1 = { introduced = \"X+3\" }
[group.\"g.example\".kind.Widget]
annotation.size = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+2\" }] }
";
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let model = evaluation.model();
    let lives = ["v1alpha1", "v1"].map(|version| {
        let annotation = model.find(&format!("g.example/{version} Widget @size"));
        model.lives(annotation.expect("it is an element"))
    });
    assert_eq!(lives, [2, 1]);
}

#[test]
fn an_earlier_life_of_a_version_excuses_nothing_in_a_later_one_of_its_kind() {
    let text = "
policy = \"kubernetes-2021\"
[group.\"g.example\".version]
v1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+2\", deprecated = \"X+3\" }] }
[group.\"g.example\".kind.Widget]
";
    let id = "g.example/v1 Widget";
    assert_eq!(answered(text, id, 5), Some((false, "X+6".to_owned())));
    assert_eq!(answered(text, id, 6), Some((true, "X+6".to_owned())));
}

#[test]
fn the_removal_of_a_later_life_is_proposed_in_that_life() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X\", deprecated = \"X\", removed = \"X+1\" }, { introduced = \"X+2\" }] }
v1 = { introduced = \"X+2\" }
[behavior.b]
[[behavior.b.lives]]
introduced = \"X\"
deprecated = \"X\"
removed = \"X+1\"
[[behavior.b.lives]]
introduced = \"X+2\" # Again.
";
    let (world, text) = symbolic(text);
    for id in ["g.example/v1beta1", "behavior b"] {
        let evaluation = evaluated_text(&world, &text);
        let soonest = planned(&evaluation, evaluation.model().find(id).expect("it is an element"));
        let proposal = proposed(&world, &text, id).expect("it can be proposed");
        assert_eq!(proposal.1, Some(soonest), "{id}");
    }
}
