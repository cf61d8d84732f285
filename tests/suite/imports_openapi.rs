//! Models made from `OpenAPI` documents: what is served, its schemas, and the lives that follow.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::fmt::Write as _;
use std::path::Path;

use lifecycle::import::kinds::{Parts, Shipped, fold};
use lifecycle::import::openapi::{OpenApiFile, WITHOUT_FIELDS, read};
use lifecycle::import::{Draft, Field, Snapshot, Topic, Version, write};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::imports::release;
use crate::program::run_in;
use crate::support::{evaluate, reported};

/// The kind of an operation or schema.
fn kind(group: &str, version: &str, kind: &str) -> Value {
    json!({ "group": group, "version": version, "kind": kind })
}

/// Schemas of a `Bolt`, its list, and what they refer to.
fn schemas(version: &str, start: &str) -> Value {
    let to = |name: &str| json!({ "$ref": format!("{start}{name}") });
    json!({
        "Bolt": {
            "type": "object",
            "required": ["spec"],
            "properties": {
                "apiVersion": { "type": "string" },
                "kind": { "type": "string" },
                "metadata": to("Meta"),
                "spec": to("Spec"),
            },
            "x-kubernetes-group-version-kind": [kind("example.com", version, "Bolt")],
        },
        "BoltList": {
            "type": "object",
            "properties": { "items": { "type": "array", "items": to("Bolt") } },
            "x-kubernetes-group-version-kind": [kind("example.com", version, "BoltList")],
        },
        "Meta": { "type": "object", "properties": { "name": { "type": "string" } } },
        "Spec": {
            "type": "object",
            "required": ["size"],
            "properties": {
                "size": { "type": "string", "enum": ["Small", "Large"], "default": "Small" },
                "count": { "type": "integer", "format": "int32" },
                "washers": {
                    "type": "array",
                    "items": to("Washer"),
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    "x-kubernetes-patch-strategy": "merge",
                    "x-kubernetes-patch-merge-key": "name",
                },
                "labels": { "type": "object", "additionalProperties": { "type": "string" }, "x-kubernetes-map-type": "atomic" },
                "within": to("Spec"),
            },
        },
        "Washer": {
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "sides": { "type": "array", "items": { "type": "string", "enum": ["Left", "Right"] } },
            },
        },
    })
}

/// What is served: a `Bolt` with two subresources, one of which has a kind of its own.
fn paths(version: &str) -> Value {
    let bolt = || json!({ "x-kubernetes-group-version-kind": kind("example.com", version, "Bolt") });
    let scale = || json!({ "x-kubernetes-group-version-kind": kind("autoscaling", "v1", "Scale") });
    let root = format!("/apis/example.com/{version}");
    let bolts = format!("{root}/namespaces/{{namespace}}/bolts");
    let mut paths = serde_json::Map::new();
    for (path, operation) in [
        (format!("{root}/"), json!({})),
        (format!("{root}/bolts"), bolt()),
        (format!("{root}/watch/bolts"), bolt()),
        (bolts.clone(), bolt()),
        (format!("{bolts}/{{name}}"), bolt()),
        (format!("{bolts}/{{name}}/status"), bolt()),
        (format!("{bolts}/{{name}}/scale"), scale()),
    ] {
        paths.insert(path, json!({ "get": operation, "parameters": [{ "name": "pretty" }] }));
    }
    paths.into()
}

fn v2(version: &str) -> Value {
    json!({ "swagger": "2.0", "paths": paths(version), "definitions": schemas(version, "#/definitions/") })
}

fn v3(version: &str) -> Value {
    let schemas = schemas(version, "#/components/schemas/");
    json!({ "openapi": "3.0.0", "paths": paths(version), "components": { "schemas": schemas } })
}

fn found(document: &Value) -> OpenApiFile {
    read(&document.to_string()).unwrap_or_else(|error| panic!("{}: {error}", error.line))
}

/// The only kind of a document without notes.
fn bolt(document: &Value) -> Version {
    let OpenApiFile { mut kinds, notes } = found(document);
    assert_eq!(notes, Vec::<String>::new());
    assert_eq!(kinds.len(), 1, "{kinds:#?}");
    let kind = kinds.remove(0);
    let (name, version) = kind.resource.versions.into_iter().next().expect("one version");
    let named = [&kind.group, &name, &kind.kind, &kind.resource.plural].map(String::as_str);
    assert_eq!(named, ["example.com", "v1", "Bolt", "bolts"]);
    version
}

