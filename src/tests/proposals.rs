//! What a plan proposes, over models with elements of all kinds: declared, it brings nothing new; no part is outside of
//! what it is in; and no advice is about a release that has shipped.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::collections::BTreeSet;

use lifecycle::diagnostic::{Change, Diagnostic};
use lifecycle::evaluate::{Evaluation, Supposition};
use lifecycle::model::succession::named;
use lifecycle::model::{ElementId, Event, EventKind};
use lifecycle::release::{Calendar, Release};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::replacements::Checker;
use super::rich::{Rich, rich};
use super::worlds::{cases, load, load_supposing};

/// The evaluation of a model, if its declarations are possible at all.
pub(super) fn evaluated(rich: &Rich) -> Option<Evaluation> {
    load(&rich.world, &rich.text, None).ok()
}

/// Whether a release can be written in a model.
fn can_be_named(calendar: &Calendar, release: Release) -> bool {
    calendar.find(&calendar.name(release)) == Ok(release)
}

/// What the plan proposes, as declarations. A version with kinds has none of its own: its kinds have.
fn proposed(evaluation: &Evaluation) -> Vec<Supposition> {
    let model = evaluation.model();
    let planned = evaluation.assignment().iter();
    let own = planned.filter(|planned| {
        let event = planned.event;
        model.served_by(event.element) == [event.element]
            && evaluation.reasoning().release(event) == Some(planned.release)
            && can_be_named(&model.calendar, planned.release)
    });
    own.map(|planned| (planned.event.element, planned.event.what, Some(planned.release)))
        .collect()
}

/// Findings by rule, code and element, where a kind counts as its version: what all kinds share is about that.
fn reported(evaluation: &Evaluation) -> BTreeSet<(String, String, String)> {
    let model = evaluation.model();
    let findings = evaluation.findings().iter();
    findings
        .map(|finding| {
            let element = finding.element.clone().unwrap_or_default();
            let kind = model.find(&element).map(|id| model.element(id));
            let version = kind.filter(|kind| kind.kind.is_kind()).and_then(|kind| kind.parent);
            let element = version.map_or(element, |version| model.id(version).to_owned());
            (finding.rule.to_owned(), finding.code.to_string(), element)
        })
        .collect()
}

/// Whether a finding notes what the plan does on purpose: a beta without a successor is deprecated at its deadline, of
/// which `unplanned-beta` warns until that is declared; and the plan does not wait for what is only a custom.
fn is_note_on_a_plan(code: &str) -> bool {
    ["no-replacement", "custom"].contains(&code)
}

/// Whether a finding is about a replacement that the model names: it is judged once the deprecation is declared, in
/// whichever release that is, and so is what it replaces.
fn judges_a_replacement(evaluation: &Evaluation, rule: &str, id: &str) -> bool {
    let model = evaluation.model();
    let mut pairs = model
        .elements()
        .filter_map(|(element, _)| Some((element, named(model, element)?.target)));
    let is_about =
        |element: ElementId| model.id(element) == id || model.served_by(element).iter().any(|own| model.id(*own) == id);
    rule == "version-replacement" && pairs.any(|(old, new)| is_about(old) || new.is_some_and(is_about))
}

/// From when to when each life of an element is, as declared and planned.
fn lives(evaluation: &Evaluation, element: ElementId) -> Vec<(Release, Release)> {
    let lives = 0..evaluation.model().lives(element);
    lives
        .map(|life| {
            let [begin, end] = [EventKind::Introduced, EventKind::Removed]
                .map(|what| evaluation.reasoning().release(Event::new(element, life, what)));
            (begin.unwrap_or(Release(0)), end.unwrap_or(Release::NEVER))
        })
        .collect()
}

/// The events of parts that are outside of every life of what they are in.
fn outside(evaluation: &Evaluation) -> Vec<String> {
    let model = evaluation.model();
    let mut outside = Vec::new();
    for (part, element) in model.elements() {
        let Some(owner) = model.owner(part) else { continue };
        let owners = lives(evaluation, owner);
        let mut ends = model
            .with_wholes(owner)
            .map(|id| model.last_event(id, EventKind::Removed));
        let is_planned_to_end = ends.any(|end| evaluation.assignment().planned(end).is_some());
        for life in 0..model.lives(part) {
            for what in [
                EventKind::Introduced,
                EventKind::Deprecated,
                EventKind::Hidden,
                EventKind::Removed,
            ] {
                let Some(release) = evaluation.reasoning().release(Event::new(part, life, what)) else {
                    continue;
                };
                // What is planned to end may have declared more to come of a part.
                let is_cut = is_planned_to_end && matches!(what, EventKind::Deprecated | EventKind::Hidden);
                // Between two lives of its owner a part is not there, whatever it declares.
                let first = owners.iter().map(|(begin, _)| *begin).min();
                let last = owners.iter().map(|(_, end)| *end).max();
                let is_within = is_cut || (first <= Some(release) && Some(release) <= last);
                if !is_within {
                    let release = model.calendar.name(release);
                    outside.push(format!(
                        "{} ({}) {what} in {release}, of {owners:?}",
                        model.id(part),
                        element.kind.as_str()
                    ));
                }
            }
        }
    }
    outside
}

