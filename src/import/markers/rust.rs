//! Rust: `#[deprecated(since = "1.2", note = "…")]` on items, methods, fields and variants.
//!
//! Items are named with the types and modules that they are in. The bodies of functions and macro rules are not read.

use crate::text::Unreadable;

use super::file::{Marker, MarkersFile, State};
use super::tokens::{Dialect, Nesting, Piece, Quoted, Stream, Token, arguments, plain, tokens};

const DIALECT: Dialect = Dialect {
    line_comments: &["//"],
    block_comments: Some(Nesting::Nests),
    string,
};

fn string(rest: &str) -> Option<Quoted> {
    let letters = rest.find(|c| !matches!(c, 'b' | 'c' | 'r')).filter(|at| *at <= 2)?;
    let after = rest.get(letters..)?;
    let is_raw = rest[..letters].contains('r');
    let hashes = after.bytes().take_while(|byte| is_raw && *byte == b'#').count();
    if after.get(hashes..)?.starts_with('"') {
        return Some(Quoted {
            opening: letters + hashes + 1,
            closing: format!("\"{}", "#".repeat(hashes)),
            escapes: !is_raw,
        });
    }
    // `'a'` is a character, `'a` a lifetime.
    let mut inner = rest.strip_prefix('\'')?.chars();
    let is_char = inner.next() == Some('\\') || inner.next() == Some('\'');
    is_char.then(|| Quoted::between("'", true))
}

pub(super) fn read(text: &str) -> Result<MarkersFile, Unreadable> {
    let tokens = tokens(text, &DIALECT)?;
    let mut reader = Reader {
        code: Stream { tokens: &tokens, at: 0 },
        scopes: Vec::new(),
        marker: None,
        file: MarkersFile::default(),
    };
    while reader.code.at < tokens.len() {
        reader.step();
    }
    reader.lose();
    Ok(reader.file)
}

struct Scope<'t> {
    sort: Sort,
    /// The name that its items are within; empty where it adds none.
    name: &'t str,
}

#[derive(Clone, Copy, PartialEq)]
enum Sort {
    /// A module, trait, or block of a macro that has items.
    Items,
    /// An `impl` of a trait: its items are not the type's own.
    OfTrait,
    Fields,
    Variants,
}

struct Reader<'r, 't> {
    code: Stream<'r, 't>,
    scopes: Vec<Scope<'t>>,
    /// The mark that was read last, on what follows.
    marker: Option<(Token<'t>, Marker)>,
    file: MarkersFile,
}

impl<'t> Reader<'_, 't> {
    fn step(&mut self) {
        let Some(token) = self.code.token(0) else { return };
        match token.piece {
            Piece::Sign('#') => self.attribute(*token),
            Piece::Sign('}') => {
                self.lose();
                self.scopes.pop();
                self.code.at += 1;
            }
            Piece::Sign('{' | '(' | '[') => self.code.skip_brackets(),
            Piece::Word(word) => self.item(word, *token),
            Piece::Sign(_) | Piece::Text(_) | Piece::Doc(_) => self.code.at += 1,
        }
    }

    /// A mark on nothing that can be named.
    fn lose(&mut self) {
        if let Some((token, _)) = self.marker.take() {
            self.file
                .skipped
                .push(token.error("`#[deprecated]` on something that has no name of its own"));
        }
    }

    fn attribute(&mut self, hash: Token<'t>) {
        let is_inner = self.code.is(1, '!');
        self.code.at += 1 + usize::from(is_inner);
        if !self.code.is(0, '[') {
            return;
        }
        let (open, name) = (self.code.at, self.code.word(1));
        self.code.skip_brackets();
        let inside = &self.code.tokens[open + 1..self.code.at.saturating_sub(1).max(open + 1)];
        match name {
            Some("deprecated") if is_inner => self.file.skipped.push(hash.error("`#![deprecated]` on a whole module")),
            Some("deprecated") => self.marker = Some((hash, marker(inside))),
            Some("cfg_attr") if inside.iter().any(|token| token.word() == Some("deprecated")) => {
                let at = inside.iter().position(|token| token.word() == Some("deprecated"));
                self.marker = at.map(|at| (hash, marker(&inside[at..])));
            }
            _ => {}
        }
    }

    fn item(&mut self, word: &'t str, token: Token<'t>) {
        match word {
            "pub" => {
                self.code.at += 1;
                if self.code.is(0, '(') {
                    self.code.skip_brackets();
                }
            }
            "fn" => self.function(),
            "struct" | "union" if self.code.word(1).is_some() => self.block(Sort::Fields),
            "enum" => self.block(Sort::Variants),
            "trait" | "mod" => self.block(Sort::Items),
            "impl" => self.implementation(),
            "const" | "static" | "type" => self.constant(),
            "use" => self.import(),
            "macro_rules" if self.code.is(1, '!') => {
                self.code.at += 2;
                self.named(self.code.word(0), token);
                self.code.at += 1;
                self.body();
            }
            // A macro around items: `cfg_net! { … }`.
            _ if self.code.is(1, '!') && self.code.is(2, '{') => {
                self.open(Sort::Items, "");
                self.code.at += 3;
            }
            _ => self.entry(word, token),
        }
    }

    fn open(&mut self, sort: Sort, name: &'t str) {
        self.scopes.push(Scope { sort, name });
    }

