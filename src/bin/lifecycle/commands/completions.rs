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

#[expect(clippy::disallowed_methods, reason = "the shell that asks is in the environment")]
fn beginning_with(typed: &OsStr, names: Vec<String>) -> Vec<CompletionCandidate> {
    let shell = std::env::var(VARIABLE).unwrap_or_default();
    let typed = Typed::read(&typed.to_string_lossy());
    let names = names.into_iter().filter(|name| name.starts_with(&typed.text));
    names
        .map(|name| CompletionCandidate::new(typed.completed(name, &shell)))
        .collect()
}

/// What is typed of a name.
struct Typed {
    /// Without the marks of the shell.
    text: String,
    /// Whether it is within quotes.
    quoted: bool,
}

impl Typed {
    fn read(typed: &str) -> Self {
        match typed.strip_prefix(['"', '\'']) {
            Some(text) => Self {
                text: text.to_owned(),
                quoted: true,
            },
            None => Self {
                text: typed.replace('\\', ""),
                quoted: false,
            },
        }
    }

    /// A name as the shell reads it as one word. bash and PowerShell take candidates as they are, and bash keeps quotes
    /// that are typed; other shells quote them.
    fn completed(&self, name: String, shell: &str) -> String {
        match shell {
            "bash" if !self.quoted => {
                let escaped = name
                    .chars()
                    .flat_map(|c| (!is_plain(c)).then_some('\\').into_iter().chain([c]));
                escaped.collect()
            }
            "powershell" if !name.chars().all(is_plain) => format!("'{}'", name.replace('\'', "''")),
            _ => name,
        }
    }
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

/// Whether a character has no meaning to a shell.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "/._-:=@+,%".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_spaces_are_one_word_of_the_shell() {
        let id = "apps/v1 Deployment .spec.paused";
        for (shell, typed, expected) in [
            ("bash", "apps/v1", "apps/v1\\ Deployment\\ .spec.paused"),
            ("bash", "apps/v1\\ Dep", "apps/v1\\ Deployment\\ .spec.paused"),
            ("bash", "\"apps/v1 Dep", id),
            ("powershell", "apps/v1", "'apps/v1 Deployment .spec.paused'"),
            ("zsh", "apps/v1", id),
            ("fish", "apps/v1", id),
        ] {
            let read = Typed::read(typed);
            assert!(id.starts_with(&read.text), "{typed}");
            assert_eq!(read.completed(id.to_owned(), shell), expected, "{shell}: {typed}");
        }
        assert_eq!(Typed::read("ap").completed("apps/v1".to_owned(), "bash"), "apps/v1");
    }
}
