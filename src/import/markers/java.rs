//! Java and Kotlin: `@Deprecated(since = "1.2", forRemoval = true)` or `@Deprecated("…")`, and `@deprecated` in the
//! comment before.
//!
//! Methods are named with the types of their parameters: of several with one name, some may be deprecated. The bodies
//! of methods are not read. What is private is not declared: users do not see it.

use crate::text::Unreadable;

use super::file::{Marker, MarkersFile, State};
use super::javadoc::deprecated_tag;
use super::tokens::{Dialect, Nesting, Piece, Quoted, Stream, Token, arguments, parameters, plain, tokens};

const DIALECT: Dialect = Dialect {
    line_comments: &["//"],
    block_comments: Some(Nesting::Ends),
    string,
};

fn string(rest: &str) -> Option<Quoted> {
    if rest.starts_with("\"\"\"") {
        return Some(Quoted::between("\"\"\"", true));
    }
    let first = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    Some(Quoted::between(&first.to_string(), first != '`'))
}

pub(super) fn read(text: &str) -> Result<MarkersFile, Unreadable> {
    let tokens = tokens(text, &DIALECT)?;
    let mut reader = Reader {
        code: Stream { tokens: &tokens, at: 0 },
        classes: Vec::new(),
        marker: None,
        note: None,
        is_private: false,
        file: MarkersFile::default(),
    };
    while reader.code.at < tokens.len() {
        reader.step();
    }
    reader.lose();
    Ok(reader.file)
}