    /// An item of this name begins.
    fn named(&mut self, name: Option<&'t str>, token: Token<'t>) {
        let marker = self.marker.take();
        let Some(name) = name else {
            self.marker = marker;
            return self.lose();
        };
        if marker.is_none() && self.scopes.iter().any(|scope| scope.sort == Sort::OfTrait) {
            return;
        }
        let within = self
            .scopes
            .iter()
            .map(|scope| scope.name)
            .filter(|name| !name.is_empty());
        let path: Vec<&str> = within.chain([name]).collect();
        let line = marker.as_ref().map_or(token.line, |(hash, _)| hash.line);
        let state = marker.map_or(State::Present, |(_, marker)| State::Deprecated(marker));
        self.file.add("symbol", path.join("::"), line, state);
    }

    /// Goes to the block that comes next and over it, or over the `;` before one.
    fn body(&mut self) {
        while let Some(token) = self.code.token(0) {
            match token.piece {
                Piece::Sign(';') => return self.code.at += 1,
                Piece::Sign('{') => return self.code.skip_brackets(),
                Piece::Sign('(' | '[') => self.code.skip_brackets(),
                Piece::Sign('}') => return,
                _ => self.code.at += 1,
            }
        }
    }

    fn function(&mut self) {
        if let (Some(token), Some(name)) = (self.code.token(1), self.code.word(1)) {
            self.named(Some(name), *token);
        }
        self.code.at += 1;
        self.body();
    }

    fn block(&mut self, sort: Sort) {
        let Some((token, name)) = self.code.token(1).zip(self.code.word(1)) else {
            return self.code.at += 1;
        };
        self.named(Some(name), *token);
        self.code.at += 2;
        self.enter(sort, name);
    }

    /// Goes into the block that comes next, if one comes before a `;`.
    fn enter(&mut self, sort: Sort, name: &'t str) {
        while let Some(token) = self.code.token(0) {
            match token.piece {
                Piece::Sign('{') => {
                    self.open(sort, name);
                    return self.code.at += 1;
                }
                Piece::Sign(';') => return self.code.at += 1,
                Piece::Sign('(' | '[') => self.code.skip_brackets(),
                Piece::Sign('}') => return,
                _ => self.code.at += 1,
            }
        }
    }

    fn implementation(&mut self) {
        self.lose();
        self.code.at += 1;
        let (mut angles, mut name, mut sort) = (0_usize, "", Sort::Items);
        while let Some(token) = self.code.token(0) {
            match token.piece {
                Piece::Sign('<') => angles += 1,
                Piece::Sign('>') if !self.code.tokens[self.code.at - 1].is('-') => angles = angles.saturating_sub(1),
                Piece::Sign('{' | ';') => break,
                Piece::Sign('(' | '[') => {
                    self.code.skip_brackets();
                    continue;
                }
                Piece::Word("for") if angles == 0 => (name, sort) = ("", Sort::OfTrait),
                Piece::Word("where") if angles == 0 => break,
                Piece::Word(word) if angles == 0 && !matches!(word, "dyn" | "mut" | "const" | "unsafe") => name = word,
                _ => {}
            }
            self.code.at += 1;
        }
        self.enter(sort, name);
    }

    /// `const`, `static` and `type`; `const` may also begin a function.
    fn constant(&mut self) {
        self.code.at += 1;
        if self.code.word(0) == Some("mut") {
            self.code.at += 1;
        }
        match (self.code.token(0), self.code.word(0)) {
            (_, Some("fn" | "unsafe" | "async" | "extern")) => {}
            (Some(token), Some(name)) => {
                self.named(Some(name), *token);
                self.body();
            }
            _ => {}
        }
    }

    /// `use a::b as c;`, which may be deprecated as a name.
    fn import(&mut self) {
        let start = self.code.at;
        let (mut last, mut several) = (None, false);
        while let Some(token) = self.code.token(0).filter(|token| !token.is(';')) {
            several |= token.is('{') || token.is('*');
            last = token.word().or(last);
            self.code.at += 1;
        }
        if self.marker.is_some() {
            self.named(last.filter(|_| !several), self.code.tokens[start]);
        }
    }

    /// A word that may begin a field or a variant.
    fn entry(&mut self, word: &'t str, token: Token<'t>) {
        let sort = self.scopes.last().map(|scope| scope.sort);
        let is_entry = match sort {
            Some(Sort::Fields) => self.code.is(1, ':') && !self.code.is(2, ':'),
            Some(Sort::Variants) => [',', '(', '{', '=', '}'].iter().any(|sign| self.code.is(1, *sign)),
            _ => false,
        };
        self.code.at += 1;
        if is_entry {
            self.named(Some(word), token);
            self.value();
        }
    }

    /// Goes to the end of a field or variant.
    fn value(&mut self) {
        let mut angles = 0_usize;
        while let Some(token) = self.code.token(0) {
            match token.piece {
                Piece::Sign('{' | '(' | '[') => {
                    self.code.skip_brackets();
                    continue;
                }
                Piece::Sign('<') => angles += 1,
                Piece::Sign('>') if !self.code.tokens[self.code.at - 1].is('-') => angles = angles.saturating_sub(1),
                Piece::Sign('}') => return,
                Piece::Sign(',') if angles == 0 => return self.code.at += 1,
                _ => {}
            }
            self.code.at += 1;
        }
    }
}

/// `deprecated`, `deprecated = "note"` or `deprecated(since = "…", note = "…")`.
fn marker(inside: &[Token<'_>]) -> Marker {
    let mut marker = Marker::default();
    if inside.get(1).is_some_and(|token| token.is('=')) {
        marker.note = inside.get(2).and_then(Token::text).map(plain);
        return marker;
    }
    for argument in arguments(inside, 1).unwrap_or_default() {
        let text = argument.iter().find_map(Token::text).map(plain);
        match argument.first().and_then(Token::word) {
            Some("since") => marker.since = text,
            Some("note") => marker.note = text,
            _ => {}
        }
    }
    marker
}
