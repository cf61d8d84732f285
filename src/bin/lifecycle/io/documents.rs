//! The documents of a file, read one after another, so that a large file is not held as a whole.

use std::io::{BufRead, BufReader, Cursor, Read};
use std::sync::Arc;

use lifecycle::text::begins_document;

use crate::failure::Result;

use super::disk::{
    BYTE_ORDER_MARK, FileText, STANDARD_INPUT, cannot_read, is_folder, open_found, read_found, text_from, too_large,
};

/// The documents of a file.
pub struct Documents {
    /// The name of the file in messages.
    pub name: Arc<str>,
    reader: Box<dyn BufRead>,
    /// The line at which the next one begins.
    line: u32,
    /// Its first line, which is read already.
    begun: Vec<u8>,
    /// How many bytes may still be read.
    left: u64,
    /// How many might be read at first.
    most: u64,
}

/// A document of a file.
pub struct FileDocument {
    /// The line at which it begins.
    pub line: u32,
    pub text: String,
}

impl Documents {
    /// Those that are read, of at most so many bytes.
    fn new(name: &str, reader: Box<dyn BufRead>, most: usize) -> Self {
        let most = most as u64;
        Self {
            name: name.into(),
            reader,
            line: 1,
            begun: Vec::new(),
            left: most,
            most,
        }
    }

    /// Those of a file that was found below a folder, or of standard input for `-`.
    pub fn found(name: &str, most: usize) -> Result<Self> {
        if name == STANDARD_INPUT || is_folder(name) {
            return read_found(name, most).map(Self::of_text);
        }
        let file = open_found(name, most)?;
        Ok(Self::new(name, Box::new(BufReader::new(file)), most))
    }

    /// Those of a text that is held.
    pub fn of_text(text: FileText) -> Self {
        let most = text.content.len();
        Self::new(&text.name, Box::new(Cursor::new(text.content)), most)
    }

    /// The next document.
    pub fn next(&mut self) -> Result<Option<FileDocument>> {
        let first = self.line;
        let mut bytes = std::mem::take(&mut self.begun);
        let mut lines = u32::from(!bytes.is_empty());
        loop {
            let start = bytes.len();
            // No more than that, however long the line is.
            let mut bounded = self.reader.by_ref().take(self.left.saturating_add(1));
            let read = bounded.read_until(b'\n', &mut bytes);
            let read = read.map_err(|problem| cannot_read(&self.name, &problem))?;
            self.left = self
                .left
                .checked_sub(read as u64)
                .ok_or_else(|| too_large(&self.name, self.most))?;
            if read == 0 {
                break;
            }
            let line = &bytes[start..];
            let is_marker = line.starts_with(b"---") && str::from_utf8(line).is_ok_and(begins_document);
            if start > 0 && is_marker {
                self.begun = bytes.split_off(start);
                break;
            }
            lines = lines.saturating_add(1);
        }
        self.line = first.saturating_add(lines);
        if bytes.is_empty() {
            return Ok(None);
        }
        let mut text = text_from(&self.name, first, bytes)?;
        if first == 1 && text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        Ok(Some(FileDocument { line: first, text }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(u32, String)> {
        let mut documents = Documents::new("a.yaml", Box::new(Cursor::new(text.to_owned())), 64);
        let next = std::iter::from_fn(|| documents.next().ok().flatten());
        next.map(|document| (document.line, document.text)).collect()
    }

    #[test]
    fn no_more_is_read_than_a_file_may_have() {
        let endless = BufReader::new(std::io::repeat(b'a'));
        let mut documents = Documents::new("a.yaml", Box::new(endless), 64);
        assert!(documents.next().is_err());
    }

    #[test]
    fn documents_have_the_lines_at_which_they_begin() {
        let expected = |all: &[(u32, &str)]| -> Vec<(u32, String)> {
            all.iter().map(|(line, text)| (*line, (*text).to_owned())).collect()
        };
        assert_eq!(
            read("a: 1\nb: 2\n--- # two\nc: 3\n---\nd"),
            expected(&[(1, "a: 1\nb: 2\n"), (3, "--- # two\nc: 3\n"), (5, "---\nd")])
        );
        assert_eq!(read("\u{feff}---\na\n----\n"), expected(&[(1, "---\na\n----\n")]));
        assert_eq!(read(""), expected(&[]));
        assert_eq!(read(&"a\n".repeat(40)), expected(&[]));
    }
}
