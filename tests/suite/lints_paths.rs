//! What a Kubernetes server refuses: changes to one CRD, each with the path that a server names for it.

#![cfg(test)]

use lifecycle::diagnostic::Severity;
use serde_json::{Value as Json, json};

use crate::lints::lint;

/// A CRD that servers accept.
fn accepted() -> Json {
    let text = json!({"type": "string"});
    let fields = json!({
        "text": text,
        "count": {"type": "integer"},
        "list": {"type": "array", "items": text},
        "map": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"],
            "items": {"type": "object", "required": ["key"], "properties": {"key": text}},
        },
        "object": {"type": "object", "properties": {"a": text}},
        "either": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, text]},
        "any": {"x-kubernetes-preserve-unknown-fields": true},
        "pod": {
            "type": "object", "x-kubernetes-embedded-resource": true,
            "properties": {"kind": text, "metadata": {"type": "object"}, "spec": {"type": "object"}},
        },
    });
    let schema = json!({
        "type": "object",
        "properties": {"metadata": {"type": "object"}, "spec": {"type": "object", "properties": fields}},
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "cars.example.com"},
        "spec": {
            "group": "example.com", "names": {"kind": "Car", "plural": "cars"}, "scope": "Namespaced",
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}

/// The CRD with a value put where a pointer leads: one that begins with `/` in the CRD, `.` in the fields of the spec,
/// another one in the schema.
fn changed(at: &str, value: Json) -> String {
    const SCHEMA: &str = "/spec/versions/0/schema/openAPIV3Schema";
    let pointer = match at.strip_prefix('.') {
        Some(field) => format!("{SCHEMA}/properties/spec/properties/{field}"),
        None if at.starts_with('/') => at.to_owned(),
        None => format!("{SCHEMA}/{at}"),
    };
    let mut definition = accepted();
    let (above, key) = pointer.rsplit_once('/').expect("a pointer");
    let above = definition.pointer_mut(above).expect("what the CRD has");
    match above {
        Json::Array(items) => items[key.parse::<usize>().expect("a position")] = value,
        above => above[key] = value,
    }
    definition.to_string()
}

/// The paths of the errors in a CRD.
fn paths(text: &str) -> Vec<String> {
    let linted = lint(text);
    let errors = linted
        .findings()
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    let facts = errors.flat_map(|finding| finding.because.iter().map(|fact| fact.text.clone()));
    facts
        .filter_map(|fact| Some(fact.rsplit_once("refuse this CRD, for ")?.1.to_owned()))
        .collect()
}

/// Asserts that a change is refused at a path: one that begins with `.` is that of a field of the spec, and one that
/// begins with `S` is in the schema.
fn refused(at: &str, value: Json, path: &str) {
    const SCHEMA: &str = "spec.validation.openAPIV3Schema";
    let path = match (path.strip_prefix('.'), path.strip_prefix('S')) {
        (Some(rest), _) => {
            let (field, rest) = rest.split_at(rest.find('.').unwrap_or(rest.len()));
            format!("{SCHEMA}.properties[spec].properties[{field}]{rest}")
        }
        (_, Some(rest)) => format!("{SCHEMA}{rest}"),
        _ => path.to_owned(),
    };
    let text = changed(at, value);
    let paths = paths(&text);
    assert!(paths.contains(&path), "{path}: {paths:?}\n{text}");
}

fn fine(at: &str, value: Json) {
    let text = changed(at, value);
    assert_eq!(paths(&text), Vec::<String>::new(), "{text}");
}

#[test]
fn metadata_is_that_of_any_object() {
    fine("/metadata/finalizers", json!(["a.example/b"]));
    refused("/metadata/finalizers", json!(["a.example/"]), "metadata.finalizers");
    refused("/metadata/generateName", json!("car-"), "metadata.generateName");
    let owner = json!({"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "b"});
    fine("/metadata/ownerReferences", json!([owner]));
    for key in ["apiVersion", "kind", "name", "uid"] {
        let mut owner = owner.clone();
        owner[key] = json!("");
        let path = format!("metadata.ownerReferences.{key}");
        refused("/metadata/ownerReferences", json!([owner]), &path);
    }
    let mut controller = owner;
    controller["controller"] = json!(true);
    fine("/metadata/ownerReferences", json!([controller]));
    refused(
        "/metadata/ownerReferences",
        json!([controller, controller]),
        "metadata.ownerReferences",
    );
    fine("/metadata/creationTimestamp", json!("2026-01-02T03:04:05Z"));
    refused(
        "/metadata/creationTimestamp",
        json!("2026-01-02"),
        "metadata.creationTimestamp",
    );
    refused("/metadata/generation", json!("1"), "metadata.generation");
    fine("/status", json!({"storedVersions": [], "conditions": []}));
    refused("/status", json!({"conditions": {}}), "status.conditions");
}

#[test]
fn a_webhook_has_certificates_in_base64_and_a_named_service() {
    let webhook = |client: Json| json!({"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": client}});
    let service = json!({"name": "a", "namespace": "b"});
    fine(
        "/spec/conversion",
        webhook(json!({"service": service, "caBundle": "QUJD"})),
    );
    let path = "spec.conversion.webhook.clientConfig.caBundle";
    refused(
        "/spec/conversion",
        webhook(json!({"service": service, "caBundle": "QUJ"})),
        path,
    );
    // The server names one for the other.
    let client = "spec.conversion.webhookClientConfig.service";
    for (key, named) in [("name", "namespace"), ("namespace", "name")] {
        let mut service = service.clone();
        service[key] = json!("");
        refused(
            "/spec/conversion",
            webhook(json!({"service": service})),
            &format!("{client}.{named}"),
        );
    }
}

#[test]
fn an_empty_value_is_set_where_servers_see_it() {
    let with_status = |keyword: &str, value: Json| {
        let mut version = accepted()["spec"]["versions"][0].clone();
        version["subresources"] = json!({"status": {}});
        version["schema"]["openAPIV3Schema"][keyword] = value;
        version
    };
    for (keyword, value) in [
        ("enum", json!([])),
        ("additionalProperties", json!(false)),
        ("$ref", json!("")),
    ] {
        refused("/spec/versions/0", with_status(keyword, value), "S");
    }
    for (keyword, value) in [("id", json!("")), ("nullable", json!(false)), ("allOf", Json::Null)] {
        fine("/spec/versions/0", with_status(keyword, value));
    }
    let metadata = "S.properties[metadata]";
    refused("properties/metadata/required", json!([]), metadata);
    refused("properties/metadata/additionalProperties", json!(false), metadata);
    fine("properties/metadata/enum", json!([]));
    fine("properties/metadata/properties", json!({}));
    fine("/spec/versions/0/schema/openAPIV3Schema/$schema", json!(""));
    refused(".text/$schema", json!("x"), "S");
    refused(".text/$ref", json!(""), ".text.$ref");
    // Two types are only allowed there in their one form.
    refused(".either/anyOf/0/required", json!([]), ".either.anyOf[0].type");
    fine(".either/anyOf/0/patternProperties", json!({}));
    refused(".object/allOf", json!([{"default": ""}]), ".object.allOf[0].default");
    fine(".object/allOf", json!([{"x-kubernetes-list-map-keys": []}]));
}

#[test]
fn items_that_are_no_schema_are_none() {
    for none in [json!([]), json!(true)] {
        fine(".object/items", none.clone());
        refused(".list/items", none.clone(), ".list.items");
        refused(".map/items", none, ".map.items");
    }
    refused(".list/items", json!([{"type": "string"}]), ".list.items");
    refused(
        ".any/x-kubernetes-validations",
        json!([{"rule": "true"}]),
        ".any.x-kubernetes-validations",
    );
    fine(".text/x-kubernetes-validations", json!([{"rule": "true"}]));
}

#[test]
fn an_object_in_a_default_is_one_that_servers_accept() {
    let object = |metadata: Json| json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {}});
    for metadata in [json!({}), json!({"name": "a", "labels": {"a": "b"}, "other": 1})] {
        fine(".pod/default", object(metadata));
    }
    refused(".pod/default", json!({"kind": "Pod"}), ".pod.default.apiVersion");
    refused(
        ".pod/default",
        json!({"apiVersion": "v1", "kind": "a b"}),
        ".pod.default.kind",
    );
    refused(
        ".pod/default",
        json!({"apiVersion": "a/b/c", "kind": "A"}),
        ".pod.default.apiVersion",
    );
    refused(
        ".pod/default",
        json!({"apiVersion": "v1", "kind": 1}),
        ".pod.default.kind",
    );
    refused(
        ".pod/default",
        object(json!({"labels": {"a": 1}})),
        ".pod.default.metadata",
    );
    refused(
        ".pod/default",
        object(json!({"labels": {"a b": "c"}})),
        ".pod.default.metadata.labels",
    );
    refused(
        ".pod/default",
        object(json!({"name": "a/b"})),
        ".pod.default.metadata.name",
    );
    fine(".pod/properties/kind/default", json!("Pod"));
    let kind = "S.properties[spec].properties[pod].properties[kind].default";
    refused(".pod/properties/kind/default", json!("12"), kind);
    fine(".pod/properties/metadata/default", json!({"name": "a"}));
    let metadata = "S.properties[spec].properties[pod].properties[metadata].default";
    refused(
        ".pod/properties/metadata/default",
        json!({"labels": {"a": "b c"}}),
        metadata,
    );
}

