//! Regular expressions as servers read them: [RE2], the syntax of Go.
//!
//! The crate `regex` is close to it, and differs where it matters here: it accepts repeated repetition and `\u`, and
//! refuses a brace that stands for itself.
//!
//! [RE2]: https://github.com/google/re2/wiki/Syntax

use std::collections::BTreeSet;

/// The largest count of a repetition, and of repetitions within each other.
const MOST_REPEATED: u32 = 1000;

/// How deep groups may nest.
const DEEPEST: usize = 1000;

/// Why a server refuses a pattern; `None` if it accepts it.
pub(super) fn refused(pattern: &str) -> Option<String> {
    let mut scanner = Scanner {
        rest: pattern,
        depth: 0,
        classes: BTreeSet::new(),
    };
    match scanner.alternatives() {
        Err(reason) => Some(reason),
        Ok(_) if scanner.rest.is_empty() => None,
        Ok(_) => Some("closes a group that is not open: `)`".to_owned()),
    }
}

struct Scanner<'p> {
    rest: &'p str,
    depth: usize,
    /// The names of classes of characters that are known.
    classes: BTreeSet<String>,
}

/// How often something is repeated at most, counted through all repetitions within it.
type Weight = u32;

impl Scanner<'_> {
    fn take(&mut self) -> Option<char> {
        let first = self.rest.chars().next()?;
        self.rest = self.rest.get(first.len_utf8()..).unwrap_or_default();
        Some(first)
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Up to a closing parenthesis or the end.
    fn alternatives(&mut self) -> Result<Weight, String> {
        let mut heaviest = 1;
        let mut last = None;
        while let Some(sign) = self.rest.chars().next().filter(|sign| *sign != ')') {
            if let Some(times) = self.repetition(sign)? {
                let Some((weight, false)) = last else {
                    return Err(match last {
                        None => format!("repeats nothing: `{sign}`"),
                        Some(_) => format!("repeats a repetition: `{sign}`"),
                    });
                };
                let product: u32 = times.max(1).saturating_mul(weight);
                if times >= 2 && product > MOST_REPEATED {
                    return Err(format!("repeats more than {MOST_REPEATED} times"));
                }
                heaviest = heaviest.max(product);
                last = Some((product, true));
                continue;
            }
            self.take();
            last = match sign {
                '|' => None,
                // What follows flags repeats what is before them.
                '(' => match self.group()? {
                    Some(weight) => Some((weight, false)),
                    None => last.map(|(weight, _)| (weight, false)),
                },
                '[' => self.class().map(|()| Some((1, false)))?,
                '\\' => self.escape().map(|()| Some((1, false)))?,
                _ => Some((1, false)),
            };
            heaviest = heaviest.max(last.map_or(1, |(weight, _)| weight));
        }
        Ok(heaviest)
    }

    /// A repetition and its largest count, 1 for `*`, `+` and `?`; a brace that is none stands for itself.
    fn repetition(&mut self, sign: char) -> Result<Option<u32>, String> {
        let times = match sign {
            '*' | '+' | '?' => {
                self.take();
                1
            }
            '{' => match counts(self.rest) {
                None => return Ok(None),
                Some((least, most, length)) => {
                    let text = self.rest.get(..length).unwrap_or_default();
                    let largest = most.unwrap_or(least);
                    if least.max(largest) > MOST_REPEATED || least > largest {
                        return Err(format!("has a repetition that is not valid: `{text}`"));
                    }
                    self.rest = self.rest.get(length..).unwrap_or_default();
                    largest
                }
            },
            _ => return Ok(None),
        };
        self.skip("?");
        Ok(Some(times))
    }

    /// The rest of a group; `None` for flags, which are no group.
    fn group(&mut self) -> Result<Option<Weight>, String> {
        let looks_behind = self.rest.starts_with("?<=") || self.rest.starts_with("?<!");
        if self.skip("?P<") || !looks_behind && self.skip("?<") {
            self.name()?;
        } else if self.skip("?") && self.flags()? {
            return Ok(None);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("nests too deep".to_owned());
        }
        let weight = self.alternatives()?;
        self.depth -= 1;
        match self.take() {
            Some(_) => Ok(Some(weight)),
            None => Err("does not close a group: `)` is missing".to_owned()),
        }
    }

    fn name(&mut self) -> Result<(), String> {
        let (name, rest) = self.rest.split_once('>').ok_or("has a group name without `>`")?;
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(format!("has a group name that is not valid: `{name}`"));
        }
        self.rest = rest;
        Ok(())
    }

    /// The flags after `(?`; whether they stand alone, without a group.
    fn flags(&mut self) -> Result<bool, String> {
        let before = self.rest;
        let (mut negated, mut flag) = (false, false);
        loop {
            match self.take() {
                Some('i' | 'm' | 's' | 'U') => flag = true,
                Some('-') if !negated => (negated, flag) = (true, false),
                Some(end @ (':' | ')')) if flag || !negated => {
                    return Ok(end == ')');
                }
                _ => {
                    let shown: String = before.chars().take(2).collect();
                    return Err(format!("uses `(?{shown}`, which RE2 does not have"));
                }
            }
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<(), String> {
        match self.rest.chars().next() {
            Some('A' | 'b' | 'B' | 'z' | 'd' | 'D' | 's' | 'S' | 'w' | 'W') => drop(self.take()),
            Some('Q') => {
                let literal = self.rest.find("\\E").map(|at| at + 2);
                self.rest = self.rest.get(literal.unwrap_or(self.rest.len())..).unwrap_or_default();
            }
            _ => drop(self.character()?),
        }
        Ok(())
    }

    /// The character, or the class of Unicode, after a backslash; `None` for a class.
    fn character(&mut self) -> Result<Option<char>, String> {
        let Some(sign) = self.take() else {
            return Err("ends with a backslash".to_owned());
        };
        match sign {
            'p' | 'P' => self.unicode().map(|()| None),
            '0' => {
                self.rest = self.rest.get(octal_digits(self.rest, 2)..).unwrap_or_default();
                Ok(Some('0'))
            }
            '1'..='7' if octal_digits(self.rest, 1) == 1 => {
                self.rest = self.rest.get(octal_digits(self.rest, 2)..).unwrap_or_default();
                Ok(Some(sign))
            }
            'x' => self.hexadecimal().map(Some),
            'a' | 'f' | 'n' | 'r' | 't' | 'v' => Ok(Some(sign)),
            sign if sign.is_ascii() && !sign.is_ascii_alphanumeric() => Ok(Some(sign)),
            sign => Err(format!("uses `\\{sign}`, which RE2 does not have")),
        }
    }

    fn hexadecimal(&mut self) -> Result<char, String> {
        const WRONG: &str = "has a `\\x` without a valid number";
        let (digits, rest) = match self.rest.strip_prefix('{') {
            Some(inner) => inner.split_once('}').ok_or(WRONG)?,
            None => self.rest.split_at_checked(2).ok_or(WRONG)?,
        };
        let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = all.then(|| u32::from_str_radix(digits, 16).ok()).flatten();
        self.rest = rest;
        code.filter(|code| *code <= 0x0010_FFFF)
            .map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
            .ok_or_else(|| WRONG.to_owned())
    }

    /// The name after `\p`.
    fn unicode(&mut self) -> Result<(), String> {
        let name = match self.rest.strip_prefix('{') {
            Some(inner) => {
                let (name, rest) = inner.split_once('}').ok_or("has a `\\p{` without `}`")?;
                self.rest = rest;
                name.to_owned()
            }
            None => self.take().map(String::from).unwrap_or_default(),
        };
        let bare = name.strip_prefix('^').unwrap_or(&name);
        if self.classes.contains(bare) {
            return Ok(());
        }
        // Repeated no times, the class is looked up, and no automaton is made of it.
        let is_known = !bare.contains(['=', ':', '!']) && regex::Regex::new(&format!("\\p{{{bare}}}{{0}}")).is_ok();
        if is_known {
            self.classes.insert(bare.to_owned());
            return Ok(());
        }
        Err(format!("names a class of characters that RE2 does not have: `{name}`"))
    }

    /// The rest of a class in brackets.
    fn class(&mut self) -> Result<(), String> {
        const OPEN: &str = "does not close a class of characters: `]` is missing";
        self.skip("^");
        let mut first = true;
        while first || !self.rest.starts_with(']') {
            first = false;
            if let Some(inner) = self.rest.strip_prefix("[:")
                && let Some((name, rest)) = inner.split_once(":]")
            {
                if !POSIX.contains(&name.strip_prefix('^').unwrap_or(name)) {
                    return Err(format!(
                        "names a class of characters that RE2 does not have: `[:{name}:]`"
                    ));
                }
                self.rest = rest;
                continue;
            }
            let Some(low) = self.member(OPEN)? else { continue };
            let ranges = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            if !ranges || self.rest.len() == 1 {
                continue;
            }
            self.take();
            match self.member(OPEN)? {
                Some(high) if high >= low => {}
                _ => return Err(format!("has a range of characters that is not valid, from `{low}`")),
            }
        }
        self.take();
        Ok(())
    }

    /// A character of a class; `None` for a class within it.
    fn member(&mut self, open: &str) -> Result<Option<char>, String> {
        match self.take() {
            None => Err(open.to_owned()),
            Some('\\') if self.rest.starts_with(['d', 'D', 's', 'S', 'w', 'W']) => {
                self.take();
                Ok(None)
            }
            Some('\\') => {
                let escaped = self.rest.chars().next();
                let is_number = escaped.is_some_and(|sign| sign.is_ascii_digit());
                let read = self.character()?;
                // The order of numbers and control characters is not compared.
                let compared = read.filter(|read| !is_number && !read.is_ascii_alphabetic() || escaped == Some('x'));
                Ok(compared.or(read.map(|_| '\0')))
            }
            Some(sign) => Ok(Some(sign)),
        }
    }
}

const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
];

/// The counts of a repetition in braces, the larger one if there is one, and its length; `None` if it is none.
pub(super) fn counts(text: &str) -> Option<(u32, Option<u32>, usize)> {
    let (inner, _) = text.strip_prefix('{')?.split_once('}')?;
    let (least, most) = match inner.split_once(',') {
        None => (count(inner)?, Some(count(inner)?)),
        Some((least, "")) => (count(least)?, None),
        Some((least, most)) => (count(least)?, Some(count(most)?)),
    };
    Some((least, most, inner.len() + 2))
}

/// A count; one that is too large is the largest.
fn count(digits: &str) -> Option<u32> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let plain = plain && (digits.len() == 1 || !digits.starts_with('0'));
    plain.then(|| digits.parse().unwrap_or(u32::MAX))
}

/// How many octal digits a text begins with, up to so many.
pub(super) fn octal_digits(text: &str, most: usize) -> usize {
    let octal = text.bytes().take(most).take_while(|byte| (b'0'..=b'7').contains(byte));
    octal.count()
}
