//! Where answers and messages go: answers to standard output, the rest to standard error.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use lifecycle::render::{Look, visible};

use crate::args;
use crate::commands::Failure;

/// Columns where there is no terminal and nobody says how many there are: nothing is wrapped.
const UNLIMITED: u16 = u16::MAX;

/// Fewer columns than this hold no table.
const LEAST_WIDTH: u16 = 20;

/// How many messages of one sort are told; the others are counted, and shown to those who ask for more.
const MOST_TOLD: usize = 20;

/// The two streams and how they may look.
#[derive(Debug)]
pub struct Terminal {
    out: BufWriter<io::Stdout>,
    /// The first failure to write an answer.
    broken: Option<io::Error>,
    color: bool,
    asked: args::Color,
    quiet: bool,
    verbose: bool,
    width: u16,
}

impl Terminal {
    /// The streams of this process.
    pub fn new(look: &args::Look) -> Self {
        let color = match look.color {
            args::Color::Always => true,
            args::Color::Never => false,
            args::Color::Auto => anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
        };
        Self {
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
            broken: None,
            color,
            asked: look.color,
            quiet: look.quiet,
            verbose: look.verbose,
            width: width(),
        }
    }

    /// Whether answers go to a terminal, and not to a file or another program.
    pub fn is_terminal(&self) -> bool {
        self.out.get_ref().is_terminal()
    }

    /// How answers for people may look.
    pub fn look(&self) -> Look {
        Look {
            width: self.width,
            color: self.color,
        }
    }

    /// How what goes beside the answers may look.
    pub fn look_beside(&self) -> Look {
        let color = match self.asked {
            args::Color::Auto => anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never,
            asked => asked == args::Color::Always,
        };
        Look { color, ..self.look() }
    }

    /// Tells something that must be told even to those who asked for quiet.
    pub fn complain(&mut self, text: &str) {
        self.show_beside(&visible(text));
    }

    /// Shows beside the answer what was drawn for a terminal, with its colors.
    pub fn show_beside(&mut self, drawn: &str) {
        self.write(Write::flush);
        complain(drawn);
    }

    /// Prints an answer.
    pub fn answer(&mut self, text: &str) {
        self.write(|out| out.write_all(text.as_bytes()));
    }

    /// Prints an answer piece by piece.
    pub fn write(&mut self, write: impl FnOnce(&mut BufWriter<io::Stdout>) -> io::Result<()>) {
        if self.broken.is_none() {
            self.broken = write(&mut self.out).err();
        }
    }

    /// Tells something beside the answer, unless asked to be quiet.
    pub fn tell(&mut self, text: &str) {
        // What was answered before stands before this, also where both streams go to one place.
        self.write(Write::flush);
        if !self.quiet {
            complain(&visible(text));
        }
    }

    /// Tells something only those want to know who ask for more.
    pub fn detail(&self, text: &str) {
        if self.verbose {
            complain(&visible(text));
        }
    }

    /// Tells the first of many messages of one sort, each after its head, and how many more there are.
    pub fn tell_some<S: AsRef<str>>(&mut self, head: &str, messages: &[S]) {
        self.some(head, messages, Self::tell);
    }

    /// The same for messages that must be told even to those who asked for quiet.
    pub fn complain_some<S: AsRef<str>>(&mut self, head: &str, messages: &[S]) {
        self.some(head, messages, Self::complain);
    }

    fn some<S: AsRef<str>>(&mut self, head: &str, messages: &[S], say: impl Fn(&mut Self, &str)) {
        let (first, others) = messages.split_at(messages.len().min(MOST_TOLD));
        for message in first {
            say(self, &format!("{head}{}", message.as_ref()));
        }
        if !others.is_empty() {
            say(self, &format!("{head}{} more; --verbose shows them", others.len()));
        }
        for message in others {
            self.detail(&format!("{head}{}", message.as_ref()));
        }
    }

    /// Writes the rest of the answer and ends.
    ///
    /// A reader that has gone away (`| head`) is no failure.
    pub fn finish(mut self, code: u8) -> ExitCode {
        self.write(Write::flush);
        match self.broken.take() {
            Some(problem) if problem.kind() != io::ErrorKind::BrokenPipe => {
                complain(&format!("error: cannot write the answer: {problem}"));
                ExitCode::from(2)
            }
            _ => ExitCode::from(code),
        }
    }

    /// Tells why the program could not run, and ends.
    pub fn fail(mut self, failure: &Failure) -> ExitCode {
        self.write(Write::flush);
        complain(&format!("error: {}", visible(&failure.message)));
        if let Some(help) = &failure.help {
            complain(&format!("help: {}", visible(help)));
        }
        ExitCode::from(2)
    }
}

/// A message that cannot be written has nowhere else to go.
fn complain(text: &str) {
    let mut stderr = io::stderr().lock();
    drop(writeln!(stderr, "{text}"));
}

/// The columns of the terminal; `COLUMNS` where it is set; without end where there is no terminal.
#[expect(clippy::disallowed_methods, reason = "the program is what reads the environment")]
fn width() -> u16 {
    let stated = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || {
        let size = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
        size.map(|(terminal_size::Width(columns), _)| columns)
    };
    stated.or_else(measured).unwrap_or(UNLIMITED).max(LEAST_WIDTH)
}
