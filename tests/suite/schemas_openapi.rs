//! `lifecycle diff` of `OpenAPI` documents: a change of a shared schema is reported once, at the most severe place.

#![cfg(test)]

use std::fmt::Write as _;

use lifecycle::compat::{DocumentSource, State};
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::Diff;
use lifecycle::report::{DiffReport, DifferenceReport};
use lifecycle::schema::{ChangeKind, Document, SchemaDocument, read_documents};
use serde_json::{Value as Json, json};

use crate::program::{folder, run_in};
use crate::schemas::policy;

/// The kinds of a document: group, version, kind, plural, and the name of its schema.
type Kinds<'k> = &'k [(&'k str, &'k str, &'k str, &'k str, &'k str)];

fn said(group: &str, version: &str, kind: &str) -> Json {
    json!({ "group": group, "version": version, "kind": kind })
}

fn paths(kinds: Kinds<'_>) -> Json {
    let paths = kinds.iter().map(|(group, version, kind, plural, _)| {
        let root = if group.is_empty() {
            "api".to_owned()
        } else {
            format!("apis/{group}")
        };
        let path = format!("/{root}/{version}/namespaces/{{namespace}}/{plural}/{{name}}");
        (
            path,
            json!({ "get": { "x-kubernetes-group-version-kind": said(group, version, kind) } }),
        )
    });
    paths.collect()
}

/// Schemas that name their kinds.
fn schemas(kinds: Kinds<'_>, schemas: &Json) -> Json {
    let mut schemas = schemas.clone();
    for (group, version, kind, _, name) in kinds {
        if let Some(schema) = schemas.get_mut(*name) {
            schema["x-kubernetes-group-version-kind"] = json!([said(group, version, kind)]);
        }
    }
    schemas
}

fn version_2(kinds: Kinds<'_>, written: &Json) -> String {
    json!({ "swagger": "2.0", "paths": paths(kinds), "definitions": schemas(kinds, written) }).to_string()
}

/// The same in version 3, which wraps a reference with other keywords in `allOf`.
fn version_3(kinds: Kinds<'_>, written: &Json) -> String {
    let text = schemas(kinds, written)
        .to_string()
        .replace("#/definitions/", "#/components/schemas/");
    let mut schemas: Json = serde_json::from_str(&text).expect("it is JSON");
    wrap(&mut schemas);
    json!({ "openapi": "3.0.0", "paths": paths(kinds), "components": { "schemas": schemas } }).to_string()
}

fn wrap(value: &mut Json) {
    if let Some(reference) = value.as_object_mut().and_then(|keys| keys.remove("$ref")) {
        value["allOf"] = json!([{ "$ref": reference }]);
        return;
    }
    match value {
        Json::Object(keys) => keys.values_mut().for_each(wrap),
        Json::Array(items) => items.iter_mut().for_each(wrap),
        _ => {}
    }
}

fn documents(texts: &[String]) -> Vec<(String, Document)> {
    let read = |(at, text): (usize, &String)| {
        let found = read_documents(text).expect("it can be read").into_iter();
        let found = found.flat_map(|document| match document {
            SchemaDocument::OpenApi(documents) => documents,
            SchemaDocument::Crds(_) => Vec::new(),
        });
        let file = format!("{at}.json");
        found.map(move |document| (file.clone(), document))
    };
    texts.iter().enumerate().flat_map(read).collect()
}

fn described(documents: &[(String, Document)]) -> Vec<DocumentSource<'_>> {
    documents
        .iter()
        .map(|(file, document)| DocumentSource { file, document })
        .collect()
}

fn compare(old: &[String], new: &[String]) -> DiffReport {
    let (old, new) = (documents(old), documents(new));
    let (old, new) = (described(&old), described(&new));
    let [old, new] = [old, new].map(|documents| State {
        documents,
        ..State::default()
    });
    let diff = Diff::new(&old, &new, policy(), None);
    diff.expect("they can be compared").report(Severity::Off)
}

/// One line per change: severity, code, element, other places.
fn reported(report: &DiffReport) -> String {
    lines(&report.changes)
}

fn lines<'c>(changes: impl IntoIterator<Item = &'c DifferenceReport>) -> String {
    let mut text = String::new();
    for change in changes {
        let _ = write!(text, "{} {} {}", change.severity, change.code.as_str(), change.element);
        let _ = match change.also.as_slice() {
            [] => writeln!(text),
            also => writeln!(text, " | {}", also.join(" | ")),
        };
    }
    text
}

