//! Source code as words, texts and signs, each with its place: enough to find markers. Nothing beyond that is parsed.

use crate::text::{Cursor, Unreadable, at};

/// Words and signs of one file.
const MOST: usize = 2_000_000;

/// How deep brackets nest.
const DEEPEST: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// A name, a keyword or a number.
    Word(&'t str),
    /// The text between the quotes of a string; escapes stay as they are.
    Text(&'t str),
    /// The text of a comment that documents what follows it.
    Doc(&'t str),
    Sign(char),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) piece: Piece<'t>,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// How a language writes what is not code.
pub(super) struct Dialect {
    /// The beginning of comments that end with their line.
    pub(super) line_comments: &'static [&'static str],
    /// Whether there are comments between `/*` and `*/`, and whether these nest.
    pub(super) block_comments: Option<Nesting>,
    /// The string that a text begins with.
    pub(super) string: fn(&str) -> Option<Quoted>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nesting {
    Nests,
    Ends,
}

/// The beginning of a string.
pub(super) struct Quoted {
    /// Bytes up to its text, with prefixes and quotes.
    pub(super) opening: usize,
    /// What ends it.
    pub(super) closing: String,
    /// Whether a backslash escapes the character after it.
    pub(super) escapes: bool,
}

impl Quoted {
    /// A string between the first character and the next one like it.
    pub(super) fn between(quotes: &str, escapes: bool) -> Self {
        Self {
            opening: quotes.len(),
            closing: quotes.to_owned(),
            escapes,
        }
    }
}

impl<'t> Token<'t> {
    pub(super) fn is(&self, sign: char) -> bool {
        self.piece == Piece::Sign(sign)
    }

    pub(super) fn word(&self) -> Option<&'t str> {
        match self.piece {
            Piece::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&'t str> {
        match self.piece {
            Piece::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn error(&self, reason: impl Into<String>) -> Unreadable {
        at(self.line, self.column, reason)
    }
}

/// A position in code.
pub(super) struct Stream<'r, 't> {
    pub(super) tokens: &'r [Token<'t>],
    pub(super) at: usize,
}

impl<'r, 't> Stream<'r, 't> {
    pub(super) fn token(&self, ahead: usize) -> Option<&'r Token<'t>> {
        self.tokens.get(self.at + ahead)
    }

    pub(super) fn word(&self, ahead: usize) -> Option<&'t str> {
        self.token(ahead)?.word()
    }

    pub(super) fn is(&self, ahead: usize, sign: char) -> bool {
        self.token(ahead).is_some_and(|token| token.is(sign))
    }

    /// Goes after the bracket that closes the one here.
    pub(super) fn skip_brackets(&mut self) {
        self.at = after_brackets(self.tokens, self.at).unwrap_or(self.tokens.len());
    }
}

pub(super) fn tokens<'t>(text: &'t str, dialect: &Dialect) -> Result<Vec<Token<'t>>, Unreadable> {
    let mut cursor = Cursor::new(text.strip_prefix('\u{feff}').unwrap_or(text));
    let mut all = Vec::new();
    let mut depth = 0_usize;
    while let Some(first) = cursor.rest.chars().next() {
        let (line, column) = (cursor.line, cursor.column);
        let (bytes, piece) = next(cursor.rest, first, dialect).map_err(|reason| cursor.error(reason))?;
        cursor.skip(bytes);
        match piece {
            Some(Piece::Sign('(' | '[' | '{')) => depth += 1,
            Some(Piece::Sign(')' | ']' | '}')) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(at(line, column, format!("nested deeper than {DEEPEST} levels")));
        }
        all.extend(piece.map(|piece| Token { piece, line, column }));
        if all.len() > MOST {
            return Err(at(1, 1, format!("more than {MOST} words and signs")));
        }
    }
    Ok(all)
}

