//! What `--format json` prints fits the schemas that `lifecycle schema` prints.

#![cfg(test)]

use std::path::Path;

use lifecycle::render::schemas::{JSON_SCHEMAS, schema_named};
use serde_json::{Value as Json, json};

use crate::imports::tagged;
use crate::program::{Run, finish, program, run_in, write};

const MODEL: &str = "tests/cli/model.toml";

/// Commands whose JSON is validated: the schema, and what is typed.
const COMMANDS: &[(&str, &[&str])] = &[
    ("plan", &["plan", MODEL]),
    ("plan", &["plan", "--builtin", "kubernetes"]),
    ("plan", &["plan", "tests/cli/broken.toml"]),
    ("check", &["check", MODEL]),
    ("check", &["check", "--builtin", "kubernetes"]),
    ("check", &["check", "--base", "tests/cli/base.toml", MODEL]),
    ("check", &["check", MODEL, "--remove", "example.com/v1@1.4"]),
    ("lint", &["lint", "tests/cli/crds"]),
    (
        "scan",
        &["scan", "tests/cli/manifests", "--to", "1.26", "--builtin", "kubernetes"],
    ),
    ("diff", &["diff", "--all", "tests/cli/diff/old", "tests/cli/diff/new"]),
    (
        "diff",
        &[
            "diff",
            "--all",
            "tests/cli/diff-embedded/old.yaml",
            "tests/cli/diff-embedded/new.yaml",
        ],
    ),
    ("agenda", &["agenda", "--builtin", "kubernetes", "--release", "1.38"]),
    (
        "by-when",
        &[
            "by-when",
            "-m",
            "tests/cli/propose.toml",
            "example.com/v1beta1.removed<=1.8",
        ],
    ),
    (
        "by-when",
        &[
            "by-when",
            "-m",
            "tests/cli/propose.toml",
            "example.com/v1beta1.removed<=1.5",
        ],
    ),
    ("compare", &["compare", MODEL, "tests/cli/base.toml"]),
    ("exceptions", &["exceptions", "tests/cli/grants.toml"]),
    ("render", &["render", MODEL]),
    ("render", &["render", "--builtin", "kubernetes"]),
    ("report", &["report", "--builtin", "kubernetes"]),
    ("usage", &["usage", "tests/cli/usage/audit.log", "-m", MODEL]),
    ("rules", &["rules", MODEL]),
    ("policies", &["policies", "show", "--effective"]),
    ("propose", &["propose", "deprecation", "example.com/v1", "-m", MODEL]),
    ("propose", &["propose", "removal", "example.com/v1", "-m", MODEL]),
    ("propose", &["propose", "api-version", "example.com/v2", "-m", MODEL]),
    (
        "what-if",
        &[
            "what-if",
            "tests/cli/propose.toml",
            "--set",
            "bolts.example.com/v1.deprecated=1.4",
        ],
    ),
    (
        "what-if-beside",
        &[
            "what-if",
            "tests/cli/propose.toml",
            "--slip",
            "1.4=+3w",
            "--",
            "--set",
            "bolts.example.com/v1.deprecated=1.4",
        ],
    ),
    (
        "plan",
        &["check", "tests/cli/slipped.toml", "--base", "tests/cli/propose.toml"],
    ),
    ("why", &["why", "example.com/v1beta1", "-m", MODEL]),
    ("why", &["why", "--element", "*", "-m", MODEL]),
];

/// A file of the tree.
#[expect(clippy::disallowed_methods, reason = "the files are in the tree")]
fn in_tree(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the file can be read")
}

fn run(arguments: &[&str]) -> Run {
    finish(program(Path::new(env!("CARGO_MANIFEST_DIR")), arguments), b"")
}

/// A validator that refuses keys that the schema does not have. The schemas themselves allow more keys, because later
/// versions may add some.
fn closed(name: &str) -> jsonschema::Validator {
    let schema = schema_named(name).unwrap_or_else(|| panic!("there is no schema {name}"));
    let mut schema: Json = serde_json::from_str(schema.text).expect("a schema is JSON");
    close(&mut schema);
    jsonschema::draft202012::new(&schema).expect("the schema can be used")
}

