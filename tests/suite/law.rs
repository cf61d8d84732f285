//! The law in force: `policies show --effective`, and the numbers on the page of a rule.

#![cfg(test)]

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::program::{finish, folder, program, run_in, run_on};

const POLICY: &str = "name = \"ours\"
edition = \"1\"
extends = \"kubernetes\"
[lifetime]
ga = { after-deprecation = { months = 24 } }
[rule.version-lifetime]
beta = { after-deprecation = { months = 12 } }
severity = { overdue = \"error\", custom = { ga = \"warning\" } }
[rule.gate-warning]
off = true
[words]
release = \"v{release}\"
";

const MODEL: &str = "policy = \"ours.toml\"
[levels]
version-lifetime = { unplanned-beta = \"note\" }
[calendar.releases]
\"1.0\" = 2024-01-01
[group.\"example.com\".version]
v1 = { introduced = \"1.0\" }
";

fn here() -> TempDir {
    folder(&[("lifecycle.toml", MODEL), ("ours.toml", POLICY)])
}

/// What sets a key of a table, and its value.
fn setting(report: &Json, table: &str, key: &str) -> (String, String) {
    let tables = report["editions"][0]["tables"]
        .as_array()
        .expect("an edition has tables");
    let table = tables
        .iter()
        .find(|known| known["table"] == table)
        .expect("the table is there");
    let settings = table["settings"].as_array().expect("a table has settings");
    let setting = settings
        .iter()
        .find(|setting| setting["key"] == key)
        .unwrap_or_else(|| panic!("no {key} in {table}"));
    let text = |key: &str| setting[key].as_str().expect("it is a text").to_owned();
    (text("value"), text("set_by"))
}

/// The line of a built-in policy that has a text, after another one.
fn line_of(after: &str, text: &str) -> usize {
    let policy = lifecycle::policy::builtin("kubernetes").expect("it is built in");
    let start = policy.find(after).expect("it has this table");
    let at = start + policy[start..].find(text).expect("it has this text");
    policy[..at].matches('\n').count() + 1
}

#[test]
fn each_value_has_the_place_that_sets_it() {
    let arguments = [
        "policies",
        "show",
        "--effective",
        "--format",
        "json",
        "-W",
        "version-lifetime:early",
    ];
    let run = run_in(&here(), &arguments).ended(0);
    let report: Json = serde_json::from_str(&run.out).expect("it is JSON");
    let found = |key: &str| setting(&report, "rule.version-lifetime", key);
    let is = |value: &str, set_by: &str| (value.to_owned(), set_by.to_owned());
    // Of a parent, of the file, of the file by a lifetime, of the model, of the command line.
    let parent = format!("kubernetes:{}", line_of("[rule.version-lifetime]", "deprecate-within"));
    assert_eq!(found("beta.deprecate-within").1, parent);
    assert_eq!(found("beta.after-deprecation"), is("{ months = 12 }", "ours.toml:7"));
    assert_eq!(found("ga.after-deprecation"), is("{ months = 24 }", "ours.toml:5"));
    assert_eq!(found("severity.overdue"), is("\"error\"", "ours.toml:8"));
    assert_eq!(found("severity.custom.ga"), is("\"warning\"", "ours.toml:8"));
    assert_eq!(found("severity.unplanned-beta"), is("\"note\"", "lifecycle.toml:3"));
    assert_eq!(found("severity.early"), is("\"warning\"", "-W version-lifetime:early"));
    assert_eq!(
        setting(&report, "words", "release"),
        is("\"v{release}\"", "ours.toml:12")
    );
    let off = report["editions"][0]["off"].as_array().expect("rules that are off");
    assert!(off.iter().any(|rule| rule == "gate-warning"), "{off:?}");
    let behaviors = setting(&report, "rule.behavior-lifetime", "all.after-deprecation");
    assert_eq!(behaviors, is("{ months = 24 }", "ours.toml:5"));
}

#[test]
fn every_value_of_every_built_in_policy_is_shown_with_a_place() {
    let here = folder(&[]);
    for policy in lifecycle::policy::BUILT_IN {
        let run = run_in(
            &here,
            &["policies", "show", policy.name, "--effective", "--format", "json"],
        )
        .ended(0);
        let report: Json = serde_json::from_str(&run.out).expect("it is JSON");
        let tables = report["editions"][0]["tables"]
            .as_array()
            .expect("an edition has tables");
        assert!(tables.len() > 5, "{}", policy.name);
        let settings = tables.iter().filter_map(|table| table["settings"].as_array()).flatten();
        for setting in settings {
            let set_by = setting["set_by"].as_str().expect("it is a text");
            let place = set_by
                .split_once(':')
                .and_then(|(name, line)| Some((name, line.parse::<usize>().ok()?)));
            let Some((name, line)) = place else {
                assert_eq!(set_by, "default", "{}: {setting}", policy.name);
                continue;
            };
            let text = lifecycle::policy::builtin(name).expect("it is built in");
            let line = text.lines().nth(line - 1).expect("the file has the line");
            let key = setting["key"]
                .as_str()
                .expect("it is a text")
                .rsplit('.')
                .next()
                .expect("it has a key");
            assert!(
                line.contains(key) || key.is_empty(),
                "{}: {setting}: {line}",
                policy.name
            );
        }
    }
}

#[test]
fn the_page_of_a_rule_ends_with_the_numbers_that_are_asked_for() {
    let here = here();
    let general = run_in(&here, &["explain", "version-lifetime"])
        .ended(0)
        .silent_on(&["ours.toml:"]);
    let ours = run_in(&here, &["explain", "4a", "--policy", "ours.toml"]).ended(0);
    assert!(ours.out.starts_with(&general.out));
    ours.says(&[
        "## In ours, edition 1",
        "| `beta.after-deprecation` | `{ months = 12 }` | `ours.toml:7` |",
    ]);
    run_in(&here, &["explain", "version-lifetime", "-m", "lifecycle.toml"])
        .ended(0)
        .says(&["| `severity.unplanned-beta` | `\"note\"` | `lifecycle.toml:3` |"]);
    run_in(&here, &["explain", "gate-warning", "--policy", "ours.toml"])
        .ended(0)
        .says(&["This rule is not in force."]);
}

#[test]
fn a_policy_is_printed_as_it_is_unless_the_effect_is_asked_for() {
    let here = here();
    assert_eq!(run_in(&here, &["policies", "show", "ours.toml"]).ended(0).out, POLICY);
    run_in(&here, &["policies", "show"]).ended(2);
    run_in(&here, &["policies", "show", "kubernets", "--effective"])
        .ended(2)
        .says(&["did you mean `kubernetes`?"]);
}

#[test]
fn pages_fit_a_terminal_and_have_no_marks() {
    let here = folder(&[]);
    let topics = [
        "policy",
        "windows",
        "planning",
        "P6",
        "model",
        "schema",
        "words",
        "history",
        "beta",
        "version-lifetime",
    ];
    for topic in topics {
        for columns in ["80", "120"] {
            let mut command = program(here.path(), &["explain", topic, "--format", "text"]);
            command.env("COLUMNS", columns);
            let page = finish(command, b"").ended(0).out;
            let widest: usize = columns.parse().expect("a number");
            for line in page.lines() {
                let is_code = line.starts_with("    ");
                let is_long = line.chars().count() > widest && line.trim().contains(' ');
                assert!(is_code || !is_long, "{topic}, {columns}: {line}");
                let has_marks = ["**", "| ---", "```", "](", "# "]
                    .iter()
                    .any(|mark| line.starts_with(mark));
                assert!(is_code || !has_marks, "{topic}: {line}");
            }
            assert!(!page.contains("| --- |") && !page.contains("```"), "{topic}");
        }
        let raw = run_in(&here, &["explain", topic]).ended(0).out;
        assert_eq!(
            run_in(&here, &["explain", topic, "--format", "markdown"]).ended(0).out,
            raw
        );
        assert!(raw.starts_with("# "), "{topic}");
    }
}

/// The numbers of the rules that find a removal in 1.3 too early, if another edition begins in a release.
fn numbers(from: &str) -> Vec<Json> {
    let model = format!(
        r#"
policy = [{{ use = "kubernetes" }}, {{ use = "semver-major", from = "{from}" }}]
calendar.current = "1.3"
calendar.releases = {{ "1.0" = 2024-01-01, "1.1" = 2024-05-01, "1.2" = 2024-09-01, "1.3" = 2025-01-01, "1.4" = 2025-05-01 }}
[group."g.example".version]
v1 = {{ introduced = "1.0", deprecated = "1.1", removed = "1.3" }}
v2 = {{ introduced = "1.0" }}
"#
    );
    let run = run_on(model, &["check", "-m", "-", "--format", "json"]);
    let report: Json = serde_json::from_str(&run.out).expect("JSON");
    let findings = report["diagnostics"].as_array().expect("findings").iter();
    let early = findings.filter(|finding| finding["code"] == "early");
    early.map(|finding| finding["number"].clone()).collect()
}

#[test]
fn a_finding_has_the_number_of_its_rule_in_the_edition_of_the_event() {
    assert_eq!(numbers("1.4"), [Json::from("4a")]);
    assert_eq!(numbers("1.2"), [Json::Null]);
}
