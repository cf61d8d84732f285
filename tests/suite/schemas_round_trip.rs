//! Losses in conversion between the versions of a CRD, checked by pruning and an independent validator.

#![cfg(test)]

use lifecycle::compat::{Loss, round_trip};
use lifecycle::schema::{ChangeKind, Definition, Effect, read};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::schemas::{compare, fitting, judge, pruned, schemas, values, widgets};

/// A CRD of these versions with the schemas of their `spec`; the first one is the storage version.
fn definition(versions: &[(&str, &Json)]) -> Json {
    let whole = versions.iter().enumerate().map(|(at, (name, spec))| {
        json!({
            "name": name,
            "served": true,
            "storage": at == 0,
            "schema": { "openAPIV3Schema": { "type": "object", "properties": { "spec": spec } } },
        })
    });
    widgets(&whole.collect::<Vec<_>>())
}

fn read_one(whole: &Json) -> Definition {
    let found = read(&whole.to_string()).expect("it can be read");
    found.definitions.into_iter().next().expect("there is one")
}

fn losses(whole: &Json) -> Vec<Loss> {
    round_trip(&read_one(whole)).expect("it is not too much")
}

/// The losses that `diff` reports.
fn reported(old: &Json, new: &Json) -> Vec<String> {
    let report = compare(old, new);
    let between = report
        .changes
        .iter()
        .filter(|change| change.code.as_str().ends_with("-between-versions"));
    between
        .map(|change| format!("{} {}: {}", change.severity, change.element, change.message))
        .collect()
}

/// The same for a new CRD with two versions.
fn told_of(older: &Json, newer: &Json) -> Vec<String> {
    let one = definition(&[("v1", newer)]);
    let two = definition(&[("v1", newer), ("v1beta1", older)]);
    reported(&one, &two)
}

fn object(fields: &[(&str, Json)]) -> Json {
    let fields = fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone()));
    json!({ "type": "object", "properties": fields.collect::<serde_json::Map<_, _>>() })
}

#[test]
fn fields_that_a_version_lacks_are_lost_in_conversion() {
    let text = || json!({ "type": "string" });
    let list = |items: Json| json!({ "type": "array", "items": items });
    let map = |values: Json| json!({ "type": "object", "additionalProperties": values });
    let open = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let deep = object(&[("b", object(&[("c", text())]))]);
    let none = object(&[]);
    for (older, newer, expected) in [
        (
            object(&[("a", text())]),
            none.clone(),
            vec!["v1beta1 .spec.a v1 string"],
        ),
        (
            none.clone(),
            object(&[("a", text())]),
            vec!["v1 .spec.a v1beta1 string"],
        ),
        // Only the outermost field.
        (deep.clone(), none.clone(), vec!["v1beta1 .spec.b v1 object"]),
        (
            list(deep.clone()),
            list(none.clone()),
            vec!["v1beta1 .spec[].b v1 object"],
        ),
        (
            map(deep.clone()),
            map(none.clone()),
            vec!["v1beta1 .spec{}.b v1 object"],
        ),
        // A map where the other version lists fields, and the reverse.
        (map(text()), object(&[("a", text())]), vec!["v1beta1 .spec{} v1 string"]),
        (object(&[("a", text())]), map(text()), vec!["v1 .spec{} v1beta1 string"]),
        // A version that keeps unknown fields loses none; the other version does.
        (
            open.clone(),
            object(&[("a", text())]),
            vec!["v1beta1 .spec v1 what is not listed"],
        ),
        (open.clone(), open.clone(), vec![]),
        (deep.clone(), deep, vec![]),
    ] {
        let found = losses(&definition(&[("v1", &newer), ("v1beta1", &older)]));
        let lost = found
            .iter()
            .filter(|loss| loss.cause.kind.as_str() != "unlisted-field-listed");
        let lost: Vec<String> = lost
            .map(|loss| {
                let what = loss.cause.old.as_ref().and_then(Json::as_str);
                let what = what.unwrap_or("what is not listed");
                format!("{} {} {} {what}", loss.from, loss.cause.path, loss.to)
            })
            .collect();
        assert_eq!(lost, expected, "{older} {newer}");
    }
}

