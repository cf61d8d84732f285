//! The parts of a pattern.

use super::ranges::{self, Ranges};

/// A part of a pattern.
#[derive(Debug, Clone)]
pub(super) enum Part {
    /// One character of a set.
    One(Ranges),
    Start,
    End,
    Sequence(Vec<Part>),
    Either(Vec<Part>),
    /// How often at least and at most; `None` is without end.
    Repeated(Box<Part>, u32, Option<u32>),
}

/// How deep groups nest.
const DEEPEST: usize = 50;

pub(super) fn parse(pattern: &str) -> Option<Part> {
    let mut parser = Parser {
        rest: pattern,
        flags: Flags::default(),
        depth: 0,
    };
    let found = parser.alternatives()?;
    parser.rest.is_empty().then_some(found)
}

#[derive(Debug, Clone, Copy, Default)]
struct Flags {
    any_case: bool,
    dot_is_all: bool,
}

struct Parser<'p> {
    rest: &'p str,
    flags: Flags,
    depth: usize,
}

impl<'p> Parser<'p> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let first = self.peek()?;
        self.rest = self.rest.get(first.len_utf8()..)?;
        Some(first)
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn alternatives(&mut self) -> Option<Part> {
        let mut all = Vec::new();
        let mut parts = Vec::new();
        while let Some(sign) = self.peek().filter(|sign| *sign != ')') {
            if sign == '|' {
                self.take();
                all.push(Part::Sequence(std::mem::take(&mut parts)));
            } else if let Piece::Part(part) = self.part()? {
                parts.push(self.repeated(part)?);
            }
        }
        all.push(Part::Sequence(parts));
        Some(Part::Either(all))
    }

    fn part(&mut self) -> Option<Piece> {
        let set = match self.take()? {
            '^' => return Some(Piece::Part(Part::Start)),
            '$' => return Some(Piece::Part(Part::End)),
            '(' => return self.group(),
            '*' | '+' | '?' => return None,
            '.' if self.flags.dot_is_all => vec![('\0', char::MAX)],
            '.' => ranges::complement(&ranges::of('\n')),
            '[' => self.class()?,
            '\\' => match self.escape()? {
                Escape::Set(set) => set,
                Escape::Part(part) => return Some(Piece::Part(part)),
            },
            sign => self.cased(ranges::of(sign))?,
        };
        Some(Piece::Part(Part::One(set)))
    }

    fn cased(&self, set: Ranges) -> Option<Ranges> {
        if self.flags.any_case {
            ranges::of_any_case(&set)
        } else {
            Some(set)
        }
    }

    fn group(&mut self) -> Option<Piece> {
        let outer = self.flags;
        if self.skip("?") {
            let is_named = self.skip("P<") || self.skip("<");
            if is_named {
                let end = self.rest.find('>')?;
                self.rest = self.rest.get(end + 1..)?;
            } else if self.flags()? {
                return Some(Piece::Flags);
            }
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let found = self.alternatives()?;
        self.depth -= 1;
        self.flags = outer;
        self.skip(")").then_some(Piece::Part(found))
    }

    /// The flags of a group. Returns whether they hold for what follows it.
    fn flags(&mut self) -> Option<bool> {
        let mut on = true;
        loop {
            match self.take()? {
                'i' => self.flags.any_case = on,
                's' => self.flags.dot_is_all = on,
                // Which match is found first does not matter.
                'U' => {}
                '-' => on = false,
                ':' => return Some(false),
                ')' => return Some(true),
                _ => return None,
            }
        }
    }

    fn repeated(&mut self, part: Part) -> Option<Part> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.counts() {
                Some((counts, after)) => {
                    self.rest = after;
                    self.skip("?");
                    return Some(Part::Repeated(Box::new(part), counts.0, counts.1));
                }
                None => return Some(part),
            },
            _ => return Some(part),
        };
        self.take();
        self.skip("?");
        let is_repeated_again = matches!(self.peek(), Some('*' | '+' | '?')) || self.counts().is_some();
        (!is_repeated_again).then(|| Part::Repeated(Box::new(part), least, most))
    }

    /// The counts of `{2,3}`, and what follows. Other braces stand for themselves.
    fn counts(&self) -> Option<((u32, Option<u32>), &'p str)> {
        let (inner, after) = self.rest.strip_prefix('{')?.split_once('}')?;
        let (least, most) = inner.split_once(',').unwrap_or((inner, inner));
        let least = least.parse().ok()?;
        let most = match most {
            "" => None,
            most => Some(most.parse().ok()?),
        };
        Some(((least, most), after))
    }

    /// A class, after its first bracket.
    fn class(&mut self) -> Option<Ranges> {
        let is_negated = self.skip("^");
        let mut set = Ranges::new();
        let mut is_first = true;
        while is_first || !self.rest.starts_with(']') {
            is_first = false;
            if self.rest.starts_with("[:") {
                set.extend(self.posix()?);
                continue;
            }
            let from = match self.class_sign()? {
                ClassSign::Set(more) => {
                    set.extend(more);
                    continue;
                }
                ClassSign::One(sign) => sign,
            };
            let is_range = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            let to = if is_range {
                self.take();
                match self.class_sign()? {
                    ClassSign::One(sign) => sign,
                    ClassSign::Set(_) => return None,
                }
            } else {
                from
            };
            set.push((from, to));
        }
        self.take();
        let set = self.cased(ranges::ordered(set))?;
        Some(if is_negated { ranges::complement(&set) } else { set })
    }

    fn posix(&mut self) -> Option<Ranges> {
        let (name, after) = self.rest.strip_prefix("[:")?.split_once(":]")?;
        self.rest = after;
        match name.strip_prefix('^') {
            Some(name) => Some(ranges::complement(&ranges::named(name)?)),
            None => ranges::named(name),
        }
    }

    fn class_sign(&mut self) -> Option<ClassSign> {
        match self.take()? {
            '\\' => match self.escape()? {
                Escape::Set(set) if set.len() == 1 && set[0].0 == set[0].1 => Some(ClassSign::One(set[0].0)),
                Escape::Set(set) => Some(ClassSign::Set(set)),
                Escape::Part(_) => None,
            },
            sign => Some(ClassSign::One(sign)),
        }
    }

    fn escape(&mut self) -> Option<Escape> {
        let sign = self.take()?;
        let set = match sign {
            'A' => return Some(Escape::Part(Part::Start)),
            'z' => return Some(Escape::Part(Part::End)),
            'd' | 'w' | 's' => ranges::named(sign.encode_utf8(&mut [0; 4]))?,
            'D' | 'W' | 'S' => ranges::complement(&ranges::named(sign.to_ascii_lowercase().encode_utf8(&mut [0; 4]))?),
            'n' => ranges::of('\n'),
            't' => ranges::of('\t'),
            'r' => ranges::of('\r'),
            'f' => ranges::of('\u{c}'),
            'v' => ranges::of('\u{b}'),
            'a' => ranges::of('\u{7}'),
            sign if sign.is_ascii_punctuation() => ranges::of(sign),
            _ => return None,
        };
        Some(Escape::Set(set))
    }
}

/// What is between others.
enum Piece {
    Part(Part),
    /// A group that only sets flags.
    Flags,
}

/// What an escape stands for.
enum Escape {
    Set(Ranges),
    Part(Part),
}

/// A part of a class.
enum ClassSign {
    One(char),
    Set(Ranges),
}
