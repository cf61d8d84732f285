//! A progress bar on a terminal, by the bytes that are read.

use std::io::{self, IsTerminal, Read, Write};

/// Bytes between two states of the bar.
const STEP: u64 = 32 << 20;

const WIDTH: usize = 20;

/// A content that reports how much of it was read.
pub struct Progress<'n, R> {
    input: R,
    name: &'n str,
    /// Its length, if that is known.
    length: Option<u64>,
    read: u64,
    drawn: u64,
    is_shown: bool,
}

impl<'n, R: Read> Progress<'n, R> {
    pub fn new(input: R, name: &'n str, length: Option<u64>) -> Self {
        Self {
            input,
            name,
            length,
            read: 0,
            drawn: 0,
            is_shown: io::stderr().is_terminal(),
        }
    }

    /// "[######              ] 30% of audit.log", or the megabytes where the length is unknown.
    fn bar(&self) -> String {
        match self.length.filter(|length| *length > 0) {
            Some(length) => {
                let percent = (self.read * 100 / length).min(100);
                let done = usize::try_from(percent).unwrap_or_default() * WIDTH / 100;
                let (done, left) = ("#".repeat(done), " ".repeat(WIDTH - done));
                format!("[{done}{left}] {percent}% of {}", self.name)
            }
            None => format!("{} MB of {}", self.read / 1_000_000, self.name),
        }
    }
}

impl<R: Read> Read for Progress<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.read += count as u64;
        if self.is_shown && self.read - self.drawn >= STEP {
            self.drawn = self.read;
            // A bar that cannot be drawn is no reason to stop.
            drop(write!(io::stderr(), "\r{}\u{1b}[K", lifecycle::one_line(&self.bar())));
        }
        Ok(count)
    }
}

impl<R> Drop for Progress<'_, R> {
    fn drop(&mut self) {
        if self.drawn > 0 {
            drop(write!(io::stderr(), "\r\u{1b}[K"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_shows_the_part_that_was_read() {
        let mut progress = Progress::new(&b"abcd"[..], "a.log", Some(4));
        assert_eq!(progress.bar(), "[                    ] 0% of a.log");
        let mut two = [0; 2];
        progress.read_exact(&mut two).unwrap();
        assert_eq!(progress.bar(), "[##########          ] 50% of a.log");
        progress.length = None;
        assert_eq!(progress.bar(), "0 MB of a.log");
    }
}
