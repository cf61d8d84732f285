//! The lines of a document, and what begins in them.

use memchr::memchr;

use super::declined::{Declined, Simple};

/// What stands between two parts of a document.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Gap {
    /// Lines of blanks.
    pub(super) blank: usize,
    /// Whether there are comments.
    pub(super) commented: bool,
}

/// The place of a part of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) line: u32,
    start: usize,
    at: usize,
}

/// A key, and its length with quotes.
pub(super) type WrittenKey<'t> = (&'t str, usize);

/// A document that is read line by line.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    pub(super) text: &'t str,
    /// The next byte to look at.
    pub(super) at: usize,
    /// Where its line starts, and ends without its line break.
    pub(super) start: usize,
    pub(super) end: usize,
    line: u32,
    is_end: bool,
    /// The key at which a table was found, until it is read.
    pub(super) first_key: Option<WrittenKey<'t>>,
    /// The keys of all open tables, in order within each.
    pub(super) keys: Vec<&'t str>,
    /// Open tables and lists.
    pub(super) depth: usize,
    /// Values, keys, lists and tables so far.
    pub(super) nodes: usize,
}

impl<'t> Lines<'t> {
    /// The document, at its first value.
    pub(super) fn begin(text: &'t str) -> Simple<Self> {
        if !has_ordinary_characters(text) {
            return Err(Declined);
        }
        let mut lines = Self {
            text,
            at: 0,
            start: 0,
            end: 0,
            line: 1,
            is_end: false,
            first_key: None,
            keys: Vec::with_capacity(64),
            depth: 0,
            nodes: 0,
        };
        lines.enter(0);
        if text.starts_with("---") {
            lines.at = "---".len();
            lines.finish()?;
        } else {
            lines.settle()?;
        }
        Ok(lines)
    }

    /// Whether nothing is left.
    pub(super) fn is_end(&self) -> bool {
        self.is_end
    }

    /// The column of what comes next, from 0.
    pub(super) fn column(&self) -> usize {
        self.at - self.start
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// What is left of the line.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    pub(super) fn place(&self) -> Place {
        Place {
            line: self.line,
            start: self.start,
            at: self.at,
        }
    }

    /// The column of a place in characters, from 1.
    pub(super) fn column_of(&self, place: Place) -> u32 {
        let before = self.text.get(place.start..place.at).unwrap_or_default();
        u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX)
    }

    /// Goes to the first character of the line that starts at a byte.
    fn enter(&mut self, start: usize) {
        let bytes = self.text.as_bytes();
        let rest = bytes.get(start..).unwrap_or_default();
        self.start = start;
        self.end = memchr(b'\n', rest).map_or(bytes.len(), |length| start + length);
        self.at = start;
        self.skip_blanks();
    }

    /// Goes to the next line, if there is one.
    pub(super) fn next_line(&mut self) -> bool {
        if self.end + 1 >= self.text.len() {
            self.is_end = true;
            self.at = self.text.len();
            return false;
        }
        self.line += 1;
        self.enter(self.end + 1);
        true
    }

    pub(super) fn skip_blanks(&mut self) {
        let rest = self.rest().bytes();
        self.at += rest.take_while(|byte| *byte == b' ').count();
    }

    /// Whether nothing but blanks is left in the line.
    pub(super) fn is_blank(&self) -> bool {
        self.at >= self.end
    }

    /// Goes to the next line that has more than a comment.
    pub(super) fn advance(&mut self) -> Simple<Gap> {
        if self.next_line() {
            self.settle()
        } else {
            Ok(Gap::default())
        }
    }

    /// The same from the beginning of this line.
    pub(super) fn settle(&mut self) -> Simple<Gap> {
        let mut gap = Gap::default();
        loop {
            let first = self.byte(self.at).filter(|_| !self.is_blank());
            match first {
                None => gap.blank += 1,
                Some(b'#') => gap.commented = true,
                Some(b'\t') => return Err(Declined),
                Some(b'-' | b'.') if self.is_marker() => return Err(Declined),
                Some(_) => return Ok(gap),
            }
            if !self.next_line() {
                return Ok(gap);
            }
        }
    }

    /// Whether the line marks where a document begins or ends.
    fn is_marker(&self) -> bool {
        self.column() == 0 && ["---", "..."].iter().any(|mark| self.rest().starts_with(mark))
    }

    /// After a value: nothing else may be in its line. Goes to the next one.
    pub(super) fn finish(&mut self) -> Simple<Gap> {
        let after = self.at;
        self.skip_blanks();
        let is_comment = self.byte(self.at) == Some(b'#') && self.at > after;
        if !self.is_blank() && !is_comment {
            return Err(Declined);
        }
        let gap = self.advance()?;
        let commented = gap.commented || is_comment;
        Ok(Gap { commented, ..gap })
    }

    /// Whether an entry of a list begins here.
    pub(super) fn is_dash(&self) -> bool {
        self.byte(self.at) == Some(b'-') && (self.at + 1 == self.end || self.byte(self.at + 1) == Some(b' '))
    }
}

/// Whether a text has no characters that break lines or that YAML does not allow, but line feeds.
fn has_ordinary_characters(text: &str) -> bool {
    let mut has_control = false;
    for byte in text.bytes() {
        has_control |= (byte < b' ' && byte != b'\n' && byte != b'\t') || byte == 0x7f;
    }
    let mut others = text.chars().filter(|letter| !letter.is_ascii());
    !has_control
        && (text.is_ascii()
            || others.all(|letter| {
                !matches!(
                    letter,
                    '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
                )
            }))
}
