//! The program: arguments, files and the terminal around the library.

mod args;
mod base_files;
mod baseline;
mod built_in;
mod commands;
mod compared_schemas;
mod element;
mod evidence;
mod failure;
mod file_edits;
mod input_errors;
mod io;
mod kustomized;
mod model_files;
mod output_options;
mod pager;
mod parallel;
mod policy_files;
mod report_output;
mod schema_files;
mod summary;
mod terminal;
mod with_model;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use lifecycle::one_line;

fn main() -> ExitCode {
    commands::complete_for_shell(args::Arguments::command);
    let arguments = match args::Arguments::try_parse() {
        Ok(arguments) => arguments,
        // The message repeats what was typed, in which control characters would reach the terminal.
        Err(_) => args::Arguments::parse_from(std::env::args_os().map(|typed| one_line(&typed.to_string_lossy()))),
    };
    let mut terminal = terminal::Terminal::new(&arguments.output);
    match commands::run(&arguments, &mut terminal) {
        Ok(outcome) => terminal.finish(outcome as u8),
        Err(failure) => terminal.fail(&failure),
    }
}
