//! CRDs in unusual forms, and broken ones: what a server rejects is not treated as absent, and cost is linear in the
//! text.

#![cfg(test)]

use std::sync::LazyLock;

use lifecycle::Document;
use lifecycle::Sources;
use lifecycle::compat::CrdSource;
use lifecycle::evaluate::{Linted, Load, builtin_policy};
use lifecycle::policy::Policy;
use lifecycle::report::DiffReport;
use lifecycle::schema::{ChangeKind, Crds, Definition, Source, read};
use serde_json::{Value as Json, json};

use crate::program::{folder, run_in, write};
use crate::schemas::diff;

/// A CRD with every key and keyword.
fn rich() -> Json {
    let spec = json!({
        "type": "object", "required": ["count"], "minProperties": 1, "maxProperties": 9,
        "properties": {
            "count": { "type": "integer", "format": "int32", "minimum": 1, "maximum": 9, "exclusiveMinimum": true,
                "exclusiveMaximum": true, "multipleOf": 2, "default": 2, "nullable": true },
            "name": { "type": "string", "pattern": "^a", "minLength": 1, "maxLength": 5, "enum": ["a", "ab"] },
            "parts": { "type": "array", "minItems": 1, "maxItems": 3, "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["key"], "items": { "type": "object", "x-kubernetes-map-type": "atomic",
                "required": ["key"], "properties": { "key": { "type": "string" } } } },
            "set": { "type": "array", "uniqueItems": true, "items": { "type": "string" } },
            "labels": { "type": "object", "additionalProperties": { "type": "string" } },
            "any": { "type": "object", "additionalProperties": true },
            "raw": { "type": "object", "x-kubernetes-preserve-unknown-fields": true,
                "x-kubernetes-embedded-resource": true },
            "port": { "x-kubernetes-int-or-string": true, "anyOf": [{ "type": "integer" }, { "type": "string" }] },
            "word": { "type": "string", "allOf": [{ "minLength": 1 }], "oneOf": [{ "pattern": "a" }],
                "not": { "pattern": "b" } },
        },
        "x-kubernetes-validations": [{ "rule": "self.count > 0", "message": "no", "reason": "FieldValueInvalid" }],
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "spec": {
            "group": "example.com", "scope": "Namespaced", "preserveUnknownFields": false,
            "names": { "kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList",
                "shortNames": ["w"], "categories": ["all"] },
            "conversion": { "strategy": "Webhook", "webhook": { "conversionReviewVersions": ["v1"] } },
            "versions": [{
                "name": "v1", "served": true, "storage": true, "deprecated": true, "deprecationWarning": "gone soon",
                "subresources": { "status": {}, "scale": { "specReplicasPath": ".spec.count" } },
                "additionalPrinterColumns": [{ "name": "Count", "type": "integer", "jsonPath": ".spec.count" }],
                "selectableFields": [{ "jsonPath": ".spec.name" }],
                "schema": { "openAPIV3Schema": { "type": "object", "description": "A widget.", "required": ["spec"],
                    "properties": { "spec": spec, "status": { "type": "object" } } } },
            }],
        },
    })
}

/// JSON pointers to all parts of a value.
fn places(value: &Json, way: &str, found: &mut Vec<String>) {
    let mut below = |step: &str, value: &Json| {
        let way = format!("{way}/{}", step.replace('~', "~0").replace('/', "~1"));
        found.push(way.clone());
        places(value, &way, found);
    };
    match value {
        Json::Object(keys) => keys.iter().for_each(|(key, value)| below(key, value)),
        Json::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(at, item)| below(&at.to_string(), item)),
        _ => {}
    }
}

/// The same without the part at a pointer.
fn without(whole: &Json, way: &str) -> Json {
    let mut whole = whole.clone();
    let (parent, step) = way.rsplit_once('/').expect("a way has a last step");
    match whole.pointer_mut(parent).expect("the place is there") {
        Json::Object(keys) => drop(keys.remove(&step.replace("~1", "/").replace("~0", "~"))),
        Json::Array(items) => drop(items.remove(step.parse().expect("a position"))),
        other => panic!("{other} has no parts"),
    }
    whole
}

fn sides(definitions: &[Definition]) -> Vec<CrdSource<'_>> {
    let side = |definition| CrdSource {
        file: "widgets.json",
        definition,
    };
    definitions.iter().map(side).collect()
}