fn field<'v>(version: &'v Version, path: &str) -> &'v Field {
    let known = version.fields.keys().collect::<Vec<_>>();
    version
        .fields
        .get(path)
        .unwrap_or_else(|| panic!("{path} in {known:?}"))
}

#[test]
fn what_has_a_path_is_served_with_what_its_schemas_say() {
    let bolt = bolt(&v2("v1"));
    assert!(bolt.served && !bolt.storage && !bolt.deprecated);
    assert_eq!(bolt.subresources, ["scale", "status"].map(String::from).into());
    let known: Vec<&str> = bolt.fields.keys().map(String::as_str).collect();
    let expected = [
        "spec",
        "spec.count",
        "spec.labels",
        "spec.size",
        "spec.washers",
        "spec.washers[].name",
        "spec.washers[].sides",
        "spec.within",
    ];
    assert_eq!(known, expected);
    assert!(field(&bolt, "spec").required && field(&bolt, "spec.size").required);
    assert!(!field(&bolt, "spec.count").required);
    assert_eq!(field(&bolt, "spec").kind, "object");
    assert_eq!(field(&bolt, "spec.within").kind, "object");
    assert_eq!(field(&bolt, "spec.size").default, Some(json!("Small")));
    assert_eq!(
        field(&bolt, "spec.size").values,
        ["Large", "Small"].map(String::from).into()
    );
    assert_eq!(
        field(&bolt, "spec.washers[].sides").values,
        ["Left", "Right"].map(String::from).into()
    );
    let facets = |path: &str| -> Vec<String> {
        let facets = field(&bolt, path).facets.iter();
        facets.map(|(name, word)| format!("{name}: {word}")).collect()
    };
    assert_eq!(facets("spec.count"), ["format: int32"]);
    assert_eq!(facets("spec.labels"), ["map type: atomic"]);
    let washers = [
        "list map keys: name",
        "list type: map",
        "patch merge key: name",
        "patch strategy: merge",
    ];
    assert_eq!(facets("spec.washers"), washers);
}

#[test]
fn version_3_and_yaml_say_the_same() {
    let of_v2 = found(&v2("v1"));
    assert_eq!(found(&v3("v1")), of_v2);
    let yaml = in_yaml(&v3("v1"));
    assert_eq!(read(&yaml).expect("the same in YAML"), of_v2);
    let windows = yaml.replace('\n', "\r\n");
    assert_eq!(read(&windows).expect("with other line ends"), of_v2);
    let mut bare = of_v2;
    let kinds = bare.kinds.iter_mut();
    let versions = kinds.flat_map(|kind| kind.resource.versions.values_mut());
    versions.for_each(|version| version.fields.clear());
    assert_eq!((WITHOUT_FIELDS.read)(&yaml).expect("without fields"), bare);
}

/// A value in the block style of YAML.
fn in_yaml(value: &Value) -> String {
    let mut text = String::new();
    block(&mut text, value, 0);
    text
}

fn block(text: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                let _ = write!(text, "\n{}{}:", "  ".repeat(depth), json!(key));
                block(text, value, depth + 1);
            }
        }
        other => {
            let _ = write!(text, " {other}");
        }
    }
}

#[test]
fn composed_schemas_and_several_types_are_one_value() {
    let mut document = v3("v1");
    document["components"]["schemas"]["Spec"]["properties"] = json!({
        "first": { "allOf": [{ "$ref": "#/components/schemas/Washer" }], "default": {} },
        "size": { "type": ["string", "null"], "allOf": [{ "enum": ["a", "b", "c"] }, { "enum": ["b", "c", "d"] }] },
        "old": { "type": "string", "deprecated": true },
    });
    let bolt = bolt(&document);
    assert_eq!(field(&bolt, "spec.first").kind, "object");
    assert_eq!(field(&bolt, "spec.first.name").kind, "string");
    assert_eq!(field(&bolt, "spec.first").default, Some(json!({})));
    assert_eq!(field(&bolt, "spec.size").kind, "string or null");
    assert_eq!(field(&bolt, "spec.size").values, ["b", "c"].map(String::from).into());
    assert!(field(&bolt, "spec.old").deprecated && !field(&bolt, "spec.size").deprecated);
}

