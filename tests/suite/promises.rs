//! What came of the promises of earlier states of a model.

#![cfg(test)]

use tempfile::TempDir;

use crate::imports::tagged;
use crate::program::{Run, run_in, write};

/// A model whose current release is the last of these, with these keys of behaviors.
fn model(current: &str, behaviors: &str) -> String {
    format!(
        "policy = \"months-and-releases\"\n[calendar]\ncurrent = \"{current}\"\n[calendar.releases]\n\"1.0\" = 2023-01-10\n\
         \"1.1\" = 2023-05-10\n\"1.2\" = 2023-09-10\n\"1.3\" = 2024-01-10\n\"1.4\" = 2024-05-10\n\"1.5\" = \"unscheduled\"\n\
         [behavior]\n{behaviors}"
    )
}

/// A repository with three states, of which the last one is checked out.
fn repository() -> TempDir {
    let state = |text: String| vec![("lifecycle.toml".to_owned(), text)];
    let first = model(
        "1.0",
        "kept = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.2\" }\n\
         late = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.2\" }\n\
         moved = { introduced = \"1.0\", deprecated = \"1.1\", removed = \"1.3\" }\n\
         stays = { introduced = \"1.0\", deprecated = \"1.2\" }\n\
         dropped = { introduced = \"1.0\", deprecated = \"1.1\" }\n",
    );
    let second = first.replace("current = \"1.0\"", "current = \"1.1\"").replace(
        "late = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.2\"",
        "late = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.3\"",
    );
    let now = model(
        "1.3",
        "kept = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.2\" }\n\
         late = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.5\" }\n\
         moved = { introduced = \"1.0\", deprecated = \"1.1\", removed = \"1.2\" }\n\
         stays = { introduced = \"1.0\", deprecated = \"never\" }\n",
    );
    let folder = tagged([
        (vec!["v0.9.0"], vec![("README.md".to_owned(), "nothing".to_owned())]),
        (vec!["v1.0.0"], state(first)),
        (vec!["v1.1.0"], state(second)),
        (vec!["v1.2.0"], state("[calendar\n".to_owned())),
        (vec!["v1.3.0"], state(now.clone())),
    ]);
    write(&folder, "lifecycle.toml", now.as_bytes());
    folder
}

fn report(more: &[&str]) -> Run {
    run_in(&repository(), &[&["report", "--promises"], more].concat())
}

#[test]
fn each_promise_is_compared_with_what_happened_or_is_planned() {
    let run = report(&["--format", "markdown"]).ended(0);
    run.says(&[
        "3 states, v1.0.0 to v1.3.0: 8 promises: 2 kept, 1 pending, 1 earlier, 2 later, 1 withdrawn, 1 dropped",
        "| `behavior late` | removed | 1.2 | v1.0.0 | 1.5, to come | later by 3 releases |",
        "| `behavior late` | removed | 1.3 | v1.1.0 | 1.5, to come | later by 2 releases |",
        "| `behavior moved` | removed | 1.3 | v1.0.0 to v1.1.0 | 1.2 (2023-09-10) | earlier by 1 release, 122 days |",
        "| `behavior stays` | deprecated | 1.2 | v1.0.0 to v1.1.0 | never | withdrawn |",
        "| `behavior dropped` | deprecated | 1.1 | v1.0.0 | never | dropped |",
        "lifecycle.toml is not in 1 of the states, such as v0.9.0",
        "warning: skipped v1.2.0: ",
    ])
    .silent_on(&["`behavior kept`"]);
    report(&["--all"])
        .ended(0)
        .says(&["behavior kept", "v1.3.0", "pending"]);
    report(&["--element", "behavior moved", "--all"])
        .ended(0)
        .says(&["2 promises: 1 kept, 1 earlier"])
        .silent_on(&["behavior late"]);
}

#[test]
fn the_report_for_machines_has_the_same() {
    let run = report(&["--format", "json"]).ended(0);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["states"], serde_json::json!(["v1.0.0", "v1.1.0", "v1.3.0"]));
    assert_eq!(
        json["outcomes"][0],
        serde_json::json!({ "outcome": "kept", "promises": 2 })
    );
    let promises = json["promises"].as_array().expect("a list");
    let late = promises
        .iter()
        .find(|promise| promise["promised"] == "1.3" && promise["element"] == "behavior late");
    let late = late.expect("the promise");
    assert_eq!(
        (&late["outcome"], &late["now"]["release"], &late["releases"]),
        (&"later".into(), &"1.5".into(), &2.into())
    );
    assert_eq!(
        (&late["since"], &late["shipped"], &late["days"]),
        (&"v1.1.0".into(), &false.into(), &serde_json::Value::Null)
    );
}

#[test]
fn revisions_may_be_named_and_a_model_without_history_is_refused() {
    report(&["--at", "refs/tags/v1.0.0"])
        .ended(0)
        .says(&["refs/tags/v1.0.0: 6 promises"]);
    report(&["--at", "nowhere"]).ended(2).says(&["nowhere"]);
    report(&["--builtin", "kubernetes"])
        .ended(2)
        .says(&["--promises: the model has no history"]);
    report(&["--tags", "w*"])
        .ended(2)
        .says(&["no tag of . that matches `w*` is a release"]);
}
