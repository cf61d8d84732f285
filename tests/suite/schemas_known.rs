//! Severities of schema changes on the command line, the baseline of `diff`, and the repository of its revisions.

#![cfg(test)]

use serde_json::{Value, json};

use crate::history::Repository;
use crate::lints::read;
use crate::program::{finish, folder, program, run_in, write};
use crate::schemas::widgets;

const BASELINE: &str = "lifecycle-diff-baseline.toml";

/// A CRD whose objects have these fields.
fn crd(fields: &Value) -> String {
    let schema = json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": fields } } });
    widgets(&[json!({ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } })])
        .to_string()
}

/// Two states: one field is removed, and the bound of another tightened.
fn states() -> tempfile::TempDir {
    let old = crd(&json!({ "a": { "type": "string" }, "b": { "type": "integer" } }));
    let new = crd(&json!({ "b": { "type": "integer", "maximum": 9 } }));
    folder(&[("old/widgets.json", &old), ("new/widgets.json", &new)])
}

#[test]
fn the_command_line_sets_severities_of_rules_and_codes() {
    let folder = states();
    let diff = |levels: &[&str]| run_in(&folder, &[&["diff", "old", "new", "--summary"], levels].concat());
    diff(&[]).ended(1).says(&["2 errors"]);
    diff(&["-W", "element-removal:field-removed"])
        .ended(1)
        .says(&["1 error", "1 warning"]);
    diff(&["-W", "1"]).ended(0).says(&["2 warnings"]);
    diff(&["-A", "1"])
        .ended(0)
        .says(&["2 breaking", "--all lists 2 more"])
        .silent_on(&["error"]);
    diff(&["-A", "1", "-D", "1:bound-tightened"])
        .ended(1)
        .says(&["1 error"]);
    diff(&["-W", "1:field-remved"])
        .ended(2)
        .says(&["did you mean `field-removed`"]);
    // In formats for build servers too.
    run_in(
        &folder,
        &["diff", "old", "new", "--format", "github", "-W", "1:field-removed"],
    )
    .ended(1)
    .says(&["::warning ", "::error "]);
}

#[test]
fn the_model_sets_severities_and_the_command_line_others() {
    let folder = states();
    let model = "[calendar]\ncurrent = \"1.2\"\n[calendar.releases]\n\"1.1\" = 2024-01-01\n\"1.2\" = 2024-05-01\n\
                 [group.\"example.com\".version]\nv1 = { introduced = \"1.1\" }\n\
                 [levels]\nelement-removal = { field-removed = \"warning\" }\n";
    write(&folder, "lifecycle.toml", model.as_bytes());
    let diff = |levels: &[&str]| {
        run_in(
            &folder,
            &[&["diff", "old", "new", "-m", "lifecycle.toml", "--summary"], levels].concat(),
        )
    };
    diff(&[])
        .ended(1)
        .says(&["1 error: bound-tightened 1", "1 warning: field-removed 1"]);
    diff(&["-D", "element-removal:field-removed"])
        .ended(1)
        .says(&["2 errors"]);
}

#[test]
fn a_path_after_two_revisions_is_refused_with_what_to_type() {
    run_in(&states(), &["diff", "v1", "v2", "config/crd"]).ended(2).says(&[
        "each state has its own path",
        "lifecycle diff v1:config/crd v2:config/crd",
    ]);
}

