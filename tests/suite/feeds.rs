//! Feeds: the list keeps its schema, and a release that ships adds to the feed, and changes nothing else.

#![expect(
    clippy::expect_used,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::collections::BTreeMap;

use lifecycle::evaluate::{Evaluation, Load};
use lifecycle::release::AsOf;
use lifecycle::render::feed;
use lifecycle::{Document, FileId};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::evaluate;
use crate::worlds::{cases, evaluated_text, world};

const SCHEMA: &str = include_str!("../../schemas/deprecations.schema.json");

fn list(evaluation: &Evaluation, planned: bool) -> String {
    let mut out = Vec::new();
    feed::json(&evaluation.feed(planned), &mut out).expect("a list");
    String::from_utf8(out).expect("text")
}

fn atom(evaluation: &Evaluation) -> String {
    let mut out = Vec::new();
    feed::atom(&evaluation.feed(false), ("Widgets & more", "widgets"), &mut out).expect("a feed");
    String::from_utf8(out).expect("text")
}

fn kubernetes_as_of(release: &str) -> Evaluation {
    let text = include_str!("../../examples/kubernetes/lifecycle.toml");
    let documents = [Document::parse(FileId(0), text)];
    let mut load = Load::new(&documents);
    load.as_of(AsOf::Release(release.to_owned()));
    load.evaluate().expect("an example")
}

/// The entries of a feed by their ids, each as its text.
fn entries(feed: &str) -> BTreeMap<String, String> {
    let document = roxmltree::Document::parse(feed).expect("it is XML");
    let entries = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", "entry")));
    let texts = entries.map(|entry| {
        let id = entry.children().find(|child| child.tag_name().name() == "id");
        let id = id.and_then(|id| id.text()).expect("an id").to_owned();
        (id, feed[entry.range()].to_owned())
    });
    texts.collect()
}

#[test]
fn a_release_that_ships_adds_entries_and_changes_no_other() {
    let [before, after] = ["1.33", "1.34"].map(|release| entries(&atom(&kubernetes_as_of(release))));
    assert!(before.len() > 100, "{}", before.len());
    assert!(after.len() > before.len());
    for (id, text) in &before {
        assert_eq!(after.get(id), Some(text));
    }
}

#[test]
fn an_entry_has_what_it_inherits_and_what_replaces_it_outside_the_model() {
    let text = r#"
        [calendar]
        current = "1.1"
        releases = { "1.0" = 2024-01-01, "1.1" = 2024-05-01 }
        [group."example.com"]
        owner = "team"
        tracking = "https://example.com/1"
        [group."example.com".version]
        v1 = { introduced = "1.0" }
        [group."example.com".kind.Widget.field.".spec.old"]
        deprecated = "1.1"
        replacement = { external = "the other product" }
        "#;
    let evaluation = evaluate(text).expect("a model");
    let feed = evaluation.feed(false);
    let [entry] = &feed.deprecations[..] else {
        panic!("{feed:#?}");
    };
    assert_eq!(entry.replacement, Some("the other product"));
    assert_eq!(entry.owner, Some("team"));
    assert_eq!(entry.links, ["https://example.com/1"]);
    assert!(atom(&evaluation).contains("Use the other product. Owner: team."));
}

/// A model with a deprecated version, as of a release whose day was only projected before it shipped.
fn shipped(current: &str, days: &str) -> Evaluation {
    let text = format!(
        r#"
        [calendar]
        current = "{current}"
        cadence = {{ months = 4 }}
        releases = {{ "1.0" = 2024-01-01, "1.1" = 2024-05-01{days} }}
        [group."example.com".version]
        v1beta1 = {{ introduced = "1.0", deprecated = "1.1", removed = "1.4", replacement = "v1" }}
        v1 = {{ introduced = "1.0" }}
        [gate.Glow]
        specs = [{{ stage = "alpha", since = "1.0", default = false }}]
        removed = "1.2"
        "#
    );
    evaluate(&text).expect("a model")
}

