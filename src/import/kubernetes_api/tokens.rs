//! Go as words, texts and signs, each with its place. Nothing beyond that is parsed.

use std::collections::BTreeMap;

use crate::text::{Cursor, Unreadable, at};

/// Words and signs of one file: more than four times those of the largest file of the Kubernetes API.
const MOST: usize = 1_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// A name, a keyword or a number.
    Word(&'t str),
    /// The text between the quotes of a string; escapes stay as they are.
    Text(&'t str),
    Sign(char),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'t> {
    pub(crate) piece: Piece<'t>,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// Braces that are open before it.
    pub(crate) depth: u32,
}

#[derive(Debug, Default)]
pub(super) struct Tokens<'t> {
    pub(crate) code: Vec<Token<'t>>,
    /// Lines that hold nothing but a comment, with its words.
    pub(crate) comments: BTreeMap<u32, &'t str>,
}

impl<'t> Tokens<'t> {
    /// The comment lines up to one, the last one first, without a gap.
    pub(crate) fn block(&self, end: u32) -> impl Iterator<Item = (u32, &'t str)> {
        let lines = (1..=end).rev();
        lines.map_while(|line| Some((line, *self.comments.get(&line)?)))
    }
}

pub(super) fn tokens(text: &str) -> Result<Tokens<'_>, Unreadable> {
    let mut reader = Reader {
        cursor: Cursor::new(text),
        depth: 0,
        last_line: 0,
        tokens: Tokens::default(),
    };
    while reader.step()? {
        if reader.tokens.code.len() > MOST {
            return Err(at(1, 1, format!("more than {MOST} words and signs")));
        }
    }
    Ok(reader.tokens)
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    depth: u32,
    /// The line of the last piece of code.
    last_line: u32,
    tokens: Tokens<'t>,
}

impl<'t> Reader<'t> {
    fn take(&mut self, bytes: usize) -> &'t str {
        let rest = self.cursor.rest;
        self.cursor.skip(bytes);
        rest.get(..bytes).unwrap_or(rest)
    }

    /// The next piece; `false` at the end.
    fn step(&mut self) -> Result<bool, Unreadable> {
        let rest = self.cursor.rest;
        let Some(first) = rest.chars().next() else {
            return Ok(false);
        };
        match first {
            _ if first.is_whitespace() => {
                let blank = rest.len() - rest.trim_start().len();
                self.take(blank);
            }
            '/' if rest.starts_with("//") => {
                let line = self.cursor.line;
                let words = self.take(rest.find('\n').unwrap_or(rest.len()));
                self.comment(line, words.trim_start_matches('/'));
            }
            '/' if rest.starts_with("/*") => self.block_comment()?,
            '"' | '`' | '\'' => self.quoted(first)?,
            _ if is_of_word(first) => {
                let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
                self.push(Piece::Word, end);
            }
            sign => {
                self.depth = self.depth.saturating_sub(u32::from(sign == '}'));
                self.push(|_| Piece::Sign(sign), sign.len_utf8());
                self.depth = self.depth.saturating_add(u32::from(sign == '{'));
            }
        }
        Ok(true)
    }

    fn push(&mut self, piece: impl FnOnce(&'t str) -> Piece<'t>, bytes: usize) {
        let (line, column, depth) = (self.cursor.line, self.cursor.column, self.depth);
        let piece = piece(self.take(bytes));
        self.last_line = self.cursor.line;
        self.tokens.code.push(Token {
            piece,
            line,
            column,
            depth,
        });
    }

    /// A comment, unless code precedes it in its line.
    fn comment(&mut self, line: u32, words: &'t str) {
        if line != self.last_line {
            self.tokens.comments.insert(line, words.trim());
        }
    }

    fn block_comment(&mut self) -> Result<(), Unreadable> {
        let line = self.cursor.line;
        let end = self.cursor.rest.get(2..).and_then(|inner| inner.find("*/"));
        let end = end.ok_or_else(|| self.cursor.error("a comment does not end: expected `*/`"))?;
        let whole = self.take(end + 4);
        let inner = whole.get(2..end + 2).unwrap_or_default();
        for (line, words) in (line..).zip(inner.lines()) {
            self.comment(line, words);
        }
        Ok(())
    }

    fn quoted(&mut self, quote: char) -> Result<(), Unreadable> {
        let inner = self.cursor.rest.get(1..).unwrap_or_default();
        let mut escaped = false;
        let end = inner.find(|c| {
            let ends = !escaped && (c == quote || (c == '\n' && quote != '`'));
            escaped = !escaped && c == '\\' && quote != '`';
            ends
        });
        let end = end.filter(|end| inner.get(*end..).is_some_and(|rest| rest.starts_with(quote)));
        let end = end.ok_or_else(|| self.cursor.error(format!("a string does not end: expected {quote}")))?;
        self.push(|whole| Piece::Text(whole.get(1..end + 1).unwrap_or_default()), end + 2);
        Ok(())
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<Piece<'_>> {
        tokens(text).unwrap().code.iter().map(|token| token.piece).collect()
    }

    #[test]
    fn signs_in_texts_and_comments_are_not_code() {
        let text = "a /* { \" */ \"}\\\"{\" `\\` '{' // }\n b";
        let expected = [
            Piece::Word("a"),
            Piece::Text("}\\\"{"),
            Piece::Text("\\"),
            Piece::Text("{"),
            Piece::Word("b"),
        ];
        assert_eq!(pieces(text), expected);
    }

    #[test]
    fn places_count_lines_and_characters() {
        let read = tokens("ü x\n\t`\n`y {z}").unwrap();
        let places: Vec<_> = read.code.iter().map(|token| (token.line, token.column)).collect();
        assert_eq!(places, [(1, 1), (1, 3), (2, 2), (3, 2), (3, 4), (3, 5), (3, 6)]);
        let depths: Vec<_> = read.code.iter().map(|token| token.depth).collect();
        assert_eq!(depths, [0, 0, 0, 0, 0, 1, 0]);
    }

    #[test]
    fn a_comment_after_code_does_not_belong_to_what_follows() {
        let read = tokens("x // one\n// two\n/* three\n four */ y").unwrap();
        let comments: Vec<_> = read.comments.into_iter().collect();
        assert_eq!(comments, [(2, "two"), (3, "three"), (4, "four")]);
    }

    #[test]
    fn an_unterminated_text_is_reported_where_it_begins() {
        for (text, line, column) in [
            ("a\n \"b", 2, 2),
            ("\"b\n\"", 1, 1),
            ("`", 1, 1),
            ("x /*", 1, 3),
            ("'\\'", 1, 1),
        ] {
            let error = tokens(text).unwrap_err();
            assert_eq!((error.line, error.column), (line, column), "{text:?}");
        }
    }
}
