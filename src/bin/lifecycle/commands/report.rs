//! `lifecycle report`: how a product kept its policy, and what came of its promises.

mod promises;

use lifecycle::evaluate::Promise;
use lifecycle::render::{self, json, markdown, record};

use crate::args::{Format, Record};
use crate::failure::{Outcome, Result};
use crate::io::disk::Disk;
use crate::terminal::Terminal;
use crate::with_model::{Asked, Context, with_elements};

pub fn report(arguments: &Record, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let earlier = if arguments.promises {
        Some(promises::earlier(arguments, disk, terminal)?)
    } else {
        None
    };
    let asked = Asked {
        choice: arguments.model.choice(),
        options: &arguments.model.policy,
        filter: arguments.filter.filter(),
        evidence: &[],
        shows_findings: false,
        format: arguments.format,
    };
    with_elements(disk, &asked, terminal, |context| match &earlier {
        Some(earlier) => print_promises(context, earlier, arguments),
        None => print(context, arguments),
    })
}

fn print(context: &mut Context<'_>, arguments: &Record) -> Result<Outcome> {
    let report = context.evaluation.record();
    let terminal = &mut *context.terminal;
    let style = terminal.style();
    match arguments.format {
        Format::Table => terminal.answer(&record::record(&report, arguments.all, style)),
        Format::Json => terminal.write(|out| json::value(&report, out)),
        Format::Markdown => terminal.answer(&markdown::record(&report, arguments.all)?),
    }
    if report.current.is_none() {
        terminal.note("the calendar has no `current` release: nothing has shipped; --as-of RELEASE names one");
    }
    Ok(Outcome::Clean)
}

fn print_promises(
    context: &mut Context<'_>,
    earlier: &[(String, Vec<Promise>)],
    arguments: &Record,
) -> Result<Outcome> {
    let report = context.evaluation.promises(earlier);
    let terminal = &mut *context.terminal;
    let style = terminal.style();
    match arguments.format {
        Format::Table => terminal.answer(&render::promises::promises(&report, arguments.all, style)),
        Format::Json => terminal.write(|out| json::value(&report, out)),
        Format::Markdown => terminal.answer(&markdown::promises(&report, arguments.all)?),
    }
    Ok(Outcome::Clean)
}
