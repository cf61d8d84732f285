//! The program: arguments, files and the terminal around the library.

mod args;
mod base;
mod commands;
mod emit;
mod files;
mod git;
mod load;
mod store;
mod terminal;
mod write;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    let mut terminal = terminal::Terminal::new(&arguments.look);
    match commands::run(&arguments, &mut terminal) {
        Ok(outcome) => terminal.finish(outcome.code()),
        Err(failure) => terminal.fail(&failure),
    }
}
