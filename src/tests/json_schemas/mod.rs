//! The JSON Schemas in `schemas/`: they are those of the grammar, the rules and the reports, and judge files as the
//! program does.

mod files;
mod model;
mod outputs;
mod parts;
mod policy;

use std::path::Path;

use serde_json::Value as Json;

use super::support::agrees_with_snapshot;

#[test]
fn the_schemas_in_the_tree_are_those_of_the_grammar_the_rules_and_the_reports() {
    let files = [("model", model::schema()), ("policy", policy::schema())];
    for (name, schema) in files.into_iter().chain(outputs::schemas()) {
        // As such, its keywords are in their usual order.
        let schema = schemars::Schema::try_from(schema).expect("it is a schema");
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        let path = format!("schemas/{name}.schema.json");
        agrees_with_snapshot(&Path::new(env!("CARGO_MANIFEST_DIR")).join(path), &text);
    }
}

fn validator(schema: &Json) -> jsonschema::Validator {
    jsonschema::draft202012::meta::validate(schema).expect("the schema is one of its draft");
    jsonschema::validator_for(schema).expect("the schema can be used")
}

fn errors(validator: &jsonschema::Validator, instance: &Json) -> Vec<String> {
    let errors = validator.iter_errors(instance);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}
