//! `lifecycle rules`: the rules in force.

use lifecycle::Sources;
use lifecycle::evaluate::rules_in_force;
use lifecycle::render::{json, markdown, table};
use lifecycle::report::RulesReport;

use crate::args::{Format, ModelArgs, ModelChoice};
use crate::failure::{Outcome, Result};
use crate::input_errors;
use crate::io::disk::Disk;
use crate::model_files;
use crate::policy_files;
use crate::terminal::Terminal;
use crate::with_model::with_model;

/// The rules in force for a model; without a model, those of the policy.
pub fn rules(model: &ModelArgs, format: Format, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let choice = model.choice();
    if !matches!(choice, ModelChoice::Nearest) || model_files::nearest().is_ok() {
        return with_model(disk, choice, &model.policy, format, terminal, |context| {
            let report = context.evaluation.rules(context.sources);
            print(&report, format, context.terminal)
        });
    }
    let files = policy_files::read_chosen(model.policy.policy.as_deref(), disk)?;
    let mut sources = Sources::new();
    match policy_files::law_without_model(&files, &model.policy, &mut sources) {
        Ok(law) => print(&rules_in_force(&law, &sources), format, terminal),
        Err(errors) => input_errors::report(&errors, &sources, format, terminal),
    }
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
