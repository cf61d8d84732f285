//! What a filter chooses is the same for every command, and is the part of the whole answer that it chooses.

#![expect(
    clippy::expect_used,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::collections::BTreeSet;

use lifecycle::Sources;
use lifecycle::evaluate::{ElementState, Evaluation, Filter, Listing, Range};
use lifecycle::render::{json, kubepug};
use proptest::prelude::*;
use serde_json::Value;

use crate::program::run_on;
use crate::worlds::{cases, evaluated_text, world_with_moves};

/// A number for each choice that a filter needs.
type Choices = (usize, usize, usize, usize);

/// A filter of a sort, with values that the model has.
fn filter(report: &Value, (sort, first, second, third): Choices) -> Filter {
    let ids: Vec<&str> = items(report, "/elements").map(|element| text(element, "id")).collect();
    let id = ids[first % ids.len()].to_owned();
    let releases: Vec<&str> = items(report, "/groups/0/releases")
        .map(|row| text(row, "release"))
        .collect();
    let state = ElementState::ALL[second % ElementState::ALL.len()].1;
    let names = |name: String| vec![name];
    match sort % 6 {
        0 => Filter {
            elements: names(id),
            ..Filter::default()
        },
        1 => Filter {
            elements: names(format!("{}*", id.split([' ', '/']).next().unwrap_or_default())),
            ..Filter::default()
        },
        2 => Filter {
            kinds: names(kind_of(report, &id)),
            ..Filter::default()
        },
        3 => Filter {
            states: vec![state],
            ..Filter::default()
        },
        4 => Filter {
            releases: Some(releases[third % releases.len()].to_owned()),
            ..Filter::default()
        },
        _ => Filter {
            elements: names(format!("{}*", &id[..id.len() / 2])),
            states: vec![state],
            ..Filter::default()
        },
    }
}

fn kind_of(report: &Value, id: &str) -> String {
    let mut elements = items(report, "/elements");
    let found = elements.find(|element| text(element, "id") == id);
    found.map_or_else(String::new, |element| text(element, "kind").to_owned())
}

fn items<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn printed(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("a report is JSON")
}

/// The items of a list about the chosen elements.
fn part<'v>(all: &'v Value, pointer: &str, key: &str, ids: &BTreeSet<String>) -> Vec<&'v Value> {
    items(all, pointer)
        .filter(|item| ids.contains(text(item, key)))
        .collect()
}

fn exported(evaluation: &Evaluation) -> Value {
    let listing = Listing {
        planned: true,
        all: true,
    };
    let mut bytes = Vec::new();
    kubepug::write(&evaluation.deprecations(listing), &mut bytes).expect("memory can be written to");
    serde_json::from_slice(&bytes).expect("a list is JSON")
}

/// Every announcement, those about all kinds of a version as one for each kind.
fn announced(notes: &Value) -> BTreeSet<(String, String, String)> {
    let sections = items(notes, "/releases").flat_map(|release| items(release, "/sections"));
    let all = sections.flat_map(|section| items(section, "/items"));
    let each = all.flat_map(|item| {
        let kinds = items(item, "/kinds").map(|kind| text(kind, "id"));
        let own = text(&item["element"], "id");
        let ids: Vec<&str> = kinds.chain([own]).collect();
        ids.into_iter().map(|id| {
            (
                id.to_owned(),
                text(item, "event").to_owned(),
                text(&item["release"], "release").to_owned(),
            )
        })
    });
    each.collect()
}

/// The state in a release, from the bands of a picture.
fn state_in(row: &Value, at: u64) -> Option<&str> {
    let bands = items(row, "/bands").filter(|band| band["from"].as_u64().is_some_and(|from| from <= at));
    bands.last().map(|band| text(band, "state"))
}

