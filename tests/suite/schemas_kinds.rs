//! Every kind of schema change is reported by some comparison, and the policy crdify decides about all.

#![cfg(test)]

use std::collections::BTreeSet;

use lifecycle::schema::ChangeKind;
use serde_json::{Value as Json, json};

use super::schemas::{compare, definition, widgets};

/// A CRD with two versions, after edits: pointers, each with the value that is set there.
fn crd(edits: &[(&str, Json)]) -> String {
    let version = |name: &str, storage: bool| {
        json!({ "name": name, "served": true, "storage": storage, "schema": { "openAPIV3Schema": {
            "type": "object", "properties": { "spec": { "type": "object" } } } } })
    };
    let mut crd = widgets(&[version("v1", true), version("v1beta1", false)]);
    crd["status"] = json!({ "storedVersions": ["v1"] });
    for (pointer, value) in edits {
        let (parent, key) = pointer.rsplit_once('/').expect("it is a pointer");
        let parent = crd.pointer_mut(parent).expect("the parent exists");
        match key.parse::<usize>() {
            Ok(at) => parent[at] = value.clone(),
            Err(_) => parent[key] = value.clone(),
        }
    }
    crd.to_string()
}

/// A CRD whose two versions have these schemas of `spec`.
fn two_versions(v1: &Json, v1beta1: &Json) -> String {
    let pointers = [0, 1].map(|at| format!("/spec/versions/{at}/schema/openAPIV3Schema/properties/spec"));
    crd(&[(&*pointers[0], v1.clone()), (&*pointers[1], v1beta1.clone())])
}

/// Changes of a CRD: the kind, and the edits of the old and the new state.
#[rustfmt::skip]
fn of_crds() -> Vec<(&'static str, String, String)> {
    let plain = || crd(&[]);
    let one = |pointer, value| crd(&[(pointer, value)]);
    let second = |key: &str, value| crd(&[(&*format!("/spec/versions/1/{key}"), value)]);
    let alone = || {
        let version: Json = serde_json::from_str::<Json>(&plain()).expect("it is JSON")["spec"]["versions"][0].clone();
        json!([version])
    };
    let webhook = |url| {
        let clients = json!({ "strategy": "Webhook", "webhook": { "clientConfig": { "url": url } } });
        one("/spec/conversion", clients)
    };
    let deprecated = |warning: Json| {
        let deprecated = ("/spec/versions/1/deprecated", json!(true));
        crd(&[deprecated, ("/spec/versions/1/deprecationWarning", warning)])
    };
    // A field that both versions get.
    let field = |first: Json, second: Json| {
        let fields = [first, second].map(|fields| object(json!({ "properties": fields })));
        two_versions(&fields[0], &fields[1])
    };
    let text = || json!({ "a": { "type": "string" } });
    let (unserved, stored) = (
        second("served", json!(false)),
        one("/status/storedVersions", json!(["v1", "v1beta1"])),
    );
    let moved = crd(&[
        ("/spec/versions/0/storage", json!(false)),
        ("/spec/versions/1/storage", json!(true)),
    ]);
    let (scale, wide) = (
        json!({ "scale": { "specReplicasPath": ".a" } }),
        json!({ "scale": { "specReplicasPath": ".b" } }),
    );
    let (column, other) = (
        json!([{ "name": "Age", "jsonPath": ".a" }]),
        json!([{ "name": "Age", "jsonPath": ".b" }]),
    );
    let (columns, selectable) = ("additionalPrinterColumns", json!([{ "jsonPath": ".spec.a" }]));
    vec![
        ("definition-added", String::new(), plain()),
        ("definition-removed", plain(), String::new()),
        ("scope-changed", plain(), one("/spec/scope", json!("Cluster"))),
        ("name-changed", plain(), one("/spec/names/plural", json!("widgetz"))),
        ("alias-added", plain(), one("/spec/names/shortNames", json!(["w"]))),
        ("alias-removed", one("/spec/names/shortNames", json!(["w"])), plain()),
        ("conversion-changed", webhook("https://a"), plain()),
        ("conversion-settings-changed", webhook("https://a"), webhook("https://b")),
        ("pruning-added", one("/spec/preserveUnknownFields", json!(true)), plain()),
        ("pruning-removed", plain(), one("/spec/preserveUnknownFields", json!(true))),
        ("version-added", one("/spec/versions", alone()), plain()),
        ("version-removed", plain(), one("/spec/versions", alone())),
        ("unserved-version-removed", unserved.clone(), one("/spec/versions", alone())),
        ("stored-version-removed", stored.clone(), one("/spec/versions", alone())),
        ("version-served", unserved.clone(), plain()),
        ("version-unserved", plain(), unserved.clone()),
        ("storage-moved", plain(), moved.clone()),
        ("storage-moved-to-new-version", unserved, moved),
        ("version-deprecated", plain(), deprecated(Json::Null)),
        ("version-undeprecated", deprecated(Json::Null), plain()),
        ("deprecated-without-warning", plain(), deprecated(Json::Null)),
        ("deprecation-warning-changed", deprecated(json!("a")), deprecated(json!("b"))),
        ("deprecated-for-less-stable", plain(), one("/spec/versions/0/deprecated", json!(true))),
        (
            "deprecated-without-replacement",
            one("/spec/versions", alone()),
            crd(&[("/spec/versions", alone()), ("/spec/versions/0/deprecated", json!(true))]),
        ),
        ("lost-between-versions", plain(), field(text(), json!({}))),
        ("set-between-versions", plain(), field(text(), json!({ "a": { "type": "string", "default": "x" } }))),
        ("refused-between-versions", plain(), field(text(), json!({ "a": { "type": "string", "maxLength": 1 } }))),
        ("stored-versions-changed", stored, plain()),
        ("subresource-added", plain(), second("subresources", scale.clone())),
        ("subresource-removed", second("subresources", scale.clone()), plain()),
        ("subresource-changed", second("subresources", scale), second("subresources", wide)),
        ("column-added", plain(), second(columns, column.clone())),
        ("column-removed", second(columns, column.clone()), plain()),
        ("column-changed", second(columns, column), second(columns, other)),
        ("selectable-field-added", plain(), second("selectableFields", selectable.clone())),
        ("selectable-field-removed", second("selectableFields", selectable), plain()),
        ("schema-added", second("schema", json!({})), plain()),
        ("schema-removed", plain(), second("schema", json!({}))),
    ]
}

