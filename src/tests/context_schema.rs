//! The JSON schema of what templates see.

use std::path::Path;

use lifecycle::report::NotesReport;

use super::support::agrees_with_snapshot;

#[test]
fn the_schema_in_the_tree_is_that_of_the_report() {
    let generator = schemars::generate::SchemaSettings::draft07().into_generator();
    let schema = generator.into_root_schema_for::<NotesReport<'_>>();
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/notes-context.schema.json");
    agrees_with_snapshot(&path, &text);
}
