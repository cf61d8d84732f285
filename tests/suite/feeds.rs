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
