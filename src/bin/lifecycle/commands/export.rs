//! `lifecycle export`: deprecations and removals as a list for another tool.

use std::ffi::OsStr;
use std::path::Path;

use lifecycle::evaluate::Listing;
use lifecycle::render::{feed, kubepug, pluto, prerelease};

use crate::args::{Export, Format, ModelChoice};
use crate::failure::{Outcome, Result};
use crate::io::disk::{Disk, STANDARD_INPUT};
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
        context.answer_in((list.output.as_deref(), &[]), disk, |context| {
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
        Export::Atom { title, id, list } => {
            let title = title.clone().unwrap_or_else(|| default_title(list.model.choice()));
            let mut undated = 0;
            terminal.write(|mut out| {
                undated = feed::atom(&report, (&title, id), &mut out)?;
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

/// The title of a feed, with what the model is named after: its file, or the folder of a `lifecycle.toml`.
fn default_title(model: ModelChoice<'_>) -> String {
    let name = match model {
        ModelChoice::BuiltIn(name) => Some(name),
        ModelChoice::Nearest | ModelChoice::File(STANDARD_INPUT) => None,
        ModelChoice::File(file) => {
            let path = Path::new(file);
            let folder = path.parent().and_then(Path::file_stem);
            let own = path.file_stem().filter(|name| *name != "lifecycle");
            own.or(folder).and_then(OsStr::to_str)
        }
    };
    name.map_or_else(|| "Deprecations".to_owned(), |name| format!("Deprecations in {name}"))
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