/// The releases that an advice names.
fn releases_named(calendar: &Calendar, finding: &Diagnostic) -> Vec<Release> {
    let help = finding.help.as_deref().unwrap_or_default();
    // What lies past the calendar is named by the last release of it.
    let last = calendar.name(Release(calendar.listed().saturating_sub(1)));
    let help = help.replace(&format!("after {last}"), "");
    let mut words: Vec<String> = help.split([' ', '"', ';', ',', ':']).map(str::to_owned).collect();
    for change in &finding.fix {
        if let Change::Set { value, .. } | Change::Add { value, .. } = change {
            words.push(value.trim_matches('"').to_owned());
        }
    }
    words.iter().filter_map(|word| calendar.find(word).ok()).collect()
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn what_is_planned_brings_nothing_new_once_it_is_declared(rich in rich()) {
        let Some(evaluation) = evaluated(&rich) else { return Ok(()) };
        prop_assume!(evaluation.assignment().contradictions.is_empty());
        let declared = load_supposing(&rich.world, &rich.text, None, &proposed(&evaluation)).expect("a plan is possible");
        let (before, after) = (reported(&evaluation), reported(&declared));
        let new = after.difference(&before).filter(|(_, code, _)| !is_note_on_a_plan(code));
        let new: Vec<_> = new.filter(|(rule, _, id)| !judges_a_replacement(&evaluation, rule, id)).collect();
        prop_assert!(new.is_empty(), "{:?}", new);
    }

    #[test]
    fn no_part_is_outside_of_what_it_is_in(rich in rich()) {
        let Some(evaluation) = evaluated(&rich) else { return Ok(()) };
        let outside = outside(&evaluation);
        prop_assert!(outside.is_empty(), "{:#?}", outside);
    }

    #[test]
    fn no_advice_about_any_element_is_about_a_shipped_release(rich in rich()) {
        let Some(evaluation) = evaluated(&rich) else { return Ok(()) };
        let calendar = &evaluation.model().calendar;
        let Some(current) = calendar.current() else { return Ok(()) };
        for finding in evaluation.findings() {
            let help = finding.help.as_deref().unwrap_or_default();
            let is_final = help.contains(" has shipped: ") && help.ends_with("record a baseline or add an exception") && finding.fix.is_empty();
            let named = releases_named(calendar, finding);
            prop_assert!(is_final || named.iter().all(|release| *release > current), "{:?}", finding);
        }
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn what_is_named_for_any_element_is_served_then_and_at_the_removal(rich in rich()) {
        let Some(evaluation) = evaluated(&rich) else { return Ok(()) };
        let wrong = Checker::new(&evaluation).wrong();
        prop_assert!(wrong.is_empty(), "{:#?}", wrong);
    }
}

#[test]
fn most_models_at_random_can_be_read_and_have_all_that_is_hard() {
    let mut runner = TestRunner::new(cases(256));
    let strategy = rich();
    let all: Vec<Rich> = (0..400)
        .map(|_| strategy.new_tree(&mut runner).expect("a model").current())
        .collect();
    let read: Vec<&Rich> = all.iter().filter(|rich| evaluated(rich).is_some()).collect();
    assert!(read.len() > 200, "{}", read.len());
    for part in [
        "lives = [",
        "gated-by",
        "unscheduled",
        "listed",
        "symbolic",
        "}, { use =",
        "field.",
        "enum.",
        "annotation.",
        "subresource.",
        "config.",
        ".command.run",
        "hidden = ",
        "depends-on",
        "[behavior.",
        "replacement = ",
    ] {
        let having = read.iter().filter(|rich| rich.text.contains(part)).count();
        assert!(having > 10, "{part}: {having} of {}", read.len());
    }
}
