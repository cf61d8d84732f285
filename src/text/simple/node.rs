//! What begins at a place: a scalar, a table or a list.

use std::borrow::Cow;

use super::declined::{Declined, Simple};
use super::lines::{Lines, Place, WrittenKey};
use super::scalar::Meaning;

/// The longest key. Those of the full reader may be twice as long.
const LONGEST_KEY: usize = 500;

/// The longest list in brackets.
const LONGEST_LIST: usize = 1000;

/// A table with more keys is for the full reader if they are not in order.
const MOST_UNORDERED: usize = 1000;

/// What a value is, and its place.
#[derive(Debug)]
pub(super) struct Node<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) place: Place,
}

/// What a value is. Tables and lists are still to be read: they go on while keys or dashes are in their column.
#[derive(Debug)]
pub(super) enum Kind<'t> {
    Plain(Cow<'t, str>),
    Quoted(Cow<'t, str>),
    Table(usize),
    List(usize),
    EmptyTable,
    /// A list in brackets.
    Listed(Vec<Node<'t>>),
}

impl Kind<'_> {
    /// Whether it is nothing, `~` or `null`.
    pub(super) fn is_null(&self) -> bool {
        match self {
            Self::Plain(text) => matches!(text.len(), 0 | 1 | 4) && Meaning::of(text) == Ok(Meaning::Null),
            _ => false,
        }
    }
}

/// A key and its place, from 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key<'t> {
    pub(super) text: &'t str,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl<'t> Lines<'t> {
    /// The value of a document: a table or a list.
    pub(super) fn root(&mut self) -> Simple<Node<'t>> {
        let root = self.fresh(0)?;
        match root.kind {
            Kind::Table(_) | Kind::List(_) => Ok(root),
            _ => Err(Declined),
        }
    }

    /// What begins where a table or a list may begin.
    fn fresh(&mut self, least: usize) -> Simple<Node<'t>> {
        let kind = if self.is_dash() {
            Kind::List(self.column())
        } else if let Some(key) = self.written_key()? {
            self.first_key = Some(key);
            Kind::Table(self.column())
        } else {
            return self.scalar(least);
        };
        let place = self.place();
        Ok(Node { kind, place })
    }

    /// Whether a list with dashes in a column has another entry.
    pub(super) fn has_entry(&self, column: usize) -> Simple<bool> {
        if self.is_end() || self.column() < column {
            return Ok(false);
        }
        if self.column() > column {
            return Err(Declined);
        }
        Ok(self.is_dash())
    }

    /// The next entry of a list with dashes in a column.
    pub(super) fn entry(&mut self, column: usize) -> Simple<Node<'t>> {
        self.at += 1;
        let least = column + 1;
        if self.is_line_over() {
            self.advance()?;
            if self.is_end() || self.column() < least {
                // An entry without a value.
                return Err(Declined);
            }
        }
        self.fresh(least)
    }

    /// The next key of a table with keys in a column.
    pub(super) fn key(&mut self, column: usize) -> Simple<Option<Key<'t>>> {
        if self.is_end() || self.column() < column {
            return Ok(None);
        }
        if self.column() > column {
            return Err(Declined);
        }
        let (text, length) = match self.first_key.take() {
            Some(first) => first,
            None => self.written_key()?.ok_or(Declined)?,
        };
        let line = self.place().line;
        // Blanks and dashes stand before it, which are one byte long.
        let column = u32::try_from(column + 1).unwrap_or(u32::MAX);
        self.at += length + 1;
        Ok(Some(Key { text, line, column }))
    }

    /// Declines a key that a table has twice; `first` is the first of its keys.
    pub(super) fn note_key(&mut self, first: usize, key: &'t str) -> Simple<()> {
        let own = self.keys.get(first..).unwrap_or_default();
        if own.last().is_none_or(|last| *last < key) {
            self.keys.push(key);
            return Ok(());
        }
        match own.binary_search(&key) {
            Err(at) if own.len() <= MOST_UNORDERED => {
                self.keys.insert(first + at, key);
                Ok(())
            }
            _ => Err(Declined),
        }
    }

    /// The value of a key in a column, after its colon.
    pub(super) fn value(&mut self, column: usize) -> Simple<Node<'t>> {
        let least = column + 1;
        if !self.is_line_over() {
            return self.scalar(least);
        }
        self.advance()?;
        if !self.is_end() && self.column() >= least {
            return self.fresh(least);
        }
        let place = self.place();
        let kind = if !self.is_end() && self.column() == column && self.is_dash() {
            Kind::List(column)
        } else {
            Kind::Plain(Cow::Borrowed(""))
        };
        Ok(Node { kind, place })
    }

    fn scalar(&mut self, least: usize) -> Simple<Node<'t>> {
        let place = self.place();
        let first = self.byte(self.at).ok_or(Declined)?;
        let kind = match first {
            b'|' => {
                let (text, place) = self.literal(least)?;
                let kind = Kind::Quoted(Cow::Owned(text));
                return Ok(Node { kind, place });
            }
            b'"' | b'\'' => Kind::Quoted(self.quoted(first, least)?),
            b'{' => self.empty_table()?,
            b'[' => self.listed()?,
            _ if self.begins_plain() => Kind::Plain(self.plain(least)?),
            _ => return Err(Declined),
        };
        Ok(Node { kind, place })
    }

    /// A table without entries.
    fn empty_table(&mut self) -> Simple<Kind<'t>> {
        if !self.rest().starts_with("{}") {
            return Err(Declined);
        }
        self.at += 2;
        self.finish()?;
        Ok(Kind::EmptyTable)
    }

    /// A list of words in brackets, in one line.
    fn listed(&mut self) -> Simple<Kind<'t>> {
        // The column of each entry is counted from the beginning of the line.
        if self.rest().len() > LONGEST_LIST {
            return Err(Declined);
        }
        let mut entries = Vec::new();
        loop {
            self.at += 1;
            self.skip_blanks();
            if entries.is_empty() && self.byte(self.at) == Some(b']') {
                break;
            }
            let place = self.place();
            let kind = self.listed_word()?;
            entries.push(Node { kind, place });
            self.skip_blanks();
            match self.byte(self.at) {
                Some(b',') => {}
                Some(b']') => break,
                _ => return Err(Declined),
            }
        }
        self.at += 1;
        self.finish()?;
        Ok(Kind::Listed(entries))
    }

    fn listed_word(&mut self) -> Simple<Kind<'t>> {
        let rest = self.rest();
        let (kind, length) = match rest.as_bytes() {
            [quote @ (b'"' | b'\''), within @ ..] => {
                let length = in_quotes(*quote, within).ok_or(Declined)?;
                let text = rest.get(1..=length).unwrap_or_default();
                (Kind::Quoted(Cow::Borrowed(text)), length + 2)
            }
            [b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9', ..] => {
                let letters = rest.bytes();
                let letters = letters.take_while(|byte| byte.is_ascii_alphanumeric() || b"_./-".contains(byte));
                let length = letters.count();
                let text = rest.get(..length).unwrap_or_default();
                (Kind::Plain(Cow::Borrowed(text)), length)
            }
            _ => return Err(Declined),
        };
        self.at += length;
        Ok(kind)
    }

    /// Whether the line has nothing more but a comment.
    fn is_line_over(&mut self) -> bool {
        self.skip_blanks();
        self.is_blank() || self.byte(self.at) == Some(b'#')
    }

    /// Whether a scalar without quotes may begin here.
    fn begins_plain(&self) -> bool {
        match self.byte(self.at) {
            Some(b'-') => !self.is_dash(),
            Some(byte) => !b",[]{}#&*!|>'\"%@`?:\t".contains(&byte),
            None => false,
        }
    }

    /// The key that begins here; `None` where there is another value.
    fn written_key(&self) -> Simple<Option<WrittenKey<'t>>> {
        let rest = self.rest();
        let (key, length) = match rest.as_bytes() {
            [quote @ (b'"' | b'\''), within @ ..] => {
                let Some(length) = quoted_key(*quote, within) else {
                    return Ok(None);
                };
                (rest.get(1..=length).unwrap_or_default(), length + 2)
            }
            bytes => {
                let Some(length) = plain_key(bytes) else {
                    return Ok(None);
                };
                let key = rest.get(..length).unwrap_or_default();
                let is_plain = self.begins_plain() && !key.ends_with(' ') && !key.starts_with(['<', '=']);
                if !is_plain || Meaning::of(key)? != Meaning::Text {
                    return Err(Declined);
                }
                (key, length)
            }
        };
        if length > LONGEST_KEY {
            return Err(Declined);
        }
        Ok(Some((key, length)))
    }
}

/// The length of a key in quotes, without them.
fn quoted_key(quote: u8, within: &[u8]) -> Option<usize> {
    in_quotes(quote, within).filter(|length| ends_key(&within[length + 1..]))
}

/// The length of a text in quotes without escapes, after the first of them.
fn in_quotes(quote: u8, within: &[u8]) -> Option<usize> {
    let length = within.iter().position(|byte| *byte == quote || *byte == b'\\')?;
    (within[length] == quote).then_some(length)
}

/// The length of a key without quotes.
fn plain_key(rest: &[u8]) -> Option<usize> {
    let mut before = b' ';
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b':' if ends_key(&rest[at..]) => return Some(at),
            b'#' if before == b' ' => return None,
            b'\t' => return None,
            _ => before = *byte,
        }
    }
    None
}

/// Whether a colon that ends a key stands here.
fn ends_key(rest: &[u8]) -> bool {
    matches!(rest, [b':'] | [b':', b' ', ..])
}
