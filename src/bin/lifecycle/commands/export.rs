//! `lifecycle export`: deprecations and removals as a list for another tool.

use lifecycle::evaluate::Listing;
use lifecycle::render::{kubepug, pluto, prerelease};

use crate::args::{Export, Format};
use crate::failure::{Outcome, Result};
use crate::io::disk::Disk;
use crate::terminal::Terminal;
use crate::with_model::{Asked, Context, with_elements};

pub fn export(arguments: &Export, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let (Export::Pluto { list, .. } | Export::Kubepug { list } | Export::PrereleaseLifecycle { list }) = arguments;
    let asked = Asked {
        choice: list.model.choice(),
        options: &list.model.policy,
        filter: list.filter.filter(),
        shows_findings: false,
        format: Format::Table,
    };
    with_elements(disk, &asked, terminal, |context| {
        context.answer_in(list.output.as_deref(), disk, |context| {
            Ok(print(context, arguments, list.planned))
        })
    })
}

fn print(context: &mut Context<'_>, arguments: &Export, planned: bool) -> Outcome {
    let all = matches!(arguments, Export::PrereleaseLifecycle { .. });
    let report = context.evaluation.deprecations(Listing { planned, all });
    let mut left_out = report.omitted.clone();
    let terminal = &mut *context.terminal;
    match arguments {
        Export::Pluto { component, .. } => terminal.write(|out| pluto::write(&report, component, out)),
        Export::Kubepug { .. } => terminal.write(|out| kubepug::write(&report, out)),
        Export::PrereleaseLifecycle { .. } => terminal.write(|out| {
            left_out.extend(prerelease::write(&report, out)?);
            Ok(())
        }),
    }
    terminal.note_some("not in the list: ", &left_out);
    Outcome::Clean
}
