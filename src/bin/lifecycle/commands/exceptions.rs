//! `lifecycle exceptions`: the granted exceptions.

use lifecycle::render::{json, markdown, table};

use crate::args::{Exceptions, Format};
use crate::failure::{Outcome, Result};
use crate::io::disk::Disk;
use crate::terminal::Terminal;
use crate::with_model::{Asked, Context, with_elements};

pub fn exceptions(arguments: &Exceptions, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let asked = Asked {
        choice: arguments.model.choice(),
        options: &arguments.model.policy,
        filter: arguments.filter.filter(),
        evidence: &[],
        shows_findings: false,
        format: arguments.format,
    };
    with_elements(disk, &asked, terminal, |context| print(context, arguments.format))
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
