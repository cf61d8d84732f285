//! `lifecycle by-when`: what has to happen by when for a target.

use lifecycle::render::{by_when as table, deadlines, html, json, markdown};

use crate::args::{ByWhen, ByWhenFormat, Format};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::summary::counted;
use crate::terminal::Terminal;
use crate::with_model::{Asked, Context, with_elements};

pub fn by_when(arguments: &ByWhen, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let asked = Asked {
        choice: arguments.model.choice(),
        options: &arguments.model.policy,
        filter: arguments.filter.filter(),
        format: match arguments.format {
            ByWhenFormat::Json => Format::Json,
            ByWhenFormat::Markdown => Format::Markdown,
            ByWhenFormat::Table | ByWhenFormat::Ics | ByWhenFormat::Svg | ByWhenFormat::Html => Format::Table,
        },
        evidence: &[],
        shows_findings: false,
    };
    with_elements(disk, &asked, terminal, |context| print(context, arguments))
}

fn print(context: &mut Context<'_>, arguments: &ByWhen) -> Result<Outcome> {
    let report = context.evaluation.by_when(&arguments.targets);
    let report = report.map_err(|problem| Failure::new(problem.to_string()).help(problem.help))?;
    let terminal = &mut *context.terminal;
    let style = terminal.style();
    let mut left_out = [0; 2];
    match arguments.format {
        ByWhenFormat::Table => terminal.answer(&table::by_when(&report, style)),
        ByWhenFormat::Json => terminal.write(|out| json::value(&report, out)),
        ByWhenFormat::Markdown => terminal.answer(&markdown::by_when(&report)?),
        ByWhenFormat::Svg => terminal.write(|mut out| deadlines::picture(&report, &mut out)),
        ByWhenFormat::Html => {
            let mut picture = context.evaluation.picture(context.sources);
            let answers = report.targets.iter();
            let answers = answers.map(|target| table::answer(target, report.undecided));
            picture.mark_way(&report, answers.collect());
            terminal.answer(&html::picture(&picture)?);
        }
        ByWhenFormat::Ics => terminal.write(|mut out| {
            left_out = deadlines::calendar(&report, &mut out)?;
            Ok(())
        }),
    }
    if matches!(arguments.format, ByWhenFormat::Ics | ByWhenFormat::Svg) {
        for target in report.targets.iter().filter(|target| !target.reachable) {
            terminal.note(&table::answer(target, report.undecided));
        }
    }
    for (count, why) in left_out.into_iter().zip(["without a date", "that cannot come in time"]) {
        if count > 0 {
            terminal.note(&format!("{} {why} left out", counted(count, "event")));
        }
    }
    Ok(Outcome::of_findings(!report.reachable))
}
