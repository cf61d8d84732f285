//! The program: arguments, files and the terminal around the library.

mod args;
mod commands;
mod files;
mod gather;
mod terminal;

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
