//! Which findings in CRDs are known: those of the base, those of copied versions, and those in a baseline.

#![cfg(test)]

use lifecycle::evaluate::Linted;
use serde_json::{Value as Json, json};

use crate::lints::{cars, lint, read};
use crate::program::{folder, run_in, run_on, write};
use crate::schemas::widgets;

/// The file beside definitions that puts findings aside.
const BASELINE: &str = "lifecycle-lint-baseline.toml";

/// A version with these properties of its objects.
fn version(name: &str, properties: &Json) -> Json {
    json!({
        "name": name,
        "served": true,
        "storage": name == "v1",
        "schema": { "openAPIV3Schema": { "type": "object", "properties": properties } },
    })
}

/// The findings that count, with what they are about.
fn news(linted: &Linted) -> Vec<(String, String)> {
    let news = linted.findings().iter().filter(|finding| finding.known.is_none());
    let reported = news.map(|finding| (finding.code.to_string(), finding.element.clone().expect("an element")));
    reported.collect()
}

#[test]
fn all_that_a_new_version_brings_is_new() {
    let number = json!({ "type": "number" });
    let old = json!({ "status": { "type": "object" }, "a": number });
    let mut more = old.clone();
    more["b"] = number.clone();
    let before = lint(&widgets(&[version("v1", &old)]).to_string());
    assert_eq!(before.findings().len(), 2, "a status without subresource, and a number");
    let mut after = lint(&widgets(&[version("v1", &old), version("v2", &more)]).to_string());
    after.compare_with("base", &before);
    let expected = ["Widget", "Widget .a", "Widget .b"].map(|part| format!("example.com/v2 {part}"));
    let about: Vec<String> = news(&after).into_iter().map(|(_, element)| element).collect();
    assert_eq!(about, expected);
    // In a version that was there, what it takes over from another one is new too.
    let clean = json!({ "status": { "type": "object" } });
    let before = lint(&widgets(&[version("v1", &old), version("v2", &clean)]).to_string());
    let mut after = lint(&widgets(&[version("v1", &old), version("v2", &old)]).to_string());
    after.compare_with("base", &before);
    assert_eq!(
        news(&after),
        [("spec".to_owned(), "example.com/v2 Widget .a".to_owned())]
    );
}

#[test]
fn findings_are_put_aside_in_a_file() {
    let folder = folder(&[("crds/cars.yaml", &cars("a: {type: number}, b: {type: number}"))]);
    let strict = ["lint", "crds", "--fail-on", "warning"];
    run_in(&folder, &strict).ended(1).says(&["2 warnings"]);
    run_in(&folder, &["lint", "crds", "--write-baseline"])
        .ended(0)
        .says(&["recorded 2 findings in crds/lifecycle-lint-baseline.toml"]);
    let file = folder.path().join("crds").join(BASELINE);
    assert!(
        read(&file).contains("about = \"example.com/v1 Car .spec.a\""),
        "{}",
        read(&file)
    );
    run_in(&folder, &strict)
        .ended(0)
        .says(&[
            "no new findings",
            "2 suppressed by crds/lifecycle-lint-baseline.toml",
            "--all",
        ])
        .silent_on(&["`.spec.a`"]);
    run_in(&folder, &[&strict[..], &["--all"]].concat())
        .ended(0)
        .says(&["known warning[crd-float: spec]", "`.spec.a`"]);
    // One is fixed, one is new. Other files were not checked.
    write(
        &folder,
        "crds/cars.yaml",
        cars("a: {type: number}, c: {type: number}").as_bytes(),
    );
    run_in(&folder, &strict)
        .ended(1)
        .says(&[
            "`.spec.c`",
            "warning[baseline: fixed]",
            ".spec.b is fixed, but still listed",
            "1 suppressed",
        ])
        .silent_on(&["`.spec.a`"]);
    run_in(&folder, &[&strict[..], &["-A", "crd-float"]].concat())
        .ended(0)
        .silent_on(&["fixed"]);
    write(
        &folder,
        "crds/other.yaml",
        cars("").replace("Car", "Van").replace("cars", "vans").as_bytes(),
    );
    run_in(&folder, &["lint", "crds/other.yaml", "--fail-on", "warning"])
        .ended(0)
        .silent_on(&["fixed"]);
    run_in(&folder, &["lint", "crds", "--write-baseline"]).ended(0);
    run_in(&folder, &strict).ended(0).says(&["2 suppressed"]);
}

#[test]
fn a_baseline_is_of_one_command_and_is_not_lost() {
    let foreign = "[[finding]]\nrule = \"version-lifetime\"\ncode = \"overdue\"\nabout = \"example.com/v1\"\n";
    let folder = folder(&[("cars.yaml", &cars("a: {type: number}")), ("other.toml", foreign)]);
    let named = ["lint", "cars.yaml", "--baseline", "other.toml"];
    run_in(&folder, &named)
        .ended(2)
        .says(&["foreign-entry", "other.toml:1:1", "lifecycle lint --write-baseline"]);
    run_in(&folder, &[&named[..], &["--write-baseline"]].concat())
        .ended(2)
        .says(&["other.toml is not a baseline of this command", "help: "]);
    assert_eq!(read(&folder.path().join("other.toml")), foreign);
    run_in(&folder, &["lint", "cars.yaml", "--baseline", "none.toml"])
        .ended(2)
        .says(&["none.toml"]);
    // Half a look puts nothing aside.
    write(
        &folder,
        "broken.yaml",
        cars("").replace("served: true", "served: [").as_bytes(),
    );
    run_in(&folder, &["lint", "--write-baseline"])
        .ended(2)
        .says(&["broken.yaml:"]);
    assert!(!folder.path().join(BASELINE).exists());
}

#[test]
fn what_comes_from_standard_input_is_put_aside_where_it_is_said() {
    let text = cars("a: {type: number}");
    run_on(&text, &["lint", "-", "--write-baseline"])
        .ended(2)
        .says(&["has no folder for a baseline", "--baseline FILE"]);
    run_on(&text, &["lint", "-", "--write-baseline", "--baseline", "known.toml"])
        .ended(0)
        .says(&["recorded 1 finding in known.toml"]);
    run_on(cars(""), &["lint", "-", "--write-baseline", "--baseline", "known.toml"])
        .ended(0)
        .says(&["no findings to record"]);
}

#[test]
fn conventions_are_reported_if_asked_for() {
    let here = folder(&[(
        "cars.yaml",
        &cars("a: {type: boolean}, b: {type: string, nullable: true}"),
    )]);
    let quiet = run_in(&here, &["lint", "cars.yaml"]).ended(0);
    quiet.silent_on(&["crd-boolean", "crd-nullable"]);
    let asked = run_in(&here, &["lint", "cars.yaml", "--conventions"]).ended(0);
    asked.says(&["note[crd-boolean: field]", "note[crd-nullable: field]"]);
    let without = ["lint", "cars.yaml", "--conventions", "-A", "crd-nullable"];
    run_in(&here, &without)
        .ended(0)
        .says(&["note[crd-boolean: field]"])
        .silent_on(&["crd-nullable"]);
    let one = ["lint", "cars.yaml", "-D", "crd-nullable"];
    run_in(&here, &one)
        .ended(1)
        .says(&["error[crd-nullable: field]"])
        .silent_on(&["crd-boolean"]);
    // With a base, they are compared like all others.
    let compared = ["lint", "cars.yaml", "--conventions", "--base", "cars.yaml"];
    run_in(&here, &compared).ended(0).says(&["no new findings"]);
}
