//! The program that shows long answers page by page, as `git` uses it: `PAGER`, or else `less -FRX`.

use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

/// The pager where `PAGER` is not set.
const DEFAULT: &str = "less";

/// What `less` does unless `LESS` says otherwise: end if all fits one screen, show colors, leave the screen as it is.
const LESS: &str = "FRX";

/// A running pager.
#[derive(Debug)]
pub struct Pager(Child);

impl Pager {
    /// Starts the pager that the user asks for. None, if none is wanted, or if it cannot be started: the answer then
    /// goes to the terminal itself.
    #[expect(clippy::disallowed_methods, reason = "the program is what reads the environment")]
    pub fn start() -> Option<Self> {
        let asked = std::env::var("PAGER").unwrap_or_else(|_| DEFAULT.to_owned());
        let mut words = asked.split_whitespace();
        let program = words.next().filter(|program| *program != "cat")?;
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped());
        if std::env::var_os("LESS").is_none() {
            command.env("LESS", LESS);
        }
        command.spawn().ok().map(Self)
    }

    /// Waits until the reader has closed it.
    pub fn finish(mut self) {
        drop(self.0.stdin.take());
        // How it ended says nothing about the answer.
        drop(self.0.wait());
    }
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0.stdin {
            Some(stdin) => stdin.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.stdin.as_mut().map_or(Ok(()), Write::flush)
    }
}