/// A type with other keywords.
fn typed(name: &str, mut keywords: Json) -> Json {
    keywords["type"] = json!(name);
    keywords
}

fn object(keywords: Json) -> Json {
    typed("object", keywords)
}

fn string(keywords: Json) -> Json {
    typed("string", keywords)
}

fn list(mut keywords: Json) -> Json {
    keywords["items"] = json!({ "type": "object" });
    typed("array", keywords)
}

/// Changes of a schema: two kinds that are the reverse of one another, and the two schemas. A kind that is its own
/// reverse is listed twice. After a colon stands what objects of a version with the old schema undergo in conversion
/// to one with the new schema.
#[rustfmt::skip]
fn of_schemas() -> Vec<([&'static str; 2], Json, Json)> {
    let field = |required: &[&str], field: Json| object(json!({ "required": required, "properties": { "a": field } }));
    let kept = |fields: Json| object(json!({ "x-kubernetes-preserve-unknown-fields": true, "properties": fields }));
    let rules = |rule: &str, message: &str| {
        string(json!({ "x-kubernetes-validations": [{ "rule": rule, "message": message }] }))
    };
    let keyed = |key: &str| list(json!({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [key] }));
    let none = || string(json!({}));
    vec![
        (["field-added", "field-removed: lost"], object(json!({})), field(&[], none())),
        (["required-field-added: refused", "field-removed: lost"], object(json!({})), field(&["a"], none())),
        (["unlisted-field-listed: refused", "field-removed"], kept(json!({})), kept(json!({ "a": none() }))),
        (["type-changed: refused"; 2], none(), json!({ "type": "integer" })),
        (["format-changed: refused", "format-changed"], none(), string(json!({ "format": "date" }))),
        (["required-added: refused", "required-removed"], field(&[], none()), field(&["a"], none())),
        (["required-added-with-default", "required-removed"], field(&[], string(json!({ "default": "x" }))),
            field(&["a"], string(json!({ "default": "x" })))),
        (["nullable-added", "nullable-removed: lost"], none(), string(json!({ "nullable": true }))),
        (["default-added: set", "default-removed"], none(), string(json!({ "default": "x" }))),
        (["default-changed: set"; 2], string(json!({ "default": "x" })), string(json!({ "default": "y" }))),
        (["enum-added: refused", "enum-removed"], none(), string(json!({ "enum": ["a"] }))),
        (["enum-value-added", "enum-value-removed: refused"], string(json!({ "enum": ["a"] })),
            string(json!({ "enum": ["a", "b"] }))),
        (["bound-tightened: refused", "bound-loosened"], none(), string(json!({ "maxLength": 3 }))),
        (["bound-changed: refused"; 2], json!({ "type": "integer", "multipleOf": 2 }),
            json!({ "type": "integer", "multipleOf": 3 })),
        (["pattern-added: refused", "pattern-removed"], none(), string(json!({ "pattern": "^a" }))),
        (["pattern-changed: refused"; 2], string(json!({ "pattern": "^b" })), string(json!({ "pattern": "^a" }))),
        (["rule-added: refused", "rule-removed"], none(), rules("self.size() < 5", "x")),
        (["rule-changed: refused"; 2], rules("self.size() < 5", "x"), rules("self.size() != 9", "x")),
        (["rule-message-changed"; 2], rules("self.size() < 5", "x"), rules("self.size() < 5", "y")),
        (["immutable-added", "immutable-removed"], none(), rules("self == oldSelf", "x")),
        (["combination-tightened: refused", "combination-loosened"], none(),
            string(json!({ "anyOf": [{ "minLength": 1 }, { "pattern": "a" }] }))),
        (["alternative-added: refused", "combination-changed: refused"],
            string(json!({ "oneOf": [{ "minLength": 1 }, { "pattern": "a" }] })),
            string(json!({ "oneOf": [{ "minLength": 1 }, { "pattern": "a" }, { "pattern": "b" }] }))),
        (["combination-changed: refused"; 2], string(json!({ "not": { "minLength": 2 } })),
            string(json!({ "not": { "pattern": "^b" } }))),
        (["items-added: refused", "items-removed"], json!({ "type": "array" }), list(json!({}))),
        (["additional-properties-loosened", "additional-properties-tightened: refused"],
            object(json!({ "additionalProperties": { "type": "string" } })),
            object(json!({ "additionalProperties": true }))),
        (["unknown-fields-kept", "unknown-fields-dropped: lost"], object(json!({})), kept(json!({}))),
        (["embedded-resource-added: refused", "embedded-resource-removed"], object(json!({})),
            object(json!({ "x-kubernetes-embedded-resource": true }))),
        (["list-type-changed: refused", "list-type-changed"], list(json!({})),
            list(json!({ "x-kubernetes-list-type": "set" }))),
        (["list-keys-changed: refused"; 2], keyed("a"), keyed("b")),
        (["map-type-changed"; 2], object(json!({})), object(json!({ "x-kubernetes-map-type": "atomic" }))),
        (["description-changed"; 2], none(), string(json!({ "description": "x" }))),
        (["documentation-changed"; 2], none(), string(json!({ "title": "x" }))),
        (["restated"; 2], none(), string(json!({ "minLength": 0 }))),
        (["unknown-keyword-changed: refused"; 2], none(), string(json!({ "x-new": 1 }))),
    ]
}

fn assert_reported(kind: &str, old: &str, new: &str) {
    let report = compare(old, new);
    let codes: Vec<&str> = report.changes.iter().map(|change| change.code.as_str()).collect();
    assert!(codes.contains(&kind), "{kind} is not among {codes:?}:\n{old}\n{new}");
}

/// What objects undergo in conversion from a version with one schema to a version with another one.
fn in_conversion(old: &Json, new: &Json) -> String {
    let report = compare("", &two_versions(new, old));
    let losses = report
        .changes
        .iter()
        .filter(|change| change.version.as_deref() == Some("v1beta1"));
    let codes: BTreeSet<&str> = losses
        .filter_map(|loss| loss.code.as_str().strip_suffix("-between-versions"))
        .collect();
    codes.into_iter().collect::<Vec<_>>().join(" and ")
}

#[test]
fn each_kind_of_change_is_reported_by_a_comparison() {
    let (mut reported, mut wrong) = (BTreeSet::new(), Vec::new());
    for (kind, old, new) in of_crds() {
        assert_reported(kind, &old, &new);
        reported.insert(kind);
    }
    for ([there, back], old, new) in of_schemas() {
        for (expected, old, new) in [(there, &old, &new), (back, &new, &old)] {
            let (kind, undergone) = expected.split_once(": ").unwrap_or((expected, ""));
            assert_reported(kind, &definition("v1", old), &definition("v1", new));
            reported.insert(kind);
            let found = in_conversion(old, new);
            if found != undergone {
                wrong.push(format!(
                    "{kind}, from {old} to {new}: found `{found}`, expected `{undergone}`"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "in conversion:\n{}", wrong.join("\n"));
    let missing = ChangeKind::ALL.iter().filter(|kind| !reported.contains(kind.as_str()));
    let missing: Vec<&str> = missing.map(|kind| kind.as_str()).collect();
    assert!(missing.is_empty(), "add a pair of schemas that reports {missing:?}");
}

/// Kinds of change that crdify does not report.
#[rustfmt::skip]
const NOT_IN_CRDIFY: &[&str] = &[
    "definition-added", "definition-removed", "name-changed", "alias-added", "alias-removed", "conversion-changed",
    "conversion-settings-changed", "pruning-added", "pruning-removed", "version-added", "version-removed",
    "unserved-version-removed", "version-served", "version-unserved", "storage-moved", "version-deprecated",
    "version-undeprecated", "deprecated-without-warning", "deprecation-warning-changed", "deprecated-without-replacement",
    "stored-versions-changed",
    "subresource-added", "subresource-removed", "subresource-changed", "column-added", "column-removed",
    "column-changed", "selectable-field-added", "selectable-field-removed", "schema-added", "schema-removed",
    "field-added", "required-removed", "bound-loosened", "items-added", "items-removed",
];

#[test]
fn the_policy_crdify_decides_about_each_kind_of_change() {
    let (_, table) = include_str!("../../policies/crdify.toml")
        .split_once("[schema.change]\n")
        .expect("it has the table");
    let listed = table.lines().filter_map(|line| Some(line.split_once(" = ")?.0));
    let mut decided: Vec<&str> = listed.chain(NOT_IN_CRDIFY.iter().copied()).collect();
    let mut known: Vec<&str> = ChangeKind::ALL.iter().map(|kind| kind.as_str()).collect();
    known.retain(|kind| {
        decided
            .iter()
            .position(|own| own == kind)
            .map(|at| decided.swap_remove(at))
            .is_none()
    });
    assert!(
        known.is_empty() && decided.is_empty(),
        "in policies/crdify.toml or in NOT_IN_CRDIFY, {known:?} are missing, and {decided:?} too many"
    );
}

#[test]
fn what_a_schema_lists_at_last_of_every_object_is_compared() {
    let spec = |fields: Json| two_versions(&object(json!({ "properties": fields })), &json!({ "type": "object" }));
    let embedded = |fields: Json| {
        let all = [json!({ "a": { "type": "string" } }), fields].map(|fields| fields.as_object().cloned());
        let all: serde_json::Map<_, _> = all.into_iter().flatten().flatten().collect();
        spec(json!({ "e": { "type": "object", "x-kubernetes-embedded-resource": true, "properties": all } }))
    };
    let root = |kind: Json| crd(&[("/spec/versions/0/schema/openAPIV3Schema/properties/kind", kind)]);
    let metadata = |keywords: Json| embedded(json!({ "metadata": object(keywords) }));
    let text = json!({ "type": "string" });
    for (old, new, breaks) in [
        (crd(&[]), root(text.clone()), false),
        (crd(&[]), root(json!({ "type": "string", "enum": ["Bar"] })), true),
        (embedded(json!({})), embedded(json!({ "kind": text })), false),
        (
            embedded(json!({})),
            embedded(json!({ "kind": { "type": "string", "enum": ["A"] } })),
            true,
        ),
        (
            embedded(json!({})),
            metadata(json!({ "properties": { "name": text } })),
            false,
        ),
        (
            embedded(json!({})),
            metadata(json!({ "properties": { "name": { "type": "string", "maxLength": 3 } } })),
            true,
        ),
        (embedded(json!({})), metadata(json!({ "minProperties": 3 })), true),
    ] {
        assert_eq!(compare(&old, &new).summary.breaking > 0, breaks, "{old}\n{new}");
    }
}

#[test]
fn an_enum_refuses_null_that_rules_and_combinations_do_not_judge() {
    let of = |keywords: &Json| two_versions(&object(json!({ "properties": { "a": keywords } })), &object(json!({})));
    let rule = json!([{ "rule": "self in ['a', 'b']" }]);
    for (keyword, value) in [
        ("x-kubernetes-validations", rule),
        ("allOf", json!([{ "enum": ["a", "b"] }])),
    ] {
        for (nullable, breaks) in [(false, false), (true, true)] {
            let text = json!({ "type": "string", "nullable": nullable });
            let [mut old, mut new] = [text.clone(), text];
            old[keyword] = value.clone();
            new["enum"] = json!(["a", "b"]);
            let report = compare(&of(&old), &of(&new));
            assert_eq!(report.summary.breaking > 0, breaks, "{old} {new}");
        }
    }
}
