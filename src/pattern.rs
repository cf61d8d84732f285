//! Regular expressions as servers read them: whether one matches every text that another one matches.
//!
//! A pattern is searched in a text, so that `a` is `.*a.*`. What RE2 has beside characters, classes, groups, repetition
//! and anchors (word boundaries, classes of Unicode) is not known here.

mod automaton;
mod parser;
mod ranges;
mod texts;

use automaton::Automaton;
use texts::Texts;

/// Bytes of a pattern.
const LONGEST: usize = 2_000;

/// The texts that a pattern matches.
#[derive(Debug, Clone)]
pub(crate) struct Pattern(Automaton);

impl Pattern {
    /// Reads a pattern; `None` if it has what is not known here, or is too large.
    pub(crate) fn of(pattern: &str) -> Option<Self> {
        if pattern.len() > LONGEST {
            return None;
        }
        Automaton::of(&parser::parse(pattern)?).map(Self)
    }

    /// The same, which also matches all texts that have a line break.
    pub(crate) fn or_line_breaks(pattern: &str) -> Option<Self> {
        if pattern.len() > LONGEST {
            return None;
        }
        let line_break = parser::Part::One(ranges::of('\n'));
        Automaton::of(&parser::Part::Either(vec![parser::parse(pattern)?, line_break])).map(Self)
    }

    /// The texts that begin or end with a text, or both.
    pub(crate) fn of_text(text: &str, begins: bool, ends: bool) -> Option<Self> {
        let mut parts = Vec::new();
        parts.extend(begins.then_some(parser::Part::Start));
        parts.extend(text.chars().map(|sign| parser::Part::One(ranges::of(sign))));
        parts.extend(ends.then_some(parser::Part::End));
        Automaton::of(&parser::Part::Sequence(parts)).map(Self)
    }

    /// Whether it matches a text; `None` if that takes more than `left` steps, which are counted down.
    pub(crate) fn matches(&self, text: &str, left: &mut usize) -> Option<bool> {
        self.0.matches(text, left)
    }

    /// How many states it has.
    pub(crate) fn size(&self) -> usize {
        self.0.size()
    }

    /// Whether it matches every text that another one matches; `None` if that takes more than `left` steps, which are
    /// counted down.
    pub(crate) fn contains(&self, other: &Self, left: &mut usize) -> Option<bool> {
        Texts::new(&other.0, &self.0).are_within(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_within(one: &str, other: &str) -> Option<bool> {
        let [one, other] = [one, other].map(Pattern::of);
        other?.contains(&one?, &mut 1_000_000)
    }

    #[test]
    fn patterns_are_compared_by_the_texts_that_they_match() {
        let (no, yes) = (Some(false), Some(true));
        for (one, other, expected) in [
            ("^[a-z]+$", "^[a-z][a-z]*$", [yes, yes]),
            ("^[a-z]+$", "\\A[a-z]+\\z", [yes, yes]),
            ("^[a-z]+$", "(?i)^[a-z]+$", [yes, no]),
            ("^[a-z]+$", "^(?i:[A-Z])+$", [yes, no]),
            ("^http(s)?://.+$", "^(http|https|socks5)://.+$", [yes, no]),
            ("^[a-zSA-Z0-9]$", "^[a-zA-Z0-9]$", [yes, yes]),
            ("^\\d{2,3}$", "^[0-9][0-9][0-9]?$", [yes, yes]),
            ("^[0-9]+[mMgG]?$", "[0-9]+[mMgG]?", [yes, no]),
            ("a", "b?", [yes, no]),
            ("^a|b$", "^(a|b)$", [no, yes]),
            ("^(?:a|b)$", "^[ab]$", [yes, yes]),
            ("^a.c$", "^a[^\\n]c$", [yes, yes]),
            ("(?s)^a.c$", "^a.c$", [no, yes]),
            ("^$", "^a*$", [yes, no]),
            ("^[^a]$", "^[^ab]$", [no, yes]),
            ("^é+$", "^[à-ü]+$", [yes, no]),
            ("^(a|ab)(c|bcd)$", "^(abcd|ac|abc|abbcd)$", [yes, yes]),
            ("^\\w+$", "^[[:word:]]+?$", [yes, yes]),
            ("a{3}", "aa", [yes, no]),
            ("a^b", "b", [yes, no]),
            ("^a\\.b$", "^a.b$", [yes, no]),
            ("^[a-c-]$", "^[-abc]$", [yes, yes]),
            ("^(?P<n>x)$", "^x$", [yes, yes]),
            ("\\bx", "x", [None, None]),
            ("\\pL", "x", [None, None]),
            ("(?i)é", "é", [None, None]),
            ("(a", "a", [None, None]),
            ("(?:a{0,1000}){0,1000}b", "b", [None, None]),
        ] {
            assert_eq!(
                [is_within(one, other), is_within(other, one)],
                expected,
                "{one}\n{other}"
            );
        }
    }

    #[test]
    fn a_pattern_with_all_line_breaks_matches_what_it_matches_and_more() {
        let begin = Pattern::of("^a://").expect("it can be read");
        let contains = |pattern: &str| Pattern::or_line_breaks(pattern)?.contains(&begin, &mut 1_000_000);
        assert_eq!(contains("^a://.*$"), Some(true));
        assert_eq!(contains("^a://.+$"), Some(false));
        assert_eq!(contains("\\bx"), None);
    }

    #[test]
    fn texts_are_patterns_too() {
        let [begin, end] = [(true, false), (false, true)].map(|(begins, ends)| Pattern::of_text("a.", begins, ends));
        let [begin, end] = [begin, end].map(|found| found.expect("it is small"));
        let pattern = |text: &str| Pattern::of(text).expect("it can be read");
        assert_eq!(begin.contains(&pattern("^a\\.b"), &mut 100_000), Some(true));
        assert_eq!(end.contains(&pattern("^a\\.b"), &mut 100_000), Some(false));
        assert_eq!(pattern("a.$").contains(&end, &mut 100_000), Some(true));
        assert_eq!(pattern("a").contains(&pattern("b"), &mut 1), None);
    }

    /// Held against the crate `regex`, and against `contains` with the pattern of the text.
    #[test]
    fn a_text_matches_where_the_pattern_of_it_is_within_the_other_one() {
        let texts = ["", "a", "aa", "ab", "b", "a.", "aéb", "\n", "a\nb", "abcabc", "0", "A"];
        for pattern in [
            "^[a-z]+$",
            "a",
            "^a",
            "b$",
            "^$",
            "a{2}",
            "^(a|ab)(c|bcd)*",
            "^a.b$",
            "(?s)^a.b$",
            "[^a]",
            "^\\d?$",
            "a^b",
            "^(abc){1,2}$",
            "(?i)^A+$",
            "^é|b$",
        ] {
            let own = Pattern::of(pattern).expect("it can be read");
            let by_crate = regex::Regex::new(pattern).expect("it can be read");
            for text in texts {
                let as_pattern = Pattern::of_text(text, true, true).expect("it is small");
                let expected = Some(by_crate.is_match(text));
                assert_eq!(own.matches(text, &mut 100_000), expected, "{pattern} {text:?}");
                assert_eq!(own.contains(&as_pattern, &mut 100_000), expected, "{pattern} {text:?}");
            }
        }
        let letters = Pattern::of("^[a-z]+$").expect("it can be read");
        assert_eq!(letters.matches(&"a".repeat(100), &mut 10), None);
    }
}
