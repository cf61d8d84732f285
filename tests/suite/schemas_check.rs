//! `check` with the schemas that a model names: losses in conversion, disagreements with the model, and breaking
//! changes.

#![cfg(test)]

use std::path::Path;

use serde_json::{Value as Json, json};

use crate::history::Repository;
use crate::program::{Run, finish, folder, program, run_in, write};

/// A model that agrees with [`CRD`].
const MODEL: &str = concat!(
    "schemas = [\"config/crd\"]\n",
    calendar!(current "1.2", to "1.2"),
    r#"[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", replacement = "v1" }
v1 = { introduced = "1.1" }
[group."example.com".kind.Widget]
storage = { v1beta1 = "1.0", v1 = "1.2" }
"#
);

const CRD: &str = r"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  names: { kind: Widget, plural: widgets }
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: { type: integer, maximum: 10 }
              color: { type: string, enum: [Red, Green] }
  - name: v1beta1
    served: true
    storage: false
    deprecated: true
    deprecationWarning: use example.com/v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: { type: integer, maximum: 10 }
              color: { type: string, enum: [Red, Green] }
";

const FILE: &str = "config/crd/widgets.yaml";

fn check(root: &Path, arguments: &[&str]) -> Run {
    finish(program(root, &[&["check"], arguments].concat()), b"")
}

#[expect(clippy::disallowed_methods, reason = "the tests read what the program wrote")]
fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("it is written")
}

/// A project with a model and a CRD.
fn project(model: &str, crd: &str) -> Repository {
    Repository::committed(&[("lifecycle.toml", model), (FILE, crd)])
}

/// The findings of a run, as rule, code, place and severity.
fn found(run: &Run) -> Vec<String> {
    let report: Json = serde_json::from_str(&run.out).unwrap_or_else(|problem| panic!("{problem}: {}", run.all()));
    let findings = report["diagnostics"].as_array().expect("there is a list");
    let text = |finding: &Json, key: &str| finding[key].as_str().unwrap_or("-").to_owned();
    let reported = findings.iter().map(|finding| {
        let [severity, rule, code] = ["severity", "rule", "code"].map(|key| text(finding, key));
        let (file, line) = (text(finding, "file"), finding["line"].as_u64().unwrap_or_default());
        format!("{severity} {rule}:{code} {file}:{line}")
    });
    reported.collect()
}

/// The new findings of a check against `main`.
fn news(repository: &Repository) -> Vec<String> {
    found(&check(repository.path(), &["--base", "main", "--format", "json"]))
}

#[test]
fn a_model_and_schemas_that_agree_have_no_findings() {
    let repository = project(MODEL, CRD);
    check(repository.path(), &[]).ended(0).says(&["no policy violations"]);
    check(repository.path(), &["--base", "main"])
        .ended(0)
        .says(&["no new policy violations"]);
}

#[test]
fn a_breaking_schema_change_is_a_finding_at_its_place() {
    let repository = project(MODEL, CRD);
    let changed = CRD
        .replacen("maximum: 10", "maximum: 8", 1)
        .replacen("[Red, Green]", "[Red]", 1);
    repository.write(FILE, &changed);
    assert_eq!(
        news(&repository),
        [
            "error element-removal:bound-tightened config/crd/widgets.yaml:19",
            "error element-removal:enum-value-removed config/crd/widgets.yaml:20",
        ]
    );
    let run = check(repository.path(), &["--base", "main", "--format", "github"]).ended(1);
    run.says(&[
        "::error file=config/crd/widgets.yaml,line=19,",
        "element-removal (bound-tightened)",
    ]);
}

