//! What many lists have in common: counts by severity, places of what is alike on one line, and lines that fit.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::diagnostic::Severity;

use super::visible;

/// Where one of several alike ones is.
pub(super) struct Place<'p> {
    pub kind: &'p str,
    /// The version and the field.
    pub below: String,
}

impl Place<'_> {
    /// The kind, the version and the field.
    pub(super) fn name(&self) -> String {
        visible(format!("{} {}", self.kind, self.below).trim())
    }
}

/// How many there are of each severity, and with which codes.
pub(super) fn counts<'c>(all: impl Iterator<Item = (Severity, &'c str)>, width: usize, text: &mut String) {
    let mut counts: BTreeMap<Severity, BTreeMap<&str, usize>> = BTreeMap::new();
    for (severity, code) in all {
        *counts.entry(severity).or_default().entry(code).or_default() += 1;
    }
    for (severity, codes) in counts.into_iter().rev() {
        let total: usize = codes.values().sum();
        let mut codes: Vec<(&str, usize)> = codes.into_iter().collect();
        codes.sort_by_key(|(code, count)| (std::cmp::Reverse(*count), *code));
        let codes: Vec<String> = codes
            .into_iter()
            .map(|(code, count)| format!("{code} {count}"))
            .collect();
        let plural = if total == 1 { "" } else { "s" };
        let line = format!("{total} {severity}{plural}: {}", codes.join(", "));
        wrapped(&line, width, "  ", text);
    }
}

/// How many places there are, in how many kinds, and as many of them as fit on the line.
pub(super) fn places(kinds: usize, places: &[Place<'_>], width: usize) -> String {
    let of = match (kinds, places) {
        (1, [first, ..]) => format!("in {}", visible(first.kind)),
        _ => format!("in {kinds} kinds"),
    };
    let mut line = format!("  {of}, {} places:", places.len());
    for (at, place) in places.iter().enumerate() {
        let name = match kinds {
            1 => place.below.clone(),
            _ => place.name(),
        };
        let more = places.len() - at - 1;
        let rest = if more == 0 {
            String::new()
        } else {
            format!("; {more} more")
        };
        let fits = line.chars().count() + name.chars().count() + rest.chars().count() + 2 <= width;
        if !fits && at > 0 {
            let _ = write!(line, "; {} more", more + 1);
            break;
        }
        let _ = write!(line, "{} {name}", if at == 0 { "" } else { "," });
        if !fits {
            line.push_str(&rest);
            break;
        }
    }
    line
}

/// A line, broken between words where it is too wide.
pub(super) fn wrapped(line: &str, width: usize, indent: &str, text: &mut String) {
    let words = line.trim_start();
    let margin = line.len() - words.len();
    text.extend(std::iter::repeat_n(' ', margin));
    let mut used = margin;
    for (at, word) in words.split(' ').enumerate() {
        let length = word.chars().count();
        if at > 0 && used + 1 + length > width {
            let _ = write!(text, "\n{indent}");
            used = indent.len();
        } else if at > 0 {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        used += length;
    }
    text.push('\n');
}
