//! `lifecycle export`: the deprecations and removals of a model as a list that another tool reads.

use lifecycle::render::deprecations::Deprecations;
use lifecycle::render::{kubepug, pluto, prerelease};

use crate::args::{Export, Format};
use crate::terminal::Terminal;

use super::{Context, Failure, Outcome, with_evaluation};

pub(super) fn export(arguments: &Export, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let (Export::Pluto { list, .. } | Export::Kubepug { list } | Export::PrereleaseLifecycle { list }) = arguments;
    let model = &list.model;
    with_evaluation(model.chosen(), &model.judgement, Format::Table, terminal, |context| {
        Ok(exported(context, arguments, list.planned))
    })
}

fn exported(context: &mut Context<'_>, arguments: &Export, planned: bool) -> Outcome {
    let report = context.evaluation.report(context.sources);
    let found = match arguments {
        Export::PrereleaseLifecycle { .. } => Deprecations::of_all(&report, planned),
        Export::Pluto { .. } | Export::Kubepug { .. } => Deprecations::of(&report, planned),
    };
    let mut untold = found.untold.clone();
    let terminal = &mut *context.terminal;
    match arguments {
        Export::Pluto { component, .. } => terminal.write(|out| pluto::write(&found, component, out)),
        Export::Kubepug { .. } => terminal.write(|out| kubepug::write(&found, out)),
        Export::PrereleaseLifecycle { .. } => terminal.write(|out| {
            untold.extend(prerelease::write(&found, out)?);
            Ok(())
        }),
    }
    terminal.tell_some("not in the list: ", &untold);
    Outcome::Clean
}