#[test]
fn sarif_junit_and_json_have_the_same_findings() {
    let repository = project(MODEL, CRD);
    repository.write(FILE, &CRD.replace("maximum: 10", "maximum: 8"));
    let run = check(
        repository.path(),
        &[
            "--base",
            "main",
            "--output",
            "a.sarif",
            "--output",
            "junit=a.xml",
            "--format",
            "json",
        ],
    );
    assert_eq!(found(&run).len(), 2, "{}", run.all());
    let sarif = read(repository.path(), "a.sarif");
    let sarif: Json = serde_json::from_str(&sarif).expect("it is JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("there are results");
    assert_eq!(results.len(), 2);
    assert_eq!(results[0]["ruleId"], "element-removal");
    assert_eq!(results[0]["properties"]["number"], "1");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], FILE);
    assert_eq!(
        (&place["region"]["startLine"], &place["region"]["startColumn"]),
        (&19.into(), &15.into())
    );
    let junit = read(repository.path(), "a.xml");
    assert_eq!(junit.matches("type=\"bound-tightened\"").count(), 2);
}

#[test]
fn levels_of_the_base_set_severities_by_rule_and_code() {
    let repository = project(MODEL, CRD);
    repository.write(FILE, &CRD.replace("maximum: 10", "maximum: 8"));
    let graded = |arguments: &[&str]| {
        let arguments = [&["--base", "main", "--format", "json"], arguments].concat();
        found(&check(repository.path(), &arguments))
    };
    let warnings = graded(&["-W", "element-removal:bound-tightened"]);
    assert!(
        warnings.iter().all(|finding| finding.starts_with("warning ")),
        "{warnings:?}"
    );
    assert_eq!(graded(&["-A", "1"]), [""; 0]);
    // A change cannot excuse itself.
    repository.write("lifecycle.toml", &format!("levels.\"1\" = \"off\"\n{MODEL}"));
    let reported = graded(&[]);
    assert!(
        reported.contains(&"error element-removal:bound-tightened config/crd/widgets.yaml:19".to_owned()),
        "{reported:?}"
    );
    let unknown = ["--base", "main", "-W", "element-removal:bound-tightend"];
    check(repository.path(), &unknown)
        .ended(2)
        .says(&["did you mean `bound-tightened`?"]);
}

#[test]
fn a_removal_has_to_be_declared_and_is_reported_once() {
    let repository = project(MODEL, CRD);
    let without = CRD.split("  - name: v1beta1").next().expect("there is a head");
    repository.write(FILE, without);
    assert_eq!(
        news(&repository),
        ["error version-lifetime:version-removed config/crd/widgets.yaml:1"]
    );
    check(repository.path(), &["--base", "main"]).says(&["may be removed in 1.4 at the earliest"]);
    assert_eq!(
        found(&check(repository.path(), &["--format", "json"])),
        ["error schemas:unserved config/crd/widgets.yaml:1"]
    );
    repository.replace(
        "lifecycle.toml",
        "deprecated = \"1.1\",",
        "deprecated = \"1.1\", removed = \"1.3\",",
    );
    let reported = news(&repository);
    assert!(
        reported.contains(&"note version-lifetime:version-removed config/crd/widgets.yaml:1".to_owned()),
        "{reported:?}"
    );
    assert!(
        reported.contains(&"error version-lifetime:early lifecycle.toml:10".to_owned()),
        "{reported:?}"
    );
}

#[test]
fn changes_in_a_removed_version_are_not_reported() {
    let without_a_field = CRD.replace("              color: { type: string, enum: [Red, Green] }\n", "");
    let ended = |crd: &str| {
        let (head, v1beta1) = crd.split_once("  - name: v1beta1").expect("it has the version");
        format!(
            "{head}  - name: v1beta1{}",
            v1beta1.replacen("served: true", "served: false", 1)
        )
    };
    let repository = project(MODEL, CRD);
    repository.write(FILE, &ended(&without_a_field));
    assert_eq!(
        news(&repository),
        [
            "error element-removal:field-removed config/crd/widgets.yaml:16",
            "error version-lifetime:version-unserved config/crd/widgets.yaml:20",
        ]
    );
    check(repository.path(), &["--base", "main"]).says(&["example.com/v1 Widget .spec.color: field removed"]);

    // Objects are stored in it, so removed fields are lost.
    let stored = |crd: &str| {
        crd.replace("storage: true", "storage: no")
            .replace("storage: false", "storage: true")
    };
    let stored = |crd: &str| stored(crd).replace("storage: no", "storage: false");
    let repository = project(MODEL, &stored(CRD));
    repository.write(FILE, &stored(&ended(&without_a_field)));
    check(repository.path(), &["--base", "main"]).says(&["example.com/v1beta1 Widget .spec.color: field removed"]);
}