const KINDS: Kinds<'static> = &[
    ("", "v1", "Pod", "pods", "Pod"),
    ("apps", "v1", "Job", "jobs", "Job"),
    ("apps", "v1alpha1", "Cron", "crons", "Cron"),
];

/// Three kinds with one template, which contains itself.
fn shared() -> Json {
    let of = |spec: &str| {
        let spec = json!({ "$ref": format!("#/definitions/{spec}"), "description": "what is wanted" });
        json!({ "type": "object", "properties": { "spec": spec, "status": { "$ref": "#/definitions/State" } } })
    };
    json!({
        "Pod": of("Spec"),
        "Job": of("Template"),
        "Cron": of("Template"),
        "Template": { "type": "object", "properties": { "spec": { "$ref": "#/definitions/Spec" } } },
        "Spec": { "type": "object", "required": ["name"], "properties": {
            "name": { "type": "string" },
            "size": { "type": "integer" },
            "next": { "type": "array", "items": { "$ref": "#/definitions/Spec" } },
        } },
        "State": { "type": "object", "properties": { "phase": { "type": "string" } } },
        "Unused": { "type": "object" },
    })
}

#[test]
fn a_change_of_a_shared_schema_is_reported_once_with_all_kinds() {
    let old = shared();
    let mut new = shared();
    new["Spec"]["properties"]
        .as_object_mut()
        .expect("fields")
        .remove("size");
    new["Template"]["required"] = json!(["spec"]);
    new["Unused"]["type"] = json!("string");
    new["Job"]["properties"]["also"] = json!({ "$ref": "#/definitions/State" });
    let expected = "\
        error required-added apps/v1 Job .spec.spec | apps/v1alpha1 Cron .spec.spec\n\
        error field-removed core/v1 Pod .spec.size | apps/v1 Job .spec.spec.size | apps/v1alpha1 Cron .spec.spec.size\n";
    for write in [version_2, version_3] {
        let report = compare(&[write(KINDS, &old)], &[write(KINDS, &new)]);
        let (new, others): (Vec<_>, Vec<_>) = report
            .changes
            .iter()
            .partition(|change| change.code == ChangeKind::FieldAdded);
        assert_eq!(
            new.iter().map(|change| change.message.as_str()).collect::<Vec<_>>(),
            ["field added: State"]
        );
        assert_eq!(lines(others), expected);
        assert_eq!((report.summary.breaking, report.summary.compared), (2, 3));
    }
    let same = compare(&[version_2(KINDS, &old)], &[version_3(KINDS, &old)]);
    assert_eq!(reported(&same), "", "both versions say the same");
}

#[test]
fn schemas_that_documents_repeat_are_reported_once() {
    let one_by_one = |schemas: &Json| -> Vec<String> {
        let kinds = KINDS.iter().map(std::slice::from_ref);
        kinds.map(|kind| version_3(kind, schemas)).collect()
    };
    let mut new = shared();
    new["Spec"]["properties"]["name"]["maxLength"] = json!(3);
    let report = compare(&one_by_one(&shared()), &one_by_one(&new));
    let expected = "error bound-tightened core/v1 Pod .spec.name | apps/v1 Job .spec.spec.name | apps/v1alpha1 Cron \
                    .spec.spec.name\n";
    assert_eq!(reported(&report), expected);
    let gone = compare(&one_by_one(&shared()), &one_by_one(&shared())[..2]);
    assert_eq!(
        reported(&gone),
        "warning definition-removed apps Cron\n",
        "of alpha alone"
    );
    let versions: Kinds<'_> = &[("a", "v1", "K", "ks", "Pod"), ("a", "v1beta1", "K", "ks", "Pod")];
    let both: Vec<String> = versions
        .iter()
        .map(|kind| version_3(std::slice::from_ref(kind), &shared()))
        .collect();
    let report = compare(&both, &both[..1]);
    assert_eq!(reported(&report), "error version-removed a/v1beta1 K\n");
    assert_eq!(
        report.changes[0].file.as_deref(),
        Some("1.json"),
        "the file that had it"
    );
}

