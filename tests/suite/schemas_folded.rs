//! Many changes of schemas: what is alike is shown together, and nothing is lost.

#![cfg(test)]

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use lifecycle::diagnostic::Severity;
use lifecycle::schema::Verdict;

use crate::program::{Run, finish, folder, program, run_in};
use crate::schemas::{compare, widgets};

const KINDS: [&str; 3] = ["Car", "Van", "Bus"];

/// CRDs whose fields have a bound, or none; one field may be missing.
fn fleet(bound: Option<u32>, extra: bool) -> String {
    let kinds = KINDS.iter().map(|kind| {
        let mut fields: Map<String, Json> = (0..12)
            .map(|at| {
                let mut field = json!({ "type": "string" });
                if let Some(bound) = bound {
                    field["maxLength"] = json!(bound + at % 2);
                }
                (format!("field{at:02}"), field)
            })
            .collect();
        if extra {
            fields.insert("extra".to_owned(), json!({ "type": "string" }));
        }
        let plural = format!("{}s", kind.to_lowercase());
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": { "name": format!("{plural}.example.com") },
            "spec": {
                "group": "example.com", "names": { "kind": kind, "plural": plural }, "scope": "Namespaced",
                "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": {
                    "type": "object", "properties": { "spec": { "type": "object", "properties": fields } } } } }],
            },
        })
        .to_string()
    });
    kinds.collect::<Vec<_>>().join("\n---\n")
}

fn diff(arguments: &[&str]) -> Run {
    let here = folder(&[("old.yaml", &fleet(None, true)), ("new.yaml", &fleet(Some(63), false))]);
    let all: Vec<&str> = ["diff", "old.yaml", "new.yaml"]
        .iter()
        .chain(arguments)
        .copied()
        .collect();
    run_in(&here, &all).ended(1)
}

#[test]
fn all_kinds_are_lists_where_the_table_of_one_does_not_fit() {
    let crd = |kind: &str, rule: &str| {
        let plural = format!("{}s", kind.to_lowercase());
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": { "name": format!("{plural}.example.com") },
            "spec": {
                "group": "example.com", "names": { "kind": kind, "plural": plural }, "scope": "Namespaced",
                "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": {
                    "type": "object", "properties": { "spec": { "type": "object", "x-kubernetes-validations": [
                        { "rule": rule }] } } } } }],
            },
        })
        .to_string()
    };
    let all = |car: &str, bus: &str| [crd("Car", car), crd("Bus", bus)].join("\n---\n");
    let long = format!("self.{} > 1", "a".repeat(70));
    let name = format!("{}/new.yaml", "of".repeat(40));
    let here = folder(&[("old.yaml", &all("self.a", "self.a")), (&name, &all("self.b", &long))]);
    let mut command = program(here.path(), &["diff", "old.yaml", &name]);
    command.env("COLUMNS", "80");
    let run = finish(command, b"").ended(1);
    assert!(!run.out.contains('┌'), "{}", run.out);
    let place = format!("\n    v1 .spec\n      {name}:");
    assert_eq!(run.out.matches(&place).count(), 3, "a place is whole: {}", run.out);
    assert!(run.out.starts_with("example.com Bus\n  warning: "), "{}", run.out);
}

/// A change of the names of a kind is about no element below it.
#[test]
fn a_change_of_a_whole_kind_has_its_place_on_the_next_line() {
    let crd = |names: &str| {
        format!(
            "{{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {{name: cars.example.com}}, \
             spec: {{group: example.com, names: {{kind: Car, plural: cars{names}}}, scope: Namespaced, versions: \
             [{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}}}]}}}}\n"
        )
    };
    let here = folder(&[("old.yaml", &crd(", shortNames: [c]")), ("new.yaml", &crd(""))]);
    let mut command = program(here.path(), &["diff", "old.yaml", "new.yaml"]);
    command.env("COLUMNS", "44");
    let run = finish(command, b"").ended(1);
    let head = "\
example.com Car
  error: alias removed: shortNames c (breaks
      writers)
    new.yaml:1
";
    assert!(run.out.starts_with(head), "{}", run.out);
}

#[test]
fn what_is_alike_is_shown_together() {
    let folded = diff(&[]);
    let head = "\
39 errors: bound-tightened 36, field-removed 3

error: field removed: string (breaks writers and readers)
  in 3 kinds, 3 places: Bus v1 .spec.extra, Car v1 .spec.extra, Van v1 .spec.extra
error: bound tightened: maxLength none → 63 (18), 64 (18) (breaks writers)
  in 3 kinds, 36 places: Bus v1 .spec.field00, .spec.field01";
    assert!(folded.out.starts_with(head), "{}", folded.out);
    assert!(folded.out.lines().count() < 15, "{}", folded.out);
    assert_eq!(
        diff(&["--summary"]).out,
        "39 errors: bound-tightened 36, field-removed 3\n"
    );
    let page = diff(&["--format", "markdown"]).out;
    assert!(
        page.contains("| error | breaking | compatible | bound-tightened: "),
        "{page}"
    );
    assert!(page.lines().count() < 15, "{page}");
}

#[test]
fn nothing_is_lost_under_expand_and_in_json() {
    let expanded = diff(&["--expand"]).out;
    let report: Json = serde_json::from_str(&diff(&["--format", "json"]).out).expect("it is JSON");
    let changes = report["changes"].as_array().expect("a list");
    assert_eq!(changes.len(), 39);
    for change in changes {
        let path = change["path"].as_str().expect("a path");
        assert_eq!(expanded.matches(path).count(), KINDS.len(), "{path}");
    }
    let groups = report["groups"].as_array().expect("a list");
    let listed: Vec<u64> = groups
        .iter()
        .flat_map(|group| group["changes"].as_array().expect("a list"))
        .map(|at| at.as_u64().expect("a position"))
        .collect();
    let all: BTreeSet<u64> = listed.iter().copied().collect();
    assert_eq!((listed.len(), all.len()), (39, 39));
    assert_eq!(groups.len(), 2);
    assert_eq!(
        groups[1]["messages"][0],
        json!({ "message": "bound tightened: maxLength none → 63", "places": 18 })
    );
}

