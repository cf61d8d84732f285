//! Patterns of servers in the syntax of the crate `regex`, which reads some of them in another way: its classes `\d`,
//! `\s` and `\w` have characters beyond ASCII, classes in brackets may nest, and a brace that stands for itself is
//! refused.

use std::fmt::Write as _;

use super::patterns::{counts, octal_digits, refused};

/// A pattern that servers accept, in the syntax of `regex`; `None` if they refuse it.
pub(super) fn as_regex(pattern: &str) -> Option<String> {
    if refused(pattern).is_some() {
        return None;
    }
    let mut translation = Translation {
        rest: pattern,
        text: String::with_capacity(pattern.len()),
    };
    translation.pattern();
    Some(translation.text)
}

struct Translation<'p> {
    rest: &'p str,
    text: String,
}

impl Translation<'_> {
    fn take(&mut self) -> Option<char> {
        let first = self.rest.chars().next()?;
        self.skip(first.len_utf8());
        Some(first)
    }

    fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
    }

    /// Copies a part of the rest.
    fn copy(&mut self, length: usize) {
        self.text.push_str(self.rest.get(..length).unwrap_or_default());
        self.skip(length);
    }

    /// A character that stands for itself.
    fn literal(&mut self, sign: char) {
        if sign.is_alphanumeric() {
            self.text.push(sign);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(self.text, "\\x{{{:X}}}", u32::from(sign));
        }
    }

    fn pattern(&mut self) {
        while let Some(sign) = self.rest.chars().next() {
            let brace = counts(self.rest).map(|(_, _, length)| length);
            match (sign, brace) {
                ('{', Some(length)) => self.copy(length),
                ('{' | '}', _) => {
                    self.take();
                    self.literal(sign);
                }
                ('(', _) => self.group(),
                ('[', _) => self.class(),
                ('\\', _) => self.escape(),
                _ => self.copy(sign.len_utf8()),
            }
        }
    }

    /// The beginning of a group. Names are left out: servers allow more of them.
    fn group(&mut self) {
        self.copy(1);
        let is_named = ["?P<", "?<"].iter().any(|name| self.rest.starts_with(name));
        if let Some(end) = self.rest.find('>').filter(|_| is_named) {
            self.skip(end + 1);
        }
    }

    /// An escape outside of brackets.
    fn escape(&mut self) {
        self.take();
        match self.rest.chars().next() {
            Some('b' | 'B') => {
                self.text.push_str("(?-u:\\");
                self.copy(1);
                self.text.push(')');
            }
            Some('A' | 'z') => {
                self.text.push('\\');
                self.copy(1);
            }
            Some('Q') => {
                self.skip(1);
                let length = self.rest.find("\\E").unwrap_or(self.rest.len());
                let (quoted, rest) = self.rest.split_at(length);
                self.rest = rest.strip_prefix("\\E").unwrap_or(rest);
                quoted.chars().for_each(|sign| self.literal(sign));
            }
            _ => self.member(),
        }
    }

    /// What follows the backslash of a character or of a class of characters.
    fn member(&mut self) {
        let Some(sign) = self.take() else { return };
        let class = match sign {
            'd' => "[0-9]",
            'D' => "[^0-9]",
            's' => "[\\t\\n\\f\\r ]",
            'S' => "[^\\t\\n\\f\\r ]",
            'w' => "[0-9A-Za-z_]",
            'W' => "[^0-9A-Za-z_]",
            '0'..='7' => {
                let digits = octal_digits(self.rest, 2);
                let octal: String = [sign].into_iter().chain(self.rest.chars().take(digits)).collect();
                self.skip(digits);
                let code = u32::from_str_radix(&octal, 8).unwrap_or_default();
                return self.literal(char::from_u32(code).unwrap_or_default());
            }
            'p' | 'P' | 'x' => return self.numbered(sign),
            sign if sign.is_ascii_alphabetic() => {
                self.text.push('\\');
                return self.text.push(sign);
            }
            sign => return self.literal(sign),
        };
        self.text.push_str(class);
    }

    /// What has a number or a name: `\x41`, `\x{41}`, `\pL`, `\p{Greek}`, `\p{^Greek}`.
    fn numbered(&mut self, sign: char) {
        let negated = self.rest.strip_prefix("{^").filter(|_| sign != 'x');
        self.text.push('\\');
        match negated {
            Some(name) => {
                self.text.push_str(if sign == 'p' { "P{" } else { "p{" });
                self.rest = name;
            }
            None => self.text.push(sign),
        }
        let is_long = negated.is_some() || self.rest.starts_with('{');
        let long = self.rest.find('}').filter(|_| is_long).map(|end| end + 1);
        let short = if sign == 'x' { 2 } else { 1 };
        self.copy(long.unwrap_or(short));
    }

    /// A class in brackets.
    fn class(&mut self) {
        self.copy(1);
        if self.rest.starts_with('^') {
            self.copy(1);
        }
        let mut is_first = true;
        while !self.rest.is_empty() && (is_first || !self.rest.starts_with(']')) {
            is_first = false;
            let named = self.rest.strip_prefix("[:").and_then(|name| name.find(":]"));
            if let Some(length) = named {
                self.copy(length + 4);
                continue;
            }
            self.item();
            if self.rest.starts_with('-') && !self.rest.starts_with("-]") && self.rest.len() > 1 {
                self.copy(1);
                self.item();
            }
        }
        self.copy(1);
    }

    /// A character of a class, or a class within it.
    fn item(&mut self) {
        match self.take() {
            Some('\\') => self.member(),
            Some(sign) => self.literal(sign),
            None => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::server::matches;

    #[test]
    fn patterns_match_what_they_match_in_go() {
        for (pattern, text, expected) in [
            (r"^\w+$", "ä", false),
            (r"^\w+$", "a_9", true),
            (r"^\d$", "٣", false),
            (r"^\D$", "٣", true),
            (r"^\s$", "\u{a0}", false),
            (r"^\S$", "\u{a0}", true),
            (r"^[\w-]+$", "a-ä", false),
            (r"^[\w-]+$", "a-b", true),
            (r"^[^\d]+$", "٣", true),
            (r"^a{b}$", "a{b}", true),
            (r"^a{,2}$", "aa", false),
            (r"^a{,2}$", "a{,2}", true),
            (r"^a{1,2}$", "aa", true),
            (r"\Qa.b\E$", "a.b", true),
            (r"\Qa.b\E$", "axb", false),
            (r"^\Q(", "(", true),
            (r"(?P<1a>b)(?<c>d)", "bd", true),
            (r"^[a&&b]+$", "&a", true),
            (r"^[[a]+$", "[a", true),
            (r"^[]a]+$", "]a", true),
            (r"^[a\]b]+$", "]", true),
            (r"^[+--]+$", "-,+", true),
            (r"^[a-]+$", "-a", true),
            (r"^[\d-x]+$", "-5x", true),
            (r"^\101\x42\x{43}\0$", "ABC\0", true),
            (r"^[\101-\103]+$", "ABC", true),
            (r"^\p{^Greek}\pL$", "aλ", true),
            (r"^\p{^Greek}$", "λ", false),
            (r"^[\p{Greek}[:digit:]]+$", "λ1", true),
            (r"^[[:^digit:]]+$", "1", false),
            (r"\bä", "ä", false),
            (r"\ba", "ä a", true),
            (r"^(?i)k$", "\u{212a}", true),
            (r"^(?i:a)B$", "AB", true),
            (r"^a.b$", "a\nb", false),
            (r"^(?s)a.b$", "a\nb", true),
            (r"^[^a]$", "\n", true),
            (r"^a$", "a\n", false),
            (r"^\-\_\/\#$", "-_/#", true),
            (r"}{", "}{", true),
            (r"^\z", "a", false),
            (r"(?U)^a+?$", "aa", true),
        ] {
            assert_eq!(matches(pattern, text), Some(expected), "{pattern} {text:?}");
        }
    }

    #[test]
    fn what_servers_refuse_matches_nothing_and_fails_nothing() {
        for pattern in ["(", "a**", r"\1", "(?=a)"] {
            assert_eq!(matches(pattern, "a"), None, "{pattern}");
        }
    }
}
