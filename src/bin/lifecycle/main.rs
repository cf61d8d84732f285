//! The program: arguments, files and the terminal around the library.

mod args;
mod aside;
mod base;
mod beside;
mod chosen;
mod commands;
mod definitions;
mod emit;
mod files;
mod git;
mod load;
mod place;
mod schemas;
mod store;
mod tags;
mod terminal;
mod threads;
mod write;

use std::process::ExitCode;

use clap::Parser;
use lifecycle::render::visible;

fn main() -> ExitCode {
    let arguments = match args::Arguments::try_parse() {
        Ok(arguments) => arguments,
        // The message repeats what was typed, in which control characters would reach the terminal.
        Err(_) => args::Arguments::parse_from(
            std::env::args_os().map(|typed| visible(&typed.to_string_lossy()).replace('\n', " ")),
        ),
    };
    let mut terminal = terminal::Terminal::new(&arguments.look);
    match commands::run(&arguments, &mut terminal) {
        Ok(outcome) => terminal.finish(outcome.code()),
        Err(failure) => terminal.fail(&failure),
    }
}
