//! What was typed. Making the options of all commands takes a third of the time of a short run, so that those of a
//! command that is run often are made alone.

use std::ffi::OsString;

use clap::{Args, Command, FromArgMatches, Parser};
use lifecycle::one_line;

use crate::args::{Arguments, Check, Diff, Lint, Plan, Scan, SharedOptions};

/// Adds the options of a command.
type AddOptions = fn(Command) -> Command;

/// The commands that are run often.
const COMMANDS: [(&str, AddOptions); 5] = [
    ("check", Check::augment_args),
    ("diff", Diff::augment_args),
    ("lint", Lint::augment_args),
    ("plan", Plan::augment_args),
    ("scan", Scan::augment_args),
];

/// The arguments. Prints help or an error and ends the process where there are none.
pub fn parse(typed: &[OsString]) -> Arguments {
    let arguments = of_one_command(typed).or_else(|| Arguments::try_parse_from(typed).ok());
    // The message repeats what was typed, in which control characters would reach the terminal.
    arguments.unwrap_or_else(|| Arguments::parse_from(typed.iter().map(|word| one_line(&word.to_string_lossy()))))
}

/// The arguments of one of these commands. `None` if it is another one, and for help and errors, which show the whole
/// program.
fn of_one_command(typed: &[OsString]) -> Option<Arguments> {
    let named = typed.get(1)?;
    let (name, options) = COMMANDS.iter().find(|(name, _)| named == name)?;
    let program = SharedOptions::augment_args(Command::new("lifecycle"));
    let program = program.subcommand(options(Command::new(*name)));
    let matches = program.try_get_matches_from(typed).ok()?;
    Arguments::from_arg_matches(&matches).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_alone_is_parsed_as_in_the_whole_program() {
        for (line, is_parsed) in [
            ("lifecycle diff old new --all -q -W element-removal:default-added", true),
            (
                "lifecycle diff old new --allow-folder a --allow-folder b --color never",
                true,
            ),
            ("lifecycle lint --base main --fail-on warning config", true),
            ("lifecycle check --base main --format github --output check.sarif", true),
            ("lifecycle plan --in 1.37 --builtin kubernetes -v", true),
            ("lifecycle scan - --from 1.33 --to 1.37", true),
            ("lifecycle diff old", false),
            ("lifecycle diff --help", false),
            ("lifecycle lint --version", false),
            ("lifecycle plan -q -v", false),
            ("lifecycle why apps/v1", false),
            ("lifecycle", false),
        ] {
            let typed: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let alone = of_one_command(&typed).map(|arguments| format!("{arguments:?}"));
            let whole = Arguments::try_parse_from(&typed).ok();
            let whole = whole.map(|arguments| format!("{arguments:?}"));
            assert_eq!(alone, whole.filter(|_| is_parsed), "{line}");
            assert_eq!(alone.is_some(), is_parsed, "{line}");
        }
    }
}
