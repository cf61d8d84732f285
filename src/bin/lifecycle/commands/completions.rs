//! `lifecycle completions`: what makes a shell complete commands, options, files, and the elements and releases of the
//! model.

use std::ffi::OsStr;
use std::io::Write;

use clap::builder::ValueHint;
use clap::{Arg, Command};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, ValueCompleter};
use clap_complete::env::Shells;
use lifecycle::Sources;
use lifecycle::evaluate::Evaluation;

use crate::args::{ModelChoice, PolicyOptions};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::model_files::{LoadedModel, Side, find};
use crate::terminal::Terminal;

/// The variable by which a shell asks the program for completions.
const VARIABLE: &str = "COMPLETE";

const PROGRAM: &str = "lifecycle";

/// bash splits words at `=`, `:` and `@`, which ids and options have. The function joins them, asks for what the whole
/// word begins, and takes off the part that bash keeps.
const BASH: &str = r#"
_lifecycle_joined() {
    local -a joined=()
    local word at current=0 glued=false
    for ((at = 0; at <= COMP_CWORD; at++)); do
        word=${COMP_WORDS[at]}
        if ((at > 1)) && { $glued || [[ $word =~ ^[=:@]+$ ]]; }; then
            joined[current]+=$word
        else
            current=${#joined[@]}
            joined[current]=$word
        fi
        [[ $word =~ ^[=:@]+$ ]] && glued=true || glued=false
    done
    local typed=${joined[current]}
    local COMP_CWORD=$current
    local -a COMP_WORDS=("${joined[@]}")
    _clap_complete_lifecycle "$1" "$typed" "$3"
    local kept=${typed%"$2"}
    COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}
if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -o nospace -o bashdefault -o nosort -F _lifecycle_joined lifecycle
else
    complete -o nospace -o bashdefault -F _lifecycle_joined lifecycle
fi
"#;

/// A file that zsh loads by itself is the body of the function that it calls first. So the file ends with that call.
const ZSH: &str = r#"
if [[ "${funcstack[1]}" = _lifecycle ]]; then
    _clap_dynamic_completer_lifecycle "$@"
fi
"#;

pub fn completions(shell: &str, terminal: &mut Terminal) -> Result<Outcome> {
    let shells = Shells::builtins();
    let completer = shells
        .completer(shell)
        .ok_or_else(|| Failure::new(format!("there are no completions for {shell}")))?;
    terminal.write(|out| {
        completer.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, out)?;
        let added = match shell {
            "bash" => BASH,
            "zsh" => ZSH,
            _ => "",
        };
        out.write_all(added.as_bytes())
    });
    Ok(Outcome::Clean)
}

/// Ends the process if a shell asks for completions.
pub fn complete_for_shell(command: fn() -> Command) {
    let request = Request::read();
    CompleteEnv::with_factory(|| with_candidates(command(), &request)).complete();
}

/// What a shell asks, apart from the word that is being typed.
#[derive(Debug, Clone, Default)]
struct Request {
    shell: String,
    /// The built-in model that the words choose.
    builtin: Option<String>,
    /// The model file that they choose.
    file: Option<String>,
}

impl Request {
    /// The variable is read here because the completion engine deletes it before it asks for candidates.
    #[expect(clippy::disallowed_methods, reason = "the shell that asks is in the environment")]
    fn read() -> Self {
        let shell = std::env::var(VARIABLE).unwrap_or_default();
        let words = std::env::args_os().map(|word| Typed::read(&word.to_string_lossy()).text);
        Self::of(shell, &words.collect::<Vec<_>>())
    }

    fn of(shell: String, words: &[String]) -> Self {
        Self {
            shell,
            builtin: value_of(words, &["--builtin"]),
            file: value_of(words, &["--model", "-m"]),
        }
    }