#[test]
fn an_unserved_version_may_be_removed_without_a_declaration() {
    let unknown = "  - name: v1alpha1\n    served: false\n    storage: false\n    schema:\n      openAPIV3Schema: { type: object }\n";
    let repository = project(MODEL, &format!("{CRD}{unknown}"));
    repository.write(FILE, CRD);
    assert_eq!(
        news(&repository),
        ["warning version-lifetime:unserved-version-removed config/crd/widgets.yaml:1"]
    );
    let run = check(repository.path(), &["--base", "main"]).ended(0);
    let run = run.says(&["check `status.storedVersions` in your clusters"]);
    assert!(!run.all().contains("bring it up to date"), "{}", run.all());
}

#[test]
fn an_unlisted_next_release_has_to_be_added_first() {
    let alpha = |text: &str| text.replace("v1beta1", "v1alpha1");
    let model = alpha(MODEL).replace("cadence = { months = 4 }\n", "");
    let repository = project(&model, &alpha(CRD));
    let crd = alpha(CRD);
    let without = crd.split("  - name: v1alpha1").next().expect("there is a head");
    repository.write(FILE, without);
    let list = ", after adding `\"1.3\" = \"unscheduled\"` to `[calendar.releases]`";
    check(repository.path(), &[]).ended(1).says(&[list]);
    check(repository.path(), &["--base", "main"]).ended(1).says(&[
        "declare the removal in the next release: `removed = \"1.3\"`, after adding",
        list,
    ]);
    let removal = ["--remove", "example.com/v1alpha1 Widget@1.3"];
    check(repository.path(), &removal)
        .ended(2)
        .says(&["release 1.3 is not in the calendar", "`\"1.3\" = \"unscheduled\"`"]);

    // Following the advice leads to a clean check.
    repository.replace(
        "lifecycle.toml",
        "\"1.2\" = 2023-09-01\n",
        "\"1.2\" = 2023-09-01\n\"1.3\" = \"unscheduled\"\n",
    );
    check(repository.path(), &removal).ended(0);
    repository.replace(
        "lifecycle.toml",
        "deprecated = \"1.1\",",
        "deprecated = \"1.1\", removed = \"1.3\",",
    );
    check(repository.path(), &["--base", "main"]).ended(0);
    check(repository.path(), &[]).ended(0);
}

#[test]
fn a_base_that_contradicts_itself_can_be_fixed() {
    let twice = "config/crd/again.yaml";
    let other = CRD.replace("maximum: 10", "maximum: 9");
    let repository = Repository::committed(&[("lifecycle.toml", MODEL), (FILE, CRD), (twice, &other)]);
    repository.delete(twice);
    assert_eq!(news(&repository), ["warning schemas:unreadable-base lifecycle.toml:1"]);
    check(repository.path(), &["--base", "main"]).ended(0).says(&[
        "main:config/crd/widgets.yaml:1:1: example.com Widget is defined differently in main:config/crd/again.yaml:1",
    ]);
}

#[test]
fn a_removed_crd_is_reported_at_the_model_and_its_old_place() {
    let other = CRD.replace("Widget", "Bolt").replace("widgets", "bolts");
    let model = format!("{MODEL}[group.\"example.com\".kind.Bolt]\n");
    let repository = Repository::committed(&[
        ("lifecycle.toml", model.as_str()),
        (FILE, CRD),
        ("config/crd/bolts.yaml", &other),
    ]);
    repository.delete("config/crd/bolts.yaml");
    assert_eq!(
        news(&repository),
        ["error version-lifetime:definition-removed lifecycle.toml:1"]
    );
    check(repository.path(), &["--base", "main"]).says(&["main:config/crd/bolts.yaml:1:1", "it was here"]);
}