/// Whether the state of an element in the current release is what the filter asks for, where that can be seen.
fn is_in(state: ElementState, now: Option<&str>) -> Option<bool> {
    match state {
        ElementState::Upcoming => Some(now.is_none()),
        ElementState::Served => Some(now == Some("served")),
        ElementState::Deprecated => Some(matches!(now, Some("deprecated" | "hidden"))),
        ElementState::Hidden => Some(now == Some("hidden")),
        ElementState::Removed => Some(now == Some("gone")),
        ElementState::Open | ElementState::Overdue | ElementState::Removable if now == Some("gone") => Some(false),
        _ => None,
    }
}

/// Whether it is a removal that nobody has announced: of an alpha, which may be removed at any time. It is listed only
/// where a filter names releases or states.
fn is_offer(task: &Value) -> bool {
    task["urgency"] == "may" && task["action"] == "remove"
}

/// The judgements of `report`, the exceptions and the tasks of `agenda`: the chosen part of those about everything. A
/// task about a part stands for itself where the same task about its whole is not chosen.
fn lists_are_chosen(whole: &Evaluation, chosen: &Evaluation, ids: &BTreeSet<String>) -> Result<(), TestCaseError> {
    let [all, own] = [whole, chosen].map(|evaluation| printed(&evaluation.record()));
    let judged: Vec<&Value> = items(&own, "/judgements").collect();
    prop_assert_eq!(judged, part(&all, "/judgements", "element", ids));

    let [all, own] = [whole, chosen].map(|evaluation| printed(&evaluation.exceptions(&Sources::new())));
    let granted: Vec<&Value> = items(&own, "/exceptions").collect();
    prop_assert_eq!(granted, part(&all, "/exceptions", "element", ids));

    let [all, own] = [whole, chosen].map(|evaluation| {
        let report = evaluation
            .tasks(&Sources::new(), None, 2)
            .expect("the next release is covered");
        printed(&report)
    });
    let asked = part(&own, "/tasks", "element", ids);
    for task in part(&all, "/tasks", "element", ids) {
        prop_assert!(asked.contains(&task), "{}", task);
    }
    for task in &asked {
        let of_whole = items(&all, "/tasks").any(|other| {
            let id = text(other, "element");
            text(task, "element").starts_with(id) && !ids.contains(id) && other["action"] == task["action"]
        });
        let is_known = of_whole || is_offer(task) || items(&all, "/tasks").any(|other| other == *task);
        prop_assert!(is_known, "{}", task);
    }
    let about_others = items(&own, "/tasks").filter(|task| !task["element"].is_null());
    prop_assert_eq!(about_others.count(), asked.len());
    Ok(())
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn filtered_answers_are_the_chosen_part_of_whole_answers(
        world in world_with_moves(),
        choices in (0_usize..6, 0_usize..50, 0_usize..10, 0_usize..20),
    ) {
        let model = world.text();
        let mut sources = Sources::new();
        sources.add("lifecycle.toml", model.as_str());
        let whole = evaluated_text(&world, &model);
        let report = printed(&whole.report(&sources));
        prop_assume!(items(&report, "/elements").count() > 0 && items(&report, "/groups/0/releases").count() > 0);
        let filter = filter(&report, choices);
        let mut chosen = evaluated_text(&world, &model);
        let has_current = !report["current"].is_null();
        if chosen.select(&filter).is_err() {
            prop_assert!(!has_current && !filter.states.is_empty(), "{filter:?}");
            return Ok(());
        }
        let part_report = printed(&chosen.report(&sources));
        let ids: BTreeSet<String> = items(&part_report, "/elements").map(|own| text(own, "id").to_owned()).collect();

        let elements: Vec<&Value> = items(&part_report, "/elements").collect();
        prop_assert_eq!(elements, part(&report, "/elements", "id", &ids));
        let findings: Vec<&Value> = items(&part_report, "/diagnostics").collect();
        prop_assert_eq!(findings, part(&report, "/diagnostics", "element", &ids));
        let groups: Vec<&Value> = items(&part_report, "/groups").collect();
        let has_element = |group: &&Value| ids.iter().any(|id| id.starts_with(&format!("{}/", text(group, "group"))));
        prop_assert_eq!(groups, items(&report, "/groups").filter(has_element).collect::<Vec<_>>());

        let [all, own] = [&whole, &chosen].map(|evaluation| printed(&evaluation.picture(&sources)));
        let [all_rows, own_rows] = [&all, &own].map(|picture| {
            items(picture, "/groups").flat_map(|group| items(group, "/rows").cloned()).collect::<Vec<Value>>()
        });
        let expected: Vec<Value> = all_rows.iter().filter(|row| ids.contains(text(row, "id"))).cloned().collect();
        prop_assert_eq!(own_rows, expected);

        let [all, own] = [&whole, &chosen].map(|evaluation| announced(&printed(&evaluation.notes(&sources, Range::default()))));
        prop_assert!(own.is_subset(&all), "{:?}", own.difference(&all).collect::<Vec<_>>());
        for missing in all.difference(&own) {
            prop_assert!(!ids.contains(&missing.0), "{missing:?}");
        }

        let [all, own] = [&whole, &chosen].map(exported);
        let of_chosen = |item: &&Value| {
            let [group, version, kind] = ["group", "version", "kind"].map(|key| text(item, key));
            ids.contains(&format!("{group}/{version} {kind}"))
        };
        let [all, own] = [&all, &own].map(|list| items(list, "").collect::<Vec<_>>());
        prop_assert_eq!(own, all.into_iter().filter(of_chosen).collect::<Vec<_>>());

        lists_are_chosen(&whole, &chosen, &ids)?;

        let explained: BTreeSet<String> = chosen.selected().map(|id| chosen.model().id(id).to_owned()).collect();
        prop_assert_eq!(&explained, &ids);

        if let (Some(at), [state]) = (printed(&whole.picture(&sources))["current"].as_u64(), filter.states.as_slice()) {
            for row in all_rows.iter().filter(|_| filter.elements.is_empty()) {
                if let Some(expected) = is_in(*state, state_in(row, at)) {
                    prop_assert_eq!(ids.contains(text(row, "id")), expected, "{:?} {}", state, row);
                }
            }
        }
        if let Some(release) = &filter.releases {
            for element in items(&report, "/elements") {
                let events = ["introduced", "deprecated", "hidden", "removed"];
                let happens = events.iter().any(|event| text(&element[event], "release") == release);
                prop_assert!(!happens || ids.contains(text(element, "id")), "{}", element);
            }
        }
        let mut text = Vec::new();
        json::report(&chosen.report(&sources), &mut text).expect("memory can be written to");
    }
}

