//! What holds of every model, tried on many: against the oracle, and of a plan against itself.
//!
//! The models are made at random from the same seed each time; `PROPTEST_CASES` (256 stands for the number written
//! here) and `PROPTEST_RNG_SEED` widen the search.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};

use lifecycle::Sources;
use lifecycle::derivation::Reasoning;
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::Evaluation;
use lifecycle::model::{ElementId, Event, EventKind, Model};
use lifecycle::obligation::{Demand, Obligation, Obligations, Term};
use lifecycle::plan::{self, Assignment, Decision};
use lifecycle::release::{AsOf, Calendar, Listed, Release, ReleaseName, Window};
use lifecycle::render::json;
use lifecycle::{check, timeline};
use proptest::prelude::*;

use super::oracle::{Tried, try_all};
use super::support::{evaluate, evaluate_under};
use super::worlds::{
    At, Dates, Edition, Ends, Group, JudgedLife, Kind, Life, NEVER, Other, Span, Version, Walk, World, built_ins,
    cases, dates, evaluated_text, load, other_id, rank, version_name, walks, window, world, world_under,
    world_with_moves,
};

fn evaluated(world: &World) -> Evaluation {
    evaluated_text(world, &world.text())
}

// What came out.

fn position(release: Release) -> At {
    release.0 as usize
}

fn release_of(evaluation: &Evaluation, element: ElementId, what: EventKind) -> Option<At> {
    let event = Event::new(element, 0, what);
    evaluation.reasoning().release(event).map(position)
}

/// When everything ends, as the code says.
fn ends(evaluation: &Evaluation, ids: impl Iterator<Item = String>) -> Ends {
    let model = evaluation.model();
    ids.map(|id| {
        let element = model.find(&id).unwrap_or_else(|| panic!("{id} is an element"));
        let whats = [EventKind::Deprecated, EventKind::Hidden, EventKind::Removed];
        (id, whats.map(|what| release_of(evaluation, element, what)))
    })
    .collect()
}

fn all_ends(evaluation: &Evaluation, world: &World) -> Ends {
    ends(evaluation, world.ends().into_keys())
}

/// Preferred, and storage of each kind, release by release from the first on.
fn walks_of(evaluation: &Evaluation, at: usize) -> (At, Walk, Vec<Walk>) {
    let group = &evaluation.model().groups[at];
    let timeline = timeline::group(evaluation.model(), evaluation.law(), evaluation.assignment(), group);
    // The code lists versions newest first, the oracle oldest first.
    let turned = |version: Option<usize>| version.map(|version| group.versions.len() - 1 - version);
    let preferred = timeline.rows.iter().map(|row| turned(row.preferred)).collect();
    let kinds = 0..group.kinds.len();
    let storage = kinds.map(|kind| timeline.rows.iter().map(|row| turned(row.storage[kind])).collect());
    (position(timeline.first), preferred, storage.collect())
}

/// Errors by rule, code and element, where a kind counts as its version.
fn errors(evaluation: &Evaluation) -> BTreeSet<(String, String, String)> {
    let findings = evaluation.findings().iter();
    let errors = findings.filter(|finding| finding.severity == Severity::Error);
    errors
        .map(|finding| {
            let element = finding.element.clone().unwrap_or_default();
            let version = match element.split_once(' ') {
                Some((version, _)) if version.contains('/') => version.to_owned(),
                _ => element,
            };
            (finding.rule.to_owned(), finding.code.to_string(), version)
        })
        .collect()
}

fn printed(evaluation: &Evaluation, text: &str) -> Vec<u8> {
    let mut sources = Sources::new();
    sources.add("lifecycle.toml", text);
    let mut out = Vec::new();
    json::report(&evaluation.report(&sources), &mut out).expect("memory can be written");
    out
}

// What is planned, declared.

/// Whether a finding is about a replacement that a model names: it is judged once the deprecation is declared, in
/// whichever release that is.
fn judges_a_replacement(world: &World, rule: &str) -> bool {
    let versions = world.groups.iter().flat_map(|group| &group.versions);
    rule == "version-replacement" && versions.into_iter().any(|version| version.replacement.is_some())
}

/// The world with what the plan proposes written down as declared, as far as the calendar has names.
fn with_plan_declared(world: &World, evaluation: &Evaluation) -> World {
    let mut declared = world.clone();
    let ends = all_ends(evaluation, world);
    for group in &mut declared.groups {
        declare_group(group, &ends, &world.dates);
    }
    for (at, other) in declared.others.iter_mut().enumerate() {
        let [deprecated, hide, removed] =
            ends[&other_id(at, other)].map(|at| at.filter(|at| world.dates.nameable(*at)));
        match other {
            Other::Gate { removed: gone, .. } => *gone = removed,
            Other::Flag { life, .. } | Other::Behavior { life } => declare(life, deprecated, removed),
            Other::Metric { life, hidden, .. } => {
                declare(life, deprecated, removed);
                *hidden = hide;
            }
        }
    }
    declared
}

fn declare(life: &mut Life, deprecated: Option<At>, removed: Option<At>) {
    life.deprecated = life.deprecated.or(deprecated);
    life.removed = life.removed.or(removed);
}

fn declare_group(group: &mut Group, ends: &Ends, dates: &Dates) {
    let names: Vec<String> = group
        .versions
        .iter()
        .map(|version| format!("{}/{}", group.name, version_name(version.name)))
        .collect();
    let named = |id: &str| ends[id].map(|at| at.filter(|at| dates.nameable(*at)));
    for (at, version) in group.versions.iter_mut().enumerate() {
        let mut bare = true;
        for kind in &mut group.kinds {
            if let Some(life) = kind.within.get_mut(&at) {
                bare = false;
                let [deprecated, _, removed] = named(&format!("{} {}", names[at], kind.name));
                declare(life, deprecated, removed);
            }
        }
        if bare {
            let [deprecated, _, removed] = named(&names[at]);
            declare(&mut version.life, deprecated, removed);
        }
    }
}