#[test]
fn an_example_of_a_loss_is_shown() {
    let older = json!({
        "type": "object",
        "required": ["color", "size"],
        "properties": {
            "color": { "type": "string", "enum": ["Red", "Blue"] },
            "size": { "type": "integer", "minimum": 2 },
            "ports": { "type": "array", "minItems": 1, "items": object(&[("name", json!({ "type": "string" }))]) },
        },
    });
    let mut newer = older.clone();
    newer["properties"]["ports"]["items"] = object(&[]);
    let report = compare(
        &definition(&[("v1", &newer)]),
        &definition(&[("v1", &newer), ("v1beta1", &older)]),
    );
    let found = report
        .changes
        .iter()
        .find(|change| change.code == ChangeKind::LostBetweenVersions);
    let found = found.expect("a field is lost");
    let expected = json!({
        "apiVersion": "example.com/v1beta1",
        "kind": "Widget",
        "metadata": { "name": "example" },
        "spec": { "color": "Red", "size": 2, "ports": [{ "name": "example" }] },
    });
    assert_eq!(found.example, Some(expected));
    assert_eq!(found.element, "example.com/v1beta1 Widget .spec.ports[].name");
    assert_eq!(found.message, "lost in conversion to v1: no such field there");
}

#[test]
fn missing_values_defaults_and_requirements_are_losses() {
    let with = |extra: Json| {
        let mut text = json!({ "type": "string" });
        text.as_object_mut()
            .expect("it is a table")
            .extend(extra.as_object().expect("a table").clone());
        object(&[("a", text)])
    };
    let plain = with(json!({}));
    let mut demanding = plain.clone();
    demanding["required"] = json!(["a"]);
    for (older, newer, expected) in [
        (
            with(json!({ "enum": ["x", "y"] })),
            with(json!({ "enum": ["x"] })),
            vec!["error: rejected in conversion to v1: enum value removed: y"],
        ),
        (
            plain.clone(),
            with(json!({ "default": "x" })),
            vec!["error: set in conversion to v1: default added: x"],
        ),
        (
            with(json!({ "default": "y" })),
            with(json!({ "default": "x" })),
            vec!["error: set in conversion to v1: default changed: y → x"],
        ),
        (
            plain.clone(),
            demanding.clone(),
            vec!["error: rejected in conversion to v1: field now required"],
        ),
        (
            object(&[("a", json!({ "type": "boolean" }))]),
            plain.clone(),
            vec!["error: rejected in conversion to v1: type changed: boolean → string"],
        ),
        // It is required, so no default applies.
        (
            demanding.clone(),
            {
                let mut both = demanding;
                both["properties"]["a"]["default"] = json!("x");
                both
            },
            vec![],
        ),
        (plain.clone(), with(json!({ "description": "a" })), vec![]),
        (
            plain.clone(),
            with(json!({ "x-kubernetes-validations": [{ "rule": "self == oldSelf" }] })),
            vec![],
        ),
        (plain.clone(), plain, vec![]),
    ] {
        let reported: Vec<String> = told_of(&older, &newer)
            .iter()
            .map(|reported| reported.replace(" example.com/v1beta1 Widget .spec.a", ""))
            .collect();
        assert_eq!(reported, expected, "{older} {newer}");
    }
}

#[test]
fn a_webhook_or_preserved_fields_prevent_losses() {
    let (full, none) = (object(&[("a", json!({ "type": "string" }))]), object(&[]));
    let whole = definition(&[("v1", &none), ("v1beta1", &full)]);
    assert_eq!(losses(&whole).len(), 1);
    let edited = |edit: &dyn Fn(&mut Json)| {
        let mut other = whole.clone();
        edit(&mut other["spec"]);
        losses(&other).len()
    };
    assert_eq!(edited(&|spec| spec["conversion"] = json!({ "strategy": "Webhook" })), 0);
    assert_eq!(edited(&|spec| spec["conversion"] = json!({ "strategy": "None" })), 1);
    assert_eq!(edited(&|spec| spec["preserveUnknownFields"] = json!(true)), 0);
    assert_eq!(edited(&|spec| spec["versions"][1]["served"] = json!(false)), 0);
    // Objects pass through the storage version, served or not.
    assert_eq!(edited(&|spec| spec["versions"][0]["served"] = json!(false)), 1);
    // The server defines these fields.
    let schema = object(&[
        ("metadata", object(&[("name", json!({ "type": "string" }))])),
        ("kind", json!({})),
    ]);
    assert_eq!(
        edited(&|spec| spec["versions"][1]["schema"]["openAPIV3Schema"] = schema.clone()),
        1
    );
}

