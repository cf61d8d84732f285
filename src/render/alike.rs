//! What many lists have in common: counts by severity, and places of what is alike on one line.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::diagnostic::Severity;

use super::visible;
use super::wrap::hanging;

/// Where one of several alike ones is.
pub(super) struct Occurrence<'p> {
    pub kind: Cow<'p, str>,
    /// The version and the field.
    pub below: String,
}

impl Occurrence<'_> {
    /// The kind, the version and the field.
    pub(super) fn name(&self) -> String {
        visible(format!("{} {}", self.kind, self.below).trim())
    }

    /// Its name after that of another place: without what both share of kind and version.
    fn name_after(&self, before: &Self) -> String {
        if self.kind != before.kind {
            return self.name();
        }
        let [own, other] = [self, before].map(|place| place.below.split_once(' '));
        match own.zip(other) {
            Some(((version, field), (of_other, _))) if version == of_other => field.to_owned(),
            _ => self.below.clone(),
        }
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
        let counted = match (severity, total) {
            (Severity::Off, _) => format!("{total} compatible"),
            (_, 1) => format!("1 {severity}"),
            _ => format!("{total} {severity}s"),
        };
        let line = format!("{counted}: {}", codes.join(", "));
        hanging(&line, width, 2, text);
    }
}

/// How far a place on a line of its own is moved to the right.
const PLACE_INDENT: usize = 4;

/// How many places there are, in how many kinds, and as many of them as fit on the line.
pub(super) fn places(kinds: usize, places: &[Occurrence<'_>], width: usize) -> String {
    let of = match (kinds, places) {
        (1, [first, ..]) => format!("in {}", visible(&first.kind)),
        _ => format!("in {kinds} kinds"),
    };
    let mut line = format!("  {of}, {} places:", places.len());
    let mut before = None;
    for (at, place) in places.iter().enumerate() {
        let name = match before {
            Some(before) => place.name_after(before),
            None if kinds == 1 => place.below.clone(),
            None => place.name(),
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
        if !fits {
            line.push('\n');
            let place = format!("{:PLACE_INDENT$}{name}{rest}", "");
            hanging(&place, width, PLACE_INDENT, &mut line);
            line.truncate(line.trim_end().len());
            break;
        }
        line.extend([if at == 0 { " " } else { ", " }, &name]);
        before = Some(place);
    }
    line
}