struct Reader<'r, 't> {
    code: Stream<'r, 't>,
    /// The types that are open, and whether the constants of an enum come next.
    classes: Vec<(&'t str, bool)>,
    marker: Option<(Token<'t>, Marker)>,
    /// What the comment before the next declaration states after `@deprecated`.
    note: Option<(Token<'t>, String)>,
    /// Whether the next declaration is private.
    is_private: bool,
    file: MarkersFile,
}

impl<'t> Reader<'_, 't> {
    fn step(&mut self) {
        let Some(token) = self.code.token(0) else { return };
        match token.piece {
            Piece::Doc(text) => {
                self.note = deprecated_tag(text).map(|note| (*token, note));
                self.code.at += 1;
            }
            Piece::Sign('@') if self.code.word(1) != Some("interface") => self.annotation(*token),
            Piece::Sign('}') => {
                self.lose();
                self.classes.pop();
                self.code.at += 1;
            }
            Piece::Sign(';') => {
                if let Some(class) = self.classes.last_mut() {
                    class.1 = false;
                }
                self.lose();
                self.code.at += 1;
            }
            Piece::Sign('{' | '(' | '[') => self.code.skip_brackets(),
            Piece::Word(word) => self.declaration(word, *token),
            Piece::Sign(_) | Piece::Text(_) => self.code.at += 1,
        }
    }

    /// A mark on nothing that can be named.
    fn lose(&mut self) {
        self.note = None;
        self.is_private = false;
        if let Some((token, _)) = self.marker.take() {
            self.file
                .skipped
                .push(token.error("`@Deprecated` on something whose name cannot be read"));
        }
    }

    fn annotation(&mut self, sign: Token<'t>) {
        // It may be named with its package, or with what it is about: `@file:Deprecated`.
        let mut name = None;
        self.code.at += 1;
        while let Some(word) = self.code.word(0) {
            name = Some(word);
            self.code.at += 1;
            if !(self.code.is(0, '.') || self.code.is(0, ':')) {
                break;
            }
            self.code.at += 1;
        }
        let next = self.code.token(0).filter(|token| token.is('('));
        let stated = next
            .and_then(|_| arguments(self.code.tokens, self.code.at))
            .unwrap_or_default();
        if name == Some("Deprecated") {
            self.marker = Some((sign, marker(&stated)));
        }
        if next.is_some() {
            self.code.skip_brackets();
        }
    }

    fn declaration(&mut self, word: &'t str, token: Token<'t>) {
        match word {
            // In Kotlin, `private set` is about the property before it.
            "private" => {
                self.is_private = self.code.word(1) != Some("set");
                self.code.at += 1;
            }
            "package" => self.package(),
            "import" => self.skip_statement(),
            "class" | "interface" | "enum" | "record" | "object"
                if self.code.word(1).is_some() && !self.code.is(2, '(') =>
            {
                self.class(word == "enum");
            }
            "record" | "class" if self.code.word(1).is_some() => self.class(false),
            "companion" if self.code.word(1) == Some("object") && self.code.is(2, '{') => {
                self.code.at += 3;
                self.classes.push(("Companion", false));
            }
            "fun" => self.kotlin_function(),
            "val" | "var" | "typealias" => self.kotlin_property(),
            _ if self.is_constant() => {
                self.named(word, token);
                self.code.at += 1;
                self.over_constant();
            }
            _ if self.code.is(1, '(') => self.method(word, token),
            _ if self.code.is(1, '=') || self.code.is(1, ';') || self.code.is(1, ',') => {
                self.named(word, token);
                self.skip_statement();
            }
            _ => self.code.at += 1,
        }
    }

    fn package(&mut self) {
        self.code.at += 1;
        let mut parts = Vec::new();
        while let Some(word) = self.code.word(0) {
            parts.push(word);
            self.code.at += 1;
            if !self.code.is(0, '.') {
                break;
            }
            self.code.at += 1;
        }
        self.file.package = parts.join(".");
        self.marker = None;
        self.note = None;
    }

    /// Goes after the `;` that ends a statement, or to where the next line begins in Kotlin.
    fn skip_statement(&mut self) {
        let line = self.code.token(0).map(|token| token.line);
        while let Some(token) = self.code.token(0) {
            match token.piece {
                Piece::Sign(';') => return self.code.at += 1,
                Piece::Sign('}') | Piece::Doc(_) => return,
                Piece::Sign('{' | '(' | '[') => self.code.skip_brackets(),
                Piece::Sign('@') | Piece::Word("fun" | "val" | "var" | "class" | "object")
                    if Some(token.line) != line =>
                {
                    return;
                }
                _ => self.code.at += 1,
            }
        }
    }

    /// Whether the word is one of the constants with which an enum begins.
    fn is_constant(&self) -> bool {
        let is_enum = self.classes.last().is_some_and(|(_, is_enum)| *is_enum);
        is_enum && [',', ';', '(', '{', '}'].iter().any(|sign| self.code.is(1, *sign))
    }

    fn over_constant(&mut self) {
        while self.code.is(0, '(') || self.code.is(0, '{') {
            self.code.skip_brackets();
        }
    }

    fn class(&mut self, is_enum: bool) {
        let Some((token, name)) = self.code.token(1).zip(self.code.word(1)) else {
            return self.code.at += 1;
        };
        // `enum class Size` in Kotlin.
        if name == "class" {
            self.code.at += 1;
            return self.class(true);
        }
        self.named(name, *token);
        self.code.at += 2;
        let line = token.line;
        while let Some(token) = self.code.token(0) {
            match token.piece {
                Piece::Sign('{') => {
                    self.classes.push((name, is_enum));
                    return self.code.at += 1;
                }
                Piece::Sign('(' | '[') => self.code.skip_brackets(),
                Piece::Sign(';' | '}') | Piece::Doc(_) => return,
                // A class without a body in Kotlin.
                Piece::Sign('@') | Piece::Word("class" | "fun" | "val" | "object") if token.line != line => return,
                _ => self.code.at += 1,
            }
        }
    }

    fn method(&mut self, word: &'t str, token: Token<'t>) {
        self.code.at += 1;
        let parameters = parameters(self.code.tokens, self.code.at).unwrap_or_default();
        let types: Vec<String> = parameters.iter().map(|parameter| java_type(parameter)).collect();
        self.code.skip_brackets();
        self.named(&format!("{word}({})", types.join(",")), token);
        self.over_body();
    }

    /// Goes over the body of a method, or to the `;` of one without.
    fn over_body(&mut self) {
        while let Some(token) = self.code.token(0) {
            match token.piece {
                Piece::Sign('{') => return self.code.skip_brackets(),
                Piece::Sign('=') => return self.skip_statement(),
                Piece::Sign(';' | '}' | '@')
                | Piece::Doc(_)
                | Piece::Word("fun" | "val" | "var" | "class" | "override" | "private" | "public") => return,
                _ => self.code.at += 1,
            }
        }
    }

    fn kotlin_function(&mut self) {
        let mut name = None;
        self.code.at += 1;
        while let Some(token) = self.code.token(0).filter(|token| !token.is('(')) {
            match token.piece {
                Piece::Word(word) | Piece::Text(word) => name = Some((word, *token)),
                Piece::Sign('{' | '}' | ';') => break,
                _ => {}
            }
            self.code.at += 1;
        }
        let Some((name, token)) = name.filter(|_| self.code.is(0, '(')) else {
            return;
        };
        let parameters = parameters(self.code.tokens, self.code.at).unwrap_or_default();
        let types: Vec<String> = parameters.iter().map(|parameter| kotlin_type(parameter)).collect();
        self.code.skip_brackets();
        self.named(&format!("{name}({})", types.join(",")), token);
        self.over_body();
    }

    fn kotlin_property(&mut self) {
        let mut name = None;
        self.code.at += 1;
        while let Some(token) = self.code.token(0) {
            match token.piece {
                Piece::Word(word) => name = Some((word, *token)),
                Piece::Sign('.' | '<' | '>' | '?') => {}
                _ => break,
            }
            self.code.at += 1;
        }
        if let Some((name, token)) = name {
            self.named(name, token);
        }
        self.skip_statement();
    }

    /// An item of this name begins.
    fn named(&mut self, name: &str, token: Token<'t>) {
        let note = self.note.take();
        let marker = self.marker.take();
        if std::mem::take(&mut self.is_private) {
            return;
        }
        let classes: Vec<&str> = self.classes.iter().map(|(name, _)| *name).collect();
        let path: Vec<&str> = classes.into_iter().chain([name]).collect();
        let (line, state) = match (marker, note) {
            (Some((sign, marker)), note) => {
                let note = marker.note.clone().or(note.map(|(_, note)| note));
                (sign.line, State::Deprecated(Marker { note, ..marker }))
            }
            (None, Some((doc, note))) => {
                let note = Some(note);
                let marker = Marker {
                    note,
                    ..Marker::default()
                };
                (doc.line, State::Deprecated(marker))
            }
            (None, None) => (token.line, State::Present),
        };
        self.file.add("symbol", path.join("."), line, state);
    }
}

/// The type of a parameter: `final List<String> names` has `List`, and `int... sizes` has `int...`.
fn java_type(parameter: &[Token<'_>]) -> String {
    let mut written = String::new();
    let (mut angles, mut brackets, mut last) = (0_usize, 0_usize, "");
    let mut at = 0;
    while let Some(token) = parameter.get(at) {
        at += 1;
        match token.piece {
            Piece::Sign('@') => at += 1,
            Piece::Sign('(') => brackets += 1,
            Piece::Sign(')') => brackets = brackets.saturating_sub(1),
            Piece::Sign('<') => angles += 1,
            Piece::Sign('>') => angles = angles.saturating_sub(1),
            _ if angles > 0 || brackets > 0 => {}
            Piece::Sign(sign @ ('[' | ']' | '.')) => written.push(sign),
            Piece::Word("final") => {}
            Piece::Word(word) => {
                // The last word is the name.
                let path = written.ends_with('.') && !written.ends_with("..");
                if last.is_empty() || path {
                    written.push_str(word);
                }
                last = word;
            }
            _ => {}
        }
    }
    written
}

/// The type of a parameter: `name: List<String> = …` has `List`.
fn kotlin_type(parameter: &[Token<'_>]) -> String {
    let after = parameter.iter().skip_while(|token| !token.is(':')).skip(1);
    let words = after.map_while(|token| match token.piece {
        Piece::Word(word) => Some(word.to_owned()),
        Piece::Sign(sign @ ('.' | '?')) => Some(sign.to_string()),
        _ => None,
    });
    words.collect()
}

fn marker(stated: &[&[Token<'_>]]) -> Marker {
    let mut marker = Marker::default();
    for argument in stated {
        let texts: Vec<&str> = argument.iter().filter_map(Token::text).collect();
        let text = (!texts.is_empty()).then(|| plain(&texts.concat()));
        match argument {
            [key, sign, ..] if sign.is('=') => match key.word() {
                Some("since") => marker.since = text,
                Some("message") => marker.note = text,
                _ => {}
            },
            [first, ..] if first.text().is_some() && marker.note.is_none() => marker.note = text,
            _ => {}
        }
    }
    marker
}
