//! What literals stand for.

pub(crate) fn unsigned(digits: &str) -> Option<u64> {
    match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// An integer of its digits.
pub(crate) fn signed(digits: &str, is_negative: bool) -> Option<i64> {
    let magnitude = i128::from(unsigned(digits)?);
    i64::try_from(if is_negative { -magnitude } else { magnitude }).ok()
}

/// A string without its escapes.
pub(crate) fn text(inner: &str) -> Result<String, String> {
    let mut found = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(first) = rest.chars().next() {
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
        if first != '\\' {
            found.push(first);
            continue;
        }
        let (escape, after) = escape(rest)?;
        let code = match escape {
            Escape::Itself(c) => Some(c),
            Escape::Byte(code) | Escape::Unicode(code) => char::from_u32(code),
        };
        found.push(code.ok_or("a string has an escape that is no character of Unicode")?);
        rest = after;
    }
    Ok(found)
}

/// Bytes without their escapes.
pub(crate) fn bytes(inner: &str) -> Result<Vec<u8>, String> {
    let mut found = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(first) = rest.chars().next() {
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
        let mut encoded = [0; 4];
        if first != '\\' {
            found.extend_from_slice(first.encode_utf8(&mut encoded).as_bytes());
            continue;
        }
        let (escape, after) = escape(rest)?;
        match escape {
            Escape::Itself(c) => found.extend_from_slice(c.encode_utf8(&mut encoded).as_bytes()),
            Escape::Byte(code) => found.push(u8::try_from(code).unwrap_or_default()),
            Escape::Unicode(_) => return Err("bytes cannot have the escapes `\\u` and `\\U`".to_owned()),
        }
        rest = after;
    }
    Ok(found)
}

enum Escape {
    Itself(char),
    Byte(u32),
    Unicode(u32),
}

/// What an escape stands for, and the text after it.
fn escape(rest: &str) -> Result<(Escape, &str), String> {
    let first = rest.chars().next();
    let after = rest.get(first.map_or(0, char::len_utf8)..).unwrap_or_default();
    let (escape, length) = match first {
        Some('a') => (Some(Escape::Itself('\u{7}')), 0),
        Some('b') => (Some(Escape::Itself('\u{8}')), 0),
        Some('f') => (Some(Escape::Itself('\u{c}')), 0),
        Some('n') => (Some(Escape::Itself('\n')), 0),
        Some('r') => (Some(Escape::Itself('\r')), 0),
        Some('t') => (Some(Escape::Itself('\t')), 0),
        Some('v') => (Some(Escape::Itself('\u{b}')), 0),
        Some(sign @ ('\\' | '\'' | '"' | '`' | '?')) => (Some(Escape::Itself(sign)), 0),
        Some('x' | 'X') => (hexadecimal(after, 2).map(Escape::Byte), 2),
        Some('u') => (hexadecimal(after, 4).map(Escape::Unicode), 4),
        Some('U') => (hexadecimal(after, 8).map(Escape::Unicode), 8),
        Some('0'..='3') => return octal(rest).ok_or_else(|| meaningless(first)),
        _ => (None, 0),
    };
    Ok((
        escape.ok_or_else(|| meaningless(first))?,
        after.get(length..).unwrap_or_default(),
    ))
}

fn meaningless(escape: Option<char>) -> String {
    match escape {
        Some(sign) => format!("a string has the escape `\\{sign}`, which has no meaning"),
        None => "a string ends with `\\`".to_owned(),
    }
}

fn hexadecimal(text: &str, count: usize) -> Option<u32> {
    let digits = text.get(..count)?;
    let is_number = digits.chars().all(|digit| digit.is_ascii_hexdigit());
    is_number.then(|| u32::from_str_radix(digits, 16).ok())?
}

fn octal(rest: &str) -> Option<(Escape, &str)> {
    let digits = rest.get(..3)?;
    let code = digits.chars().all(|digit| digit.is_digit(8)).then_some(digits)?;
    Some((Escape::Byte(u32::from_str_radix(code, 8).ok()?), rest.get(3..)?))
}
