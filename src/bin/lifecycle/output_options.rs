//! How output looks: color, width, and how much is reported.

use std::io::{self, IsTerminal};

use clap::{Args, ValueEnum};

/// The width where there is no terminal and `COLUMNS` is not set: nothing is wrapped.
pub const UNLIMITED: u16 = u16::MAX;

/// The least width that holds a table.
const LEAST_WIDTH: u16 = 20;

/// How the output of every command looks.
#[derive(Debug, Args)]
pub struct OutputOptions {
    /// When to use color
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, global = true, display_order = 100)]
    pub color: Color,
    /// Print long answers at once. Without it, a terminal shows them in a pager (PAGER, or else less)
    #[arg(long, global = true, display_order = 103)]
    pub no_pager: bool,
    /// Print the answer and errors only
    #[arg(short, long, global = true, display_order = 101)]
    pub quiet: bool,
    /// Also print which files and policies are used
    #[arg(short, long, global = true, conflicts_with = "quiet", display_order = 102)]
    pub verbose: bool,
}

/// When to use color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Whether to color the output to this stream.
    pub fn for_stream(self, stream: &impl anstream::stream::RawStream) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
        }
    }
}

/// The columns of the terminal; `COLUMNS` where it is set; unlimited where there is no terminal.
pub fn width() -> u16 {
    width_for(io::stdout().is_terminal())
}

/// The same for messages, which go to standard error.
pub fn message_width() -> u16 {
    width_for(io::stderr().is_terminal())
}

#[expect(clippy::disallowed_methods, reason = "the program is what reads the environment")]
fn width_for(is_terminal: bool) -> u16 {
    let stated = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width = stated.or_else(|| terminal_width().filter(|_| is_terminal));
    width.unwrap_or(UNLIMITED).max(LEAST_WIDTH)
}

fn terminal_width() -> Option<u16> {
    terminal_size::terminal_size().map(|(terminal_size::Width(columns), _)| columns)
}
