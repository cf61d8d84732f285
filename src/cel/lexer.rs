//! The words of an expression.

use super::literal;
use super::tree::{Literal, Span};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    /// A literal other than a number, which may have a sign before it.
    Literal(Literal),
    /// The digits of an integer, with `0x` if they are hexadecimal.
    Int(String),
    Double(String),
    Name(String),
    /// A name between backticks.
    Quoted(String),
    In,
    Sign(&'static str),
    End,
}

/// Names that may not be variables. Fields may have them.
pub(super) const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Whether a word cannot be a name as it is: rules write a field `in` as `__in__`.
pub(crate) fn is_keyword(word: &str) -> bool {
    RESERVED.contains(&word) || ["true", "false", "null", "in"].contains(&word)
}

/// Longest first.
const SIGNS: [&str; 24] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?", ":", "+", "*",
    "/", "%",
];

/// The words of an expression and where they are, with [`Token::End`] as the last; or what is wrong.
pub(crate) fn tokens(text: &str) -> Result<Vec<(Token, Span)>, String> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let skipped = blank(rest);
        if skipped > 0 {
            at += skipped;
            continue;
        }
        let (token, length) = next(rest)?;
        let span = Span {
            start: at,
            end: at + length,
        };
        found.push((token, span));
        at += length.max(1);
    }
    let end = text.len();
    found.push((Token::End, Span { start: end, end }));
    Ok(found)
}

/// Bytes of space or of a comment.
fn blank(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    rest.len() - rest.trim_start_matches(['\t', ' ', '\r', '\n', '\u{c}']).len()
}

fn next(rest: &str) -> Result<(Token, usize), String> {
    if let Some((literal, length)) = quoted(rest)? {
        return Ok((Token::Literal(literal), length));
    }
    if let Some(number) = number(rest)? {
        return Ok(number);
    }
    if let Some(inner) = rest.strip_prefix('`') {
        let name: String = inner
            .chars()
            .take_while(|c| is_part(*c) || "./- ".contains(*c))
            .collect();
        if !name.is_empty() && inner.get(name.len()..).is_some_and(|after| after.starts_with('`')) {
            let length = name.len() + 2;
            return Ok((Token::Quoted(name), length));
        }
    }
    let name: String = rest.chars().take_while(|c| is_part(*c)).collect();
    if !name.is_empty() {
        let length = name.len();
        return Ok((word(name), length));
    }
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        return Ok((Token::Sign(sign), sign.len()));
    }
    Err(unknown(rest))
}

/// Whether a character can be part of a name.
fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn unknown(rest: &str) -> String {
    let sign: String = rest.chars().take(1).collect();
    match sign.as_str() {
        "=" => "`=` is not an operator: write `==`".to_owned(),
        "&" | "|" => format!("`{sign}` is not an operator: write `{sign}{sign}`"),
        "'" | "\"" => format!("the string that begins with {} does not end", start_of(rest)),
        _ => format!("`{sign}` has no meaning in CEL"),
    }
}

fn start_of(rest: &str) -> String {
    let start: String = rest.chars().take(20).take_while(|c| *c != '\n').collect();
    format!("`{start}`")
}

fn word(name: String) -> Token {
    match name.as_str() {
        "in" => Token::In,
        "true" => Token::Literal(Literal::Bool(true)),
        "false" => Token::Literal(Literal::Bool(false)),
        "null" => Token::Literal(Literal::Null),
        _ => Token::Name(name),
    }
}

