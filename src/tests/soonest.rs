//! The soonest removal: one release for the plan, judged removals and proposals.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::collections::BTreeSet;

use lifecycle::Sources;
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::{ElementState, Evaluation, Filter, judge_removals};
use lifecycle::model::{ElementId, ElementKind, EventKind, Model};
use lifecycle::propose::{Proposal, Request, Unproposable, propose};
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

/// Whether the proposal of a removal is allowed, and the release of the removal; else why it cannot be computed.
fn proposed(world: &World, text: &str, id: &str) -> Result<(bool, Option<Release>), Unproposable> {
    let base = evaluated_text(world, text);
    let request = Request {
        proposal: Proposal::Removal,
        element: id,
        from: None,
        at: &[],
    };
    let read = |texts: &[String]| load_supposing(world, &texts[0], None, &[]);
    let rollout = propose(&request, &base, &[text.to_owned()], read)?;
    let with = rollout.evaluation().model();
    let element = with.find(id).expect("it is an element");
    let parts = with.served_by(element).into_iter();
    let removed = parts.map(|part| with.declared_release(with.last_event(part, EventKind::Removed)));
    Ok((rollout.is_allowed(), removed.max().flatten()))
}

/// Whether all its parts still lack a removal, and are there, and no error of the model is about it or its members.
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
    let outlived = parts.iter().any(|part| outlives_its_version(evaluation, *part));
    let mut errors = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    let about: Vec<&str> = parts.iter().chain([&element]).map(|part| model.id(*part)).collect();
    // An id that goes on with another sign is that of another element: `v1` and `v1beta1`.
    let is_about = |id: &str| {
        let mut rests = about.iter().filter_map(|part| id.strip_prefix(part));
        rests.any(|rest| rest.is_empty() || rest.starts_with([' ', '/', '.', '=']))
    };
    ends.all(|removed| model.find_declared(removed).is_none())
        && !parts.iter().any(|part| evaluation.reasoning().has_ended(*part))
        && never_begins.next().is_none()
        && !outlived
        && !parts.iter().any(|part| is_older_than_its_version(model, *part))
        && !parts.iter().any(|part| lacks_its_field(evaluation, *part))
        && !errors.any(|finding| finding.element.as_deref().is_some_and(is_about))
}

/// Whether an entry for several versions declares of a part what comes after the planned end of one of them. That part
/// ends with its version; to leave on its own, it would first have to go through what is declared.
fn outlives_its_version(evaluation: &Evaluation, part: ElementId) -> bool {
    let (model, reasoning) = (evaluation.model(), evaluation.reasoning());
    let planned = reasoning.release(model.last_event(part, EventKind::Removed));
    // A deprecation is withdrawn in a release that still has the part.
    let own = model.declared_of(part).iter().map(|own| match own.event.what {
        EventKind::Undeprecated => own.release.plus(1),
        _ => own.release,
    });
    model.element(part).kind.is_member() && own.max() > planned.or(Some(Release::NEVER))
}

/// Whether a kind is declared to be there before its version.
fn is_older_than_its_version(model: &Model, kind: ElementId) -> bool {
    let version = model.element(kind).parent;
    let begins = [version, Some(kind)].map(|id| {
        let begin = id.map(|id| model.last_event(id, EventKind::Introduced));
        begin.and_then(|begin| model.declared_release(begin))
    });
    model.element(kind).kind.is_kind() && begins[1].is_some() && begins[1] < begins[0]
}

/// Whether a version is said to have a value of a field that is gone before that version begins. The value ends with its
/// field in the others, which is a gap only where that end is declared.
fn lacks_its_field(evaluation: &Evaluation, part: ElementId) -> bool {
    let model = evaluation.model();
    let Some(field) = model
        .owner(part)
        .filter(|_| model.element(part).kind == ElementKind::EnumValue)
    else {
        return false;
    };
    let kinds = model.groups.iter().flat_map(|group| &group.kinds);
    let members = kinds.flat_map(|kind| &kind.members);
    let versions = |id: ElementId| {
        let member = members.clone().find(|member| member.versions.contains(&Some(id)));
        member.map_or(0, |member| member.versions.iter().flatten().count())
    };
    model.element(field).kind == ElementKind::Field && versions(field) < versions(part)
}

/// The soonest removal of an element in the plan as it is printed, and as `why` prints it.
fn printed(evaluation: &Evaluation, element: ElementId) -> [Option<String>; 2] {
    let reports = evaluation.elements();
    let id = evaluation.model().id(element);
    let report = reports.iter().find(|report| report.id == id).expect("it has a plan");
    let supposed = report.if_deprecated.map(|then| then.earliest_removal);
    let sources = Sources::new();
    let why = evaluation.derivation(&sources, element, None);
    let supposed_by_why = why.if_deprecated.map(|then| then.earliest_removal);
    let plan = report.earliest_removal.or(supposed);
    let why = why.earliest_removal.or(supposed_by_why);
    [plan, why].map(|moment| moment.map(|moment| moment.release.to_owned()))
}

/// The elements that a filter chooses.
fn chosen(evaluation: &mut Evaluation, filter: &Filter) -> BTreeSet<ElementId> {
    evaluation.select(filter).expect("it is a filter");
    evaluation.selected().collect()
}

