//! Properties of every history of CRDs, however people have edited the model meanwhile.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};

use lifecycle::FileId;
use lifecycle::import::kinds::{Parts, Shipped, fold};
use lifecycle::import::update::{known, update, verify};
use lifecycle::import::{Defined, Draft, Resource, Snapshot, Version, write};
use lifecycle::model::Model;
use lifecycle::release::ReleaseName;
use lifecycle::{Diagnostics, Document};
use proptest::prelude::*;

use crate::imports_data::{Surface, replayed};

const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];
const KINDS: [&str; 3] = ["Bolt", "Nut", "Pin"];

/// A kind in a version of one release: not listed, listed, served, deprecated.
type State = u8;

/// Releases, each with a state for each kind and version, and where objects are stored.
fn histories() -> impl Strategy<Value = Vec<Vec<(Vec<State>, usize)>>> {
    let kind = (prop::collection::vec(0_u8..4, VERSIONS.len()), 0..VERSIONS.len());
    prop::collection::vec(prop::collection::vec(kind, KINDS.len()), 2..6)
}

fn release(at: usize) -> ReleaseName {
    ReleaseName::new(1, u64::try_from(at).expect("a small number"))
}

fn shipped(at: usize, kinds: &[(Vec<State>, usize)]) -> Shipped {
    let mut snapshot = Snapshot::default();
    // One group always exists, so that the source is never empty.
    for (name, (states, stored)) in KINDS.iter().zip(kinds).chain([(&"Rivet", &(vec![0, 0, 2], 2))]) {
        let mut resource = Resource {
            plural: format!("{}s", name.to_lowercase()),
            ..Resource::default()
        };
        for (number, (version, state)) in VERSIONS
            .iter()
            .zip(states)
            .enumerate()
            .filter(|(_, (_, state))| **state > 0)
        {
            let version_state = Version {
                served: *state > 1,
                storage: number == *stored && *state > 1,
                deprecated: *state > 2,
                subresources: BTreeSet::from(["status".to_owned()]),
                ..Version::default()
            };
            resource.versions.insert((*version).to_owned(), version_state);
        }
        if !resource.versions.is_empty() {
            let defined = Defined {
                group: "example.com".to_owned(),
                kind: (*name).to_owned(),
                resource,
            };
            assert!(snapshot.add(&defined), "no kind is there twice");
        }
    }
    Shipped {
        release: release(at),
        date: chrono::NaiveDate::from_ymd_opt(2023, u32::try_from(at + 1).expect("a month"), 1),
        snapshot,
    }
}

fn surface(shipped: &Shipped) -> Surface {
    let mut surface = BTreeMap::new();
    for (group, kinds) in &shipped.snapshot.groups {
        for (kind, resource) in kinds {
            for (version, state) in resource.versions.iter().filter(|(_, state)| state.served) {
                let key = (group.clone(), version.clone(), kind.clone());
                surface.insert(key, (true, state.storage, state.deprecated));
            }
        }
    }
    surface
}

fn read(text: &str) -> Option<Model> {
    Model::read(&[Document::parse(FileId(0), text)], &mut Diagnostics::default())
}

/// Whether a model declares for each release what was served and deprecated then.
fn replays(model: &Model, releases: &[Shipped]) -> bool {
    let without_storage = |surface: Surface| -> Vec<_> {
        let states = surface
            .into_iter()
            .map(|(key, (served, _, deprecated))| (key, served, deprecated));
        states.collect()
    };
    releases.iter().all(|shipped| {
        let at = model
            .calendar
            .find(&shipped.release.to_string())
            .expect("the release is listed");
        without_storage(replayed(model, at)) == without_storage(surface(shipped))
    })
}

/// The text as people might have edited it: words behind lines and between them, owners, things of their own.
fn edited(text: &str, seed: usize) -> String {
    let mut lines = vec!["# Ours.".to_owned()];
    for (number, line) in text.lines().enumerate() {
        let is_entry = line.contains(" = ") && !line.starts_with('#');
        let may_be_owned = line.starts_with("v1") && line.ends_with(" }") && !line.contains("owner");
        match (number * 7 + seed) % 5 {
            0 if is_entry => lines.push(format!("{line} # remark {number}")),
            1 => lines.extend([format!("  # before {number}"), line.to_owned()]),
            2 if may_be_owned => lines.push(format!("{}, owner = \"team-{number}\" }}", line.trim_end_matches(" }"))),
            _ => lines.push(line.to_owned()),
        }
    }
    lines.push(format!("\n[behavior.own-{seed}]\nintroduced = \"1.0\"\n"));
    lines.join("\n")
}

/// Whether all of a text is in another, in its order, but for the newest release.
fn is_within(text: &str, other: &str) -> bool {
    let mut letters = other.chars();
    let lines = text.lines().filter(|line| !line.starts_with("current = "));
    lines
        .flat_map(str::chars)
        .all(|letter| letters.any(|found| found == letter))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_history_that_is_imported_at_once_is_replayed_exactly(history in histories()) {
        let releases: Vec<Shipped> = history.iter().enumerate().map(|(at, kinds)| shipped(at, kinds)).collect();
        let text = write(&fold(Draft::default(), &releases, Parts::All).draft);
        let model = read(&text).expect(&text);
        prop_assert!(replays(&model, &releases), "{text}");
    }

    #[test]
    fn an_edited_model_is_updated_or_the_difference_is_reported(history in histories(), seed in 0_usize..5) {
        let releases: Vec<Shipped> = history.iter().enumerate().map(|(at, kinds)| shipped(at, kinds)).collect();
        let mut text = write(&fold(Draft::default(), &releases[..1], Parts::Changed).draft);
        for (at, next) in releases.iter().enumerate().skip(1) {
            text = edited(&text, seed + at * 10);
            let model = read(&text).expect(&text);
            let history = fold(known(&model, &next.release).expect("its releases are numbered"), std::slice::from_ref(next), Parts::Changed);
            let draft = history.draft;
            let once = |text: &str| update(&[(text, &Document::parse(FileId(0), text))], &draft);
            let updated = once(&text);
            let after = &updated.texts[0];
            prop_assert!(is_within(&text, after), "something is gone:\n{text}\n---\n{after}");
            prop_assert_eq!(&once(after).texts[0], after);
            // Where the edited text cannot be read, the program writes nothing.
            let Some(model) = read(after) else { return Ok(()) };
            let left = verify(&model, &draft, &next.release, &next.release);
            let reported = !(updated.disagreements.is_empty() && left.is_empty() && history.notices.is_empty());
            prop_assert!(reported || replays(&model, &releases[..=at]), "{text}\n---\n{after}");
            if reported {
                return Ok(());
            }
            text.clone_from(after);
        }
    }
}