#[test]
fn references_and_schemas_in_place_are_compared() {
    let mut new = shared();
    new["Job"]["properties"]["spec"] = json!({ "type": "object", "properties": {
        "spec": { "$ref": "#/definitions/Renamed" },
    } });
    new["Renamed"] = new["Spec"].clone();
    let same = compare(&[version_2(KINDS, &shared())], &[version_2(KINDS, &new)]);
    let severe: Vec<_> = same
        .changes
        .iter()
        .filter(|change| change.severity != Severity::Off)
        .collect();
    assert!(
        severe.is_empty(),
        "names of schemas and where they stand mean nothing: {severe:#?}"
    );
    new["Renamed"]["properties"]["size"]["type"] = json!("string");
    let report = compare(&[version_2(KINDS, &shared())], &[version_2(KINDS, &new)]);
    assert_eq!(
        reported(&report)
            .lines()
            .filter(|line| line.starts_with("error"))
            .collect::<Vec<_>>(),
        ["error type-changed apps/v1 Job .spec.spec.size"]
    );
}

#[test]
fn changes_of_referenced_alternatives_are_reported() {
    let kinds: Kinds<'_> = &[("", "v1", "Pod", "pods", "Pod")];
    let document = |keyword: &str, longest: u32, described: &str| {
        let refer = |name: &str| json!({ "$ref": format!("#/definitions/{name}") });
        let members = match keyword {
            "not" => json!({ "not": refer("Word") }),
            keyword => json!({ keyword: [refer("Word"), refer("Other")] }),
        };
        version_2(
            kinds,
            &json!({
                "Pod": { "type": "object", "properties": { "word": members } },
                "Word": { "type": "string", "maxLength": 3, "anyOf": [refer("Inner"), { "pattern": "^x" }] },
                "Inner": { "type": "string", "maxLength": longest, "description": described },
                "Other": { "type": "string", "not": refer("Word") },
            }),
        )
    };
    let error = "error combination-changed core/v1 Pod .word\n";
    for (keyword, expected) in [
        // All members apply: each is compared, and contains alternatives itself.
        ("allOf", format!("{error}{error}")),
        ("anyOf", error.to_owned()),
        ("oneOf", error.to_owned()),
        ("not", error.to_owned()),
    ] {
        let same = compare(&[document(keyword, 2, "")], &[document(keyword, 2, "in other words")]);
        assert_eq!(reported(&same), "", "{keyword}");
        let report = compare(&[document(keyword, 2, "")], &[document(keyword, 1, "")]);
        assert_eq!(reported(&report), expected, "{keyword}");
    }
}

#[test]
fn changes_in_status_only_are_risky() {
    let state = |status_too: bool| {
        let mut schemas = shared();
        if !status_too {
            schemas["Spec"]["properties"]["state"] = json!({ "$ref": "#/definitions/State" });
        }
        schemas
    };
    let tighter = |mut schemas: Json| {
        schemas["State"]["properties"]["phase"]["maxLength"] = json!(3);
        schemas
    };
    let paths_too = |schemas: &Json| {
        let mut document: Json = serde_json::from_str(&version_2(KINDS, schemas)).expect("it is JSON");
        let paths = document["paths"].as_object().expect("it has paths").clone();
        for (path, item) in paths {
            document["paths"][format!("{path}/status")] = item;
        }
        document.to_string()
    };
    let report = |schemas: Json| compare(&[paths_too(&schemas)], &[paths_too(&tighter(schemas.clone()))]);
    assert_eq!(
        reported(&report(state(true))),
        "warning bound-tightened apps/v1 Job .status.phase | core/v1 Pod .status.phase | apps/v1alpha1 Cron .status.phase\n"
    );
    assert!(reported(&report(state(false))).starts_with("error bound-tightened core/v1 Pod .spec.state.phase | "));
}

