//! The soonest removal: one release for the plan, judged removals and proposals.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

mod lives;
mod moves;
mod others;
mod parts;
mod promotions;
mod replaced;
mod together;
mod versions;
mod wording;

use std::collections::BTreeSet;

use lifecycle::Sources;
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::{ElementState, Evaluation, Filter, judge_removals};
use lifecycle::model::{Declared, ElementId, ElementKind, EventKind, Model};
use lifecycle::propose::{Proposal, Request, Unproposable, propose};
use lifecycle::release::Release;
use lifecycle::report::Moment;
use lifecycle::stability::Track;
use proptest::prelude::*;
use proptest::sample::Index;

use super::proposals::evaluated;
use super::rich::rich;
use super::worlds::{Dates, World, cases, evaluated_text, kubernetes, load_supposing, world};

/// The soonest release by the plan: of a version, that of the kind that is removed last.
fn planned(evaluation: &Evaluation, element: ElementId) -> Release {
    evaluation.reasoning().soonest_end(element).release
}

/// Whether a removal is allowed, and the soonest release that the answer names.
pub(in crate::tests) fn judged(
    world: &World,
    text: &str,
    id: &str,
    release: Release,
) -> Option<(bool, Option<String>)> {
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
/// What declares its removal has nothing planned or proposed. An error about an element is about a breach that a
/// removal can end, repeat or make worse, so the answers are about different models.
pub(in crate::tests) fn is_open(evaluation: &Evaluation, element: ElementId) -> bool {
    is_open_but_for(evaluation, element, |_| false)
}

/// The same, where some errors may be about it.
fn is_open_but_for(evaluation: &Evaluation, element: ElementId, is_left_out: fn(&Diagnostic) -> bool) -> bool {
    let model = evaluation.model();
    let parts = model.served_by(element);
    let mut ends = parts.iter().map(|part| model.last_event(*part, EventKind::Removed));
    let outlived = parts.iter().any(|part| outlives_its_version(evaluation, *part));
    let mut errors = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.severity == Severity::Error && !is_left_out(finding));
    let about: Vec<&str> = parts.iter().chain([&element]).map(|part| model.id(*part)).collect();
    // An id that goes on with another sign is that of another element: `v1` and `v1beta1`.
    let is_about = |id: &str| {
        let mut rests = about.iter().filter_map(|part| id.strip_prefix(part));
        rests.any(|rest| rest.is_empty() || rest.starts_with([' ', '/', '.', '=']))
    };
    ends.all(|removed| model.find_declared(removed).is_none())
        && !parts.iter().any(|part| evaluation.reasoning().has_ended(*part))
        && !outlived
        && !parts.iter().any(|part| is_older_than_its_version(model, *part))
        && !parts.iter().any(|part| lacks_its_field(evaluation, *part))
        && !is_promised_by_no_version(evaluation, element)
        && !errors.any(|finding| finding.element.as_deref().is_some_and(is_about))
}

/// Whether an entry declares of a part what comes after the planned end of its owner, which may be one of several
/// versions. That part ends with it; to leave on its own, it would first have to go through what is declared.
fn outlives_its_version(evaluation: &Evaluation, part: ElementId) -> bool {
    let (model, reasoning) = (evaluation.model(), evaluation.reasoning());
    let removed = model.last_event(part, EventKind::Removed);
    let with = model
        .owner(part)
        .map(|owner| model.last_event(owner, EventKind::Removed));
    let planned = reasoning.release(removed).or_else(|| reasoning.release(with?));
    // A deprecation is withdrawn in a release that still has the part.
    let own = model.declared_of(part).iter().map(|own| match own.event.what {
        EventKind::Undeprecated => own.release.plus(1),
        _ => own.release,
    });
    model.owner(part).is_some() && own.max() > planned.or(Some(Release::NEVER))
}

