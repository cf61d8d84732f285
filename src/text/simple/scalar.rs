//! Scalars: texts in quotes, in blocks or without either, and what the latter mean.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::declined::{Declined, Simple};
use super::lines::{Lines, Place};

/// What a scalar without quotes means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    Null,
    Bool(bool),
    Whole(u64),
    Negative(i64),
    Fraction(f64),
    Text,
}

impl Meaning {
    /// What a text means; declines numbers in unusual forms.
    pub(super) fn of(text: &str) -> Simple<Self> {
        match text.as_bytes() {
            [] | [b'~'] => Ok(Self::Null),
            [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => Self::of_number(text),
            [b'a'..=b'z' | b'A'..=b'Z', rest @ ..] if rest.len() < 5 => Ok(Self::of_word(text)),
            _ => Ok(Self::Text),
        }
    }

    fn of_word(word: &str) -> Self {
        if is_one_of(word, &["true", "yes", "y", "on"]) {
            Self::Bool(true)
        } else if is_one_of(word, &["false", "no", "n", "off"]) {
            Self::Bool(false)
        } else if word.eq_ignore_ascii_case("null") {
            Self::Null
        } else {
            Self::Text
        }
    }

    fn of_number(text: &str) -> Simple<Self> {
        let (is_negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_usual = !digits.is_empty() && (digits == "0" && !is_negative || !digits.starts_with('0'));
        if is_whole && is_usual {
            let read = if is_negative {
                text.parse().map(Self::Negative)
            } else {
                text.parse().map(Self::Whole)
            };
            return read.map_err(|_| Declined);
        }
        let is_fraction = digits.split_once('.').is_some_and(|(whole, rest)| {
            let mut parts = [whole, rest].into_iter();
            parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        });
        if is_fraction {
            return text.parse().map(Self::Fraction).map_err(|_| Declined);
        }
        let after_sign = text.strip_prefix(['+', '-']).unwrap_or(text);
        let may_be_whole = after_sign
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'x' | b'X' | b'o' | b'O' | b'_'));
        // `.inf` and `.nan` are numbers, `.spec` is none.
        let may_be_named = after_sign.len() == ".inf".len() && after_sign.starts_with('.');
        if may_be_whole || may_be_named || text.parse::<f64>().is_ok() {
            return Err(Declined);
        }
        Ok(Self::Text)
    }
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|one| word.eq_ignore_ascii_case(one))
}