#[test]
fn changes_are_suppressed_by_a_file() {
    let folder = states();
    run_in(&folder, &["diff", "old", "new", "--write-baseline"])
        .ended(0)
        .says(&["recorded 2 findings in new/lifecycle-diff-baseline.toml"]);
    let file = folder.path().join("new").join(BASELINE);
    assert!(read(&file).contains("code = \"field-removed\"\nabout = \"example.com/v1 Widget .spec.a\""));
    run_in(&folder, &["diff", "old", "new"])
        .ended(0)
        .says(&[
            "2 breaking",
            "2 suppressed by new/lifecycle-diff-baseline.toml",
            "--all lists 2 more",
        ])
        .silent_on(&["field removed"]);
    run_in(&folder, &["diff", "old", "new", "--all"])
        .ended(0)
        .says(&["field removed"]);
    let run = run_in(&folder, &["diff", "old", "new", "--all", "--format", "json"]).ended(0);
    let report: Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!(report["summary"]["suppressed"], 2);
    assert_eq!(report["changes"][0]["known"], "baseline");
    assert_eq!(report["changes"][0]["rule"], "element-removal");
    run_in(&folder, &["diff", "old", "new", "--format", "github"])
        .ended(0)
        .silent_on(&["::error"]);
    // One that is worse, and one that is fixed.
    let new = crd(&json!({ "a": { "type": "string" }, "b": { "type": "integer", "maximum": 8 } }));
    write(&folder, "new/widgets.json", new.as_bytes());
    for format in ["table", "concise"] {
        run_in(&folder, &["diff", "old", "new", "--format", format])
            .ended(1)
            .says(&["Widget .spec.a is fixed, but still listed", "maximum none → 8"]);
    }
    run_in(&folder, &["diff", "old", "new", "-A", "1"])
        .ended(0)
        .silent_on(&["still listed"]);
}

#[test]
fn a_baseline_has_a_place_and_is_of_this_command() {
    let folder = states();
    let crd = read(&folder.path().join("new/widgets.json"));
    let diff = |options: &[&str]| {
        let arguments = [&["diff", "old", "-"], options].concat();
        finish(program(folder.path(), &arguments), crd.as_bytes())
    };
    diff(&["--write-baseline"])
        .ended(2)
        .says(&["has no folder for a baseline"]);
    diff(&["--write-baseline", "--baseline", "own.toml"]).ended(0);
    diff(&["--baseline", "own.toml"])
        .ended(0)
        .says(&["2 suppressed by own.toml"]);
    let foreign = "[[finding]]\nrule = \"crd-float\"\ncode = \"spec\"\nabout = \"x\"\n";
    write(&folder, "own.toml", foreign.as_bytes());
    run_in(&folder, &["diff", "old", "new", "--baseline", "own.toml"])
        .ended(2)
        .says(&["`lifecycle diff` has no findings of `crd-float`"]);
}

/// A repository with the tag `v1`, and a new state in its working tree.
fn repository() -> Repository {
    let field = |name: &str| crd(&json!({ name: { "type": "string" } }));
    let repository = Repository::committed(&[("config/crd/widgets.json", &field("a"))]);
    let commit = repository.commit("main");
    repository.point("refs/tags/v1", commit);
    repository.write("config/crd/widgets.json", &field("b"));
    let commit = repository.commit("main");
    repository.point("refs/tags/v2", commit);
    repository
}

#[test]
fn a_path_with_a_dot_begins_at_the_current_folder() {
    let repository = repository();
    let diff = |folder: &str, old: &str, new: &str| {
        let arguments = ["diff", "--format", "concise", old, new];
        finish(program(&repository.path().join(folder), &arguments), b"")
    };
    for (folder, old, new) in [
        ("config", "v1:./crd", "v2:./crd"),
        ("config", "v1:./crd", "v2"),
        ("config/crd", "v1:.", "widgets.json"),
        ("config/crd", "v1:../crd/widgets.json", "v2:config/crd"),
        ("config", "v1:config/crd", "./crd"),
    ] {
        diff(folder, old, new).ended(1).says(&["field removed"]);
    }
    diff("config", "v1:crd", "v2:./crd")
        .ended(2)
        .says(&["no file at or below v1:crd"]);
}

#[test]
fn revisions_may_be_those_of_a_named_repository() {
    let repository = repository();
    let elsewhere = states();
    let git = repository.path().to_str().expect("a path").to_owned();
    let below = format!("{git}/config");
    for (git, old, new) in [
        (&git, "v1", "v2"),
        (&git, "v1:config/crd", "v2:./config/crd"),
        (&below, "v1:./crd", "v2"),
        (&below, "v1:config/crd", "new"),
    ] {
        run_in(&elsewhere, &["diff", "--git", git, old, new, "--format", "concise"])
            .ended(1)
            .says(&["Widget .spec.a"]);
    }
    run_in(&elsewhere, &["diff", "--git", &git, "v1", "v3"])
        .ended(2)
        .says(&["there is no revision, file or folder `v3`"]);
    run_in(&elsewhere, &["diff", "--git", ".", "v1", "v2"])
        .ended(2)
        .says(&["--git FOLDER"]);
}
