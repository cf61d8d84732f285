//! The JSON Schemas of the files that people write, and of the JSON that commands print.
//!
//! They are generated from the grammar, the rules and the reports by a test, which also holds the files in `schemas/`
//! against them.

use super::notes::CONTEXT_SCHEMA;

/// A JSON Schema (draft 2020-12).
#[derive(Debug, Clone, Copy)]
pub struct JsonSchema {
    /// Its name.
    pub name: &'static str,
    /// The commands whose JSON it describes; none if it describes a file.
    pub commands: &'static [&'static str],
    /// What it describes.
    pub about: &'static str,
    /// The schema.
    pub text: &'static str,
}

macro_rules! schema {
    ($name:literal, [$($command:literal),*], $about:literal) => {
        JsonSchema {
            name: $name,
            commands: &[$($command),*],
            about: $about,
            text: include_str!(concat!("../../schemas/", $name, ".schema.json")),
        }
    };
}

/// All schemas: those of files first.
pub const JSON_SCHEMAS: &[JsonSchema] = &[
    schema!("model", [], "a model file"),
    schema!("policy", [], "a policy file"),
    schema!("agenda", ["agenda"], "what has to be done for a release"),
    schema!("by-when", ["by-when"], "what has to happen by when for a target"),
    schema!("compare", ["compare"], "where two sources differ"),
    schema!(
        "deprecations",
        ["export deprecations.json"],
        "what is deprecated or removed, for dashboards"
    ),
    schema!("diff", ["diff"], "changes of schemas"),
    schema!("exceptions", ["exceptions"], "granted exceptions"),
    JsonSchema {
        name: "notes",
        commands: &["notes"],
        about: "what templates of notes see (--context)",
        text: CONTEXT_SCHEMA,
    },
    schema!(
        "plan",
        ["plan", "check", "lint", "scan"],
        "timelines, elements and findings; also errors in input files"
    ),
    schema!(
        "policies",
        ["policies show"],
        "the policy in force, with what sets each value"
    ),
    schema!("promises", ["report --promises"], "what became of earlier promises"),
    schema!("propose", ["propose"], "a rollout, step by step"),
    schema!("render", ["render"], "the rows of a picture"),
    schema!("report", ["report"], "how a policy was kept"),
    schema!(
        "rules",
        ["rules"],
        "rules in force, with the severities of their findings"
    ),
    schema!("usage", ["usage"], "who uses what: an evidence file"),
    schema!("what-if", ["what-if"], "what a change of the model moves"),
    schema!(
        "what-if-beside",
        ["what-if … -- …"],
        "what several changes move, side by side"
    ),
    schema!("why", ["why"], "why events have their releases"),
];

/// The schema of this name, or of what a command prints.
pub fn schema_named(name: &str) -> Option<&'static JsonSchema> {
    let mut schemas = JSON_SCHEMAS.iter();
    schemas.find(|schema| schema.name == name || schema.commands.contains(&name))
}