#[test]
fn disagreements_with_the_model_are_reported_and_known_from_the_base() {
    for (model, crd, expected) in [
        (
            MODEL.replace("v1 = { introduced = \"1.1\" }\n", "v1 = { introduced = \"1.5\" }\n"),
            CRD.to_owned(),
            "warning schemas:undeclared config/crd/widgets.yaml:9",
        ),
        (
            MODEL.replace("\"1.1\", replacement", "\"1.1\", removed = \"1.2\", replacement"),
            CRD.to_owned(),
            "warning schemas:still-served config/crd/widgets.yaml:21",
        ),
        (
            MODEL.replace("deprecated = \"1.1\"", "deprecated = \"1.5\""),
            CRD.to_owned(),
            "warning schemas:unannounced config/crd/widgets.yaml:21",
        ),
        (
            MODEL.to_owned(),
            CRD.replace("    deprecated: true\n    deprecationWarning: use example.com/v1\n", ""),
            "warning schemas:unmarked config/crd/widgets.yaml:21",
        ),
        (
            MODEL.to_owned(),
            CRD.replace("storage: true", "storage: no")
                .replace("storage: false", "storage: true")
                .replace("storage: no", "storage: false"),
            "warning schemas:storage config/crd/widgets.yaml:21",
        ),
        (
            MODEL.to_owned(),
            CRD.replacen("served: true", "served: false", 1),
            "error schemas:unserved config/crd/widgets.yaml:9",
        ),
        (
            format!("{MODEL}[group.\"example.com\".kind.Bolt]\n"),
            CRD.to_owned(),
            "error schemas:unserved lifecycle.toml:14",
        ),
    ] {
        let repository = project(&model, &crd);
        let reported = found(&check(repository.path(), &["--format", "json"]));
        assert!(
            reported.iter().any(|found| found == expected),
            "{expected}: {reported:?}"
        );
        let reported = news(&repository);
        assert!(
            !reported.iter().any(|found| found == expected),
            "{expected}: {reported:?}"
        );
    }
}

#[test]
fn schemas_may_match_the_newest_or_the_next_release() {
    let shipped = MODEL.replace("v1beta1 = \"1.0\", v1 = \"1.2\"", "v1beta1 = \"1.0\", v1 = \"1.3\"");
    let stored_before = CRD
        .replace("storage: true", "storage: no")
        .replace("storage: false", "storage: true")
        .replace("storage: no", "storage: false");
    for crd in [CRD, &stored_before] {
        let repository = project(&shipped, crd);
        check(repository.path(), &[]).ended(0).says(&["no policy violations"]);
    }
    // In a group without kinds, the versions count.
    let versions = MODEL
        .split("[group.\"example.com\".kind")
        .next()
        .expect("there is a head");
    check(project(versions, CRD).path(), &[])
        .ended(0)
        .says(&["no policy violations"]);
}

#[test]
fn losses_are_reported_unless_the_model_represents_them() {
    let wider = CRD.replacen("color: {", "depth: { type: integer }\n              color: {", 1);
    let repository = project(MODEL, &wider);
    let lost = "error round-trip:lost-between-versions config/crd/widgets.yaml:20";
    assert_eq!(found(&check(repository.path(), &["--format", "json"])), [lost]);
    assert_eq!(news(&repository), [""; 0]);
    let all = check(repository.path(), &["--base", "main", "--format", "json", "--all"]).ended(0);
    assert_eq!(found(&all), [lost]);
    let kept = r#"field."spec.depth".in.v1 = { introduced = "1.1" }
field."spec.depth".in.v1beta1 = { represented-as = "@example.com/depth" }"#;
    repository.write("lifecycle.toml", &format!("{MODEL}{kept}\n"));
    check(repository.path(), &[]).ended(0);
    repository.write(
        FILE,
        &wider.replace(
            "  scope: Namespaced\n",
            "  scope: Namespaced\n  conversion: { strategy: None }\n",
        ),
    );
    check(repository.path(), &[]).ended(1).says(&["lost-between-versions"]);
}

#[test]
fn a_baseline_suppresses_findings_about_schemas() {
    let wider = CRD.replacen("color: {", "depth: { type: integer }\n              color: {", 1);
    let repository = project(MODEL, &wider);
    check(repository.path(), &["--write-baseline"])
        .ended(0)
        .says(&["recorded 1 finding"]);
    check(repository.path(), &[])
        .ended(0)
        .says(&["1 suppressed by lifecycle-baseline.toml"]);
}

