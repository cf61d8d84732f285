//! States that are compared while they are read: files, their order, and what was read before have no effect, and
//! neither state is held as a whole.

#![cfg(test)]

use std::process::Stdio;

use serde_json::{Value as Json, json};
use tempfile::TempDir;
use wait4::Wait4;

use crate::program::{folder, program, run_in};

/// A CRD of a group with a plural, whose objects have text fields of at most so many characters.
fn crd(plural: &str, kind: &str, fields: usize, most: usize) -> String {
    let texts = (0..fields).map(|at| {
        let words = "what this field is for, in words that take some space; ".repeat(4);
        let field = json!({ "type": "string", "maxLength": most, "description": words });
        (format!("field{at:04}"), field)
    });
    let spec: serde_json::Map<String, Json> = texts.collect();
    let schema = json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": spec } } });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.example.com") },
        "spec": {
            "group": "example.com", "names": { "kind": kind, "plural": plural }, "scope": "Namespaced",
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    })
    .to_string()
}

/// A CRD with one version, or with two that differ, so that it matters whether a webhook converts.
fn trams(versions: usize) -> String {
    let mut crd: Json = serde_json::from_str(&crd("trams", "Tram", 0, 9)).expect("it is JSON");
    let version = |name: &str, is_stored: bool, field: &str| {
        json!({ "name": name, "served": true, "storage": is_stored, "schema": { "openAPIV3Schema": {
            "type": "object", "properties": { "spec": { "type": "object", "properties": {
                field: { "type": "string" } } } } } } })
    };
    let all = [version("v1", true, "a"), version("v2", false, "b")];
    crd["spec"]["versions"] = json!(all[..versions]);
    crd.to_string()
}

/// The changes between two states without their files: code, element and message.
fn changes(here: &TempDir, states: [&str; 2]) -> Vec<[String; 4]> {
    let run = run_in(here, &["diff", states[0], states[1], "--all", "--format", "json"]);
    let report: Json = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.all()));
    let changes = report["changes"].as_array().expect("a list");
    let text = |change: &Json, key: &str| change[key].to_string();
    changes
        .iter()
        .map(|change| ["code", "kind", "path", "message"].map(|key| text(change, key)))
        .collect()
}

#[test]
fn files_and_their_order_have_no_effect() {
    let old = [
        crd("cars", "Car", 3, 9),
        crd("vans", "Van", 2, 9),
        crd("old", "Bus", 2, 9),
        crd("gone", "Gone", 1, 9),
    ];
    let new = [
        crd("cars", "Car", 3, 7),
        crd("vans", "Van", 3, 9),
        crd("buses", "Bus", 2, 8),
        crd("more", "More", 1, 9),
    ];
    let joined = |crds: &[&String]| crds.iter().map(|crd| crd.as_str()).collect::<Vec<_>>().join("\n---\n");
    let in_order: Vec<&String> = new.iter().collect();
    let reversed: Vec<&String> = new.iter().rev().collect();
    let list = format!(
        "{{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{}]}}",
        new.join(", ")
    );
    let here = folder(&[
        ("old/0.yaml", &old[0]),
        ("old/1.yaml", &old[1]),
        ("old/2.yaml", &old[2]),
        ("old/3.yaml", &old[3]),
        ("same/0.yaml", &new[0]),
        ("same/1.yaml", &new[1]),
        ("same/2.yaml", &new[2]),
        ("same/3.yaml", &new[3]),
        ("other/9/x.yaml", &new[0]),
        ("other/0.yaml", &new[3]),
        ("other/a.yaml", &joined(&[&new[2], &new[1], &new[0]])),
        ("one.yaml", &joined(&in_order)),
        ("reversed.yaml", &joined(&reversed)),
        ("list.json", &list),
    ]);
    let found = changes(&here, ["old", "same"]);
    let codes = |code: &str| found.iter().filter(|change| change[0].contains(code)).count();
    assert_eq!((codes("bound-tightened"), codes("field-added")), (5, 1), "{found:?}");
    assert_eq!(
        (
            codes("definition-removed"),
            codes("definition-added"),
            codes("name-changed")
        ),
        (1, 1, 1)
    );
    for state in ["other", "one.yaml", "reversed.yaml", "list.json"] {
        assert_eq!(changes(&here, ["old", state]), found, "{state}");
    }
}

#[test]
fn a_kind_that_a_state_has_twice_must_be_the_same() {
    let cars = crd("cars", "Car", 3, 9);
    let here = folder(&[
        ("old/a.yaml", &cars),
        ("new/a.yaml", &cars),
        ("new/b.yaml", &cars),
        ("unlike/a.yaml", &cars),
        ("unlike/b.yaml", &crd("cars", "Car", 3, 8)),
    ]);
    run_in(&here, &["diff", "old", "new"]).ended(0);
    run_in(&here, &["diff", "old", "unlike"])
        .ended(2)
        .says(&["unlike/b.yaml:1:1: example.com Car is defined differently in unlike/a.yaml:1"]);
}

#[test]
fn a_patch_completes_crds_that_were_read_before_it() {
    let patch = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  \
                 name: trams.example.com\nspec:\n  conversion:\n    strategy: Webhook\n";
    let (old, new) = (trams(1), trams(2));
    let here = folder(&[
        ("old/crd.yaml", &old),
        ("new/crd.yaml", &new),
        ("patched/crd.yaml", &new),
        ("patched/later.yaml", patch),
        ("other/crd.yaml", &new),
        ("other/later.yaml", &patch.replace("trams", "cars")),
    ]);
    let lost = "lost-between-versions";
    run_in(&here, &["diff", "old", "new"]).says(&[lost]);
    run_in(&here, &["diff", "old", "patched"]).silent_on(&[lost, "skipped"]);
    // What completes nothing is reported.
    run_in(&here, &["diff", "old", "other"]).says(&[lost, "skipped other/later.yaml:1: a part of a CRD"]);
}

/// The most memory that a comparison of so many kinds takes, in MiB.
fn peak(kinds: usize) -> u64 {
    let texts: Vec<(String, String)> = (0..kinds)
        .flat_map(|at| {
            let one = |state: &str, most| {
                let text = crd(&format!("kind{at}s"), &format!("Kind{at}"), 500, most);
                (format!("{state}/{at}.json"), text)
            };
            [one("old", 9), one("new", 9 + at % 2)]
        })
        .collect();
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let here = folder(&files);
    let mut command = program(here.path(), &["diff", "old", "new", "--summary"]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let used = child.wait4().expect("it ends");
    assert!(used.status.success(), "only bounds are looser");
    used.rusage.maxrss >> 20
}

#[test]
fn memory_does_not_grow_with_the_number_of_kinds() {
    let (few, many) = (peak(2), peak(24));
    assert!(many < few + 12, "2 kinds take {few} MiB, 24 take {many} MiB");
}
