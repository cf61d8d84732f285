//! One file per command: it parses arguments, calls the library, and prints.

mod check;
mod compare;
mod diff;
mod exceptions;
mod explain;
mod export;
mod fix;
mod import;
mod lint;
mod notes;
mod plan;
mod policies;
mod propose;
mod render;
mod rules;
mod why;

use crate::args::{Arguments, Command};
use crate::failure::{Outcome, Result};
use crate::terminal::Terminal;

pub fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Outcome> {
    match &arguments.command {
        Command::Plan { model, format } => plan::plan(model, format, terminal),
        Command::Render(arguments) => render::render(arguments, terminal),
        Command::Check(arguments) => check::check(arguments, terminal),
        Command::Diff(arguments) => diff::diff(arguments, terminal),
        Command::Lint(arguments) => lint::lint(arguments, terminal),
        Command::Notes(arguments) => notes::notes(arguments, terminal),
        Command::Propose(arguments) => propose::propose(arguments, terminal),
        Command::Import(arguments) => import::import(arguments, terminal),
        Command::Export(arguments) => export::export(arguments, terminal),
        Command::Compare(arguments) => compare::compare(arguments, terminal),
        Command::Fix { model, write } => fix::fix(model, *write, terminal),
        Command::Why(arguments) => why::why(arguments, terminal),
        Command::Explain { topic, policy } => explain::explain(topic.as_deref(), policy.as_deref(), terminal),
        Command::Rules { model, format } => rules::rules(model, *format, terminal),
        Command::Exceptions { model, format } => exceptions::exceptions(model, *format, terminal),
        Command::Policies { name } => policies::policies(name.as_deref(), terminal),
    }
}
