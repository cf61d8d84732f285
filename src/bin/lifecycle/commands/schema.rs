//! `lifecycle schema`: the JSON Schemas of files and outputs.

use std::fmt::Write as _;

use lifecycle::diagnostic::did_you_mean;
use lifecycle::render::schemas::{JSON_SCHEMAS, schema_named};

use crate::failure::{Failure, Outcome, Result};
use crate::terminal::Terminal;

/// Prints a schema, or which there are.
pub fn schema(name: Option<&str>, terminal: &mut Terminal) -> Result<Outcome> {
    let Some(name) = name else {
        terminal.answer(&listed());
        return Ok(Outcome::Clean);
    };
    // `export deprecations.json` is named like the file that it writes.
    let Some(schema) = schema_named(name.strip_suffix(".json").unwrap_or(name)) else {
        let names = JSON_SCHEMAS
            .iter()
            .flat_map(|schema| [&[schema.name], schema.commands].concat());
        let help = did_you_mean(name, names).unwrap_or_else(|| "`lifecycle schema` lists them".to_owned());
        return Err(Failure::new(format!("there is no schema `{name}`")).help(help));
    };
    terminal.answer(schema.text);
    Ok(Outcome::Clean)
}

fn listed() -> String {
    let mut text = "Files:\n\n".to_owned();
    for schema in JSON_SCHEMAS.iter().filter(|schema| schema.commands.is_empty()) {
        let _ = writeln!(text, "  {:<14} {}", schema.name, schema.about);
    }
    text.push_str("\nWhat commands print as JSON:\n\n");
    for schema in JSON_SCHEMAS.iter().filter(|schema| !schema.commands.is_empty()) {
        let _ = writeln!(text, "  {:<14} {}", schema.name, schema.about);
        let others = schema.commands.iter().copied();
        let others: Vec<&str> = others.filter(|command| *command != schema.name).collect();
        if !others.is_empty() {
            let _ = writeln!(text, "  {:<14} of {}", "", others.join(", "));
        }
    }
    text
}
