//! `lifecycle export`: deprecations and removals as a list for another tool.

use lifecycle::evaluate::Listing;
use lifecycle::render::{feed, kubepug, pluto, prerelease};

use crate::args::{Export, Format};
use crate::failure::{Outcome, Result};
use crate::io::disk::Disk;
use crate::summary::counted;
use crate::terminal::Terminal;
use crate::with_model::{Asked, Context, with_elements};

pub fn export(arguments: &Export, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let (Export::Pluto { list, .. }
    | Export::Kubepug { list }
    | Export::PrereleaseLifecycle { list }
    | Export::Deprecations { list }
    | Export::Atom { list, .. }) = arguments;
    let asked = Asked {
        choice: list.model.choice(),
        options: &list.model.policy,
        filter: list.filter.filter(),
        evidence: &[],
        shows_findings: false,
        format: Format::Table,
    };
    with_elements(disk, &asked, terminal, |context| {
        context.answer_in(list.output.as_deref(), disk, |context| {
            Ok(print(context, arguments, list.planned))
        })
    })
}

/// Prints a feed, or a list for another tool.
fn print(context: &mut Context<'_>, arguments: &Export, planned: bool) -> Outcome {
    let report = context.evaluation.feed(planned);
    let terminal = &mut *context.terminal;
    match arguments {
        Export::Deprecations { .. } => terminal.write(|mut out| feed::json(&report, &mut out)),
        Export::Atom { title, id, .. } => {
            let mut undated = 0;
            terminal.write(|mut out| {
                undated = feed::atom(&report, (title, id), &mut out)?;
                Ok(())
            });
            if undated > 0 {
                terminal.note(&format!("{} without a date left out", counted(undated, "event")));
            }
        }
        Export::Pluto { .. } | Export::Kubepug { .. } | Export::PrereleaseLifecycle { .. } => {
            return list(context, arguments, planned);
        }
    }
    Outcome::Clean
}

fn list(context: &mut Context<'_>, arguments: &Export, planned: bool) -> Outcome {
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
        Export::Deprecations { .. } | Export::Atom { .. } => {}
    }
    terminal.note_some("not in the list: ", &left_out);
    Outcome::Clean
}