static POLICY: LazyLock<Policy> = LazyLock::new(|| builtin_policy("kubernetes").expect("the policy is built in"));

fn compare(old: &Crds, new: &Crds) -> DiffReport {
    diff(&sides(&old.definitions), &sides(&new.definitions), &POLICY).expect("they can be compared")
}

fn lint(text: &str) -> Vec<String> {
    let law = Load::new(&Vec::<Document<'_>>::new())
        .law_alone()
        .expect("there is a law");
    let mut sources = Sources::new();
    let file = sources.add("widgets.json", text);
    let mut linted = Linted::default();
    linted.add(&law, file, text).expect("the text can be read");
    let findings = linted.findings().iter();
    findings
        .map(|finding| format!("{} {}", finding.code, finding.message))
        .collect()
}

/// Values of the wrong type.
const ODD: [&str; 10] = [
    "null",
    "[]",
    "{}",
    "\"x\"",
    "-1",
    "1e400",
    ".inf",
    "true",
    "[null]",
    "{\"a\": 1}",
];

/// Values that mean the same as absence.
const SILENT: [&str; 4] = ["null", "[]", "{}", "false"];

#[test]
fn odd_values_are_rejected_reported_or_have_no_meaning() {
    let whole = rich();
    let (good, mut ways) = (read(&whole.to_string()).expect("it is a definition"), Vec::new());
    places(&whole, "", &mut ways);
    assert!(ways.len() > 120, "only {} places", ways.len());
    // A document of another kind is no CRD.
    for way in ways.iter().filter(|way| *way != "/kind") {
        let bare = without(&whole, way).to_string();
        let silence = read(&bare).ok();
        let mut marked = whole.clone();
        *marked.pointer_mut(way).expect("the place is there") = json!("@@");
        for odd in ODD {
            let text = marked.to_string().replace("\"@@\"", odd);
            // YAML reads some of them as strings, which are compared as such.
            if let Ok(found) = read(&format!("# As YAML.\n{text}")) {
                compare(&good, &found);
            }
            let Ok(found) = read(&text) else { continue };
            let (there, back) = (compare(&good, &found), compare(&found, &good));
            assert_eq!(there.changes.is_empty(), back.changes.is_empty(), "{odd} at {way}");
            let is_told = !found.unrendered.is_empty();
            let as_silent = silence
                .as_ref()
                .is_some_and(|silence| silence.definitions == found.definitions);
            if as_silent && !is_told && !SILENT.contains(&odd) {
                assert_ne!(lint(&text), lint(&bare), "{odd} at {way} is passed over");
            }
        }
    }
}

fn nested(levels: usize, end: &str) -> Crds {
    let schema = (0..levels).fold(json!({ "type": "string", "pattern": end }), |inner, level| {
        let keyword = ["anyOf", "oneOf", "allOf"][level % 3];
        json!({ keyword: [inner] })
    });
    let mut whole = rich();
    whole["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"] = schema;
    read(&whole.to_string()).expect("it is a definition")
}

#[test]
fn nested_alternatives_need_no_more_space_than_their_text() {
    let report = compare(&nested(20, "^a"), &nested(20, "^b"));
    let [change] = report.changes.as_slice() else {
        panic!("{:#?}", report.changes);
    };
    assert_eq!(change.code, ChangeKind::CombinationChanged);
    let old = change
        .old
        .as_ref()
        .and_then(Json::as_str)
        .expect("the alternatives are reported");
    assert!(old.len() < 1_000, "{} bytes", old.len());
}

#[test]
fn crds_are_read_in_several_forms() {
    let whole = rich();
    let mut item = whole.clone();
    for key in ["kind", "apiVersion"] {
        drop(item.as_object_mut().expect("a table").remove(key));
    }
    let list = json!({
        "kind": "CustomResourceDefinitionList", "apiVersion": "apiextensions.k8s.io/v1", "items": [item],
    });
    let mixed = json!({ "kind": "List", "apiVersion": "v1", "items": [{ "kind": "ConfigMap" }, whole] });
    let flow = "{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, spec: {group: example.com, \
                names: {kind: Widget, plural: widgets}, versions: [{name: v1, served: true, storage: true}]}}";
    for (text, expected) in [
        (list.to_string(), 1),
        (mixed.to_string(), 1),
        (format!("{whole}\n{whole}"), 2),
        (
            format!("---\n{whole}\n---\n{{\"kind\": \"ConfigMap\"}}\n--- \n{whole}\n"),
            2,
        ),
        (flow.to_owned(), 1),
        // These mention CRDs, but are none.
        (
            "{\"title\": \"CustomResourceDefinition\", \"items\": {\"type\": \"string\"}}".to_owned(),
            0,
        ),
        ("crds: CustomResourceDefinition\nitems: 5\nspec: [a]\n".to_owned(), 0),
        ("kind: [CustomResourceDefinition]\nspec: 5\n".to_owned(), 0),
    ] {
        let found = read(&text).unwrap_or_else(|error| panic!("{error:?} in {text}"));
        assert_eq!(found.definitions.len(), expected, "{text}");
        assert_eq!(found.unrendered, [], "{text}");
    }
    let error = read("---\n{\"kind\": \"ConfigMap\"}\n---\n{\"kind\": \"CustomResourceDefinition\",\n3}");
    assert_eq!(error.map_err(|error| error.line).err(), Some(5));
}

#[test]
fn a_crd_of_an_unknown_version_is_not_skipped() {
    for (version, words) in [
        (
            json!("apiextensions.k8s.io/v2"),
            "of apiVersion `apiextensions.k8s.io/v2`",
        ),
        (
            json!("apiextension.k8s.io/v1"),
            "of apiVersion `apiextension.k8s.io/v1`",
        ),
        (Json::Null, "without apiVersion"),
    ] {
        let mut whole = rich();
        whole["apiVersion"] = version;
        let error = read(&whole.to_string()).expect_err("no server takes it");
        assert!(error.reason.contains(words), "{error:?}");
    }
}

const PATCHES: [&str; 2] = [
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgets.example.com\n  \
     annotations:\n    cert-manager.io/inject-ca-from: $(NAMESPACE)/$(NAME)\n",
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgets.example.com\n\
     spec:\n  conversion:\n    strategy: Webhook\n    webhook:\n      conversionReviewVersions: [v1]\n",
];

#[test]
fn patches_of_kustomize_are_no_crds() {
    for patch in PATCHES {
        let found = read(&format!("# One.\n---\n{patch}")).expect("it is passed over");
        assert_eq!(found.definitions, []);
        let reported: Vec<(u32, Source)> = found.unrendered.iter().map(|found| (found.line, found.sort)).collect();
        // A part that only adds annotations changes nothing.
        let expected = patch.contains("spec:").then_some((2, Source::Patch));
        assert_eq!(reported, Vec::from_iter(expected));
    }
    let folder = folder(&[("patch.yaml", PATCHES[1]), ("widgets.json", &rich().to_string())]);
    let run = run_in(&folder, &["diff", ".", "widgets.json"]).ended(0);
    // It says how the CRD of its name is converted, and the CRD says the same.
    assert_eq!(run.err, "0 breaking, 0 risky, 0 compatible in 1 kind\n");
    // The CRD has every keyword, some of which servers refuse.
    let run = run_in(&folder, &["lint", "."]).ended(1);
    assert!(
        run.err.starts_with("warning: skipped ./patch.yaml:1: a part of a CRD"),
        "{}",
        run.err
    );
}

#[test]
fn a_schema_under_a_misspelled_key_is_reported() {
    let whole = rich();
    let good = read(&whole.to_string()).expect("it is a definition");
    let text = whole.to_string().replace("openAPIV3Schema", "openApiV3Schema");
    let found = read(&text).expect("it is a definition");
    let report = compare(&good, &found);
    let reported: Vec<(&str, Option<&str>)> = report
        .changes
        .iter()
        .map(|change| (change.code.as_str(), change.subject.as_deref()))
        .collect();
    let unknown = ("unknown-keyword-changed", Some("schema.openApiV3Schema"));
    assert!(
        reported.contains(&("schema-removed", None)) && reported.contains(&unknown),
        "{reported:?}"
    );
    let reported = lint(&text.replace("\"deprecated\":true", "\"deprecated\":false"));
    let expected = "keyword `schema.openApiV3Schema` of the version is not a keyword: it has no effect";
    assert!(reported.iter().any(|found| found == expected), "{reported:?}");
}

#[test]
fn a_compressed_file_is_reported_as_such() {
    let folder = folder(&[]);
    write(&folder, "widgets.yaml", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
    let words = "widgets.yaml:1:1: compressed with gzip\nhelp: unpack it first";
    run_in(&folder, &["lint", "widgets.yaml"]).ended(2).says(&[words]);
    run_in(&folder, &["diff", "widgets.yaml", "."]).ended(2).says(&[words]);
}

#[test]
fn of_many_unreadable_files_some_are_reported_and_all_are_counted() {
    let texts: Vec<(String, &str)> = (0..30)
        .map(|at| (format!("{at}.yaml"), "kind: CustomResourceDefinition\nspec: ["))
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let folder = folder(&files);
    write(&folder, "good/widgets.json", rich().to_string().as_bytes());
    for command in [["diff", ".", "good"].as_slice(), &["lint", "."]] {
        let run = run_in(&folder, command)
            .ended(2)
            .says(&["error: 9 more; --verbose lists them\nerror: "]);
        assert_eq!(run.err.matches("error: ").count(), 22, "{}", run.err);
    }
    let run = run_in(&folder, &["lint", "1.yaml"]).ended(2);
    assert!(run.err.starts_with("error: 1.yaml:2:"), "{}", run.err);
}

#[test]
fn flags_and_names_that_servers_reject_are_errors_with_their_place() {
    let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  names: \
                {kind: Widget, plural: widgets, shortNames: [y]}\n  scope: Namespaced\n  versions:\n  - name: v1\n    \
                served: true\n    storage: true\n";
    read(text).expect("it is a definition");
    read(&text.replace("served: true", "served: yes")).expect("as YAML 1.1 writes it");
    let boolean = "expected `true` or `false`";
    let word = "expected a string";
    for (said, other, line, reason) in [
        ("served: true", "served: \"true\"", 9, boolean),
        ("storage: true", "storage: 1", 10, boolean),
        ("storage: true", "storage: true\n    deprecated: 'no'", 11, boolean),
        ("group: example.com", "group: -1", 4, word),
        ("kind: Widget", "kind: true", 5, word),
        ("scope: Namespaced", "scope: 1.5", 6, word),
        ("name: v1", "name: 1", 8, word),
    ] {
        let error = read(&text.replace(said, other)).expect_err(other);
        assert!(error.to_string().contains(reason), "{other}: {error}");
        assert_eq!(error.line, line, "{other}: {error}");
        assert!(error.column > 1, "{other}: {error}");
    }
}

/// A CRD with alternatives within each other, of which each is compared with each.
fn with_alternatives(kind: &str, required: &str) -> Json {
    let nested = (0..40).fold(
        json!({ "required": [required] }),
        |nested, _| json!({ "anyOf": [nested, { "required": ["c"], "minProperties": 2 }, { "required": [required] }] }),
    );
    let mut crd = rich();
    crd["spec"]["names"] = json!({ "kind": kind, "plural": format!("{kind}s").to_lowercase() });
    let version = &mut crd["spec"]["versions"][0];
    version["schema"]["openAPIV3Schema"]["properties"] = json!({ "spec": nested });
    crd
}

#[test]
fn kinds_that_take_too_many_steps_are_named_once() {
    let folder = folder(&[]);
    for (file, required) in [("old.yaml", "a"), ("new.yaml", "b")] {
        let crds = ["A", "B", "C"].map(|kind| with_alternatives(kind, required).to_string());
        write(&folder, file, crds.join("\n---\n").as_bytes());
    }
    let run = run_in(&folder, &["diff", "old.yaml", "new.yaml", "--format", "json"]).ended(1);
    let report: Json = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!(
        report["partly_compared"],
        json!(["example.com A", "example.com B", "example.com C"])
    );
    assert_eq!(run.err.matches("compared in part").count(), 1, "{}", run.err);
    for change in report["changes"].as_array().expect("there are changes") {
        assert_eq!(change["reason"], "it may reject values that were accepted", "{change}");
    }
    // A model is compared with its base in the same way.
    let model = "schemas = [\"crds.yaml\"]\ncalendar.releases = { \"1.0\" = 2024-01-31 }\n\
                 group.\"example.com\".version.v1 = { introduced = \"1.0\" }\n";
    let [old, new] = ["a", "b"].map(|required| with_alternatives("A", required).to_string());
    let folder = crate::program::folder(&[
        ("before/lifecycle.toml", model),
        ("before/crds.yaml", &old),
        ("after/lifecycle.toml", model),
        ("after/crds.yaml", &new),
    ]);
    let run = run_in(&folder, &["check", "after/lifecycle.toml", "--base", "before"]);
    assert_eq!(run.err.matches("compared in part").count(), 1, "{}", run.err);
}
