//! The work of a template: what its loops and components repeat, and what its variables hold, is counted while it is
//! rendered, and ends at a limit.
//!
//! Tera counts nothing, so calls of [`CHARGE`] and [`HOLD`] are put into the text: at the beginning of each body that
//! may be repeated, and after each assignment. Errors are shown at their places in the text without them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tera::{Kwargs, State, Tera, Value};

/// The most bytes of a template that are rendered, each time counted: seconds of work.
const MOST_WORK: usize = 256 << 20;

/// What a repetition costs besides the text that is repeated: an empty loop takes time too.
const OF_STEP: usize = 256;

/// The most characters or items of a variable: a loop that doubles it would take all memory.
pub(super) const LONGEST_VALUE: usize = 8 << 20;

/// The most bytes that Tera copies for the names in a template that it does not know: the line of each.
const MOST_COPIED: usize = 64 << 20;

/// The most bytes that it reads for them: the whole template for each.
const MOST_READ: usize = 1 << 30;

/// The functions that count: a repetition with its cost, and the value of a variable.
const CHARGE: &str = "lifecycle_charge";
const HOLD: &str = "lifecycle_hold";

/// The tags whose bodies may be rendered several times.
const REPEATED: [&str; 3] = ["for", "component", "block"];

/// A text with the calls in it.
pub(super) struct Counted {
    pub(super) text: String,
    /// Where each call was put: the line, the column in characters before which it stands, and its length.
    calls: Vec<(usize, usize, usize)>,
}

impl Counted {
    /// Puts the calls into a template. `included` is the length of the longest text that it may include.
    pub(super) fn of(source: &str, included: usize) -> Self {
        let mut calls = calls(source, included);
        calls.sort_unstable();
        let mut counted = Self {
            text: String::with_capacity(source.len() + calls.len() * 40),
            calls: Vec::with_capacity(calls.len()),
        };
        let (mut from, mut line, mut column) = (0, 1, 0);
        for (at, call) in calls {
            let before = &source[from..at];
            line += before.matches('\n').count();
            column = match before.rfind('\n') {
                Some(end) => before[end + 1..].chars().count(),
                None => column + before.chars().count(),
            };
            counted.text.push_str(before);
            counted.text.push_str(&call);
            counted.calls.push((line, column, call.chars().count()));
            from = at;
        }
        counted.text.push_str(&source[from..]);
        counted
    }

    /// Whether its errors would take more time or memory than there is: Tera reports every unknown name at once.
    pub(super) fn has_costly_errors(&self) -> bool {
        let lines = self.text.lines();
        let costs = lines.map(|line| (tags(line), tags(line).saturating_mul(line.len())));
        let (tags, copied) = costs.fold((0, 0_usize), |(all, sum), (tags, copied)| {
            (all + tags, sum.saturating_add(copied))
        });
        copied > MOST_COPIED || tags.saturating_mul(self.text.len()) > MOST_READ
    }

    /// The column in the source of a column in the text with the calls, both from 1.
    pub(super) fn column(&self, line: usize, column: usize) -> usize {
        let own = self.calls.iter().filter(|(of, ..)| *of == line);
        own.fold((0, column), |(shift, found), (_, before, length)| {
            let begin = before + shift + 1;
            match column {
                _ if column < begin => (shift, found),
                _ if column < begin + length => (shift + length, before + 1),
                _ => (shift + length, found - length),
            }
        })
        .1
    }
}

/// How many tags and values begin in a text, at most.
fn tags(text: &str) -> usize {
    ["{{", "{%"].iter().map(|open| text.matches(open).count()).sum()
}

/// The calls, each with its offset in the source.
fn calls(source: &str, included: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    // Bodies that are open: where each begins, how spaces are trimmed there, and the bytes of bodies within.
    let mut open: Vec<(usize, &str, usize)> = Vec::new();
    let is_child = source.contains("extends");
    let mut rest = 0;
    while let Some(tag) = next_tag(source, rest) {
        rest = tag.end;
        let (word, more) = tag.words();
        let trim = if tag.text.ends_with("-%}") { "-" } else { "" };
        if REPEATED.contains(&word) {
            open.push((tag.end, trim, 0));
        } else if word.strip_prefix("end").is_some_and(|word| REPEATED.contains(&word)) {
            let Some((begin, trim, within)) = open.pop() else {
                continue;
            };
            let length = tag.begin - begin;
            found.push((
                begin,
                call(CHARGE, "cost", OF_STEP + length.saturating_sub(within), trim),
            ));
            if let Some((_, _, within)) = open.last_mut() {
                *within += length;
            }
        } else if word == "include" {
            found.push((tag.end, call(CHARGE, "cost", OF_STEP + included, trim)));
        } else if matches!(word, "set" | "set_global") && more.contains('=') && !(is_child && open.is_empty()) {
            let name = more.split('=').next().unwrap_or_default().trim();
            found.push((tag.end, call(HOLD, "value", name, trim)));
        }
        comprehensions(tag, &mut found);
    }
    found
}

fn call(function: &str, argument: &str, value: impl std::fmt::Display, trim: &str) -> String {
    format!("{{{{ {function}({argument}={value}) {trim}}}}}")
}