/// Whether an entry for several versions in the group of an element declares what comes after the soonest ends of all
/// of them that are there by then. One of them stays for it, and the first removal that is declared decides which.
fn is_promised_by_no_version(evaluation: &Evaluation, element: ElementId) -> bool {
    let (model, reasoning) = (evaluation.model(), evaluation.reasoning());
    let may_have = |part: ElementId, release: Release| {
        let mut wholes = model.with_wholes(part);
        let kind = wholes.find(|whole| model.element(*whole).kind.is_kind());
        let kind = kind.expect("it is part of a kind");
        let [begin, end] = [EventKind::Introduced, EventKind::Removed]
            .map(|what| model.declared_release(model.last_event(kind, what)));
        let soonest = reasoning.soonest_end(kind).release;
        begin <= Some(release) && release < end.map_or(soonest, |end| end.min(soonest))
    };
    let mut groups = model.groups.iter();
    let group = groups.find(|group| {
        let mut versions = group.versions.iter();
        versions.any(|version| model.with_wholes(element).any(|whole| whole == version.element))
    });
    let kinds = group.into_iter().flat_map(|group| &group.kinds);
    let mut members = kinds.flat_map(|kind| &kind.members);
    members.any(|member| {
        let versions: Vec<ElementId> = member.versions.iter().copied().flatten().collect();
        let declared = versions.iter().flat_map(|part| model.declared_of(*part));
        let mut needing = declared.filter(|own| own.event.what != EventKind::Removed);
        let is_promised = |own: &Declared| {
            own.release >= model.calendar.next() && !versions.iter().any(|part| may_have(*part, own.release))
        };
        versions.len() > 1 && needing.any(is_promised)
    })
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

/// Whether a version is said to have a value of a field that is gone before that version begins. The value ends with
/// its field in the others, which is a gap only where that end is declared.
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

/// Whether an early removal is a warning only: as long as its version, or the gate that guards it, is alpha, a part may
/// leave before it. So it is also proposed where no release is in sight, as for a value of a GA version that is
/// deprecated in the release in which its gate begins.
fn is_tolerated(model: &Model, part: ElementId, end: Release) -> bool {
    model.element(part).kind.is_member() && model.track_at(part, end) == Track::Alpha
}

/// Holds for one element that all answers agree.
pub(in crate::tests) fn agree(
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
        let is_proposed =
            matches!(proposal, Ok((true, end)) if !end.is_some_and(|end| is_tolerated(model, element, end)));
        prop_assert!(!is_proposed, "{id} is proposed: {proposal:?}");
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
    let reasoning = evaluation.reasoning();
    let is_announced = model.served_by(element).into_iter().any(|part| {
        let removed = model.last_event(part, EventKind::Removed);
        reasoning.announcement_of_removal(removed, soonest).is_some()
    });
    let refused = !proposal.0 && (is_announced || reasoning.unannounced(element).next().is_some());
    prop_assert_eq!(allowed, !refused, "the removal of {} in {}", id, name);
    prop_assert_eq!(said.as_deref(), Some(name.as_str()), "{}", id);
    if let Some(before) = soonest.0.checked_sub(1).map(Release)
        && let Some((allowed, said)) = judged(world, text, id, before)
    {
        let is_tolerated = is_tolerated(model, element, before);
        prop_assert!(!allowed || is_tolerated, "{id} is allowed to be removed before {name}");
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
    fn an_end_that_is_planned_again_has_the_first_release_of_a_removal_that_is_not_declared(rich in rich()) {
        let Some(evaluation) = evaluated(&rich) else { return Ok(()) };
        let (model, reasoning) = (evaluation.model(), evaluation.reasoning());
        let elements = model.elements().map(|(id, _)| id);
        let ends: Vec<ElementId> = elements
            .filter(|id| reasoning.replanned_end(model.last_event(*id, EventKind::Removed)).is_some())
            .collect();
        // More are left out together, and may wait for each other.
        prop_assume!(!ends.is_empty() && ends.len() <= 16);
        for element in ends {
            let (id, soonest) = (model.id(element), planned(&evaluation, element));
            // Beyond the calendar, no release can be proposed.
            let Some((allowed, said)) = judged(&rich.world, &rich.text, id, soonest) else { continue };
            prop_assert_eq!(said, Some(model.calendar.name(soonest)).filter(|_| !soonest.is_never()), "{}", id);
            // Only its deprecation may be what is not allowed.
            let mut parts = model.served_by(element).into_iter();
            let is_announced = parts.all(|part| model.deprecation(part, model.last_life(part)).is_some());
            prop_assert!(allowed || !is_announced || soonest.is_never(), "{id} in {}", model.calendar.name(soonest));
        }
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
            let mut wholes = model.with_wholes(id);
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

/// The first edition allows no deprecation without a successor; the second one, from X+5 on, does.
pub const TWO_EDITIONS: &str = r#"policy = [{ use = "kubernetes-2019" }, { use = "kubernetes", from = "X+5" }]
[group.g.version]
v1beta1 = { introduced = "X+2" }
"#;

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