#[test]
fn a_kind_is_deprecated_if_all_operations_on_it_are() {
    let mut document = v2("v1");
    let deprecate = |document: &mut Value, path: &str| document["paths"][path]["get"]["deprecated"] = json!(true);
    deprecate(&mut document, "/apis/example.com/v1/bolts");
    assert!(!bolt(&document).deprecated);
    deprecate(&mut document, "/apis/example.com/v1/namespaces/{namespace}/bolts");
    deprecate(
        &mut document,
        "/apis/example.com/v1/namespaces/{namespace}/bolts/{name}",
    );
    assert!(bolt(&document).deprecated);
}

#[test]
fn what_is_left_out_is_reported() {
    let mut document = v2("v1");
    let bolt = document["paths"]["/apis/example.com/v1/bolts"].clone();
    document["paths"]["/apis/example.com/v1/screws"] = bolt.clone();
    document["paths"]["/oapi/v1/bolts"] = bolt;
    document["paths"]["/apis/example.com/v1/nuts"] = json!({ "get": {} });
    document["paths"]["/version/"] = json!({ "get": {} });
    document["definitions"]["Spec"]["properties"] = json!({
        "a": { "$ref": "#/definitions/Nowhere" },
        "b": { "$ref": "https://example.com/other.json#/A" },
    });
    let expected = [
        "1 paths lead to a kind, but are not below /api/VERSION or /apis/GROUP/VERSION: /oapi/v1/bolts",
        "screws is skipped: v1 Bolt is also served as bolts",
        "1 resources do not name their kind (`x-kubernetes-group-version-kind`): nuts",
        "`#/definitions/Nowhere` is not in the document, so its fields are unknown",
        "`https://example.com/other.json#/A` is not in the document, so its fields are unknown",
    ];
    assert_eq!(found(&document).notes, expected);
    document["definitions"] = json!({});
    let notes = found(&document).notes;
    assert_eq!(
        notes.last().map(String::as_str),
        Some("example.com/v1 Bolt has no schema, so its fields are unknown")
    );
    let cut = "{\"paths\": {\"/api/v1/bolts\": {\"get\": {\"x-kubernetes-group-version-kind\": {";
    assert!(read(cut).expect_err("it breaks off").reason.contains("EOF"));
    let odd = "{\"swagger\": \"2.0\", \"paths\": {\"/api/v1/bolts\": {\"get\": 5}}}";
    assert_eq!(
        read(odd).expect_err("no operation is a number").reason,
        "invalid type: integer `5`, expected an operation"
    );
    for other in [
        "",
        "{}",
        "openapi",
        "a: openapi\n",
        "{\"kind\": \"swagger\"}",
        "{\"paths\": 3, \"x\": \"openapi\"}",
    ] {
        assert_eq!(
            read(other).expect("no document of this format"),
            OpenApiFile::default(),
            "{other}"
        );
    }
}

#[test]
fn hostile_schemas_end_in_bounded_time() {
    let with = |schemas: Value| {
        let mut document = v2("v1");
        let Value::Object(schemas) = schemas else {
            panic!("schemas have names")
        };
        for (name, schema) in schemas {
            document["definitions"][name] = schema;
        }
        read(&document.to_string())
    };
    let to = |name: &str| json!({ "$ref": format!("#/definitions/{name}") });
    let chain = |length: usize, schema: &dyn Fn(Value) -> Value| -> Value {
        let mut all = serde_json::Map::new();
        for at in 0..length {
            all.insert(format!("A{at}"), schema(to(&format!("A{}", at + 1))));
        }
        all.insert("Spec".to_owned(), to("A0"));
        all.into()
    };
    let reason = |found: Result<OpenApiFile, _>| match found {
        Ok(found) => panic!("{} kinds", found.kinds.len()),
        Err(lifecycle::text::Unreadable { reason, .. }) => reason,
    };
    let deep = "nested deeper than 128 levels";
    assert!(reason(with(chain(10_000, &|next| next))).contains(deep));
    assert!(reason(with(chain(10_000, &|next| json!({ "properties": { "a": next } })))).contains(deep));
    assert!(reason(with(chain(10_000, &|next| json!({ "items": next })))).contains(deep));
    let twice = |next: Value| json!({ "properties": { "a": next, "b": next } });
    assert!(reason(with(chain(60, &twice))).contains("more than 100000 fields"));
    let unnamed = |next: Value| json!({ "items": next, "additionalProperties": next });
    assert!(reason(with(chain(60, &unnamed))).contains("the schemas come to more than 4000000"));
    let composed = |next: Value| json!({ "allOf": [next, next] });
    with(chain(60, &composed)).expect("what is composed twice of the same is that, once");
    assert!(
        with(json!({ "Spec": to("Spec") })).is_ok(),
        "a schema that is itself has no fields"
    );
}