#[test]
fn a_default_lists_no_field_that_is_dropped_and_fits_its_schema() {
    refused(".list/default", json!([{"a": 1}]), ".list.default");
    refused(".list/default", json!([1]), ".list.default.[0]");
    let object =
        |keyword: &str, value: Json, default: Json| json!({"type": "object", keyword: value, "default": default});
    let any = "additionalProperties";
    fine(".object", object(any, json!(true), json!({"a": 1})));
    // Within a value without a schema, all fields are dropped.
    refused(
        ".object",
        object(any, json!(true), json!({"a": {"b": 1}})),
        ".object.default",
    );
    refused(".object", object(any, json!(false), json!({"a": 1})), ".object.default");
    let kept = "x-kubernetes-preserve-unknown-fields";
    fine(".object", object(kept, json!(true), json!({"a": {"b": [{"c": 1}]}})));
    let nullable = json!({"a": {"type": "string", "nullable": true, "enum": ["b", null]}});
    fine(".object", object("properties", nullable.clone(), json!({"a": "b"})));
    refused(
        ".object",
        object("properties", nullable, json!({"a": null})),
        ".object.default.a",
    );
    let all = json!({
        "type": "object", "properties": {"a": {"type": "string"}},
        "allOf": [{"properties": {"a": {"minLength": 2}}}], "default": {"a": "b"},
    });
    refused(".object", all, ".object.default.a");
}
