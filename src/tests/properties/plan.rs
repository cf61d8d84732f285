//! What is planned: as the oracle says, and without new findings once it is declared.

use std::collections::{BTreeMap, BTreeSet};

use lifecycle::evaluate::Evaluation;
use lifecycle::model::{Event, EventKind};
use lifecycle::plan::{self};
use lifecycle::release::AsOf;
use proptest::prelude::*;

use crate::tests::worlds::{
    At, Dates, Ends, Group, JudgedLife, Kind, Life, NEVER, Other, Version, World, cases, evaluated_text, load,
    other_id, rank, version_name, walks, world,
};

use super::{all_ends, errors, evaluated, printed, walks_of};

/// Whether a finding is about a replacement that a model names: it is judged once the deprecation is declared, in
/// whichever release that is.
pub(super) fn judges_a_replacement(world: &World, rule: &str) -> bool {
    let versions = world.groups.iter().flat_map(|group| &group.versions);
    rule == "version-replacement" && versions.into_iter().any(|version| version.replacement.is_some())
}

/// The world with what the plan proposes written down as declared, as far as the calendar has names.
pub(super) fn with_plan_declared(world: &World, evaluation: &Evaluation) -> World {
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
