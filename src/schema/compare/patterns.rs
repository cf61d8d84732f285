//! `pattern`.

use std::collections::BTreeMap;

use crate::pattern::Pattern;
use crate::schema::change::Effect;

/// Whether a pattern rejects anything.
pub(super) fn demands(pattern: Option<&str>) -> bool {
    pattern.is_some_and(|text| !["", ".*", "^.*", ".*$", "^"].contains(&text))
}

/// Steps in which the patterns of a run are compared, and those for one pair.
const MOST_STEPS: usize = 10_000_000;
const MOST_OF_PAIR: usize = 1_000_000;

/// What a change of `pattern` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Compared {
    pub(super) effect: Effect,
    /// Whether the new pattern matches all texts of the old one that are one line. In patterns of servers, `.` is no
    /// line break, so that `^a` matches more than `^a.*$`.
    pub(super) breaks_lines_only: bool,
}

impl From<Effect> for Compared {
    fn from(effect: Effect) -> Self {
        Self {
            effect,
            breaks_lines_only: false,
        }
    }
}

/// The patterns that a run has compared. The same two are often in many places: of a type that schemas embed, and of
/// each version.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    taken: usize,
    known: BTreeMap<[String; 2], Compared>,
    /// Whether more steps were needed.
    pub(super) is_exhausted: bool,
}

impl Patterns {
    /// What a change of `pattern` does, as far as it is known: by the texts that both match, or else by their anchors.
    pub(super) fn compared(&mut self, old: Option<&str>, new: Option<&str>) -> Compared {
        let (Some(old), Some(new)) = (old, new) else {
            return Effect::Unclear.into();
        };
        let pair = [old, new].map(str::to_owned);
        if let Some(known) = self.known.get(&pair) {
            return *known;
        }
        let effect = match self.by_texts(old, new) {
            Some([true, true]) => Effect::Same,
            Some([true, false]) => Effect::Wider,
            Some([false, true]) => Effect::Narrower,
            Some([false, false]) => Effect::Unclear,
            None => by_anchors(old, new),
        };
        let compared = Compared {
            effect,
            breaks_lines_only: effect > Effect::Wider && self.matches_lines(old, new),
        };
        if self.taken < MOST_STEPS {
            self.known.insert(pair, compared);
        }
        compared
    }

    /// Whether the new pattern matches all texts of the old one, and the reverse; `None` if that is not known.
    fn by_texts(&mut self, old: &str, new: &str) -> Option<[bool; 2]> {
        let [old, new] = [self.read(old, Pattern::of)?, self.read(new, Pattern::of)?];
        Some([self.contains(&new, &old)?, self.contains(&old, &new)?])
    }

    fn matches_lines(&mut self, old: &str, new: &str) -> bool {
        let patterns = self.read(old, Pattern::of).zip(self.read(new, Pattern::or_line_breaks));
        patterns.is_some_and(|(old, new)| self.contains(&new, &old) == Some(true))
    }

    fn read(&mut self, text: &str, how: fn(&str) -> Option<Pattern>) -> Option<Pattern> {
        if self.taken >= MOST_STEPS {
            self.is_exhausted = true;
            return None;
        }
        let pattern = how(text);
        self.taken += text.len() + pattern.as_ref().map_or(0, Pattern::size);
        pattern
    }

    fn contains(&mut self, one: &Pattern, other: &Pattern) -> Option<bool> {
        let given = MOST_OF_PAIR.min(MOST_STEPS.saturating_sub(self.taken));
        let mut left = given;
        let contained = one.contains(other, &mut left);
        self.taken += given - left;
        self.is_exhausted |= contained.is_none() && given < MOST_OF_PAIR;
        contained
    }
}

/// Without an anchor, a pattern matches everything that it matches with one.
fn by_anchors(old: &str, new: &str) -> Effect {
    let (Some(old), Some(new)) = (Anchored::of(old), Anchored::of(new)) else {
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