fn shipped(name: &str, documents: &[Value]) -> Shipped {
    let mut snapshot = Snapshot::default();
    for kind in documents.iter().flat_map(|document| found(document).kinds) {
        assert!(snapshot.add(&kind), "no version is served twice");
    }
    let date = None;
    let release = release(name);
    Shipped {
        release,
        date,
        snapshot,
    }
}

#[test]
fn releases_in_order_are_lives_and_inexpressible_changes_are_reported() {
    let mut later = v2("v1");
    let spec = &mut later["definitions"]["Spec"]["properties"];
    spec["washers"]["x-kubernetes-list-type"] = json!("atomic");
    spec["count"]["format"] = json!("int64");
    spec["labels"]["deprecated"] = json!(true);
    spec["added"] = json!({ "type": "string" });
    let releases = [
        shipped("1.0", &[v2("v1beta1"), v2("v1")]),
        shipped("1.1", &[v2("v1beta1"), later]),
        shipped("1.2", &[v2("v1")]),
    ];
    let imported = fold(Draft::default(), &releases, Parts::Changed);
    let text = write(&imported.draft);
    evaluate(&text).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{text}"));
    let changes = reported(&imported, Topic::NotInModel);
    for what in [
        "1.1: example.com Bolt v1 .spec.washers changes its list type from map to atomic",
        "1.1: example.com Bolt v1 .spec.count changes its format from int32 to int64",
        "1.2: example.com Bolt v1 .spec.labels is no longer marked as deprecated",
    ] {
        assert!(changes.contains(&what), "{what} in {changes:#?}");
    }
    assert!(
        text.contains("v1beta1 = { introduced = \"1.0\", removed = \"1.2\" }"),
        "{text}"
    );
    assert!(
        text.contains("\"spec.added\" = { in = { v1 = { introduced = \"1.1\", removed = \"1.2\" } } }"),
        "{text}"
    );
    assert!(text.contains("\"spec.labels\" = "), "{text}");
    assert!(text.contains("deprecated = \"1.1\""), "{text}");
    // What nothing serves may still be read.
    assert!(!text.contains("dropped"), "{text}");
}

#[expect(clippy::disallowed_methods, reason = "files of the test")]
fn put(folder: &TempDir, name: &str, text: &str) {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("the folder can be made");
    std::fs::write(path, text).expect("the file can be written");
}

#[test]
fn the_program_joins_the_documents_of_a_release() {
    let folder = TempDir::new().expect("a folder");
    put(&folder, "v3/apis__example.com__v1_openapi.json", &v3("v1").to_string());
    put(
        &folder,
        "v3/apis__example.com__v1beta1_openapi.json",
        &v3("v1beta1").to_string(),
    );
    put(
        &folder,
        "v3/other.json",
        "{\"openapi\": \"3.0.0\", \"paths\": {\"/version/\": {}}}",
    );
    put(&folder, "swagger.json", &v2("v1").to_string());
    let import = |more: &[&str]| run_in(&folder, &[&["import", "openapi", "--release", "1.0"], more].concat());
    let joined = import(&["--fields", "all", "v3"]).ended(0);
    assert!(
        joined.out.contains("v1 = { introduced = \"1.0\" }\nv1beta1 = "),
        "{}",
        joined.out
    );
    assert!(
        joined.out.contains("\"spec.size\" = { default = \"Small\""),
        "{}",
        joined.out
    );
    import(&["--fields", "none", "v3", "swagger.json"]).ended(0);
    let mut other = v2("v1");
    other["definitions"]["Spec"]["properties"] = json!({});
    put(&folder, "other/swagger.json", &other.to_string());
    let skipped = "skipped one kind of other/swagger.json that another file of 1.0 describes differently, such as example.com v1 Bolt";
    import(&["v3", "other"]).ended(0).says(&[skipped]);
    import(&["v3/other.json"])
        .ended(2)
        .says(&["v3/other.json: no OpenAPI document with served kinds", "help: "]);
}