/// How many bytes the next piece has, and the piece, if it is one.
fn next<'t>(rest: &'t str, first: char, dialect: &Dialect) -> Result<(usize, Option<Piece<'t>>), &'static str> {
    if first.is_whitespace() {
        return Ok((rest.len() - rest.trim_start().len(), None));
    }
    if dialect.line_comments.iter().any(|mark| rest.starts_with(mark)) {
        return Ok((rest.find('\n').unwrap_or(rest.len()), None));
    }
    if let Some(nesting) = dialect.block_comments.filter(|_| rest.starts_with("/*")) {
        let end = comment_end(rest, nesting).ok_or("a comment does not end")?;
        let is_doc = rest.starts_with("/**") && end > 4;
        return Ok((end, is_doc.then(|| Piece::Doc(&rest[3..end - 2]))));
    }
    if let Some(quoted) = (dialect.string)(rest) {
        let (length, end) = string_end(rest, &quoted).ok_or("a string does not end")?;
        return Ok((end, Some(Piece::Text(&rest[quoted.opening..quoted.opening + length]))));
    }
    if is_of_word(first) {
        let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        return Ok((end, Some(Piece::Word(&rest[..end]))));
    }
    Ok((first.len_utf8(), Some(Piece::Sign(first))))
}

pub(super) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn comment_end(rest: &str, nesting: Nesting) -> Option<usize> {
    if nesting == Nesting::Ends {
        return rest.get(2..)?.find("*/").map(|at| at + 4);
    }
    let (mut depth, mut at) = (1_usize, 2);
    while depth > 0 {
        match rest.as_bytes().get(at..at + 2)? {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    Some(at)
}

/// The length of the text of a string, and where the string ends.
fn string_end(rest: &str, quoted: &Quoted) -> Option<(usize, usize)> {
    let body = rest.get(quoted.opening..)?;
    let mut at = 0;
    loop {
        let after = body.get(at..)?;
        if after.starts_with(&quoted.closing) {
            return Some((at, quoted.opening + at + quoted.closing.len()));
        }
        let mut chars = after.chars();
        at += chars.next()?.len_utf8();
        if quoted.escapes && after.starts_with('\\') {
            at += chars.next()?.len_utf8();
        }
    }
}

/// The position after the bracket that closes the one at `open`; `None` if none does.
fn after_brackets(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.piece {
            Piece::Sign('(' | '[' | '{') => depth += 1,
            Piece::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The arguments between the bracket at `open` and the one that closes it, cut at commas.
pub(super) fn arguments<'a, 't>(tokens: &'a [Token<'t>], open: usize) -> Option<Vec<&'a [Token<'t>]>> {
    cut(tokens, open, ['(', '['], [')', ']'])
}

/// The same of parameters, whose types have parameters of their own between `<` and `>`.
pub(super) fn parameters<'a, 't>(tokens: &'a [Token<'t>], open: usize) -> Option<Vec<&'a [Token<'t>]>> {
    cut(tokens, open, ['(', '<'], [')', '>'])
}

fn cut<'a, 't>(
    tokens: &'a [Token<'t>],
    open: usize,
    opening: [char; 2],
    closing: [char; 2],
) -> Option<Vec<&'a [Token<'t>]>> {
    let end = after_brackets(tokens, open)? - 1;
    let inner = tokens.get(open + 1..end)?;
    let (mut all, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, token) in inner.iter().enumerate() {
        match token.piece {
            Piece::Sign(sign) if sign == '{' || opening.contains(&sign) => depth += 1,
            Piece::Sign(sign) if sign == '}' || closing.contains(&sign) => depth = depth.saturating_sub(1),
            Piece::Sign(',') if depth == 0 => {
                all.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < inner.len() {
        all.push(&inner[start..]);
    }
    Some(all)
}

/// Texts that stand beside one another, as one; `None` if there is anything else.
pub(super) fn joined(tokens: &[Token<'_>]) -> Option<String> {
    let texts: Option<Vec<&str>> = tokens.iter().filter(|token| !token.is('.')).map(Token::text).collect();
    texts.filter(|texts| !texts.is_empty()).map(|texts| texts.concat())
}

/// A text without escapes.
pub(super) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('n' | 't' | 'r' | '\n')) => {
                chars.next();
                plain.push(' ');
            }
            ('\\', Some('\\' | '"' | '\'')) => plain.extend(chars.next()),
            _ => plain.push(c),
        }
    }
    plain
}

/// The same, with one space for what is white space in it.
pub(super) fn plain(text: &str) -> String {
    unescaped(text).split_whitespace().collect::<Vec<&str>>().join(" ")
}