#[test]
fn losses_of_the_old_state_are_not_reported() {
    let (full, none) = (object(&[("a", json!({ "type": "string" }))]), object(&[]));
    let lossy = definition(&[("v1", &none), ("v1beta1", &full)]);
    let even = definition(&[("v1", &full), ("v1beta1", &full)]);
    assert_eq!(reported(&lossy, &lossy), [""; 0]);
    // The field that was removed from v1 is reported as removed.
    assert_eq!(reported(&even, &lossy), [""; 0]);
    assert_eq!(compare(&even, &lossy).summary.breaking, 1);
    // A field that was added to one version only.
    let more = object(&[("a", json!({ "type": "string" })), ("b", json!({ "type": "integer" }))]);
    assert_eq!(
        reported(&even, &definition(&[("v1", &more), ("v1beta1", &full)])),
        ["error example.com/v1 Widget .spec.b: lost in conversion to v1beta1: no such field there"]
    );
    // A removed webhook.
    let mut converted = lossy.clone();
    converted["spec"]["conversion"] = json!({ "strategy": "Webhook" });
    assert_eq!(reported(&lossy, &converted), [""; 0]);
    let report = compare(&converted, &lossy);
    assert_eq!((report.summary.breaking, reported(&converted, &lossy).len()), (1, 0));
    let lost = &report.changes[0];
    assert_eq!(
        (lost.code.as_str(), lost.severity.as_str(), lost.losses.len()),
        ("conversion-changed", "error", 1)
    );
    assert!(lost.losses[0].example.is_some());
    assert_eq!(lost.losses[0].file.as_deref(), Some("new.json"));
    let mut converted_even = even.clone();
    converted_even["spec"]["conversion"] = json!({ "strategy": "Webhook" });
    assert_eq!(compare(&converted_even, &even).summary.breaking, 0);
}

#[test]
fn every_pair_of_versions_is_compared() {
    let (full, none) = (object(&[("a", json!({ "type": "string" }))]), object(&[]));
    let found = losses(&definition(&[
        ("v1", &none),
        ("v1beta1", &full),
        ("v1alpha1", &none),
        ("v2", &full),
    ]));
    let ways: Vec<String> = found.iter().map(|loss| format!("{} {}", loss.from, loss.to)).collect();
    assert_eq!(ways, ["v1beta1 v1alpha1", "v2 v1alpha1", "v1beta1 v1", "v2 v1"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn objects_without_losses_round_trip(
        [older, newer] in schemas(),
        seeds in prop::collection::vec(values(), 12),
    ) {
        let found = losses(&definition(&[("v1", &newer), ("v1beta1", &older)]));
        for (from, own, other) in [("v1beta1", &older, &newer), ("v1", &newer, &older)] {
            let lossless = |loss: &Loss| loss.from != from && loss.cause.effect != Effect::Unclear;
            if !found.iter().all(lossless) {
                continue;
            }
            let (accepts, accepts_there) = (judge(own), judge(other));
            let guided = (0..24).map(|at| fitting(own, &seeds, &mut { at * 3 }));
            for value in guided.chain(seeds.iter().cloned()).map(|value| pruned(&value, own)) {
                if accepts(&value) {
                    prop_assert_eq!(&pruned(&value, other), &value, "{} {}", own, other);
                    prop_assert!(accepts_there(&value), "{value} {own} {other}");
                }
            }
        }
    }

    #[test]
    fn what_is_shown_does_not_come_back([older, newer] in schemas()) {
        let whole = definition(&[("v1", &newer), ("v1beta1", &older)]);
        let read = read_one(&whole);
        for loss in round_trip(&read).expect("it is not too much") {
            let (own, other) = if loss.from == "v1" { (&newer, &older) } else { (&older, &newer) };
            let Some(example) = loss.example(&read) else { continue };
            let Some(value) = example.get("spec") else { continue };
            if judge(own)(value) {
                let there = pruned(value, other);
                prop_assert!(&there != value || !judge(other)(&there), "{value} {own} {other} {loss:?}");
            }
        }
    }
}