const MODEL: &str = r#"
[calendar]
current = "1.3"
cadence = { months = 4 }
releases = { "1.0" = 2023-01-01, "1.1" = 2023-05-01, "1.2" = 2023-09-01, "1.3" = 2024-01-01 }
[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.2", replacement = "v1" }
v1 = { introduced = "1.2" }
[gate.Frobber2D]
specs = [{ stage = "alpha", since = "1.0", default = false }]
[[exception]]
rule = "version-lifetime:early"
element = "example.com/v1beta1"
reason = "none"
approved-by = "nobody"
"#;

#[test]
fn every_command_about_elements_has_the_filters() {
    let commands: [&[&str]; 9] = [
        &["agenda", "--format", "json", "-"],
        &["report", "--format", "json", "-"],
        &["plan", "--format", "json", "-"],
        &["check", "--format", "json", "--fail-on", "never", "-"],
        &["why", "--format", "json", "-m", "-"],
        &["notes", "--template", "changelog", "-"],
        &["render", "--format", "json", "-"],
        &["export", "kubepug", "-"],
        &["exceptions", "--format", "json", "-"],
    ];
    for command in commands {
        let run = run_on(MODEL, &[command, &["--kind", "gate"]].concat()).ended(0);
        assert!(!run.out.contains("example.com"), "{command:?}:\n{}", run.out);
        run_on(MODEL, &[command, &["--kind", "gat"]].concat())
            .ended(2)
            .says(&["did you mean `gate`?"]);
        run_on(MODEL, &[command, &["--owner", "nobody"]].concat()).ended(2);
        run_on(MODEL, &[command, &["--kind", "gate", "--state", "removed"]].concat())
            .ended(0)
            .says(&["no element matches all of the filters (--kind gate: 1, --state removed: 0)"]);
        run_on(MODEL, &[command, &["--state", "overdue"]].concat())
            .ended(0)
            .says(&["no element is overdue"]);
    }
}

#[test]
fn targets_are_among_the_chosen_elements() {
    let of = |target: &str, kind: &str| run_on(MODEL, &["by-when", target, "-m", "-", "--kind", kind]);
    let all = run_on(MODEL, &["by-when", "*.removed<=1.6", "-m", "-"]).ended(1).out;
    assert!(
        all.contains("example.com/v1beta1") && all.contains("gate Frobber2D"),
        "{all}"
    );
    let gates = of("*.removed<=1.6", "gate").ended(0).out;
    assert!(
        !gates.contains("example.com") && gates.contains("gate Frobber2D"),
        "{gates}"
    );
    of("*.removed<=1.6", "gat").ended(2).says(&["did you mean `gate`?"]);
    of("beta.removed<=1.6", "gate")
        .ended(2)
        .says(&["no chosen element is beta"]);
}

#[test]
fn a_gate_is_found_by_its_bare_name() {
    run_on(MODEL, &["why", "Frobber2D", "-m", "-"])
        .ended(0)
        .says(&["gate Frobber2D"]);
}

#[test]
fn the_model_is_named_alike_everywhere() {
    for command in [
        &["plan"][..],
        &["check"],
        &["rules"],
        &["exceptions"],
        &["fix"],
        &["export", "pluto"],
        &["render"],
    ] {
        for option in ["-m", "--model"] {
            let run = run_on(MODEL, &[command, &[option, "-"]].concat());
            assert!(
                run.code == Some(0) || run.code == Some(1),
                "{command:?} {option}: {}",
                run.err
            );
        }
        let both = run_on(MODEL, &[command, &["-", "-m", "-"]].concat()).ended(2);
        assert!(both.err.contains("cannot be used with"), "{}", both.err);
    }
    run_on("", &["fix", "--builtin", "kubernetes"])
        .ended(2)
        .says(&["is no file that can be fixed", "-m FILE"]);
}

#[test]
fn a_part_of_a_name_finds_the_names_that_have_it() {
    let of = |arguments: &[&str]| run_on("", &[&["plan", "--builtin", "kubernetes"], arguments].concat()).ended(2);
    of(&["--group", "coordination"]).says(&["did you mean `coordination.k8s.io`?"]);
    of(&["--group", "registration"]).says(&["groups: admissionregistration.k8s.io, apiregistration.k8s.io"]);
    of(&["--kind", "podsecurity"]).says(&["did you mean `PodSecurityPolicy`?"]);
}

/// A version that may be removed at any time, with a kind that is announced to end.
const ONE_KIND_ENDS: &str = r#"
[calendar]
current = "1.1"
cadence = { months = 4 }
releases = { "1.0" = 2024-01-01, "1.1" = 2024-05-01 }
[group."g.example".version]
v1alpha1 = { introduced = "1.0" }
[group."g.example".kind]
Gadget = { version = { v1alpha1 = { deprecated = "1.1" } } }
Widget = {}
"#;

#[test]
fn what_is_announced_to_end_is_listed_beside_a_whole_that_is_not() {
    let task = "remove from 1.2: g.example/v1alpha1 Gadget";
    for filter in [&[][..], &["--in", "1.2"]] {
        let asked = [&["agenda", "-m", "-"][..], filter].concat();
        run_on(ONE_KIND_ENDS, &asked).says(&[task]);
    }
}
