//! One file per command: it parses arguments, calls the library, and prints.

mod agenda;
mod by_when;
mod check;
mod compare;
mod completions;
mod diff;
mod exceptions;
mod explain;
mod export;
mod fix;
mod import;
mod init;
mod lint;
mod manual;
mod notes;
mod plan;
mod policies;
mod propose;
mod render;
mod report;
mod rules;
mod scan;
mod schema;
mod usage;
mod what_if;
mod why;

use crate::args::{Arguments, Command};
use crate::failure::{Outcome, Result};
use crate::io::disk::Disk;
use crate::terminal::Terminal;

pub use completions::complete_for_shell;

pub fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Outcome> {
    let disk = &Disk::allowing(&arguments.shared.allow_folder)?;
    if is_read(&arguments.command) {
        terminal.page();
    }
    match &arguments.command {
        Command::Init(arguments) => init::init(arguments, disk, terminal),
        Command::Plan(arguments) => plan::plan(arguments, disk, terminal),
        Command::Agenda(arguments) => agenda::agenda(arguments, disk, terminal),
        Command::ByWhen(arguments) => by_when::by_when(arguments, disk, terminal),
        Command::Render(arguments) => render::render(arguments, disk, terminal),
        Command::Check(arguments) => check::check(arguments, disk, terminal),
        Command::Diff(arguments) => diff::diff(arguments, disk, terminal),
        Command::Lint(arguments) => lint::lint(arguments, disk, terminal),
        Command::Scan(arguments) => scan::scan(arguments, disk, terminal),
        Command::Usage(arguments) => usage::usage(arguments, disk, terminal),
        Command::Notes(arguments) => notes::notes(arguments, disk, terminal),
        Command::Propose(arguments) => propose::propose(arguments, disk, terminal),
        Command::WhatIf(arguments) => what_if::what_if(arguments, disk, terminal),
        Command::Import(arguments) => import::import(arguments, disk, terminal),
        Command::Export(arguments) => export::export(arguments, disk, terminal),
        Command::Compare(arguments) => compare::compare(arguments, disk, terminal),
        Command::Fix { model, write } => fix::fix(model, *write, disk, terminal),
        Command::Why(arguments) => why::why(arguments, disk, terminal),
        Command::Explain(arguments) => explain::explain(arguments, disk, terminal),
        Command::Rules { model, format } => rules::rules(model, *format, disk, terminal),
        Command::Exceptions(arguments) => exceptions::exceptions(arguments, disk, terminal),
        Command::Report(arguments) => report::report(arguments, disk, terminal),
        Command::Completions { shell } => completions::completions(shell, terminal),
        Command::Manual { folder } => manual::manual(folder, disk, terminal),
        Command::Policies { name, command } => policies::policies(name.as_deref(), command.as_ref(), disk, terminal),
        Command::Schema { name } => schema::schema(name.as_deref(), terminal),
    }
}

/// Whether the answer is for reading, so that a long one is shown in the pager.
fn is_read(command: &Command) -> bool {
    match command {
        Command::Plan(_)
        | Command::Agenda(_)
        | Command::ByWhen(_)
        | Command::Check(_)
        | Command::Diff(_)
        | Command::Lint(_)
        | Command::Scan(_)
        | Command::Usage(_)
        | Command::Notes(_)
        | Command::Export(_)
        | Command::Compare(_)
        | Command::WhatIf(_)
        | Command::Why(_)
        | Command::Explain(_)
        | Command::Rules { .. }
        | Command::Exceptions(_)
        | Command::Report(_)
        | Command::Policies { .. }
        | Command::Schema { .. } => true,
        Command::Init(_)
        | Command::Render(_)
        | Command::Propose(_)
        | Command::Import(_)
        | Command::Fix { .. }
        | Command::Completions { .. }
        | Command::Manual { .. } => false,
    }
}
