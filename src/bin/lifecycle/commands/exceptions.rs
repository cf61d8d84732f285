//! `lifecycle exceptions`: the granted exceptions.

use lifecycle::render::{json, markdown, table};

use crate::args::{Format, ModelArgs};
use crate::failure::{Outcome, Result};
use crate::io::disk::Disk;
use crate::terminal::Terminal;
use crate::with_model::{Context, with_model};

pub fn exceptions(model: &ModelArgs, format: Format, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    with_model(disk, model.choice(), &model.policy, format, terminal, |context| {
        print(context, format)
    })
}

fn print(context: &mut Context<'_>, format: Format) -> Result<Outcome> {
    let report = context.evaluation.exceptions(context.sources);
    let terminal = &mut *context.terminal;
    let style = terminal.style();
    match format {
        Format::Table => terminal.answer(&table::exceptions(&report, style)),
        Format::Json => terminal.write(|out| json::value(&report, out)),
        Format::Markdown => terminal.answer(&markdown::exceptions(&report)?),
    }
    Ok(Outcome::Clean)
}