#[test]
fn an_exception_makes_a_note_until_the_base_has_the_change() {
    let exception = "[[exception]]
rule = \"element-removal:bound-tightened\"
element = \"example.com/v1 Widget .spec.size\"
reason = \"nobody set more\"
approved-by = \"api-reviewers\"
";
    let field = "field.\"spec.size\" = { introduced = \"1.1\" }\n";
    let repository = project(&format!("{MODEL}{field}"), CRD);
    repository.write("lifecycle.toml", &format!("{MODEL}{field}{exception}"));
    repository.write(FILE, &CRD.replacen("maximum: 10", "maximum: 8", 1));
    assert_eq!(
        news(&repository),
        ["note element-removal:bound-tightened config/crd/widgets.yaml:19"]
    );
    check(repository.path(), &["--base", "main", "-v"])
        .ended(0)
        .says(&["(exception by api-reviewers: nobody set more)"]);
    // Only a comparison with a base shows whether it is needed.
    let alone = found(&check(repository.path(), &["--format", "json"]));
    assert!(
        !alone.iter().any(|reported| reported.contains(" exception:")),
        "{alone:?}"
    );
    let listed = finish(program(repository.path(), &["exceptions"]), b"").ended(0);
    listed.says(&["unjudged"]);

    repository.write(FILE, CRD);
    assert_eq!(news(&repository), ["warning exception:unneeded lifecycle.toml:15"]);
}

#[test]
fn the_base_uses_the_schemas_of_its_own_model() {
    let repository = Repository::committed(&[
        ("apis/lifecycle.toml", &MODEL.replace("config/crd", "../old")),
        ("old/widgets.yaml", CRD),
    ]);
    repository.delete("old/widgets.yaml");
    repository.write("apis/lifecycle.toml", &MODEL.replace("config/crd", "crds"));
    repository.write("apis/crds/widgets.yaml", &CRD.replace("maximum: 10", "maximum: 8"));
    let arguments = ["apis/lifecycle.toml", "--base", "main", "--format", "json"];
    let run = check(repository.path(), &arguments);
    assert_eq!(
        found(&run),
        [
            "error element-removal:bound-tightened apis/crds/widgets.yaml:19",
            "error element-removal:bound-tightened apis/crds/widgets.yaml:33"
        ]
    );
    // From a subfolder, and for a model on standard input, whose paths are relative to the current folder.
    let below = repository.path().join("apis");
    assert_eq!(found(&check(&below, &["--base", "main", "--format", "json"])).len(), 2);
    let mut piped = program(
        &below,
        &["check", "-", "--base", "main:apis/lifecycle.toml", "--format", "json"],
    );
    piped.current_dir(&below);
    let run = finish(piped, MODEL.replace("config/crd", "crds").as_bytes());
    assert_eq!(found(&run).len(), 2, "{}", run.all());
}

#[test]
fn a_base_that_names_no_schemas_uses_the_same_paths() {
    let silent = MODEL.replace("schemas = [\"config/crd\"]\n", "");
    let repository = project(&silent, CRD);
    repository.write("lifecycle.toml", MODEL);
    repository.write(FILE, &CRD.replacen("maximum: 10", "maximum: 8", 1));
    assert!(news(&repository).contains(&"error element-removal:bound-tightened config/crd/widgets.yaml:19".to_owned()));
    repository.write("lifecycle.toml", &MODEL.replace("config/crd", "crds"));
    repository.write("crds/widgets.yaml", CRD);
    assert_eq!(news(&repository), ["warning schemas:no-base lifecycle.toml:1"]);
}

