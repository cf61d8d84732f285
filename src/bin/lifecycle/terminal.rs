//! Where answers and messages go: answers to standard output, the rest to standard error.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use lifecycle::one_line;
use lifecycle::render::terminal_page::message;
use lifecycle::render::{Style, visible};

use crate::failure::{Failure, Result};
use crate::output_options::{Color, OutputOptions, UNLIMITED, message_width, width};
use crate::pager::Pager;

/// How many messages of one sort are printed; the others are counted, and printed with `--verbose`.
const MOST_PRINTED: usize = 20;

const BUFFER: usize = 1 << 16;

/// Where answers go.
#[derive(Debug)]
pub enum Out {
    Stdout(BufWriter<io::Stdout>),
    Paged(BufWriter<Pager>),
    /// To a file, once the answer is complete.
    Collected(Vec<u8>),
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::Paged(out) => out.write(bytes),
            Self::Collected(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::Paged(out) => out.flush(),
            Self::Collected(_) => Ok(()),
        }
    }
}

/// Whether answers go through the pager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paging {
    /// Not by the user's choice.
    Refused,
    /// Not this answer.
    Possible,
    /// The next answer does.
    Wanted,
}

#[derive(Debug)]
pub struct Terminal {
    out: Out,
    paging: Paging,
    /// Messages that wait until the pager is closed.
    held: Vec<String>,
    /// The first failure to write an answer.
    broken: Option<io::Error>,
    color: Color,
    quiet: bool,
    verbose: bool,
    width: u16,
    message_width: u16,
}

impl Terminal {
    pub fn new(options: &OutputOptions) -> Self {
        Self {
            out: Out::Stdout(BufWriter::with_capacity(BUFFER, io::stdout())),
            paging: if options.no_pager {
                Paging::Refused
            } else {
                Paging::Possible
            },
            held: Vec::new(),
            broken: None,
            color: options.color,
            quiet: options.quiet,
            verbose: options.verbose,
            width: width(),
            message_width: message_width(),
        }
    }

    /// Whether somebody can be asked.
    pub fn can_ask(&self) -> bool {
        self.is_terminal() && io::stdin().is_terminal()
    }

    /// Asks a question, and returns the line that is typed.
    pub fn ask(&mut self, question: &str) -> Result<String> {
        self.write(|out| write!(out, "{question} ").and_then(|()| out.flush()));
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        match read {
            Ok(0) => Err(Failure::new("no answer: standard input has ended").help("give --yes to take what is found")),
            Ok(_) => Ok(line.trim().to_owned()),
            Err(problem) => Err(Failure::new(format!("the answer cannot be read: {problem}"))),
        }
    }

    /// Asks whether to do something: yes, unless the answer begins with `n`.
    pub fn agrees(&mut self, question: &str) -> Result<bool> {
        let answer = self.ask(&format!("{question} [Y/n]"))?;
        Ok(!answer.to_lowercase().starts_with('n'))
    }

    /// Whether answers go to a terminal, and not to a file or another program.
    pub fn is_terminal(&self) -> bool {
        !matches!(self.out, Out::Collected(_)) && io::stdout().is_terminal()
    }

    /// Shows the answer in the pager, if it goes to a terminal.
    pub fn page(&mut self) {
        if self.paging == Paging::Possible && self.is_terminal() {
            self.paging = Paging::Wanted;
        }
    }

    /// Whether `--verbose` is given.
    pub fn is_verbose(&self) -> bool {
        self.verbose
    }

    pub fn style(&self) -> Style {
        Style {
            width: self.width,
            color: match &self.out {
                Out::Stdout(_) | Out::Paged(_) => self.color.for_stream(&io::stdout()),
                Out::Collected(_) => false,
            },
        }
    }

    /// The same; where there is no terminal, its width is another one.
    pub fn style_within(&self, width: Option<u16>) -> Style {
        let style = self.style();
        let unlimited = style.width == UNLIMITED;
        let width = width.filter(|_| unlimited).unwrap_or(style.width);
        Style { width, ..style }
    }

    pub fn error_style(&self) -> Style {
        Style {
            width: self.width,
            color: self.color.for_stream(&io::stderr()),
        }
    }

    /// Collects what is answered from now on, until it is taken.
    pub fn collect(&mut self) {
        self.flush();
        self.out = Out::Collected(Vec::new());
    }

    /// What was collected. Later answers go to standard output again.
    pub fn collected(&mut self) -> Vec<u8> {
        match std::mem::replace(&mut self.out, Out::Stdout(BufWriter::new(io::stdout()))) {
            Out::Collected(content) => content,
            Out::Stdout(_) | Out::Paged(_) => Vec::new(),
        }
    }

    pub fn answer(&mut self, text: &str) {
        self.write(|out| out.write_all(text.as_bytes()));
    }

