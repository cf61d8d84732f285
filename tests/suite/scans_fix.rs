//! Versions that `scan --fix` rewrites, and those that it leaves alone.

#![cfg(test)]

use lifecycle::{Document, FileId};
use tempfile::TempDir;

use crate::program::{Run, folder, run_in, run_on, write};
use crate::support::evaluate;

#[expect(clippy::disallowed_methods, reason = "the test is about files")]
fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("the file can be read")
}

fn fix(folder: &TempDir, more: &[&str]) -> Run {
    let scan = ["scan", ".", "--fix", "--builtin", "kubernetes", "--to", "1.25"];
    run_in(folder, &[&scan[..], more].concat())
}

/// A text after `--fix`, which a second run leaves as it is.
fn fixed(text: &str) -> String {
    let folder = folder(&[("a.yaml", text)]);
    fix(&folder, &["--fail-on", "never"]).ended(0);
    let once = read(&folder, "a.yaml");
    fix(&folder, &["--fail-on", "never"])
        .ended(0)
        .says(&["rewrote 0 versions in 0 files"]);
    assert_eq!(read(&folder, "a.yaml"), once);
    once
}

#[test]
fn only_the_version_changes() {
    let text = "\
# Jobs
apiVersion:   \"batch/v1beta1\"  # old
kind: CronJob\r
metadata: {name: a, annotations: {note: batch/v1beta1}}
---
{\"kind\": \"Role\", \"apiVersion\": \"rbac.authorization.k8s.io/v1beta1\"}
---
apiVersion: autoscaling/v2beta2
kind: HorizontalPodAutoscaler
spec:
  scaleTargetRef: {apiVersion: extensions/v1beta1, kind: Deployment, name: web}
";
    let new = text
        .replacen("batch/v1beta1", "batch/v1", 1)
        .replace("rbac.authorization.k8s.io/v1beta1", "rbac.authorization.k8s.io/v1")
        .replace("autoscaling/v2beta2", "autoscaling/v2")
        .replace("extensions/v1beta1", "apps/v1");
    assert_eq!(fixed(text), new);
}

#[test]
fn objects_that_the_replacement_would_not_take_stay() {
    let kept = [
        "apiVersion: apps/v1beta1\nkind: Deployment\nspec: {replicas: 1}\n",
        "apiVersion: apps/v1beta1\nkind: Deployment\nspec: {selector: {matchLabels: {a: b}}, rollbackTo: {revision: 1}}\n",
        "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nspec: {selector: {matchLabels: {}}}\n",
        "apiVersion: extensions/v1beta1\nkind: Ingress\nspec: {backend: {serviceName: a, servicePort: 80}}\n",
        "apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\n",
        "kind: CronJobList\napiVersion: batch/v1beta1\nitems:\n  - metadata: {name: a}\n",
        "a: &a {apiVersion: batch/v1beta1, kind: CronJob}\napiVersion: v1\nkind: List\nitems: [*a]\n",
        "x: &v batch/v1beta1\napiVersion: *v\nkind: CronJob\n",
    ];
    for text in kept {
        assert_eq!(fixed(text), text);
    }
    let taken = "apiVersion: apps/v1beta1\nkind: Deployment\nspec: {selector: {matchLabels: {a: b}}}\n";
    assert_eq!(fixed(taken), taken.replace("apps/v1beta1", "apps/v1"));
}

#[test]
fn what_the_release_in_use_lacks_is_not_written() {
    let text = "apiVersion: autoscaling/v2beta2\nkind: HorizontalPodAutoscaler\n";
    let folder = folder(&[("a.yaml", text)]);
    let fix = |from: &str| {
        run_in(
            &folder,
            &[
                "scan",
                ".",
                "--fix",
                "--builtin",
                "kubernetes",
                "--from",
                from,
                "--to",
                "1.26",
            ],
        )
    };
    fix("1.22")
        .ended(1)
        .says(&["rewrote 0 versions", "which the release in use does not have yet"]);
    fix("1.23").ended(0).says(&["rewrote 1 version in 1 file"]);
}

#[test]
fn a_fixed_finding_does_not_fail_the_run_and_others_do() {
    let folder = folder(&[("a.yaml", "apiVersion: batch/v1beta1\nkind: CronJob\n")]);
    run_in(&folder, &["scan", ".", "--builtin", "kubernetes", "--to", "1.25"])
        .ended(1)
        .says(&["`--fix` rewrites these versions"]);
    fix(&folder, &[])
        .ended(0)
        .says(&["rewrote 1 version in 1 file", "no findings in 1 object"]);
    write(&folder, "b.yaml", b"apiVersion: extensions/v1beta1\nkind: Ingress\n");
    fix(&folder, &[]).ended(1).says(&["rewrote 0 versions", "1 error"]);
    run_on(
        "apiVersion: batch/v1beta1\nkind: CronJob\n",
        &["scan", "-", "--fix", "--builtin", "kubernetes", "--to", "1.25"],
    )
    .ended(1)
    .says(&["not rewritten: -: it is standard input"]);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let folder = folder(&[("files/a.txt", "apiVersion: batch/v1beta1\nkind: CronJob\n")]);
    std::os::unix::fs::symlink("files/a.txt", folder.path().join("a.yaml")).expect("a link can be made");
    fix(&folder, &[])
        .ended(1)
        .says(&["not rewritten: ./a.yaml: it is a link"]);
    assert!(read(&folder, "files/a.txt").contains("v1beta1"));
}

const OWN: &str = r#"
schemas = ["crd.yaml"]
[calendar]
current = "1.2"
releases = { "1.0" = 2024-01-10, "1.1" = 2024-10-10, "1.2" = 2025-08-10 }
[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.2" }
v1 = { introduced = "1.1" }
[group."example.com".kind]
Car = {}
"#;

const CRD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cars.example.com}
spec:
  group: example.com
  names: {kind: Car, plural: cars}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec: {type: object, required: [doors], properties: {doors: {type: integer, maximum: 5}}}
";

#[test]
fn the_schema_of_a_crd_decides_what_its_version_takes() {
    let cars = "\
apiVersion: example.com/v1beta1
kind: Car
metadata: {name: a, labels: {b: c}}
spec: {doors: 4}
---
apiVersion: example.com/v1beta1
kind: Car
spec: {doors: 6}
---
apiVersion: example.com/v1beta1
kind: Car
spec: {doors: 4, color: red}
";
    let folder = folder(&[("lifecycle.toml", OWN), ("crd.yaml", CRD), ("cars/a.yaml", cars)]);
    run_in(&folder, &["scan", "cars", "--fix"])
        .ended(1)
        .says(&["rewrote 1 version", "2 errors"]);
    assert_eq!(read(&folder, "cars/a.yaml"), cars.replacen("v1beta1", "v1", 1));
    write(
        &folder,
        "lifecycle.toml",
        OWN.replace("schemas = [\"crd.yaml\"]\n", "").as_bytes(),
    );
    write(&folder, "cars/a.yaml", cars.as_bytes());
    run_in(&folder, &["scan", "cars", "--fix"])
        .ended(1)
        .says(&["rewrote 0 versions"]);
    run_in(&folder, &["scan", "cars", "--fix", "--schemas", "crd.yaml"])
        .ended(1)
        .says(&["rewrote 1 version"]);
}

#[test]
fn the_list_of_kubernetes_names_what_its_model_has() {
    let list = include_str!("../../examples/kubernetes/rewrites.toml");
    let model = evaluate(include_str!("../../examples/kubernetes/lifecycle.toml")).expect("the model can be read");
    let mut scan = lifecycle::evaluate::Scan::new();
    scan.add_rewrites(&Document::parse(FileId(0), list))
        .expect("the list can be read");
    let table: toml::Table = list.parse().expect("the list is TOML");
    for (to, entry) in &table {
        let (_, kind) = to.split_once(' ').expect("a version and a kind");
        assert!(model.model().find(to).is_some(), "{to}");
        for from in entry["from"].as_array().expect("a list") {
            let from = format!("{} {kind}", from.as_str().expect("a version"));
            assert!(model.model().find(&from).is_some(), "{from}");
        }
    }
}
