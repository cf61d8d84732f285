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
mod typed;
mod with_model;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;

fn main() -> ExitCode {
    commands::complete_for_shell(args::Arguments::command);
    let typed: Vec<OsString> = std::env::args_os().collect();
    let arguments = typed::parse(&typed);
    let mut terminal = terminal::Terminal::new(&arguments.shared.output);
    match commands::run(&arguments, &mut terminal) {
        Ok(outcome) => terminal.finish(outcome as u8),
        Err(failure) => terminal.fail(&failure),
    }
}