impl<'t> Lines<'t> {
    /// A scalar without quotes. The lines that continue it are indented to a column at least.
    pub(super) fn plain(&mut self, least: usize) -> Simple<Cow<'t, str>> {
        let first = self.plain_part()?;
        let mut gap = self.finish()?;
        if !self.continues(least) {
            return Ok(Cow::Borrowed(first));
        }
        let mut text = first.to_owned();
        while self.continues(least) {
            // A comment ends a text.
            if gap.commented || self.is_dash() {
                return Err(Declined);
            }
            push_breaks(&mut text, gap.blank);
            text.push_str(self.plain_part()?);
            gap = self.finish()?;
        }
        Ok(Cow::Owned(text))
    }

    fn continues(&self, least: usize) -> bool {
        !self.is_end() && self.column() >= least
    }

    /// The part of a scalar in this line, which is not the key of a table.
    fn plain_part(&mut self) -> Simple<&'t str> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        if memchr(b'\t', bytes).is_some() {
            return Err(Declined);
        }
        let (mut length, mut from) = (bytes.len(), 0);
        while let Some(found) = bytes.get(from..).and_then(|rest| memchr2(b':', b'#', rest)) {
            let at = from + found;
            if bytes[at] == b'#' {
                if at > 0 && bytes[at - 1] == b' ' {
                    length = at;
                    break;
                }
            } else if bytes.get(at + 1).is_none_or(|next| *next == b' ') {
                return Err(Declined);
            }
            from = at + 1;
        }
        let part = rest.get(..length).unwrap_or_default().trim_end_matches(' ');
        self.at += part.len();
        Ok(part)
    }

    /// A scalar in quotes, at its first one.
    pub(super) fn quoted(&mut self, quote: u8, least: usize) -> Simple<Cow<'t, str>> {
        self.at += 1;
        let rest = self.rest();
        let plain = match quote_or_escape(rest, quote) {
            Some(length) if rest.as_bytes()[length] == quote => rest.get(..length),
            _ => None,
        };
        let text = match plain {
            Some(plain) if !(quote == b'\'' && rest.as_bytes().get(plain.len() + 1) == Some(&quote)) => {
                self.at += plain.len() + 1;
                Cow::Borrowed(plain)
            }
            _ => Cow::Owned(self.quoted_lines(quote, least)?),
        };
        self.finish()?;
        Ok(text)
    }

    /// The same after the first quote, with escapes and line breaks.
    fn quoted_lines(&mut self, quote: u8, least: usize) -> Simple<String> {
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let Some(length) = quote_or_escape(rest, quote) else {
                text.push_str(rest.trim_end_matches(' '));
                let blank = if rest.ends_with('\t') {
                    return Err(Declined);
                } else {
                    self.next_line_in_quotes(least)?
                };
                push_breaks(&mut text, blank);
                continue;
            };
            text.push_str(rest.get(..length).unwrap_or_default());
            self.at += length + 1;
            let is_escape = rest.as_bytes()[length] == b'\\';
            if is_escape {
                self.escape(&mut text, least)?;
            } else if quote == b'\'' && self.byte(self.at) == Some(quote) {
                text.push('\'');
                self.at += 1;
            } else {
                return Ok(text);
            }
        }
    }

    /// Goes to the next line with a text in quotes; gives the number of lines of blanks before it.
    fn next_line_in_quotes(&mut self, least: usize) -> Simple<usize> {
        let mut blank = 0;
        while self.next_line() {
            if self.is_blank() {
                blank += 1;
            } else if self.column() < least || self.byte(self.at) == Some(b'\t') {
                return Err(Declined);
            } else {
                return Ok(blank);
            }
        }
        Err(Declined)
    }

    /// An escape after its backslash.
    fn escape(&mut self, text: &mut String, least: usize) -> Simple<()> {
        if self.is_blank() && self.at == self.end {
            return match self.next_line_in_quotes(least)? {
                0 => Ok(()),
                _ => Err(Declined),
            };
        }
        let length = match self.byte(self.at) {
            Some(b'x') => 2,
            Some(b'u') => 4,
            Some(b'U') => 8,
            Some(byte) => {
                self.at += 1;
                text.push(escaped(byte).ok_or(Declined)?);
                return Ok(());
            }
            None => return Err(Declined),
        };
        let digits = self.rest().get(1..=length).ok_or(Declined)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Declined);
        }
        let code = u32::from_str_radix(digits, 16).map_err(|_| Declined)?;
        text.push(char::from_u32(code).ok_or(Declined)?);
        self.at += length + 1;
        Ok(())
    }

    /// A text in a block, at its `|`, and where its first line begins. Its lines are indented to a column at least.
    pub(super) fn literal(&mut self, least: usize) -> Simple<(String, Place)> {
        let ending = match self.rest() {
            "|" => Ending::Break,
            "|-" => Ending::Nothing,
            "|+" => Ending::All,
            _ => return Err(Declined),
        };
        let mut breaks = 0;
        let mut longest_blank = 0;
        let indent = loop {
            if !self.next_line() {
                return Err(Declined);
            }
            if !self.is_blank() {
                break self.column();
            }
            longest_blank = longest_blank.max(self.column());
            breaks += 1;
        };
        if indent < least || longest_blank > indent || self.byte(self.at) == Some(b'\t') {
            return Err(Declined);
        }
        let place = self.place();
        let mut text = String::new();
        while !self.is_end() {
            if self.column() >= indent && self.end > self.start + indent {
                text.extend(std::iter::repeat_n('\n', breaks));
                text.push_str(self.text.get(self.start + indent..self.end).ok_or(Declined)?);
                breaks = 0;
            } else if !self.is_blank() {
                break;
            }
            breaks += 1;
            self.next_line();
        }
        if self.is_end() {
            // What ends with the document needs a line break.
            if !self.text.ends_with('\n') {
                return Err(Declined);
            }
        } else if self.column() >= least {
            return Err(Declined);
        } else {
            self.settle()?;
        }
        let breaks = match ending {
            Ending::Nothing => 0,
            Ending::Break => 1,
            Ending::All => breaks,
        };
        text.extend(std::iter::repeat_n('\n', breaks));
        Ok((text, place))
    }
}

/// Which of the line breaks at its end belong to a text in a block.
enum Ending {
    Nothing,
    Break,
    All,
}

/// The line break between two lines of a text is a blank, unless lines of blanks stand between them.
fn push_breaks(text: &mut String, blank: usize) {
    match blank {
        0 => text.push(' '),
        blank => text.extend(std::iter::repeat_n('\n', blank)),
    }
}

fn quote_or_escape(rest: &str, quote: u8) -> Option<usize> {
    match quote {
        b'"' => memchr2(quote, b'\\', rest.as_bytes()),
        _ => memchr(quote, rest.as_bytes()),
    }
}

/// The character of an escape that is one.
fn escaped(byte: u8) -> Option<char> {
    Some(match byte {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b' ' | b'"' | b'\\' | b'/' => char::from(byte),
        _ => return None,
    })
}