/// Whether no removal is planned before the soonest one.
fn is_planned_soonest(evaluation: &Evaluation, element: ElementId, soonest: Release) -> bool {
    let (model, reasoning) = (evaluation.model(), evaluation.reasoning());
    let parts = model.served_by(element).into_iter();
    let ends = parts.map(|part| reasoning.release(model.last_event(part, EventKind::Removed)));
    let last = ends.map(|end| end.unwrap_or(Release::NEVER)).max();
    last.is_none_or(|last| last >= soonest)
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
        let proposal = proposed(world, text, id);
        prop_assert!(!matches!(proposal, Ok((true, _))), "{id} is proposed: {proposal:?}");
        return Ok(());
    }
    if calendar.find(&calendar.name(soonest)) != Ok(soonest) {
        return Ok(());
    }
    let name = calendar.name(soonest);
    for said in printed(evaluation, element) {
        prop_assert_eq!(said.as_deref(), Some(name.as_str()), "{}", id);
    }
    prop_assert!(is_planned_soonest(evaluation, element, soonest), "{id} before {name}");
    let (allowed, said) = judged(world, text, id, soonest).expect("it is an element that is there");
    if evaluation.reasoning().kept(element).is_some() {
        prop_assert!(!allowed, "{id} is never deprecated, and may be removed in {name}");
        prop_assert!(proposed(world, text, id).is_err(), "{id} is proposed");
        return Ok(());
    }
    let proposal = proposed(world, text, id).map_err(|error| TestCaseError::fail(format!("{id}: {error}")))?;
    // Only its deprecation may be what is not allowed.
    let refused = !proposal.0 && evaluation.reasoning().unannounced(element).next().is_some();
    prop_assert_eq!(allowed, !refused, "the removal of {} in {}", id, name);
    prop_assert_eq!(said.as_deref(), Some(name.as_str()), "{}", id);
    if let Some(before) = soonest.0.checked_sub(1).map(Release)
        && let Some((allowed, said)) = judged(world, text, id, before)
    {
        // As long as its version, or the gate that guards it, is alpha, a part that leaves before it is a warning.
        let tolerated = model.element(element).kind.is_member() && model.track_at(element, before) == Track::Alpha;
        prop_assert!(!allowed || tolerated, "{id} is allowed to be removed before {name}");
        prop_assert_eq!(said.as_deref(), Some(name.as_str()), "{}", id);
    }
    let removed = proposal.1.map(|removed| calendar.name(removed));
    prop_assert_eq!(removed, Some(name), "{}", id);
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
    fn what_the_next_release_may_remove_is_the_same_by_state_by_release_and_in_the_agenda(rich in rich()) {
        let Some(mut evaluation) = evaluated(&rich) else { return Ok(()) };
        if evaluation.model().calendar.current().is_none() {
            return Ok(());
        }
        let removable = chosen(&mut evaluation, &Filter {
            states: vec![ElementState::Removable],
            ..Filter::default()
        });
        let in_next = chosen(&mut evaluation, &Filter {
            releases: Some("next".to_owned()),
            ..Filter::default()
        });
        prop_assert!(removable.is_subset(&in_next), "{removable:?} {in_next:?}");
        let model = evaluation.model();
        let overview = evaluation.overview();
        let items = overview.agenda.iter().flat_map(|turn| &turn.items);
        let items = items.filter(|item| item.what.starts_with("removal"));
        let (mut listed, mut possible) = (BTreeSet::new(), BTreeSet::new());
        for (item, below) in items.flat_map(|item| item.elements.iter().map(move |below| (item, below))) {
            let ids = below.names.iter().filter_map(|name| model.find(&format!("{}{name}", below.before)));
            let set = if item.what == "removal possible" { &mut possible } else { &mut listed };
            set.extend(ids);
        }
        prop_assert!(possible.is_subset(&removable), "{possible:?} {removable:?}");
        for id in removable {
            let mut wholes = std::iter::successors(Some(id), |id| model.element(*id).parent);
            let is_listed = wholes.any(|id| listed.contains(&id) || possible.contains(&id));
            // A value goes with its field.
            let removed = evaluation.reasoning().release(model.last_event(id, EventKind::Removed));
            let is_removed = removed == Some(model.calendar.next());
            prop_assert!(is_listed || is_removed, "{} is not in the agenda", model.id(id));
        }
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
pub fn symbolic(text: &str) -> (World, String) {
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

/// The first edition allows no deprecation without a successor; the second one, from X+5 on, does.
pub const TWO_EDITIONS: &str = r#"policy = [{ use = "kubernetes-2019" }, { use = "kubernetes", from = "X+5" }]
[group.g.version]
v1beta1 = { introduced = "X+2" }
"#;

#[test]
fn what_a_later_edition_allows_to_deprecate_is_removed_a_window_after_that() {
    let (world, text) = symbolic(TWO_EDITIONS);
    let evaluation = evaluated_text(&world, &text);
    let version = evaluation.model().find("g/v1beta1").expect("it is there");
    agree(&world, &text, &evaluation, version).expect("all answers agree");
    // Its deadline under the later edition is X+8.
    assert_eq!(planned(&evaluation, version), Release(11));
    let deprecated = [4, 5].map(|release| {
        let declared = [(version, EventKind::Deprecated, Some(Release(release)))];
        let with = load_supposing(&world, &text, None, &declared).expect("it can be declared");
        let findings = with.findings().iter();
        let mut findings = findings.filter(|finding| finding.code == "before-replacement");
        findings.next().map(|finding| finding.earliest)
    });
    assert_eq!(deprecated, [Some(Some(Release(5))), None]);
    let reason = evaluation.derivation(&Sources::new(), version, Some(EventKind::Deprecated));
    let reason = serde_json::to_string(&reason).expect("it is JSON");
    assert!(
        reason.contains("at least as stable is released; from X+5 on, the policy permits it"),
        "{reason}"
    );
    assert!(!reason.contains("forbidden"), "{reason}");
}

/// Whether a removal is allowed in a model, and the soonest release that the answer names.
fn answered(text: &str, id: &str, release: usize) -> Option<(bool, String)> {
    let (world, text) = symbolic(text);
    let release = Release(u32::try_from(release).expect("a small number"));
    let (allowed, soonest) = judged(&world, &text, id, release)?;
    Some((allowed, soonest.expect("a removal is in sight")))
}

/// Asserts that a removal is allowed in a release and refused in the one before it, and that both answers name it.
fn assert_first_in(text: &str, id: &str, release: usize) {
    let name = format!("X+{release}");
    for (at, allowed) in [(release - 1, false), (release, true)] {
        assert_eq!(
            answered(text, id, at),
            Some((allowed, name.clone())),
            "{id} in X+{at}: {text}"
        );
    }
}

#[test]
fn what_declares_nothing_is_removed_a_window_after_the_next_release() {
    let behavior = "[behavior.b]\n";
    assert_first_in(behavior, "behavior b", 7);
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
    assert_eq!(answered(text, "metric m", 5), Some((false, "X+7".to_owned())));
    assert_first_in(text, "metric m", 7);
}

#[test]
fn a_metric_hidden_without_a_deprecation_is_removed_a_window_after_that() {
    let text = "[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"X\" }]\nhidden = \"X+3\"\n";
    assert_first_in(text, "metric m", 7);
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
    assert_first_in(text, "cli tool --old", 5);
}

#[test]
fn a_metric_is_removed_under_the_edition_in_which_its_end_can_be_announced() {
    let text = "
policy = [{ use = \"kubernetes-2021\" }, { use = \"kubernetes-2025\", from = \"X+5\" }]
[metric.m]
specs = [{ stage = \"STABLE\", since = \"X\" }]
";
    assert_first_in(text, "metric m", 6);
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
fn the_removal_of_a_part_from_one_version_repeats_the_keys_of_its_earlier_lives() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X\" }
v1beta2 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
versions = [\"v1beta1\", \"v1beta2\"]
field.size = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+2\" }] }
";
    let id = "g.example/v1beta1 Widget .size";
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let soonest = planned(&evaluation, evaluation.model().find(id).expect("it is an element"));
    assert_eq!(
        proposed(&world, &text, id).expect("it can be proposed").1,
        Some(soonest)
    );
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
    assert_first_in(text, "g.example/v1beta3", 8);
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
    assert_first_in(text, "g.example/v1beta2", 8);
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
        assert_eq!(answered(text, id, 7), Some((false, "X+7".to_owned())), "{id}");
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
specs = [{ stage = \"alpha\", since = \"X\", default = false }, { stage = \"beta\", since = \"X+6\", default = true }]
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
    assert_eq!(proposed(&world, &text, status), Ok((true, Some(Release(4)))));
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
    assert_first_in(text, id, 6);
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

/// What the plan and `why` print as the soonest removal, and the release from which the law permits it.
fn answers(text: &str, id: &str) -> (Vec<Option<String>>, Option<String>) {
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let element = evaluation.model().find(id).expect("it is an element");
    let reports = evaluation.elements();
    let report = reports.iter().find(|report| report.id == id).expect("it has a plan");
    let name = |moment: Option<Moment<'_>>| moment.map(|moment| moment.release.to_owned());
    let soonest = printed(&evaluation, element).to_vec();
    (soonest, name(report.permitted_since))
}

#[test]
fn a_removal_that_the_law_has_long_permitted_is_possible_in_the_next_release() {
    let text = "[metric.m]\nspecs = [{ stage = \"ALPHA\", since = \"X\" }]\ndeprecated = \"X+1\"\n";
    let next = Some("X+4".to_owned());
    let (soonest, since) = answers(text, "metric m");
    assert_eq!(soonest, [next.clone(), next.clone()]);
    assert_eq!(since.as_deref(), Some("X+2"));
    assert_eq!(answered(text, "metric m", 4), Some((true, "X+4".to_owned())));
    // A declared later removal does not make it permitted later.
    let declared = format!("{text}removed = \"X+8\"\n");
    assert_eq!(answers(&declared, "metric m").0, [next.clone(), next]);
    assert_eq!(answered(&declared, "metric m", 4), Some((true, "X+4".to_owned())));
}

#[test]
fn a_version_ends_no_sooner_than_a_kind_that_is_deprecated_only_later() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\", removed = \"X+9\" }
[group.\"g.example\".kind.Old]
version.v1alpha1 = { removed = \"X+2\" }
[group.\"g.example\".kind.Widget]
version.v1alpha1 = { deprecated = \"X+6\" }
[group.\"g.example\".kind.Gadget]
";
    let version = "g.example/v1alpha1";
    let expected = Some("X+6".to_owned());
    assert_eq!(answers(text, version).0, [expected.clone(), expected]);
    for id in [version, "g.example/v1alpha1 Widget"] {
        assert_eq!(answered(text, id, 5), Some((false, "X+6".to_owned())), "{id}");
        assert_eq!(answered(text, id, 6), Some((true, "X+6".to_owned())), "{id}");
    }
}

#[test]
fn a_due_date_before_the_soonest_removal_is_marked() {
    let model = |introduced: &str| {
        format!(
            "
[group.\"g.example\".version]
v1beta1 = {{ introduced = \"X\", deprecated = \"X+2\" }}
v1 = {{ introduced = \"X\" }}
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = {{ in = {{ v1beta1 = {{ introduced = \"{introduced}\" }}, v1 = {{ introduced = \"X+6\" }} }} }}
"
        )
    };
    for (introduced, soonest, is_marked) in [("X+6", "X+7", true), ("X+2", "X+5", false)] {
        let text = model(introduced);
        let id = "g.example/v1beta1";
        assert_eq!(answers(&text, id).0[0].as_deref(), Some(soonest));
        let (world, text) = symbolic(&text);
        let evaluation = evaluated_text(&world, &text);
        let overview = evaluation.overview();
        let rows = overview.groups.iter().flat_map(|group| &group.rows);
        let row = rows.into_iter().find(|row| row.names == ["v1beta1"]);
        let row = row.expect("something is left to do");
        assert_eq!(row.element.removal_due.map(|due| due.release), Some("X+5"));
        assert_eq!(row.element.due_before_possible, is_marked, "{introduced}");
    }
}

#[test]
fn old_findings_about_a_kind_do_not_count_against_the_removal_of_its_version() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
version.v1beta1 = { deprecated = \"X+2\" }
field.\"spec.size\" = { in = { v1beta1 = { removed = \"X+2\" } } }
[group.\"g.example\".kind.Late]
versions = [\"v1beta1\"]
version.v1beta1 = { introduced = \"X\" }
[group.\"g.example\".kind.Early]
version.v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\", deprecated = \"X+2\" }] }
";
    let id = "g.example/v1beta1";
    assert_eq!(answers(text, id).0[0].as_deref(), Some("X+7"));
    assert_eq!(answered(text, id, 6).map(|(allowed, _)| allowed), Some(false));
    assert_eq!(answered(text, id, 7), Some((true, "X+7".to_owned())));
    let proposed = with_removal(text, id);
    assert!(proposed.contains("removed = \"X+7\""), "{proposed}");
}

#[test]
fn no_two_next_steps_move_one_removal_to_different_releases() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", removed = \"X+7\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
version.v1beta1 = { deprecated = \"X+2\" }
[group.\"g.example\".kind.Gadget]
version.v1beta1 = { deprecated = \"X+4\" }
";
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let findings = evaluation.findings().iter();
    let helps: Vec<&str> = findings.filter_map(|finding| finding.help.as_deref()).collect();
    assert!(
        helps.contains(&"declare removed = \"X+5\" for Widget, or add an exception"),
        "{helps:?}"
    );
    assert!(!helps.iter().any(|help| help.starts_with("move it to")), "{helps:?}");
}

#[test]
fn a_release_may_be_named_as_next_or_current() {
    let (world, text) = symbolic("\n[behavior.b]\n");
    let evaluation = evaluated_text(&world, &text);
    let behavior = evaluation.model().find("behavior b").expect("it is an element");
    let named = evaluation.removal(behavior, "next").expect("it can be judged");
    assert_eq!(Ok(named), evaluation.removal(behavior, "X+4"));
    let shipped = evaluation.removal(behavior, "current").map_err(|no| no.message);
    assert_eq!(shipped, Err("X+3 has shipped".to_owned()));
}

#[test]
fn a_kind_that_inherits_a_withdrawn_deprecation_keeps_it_in_a_proposal() {
    let text = "
[group.\"g.example\".kind.Widget]
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X\", undeprecated = \"X+2\" }
v1 = { introduced = \"X+3\" }
";
    let proposed = with_removal(text, "g.example/v1beta1 Widget");
    let own = "deprecated = [\"X\", \"X+4\"], removed = \"X+7\", undeprecated = \"X+2\"";
    assert!(proposed.contains(own), "{proposed}");
}

#[test]
fn what_an_entry_declares_for_all_versions_keeps_none_of_them_once_versions_are_listed() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\" }
v1alpha2 = { introduced = \"X+5\" }
[group.\"g.example\".kind.Widget]
annotation.size = { deprecated = \"X+5\" }
";
    let id = "g.example/v1alpha1 Widget @size";
    assert_eq!(answered(text, id, 5), Some((true, "X+5".to_owned())));
    let (world, text) = symbolic(text);
    assert_eq!(proposed(&world, &text, id), Ok((true, Some(Release(5)))));
}

#[test]
fn a_metric_of_a_policy_without_rules_about_metrics_is_removed_and_not_hidden() {
    let text = "policy = \"kubernetes-2019\"\n[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"X+5\" }]\n";
    assert_eq!(answered(text, "metric m", 6), Some((true, "X+6".to_owned())));
    let proposed = with_removal(text, "metric m");
    assert!(proposed.contains("removed = \"X+6\""), "{proposed}");
    assert!(!proposed.contains("hidden"), "{proposed}");
}

#[test]
fn nothing_is_removed_before_what_is_declared_of_a_part_that_only_it_has() {
    let model = |entry: &str, part: &str| {
        format!(
            "
[group.\"g.example\".version]
v1alpha1 = {{ introduced = \"X\" }}
v1alpha2 = {{ introduced = \"X+4\" }}
[group.\"g.example\".kind.Widget]
{entry}
field.\"spec.size\" = {part}
"
        )
    };
    let listed = "{ in = { v1alpha1 = { introduced = \"X+5\" } } }";
    let only = "versions = [\"v1alpha1\"]";
    let shared = "{ introduced = \"X+5\" }";
    let announced = "{ in = { v1alpha1 = { deprecated = \"X+6\" } } }";
    for (entry, part, soonest) in [("", listed, 6), (only, shared, 6), ("", announced, 7), ("", shared, 4)] {
        let text = model(entry, part);
        for id in ["g.example/v1alpha1", "g.example/v1alpha1 Widget"] {
            let name = format!("X+{soonest}");
            assert_eq!(answered(&text, id, soonest), Some((true, name.clone())), "{part}");
            if soonest > 4 {
                assert_eq!(answered(&text, id, soonest - 1), Some((false, name.clone())), "{part}");
            }
            let (plan, _) = answers(&text, id);
            assert_eq!(plan, [Some(name.clone()), Some(name.clone())], "{part}");
            let proposed = with_removal(&text, id);
            assert!(proposed.contains(&format!("removed = \"{name}\"")), "{proposed}");
        }
    }
}

#[test]
fn a_field_stays_until_a_release_after_its_values_begin() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = { in = { v1alpha1 = { introduced = \"X\" } } }
enum.\"spec.day\".Tuesday = { in = { v1alpha1 = { introduced = \"X+5\" } } }
";
    let id = "g.example/v1alpha1 Widget .spec.day";
    let soonest = Some("X+6".to_owned());
    assert_eq!(answers(text, id).0, [soonest.clone(), soonest]);
    assert_eq!(answered(text, id, 6), Some((true, "X+6".to_owned())));
    assert!(with_removal(text, id).contains("removed = \"X+6\""));
}

#[test]
fn a_part_is_removed_in_the_life_that_its_version_sees() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\" }
v1alpha1 = { introduced = \"X+3\" }
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\" }] }
";
    let id = "g.example/v1alpha1 Widget .spec.size";
    assert_eq!(answered(text, id, 4), Some((true, "X+4".to_owned())));
    let proposed = with_removal(text, id);
    let own = "in.v1alpha1 = { lives = [{ removed = \"X+1\" }, { removed = \"X+4\" }] }";
    assert!(proposed.contains(own), "{proposed}");
}

#[test]
fn a_life_before_all_versions_stays_none_where_one_of_them_is_removed() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X+5\" }
v2alpha1 = { introduced = \"X+5\" }
[group.\"g.example\".kind.Widget]
enum.\"spec.day\".Tuesday = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+6\" }] }
";
    let (allowed, soonest) = answered(text, "g.example/v2alpha1", 6).expect("it can be judged");
    assert!(allowed, "{soonest}");
    assert_eq!(soonest, "X+6");
    let proposed = with_removal(text, "g.example/v2alpha1");
    assert!(proposed.contains("removed = \"X+6\""), "{proposed}");
}

#[test]
fn a_command_stays_until_a_release_after_its_flags_begin() {
    let text = "
[cli.tool]
audience = \"user\"
[cli.tool.command.run]
stage = \"alpha\"
[cli.tool.command.run.flag]
\"--new\" = { introduced = \"X+6\" }
";
    assert_first_in(text, "cli tool run", 7);
    let proposed = with_removal(text, "cli tool run");
    assert!(proposed.contains("removed = \"X+7\""), "{proposed}");
}

#[test]
fn a_part_whose_removal_is_not_in_sight_stays_in_its_version() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = {}
";
    let (world, text) = symbolic(text);
    let id = "g.example/v1 Widget .spec.size";
    assert_eq!(proposed(&world, &text, id), Ok((false, None)));
}

#[test]
fn a_metric_whose_end_needs_no_announcement_is_not_hidden_first() {
    let text = "[metric.m]\nspecs = [{ stage = \"ALPHA\", since = \"X+5\" }]\n";
    assert_eq!(answered(text, "metric m", 6), Some((true, "X+6".to_owned())));
    let proposed = with_removal(text, "metric m");
    assert!(proposed.contains("removed = \"X+6\""), "{proposed}");
}

#[test]
fn a_part_goes_with_an_earlier_life_of_its_version_if_that_leaves_a_gap() {
    let model = |back: &str, part: &str| {
        format!(
            "
policy = \"kubernetes-2019\"
[group.\"g.example\".version]
v1beta1 = {{ lives = [{{ introduced = \"X\", removed = \"X+5\" }}, {{ introduced = \"{back}\" }}] }}
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = {part}
"
        )
    };
    let part = "g.example/v1beta1 Widget .spec.size";
    let name = |soonest: &str| Some(soonest.to_owned());
    for (back, declared, soonest) in [
        ("X+6", "{ deprecated = \"X+4\" }", Some("X+5")),
        ("X+5", "{ deprecated = \"X+4\" }", None),
        ("X+6", "{ deprecated = \"X+6\" }", None),
    ] {
        let text = model(back, declared);
        let soonest = soonest.and_then(name);
        assert_eq!(
            answers(&text, part).0,
            [soonest.clone(), soonest.clone()],
            "{back} {declared}"
        );
        let allowed = soonest.is_some();
        let (world, text) = symbolic(&text);
        let judged = judged(&world, &text, part, Release(5));
        assert_eq!(judged, Some((allowed, soonest)), "{back} {declared}");
        let release = allowed.then_some(Release(5));
        assert_eq!(
            proposed(&world, &text, part),
            Ok((allowed, release)),
            "{back} {declared}"
        );
    }
}

#[test]
fn a_version_stays_until_a_release_after_the_first_of_another_one_even_if_each_kind_may_leave() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X\" }
v1 = { introduced = \"X+4\" }
[group.\"g.example\".kind.Widget]
versions = [\"v1beta1\"]
[group.\"g.example\".kind.Gadget]
versions = [\"v1beta1\"]
[group.\"g.example\".kind.New]
versions = [\"v1\"]
";
    let version = "g.example/v1beta1";
    assert_eq!(answered(text, version, 4), Some((false, "X+5".to_owned())));
    assert_eq!(answered(text, version, 5), Some((true, "X+5".to_owned())));
    let kind = "g.example/v1beta1 Widget";
    assert_eq!(answered(text, kind, 4), Some((true, "X+4".to_owned())));
}

#[test]
fn a_field_that_is_kept_past_the_alpha_of_its_gate_stays_until_its_version_is_removed() {
    let field = "g.example/v1 Widget .spec.size";
    for (end, again, soonest) in [
        ("X+5", "", Some(5)),
        ("X+6", "", None),
        (
            "X+6",
            ", { stage = \"alpha\", since = \"X+8\", default = false }",
            Some(8),
        ),
    ] {
        let text = format!(
            "
[group.\"g.example\".version]
v1beta1 = {{ introduced = \"X\", deprecated = \"X\", removed = \"{end}\" }}
v1 = {{ introduced = \"X\" }}
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = {{ gated-by = \"Size\" }}
[gate.Size]
specs = [{{ stage = \"alpha\", since = \"X\", default = false }}, {{ stage = \"beta\", since = \"X+5\", default = true }}{again}]
"
        );
        let named = soonest.map(|soonest| format!("X+{soonest}"));
        assert_eq!(answers(&text, field).0, [named.clone(), named.clone()], "{end}{again}");
        let (world, text) = symbolic(&text);
        for release in 4..=8 {
            let (allowed, first) = judged(&world, &text, field, Release(release)).expect("it can be judged");
            assert_eq!(allowed, soonest == Some(release), "{end}{again} in X+{release}");
            assert_eq!(first, named, "{end}{again} in X+{release}");
        }
    }
}

#[test]
fn what_is_extended_past_the_alpha_of_its_gate_is_deprecated_before_it_is_ga() {
    let text = "
[group.\"g.example\".version]
v1 = { introduced = \"X\", gated-by = \"Widget\" }
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = { introduced = \"X+5\" }
[gate.Widget]
specs = [
  { stage = \"alpha\", since = \"X\", default = false },
  { stage = \"GA\", since = \"X+5\", default = true },
]
";
    let kind = "g.example/v1 Widget";
    for (release, allowed) in [(5, false), (6, true)] {
        assert_eq!(answered(text, kind, release), Some((allowed, "X+6".to_owned())));
    }
    let proposed = with_removal(text, kind);
    assert!(
        proposed.contains("deprecated = \"X+4\", removed = \"X+6\""),
        "{proposed}"
    );
}

#[test]
fn the_edition_that_first_permits_a_deprecation_says_how_long_a_version_stays() {
    let model = |from: u32| {
        format!(
            "
policy = [{{ use = \"kubernetes-2019\" }}, {{ use = \"kubernetes\", from = \"X+{from}\" }}]
[group.\"g.example\".version]
v1 = {{ introduced = \"X\" }}
"
        )
    };
    // The later edition permits the deprecation, and asks for the next major release.
    for from in [4, 5] {
        assert_eq!(answers(&model(from), "g.example/v1").0, [None, None], "{from}");
        let (world, text) = symbolic(&model(from));
        let judged = judged(&world, &text, "g.example/v1", Release(8));
        assert_eq!(judged, Some((false, None)), "{from}");
    }
}

#[test]
fn a_field_does_not_go_with_a_life_of_its_version_after_which_it_is_needed_again() {
    let field = "g.example/v2beta1 Widget .spec.size";
    for (other, soonest) in [("", Some("X+5")), ("v1 = { introduced = \"X\" }", Some("X+12"))] {
        let text = format!(
            "
[group.\"g.example\".version]
v2beta1 = {{ lives = [{{ introduced = \"X+1\", removed = \"X+5\" }}, {{ introduced = \"X+6\" }}] }}
{other}
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = {{ introduced = \"X\", deprecated = \"X+4\" }}
"
        );
        let soonest = soonest.map(str::to_owned);
        assert_eq!(answers(&text, field).0, [soonest.clone(), soonest.clone()], "{other}");
        let (world, text) = symbolic(&text);
        let judged = judged(&world, &text, field, Release(5));
        assert_eq!(judged, Some((other.is_empty(), soonest)), "{other}");
    }
}

#[test]
fn a_version_stays_while_it_alone_has_what_is_declared_for_several() {
    let text = "
[group.\"g.example\".version]
v2alpha1 = { introduced = \"X\" }
v1beta1 = { introduced = \"X+6\" }
[group.\"g.example\".kind.Widget]
subresource.status = { introduced = \"X+1\", deprecated = \"X+5\" }
";
    let kind = "g.example/v2alpha1 Widget";
    assert_eq!(answers(text, kind).0, ["X+6", "X+6"].map(|name| Some(name.to_owned())));
    assert_eq!(answered(text, kind, 6), Some((true, "X+6".to_owned())));
}

#[test]
fn a_field_stays_until_the_values_that_its_version_shares_with_others_are_there() {
    let text = "
[gate.Day]
specs = [{ stage = \"alpha\", since = \"X\", default = false }]
[group.\"g.example\".version]
v1 = { introduced = \"X\" }
v2 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = { in = { v1 = { gated-by = \"Day\" } } }
enum.\"spec.day\".Tuesday = { introduced = \"X+4\" }
";
    let field = "g.example/v1 Widget .spec.day";
    assert_eq!(answers(text, field).0, ["X+5", "X+5"].map(|name| Some(name.to_owned())));
}

#[test]
fn a_metric_is_deleted_under_the_edition_in_which_that_is_announced() {
    let text = "
policy = [{ use = \"kubernetes-2019\" }, { use = \"kubernetes-2025\", from = \"X+5\" }]
[metric.m]
specs = [{ stage = \"BETA\", since = \"X\" }]
";
    for release in [5, 6] {
        assert_eq!(answered(text, "metric m", release), Some((true, "X+4".to_owned())));
    }
    let proposed = with_removal(text, "metric m");
    assert!(
        proposed.contains("deprecated = \"X+4\"\nremoved = \"X+4\""),
        "{proposed}"
    );
}

#[test]
fn a_version_stays_while_another_one_ends_on_time_because_of_it() {
    let versions = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", removed = \"X+4\" }
v2beta1 = { introduced = \"X+5\" }
v2alpha1 = { introduced = \"X\" }
";
    for kinds in ["", "[group.\"g.example\".kind.Widget]\n"] {
        let text = format!("{versions}{kinds}");
        assert_first_in(&text, "g.example/v2alpha1", 5);
    }
}

#[test]
fn a_gap_that_has_shipped_excuses_no_later_one() {
    let text = "
[group.\"g.example\".version]
v2 = { lives = [{ introduced = \"X\", removed = \"X+5\" }, { introduced = \"X+6\" }] }
v1beta1 = { introduced = \"X\", deprecated = \"X+5\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\".in = { v2 = { introduced = \"X+2\" }, v1beta1 = {} }
";
    let id = "g.example/v2 Widget .spec.day";
    let (world, text) = symbolic(text);
    let (allowed, _) = judged(&world, &text, id, Release(5)).expect("it can be judged");
    assert!(!allowed);
    let evaluation = evaluated_text(&world, &text);
    agree(
        &world,
        &text,
        &evaluation,
        evaluation.model().find(id).expect("it is there"),
    )
    .expect("all answers agree");
}

#[test]
fn a_value_has_no_gap_while_its_field_has_one() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\" }
v1beta1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\".in = { v1alpha1 = { introduced = \"X+4\" }, v1beta1 = {} }
enum.\"spec.day\".Tuesday = {}
";
    let id = "g.example/v1alpha1 Widget .spec.day=Tuesday";
    assert_eq!(answered(text, id, 5), Some((true, "X+5".to_owned())));
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let gaps = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.code == "no-counterpart");
    let about: Vec<Option<&str>> = gaps.map(|finding| finding.element.as_deref()).collect();
    assert_eq!(about, [Some("g.example/v1beta1 Widget .spec.day")]);
}

#[test]
fn kinds_that_are_due_apart_are_announced_when_the_first_one_is_due() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X+4\" }
[group.\"g.example\".kind.Widget]
[group.\"g.example\".kind.Gadget]
version.v1beta1 = { introduced = \"X+5\" }
";
    assert_eq!(answered(text, "g.example/v1beta1", 11), Some((true, "X+11".to_owned())));
    let proposed = with_removal(text, "g.example/v1beta1");
    assert!(
        proposed.contains("deprecated = \"X+7\", removed = \"X+11\""),
        "{proposed}"
    );
}

#[test]
fn a_version_stays_while_another_one_would_be_overdue_without_it() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X+6\", deprecated = \"X+6\" }
v1beta1 = { introduced = \"X+3\", deprecated = \"X+3\", replacement = \"v2alpha1\" }
v2alpha1 = { introduced = \"X+3\" }
";
    // The edition of 2019 has no due date, and the replacement outlives the version.
    for policy in ["kubernetes", "kubernetes-2019"] {
        let text = format!("policy = \"{policy}\"\n{text}");
        assert_first_in(&text, "g.example/v2alpha1", 7);
    }
}

#[test]
fn a_field_goes_with_its_version_before_a_value_that_never_begins_there() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\" }
v1alpha1 = { introduced = \"X\", deprecated = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = {}
enum.\"spec.day\".Tuesday = { lives = [{ introduced = \"X\", removed = \"X+4\" }, { introduced = \"X+4\" }] }
";
    let id = "g.example/v1alpha1 Widget .spec.day";
    assert_eq!(answered(text, id, 4), Some((true, "X+4".to_owned())));
    assert_eq!(answers(text, id).0, ["X+4", "X+4"].map(|name| Some(name.to_owned())));
}

#[test]
fn each_life_of_a_part_is_in_the_life_of_its_version_in_which_it_ends() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+7\", removed = \"X+8\" }] }
v1alpha1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\" }] }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = { lives = [{ introduced = \"X+1\", removed = \"X+7\" }, { introduced = \"X+7\" }] }
";
    assert_eq!(
        answered(text, "g.example/v1alpha1 Widget", 4),
        Some((true, "X+4".to_owned()))
    );
    with_removal(text, "g.example/v1alpha1 Widget");
}

#[test]
fn a_part_that_shares_the_lives_of_its_version_is_removed_in_the_one_that_its_entry_lists() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X+2\", deprecated = \"X+2\", removed = \"X+3\" }, { introduced = \"X+3\", deprecated = \"X+3\" }] }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Gadget]
subresource.status = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\" }] }
";
    let proposed = with_removal(text, "g.example/v1beta1 Gadget/status");
    let own = "in.v1beta1 = { lives = [{ removed = \"X+1\" }, { removed = \"X+6\" }] }";
    assert!(proposed.contains(own), "{proposed}");
}

#[test]
fn a_counterpart_is_not_awaited_in_a_life_that_never_begins() {
    let text = "
[group.\"g.example\".version]
v2alpha1 = { introduced = \"X+3\" }
v1alpha1 = { introduced = \"X+4\" }
[group.\"g.example\".kind.Gadget]
enum.\"spec.day\".Tuesday = { lives = [{ introduced = \"X+3\", removed = \"X+5\" }, { introduced = \"X+5\" }] }
";
    let id = "g.example/v2alpha1 Gadget .spec.day=Tuesday";
    assert_eq!(answered(text, id, 6), Some((true, "X+6".to_owned())));
    with_removal(text, id);
}

#[test]
fn a_finding_about_a_life_of_a_version_excuses_none_about_its_kinds_in_another_one() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X+3\", removed = \"X+4\" }, { introduced = \"X+4\" }] }
[group.\"g.example\".kind.Widget]
[group.\"g.example\".kind.Gadget]
version.v1beta1 = { introduced = \"X+4\" }
";
    let id = "g.example/v1beta1 Gadget";
    assert_first_in(text, id, 10);
}

#[test]
fn what_an_entry_declares_for_all_versions_comes_after_none_that_has_several_lives() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\", deprecated = \"X+3\" }] }
v2 = { introduced = \"X\" }
[group.\"g.example\".kind.Gadget]
annotation.\"example.com/size\" = { introduced = \"X+3\", deprecated = \"X+7\" }
";
    assert_eq!(
        answered(text, "g.example/v1beta1 Gadget", 6),
        Some((true, "X+6".to_owned()))
    );
    with_removal(text, "g.example/v1beta1 Gadget");
}

/// The findings of a model about missing counterparts: their elements and the releases that they name.
fn gaps(text: &str) -> Vec<(String, String)> {
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let found = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.code == "no-counterpart");
    let named = found.map(|finding| {
        let release = finding.message.split(" in ").nth(2).unwrap_or_default();
        let release = release.split([' ', ':']).next().unwrap_or_default();
        (finding.element.clone().unwrap_or_default(), release.to_owned())
    });
    named.collect()
}

#[test]
fn a_gap_that_goes_on_where_lives_meet_is_one() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\".in.v1 = { lives = [{ introduced = \"X\", removed = \"X+5\" }, { introduced = \"X+5\" }] }
field.\"spec.size\".in.v1beta1 = {}
";
    let expected = [
        ("g.example/v1 Widget .spec.day", "X"),
        ("g.example/v1beta1 Widget .spec.size", "X"),
    ];
    assert_eq!(
        gaps(text),
        expected.map(|(id, release)| (id.to_owned(), release.to_owned()))
    );
}

#[test]
fn a_value_of_a_field_that_is_represented_needs_a_counterpart() {
    let text = "
[group.\"g.example\".version]
v1 = { introduced = \"X\" }
v2 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.old\".in = { v1 = {}, v2 = { represented-as = \"spec.new\" } }
field.\"spec.new\".in = { v2 = {} }
enum.\"spec.new\".C.in.v2 = {}
";
    assert_eq!(
        gaps(text),
        [("g.example/v2 Widget .spec.new=C".to_owned(), "X".to_owned())]
    );
}

#[test]
fn an_edition_without_a_rule_for_metrics_lets_one_go_at_once() {
    let text = "
policy = [{ use = \"kubernetes\" }, { use = \"kubernetes-2019\", from = \"X+4\" }]
[metric.m]
specs = [{ stage = \"STABLE\", since = \"X\" }, { stage = \"STABLE\", since = \"X+4\" }]
";
    assert_eq!(answered(text, "metric m", 4), Some((true, "X+4".to_owned())));
    assert_eq!(
        answers(text, "metric m").0,
        ["X+4", "X+4"].map(|name| Some(name.to_owned()))
    );
}

#[test]
fn a_value_stays_in_the_life_of_its_version_in_which_it_is_removed() {
    let text = "
policy = \"kubernetes-2019\"
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+4\" }, { introduced = \"X+4\" }] }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = { introduced = \"X\" }
enum.\"spec.day\".Tuesday = { introduced = \"X\", removed = \"X+5\" }
";
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let value = "g.example/v1beta1 Widget .spec.day=Tuesday";
    let mut about = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.element.as_deref() == Some(value));
    assert!(about.any(|finding| finding.code == "removed-early"), "{text}");
}

#[test]
fn why_an_end_waits_longer_than_the_law_is_said() {
    for (entries, reason) in [
        (
            "specs = [{ stage = \"STABLE\", since = \"X\" }]",
            "X+4 is the first release that has not shipped",
        ),
        (
            "specs = [{ stage = \"STABLE\", since = \"X\" }]\ndeprecated = \"X+1\"\nundeprecated = \"X+5\"",
            "its deprecation is withdrawn in the release before X+6",
        ),
        (
            "specs = [{ stage = \"STABLE\", since = \"X+5\" }]",
            "it is served in a release before X+6",
        ),
        (
            "specs = [{ stage = \"STABLE\", since = \"X\" }]\ndeprecated = \"X+7\"",
            "what is declared does not move: it is deprecated in X+7",
        ),
    ] {
        let (world, text) = symbolic(&format!("policy = \"kubernetes-2019\"\n[metric.m]\n{entries}\n"));
        let evaluation = evaluated_text(&world, &text);
        let reasoning = evaluation.reasoning();
        let metric = evaluation.model().find("metric m").expect("it is an element");
        let waits = reasoning.reason_to_wait(&reasoning.soonest_end(metric));
        assert_eq!(waits.as_deref(), Some(reason), "{entries}");
    }
}

#[test]
fn steps_are_planned_between_a_declared_deprecation_and_a_removal_that_is_not_declared() {
    for (declared, is_planned) in [
        ("deprecated = \"1.1\"", true),
        ("deprecated = \"1.1\"\nremoved = \"3.0\"", false),
        ("", false),
    ] {
        let text = format!(
            "policy = \"nodejs\"\n[calendar]\ncurrent = \"1.1\"\ncadence = {{ months = 4 }}\n[calendar.releases]\n\
             \"1.0\" = 2024-01-01\n\"1.1\" = 2024-05-01\n\"2.0\" = 2024-09-01\n\"3.0\" = 2025-01-01\n\
             [behavior.b]\nintroduced = \"1.0\"\n{declared}\n"
        );
        let evaluation = evaluate(&text).expect("it can be read");
        let model = evaluation.model();
        let removed = model.last_event(model.find("behavior b").expect("it is an element"), EventKind::Removed);
        let steps = model.steps.iter().map(|(what, _)| removed.sibling(what));
        let planned: Vec<_> = steps.filter_map(|step| evaluation.reasoning().release(step)).collect();
        assert_eq!(planned.len(), usize::from(is_planned), "{declared}");
    }
}