#[test]
fn a_release_that_ships_on_another_day_changes_no_entry() {
    let before = shipped("1.1", "");
    let after = shipped("1.2", r#", "1.2" = 2024-09-23"#);
    let [was, is] = [&before, &after].map(|evaluation| entries(&atom(evaluation)));
    assert_eq!(was.len(), 1);
    assert_eq!(is.len(), 2);
    for (id, text) in &was {
        assert_eq!(is.get(id), Some(text));
    }
    let new = is.iter().filter(|(id, _)| !was.contains_key(*id));
    let new: Vec<&String> = new.map(|(_, text)| text).collect();
    assert!(new[0].contains("gate Glow is removed in 1.2"), "{new:?}");
}

#[test]
fn the_list_changes_only_the_lines_of_what_moves() {
    let [before, after] = ["1.33", "1.34"].map(|release| list(&kubernetes_as_of(release), false));
    assert_eq!(before, list(&kubernetes_as_of("1.33"), false));
    // How stable an element is depends on the release too.
    let fixed = |line: &str| -> Option<(String, String)> {
        let (head, rest) = line.split_once("\"stability\":")?;
        Some((
            head.to_owned(),
            rest.split_once(',')?.1.trim_end_matches(',').to_owned(),
        ))
    };
    let lines: BTreeMap<String, String> = before.lines().filter_map(fixed).collect();
    let changed: Vec<(String, String)> = after
        .lines()
        .filter_map(fixed)
        .filter(|(head, rest)| lines.get(head) != Some(rest))
        .collect();
    assert!(!changed.is_empty());
    for (head, rest) in changed {
        assert!(rest.contains("\"release\":\"1.34\""), "{head}{rest}");
    }
}

#[test]
fn each_entry_has_an_id_of_its_own() {
    let feed = atom(&kubernetes_as_of("1.34"));
    assert_eq!(feed.matches("<entry>").count(), entries(&feed).len());
}

#[test]
fn what_happens_with_a_whole_is_listed_once() {
    let evaluation = evaluate(
        r#"
        [calendar]
        current = "1.1"
        cadence = { months = 4 }
        releases = { "1.0" = 2024-01-01, "1.1" = 2024-05-01 }
        [group."example.com".version]
        v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.4", replacement = "v1" }
        v1 = { introduced = "1.0" }
        [group."example.com".kind.Widget]
        field."spec.size" = {}
        [group."example.com".kind.Gadget]
        version.v1beta1 = { removed = "1.5" }
        "#,
    )
    .expect("a model");
    let list: Value = serde_json::from_str(&list(&evaluation, false)).expect("JSON");
    let entries = list["deprecations"].as_array().expect("a list");
    let named: Vec<(&str, &str, &str)> = entries
        .iter()
        .map(|entry| {
            let last = entry["steps"].as_array().and_then(|steps| steps.last());
            (
                entry["subject"].as_str().expect("a name"),
                entry["status"].as_str().expect("a status"),
                last.and_then(|last| last["release"].as_str()).expect("a release"),
            )
        })
        .collect();
    let expected = [
        ("example.com/v1beta1", "deprecated", "1.5"),
        ("example.com/v1beta1 Widget", "deprecated", "1.4"),
    ];
    assert_eq!(named, expected);
    assert_eq!(entries[0]["replacement"], "example.com/v1");
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn the_list_keeps_its_schema_and_says_what_the_plan_says(world in world(), planned in any::<bool>()) {
        let evaluation = evaluated_text(&world, &world.text());
        let text = list(&evaluation, planned);
        prop_assert_eq!(&text, &list(&evaluation, planned));
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let schema: Value = serde_json::from_str(SCHEMA).expect("a schema");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        prop_assert!(errors.is_empty(), "{errors:?}\n{text}");
        for entry in value["deprecations"].as_array().expect("a list") {
            let steps = entry["steps"].as_array().expect("steps");
            prop_assert!(planned || steps.iter().all(|step| step["declared"] == true), "{entry}");
        }
        entries(&atom(&evaluation));
    }
}