#[test]
fn a_model_without_schemas_and_a_broken_base_are_reported() {
    let repository = project(MODEL, CRD);
    repository.write("lifecycle.toml", &MODEL.replace("schemas = [\"config/crd\"]\n", ""));
    assert_eq!(news(&repository), ["warning schemas:unnamed -:0"]);
    let repository = project(MODEL, &CRD.replace("versions:", "versions: ["));
    repository.write(FILE, CRD);
    assert_eq!(news(&repository), ["warning schemas:unreadable-base lifecycle.toml:1"]);
    check(repository.path(), &["--base", "main"])
        .ended(0)
        .says(&["main:config/crd/widgets.yaml:"]);
}

#[test]
fn openapi_documents_are_compared_with_documents_only() {
    let document = |fields: &[&str]| {
        let kind = json!({ "group": "example.com", "version": "v1", "kind": "Widget" });
        let fields = fields
            .iter()
            .map(|name| ((*name).to_owned(), json!({ "type": "string" })));
        let read = json!({ "x-kubernetes-action": "get", "x-kubernetes-group-version-kind": kind });
        json!({
            "swagger": "2.0",
            "paths": { "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}": { "get": read } },
            "definitions": {
                "Widget": {
                    "type": "object",
                    "x-kubernetes-group-version-kind": [kind],
                    "properties": fields.collect::<serde_json::Map<_, _>>(),
                },
            },
        })
        .to_string()
    };
    let only_v1 = MODEL.replace(
        "v1beta1 = { introduced = \"1.0\", deprecated = \"1.1\", replacement = \"v1\" }\n",
        "",
    );
    let only_v1 = only_v1.replace("v1beta1 = \"1.0\", v1 = \"1.2\"", "v1 = \"1.1\"");
    let repository = project(&only_v1, &document(&["a", "b"]));
    check(repository.path(), &[]).ended(0);
    repository.write(FILE, &document(&["a"]));
    let reported = news(&repository);
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(
        reported[0].starts_with("error element-removal:field-removed config/crd/widgets.yaml:"),
        "{reported:?}"
    );
    repository.write(FILE, CRD.split("  - name: v1beta1").next().expect("there is a head"));
    assert_eq!(news(&repository), ["warning schemas:no-base lifecycle.toml:1"]);
}

#[test]
fn a_file_has_crds_beside_openapi_documents() {
    let described = "swagger: '2.0'\npaths: {}\n---\n";
    let repository = project(MODEL, &format!("{described}{CRD}"));
    check(repository.path(), &[]).ended(0);
    repository.write(
        FILE,
        &format!("{described}{}", CRD.replace("maximum: 10", "maximum: 9")),
    );
    let tightened = news(&repository);
    let codes: Vec<&str> = tightened
        .iter()
        .filter_map(|finding| finding.split(' ').nth(1))
        .collect();
    assert_eq!(codes, ["element-removal:bound-tightened"; 2], "{tightened:?}");
    assert!(
        tightened[0].contains("widgets.yaml:22"),
        "the line in the file: {tightened:?}"
    );
}

#[test]
fn unreadable_schemas_are_errors_with_their_place() {
    let files = |model: &str, crd: &str| folder(&[("lifecycle.toml", model), (FILE, crd), ("notes/a.txt", "")]);
    let broken = files(MODEL, &CRD.replace("versions:", "versions: ["));
    run_in(&broken, &["check"])
        .ended(2)
        .says(&["schemas: unreadable", "--> config/crd/widgets.yaml:9:"]);
    for (named, words) in [
        ("config/crds", "there is no file or folder `config/crds`"),
        ("notes", "notes: no CustomResourceDefinition"),
        ("lifecycle.toml", "lifecycle.toml: no CustomResourceDefinition"),
        ("", "`` is not a path of schemas"),
        ("-", "`-` is not a path of schemas"),
    ] {
        let there = files(&MODEL.replace("config/crd", named), CRD);
        run_in(&there, &["check"])
            .ended(2)
            .says(&[words, "--> lifecycle.toml:1:12"]);
    }
    let number = files(&MODEL.replace("[\"config/crd\"]", "3"), CRD);
    run_in(&number, &["check"]).ended(2).says(&["wrong-type"]);
    let twice = files(
        MODEL,
        &format!("{CRD}---\n{}", CRD.replacen("maximum: 10", "maximum: 9", 1)),
    );
    run_in(&twice, &["check"])
        .ended(2)
        .says(&["is defined differently in config/crd/widgets.yaml:1"]);
    let included = folder(&[
        ("lifecycle.toml", &format!("include = [\"more.toml\"]\n{MODEL}")),
        ("more.toml", "schemas = [\"x\"]\n"),
        (FILE, CRD),
    ]);
    run_in(&included, &["check"])
        .ended(2)
        .says(&["`schemas` is allowed in the main file only"]);
}

