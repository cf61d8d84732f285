//! Many findings in CRDs: what is alike is shown together, and nothing is lost; long lines are cut.

#![cfg(test)]

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use crate::program::{Run, folder, run_in};

/// A CRD whose spec has lists without a type, and whose status has no subresource in one of them.
fn fleet(kind: &str, lists: usize, status: bool) -> Json {
    let list = json!({ "type": "array", "items": { "type": "string" } });
    let fields: serde_json::Map<_, _> = (0..lists).map(|at| (format!("list{at:02}"), list.clone())).collect();
    let mut properties = json!({ "spec": { "type": "object", "default": {}, "properties": fields } });
    if status {
        properties["status"] = json!({ "type": "object" });
    }
    let plural = format!("{}s", kind.to_lowercase());
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.example.com") },
        "spec": {
            "group": "example.com", "names": { "kind": kind, "plural": plural }, "scope": "Namespaced",
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": {
                "type": "object", "properties": properties } } }],
        },
    })
}

fn lint(arguments: &[&str]) -> Run {
    let kinds = [fleet("Bus", 15, false), fleet("Car", 15, true)];
    let crds: Vec<String> = kinds.iter().map(Json::to_string).collect();
    let here = folder(&[("crds.yaml", &crds.join("\n---\n"))]);
    run_in(&here, &[&["lint", "crds.yaml"], arguments].concat()).ended(0)
}

#[test]
fn many_findings_are_shown_by_what_is_alike() {
    let folded = lint(&["-v"]).out;
    let warning = folded.find("warning[crd-status:no-subresource]").expect("a warning");
    let note = folded
        .find("note[crd-list-type:missing]: the field has no list type: ")
        .expect("a note about the field");
    assert!(warning < note, "{folded}");
    assert!(
        folded.contains("  in 2 kinds, 30 places: Bus v1 .spec.list00, .spec.list01, "),
        "{folded}"
    );
    assert!(
        folded.contains("\n1 warning: crd-status:no-subresource 1\n30 notes: crd-list-type:missing 30\n"),
        "{folded}"
    );
    assert!(folded.lines().count() < 20, "{folded}");
    assert!(folded.lines().all(|line| line.chars().count() <= 120), "{folded}");
    let expanded = lint(&["--expand", "-v"]).out;
    assert_eq!(expanded.matches("note[crd-list-type: missing]").count(), 30);
    assert!(
        expanded.starts_with("warning[crd-status: no-subresource]"),
        "{expanded}"
    );
    let counts = "1 warning: crd-status:no-subresource 1\n30 notes: crd-list-type:missing 30\n";
    assert_eq!(lint(&["--summary"]).out, counts);
}

#[test]
fn pages_and_data_have_what_is_alike_too() {
    let page = lint(&["--format", "markdown"]).out;
    assert!(
        page.contains("| note | crd-list-type:missing: the field has no list type: "),
        "{page}"
    );
    assert!(page.lines().count() < 12, "{page}");
    assert!(lint(&["--format", "markdown", "--expand"]).out.lines().count() > 30);
    let data: Json = serde_json::from_str(&lint(&["--format", "json"]).out).expect("JSON");
    let groups = data["finding_groups"].as_array().expect("groups");
    let places: Vec<usize> = groups
        .iter()
        .map(|group| group["findings"].as_array().expect("positions").len())
        .collect();
    assert_eq!(places, [1, 30]);
    assert_eq!(groups[1]["kinds"], json!(["example.com Bus", "example.com Car"]));
    assert_eq!(data["diagnostics"].as_array().map(Vec::len), Some(31));
}

#[test]
fn few_findings_are_shown_with_their_lines() {
    let here = folder(&[("crd.yaml", &fleet("Car", 2, false).to_string())]);
    let shown = run_in(&here, &["lint", "crd.yaml", "-v"]).ended(0).out;
    assert_eq!(shown.matches("note[crd-list-type: missing]").count(), 2, "{shown}");
}

#[test]
fn of_a_long_line_the_part_around_a_place_is_shown() {
    let here = folder(&[("crd.json", &fleet("Car", 12, false).to_string())]);
    let shown = run_in(&here, &["lint", "crd.json", "-v"]).ended(0).out;
    let marked = shown.lines().zip(shown.lines().skip(1));
    let mut marked = marked.filter(|(_, below)| below.contains("^^^^"));
    let (line, below) = marked.next().expect("a marked line");
    let start = below.find('^').expect("a mark");
    assert!(line[start..].starts_with("\"list00\":"), "{line}\n{below}");
    assert_eq!(marked.count(), 11);
    assert!(shown.lines().all(|line| line.chars().count() <= 120), "{shown}");
}

#[test]
fn skipped_patches_are_one_line() {
    let mut files = vec![("crd.yaml".to_owned(), fleet("Car", 1, false).to_string())];
    for at in 0..5 {
        let mut patch = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n".to_owned();
        let _ = writeln!(
            patch,
            "metadata: {{name: cars{at}.example.com}}\nspec: {{conversion: {{strategy: Webhook}}}}"
        );
        files.push((format!("patches/{at}.yaml"), patch));
    }
    let head =
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: cars.example.com\n";
    let injected = format!("{head}  annotations: {{cert-manager.io/inject-ca-from: a/b}}\n");
    files.push(("patches/injected.yaml".to_owned(), injected));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let here = folder(&files);
    let run = run_in(&here, &["lint", "."]).ended(0);
    assert_eq!(run.err.matches("skipped").count(), 1, "{}", run.err);
    run.says(&["warning: skipped 6 parts of CRDs"]);
    run_in(&here, &["lint", ".", "--verbose"]).says(&["skipped ./patches/3.yaml:1"]);
}

#[test]
fn items_of_a_typed_list_are_judged_as_servers_do() {
    let mut wrong = fleet("Car", 1, false);
    wrong["spec"]["versions"][0]["storage"] = json!(false);
    for key in ["apiVersion", "kind"] {
        wrong.as_object_mut().expect("a table").remove(key);
    }
    let typed = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinitionList", "items": [wrong],
    });
    let here = folder(&[("list.json", &typed.to_string())]);
    run_in(&here, &["lint", "list.json"])
        .ended(1)
        .says(&["error[crd-refused: versions]"]);
}
