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
        let mut words = words(&asked)?.into_iter();
        let program = words.next().filter(|program| program != "cat")?;
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

/// The words of a command line, as a shell reads them: within quotes, and after a backslash, a space is part of a word.
/// `None` if a quote is not closed.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut open, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                open.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(open.take()),
            // A shell keeps a backslash within single quotes.
            (None | Some('"'), '\\') => open.get_or_insert_default().extend(characters.next()),
            (_, c) => open.get_or_insert_default().push(c),
        }
    }
    words.extend(open);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_command_line_is_split_as_a_shell_splits_it() {
        for (line, expected) in [
            ("less -R", vec!["less", "-R"]),
            ("  less  --prompt='a b' ", vec!["less", "--prompt=a b"]),
            (
                r#""/opt/my tools/less" -x\ y "a\"b""#,
                vec!["/opt/my tools/less", "-x y", "a\"b"],
            ),
            ("less ''", vec!["less", ""]),
            ("", vec![]),
        ] {
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(words(line), Some(expected), "{line}");
        }
        assert_eq!(words("less 'a"), None);
    }
}