#[test]
fn of_many_unreadable_schemas_some_are_reported_and_all_are_counted() {
    let texts: Vec<(String, String)> = (0..203)
        .map(|at| (format!("config/crd/{at:03}.yaml"), format!("# {at}\n{CRD}  - [\n")))
        .collect();
    let files = texts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let there = folder(&files.chain([("lifecycle.toml", MODEL)]).collect::<Vec<_>>());
    let run = run_in(&there, &["check"]).ended(2);
    let run = run.says(&["--> config/crd/199.yaml:", "and 3 more", "more than 200 errors"]);
    assert_eq!(run.err.matches("schemas: unreadable").count(), 200);
    assert!(!run.err.contains("config/crd/200.yaml"));
}

#[test]
fn no_output_overwrites_a_broken_schema_or_one_of_the_base() {
    let broken = format!("{CRD}  - [\n");
    let there = folder(&[
        ("now/lifecycle.toml", MODEL),
        ("now/config/crd/widgets.yaml", broken.as_str()),
        ("before/lifecycle.toml", MODEL),
        ("before/config/crd/widgets.yaml", CRD),
    ]);
    let refused = |file: &str| {
        let output = format!("json={file}");
        run_in(
            &there,
            &["check", "now/lifecycle.toml", "--base", "before", "--output", &output],
        )
        .ended(2)
        .says(&[&format!("--output would overwrite {file}, which is an input")]);
    };
    refused("now/config/crd/widgets.yaml");
    write(&there, "now/config/crd/widgets.yaml", CRD.as_bytes());
    refused("before/config/crd/widgets.yaml");
}

#[test]
fn no_output_overwrites_a_schema() {
    let there = folder(&[("lifecycle.toml", MODEL), (FILE, CRD)]);
    run_in(&there, &["check", "--output", &format!("json={FILE}")])
        .ended(2)
        .says(&["--output"]);
    run_in(&there, &["diff", FILE, FILE, "--output", &format!("json={FILE}")])
        .ended(2)
        .says(&["--output"]);
}

#[test]
fn diff_writes_the_same_findings_in_every_format() {
    let there = folder(&[
        ("old.yaml", CRD),
        (
            "new.yaml",
            &CRD.replacen("maximum: 10", "maximum: 8", 1)
                .replacen("[Red, Green]", "[Red, Green, Blue]", 1),
        ),
    ]);
    let arguments = [
        "diff", "old.yaml", "new.yaml", "--output", "a.sarif", "--output", "a.json", "--output", "a.xml", "--output",
        "a.md",
    ];
    run_in(&there, &arguments).ended(1);
    let read = |name: &str| read(there.path(), name);
    let sarif: Json = serde_json::from_str(&read("a.sarif")).expect("it is JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("there are results");
    let codes: Vec<&str> = results
        .iter()
        .filter_map(|result| result["properties"]["code"].as_str())
        .collect();
    assert!(
        codes.contains(&"bound-tightened") && codes.contains(&"enum-value-added"),
        "{codes:?}"
    );
    assert_eq!(sarif["runs"][0]["properties"]["judgedAgainst"], "old.yaml");
    let own: Json = serde_json::from_str(&read("a.json")).expect("it is JSON");
    assert!(
        own["changes"]
            .as_array()
            .is_some_and(|changes| changes.len() >= codes.len())
    );
    assert!(read("a.xml").contains("type=\"bound-tightened\""));
    assert!(read("a.md").starts_with("# Changes\n"));
    run_in(&there, &["diff", "old.yaml", "new.yaml", "--format", "github"])
        .ended(1)
        .says(&["::error file=new.yaml,line=19,", "::warning file=new.yaml,line=20,"]);
}
