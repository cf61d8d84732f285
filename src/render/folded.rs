//! Many changes of schemas: those that are alike together, each group on at most two lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::diagnostic::Severity;
use crate::grammar::rest_within;
use crate::report::{ChangeGroup, DiffReport, DifferenceReport};

use super::words::{place, verdict};
use super::{Style, visible};

/// How many changes of each severity there are, and of which codes.
pub(super) fn counts(report: &DiffReport, width: usize, text: &mut String) {
    let mut counts: BTreeMap<Severity, BTreeMap<&str, usize>> = BTreeMap::new();
    for change in &report.changes {
        *counts
            .entry(change.severity)
            .or_default()
            .entry(change.code.as_str())
            .or_default() += 1;
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
        wrapped(
            &format!("{total} {severity}{plural}: {}", codes.join(", ")),
            width,
            "  ",
            text,
        );
    }
}

/// The groups, errors first.
pub(super) fn groups(report: &DiffReport, style: Style, text: &mut String) {
    let width = usize::from(style.width);
    for group in &report.groups {
        let changes: Vec<&DifferenceReport> = group.changes.iter().filter_map(|at| report.changes.get(*at)).collect();
        let Some(first) = changes.first() else { continue };
        let head = format!("{}: {} ({})", group.severity, messages(group), verdict(first));
        wrapped(&visible(&head), width, "    ", text);
        match changes.as_slice() {
            [only] => wrapped(&format!("  {} {}", short(only), place(only)), width, "    ", text),
            _ => {
                let _ = writeln!(text, "{}", places(group, &changes, width));
            }
        }
    }
}

/// What happened: the words that all messages of a group begin with, and how each goes on.
fn messages(group: &ChangeGroup) -> String {
    let all = group.messages.as_slice();
    let [first, others @ ..] = all else {
        return String::new();
    };
    if others.is_empty() {
        return difference(&first.message);
    }
    let mut common = first.message.as_str();
    while !others.iter().all(|other| other.message.starts_with(common)) {
        let shorter = common.trim_end().rsplit_once(' ').map_or("", |(head, _)| head);
        // The blank stays with what is common.
        common = first
            .message
            .get(..shorter.len() + 1)
            .filter(|_| !shorter.is_empty())
            .unwrap_or_default();
    }
    let tails = all.iter().map(|message| {
        let tail = message.message.get(common.len()..).unwrap_or_default();
        format!("{tail} ({})", message.places)
    });
    format!("{common}{}", tails.collect::<Vec<_>>().join(", "))
}

/// Characters of what two long values share that are shown at each side of what differs.
const CONTEXT: usize = 24;

/// A message about two long values, with what both begin and end with cut short.
fn difference(message: &str) -> String {
    let Some((head, new)) = message.split_once(" → ") else {
        return message.to_owned();
    };
    let (label, old) = head.split_once(": ").map_or(("", head), |(label, old)| (label, old));
    let same = old
        .chars()
        .zip(new.chars())
        .take_while(|(one, other)| one == other)
        .count();
    let room = old.chars().count().min(new.chars().count()) - same;
    let backwards = old.chars().rev().zip(new.chars().rev());
    let end = backwards.take(room).take_while(|(one, other)| one == other).count();
    let [old, new] = [old, new].map(|value| cut(value, same, end));
    if label.is_empty() {
        format!("{old} → {new}")
    } else {
        format!("{label}: {old} → {new}")
    }
}

/// A value without most of what it begins and ends with.
fn cut(value: &str, same: usize, end: usize) -> String {
    let signs: Vec<char> = value.chars().collect();
    let begin = same.saturating_sub(CONTEXT);
    let last = signs.len() - end.saturating_sub(CONTEXT);
    let inner: String = signs.get(begin..last).unwrap_or_default().iter().collect();
    let (before, after) = (
        if begin > 0 { "…" } else { "" },
        if last < signs.len() { "…" } else { "" },
    );
    format!("{before}{inner}{after}")
}

/// How many places there are, and as many of them as fit on the line.
fn places(group: &ChangeGroup, changes: &[&DifferenceReport], width: usize) -> String {
    let kinds = group.kinds.len();
    let of = match (kinds, changes.first()) {
        (1, Some(first)) => format!("in {}", first.kind),
        _ => format!("in {kinds} kinds"),
    };
    let mut line = format!("  {of}, {} places:", changes.len());
    for (at, change) in changes.iter().enumerate() {
        let name = match kinds {
            1 => below_kind(change),
            _ => short(change),
        };
        let more = changes.len() - at - 1;
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

/// The kind, the version and the field.
fn short(change: &DifferenceReport) -> String {
    visible(format!("{} {}", change.kind, below_kind(change)).trim())
}

/// The version and the field.
fn below_kind(change: &DifferenceReport) -> String {
    let version = change.version.as_deref().unwrap_or_default();
    let whole = match version {
        "" => format!("{} {}", change.group, change.kind),
        version => format!("{}/{version} {}", change.group, change.kind),
    };
    let below = rest_within(&change.element, &whole).unwrap_or_default();
    visible(format!("{version}{below}").trim())
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