fn close(schema: &mut Json) {
    match schema {
        Json::Object(keywords) => {
            keywords.values_mut().for_each(close);
            if keywords.get("properties").is_some_and(Json::is_object) && keywords.get("type") == Some(&json!("object"))
            {
                keywords.entry("additionalProperties").or_insert(json!(false));
            }
        }
        Json::Array(schemas) => schemas.iter_mut().for_each(close),
        _ => {}
    }
}

#[track_caller]
fn validates(name: &str, output: &str, what: &str) {
    let output: Json = serde_json::from_str(output).unwrap_or_else(|problem| panic!("{what}: {problem}"));
    let validator = closed(name);
    let errors = validator.iter_errors(&output);
    let errors: Vec<String> = errors
        .take(3)
        .map(|error| format!("{}: {error:.300}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{what}: {}", errors.join("\n"));
}

#[test]
fn what_commands_print_as_json_fits_its_schema() {
    for (name, arguments) in COMMANDS {
        // What stands after `--` are changes.
        let at = arguments.iter().position(|argument| *argument == "--");
        let (asked, beside) = arguments.split_at(at.unwrap_or(arguments.len()));
        let run = run(&[asked, &["--format", "json"], beside].concat());
        validates(name, &run.out, &arguments.join(" "));
    }
    let moved = [
        "check",
        "tests/cli/slipped.toml",
        "--base",
        "tests/cli/propose.toml",
        "--format",
        "json",
    ];
    let moved = run(&moved).ended(0).out;
    validates("plan", &moved, "check --base");
    let report: Json = serde_json::from_str(&moved).expect("it is JSON");
    assert_eq!(report["moves"]["counts"]["releases"], 4, "{report:#}");
    let notes = run(&["notes", MODEL, "--release", "1.3", "--context"]).ended(0);
    validates("notes", &notes.out, "notes --context");
}

#[test]
fn golden_files_fit_their_schemas() {
    for model in ["widget", "kubernetes"] {
        for (name, file) in [("plan", "plan"), ("render", "timeline"), ("notes", "context")] {
            let path = format!("tests/golden/{model}/{file}.json");
            validates(name, &in_tree(&path), &path);
        }
    }
}

#[test]
fn promises_fit_their_schema() {
    let text = in_tree(MODEL);
    let states = ["v1.1.0", "v1.2.0"].map(|tag| (vec![tag], vec![("lifecycle.toml".to_owned(), text.clone())]));
    let repository = tagged(states);
    write(&repository, "lifecycle.toml", text.as_bytes());
    let run = run_in(&repository, &["report", "--promises", "--format", "json"]);
    validates("promises", &run.out, "report --promises");
}

#[test]
fn each_schema_of_an_output_is_tried() {
    for schema in JSON_SCHEMAS.iter().filter(|schema| !schema.commands.is_empty()) {
        let tried = COMMANDS
            .iter()
            .any(|(name, _)| schema.name == *name || schema.commands.contains(name));
        let elsewhere = ["deprecations", "notes", "promises"];
        assert!(tried || elsewhere.contains(&schema.name), "{}", schema.name);
    }
}

#[test]
fn outputs_with_a_key_that_the_schema_lacks_or_without_a_required_one_are_refused() {
    let output = run(&["rules", MODEL, "--format", "json"]).ended(0).out;
    let output: Json = serde_json::from_str(&output).expect("it is JSON");
    let validator = closed("rules");
    assert!(validator.is_valid(&output));
    let mut more = output.clone();
    more["editions"][0]["color"] = json!("blue");
    assert!(!validator.is_valid(&more));
    let mut less = output;
    less.as_object_mut().expect("it is an object").remove("schema_version");
    assert!(!validator.is_valid(&less));
}

#[test]
fn schema_prints_what_is_in_the_tree_and_helps_with_names() {
    run(&["schema", "model"]).ended(0);
    assert_eq!(
        run(&["schema", "check"]).ended(0).out,
        in_tree("schemas/plan.schema.json")
    );
    run(&["schema"])
        .ended(0)
        .says(&["a policy file", "of check, lint, scan"]);
    run(&["schema", "polcy"])
        .ended(2)
        .says(&["there is no schema `polcy`", "did you mean `policy`?"]);
    assert_eq!(
        run(&["schema", "deprecations.json"]).ended(0).out,
        in_tree("schemas/deprecations.schema.json")
    );
}