    pub fn write(&mut self, write: impl FnOnce(&mut Out) -> io::Result<()>) {
        if self.paging == Paging::Wanted && matches!(self.out, Out::Stdout(_)) {
            self.paging = Paging::Possible;
            if let Some(pager) = Pager::start() {
                self.out = Out::Paged(BufWriter::with_capacity(BUFFER, pager));
            }
        }
        if self.broken.is_none() {
            self.broken = write(&mut self.out).err();
        }
    }

    fn flush(&mut self) {
        if self.broken.is_none() {
            self.broken = self.out.flush().err();
        }
    }

    /// A message as it is printed: names in it cannot break its lines, and the terminal does not.
    fn fitted(&self, text: &str) -> String {
        message(&one_line(text), self.message_width)
    }

    /// Prints a message, or holds it while the pager has the screen.
    fn message(&mut self, text: String) {
        match &self.out {
            Out::Stdout(_) | Out::Collected(_) => print_error(&text),
            Out::Paged(_) => self.held.push(text),
        }
    }

    /// Ends the answer, and waits for the reader of a pager.
    fn end_answer(&mut self) {
        self.flush();
        let out = std::mem::replace(&mut self.out, Out::Stdout(BufWriter::new(io::stdout())));
        if let Out::Paged(paged) = out {
            // What could not be written is not written again.
            let (pager, _) = paged.into_parts();
            pager.finish();
        }
        for text in std::mem::take(&mut self.held) {
            print_error(&text);
        }
    }

    /// Prints to standard error what was drawn for a terminal, with its colors.
    pub fn show_error(&mut self, drawn: &str) {
        self.flush();
        self.message(drawn.to_owned());
    }

    /// Prints a message, also with `--quiet`.
    pub fn warn(&mut self, text: &str) {
        self.show_error(&self.fitted(text));
    }

    /// Prints a message, unless `--quiet` is given.
    pub fn note(&mut self, text: &str) {
        // Answers come before later messages, also where both streams go to one place.
        self.flush();
        if !self.quiet {
            self.message(self.fitted(text));
        }
    }

    /// Prints a message if `--verbose` is given.
    pub fn detail(&self, text: &str) {
        if self.verbose {
            print_error(&self.fitted(text));
        }
    }

    /// Prints the first of many messages, each after its head, and how many more there are; with `--quiet`, nothing.
    pub fn note_some<S: AsRef<str>>(&mut self, head: &str, messages: &[S]) {
        self.some(head, messages, Self::note);
    }

    /// Prints how many messages there are; with `--verbose`, prints each after its head instead.
    pub fn note_count<S: AsRef<str>>(&mut self, count: &str, head: &str, messages: &[S]) {
        if !self.verbose {
            self.note(&format!("{count}; --verbose lists them"));
        }
        for message in messages {
            self.detail(&format!("{head}{}", message.as_ref()));
        }
    }

    /// Prints the first of many messages, each after its head, and how many more there are, also with `--quiet`.
    pub fn warn_some<S: AsRef<str>>(&mut self, head: &str, messages: &[S]) {
        self.some(head, messages, Self::warn);
    }

    fn some<S: AsRef<str>>(&mut self, head: &str, messages: &[S], print: impl Fn(&mut Self, &str)) {
        let (first, others) = messages.split_at(messages.len().min(MOST_PRINTED));
        for message in first {
            print(self, &format!("{head}{}", message.as_ref()));
        }
        if !others.is_empty() {
            print(self, &format!("{head}{} more; --verbose lists them", others.len()));
        }
        for message in others {
            self.detail(&format!("{head}{}", message.as_ref()));
        }
    }

    /// Writes the rest of the answer and ends. A reader that has stopped reading (`| head`) is no failure.
    pub fn finish(mut self, code: u8) -> ExitCode {
        self.end_answer();
        match self.broken.take() {
            Some(problem) if problem.kind() != io::ErrorKind::BrokenPipe => {
                print_error(&format!("error: cannot write the answer: {problem}"));
                ExitCode::from(2)
            }
            _ => ExitCode::from(code),
        }
    }

    pub fn fail(mut self, failure: &Failure) -> ExitCode {
        self.end_answer();
        self.warn_some("error: ", &failure.earlier);
        print_error(&self.fitted(&format!("error: {}", failure.message)));
        if let Some(excerpt) = &failure.excerpt {
            print_error(&visible(excerpt));
        }
        if let Some(help) = &failure.help {
            print_error(&self.fitted(&format!("help: {help}")));
        }
        ExitCode::from(2)
    }
}

/// A message that cannot be written has nowhere else to go.
fn print_error(text: &str) {
    let mut stderr = io::stderr().lock();
    drop(writeln!(stderr, "{text}"));
}