/// A list made from another one is a loop too: its condition counts.
fn comprehensions(tag: Tag<'_>, found: &mut Vec<(usize, String)>) {
    let charge = format!("{CHARGE}(cost={}) == \"\"", OF_STEP + tag.text.len());
    // For each bracket that is open: whether there was a `for` in it, and an `if` after that.
    let mut open: Vec<(bool, bool)> = Vec::new();
    for (at, word) in tag.tokens() {
        match (word, open.last_mut()) {
            ("[" | "(" | "{", _) => open.push((false, false)),
            ("for", Some((has_for, _))) => *has_for = true,
            ("if", Some((true, has_if))) if !*has_if => {
                *has_if = true;
                found.push((tag.begin + at + word.len(), format!(" {charge} and (")));
            }
            ("]" | ")" | "}", Some(_)) => match open.pop() {
                Some((true, true)) => found.push((tag.begin + at, ")".to_owned())),
                Some((true, false)) => found.push((tag.begin + at, format!(" if {charge}"))),
                _ => {}
            },
            _ => {}
        }
    }
}

/// A tag, `{% … %}`, or a value, `{{ … }}`.
#[derive(Clone, Copy)]
struct Tag<'s> {
    begin: usize,
    end: usize,
    text: &'s str,
}

impl<'s> Tag<'s> {
    /// The first word of a tag, and what follows it; nothing for a value.
    fn words(self) -> (&'s str, &'s str) {
        let Some(inner) = self.text.strip_prefix("{%") else {
            return ("", "");
        };
        let inner = inner.trim_end_matches("%}").trim_matches('-').trim();
        inner.split_once(char::is_whitespace).unwrap_or((inner, ""))
    }

    /// Words and other characters, except in strings, with their offsets.
    fn tokens(self) -> Vec<(usize, &'s str)> {
        let mut found: Vec<(usize, &str)> = Vec::new();
        let mut strings = Strings::default();
        let inner = self.text.len() - 2;
        for (at, c) in self.text[..inner].char_indices().skip(2) {
            if strings.hold(c) {
                continue;
            }
            match found.last_mut() {
                Some((begin, word)) if is_word(c) && *begin + word.len() == at && word.chars().all(is_word) => {
                    *word = &self.text[*begin..at + c.len_utf8()];
                }
                _ => found.push((at, &self.text[at..at + c.len_utf8()])),
            }
        }
        found
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The next tag or value from an offset on. Comments and raw text have none.
fn next_tag(source: &str, from: usize) -> Option<Tag<'_>> {
    let mut from = from;
    loop {
        let mut marks = source[from..].match_indices('{');
        let begin = marks.find(|(at, _)| matches!(source.as_bytes().get(from + at + 1), Some(b'{' | b'%' | b'#')));
        let begin = from + begin?.0;
        let close = match &source[begin..begin + 2] {
            "{{" => "}}",
            "{%" => "%}",
            _ => {
                from = begin + source[begin..].find("#}")? + 2;
                continue;
            }
        };
        let end = begin + end_of(&source[begin..], close)?;
        let tag = Tag {
            begin,
            end,
            text: &source[begin..end],
        };
        if tag.words().0 != "raw" {
            return Some(tag);
        }
        from = end + source[end..].find("endraw")?;
        from += source[from..].find("%}")? + 2;
    }
}

/// Where a tag ends: after its mark, which does not count within a string.
fn end_of(text: &str, close: &str) -> Option<usize> {
    let mut strings = Strings::default();
    let mut code = text.char_indices().skip(2).filter(|(_, c)| !strings.hold(*c));
    let end = code.find(|(at, _)| text[*at..].starts_with(close));
    end.map(|(at, _)| at + close.len())
}

/// The strings in a tag, passed character by character.
#[derive(Default)]
struct Strings {
    /// The quote that ends the one that is open.
    open: Option<char>,
    is_escaped: bool,
}

impl Strings {
    /// Whether the next character is of a string, its quotes included.
    fn hold(&mut self, c: char) -> bool {
        match self.open {
            None if matches!(c, '"' | '\'' | '`') => self.open = Some(c),
            None => return false,
            Some(_) if self.is_escaped => self.is_escaped = false,
            Some(_) if c == '\\' => self.is_escaped = true,
            Some(end) if c == end => self.open = None,
            Some(_) => {}
        }
        true
    }
}

/// Registers the functions that count.
pub(super) fn count(tera: &mut Tera) {
    let spent = Arc::new(AtomicUsize::new(0));
    let steps = Arc::clone(&spent);
    tera.register_function(CHARGE, move |arguments: Kwargs, _: &State<'_>| {
        let cost = arguments.must_get::<usize>("cost")?;
        spend(&steps, cost)
    });
    tera.register_function(HOLD, move |arguments: Kwargs, _: &State<'_>| {
        let value = arguments.get::<&Value>("value")?;
        let length = value.map_or(0, |value| value.as_str().map(str::len).or(value.len()).unwrap_or(0));
        if length > LONGEST_VALUE {
            let message = format!("a variable holds more than {LONGEST_VALUE} characters or items");
            return Err(tera::Error::message(message));
        }
        spend(&spent, length)
    });
}

fn spend(spent: &AtomicUsize, cost: usize) -> tera::TeraResult<String> {
    let before = spent.fetch_add(cost, Ordering::Relaxed);
    if before.saturating_add(cost) > MOST_WORK {
        let message = format!(
            "its loops and components render more than {} MiB of the template; nest fewer loops, or loop over fewer items",
            MOST_WORK >> 20
        );
        return Err(tera::Error::message(message));
    }
    Ok(String::new())
}