/// A CRD whose objects have a container, after an edit of its schema and of the root.
fn with_container(edit: impl Fn(&mut Json)) -> String {
    let text = json!({ "type": "string" });
    let container = json!({ "type": "object", "properties": {
        "command": text, "env": text, "image": text, "name": text, "tty": text, "volumeMounts": text } });
    let mut schema = json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": {
        "main": container, "size": { "type": "integer" } } } } });
    edit(&mut schema["properties"]["spec"]["properties"]);
    widgets(&[json!({ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } })])
        .to_string()
}

#[test]
fn changes_within_an_embedded_type_are_one_group() {
    let old = with_container(|_| {});
    let new = with_container(|fields| {
        fields["main"]["default"] = json!({});
        let main = &mut fields["main"]["properties"];
        main["name"]["default"] = json!("");
        main["args"] = json!({ "type": "string" });
        main.as_object_mut().expect("fields").remove("tty");
        main["image"]["maxLength"] = json!(9);
        fields["size"]["default"] = json!(1);
    });
    let report = compare(&old, &new);
    let within: Vec<_> = report
        .changes
        .iter()
        .filter(|change| change.embedded.is_some())
        .collect();
    assert!(
        within
            .iter()
            .all(|change| change.embedded.as_deref() == Some("core/v1 Container"))
    );
    let paths: Vec<&str> = within.iter().map(|change| change.path.as_str()).collect();
    // The default of the whole and the bound are the project's own, and so is what it leaves out.
    assert_eq!(paths, [".spec.main.args", ".spec.main.name"]);
    let groups: Vec<_> = report
        .groups
        .iter()
        .filter(|group| !group.embedded.is_empty())
        .collect();
    let [group] = groups.as_slice() else {
        panic!("one group: {groups:?}");
    };
    assert_eq!((group.changes.len(), group.embedded[0].places), (2, 2));
    assert_eq!(
        (group.severity, group.writers, group.readers),
        (Severity::Error, Verdict::Breaking, Verdict::Breaking)
    );
    let listed: usize = report.groups.iter().map(|group| group.changes.len()).sum();
    assert_eq!(listed, report.changes.len());
}

#[test]
fn a_change_that_kubernetes_did_not_make_is_the_projects_own() {
    let quantity = json!({ "x-kubernetes-int-or-string": true });
    for (name, was, is, is_embedded) in [
        // A text, where Kubernetes had a text all along.
        (
            "args",
            json!({ "type": "object" }),
            Some(json!({ "type": "string" })),
            false,
        ),
        ("args", quantity.clone(), Some(json!({ "type": "boolean" })), false),
        ("args", json!({ "type": "string" }), Some(quantity), true),
        ("tty", json!({ "type": "boolean" }), None, false),
    ] {
        let with = |field: Option<Json>| {
            with_container(|fields| {
                let main = fields["main"]["properties"].as_object_mut().expect("fields");
                main.remove(name);
                main.extend(field.clone().map(|field| (name.to_owned(), field)));
            })
        };
        let report = compare(&with(Some(was.clone())), &with(is.clone()));
        let embedded = report.changes.iter().map(|change| change.embedded.is_some());
        assert_eq!(embedded.collect::<Vec<_>>(), [is_embedded], "{name} {was} {is:?}");
    }
}

#[test]
fn what_kubernetes_removed_from_one_type_is_the_projects_own_in_another_one() {
    let resources = |of: &str, with_claims: bool| {
        with_container(|fields| {
            let text = json!({ "type": "string" });
            let mut resources = json!({ "type": "object", "properties": { "limits": text } });
            if with_claims {
                resources["properties"]["claims"] = text.clone();
            }
            fields["claim"] = json!({ "type": "object", "properties": {
                "accessModes": text, "storageClassName": text, "volumeName": text, "resources": text } });
            fields[of]["properties"]["resources"] = resources;
        })
    };
    for (of, expected) in [("claim", Some("core/v1 PersistentVolumeClaimSpec")), ("main", None)] {
        let report = compare(&resources(of, true), &resources(of, false));
        let embedded = report.changes.iter().map(|change| change.embedded.as_deref());
        assert_eq!(embedded.collect::<Vec<_>>(), [expected], "{of}");
    }
}

#[test]
fn a_policy_sets_the_severity_of_changes_within_embedded_types() {
    let old = with_container(|_| {});
    let new = with_container(|fields| {
        fields["main"]["properties"]["name"]["default"] = json!("");
        fields["main"]["properties"]["args"] = json!({ "type": "string" });
    });
    let policy = "name = \"own\"\nextends = \"kubernetes\"\n[schema]\nembedded = \"warning\"\n";
    let here = folder(&[("old.json", &old), ("new.json", &new), ("own.toml", policy)]);
    run_in(&here, &["diff", "old.json", "new.json"])
        .ended(1)
        .says(&["default added: \"\""]);
    run_in(
        &here,
        &[
            "diff",
            "--policy",
            "own.toml",
            "old.json",
            "new.json",
            "--all",
            "--summary",
        ],
    )
    .ended(0)
    .says(&["1 warning: default-added 1", "1 note: field-added 1"]);
}