#[test]
fn hostile_documents_are_handled() {
    // Circular, dangling and fully connected references.
    let kinds: Kinds<'_> = &[("a", "v1", "A", "as", "A")];
    let ring = json!({
        "A": { "type": "object", "properties": { "ring": { "$ref": "#/definitions/B" }, "none": { "$ref": "#/definitions/N" } } },
        "B": { "$ref": "#/definitions/C" },
        "C": { "$ref": "#/definitions/B" },
    });
    let mut inline = ring.clone();
    inline["A"]["properties"] = json!({ "ring": { "type": "string" }, "none": { "type": "string" } });
    for (old, new) in [(&ring, &ring), (&ring, &inline), (&inline, &ring)] {
        let report = compare(&[version_2(kinds, old)], &[version_2(kinds, new)]);
        assert_eq!(report.changes.is_empty(), old == new, "what leads nowhere is reported");
    }
    let (_, document) = &documents(&[version_2(kinds, &ring)])[0];
    assert_eq!(
        document.notes,
        ["the document has no schema named `N`: references to it are not compared"]
    );
    let many = |start: &str| {
        let names: Vec<String> = (0..300).map(|at| format!("{start}{at}")).collect();
        let all: Json = names
            .iter()
            .map(|name| (name.clone(), json!({ "$ref": format!("#/definitions/{name}") })))
            .collect();
        let mut schemas: serde_json::Map<String, Json> = names
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let turned: Json = (0..300)
                    .map(|field| {
                        let to = &names[(field * 7 + at * if start == "x" { 1 } else { 3 }) % 300];
                        (format!("f{field}"), json!({ "$ref": format!("#/definitions/{to}") }))
                    })
                    .collect();
                (name.clone(), json!({ "type": "object", "properties": turned }))
            })
            .collect();
        schemas.insert("A".to_owned(), json!({ "type": "object", "properties": all }));
        version_2(kinds, &Json::Object(schemas))
    };
    let folder = folder(&[("old.json", &many("x")), ("new.json", &many("y"))]);
    let run = run_in(&folder, &["diff", "old.json", "new.json"]);
    assert!([Some(0), Some(1), Some(2)].contains(&run.code), "{}", run.err);
    assert!(
        run.code != Some(2) || run.err.contains("help: compare fewer or smaller schemas"),
        "{}",
        run.err
    );
}

#[test]
fn broken_repeated_and_unlike_states_are_errors() {
    let whole = version_2(KINDS, &shared());
    let broken = &whole[..whole.len() - 40];
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: a.example\n  names: \
                      {kind: A, plural: as}\n  versions: [{name: v1, served: true, storage: true}]\n";
    let no_kind = json!({ "openapi": "3.0.0", "paths": { "/pets": { "get": {} } } }).to_string();
    let yaml = "openapi: 3.0.0\npaths: [1]\n";
    let folder = folder(&[
        ("whole.json", &whole),
        ("twice/a.json", &whole),
        ("twice/b.json", &whole),
        ("broken.json", broken),
        ("crd.yaml", definition),
        ("pets.json", &no_kind),
        ("wrong.yaml", yaml),
    ]);
    for (old, expected) in [
        (
            "twice",
            "error: twice/b.json:1:1: apps/v1alpha1 Cron is also described in twice/a.json:1\nhelp: name only the file",
        ),
        ("broken.json", "error: broken.json:1:"),
        ("wrong.yaml", "error: wrong.yaml:2:"),
        (
            "crd.yaml",
            "error: crd.yaml has CRDs, whole.json has OpenAPI documents\nhelp: ",
        ),
        (
            "pets.json",
            "error: pets.json: no CustomResourceDefinition, and no OpenAPI document that serves a kind\n",
        ),
    ] {
        let run = run_in(&folder, &["diff", old, "whole.json"]);
        assert_eq!(run.code, Some(2), "{old}: {}", run.all());
        assert!(run.err.starts_with(expected), "{old}: {}", run.err);
    }
}
