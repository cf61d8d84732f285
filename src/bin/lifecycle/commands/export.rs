//! `lifecycle export`: deprecations and removals as a list for another tool.

use lifecycle::render::deprecations::Deprecations;
use lifecycle::render::{kubepug, pluto, prerelease};

use crate::args::{Export, Format};
use crate::failure::{Failure, Outcome};
use crate::terminal::Terminal;
use crate::with_model::{Context, with_model};

pub fn export(arguments: &Export, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let (Export::Pluto { list, .. } | Export::Kubepug { list } | Export::PrereleaseLifecycle { list }) = arguments;
    let model = &list.model;
    with_model(model.choice(), &model.policy, Format::Table, terminal, |context| {
        Ok(print(context, arguments, list.planned))
    })
}

fn print(context: &mut Context<'_>, arguments: &Export, planned: bool) -> Outcome {
    let report = context.evaluation.report(context.sources);
    let list = match arguments {
        Export::PrereleaseLifecycle { .. } => Deprecations::of_all(&report, planned),
        Export::Pluto { .. } | Export::Kubepug { .. } => Deprecations::of(&report, planned),
    };
    let mut left_out = list.untold.clone();
    let terminal = &mut *context.terminal;
    match arguments {
        Export::Pluto { component, .. } => terminal.write(|out| pluto::write(&list, component, out)),
        Export::Kubepug { .. } => terminal.write(|out| kubepug::write(&list, out)),
        Export::PrereleaseLifecycle { .. } => terminal.write(|out| {
            left_out.extend(prerelease::write(&list, out)?);
            Ok(())
        }),
    }
    terminal.note_some("not in the list: ", &left_out);
    Outcome::Clean
}
