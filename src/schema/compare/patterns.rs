//! `pattern`.

use crate::pattern::Pattern;
use crate::schema::change::Effect;

/// Whether a pattern rejects anything.
pub(super) fn demands(pattern: Option<&str>) -> bool {
    pattern.is_some_and(|text| !["", ".*", "^.*", ".*$", "^"].contains(&text))
}

/// The effect of a change of `pattern`, as far as it is known: by the texts that both match, or else by their anchors.
pub(super) fn between(old: Option<&str>, new: Option<&str>, steps: &mut usize) -> Effect {
    match by_texts(old, new, steps) {
        Some([true, true]) => Effect::Same,
        Some([true, false]) => Effect::Wider,
        Some([false, true]) => Effect::Narrower,
        Some([false, false]) => Effect::Unclear,
        None => by_anchors(old, new),
    }
}

/// Whether the new pattern matches all texts of the old one that are one line. In patterns of servers, `.` is no line
/// break, so that `^a` matches more than `^a.*$`.
pub(super) fn matches_lines(old: Option<&str>, new: Option<&str>, steps: &mut usize) -> bool {
    let patterns = old.and_then(Pattern::of).zip(new.and_then(Pattern::or_line_breaks));
    patterns.is_some_and(|(old, new)| contains(&new, &old, steps) == Some(true))
}

/// Steps in which the patterns of one CRD are compared, and those for one pair.
const MOST_STEPS: usize = 20_000_000;
const MOST_OF_PAIR: usize = 1_000_000;

/// Whether the new pattern matches all texts of the old one, and the reverse; `None` if that is not known.
fn by_texts(old: Option<&str>, new: Option<&str>, steps: &mut usize) -> Option<[bool; 2]> {
    let (old, new) = (Pattern::of(old?)?, Pattern::of(new?)?);
    Some([contains(&new, &old, steps)?, contains(&old, &new, steps)?])
}

fn contains(one: &Pattern, other: &Pattern, steps: &mut usize) -> Option<bool> {
    let given = MOST_OF_PAIR.min(MOST_STEPS.saturating_sub(*steps));
    let mut left = given;
    let contained = one.contains(other, &mut left);
    *steps += given - left;
    contained
}

/// Without an anchor, a pattern matches everything that it matches with one.
fn by_anchors(old: Option<&str>, new: Option<&str>) -> Effect {
    let (Some(old), Some(new)) = (old.and_then(Anchored::of), new.and_then(Anchored::of)) else {
        return Effect::Unclear;
    };
    if old.inner != new.inner {
        return Effect::Unclear;
    }
    match (old.covers(&new), new.covers(&old)) {
        (true, true) => Effect::Same,
        (true, false) => Effect::Wider,
        (false, true) => Effect::Narrower,
        (false, false) => Effect::Unclear,
    }
}

/// A pattern without its anchors, and which it has.
#[derive(Debug, PartialEq, Eq)]
struct Anchored<'p> {
    start: bool,
    inner: &'p str,
    end: bool,
}

impl<'p> Anchored<'p> {
    /// `None` if the characters at the ends may not be anchors.
    fn of(pattern: &'p str) -> Option<Self> {
        // In a literal sequence, no character is an anchor.
        if pattern.contains("\\Q") {
            return None;
        }
        let (start, rest) = stripped(pattern.strip_prefix('^'), pattern);
        let (end, inner) = stripped(rest.strip_suffix('$').filter(|rest| !escapes(rest)), rest);
        let repeats = inner.starts_with(['*', '+', '?', '{']);
        let inner = ungrouped(inner);
        (!repeats).then_some(Self { start, inner, end })
    }

    /// Whether it has all anchors of another pattern.
    fn covers(&self, other: &Self) -> bool {
        (self.start || !other.start) && (self.end || !other.end)
    }
}

/// A pattern without a group around all of it that only groups.
fn ungrouped(pattern: &str) -> &str {
    let inner = pattern.strip_prefix("(?:").and_then(|rest| rest.strip_suffix(')'));
    // A group or class within could end with the last parenthesis.
    match inner {
        Some(inner) if !inner.contains(['(', ')', '\\', '|']) => inner,
        _ => pattern,
    }
}

fn stripped<'p>(without: Option<&'p str>, whole: &'p str) -> (bool, &'p str) {
    (without.is_some(), without.unwrap_or(whole))
}

/// Whether what follows is escaped.
fn escapes(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}
