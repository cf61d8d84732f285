//! The work of a template: what its loops and components repeat, and what its variables hold, is counted while it is
//! rendered, and ends at a limit.
//!
//! Tera counts nothing, so calls of [`CHARGE`] and [`HOLD`] are put into the text: at the beginning of each body that
//! may be repeated, and after each assignment. Errors are shown at their places in the text without them.

use super::operators::operators;
use super::tags::{Tag, is_word, next_tag};
use super::used::{CHARGE, HOLD, OF_STEP};

/// The most bytes that Tera copies for the names in a template that it does not know: the line of each.
const MOST_COPIED: usize = 64 << 20;

/// The most bytes that it reads for them: the whole template for each.
const MOST_READ: usize = 1 << 30;

/// The tags whose bodies may be rendered several times.
const REPEATED: [&str; 3] = ["for", "component", "block"];

/// A text with the calls in it.
pub(super) struct Counted {
    pub(super) text: String,
    /// The tags of each line.
    tags: Vec<usize>,
    /// Where each call was put: the line, the column in characters before which it stands, and its length.
    calls: Vec<(usize, usize, usize)>,
}

impl Counted {
    /// Puts the calls into a template. `included` is the length of the longest text that it may include.
    pub(super) fn of(source: &str, included: usize) -> Self {
        let mut calls = calls(source, included);
        calls.sort_by_key(|(at, _)| *at);
        let mut counted = Self {
            text: String::with_capacity(source.len() + calls.len() * 40),
            tags: source.lines().map(tags).collect(),
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
        let lines = self.tags.iter().zip(self.text.lines());
        let costs = lines.map(|(tags, line)| (tags, tags.saturating_mul(line.len())));
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
    // The names that blocks between tags are assigned to.
    let mut sets: Vec<&str> = Vec::new();
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
        } else if matches!(word, "set" | "set_global") && !(is_child && open.is_empty()) {
            let name = more.split(|c| !is_word(c)).next().unwrap_or_default();
            if more[name.len()..].trim_start().starts_with('=') {
                found.push((tag.end, call(HOLD, "value", name, trim)));
            } else {
                sets.push(name);
            }
        } else if word == "endset"
            && let Some(name) = sets.pop()
        {
            found.push((tag.end, call(HOLD, "value", name, trim)));
        }
        operators(tag, &mut found);
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
