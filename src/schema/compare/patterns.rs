//! Patterns of texts.

use crate::schema::change::Effect;

/// What becomes of the texts that match, where that can be told: a pattern without an anchor matches all that it
/// matches with it. Whether one language contains another is not asked otherwise.
pub(super) fn between(old: Option<&str>, new: Option<&str>) -> Effect {
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

/// A pattern, and where it is anchored.
#[derive(Debug, PartialEq, Eq)]
struct Anchored<'p> {
    start: bool,
    inner: &'p str,
    end: bool,
}

impl<'p> Anchored<'p> {
    /// None where signs at the ends may be no anchors.
    fn of(pattern: &'p str) -> Option<Self> {
        // Between these, all signs stand for themselves.
        if pattern.contains("\\Q") {
            return None;
        }
        let (start, rest) = stripped(pattern.strip_prefix('^'), pattern);
        let (end, inner) = stripped(rest.strip_suffix('$').filter(|rest| !escapes(rest)), rest);
        let repeats = inner.starts_with(['*', '+', '?', '{']);
        (!repeats).then_some(Self { start, inner, end })
    }

    /// Whether it has all anchors of another one.
    fn covers(&self, other: &Self) -> bool {
        (self.start || !other.start) && (self.end || !other.end)
    }
}

fn stripped<'p>(without: Option<&'p str>, whole: &'p str) -> (bool, &'p str) {
    (without.is_some(), without.unwrap_or(whole))
}

/// Whether what follows is escaped.
fn escapes(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}
