//! `lifecycle completions`: what makes a shell complete commands, options, and the elements and releases of the model.

use std::ffi::OsStr;

use clap::Command;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::Shells;
use lifecycle::Sources;
use lifecycle::evaluate::Evaluation;

use crate::args::PolicyOptions;
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::io::tree::FileTree;
use crate::model_files::{LoadedModel, Side, nearest};
use crate::terminal::Terminal;

/// The variable by which a shell asks the program for completions.
const VARIABLE: &str = "COMPLETE";

const PROGRAM: &str = "lifecycle";

pub fn completions(shell: &str, terminal: &mut Terminal) -> Result<Outcome> {
    let shells = Shells::builtins();
    let shell = shells
        .completer(shell)
        .ok_or_else(|| Failure::new(format!("there are no completions for {shell}")))?;
    terminal.write(|out| shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, out));
    Ok(Outcome::Clean)
}

/// The command line, with the elements and releases of the model where one can be typed.
pub fn with_candidates(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let names = arg.get_value_names().unwrap_or_default();
        let name = names.first().map(|name| name.as_str().to_owned());
        match (arg.get_id().as_str(), name.as_deref()) {
            ("element" | "filter_element", _) => arg.add(ArgValueCompleter::new(elements)),
            (_, Some("RELEASE" | "RELEASE|DATE" | "RELEASE[..RELEASE]")) => arg.add(ArgValueCompleter::new(releases)),
            _ => arg,
        }
    });
    command.mut_subcommands(with_candidates)
}

/// The ids that begin with what is typed.
fn elements(typed: &OsStr) -> Vec<CompletionCandidate> {
    let ids = of_model(|evaluation| {
        let model = evaluation.model();
        model.elements().map(|(id, _)| model.id(id).to_owned()).collect()
    });
    beginning_with(typed, ids)
}

fn releases(typed: &OsStr) -> Vec<CompletionCandidate> {
    let names = of_model(|evaluation| {
        let sources = Sources::new();
        let picture = evaluation.picture(&sources);
        picture
            .releases
            .iter()
            .map(|release| release.release.to_owned())
            .collect()
    });
    beginning_with(typed, names)
}

fn beginning_with(typed: &OsStr, names: Vec<String>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let names = names.into_iter().filter(|name| name.starts_with(typed.as_ref()));
    names.map(CompletionCandidate::new).collect()
}

/// Names in the nearest model. A model that cannot be read has none: a shell shows no errors.
fn of_model(names: impl FnOnce(&Evaluation) -> Vec<String>) -> Vec<String> {
    let loaded = nearest().and_then(|name| {
        let tree = FileTree::Disk(Disk::allowing(&[])?);
        LoadedModel::read(&name, &tree, &PolicyOptions::default(), Side::Head)
    });
    let evaluated = loaded.ok().and_then(|loaded| loaded.evaluated.ok());
    evaluated.map(|evaluation| names(&evaluation)).unwrap_or_default()
}