/// Declares the moves of a walk; not those from a version that nothing ever stood beside, nor back to an old one.
fn moves(walk: &[Option<usize>], first: At, dates: &Dates) -> BTreeMap<usize, At> {
    let mut moves = BTreeMap::new();
    let mut current = None;
    for (at, version) in (first..).zip(walk) {
        let (Some(version), true) = (*version, *version != current) else {
            continue;
        };
        if moves.contains_key(&version) || !dates.nameable(at) {
            return BTreeMap::new();
        }
        moves.insert(version, at);
        current = Some(version);
    }
    moves
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_plan_is_what_the_oracle_says(world in world()) {
        let evaluation = evaluated(&world);
        let expected = world.ends();
        let found = all_ends(&evaluation, &world);
        for (id, ends) in &expected {
            prop_assert_eq!(ends, &found[id], "{}\n{}", id, world.text());
        }
        for (at, group) in world.groups.iter().enumerate() {
            let (first, preferred, storage) = walks_of(&evaluation, at);
            let until = first + preferred.len() - 1;
            let (oracle, kinds) = walks(group, &expected, until);
            prop_assert_eq!(&oracle[first..], &preferred[..], "preferred of {}\n{}", &group.name, world.text());
            for (kind, (oracle, stored)) in group.kinds.iter().zip(kinds.iter().zip(&storage)) {
                prop_assert_eq!(&oracle[first..], &stored[..], "storage of {}\n{}", &kind.name, world.text());
            }
        }
    }

    #[test]
    fn check_accepts_what_plan_proposes(world in world()) {
        let evaluation = evaluated(&world);
        prop_assume!(evaluation.assignment().contradictions.is_empty());
        let declared = with_plan_declared(&world, &evaluation);
        let (before, after) = (errors(&evaluation), errors(&evaluated(&declared)));
        let new: Vec<_> = after.difference(&before).filter(|(rule, ..)| !judges_a_replacement(&world, rule)).collect();
        prop_assert!(new.is_empty(), "{:?}\n{}\nbecame\n{}", new, world.text(), declared.text());
    }

    #[test]
    fn planning_what_was_planned_plans_it_again(world in world()) {
        let evaluation = evaluated(&world);
        let declared = with_plan_declared(&world, &evaluation);
        let again = evaluated(&declared);
        prop_assert_eq!(all_ends(&evaluation, &world), all_ends(&again, &world), "{}", world.text());
        for at in 0..world.groups.len() {
            prop_assert_eq!(walks_of(&evaluation, at), walks_of(&again, at), "{}", world.text());
        }
    }

    #[test]
    fn nothing_is_planned_at_or_before_the_current_release(world in world(), later in 0_usize..10) {
        let text = world.text();
        let from = world.dates.floor();
        let moment = world.dates.name((from + later).min(world.dates.listed() - 1));
        let evaluation = load(&world, &text, Some(AsOf::Release(moment))).expect("the release is listed");
        let model = evaluation.model();
        let current = model.calendar.current();
        for planned in evaluation.assignment().iter() {
            prop_assert!(Some(planned.release) > current, "{:?}\n{}", planned, text);
            prop_assert!(plan::fixed(model, planned.event).is_none(), "{:?}\n{}", planned, text);
        }
        let base = evaluated(&world);
        for (id, _) in model.elements() {
            let placeless = |declared: &lifecycle::model::Declared| (declared.event, declared.release);
            let both = [model, base.model()].map(|model| model.declared_of(id).iter().map(placeless).collect::<Vec<_>>());
            prop_assert_eq!(&both[0], &both[1]);
            for (event, release) in &both[0] {
                prop_assert_eq!(evaluation.reasoning().release(*event), Some(*release));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn check_accepts_the_moves_that_plan_proposes(world in world()) {
        let evaluation = evaluated(&world);
        prop_assume!(evaluation.assignment().contradictions.is_empty());
        let mut declared = with_plan_declared(&world, &evaluation);
        for (at, group) in declared.groups.iter_mut().enumerate() {
            let (first, preferred, storage) = walks_of(&evaluation, at);
            let ends = all_ends(&evaluation, &world);
            if keeps_overlap(&world, at, &ends, first, &preferred, None) {
                group.preferred = moves(&preferred, first, &world.dates);
            }
            for (kind, (said, stored)) in group.kinds.iter_mut().zip(&storage).enumerate() {
                if keeps_overlap(&world, at, &ends, first, stored, Some(kind)) {
                    said.stored = moves(stored, first, &world.dates);
                }
            }
        }
        let again = evaluated(&declared);
        let (before, after) = (errors(&evaluation), errors(&again));
        let new: Vec<_> = after.difference(&before).filter(|(rule, ..)| !judges_a_replacement(&world, rule)).collect();
        prop_assert!(new.is_empty(), "{:?}\n{}\nbecame\n{}", new, world.text(), declared.text());
        for at in 0..world.groups.len() {
            prop_assert_eq!(walks_of(&evaluation, at), walks_of(&again, at), "{}", declared.text());
        }
    }

    /// A walk that jumps has a finding on the version that it jumps from, or on what that version shares its end with.
    #[test]
    fn a_removal_without_an_overlap_is_reported_and_nothing_else_is(world in world()) {
        let evaluation = evaluated(&world);
        for (at, group) in world.groups.iter().enumerate() {
            let (first, preferred, storage) = walks_of(&evaluation, at);
            let ends = all_ends(&evaluation, &world);
            let mut walks = vec![(None, &preferred)];
            walks.extend((0..).map(Some).zip(&storage));
            let jumps = walks.iter().any(|(kind, walk)| !overlaps(&world, at, &ends, first, walk, *kind));
            let findings = evaluation.findings().iter();
            let prefix = format!("{}/", group.name);
            let of_group = findings.filter(|found| found.element.as_deref().is_some_and(|id| id.starts_with(&prefix)));
            let found = of_group.filter(|found| found.code == "no-overlap").count() > 0;
            prop_assert_eq!(found, jumps, "{}\n{}", group.name, world.text());
        }
    }

    #[test]
    fn the_same_input_gives_the_same_bytes(world in world(), turn in 1_usize..9) {
        let text = world.text();
        let first = printed(&evaluated(&world), &text);
        prop_assert_eq!(&first, &printed(&evaluated(&world), &text));
        let turned = world.turned_text(turn);
        let evaluation = evaluated_text(&world, &turned);
        let other = printed(&evaluation, &turned);
        prop_assert_eq!(placeless(&first), placeless(&other), "{}\nturned\n{}", text, turned);
    }

    #[test]
    fn no_planned_removal_can_come_a_release_earlier(world in world()) {
        let evaluation = evaluated(&world);
        let planned = with_plan_declared(&world, &evaluation);
        for (id, [deprecated, _, removed]) in all_ends(&evaluation, &world) {
            let element = evaluation.model().find(&id).expect("it is an element");
            let event = Event::new(element, 0, EventKind::Removed);
            let (Some(deprecated), Some(removed)) = (deprecated, removed) else { continue };
            let is_planned = evaluation.assignment().planned(event).is_some();
            let floor = world.dates.floor();
            // P1, and an announcement comes first.
            if !is_planned || removed <= floor || removed <= deprecated || !world.dates.nameable(removed) {
                continue;
            }
            let mut sooner = planned.clone();
            remove_at(&mut sooner, &id, removed - 1);
            let Ok(again) = load(&world, &sooner.text(), None) else {
                // It would end where it begins, or before it is announced.
                continue;
            };
            let findings = again.findings();
            let early = findings.iter().any(|finding| {
                let about = finding.element.as_deref();
                matches!(&*finding.code, "early" | "hidden-early" | "no-overlap" | "gone-first") && about == Some(id.as_str())
            });
            prop_assert!(early || waits_for_its_successor(&world, &id, removed), "{} in {}\n{}", id, removed - 1, sooner.text());
        }
    }
}

/// Whether all moves of a walk, or of a kind's, come after a release that served both, or come from an alpha that is
/// gone.
fn keeps_overlap(
    world: &World,
    at: usize,
    ends: &Ends,
    first: At,
    walk: &[Option<usize>],
    kind: Option<usize>,
) -> bool {
    jumps(world, at, ends, first, walk, kind).is_empty()
}

/// The versions to which a walk moves without such a release.
fn jumps(
    world: &World,
    at: usize,
    ends: &Ends,
    first: At,
    walk: &[Option<usize>],
    kind: Option<usize>,
) -> Vec<Option<usize>> {
    let group = &world.groups[at];
    let served = |version: usize, release: At| {
        let id = format!("{}/{}", group.name, version_name(group.versions[version].name));
        let own = |kind: &Kind| {
            let said = kind.within.get(&version)?;
            let introduced = said.introduced.or(group.versions[version].life.introduced)?;
            Some((introduced, ends[&format!("{id} {}", kind.name)][2]))
        };
        let kinds = group
            .kinds
            .iter()
            .enumerate()
            .filter(|(at, _)| kind.is_none_or(|kind| kind == *at));
        let mut lives: Vec<(At, Option<At>)> = kinds.filter_map(|(_, kind)| own(kind)).collect();
        if let Some(bare) = ends.get(&id) {
            lives.push((group.versions[version].life.introduced.unwrap_or(NEVER), bare[2]));
        }
        lives
            .iter()
            .any(|(since, until)| *since <= release && until.is_none_or(|until| release < until))
    };
    let jumps = (first..).zip(walk.windows(2)).filter(|(before, pair)| match pair {
        [Some(from), Some(to)] if from != to => {
            let gone_alpha = group.versions[*from].name.1 == 0 && !served(*from, before + 1);
            !gone_alpha && !(0..=*before).any(|release| served(*from, release) && served(*to, release))
        }
        [Some(_), None] => true,
        _ => false,
    });
    jumps.map(|(_, pair)| pair[1]).collect()
}

/// Whether another version has a kind of a version before it: then a move to it is judged by the kind.
fn is_judged_by_its_kinds(group: &Group, version: usize) -> bool {
    let lives = group.judged_lives();
    let of_version = || lives.iter().filter(|own| own.version == version);
    let begin = of_version().filter_map(|own| own.life.introduced).min();
    let kinds: BTreeSet<usize> = of_version().filter_map(|own| own.kind).collect();
    let mut others = lives.iter().filter(|other| other.version != version);
    others.any(|other| other.kind.is_some_and(|kind| kinds.contains(&kind)) && other.life.introduced < begin)
}

/// The same, where a walk may stop while nothing is served, and begin again with a version that takes over from none.
fn overlaps(world: &World, at: usize, ends: &Ends, first: At, walk: &[Option<usize>], kind: Option<usize>) -> bool {
    let mut begin = first;
    let parts = walk.split(Option::is_none).all(|part| {
        let from = begin;
        begin += part.len() + 1;
        let group = &world.groups[at];
        let mut jumps = jumps(world, at, ends, from, part, kind).into_iter();
        jumps.all(|to| kind.is_none() && to.is_some_and(|to| is_judged_by_its_kinds(group, to)))
    });
    let group = &world.groups[at];
    parts && !takes_over_after_a_gap(group, ends, kind) && !ends_unreached(group, ends, walk, kind)
}

/// Whether a beta or GA version that a walk never reached is the last one, and ends where the next one begins.
fn ends_unreached(group: &Group, ends: &Ends, walk: &[Option<usize>], kind: Option<usize>) -> bool {
    let lives = group.judged_lives();
    let until = |own: &JudgedLife| ends[&own.id][2].unwrap_or(NEVER);
    let line: Vec<&JudgedLife> = lives.iter().filter(|own| kind.is_none() || own.kind == kind).collect();
    line.iter().any(|new| {
        let Some(since) = new.life.introduced else { return false };
        let older = || {
            line.iter()
                .filter(|old| old.life.introduced < Some(since) && old.life.introduced.is_some())
        };
        let last = older().max_by_key(|old| (until(old), rank(group.versions[old.version].name)));
        let is_unreached = |old: &&&JudgedLife| {
            until(old) == since && group.versions[old.version].name.1 > 0 && !walk.contains(&Some(old.version))
        };
        let is_judged = kind.is_some() || !is_judged_by_its_kinds(group, new.version);
        is_judged && last.as_ref().is_some_and(is_unreached)
    })
}

/// Whether a version begins while no version of its kind is served, and ranks above the last beta or GA version that
/// ended before.
fn takes_over_after_a_gap(group: &Group, ends: &Ends, kind: Option<usize>) -> bool {
    let lives = group.judged_lives();
    let name = |own: &JudgedLife| group.versions[own.version].name;
    let until = |own: &JudgedLife| ends[&own.id][2].unwrap_or(NEVER);
    // Where a version has kinds, each of them has versions of its own.
    let same: Vec<&JudgedLife> = lives.iter().filter(|own| own.kind == kind).collect();
    same.iter().any(|new| {
        let Some(since) = new.life.introduced else { return false };
        let all = if kind.is_some() {
            same.clone()
        } else {
            lives.iter().collect()
        };
        let is_older = |old: &&&JudgedLife| old.life.introduced < Some(since) && old.life.introduced.is_some();
        let gap = all.iter().filter(is_older).all(|old| until(old) < since);
        let last = same.iter().filter(is_older).filter(|old| name(old).1 > 0);
        let last = last.max_by_key(|old| (until(old), rank(name(old))));
        gap && last.is_some_and(|last| rank(name(new)) > rank(name(last)) && name(new).1 >= name(last).1)
    })
}

/// An alpha goes when its successor comes: P5, not the law.
fn waits_for_its_successor(world: &World, id: &str, removed: At) -> bool {
    let (group, version) = id.split_once('/').unwrap_or_default();
    let name = version.split(' ').next().unwrap_or_default();
    let group = world.groups.iter().find(|known| known.name == group);
    group.is_some_and(|group| {
        let introduced = |version: &Version| version.life.introduced == Some(removed);
        let kinds = group.kinds.iter().flat_map(|kind| kind.within.values());
        let comes =
            group.versions.iter().any(introduced) || kinds.into_iter().any(|life| life.introduced == Some(removed));
        name.contains("alpha") && comes
    })
}

fn remove_at(world: &mut World, id: &str, at: At) {
    for group in &mut world.groups {
        for (position, version) in group.versions.iter_mut().enumerate() {
            let name = format!("{}/{}", group.name, version_name(version.name));
            if name == id {
                version.life.removed = Some(at);
            }
            for kind in &mut group.kinds {
                let this = format!("{name} {}", kind.name) == id;
                if let Some(life) = kind.within.get_mut(&position).filter(|_| this) {
                    life.removed = Some(at);
                }
            }
        }
    }
    for (position, other) in world.others.iter_mut().enumerate() {
        if other_id(position, other) != id {
            continue;
        }
        match other {
            Other::Flag { life, .. } | Other::Behavior { life } | Other::Metric { life, .. } => life.removed = Some(at),
            Other::Gate { removed, .. } => *removed = Some(at),
        }
    }
}

/// A printed report without places, and with its findings in an order that does not depend on them.
fn placeless(report: &[u8]) -> serde_json::Value {
    fn strip(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(entries) => {
                // Of several findings alike, a fingerprint counts which one it is, by their places.
                for place in ["line", "column", "end_line", "end_column", "fingerprint"] {
                    entries.remove(place);
                }
                entries.values_mut().for_each(strip);
            }
            serde_json::Value::Array(entries) => entries.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value: serde_json::Value = serde_json::from_slice(report).expect("it is JSON");
    strip(&mut value);
    if let Some(findings) = value["diagnostics"].as_array_mut() {
        findings.sort_by_key(ToString::to_string);
    }
    value
}

// The solver.

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

/// What an obligation, the obligations that decide what it is counted from, and the deadlines of that are.
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

// Time.

fn calendar(dates: &Dates) -> Calendar {
    if dates.symbolic {
        let count = u32::try_from(dates.listed()).expect("a small number");
        return Calendar::symbolic("X", count, dates.cadence);
    }
    let listed = dates.days.iter().enumerate().map(|(at, date)| Listed {
        name: ReleaseName::parse(&dates.name(at)).expect("a name"),
        date: *date,
    });
    Calendar::numbered(listed.collect(), dates.cadence).expect("the releases are in order")
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn the_two_bounds_are_what_their_definitions_say(dates in dates(), span in window(), grace in 0_u64..40, from in 0_usize..12) {
        let calendar = calendar(&dates);
        let number = |n: usize| u16::try_from(n).expect("a small number");
        let window = Window {
            grace_days: u16::try_from(grace).expect("a small number"),
            ..Window::new(u16::try_from(span.months).expect("a small number"), number(span.releases))
        };
        let span = Span { grace, ..span };
        let at = Release(u32::try_from(from).expect("a small number"));
        prop_assert_eq!(position(calendar.earliest(at, window).release), dates.earliest(from, span), "{:?}", dates);
        prop_assert_eq!(position(calendar.latest(at, window).release), dates.latest(from, span), "{:?}", dates);
    }
}

// Editions in turn.

/// An older edition, then a newer one.
fn editions_in_turn() -> impl Strategy<Value = Vec<(At, Edition)>> {
    let [of_2022, of_2025, of_2019, of_2021] = built_ins();
    let pairs = vec![
        (of_2019.clone(), of_2021),
        (of_2019.clone(), of_2022.clone()),
        (of_2019, of_2025.clone()),
        (of_2022, of_2025),
    ];
    (prop::sample::select(pairs), 1_usize..8).prop_map(|((first, second), from)| vec![(0, first), (from, second)])
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn check_accepts_what_plan_proposes_under_editions_in_turn(mut world in world_under(editions_in_turn())) {
        world.editions[1].0 %= world.dates.listed();
        let evaluation = evaluated(&world);
        prop_assume!(evaluation.assignment().contradictions.is_empty());
        let declared = with_plan_declared(&world, &evaluation);
        let (before, after) = (errors(&evaluation), errors(&evaluated(&declared)));
        let new: Vec<_> = after.difference(&before).filter(|(rule, ..)| !judges_a_replacement(&world, rule)).collect();
        prop_assert!(new.is_empty(), "{:?}\n{}\nbecame\n{}", new, world.text(), declared.text());
    }

    #[test]
    fn the_plan_under_editions_in_turn_is_what_the_oracle_says(mut world in world_under(editions_in_turn())) {
        world.editions[1].0 %= world.dates.listed();
        let evaluation = evaluated(&world);
        prop_assume!(evaluation.assignment().contradictions.is_empty());
        let found = all_ends(&evaluation, &world);
        for (id, ends) in &world.ends() {
            prop_assert_eq!(ends, &found[id], "{}\n{}", id, world.text());
        }
    }
}

// Texts.

/// A change of a text: where, how much goes, what comes instead.
pub type Change = (prop::sample::Index, usize, String);

pub fn change() -> impl Strategy<Value = Change> {
    let words = [
        "",
        "\"",
        "[",
        "]",
        "{",
        "}",
        "=",
        ".",
        ",",
        "\n",
        "X",
        "X+999999999999",
        "\"X+3\"",
        "2021-02-30",
        "never",
        "[]",
        "{}",
        "true",
        "0",
        "-1",
        "18446744073709551616",
        "removed",
        "introduced",
        "lives = [",
        "\u{0}",
        "ß",
        "[group",
        "version",
        "from",
    ];
    let word = prop::sample::select(words.map(str::to_owned).to_vec());
    (any::<prop::sample::Index>(), 0_usize..12, word)
}

pub fn changed(text: &str, changes: &[Change]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (at, length, word) in changes {
        let at = at.index(letters.len().max(1)).min(letters.len());
        let end = (at + length).min(letters.len());
        letters.splice(at..end, word.chars());
    }
    letters.into_iter().collect()
}

/// Evaluates, and looks at everything that comes out of it.
fn survive(text: &str) {
    if let Ok(evaluation) = evaluate(text) {
        printed(&evaluation, text);
        for (element, _) in evaluation.model().elements() {
            let mut sources = Sources::new();
            sources.add("lifecycle.toml", text);
            let _ = evaluation.derivation(&sources, element, None);
        }
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_change_of_a_model_makes_it_panic(world in world(), changes in prop::collection::vec(change(), 1..6)) {
        survive(&changed(&world.text(), &changes));
    }

    #[test]
    fn no_change_of_the_example_makes_it_panic(changes in prop::collection::vec(change(), 1..6)) {
        survive(&changed(include_str!("../../tests/../examples/widget-timeline.toml"), &changes));
    }

    #[test]
    fn no_change_of_a_policy_makes_it_panic(changes in prop::collection::vec(change(), 1..6), world in world()) {
        let policy = changed(include_str!("../../tests/../policies/kubernetes.toml"), &changes);
        let _ = evaluate_under(&policy, &world.text());
    }
}

// Examples.

const CALENDAR: &str = "
[calendar]
cadence = { months = 4 }
symbolic = { origin = \"X\", count = 16 }
";

const BETA_AND_GA: &str = "
[group.\"example.com\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X+5\" }
";

fn example(text: &str) -> Evaluation {
    evaluate(&format!("{CALENDAR}{text}")).expect("it can be read")
}

fn example_under(policy: &str, text: &str) -> Evaluation {
    evaluate_under(policy, &format!("{CALENDAR}{text}")).expect("it can be read")
}

/// The codes of the obligations that exclude one another.
fn excluded(evaluation: &Evaluation) -> Vec<Vec<&'static str>> {
    let rings = evaluation.assignment().contradictions.iter();
    rings
        .map(|contradiction| {
            let obligations = contradiction
                .ring
                .iter()
                .filter_map(|at| evaluation.obligations().get(*at));
            obligations.map(|obligation| obligation.code).collect()
        })
        .collect()
}

/// When an element is deprecated and removed.
fn end_of(evaluation: &Evaluation, id: &str) -> [Option<At>; 2] {
    let element = evaluation.model().find(id).expect("it is an element");
    [EventKind::Deprecated, EventKind::Removed].map(|what| release_of(evaluation, element, what))
}

fn codes(evaluation: &Evaluation) -> Vec<(&'static str, String)> {
    let findings = evaluation.findings().iter();
    findings
        .map(|finding| (finding.rule, finding.code.to_string()))
        .collect()
}

const SHUT: &str = "
name = \"shut\"
extends = \"kubernetes\"
[rule.version-lifetime]
beta = { after-deprecation = { months = 12, releases = 4 }, remove-within = { months = 9, releases = 3 } }
";

#[test]
fn a_window_that_closes_before_it_opens_is_a_contradiction_of_both() {
    let evaluation = example_under(SHUT, BETA_AND_GA);
    let rings = excluded(&evaluation);
    assert_eq!(rings.len(), 1, "{rings:?}");
    assert!(
        rings[0].contains(&"early") && rings[0].contains(&"overdue"),
        "{rings:?}"
    );
    let findings = evaluation.findings().iter();
    let reported: Vec<&Diagnostic> = findings.filter(|finding| finding.rule == "contradiction").collect();
    assert_eq!(reported.len(), 1);
    assert_eq!(reported[0].severity, Severity::Error);
    assert_eq!(reported[0].because.len(), rings[0].len());
}

#[test]
fn a_deadline_before_the_successor_that_it_waits_for_is_a_contradiction_of_both() {
    let policy = "
name = \"waiting\"
extends = \"kubernetes\"
[rule.version-replacement]
until-replacement-released = true
";
    let rings = excluded(&example_under(policy, BETA_AND_GA));
    assert_eq!(rings, [["before-replacement", "not-deprecated-in-time"]]);
}

/// What no plan can meet stays where its lower bounds alone put it: no made-up release is reported.
#[test]
fn what_contradicts_itself_stays_where_its_lower_bounds_put_it() {
    let evaluation = example_under(SHUT, BETA_AND_GA);
    assert_eq!(end_of(&evaluation, "example.com/v1beta1"), [Some(3), Some(7)]);
}

/// The removal waits for the overlap with a successor that comes when it is due; the deprecation keeps its deadline.
#[test]
fn a_beta_is_removed_late_for_an_overlap_and_still_deprecated_in_time() {
    let successor = |release: &str| {
        let text = format!(
            "[group.\"example.com\"]\nversion.v1beta1 = {{ introduced = \"X\" }}\nversion.v1 = {{ introduced = \"{release}\" }}\n"
        );
        let evaluation = example(&text);
        let late = codes(&evaluation)
            .into_iter()
            .filter(|(_, code)| code == "overdue")
            .count();
        (end_of(&evaluation, "example.com/v1beta1"), late)
    };
    assert_eq!(successor("X+5"), ([Some(3), Some(6)], 0));
    assert_eq!(successor("X+6"), ([Some(3), Some(7)], 1));
    assert_eq!(successor("X+7"), ([Some(3), Some(8)], 1));
    assert_eq!(successor("X+20"), ([Some(3), Some(21)], 1));
}

/// The preferred version keeps v1beta1 until X+5, in which a version of its kind begins: then storage keeps it too.
#[test]
fn what_waits_for_one_move_waits_for_the_move_that_begins_then() {
    let text = format!(
        "policy = \"kubernetes-2019\"\n{CALENDAR}{}",
        "
[group.\"example.com\".version]
v2alpha1 = { introduced = \"X+4\" }
v2beta2 = { introduced = \"X+1\", deprecated = \"X+1\" }
v2 = { introduced = \"X+4\" }
[group.\"example.com\".kind.Gadget]
versions = [\"v2alpha1\", \"v2beta2\"]
version.v2alpha1 = { introduced = \"X+5\" }
"
    );
    let evaluation = evaluate(&text).expect("it can be read");
    assert_eq!(end_of(&evaluation, "example.com/v2beta2 Gadget"), [Some(1), Some(6)]);
}

/// Both are reported as contradictions, and not as something else besides.
#[test]
fn a_contradiction_is_not_reported_as_overdue_too() {
    let policy = "
name = \"none\"
extends = \"kubernetes\"
[rule.version-lifetime.beta]
deprecate-within = { releases = 0 }
after-deprecation = { releases = 9 }
remove-within = { releases = 0 }
";
    let beta = "version.v1beta1 = { introduced = \"X\" }";
    let text = format!("[group.\"example.com\"]\n{beta}\n[group.\"example.org\"]\n{beta}\n");
    let evaluation = example_under(policy, &text);
    let late = codes(&evaluation).into_iter().filter(|(_, code)| code == "overdue");
    assert_eq!(late.count(), 0, "{:?} {:?}", codes(&evaluation), excluded(&evaluation));
}

#[test]
fn a_contradiction_leaves_the_plan_of_others_alone() {
    let policy = format!(
        "{SHUT}{}",
        "ga = { remove = \"any\", after-deprecation = { releases = 1 }, remove-within = { releases = 1 } }\n"
    );
    let moved = "
[group.\"example.org\"]
version.v1 = { introduced = \"X\" }
version.v2 = { introduced = \"X+1\" }
preferred = { v1 = \"X\", v2 = \"X+9\" }
";
    let alone = example_under(&policy, moved);
    assert_eq!(end_of(&alone, "example.org/v1"), [Some(8), Some(9)]);
    assert_eq!(excluded(&alone).len(), 0);
    let beside = example_under(&policy, &format!("{BETA_AND_GA}{moved}"));
    assert_eq!(end_of(&beside, "example.org/v1"), [Some(8), Some(9)]);
    assert_eq!(excluded(&beside).len(), 1);
}

#[test]
fn each_of_two_contradictions_is_reported() {
    let other = BETA_AND_GA.replace("example.com", "example.org");
    let evaluation = example_under(SHUT, &format!("{BETA_AND_GA}{other}"));
    let rings = excluded(&evaluation);
    assert_eq!(rings.len(), 2, "{rings:?}");
}

/// Between the deprecation of a beta version and its latest removal there is little room.
const NARROW: &str = "
name = \"narrow\"
extends = \"kubernetes\"
[rule.version-lifetime.beta]
deprecate-within = false
after-deprecation = { releases = 2 }
remove-within = { months = 4 }
";

/// The ring alone could be met before the successor comes, where three releases fit into the months.
#[test]
fn a_contradiction_cites_what_leaves_no_earlier_way_out() {
    let text = "
[calendar]
cadence = { months = 6 }
[calendar.releases]
\"1.8\" = 2019-12-01
\"1.9\" = 2019-12-01
\"1.10\" = 2019-12-01
\"1.11\" = 2019-12-01
[group.\"example.com\".version]
v1beta1 = { introduced = \"1.8\" }
v1 = { introduced = \"1.11\" }
";
    let evaluation = evaluate_under(NARROW, text).expect("it can be read");
    let rings = excluded(&evaluation);
    assert_eq!(rings.len(), 1, "{rings:?}");
    assert!(rings[0].contains(&"planned"), "{rings:?}");
}

/// The removal fits between the deprecation and its deadline, but for the overlap with v1.
#[test]
fn a_contradiction_cites_the_wait_of_a_removal() {
    let text = "
[calendar]
cadence = { months = 6 }
[calendar.releases]
\"1.8\" = 2019-12-01
\"1.9\" = 2019-12-01
\"1.10\" = 2019-12-01
\"1.11\" = 2019-12-01
[group.\"example.com\".version]
v1beta1 = { introduced = \"1.8\" }
v1beta2 = { introduced = \"1.8\", deprecated = \"1.8\", removed = \"1.9\" }
v1 = { introduced = \"1.12\" }
";
    let evaluation = evaluate_under(NARROW, text).expect("it can be read");
    let rings = excluded(&evaluation);
    assert_eq!(rings.len(), 1, "{rings:?}");
    assert!(rings[0].contains(&"no-overlap"), "{rings:?}");
}

/// The deadline keeps the deprecation from being planned so late that the removal would be in time.
#[test]
fn a_contradiction_cites_the_deadline_that_holds_what_a_bound_counts_from() {
    let policy = "
name = \"long\"
extends = \"kubernetes\"
[rule.version-lifetime]
beta = { deprecate-within = { releases = 2 }, after-deprecation = { months = 10 }, remove-within = { releases = 1 } }
";
    let text = "
[calendar]
cadence = { months = 12 }
[calendar.releases]
\"1.8\" = 2020-01-01
\"1.9\" = 2020-04-01
\"1.10\" = 2020-07-01
\"1.11\" = 2020-10-01
[group.\"example.com\".version]
v1beta1 = { introduced = \"1.8\" }
";
    let rings = excluded(&evaluate_under(policy, text).expect("it can be read"));
    assert_eq!(rings.len(), 1, "{rings:?}");
    assert!(rings[0].contains(&"not-deprecated-in-time"), "{rings:?}");
    // Without the deadline, it is deprecated where the releases are a year apart.
    let free = policy.replace("{ releases = 2 }", "false");
    let named = text.replace("v1beta1 = {", "v1 = { introduced = \"1.8\" }\nv1beta1 = {");
    assert_eq!(
        excluded(&evaluate_under(&free, &named).expect("it can be read")),
        Vec::<Vec<&str>>::new()
    );
}

/// "The calendar has no date there": nobody can tell yet whether a release comes within a month.
#[test]
fn a_bound_past_the_last_date_contradicts_nothing() {
    let policy = "
name = \"soon\"
extends = \"kubernetes\"
[rule.version-lifetime]
beta = { deprecate-within = false, after-deprecation = { releases = 1 }, remove-within = { months = 1 } }
";
    let text = "
[calendar]
current = \"1.9\"
[calendar.releases]
\"1.8\" = 2019-12-01
\"1.9\" = 2020-02-01
[group.\"example.com\".version]
v1beta1 = { introduced = \"1.8\" }
v1beta2 = { introduced = \"1.8\" }
";
    let evaluation = evaluate_under(policy, text).expect("it can be read");
    assert_eq!(excluded(&evaluation), Vec::<Vec<&str>>::new());
    assert_eq!(end_of(&evaluation, "example.com/v1beta1"), [Some(2), Some(3)]);
}

/// `v1` stays for its kind, so the group moves from it too, and `v1beta1` needs not stay.
#[test]
fn a_version_that_stays_for_a_kind_is_what_its_group_moves_from() {
    let policy = "
name = \"short\"
extends = \"kubernetes\"
[rule.version-lifetime]
ga = { remove = \"any\", after-deprecation = { releases = 2 } }
beta = { deprecate-within = false, after-deprecation = { releases = 1 }, remove-within = { releases = 1 } }
";
    let text = "
[group.\"example.com\".version]
v1alpha1 = { introduced = \"X+3\" }
v1beta1 = { introduced = \"X+2\" }
v1 = { introduced = \"X\", deprecated = \"X\" }
v2alpha1 = { introduced = \"X+3\" }
[group.\"example.com\".kind.Gadget]
versions = [\"v1alpha1\", \"v1beta1\", \"v1\"]
";
    let evaluation = example_under(policy, text);
    assert_eq!(end_of(&evaluation, "example.com/v1 Gadget"), [Some(0), Some(4)]);
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Gadget"), [Some(2), Some(3)]);
}

/// A lower alpha that comes after a higher one.
#[test]
fn nothing_is_planned_to_go_where_it_comes() {
    let evaluation = example(
        "
[group.\"example.com\".version]
v1alpha2 = { introduced = \"X\" }
v1alpha1 = { introduced = \"X+2\" }
[cli.tool]
audience = \"user\"
[cli.tool.flag.\"--alpha-flag\"]
introduced = \"X+2\"
deprecated = \"X+2\"
warning = \"it goes\"
",
    );
    assert_eq!(end_of(&evaluation, "example.com/v1alpha1")[1], Some(3));
    assert_eq!(end_of(&evaluation, "cli tool --alpha-flag"), [Some(2), Some(3)]);
}

const KIND_WITHOUT_SUCCESSOR: &str = "
[group.\"example.com\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X+2\" }
[group.\"example.com\".kind.Gadget]
versions = [\"v1beta1\"]
[group.\"example.com\".kind.Widget]
versions = [\"v1beta1\", \"v1\"]
";

/// The same where the version names its replacement.
fn superseded_as_a_whole() -> String {
    KIND_WITHOUT_SUCCESSOR.replacen(
        "{ introduced = \"X\" }",
        "{ introduced = \"X\", replacement = \"v1\" }",
        1,
    )
}

#[test]
fn a_version_that_takes_over_one_kind_deprecates_that_kind_only() {
    let evaluation = example(KIND_WITHOUT_SUCCESSOR);
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Widget"), [Some(2), Some(5)]);
    // A beta: at its deadline.
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Gadget"), [Some(3), Some(6)]);
    let ga = KIND_WITHOUT_SUCCESSOR
        .replace("v1 ", "v2 ")
        .replace("\"v1\"", "\"v2\"")
        .replace("v1beta1", "v1");
    let evaluation = example(&ga);
    assert_eq!(end_of(&evaluation, "example.com/v1 Widget"), [Some(2), None]);
    assert_eq!(end_of(&evaluation, "example.com/v1 Gadget"), [None, None]);
}

#[test]
fn a_kind_without_a_successor_is_deprecated_with_a_version_that_is_superseded_as_a_whole() {
    let evaluation = example(&superseded_as_a_whole());
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Gadget"), [Some(2), Some(5)]);
}

/// "May not be deprecated until a version at least as stable is released" (2019) speaks of versions: P8 holds there
/// too.
#[test]
fn in_2019_too_a_kind_without_a_successor_is_deprecated_with_its_version() {
    let text = format!("policy = \"kubernetes-2019\"\n{CALENDAR}{}", superseded_as_a_whole());
    let evaluation = evaluate(&text).expect("it can be read");
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Widget"), [Some(2), Some(5)]);
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Gadget"), [Some(2), Some(5)]);
}

/// P9: `Endpoints` of `core/v1` moved to `EndpointSlice`, and `Pod` did not.
#[test]
fn a_kind_that_leaves_for_another_group_takes_no_other_kind_with_it() {
    let evaluation = example(
        "
[group.core.version]
v1 = { introduced = \"X\" }
[group.core.kind.Pod]
[group.core.kind.Endpoints]
version.v1 = { deprecated = \"X+2\", replacement = \"discovery.k8s.io/v1 EndpointSlice\" }
[group.\"discovery.k8s.io\".version]
v1 = { introduced = \"X+1\" }
[group.\"discovery.k8s.io\".kind.EndpointSlice]
",
    );
    assert_eq!(end_of(&evaluation, "core/v1 Endpoints"), [Some(2), None]);
    assert_eq!(end_of(&evaluation, "core/v1 Pod"), [None, None]);
    assert_eq!(end_of(&evaluation, "core/v1"), [None, None]);
}

/// "A version's [life] is the union" of its kinds'.
#[test]
fn a_version_whose_kinds_are_all_removed_is_removed_for_the_preferred_version_too() {
    let evaluation = example(
        "
[group.\"example.com\".version]
v1alpha1 = { introduced = \"X\" }
v1beta1 = { introduced = \"X+1\" }
[group.\"example.com\".preferred]
v1alpha1 = \"X\"
v1beta1 = \"X+1\"
[group.\"example.com\".kind.Gadget.version]
v1alpha1 = { deprecated = \"X+1\", removed = \"X+1\" }
v1beta1 = {}
",
    );
    let errors: Vec<_> = codes(&evaluation)
        .into_iter()
        .filter(|(rule, _)| *rule == "preferred-and-storage")
        .collect();
    assert_eq!(errors, []);
}

#[test]
fn a_version_is_served_from_the_introduction_of_its_first_kind_on() {
    let evaluation = example(
        "
[group.\"example.com\".version]
v1 = {}
[group.\"example.com\".preferred]
v1 = \"X+1\"
[group.\"example.com\".kind.Gadget.version]
v1 = { introduced = \"X+1\" }
",
    );
    assert_eq!(codes(&evaluation), []);
}

#[test]
fn a_version_is_served_as_long_as_it_is_preferred_whoever_declares_its_end() {
    let evaluation = example(
        "
[group.\"example.com\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X+1\" }
[group.\"example.com\".preferred]
v1beta1 = \"X\"
v1 = \"X+9\"
[group.\"example.com\".kind.Gadget.version]
v1beta1 = { deprecated = \"X+1\", removed = \"X+5\" }
v1 = {}
",
    );
    assert!(
        codes(&evaluation).contains(&("preferred-and-storage", "still-preferred".to_owned())),
        "{:?}",
        codes(&evaluation)
    );
}

/// Served again after a gap: what counts is the first release that serves both.
#[test]
fn a_move_waits_for_a_release_that_really_served_both() {
    let evaluation = example(
        "
[group.\"example.com\"]
version.v1beta1 = {}
version.v1 = { introduced = \"X+4\" }
preferred = { v1beta1 = \"X\", v1 = \"X+5\" }
[group.\"example.com\".kind.Gadget.version]
v1beta1 = { lives = [{ introduced = \"X\", deprecated = \"X\", removed = \"X+3\" }, { introduced = \"X+6\" }] }
v1 = {}
",
    );
    let found = codes(&evaluation);
    assert!(
        found.iter().any(|(rule, _)| *rule == "preferred-and-storage"),
        "{found:?}"
    );
}

#[test]
fn from_a_removed_alpha_the_move_is_at_once_even_if_it_comes_back() {
    let evaluation = example(
        "
[group.\"example.com\"]
version.v1alpha1 = {}
version.v1alpha2 = { introduced = \"X+2\" }
preferred = { v1alpha1 = \"X\", v1alpha2 = \"X+2\" }
[group.\"example.com\".kind.Gadget.version]
v1alpha1 = { lives = [{ introduced = \"X\", removed = \"X+2\" }, { introduced = \"X+4\" }] }
v1alpha2 = {}
",
    );
    assert_eq!(codes(&evaluation), []);
}

#[test]
fn a_version_with_several_lives_may_have_a_declared_move() {
    let evaluation = example(
        "
[group.\"example.com\"]
version.v1 = { lives = [{ introduced = \"X\" }] }
preferred.v1 = \"X\"
",
    );
    assert_eq!(codes(&evaluation), []);
}

fn in_turn(first: &str, second: &str) -> Evaluation {
    let policy = format!("policy = [{{ use = \"{first}\" }}, {{ use = \"{second}\", from = \"X+7\" }}]");
    let versions = "[group.\"example.com\".version]\nv1 = { introduced = \"X\" }\nv2 = { introduced = \"X+2\" }\n";
    evaluate(&format!("{policy}\n{CALENDAR}{versions}")).expect("it can be read")
}

/// "What was announced under one edition is judged by it", also what is planned to be announced under it.
#[test]
fn what_is_planned_to_be_announced_under_an_edition_is_judged_by_it() {
    let old = in_turn("kubernetes-2019", "kubernetes");
    assert_eq!(end_of(&old, "example.com/v1"), [Some(2), Some(5)]);
}

#[test]
fn an_edition_to_come_ends_nothing_that_is_announced_before_it() {
    let new = in_turn("kubernetes", "kubernetes-2019");
    assert_eq!(end_of(&new, "example.com/v1"), [Some(2), None]);
}

/// The deadline has passed, so the deprecation would be announced under an edition that demands a successor.
#[test]
fn a_beta_past_its_deadline_waits_for_the_successor_that_the_edition_of_now_demands() {
    let end = |second: &str| {
        let policy = format!("policy = [{{ use = \"kubernetes\" }}, {{ use = \"{second}\", from = \"X+6\" }}]");
        let calendar = CALENDAR.replacen("cadence", "current = \"X+5\"\ncadence", 1);
        let beta = "[group.\"example.com\".version]\nv1beta1 = { introduced = \"X\" }\n";
        let evaluation = evaluate(&format!("{policy}\n{calendar}{beta}")).expect("it can be read");
        end_of(&evaluation, "example.com/v1beta1")
    };
    assert_eq!(end("kubernetes-2025"), [Some(6), Some(9)]);
    assert_eq!(end("kubernetes-2019"), [None, None]);
}

/// A policy may set windows of up to 1200 releases; a long wait is no contradiction.
#[test]
fn a_very_long_window_is_no_contradiction() {
    let policy = "
name = \"patient\"
extends = \"kubernetes\"
[rule.version-lifetime]
beta = { after-deprecation = { releases = 1200 }, remove-within = { releases = 1200 } }
";
    let evaluation = example_under(policy, BETA_AND_GA);
    assert_eq!(excluded(&evaluation), Vec::<Vec<&str>>::new());
    assert_eq!(end_of(&evaluation, "example.com/v1beta1"), [Some(3), Some(1203)]);
}

/// "Satisfied if some version at least as stable serves the kind at the deprecation."
#[test]
fn a_version_that_is_removed_by_then_is_no_successor() {
    let evaluation = example(
        "
[group.\"example.com\".version]
v1beta1 = { introduced = \"X+6\", deprecated = \"X+7\" }
v1beta2 = { introduced = \"X\", deprecated = \"X+1\", removed = \"X+4\" }
",
    );
    let reported = codes(&evaluation)
        .into_iter()
        .filter(|(_, code)| code == "no-replacement");
    assert_eq!(reported.count(), 2, "{:?}", codes(&evaluation));
}
