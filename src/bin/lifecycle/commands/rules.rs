//! `lifecycle rules`: the rules in force.

use lifecycle::render::{json, markdown, table};
use lifecycle::report::RulesReport;

use crate::args::{Format, ModelArgs};
use crate::failure::{Outcome, Result};
use crate::io::disk::Disk;
use crate::terminal::Terminal;
use crate::with_model::{if_any, with_law};

/// The rules in force for a model; without a model, those of the policy.
pub fn rules(model: &ModelArgs, format: Format, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let choice = if_any(model.choice());
    with_law(
        disk,
        choice,
        (&model.policy, format),
        terminal,
        |law, sources, terminal| print(&law.rules(sources), format, terminal),
    )
}

fn print(report: &RulesReport<'_>, format: Format, terminal: &mut Terminal) -> Result<Outcome> {
    let style = terminal.style();
    match format {
        Format::Table => terminal.answer(&table::rules(report, style)),
        Format::Json => terminal.write(|out| json::value(report, out)),
        Format::Markdown => terminal.answer(&markdown::rules(report)?),
    }
    Ok(Outcome::Clean)
}