/// A string or bytes, with its length.
fn quoted(rest: &str) -> Result<Option<(Literal, usize)>, String> {
    let after_bytes = rest.strip_prefix(['b', 'B']);
    let after_prefix = after_bytes.unwrap_or(rest);
    let after_raw = after_prefix.strip_prefix(['r', 'R']);
    let body = after_raw.unwrap_or(after_prefix);
    let Some((inner, length)) = between_quotes(body, after_raw.is_some()) else {
        if body.starts_with(['\'', '"']) {
            return Err(format!("the string that begins with {} does not end", start_of(body)));
        }
        return Ok(None);
    };
    let length = rest.len() - body.len() + length;
    let inner = inner.replace("\r\n", "\n").replace('\r', "\n");
    let literal = match (after_bytes.is_some(), after_raw.is_some()) {
        (false, true) => Literal::Text(inner),
        (false, false) => Literal::Text(literal::text(&inner)?),
        (true, true) => Literal::Bytes(inner.into_bytes()),
        (true, false) => Literal::Bytes(literal::bytes(&inner)?),
    };
    Ok(Some((literal, length)))
}

/// What is between quotes, and the length of it with the quotes.
fn between_quotes(body: &str, is_raw: bool) -> Option<(&str, usize)> {
    let long = ["\"\"\"", "'''"].into_iter();
    let mut found = long.filter(|quotes| body.starts_with(quotes));
    if let Some(length) = found.find_map(|quotes| closed(body, quotes, is_raw)) {
        return Some((body.get(3..length - 3)?, length));
    }
    let quotes = ["\"", "'"].into_iter().find(|quotes| body.starts_with(quotes))?;
    let length = closed(body, quotes, is_raw)?;
    Some((body.get(1..length - 1)?, length))
}

fn closed(body: &str, quotes: &str, is_raw: bool) -> Option<usize> {
    let mut at = quotes.len();
    loop {
        let rest = body.get(at..)?;
        if rest.starts_with(quotes) {
            return Some(at + quotes.len());
        }
        let first = rest.chars().next()?;
        if quotes.len() == 1 && matches!(first, '\n' | '\r') {
            return None;
        }
        at += first.len_utf8();
        if first == '\\' && !is_raw {
            let escaped = rest.chars().nth(1)?;
            at += escaped.len_utf8();
        }
    }
}

/// A number, with its length.
fn number(rest: &str) -> Result<Option<(Token, usize)>, String> {
    let whole = digits(rest, 0);
    if rest.starts_with("0x") {
        let hex = rest.get(2..).unwrap_or_default();
        let length = 2 + hex.len() - hex.trim_start_matches(|c: char| c.is_ascii_hexdigit()).len();
        if length > 2 {
            return integer(rest, length).map(Some);
        }
    }
    let has_dot = rest.get(whole..).is_some_and(|after| after.starts_with('.'));
    let fraction = has_dot.then(|| digits(rest, whole + 1)).filter(|count| *count > 0);
    if whole == 0 && fraction.is_none() {
        return Ok(None);
    }
    let mantissa = whole + fraction.map_or(0, |count| count + 1);
    let exponent = exponent(rest.get(mantissa..).unwrap_or_default());
    if fraction.is_none() && exponent == 0 {
        return integer(rest, whole).map(Some);
    }
    let length = mantissa + exponent;
    let text = rest.get(..length).unwrap_or_default().to_owned();
    Ok(Some((Token::Double(text), length)))
}

/// How many digits begin at a place.
fn digits(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len()
}

fn exponent(rest: &str) -> usize {
    let Some(after) = rest.strip_prefix(['e', 'E']) else {
        return 0;
    };
    let unsigned = after.strip_prefix(['+', '-']).unwrap_or(after);
    let digits = unsigned.len() - unsigned.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match digits {
        0 => 0,
        _ => rest.len() - unsigned.len() + digits,
    }
}

fn integer(rest: &str, length: usize) -> Result<(Token, usize), String> {
    let text = rest.get(..length).unwrap_or_default();
    if rest.get(length..).is_some_and(|after| after.starts_with(['u', 'U'])) {
        let value = literal::unsigned(text).ok_or_else(|| format!("`{text}u` is too large"))?;
        return Ok((Token::Literal(Literal::Uint(value)), length + 1));
    }
    Ok((Token::Int(text.to_owned()), length))
}