    fn choice(&self) -> ModelChoice<'_> {
        match (&self.builtin, &self.file) {
            (Some(name), _) => ModelChoice::BuiltIn(name),
            (None, Some(file)) => ModelChoice::File(file),
            (None, None) => ModelChoice::Nearest,
        }
    }

    /// Names in the model. A model that cannot be read has none: a shell shows no errors.
    fn of_model(&self, names: impl FnOnce(&Evaluation) -> Vec<String>) -> Vec<String> {
        let loaded = Disk::allowing(&[]).and_then(|disk| {
            let (name, tree) = find(self.choice(), &disk)?;
            LoadedModel::read(&name, &tree, &PolicyOptions::default(), Side::Head)
        });
        let evaluated = loaded.ok().and_then(|loaded| loaded.evaluated.ok());
        evaluated.map(|evaluation| names(&evaluation)).unwrap_or_default()
    }

    fn candidates(
        &self,
        typed: &OsStr,
        names: impl FnOnce(&Evaluation, &str) -> Vec<String>,
    ) -> Vec<CompletionCandidate> {
        let typed = Typed::read(&typed.to_string_lossy());
        let names = self.of_model(|evaluation| names(evaluation, &typed.text));
        let names = names.into_iter().filter(|name| name.starts_with(&typed.text));
        names
            .map(|name| CompletionCandidate::new(typed.completed(name, &self.shell)))
            .collect()
    }
}

/// The value of an option, of which one spelling is among the words.
fn value_of(words: &[String], spellings: &[&str]) -> Option<String> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.split_once('=') {
            Some((option, value)) if spellings.contains(&option) => return Some(value.to_owned()),
            _ if spellings.contains(&word.as_str()) => return words.next().cloned(),
            _ => {}
        }
    }
    None
}

/// The command line, with the elements, releases and files that can be typed.
fn with_candidates(command: Command, request: &Request) -> Command {
    let command = command.mut_args(|arg| completed(arg, request));
    command.mut_subcommands(|command| with_candidates(command, request))
}

fn completed(arg: Arg, request: &Request) -> Arg {
    let names = arg.get_value_names().unwrap_or_default();
    let name = names.first().map(|name| name.as_str().to_owned()).unwrap_or_default();
    if matches!(arg.get_id().as_str(), "element" | "filter_element") || name.starts_with("ELEMENT") {
        arg.add(ArgValueCompleter::new(Elements(request.clone())))
    } else if name.starts_with("RELEASE") {
        arg.add(ArgValueCompleter::new(Releases(request.clone())))
    } else if ["MODEL", "FILE", "FOLDER", "PATH", "OLD", "NEW"]
        .iter()
        .any(|path| name.contains(path))
    {
        arg.value_hint(ValueHint::AnyPath)
    } else {
        arg
    }
}

/// Completes the ids of elements, and the release behind `@`.
struct Elements(Request);

impl ValueCompleter for Elements {
    fn complete(&self, typed: &OsStr) -> Vec<CompletionCandidate> {
        self.0.candidates(typed, |evaluation, typed| {
            let model = evaluation.model();
            let ids: Vec<String> = model.elements().map(|(id, _)| model.id(id).to_owned()).collect();
            match typed.rsplit_once('@') {
                Some((element, _)) if ids.iter().any(|id| id == element) => behind(&format!("{element}@"), evaluation),
                _ => ids,
            }
        })
    }
}

/// Completes releases, and the second one of a range.
struct Releases(Request);

impl ValueCompleter for Releases {
    fn complete(&self, typed: &OsStr) -> Vec<CompletionCandidate> {
        self.0
            .candidates(typed, |evaluation, typed| match typed.split_once("..") {
                Some((first, _)) => behind(&format!("{first}.."), evaluation),
                None => behind("", evaluation),
            })
    }
}

/// The releases of the calendar behind what is typed already.
fn behind(typed: &str, evaluation: &Evaluation) -> Vec<String> {
    let sources = Sources::new();
    let releases = evaluation.picture(&sources).releases;
    releases
        .iter()
        .map(|release| format!("{typed}{}", release.release))
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
                text: text.trim_end_matches(['"', '\'']).to_owned(),
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

/// Whether a character has no meaning to a shell.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "/._-:=@+,%".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_choose_the_model() {
        for (words, builtin, file) in [
            ("why --builtin kubernetes", Some("kubernetes"), None),
            ("why --builtin=kubernetes x", Some("kubernetes"), None),
            ("plan -m a.toml", None, Some("a.toml")),
            ("plan --model=a.toml", None, Some("a.toml")),
            ("plan", None, None),
        ] {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            let request = Request::of("zsh".to_owned(), &words);
            assert_eq!(
                (request.builtin.as_deref(), request.file.as_deref()),
                (builtin, file),
                "{words:?}"
            );
        }
    }

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
