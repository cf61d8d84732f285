//! Values in messages: on one line, and of two long ones what differs, with some of what surrounds it.

use std::ops::Range;

use serde_json::Value as Json;

/// Characters of a value that is shown alone.
const MOST_SHOWN: usize = 60;

/// Characters of two values that are shown as a whole.
const MOST_WHOLE: usize = 40;

/// Characters that are shown at each side of what differs.
const CONTEXT: usize = 20;

/// Characters of what differs in one place.
const MOST_DIFFERENT: usize = 160;

/// Bytes of what differs in one place, in which more that both values have is looked for.
const MOST_SEARCHED: usize = 4_000;

/// Pairs of words that are compared to find it.
const MOST_PAIRS: usize = 250_000;

/// A mark where something was cut.
const CUT: &str = "…";

/// A value, cut after its first characters. Rules and patterns that begin alike often end otherwise: a text is cut in
/// its middle.
pub(super) fn shown(value: &Json) -> String {
    let text = line(value);
    if value.is_string() && length(&text) > MOST_SHOWN {
        cut(&text, [MOST_SHOWN - CONTEXT, CONTEXT])
    } else {
        beginning(&text, MOST_SHOWN)
    }
}

/// Two values. What long ones share is cut in its middle, so that what differs is seen.
pub(super) fn both(old: &Json, new: &Json) -> String {
    let texts = [line(old), line(new)];
    let is_short = texts.iter().all(|text| length(text) <= MOST_WHOLE);
    let [old, new] = if is_short { texts } else { shortened(&texts) };
    format!("{old} → {new}")
}

/// Two validation rules, as [`both`] shows values. Blanks inside of parentheses are left out, so that they do not count
/// as differences.
pub(super) fn both_rules(old: &Json, new: &Json) -> String {
    let [old, new] = [old, new].map(|rule| Json::from(without_blanks(&line(rule))));
    both(&old, &new)
}

/// A rule without blanks after `(` and before `)`, except in strings.
fn without_blanks(rule: &str) -> String {
    let mut text = String::new();
    let mut quote = None;
    let mut is_escaped = false;
    for sign in rule.chars() {
        match quote {
            None if sign == ' ' && text.ends_with('(') => continue,
            None if sign == ')' && text.ends_with(' ') => drop(text.pop()),
            None if matches!(sign, '\'' | '"') => quote = Some(sign),
            Some(opened) if sign == opened && !is_escaped => quote = None,
            _ => {}
        }
        is_escaped = sign == '\\' && !is_escaped;
        text.push(sign);
    }
    text
}

/// A value on one line; an empty text as `""`.
fn line(value: &Json) -> String {
    if value == "" {
        return value.to_string();
    }
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// A text of at most so many characters, with a mark where it was cut.
fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}{CUT}", &text[..end]),
        None => text.to_owned(),
    }
}

/// Two texts without most of what they share.
fn shortened(texts: &[String; 2]) -> [String; 2] {
    let [old, new] = texts.each_ref().map(String::as_str);
    let same = old.chars().zip(new.chars()).take_while(|(one, other)| one == other);
    let start: usize = same.map(|(sign, _)| sign.len_utf8()).sum();
    let rest = [&old[start..], &new[start..]];
    let backwards = rest[0].chars().rev().zip(rest[1].chars().rev());
    let same = backwards.take_while(|(one, other)| one == other);
    let end: usize = same.map(|(sign, _)| sign.len_utf8()).sum();
    let middle = rest.map(|rest| &rest[..rest.len() - end]);
    let lead = cut(&old[..start], [0, CONTEXT]);
    let tail = cut(&rest[0][middle[0].len()..], [CONTEXT, 0]);
    differing(middle).map(|own| format!("{lead}{own}{tail}"))
}

/// What both texts have in one place, without its middle: so many characters at its beginning and its end are shown,
/// but for words that would be shown in part.
fn cut(shared: &str, [first, last]: [usize; 2]) -> String {
    let count = length(shared);
    if count <= first + last + 1 {
        return shared.to_owned();
    }
    let lead = shared.char_indices().nth(first).map_or(shared.len(), |(end, _)| end);
    let tail = shared
        .char_indices()
        .nth(count - last)
        .map_or(shared.len(), |(start, _)| start);
    let (lead, after) = shared.split_at(lead);
    let (before, tail) = shared.split_at(tail);
    let lead = match lead.trim_end_matches(is_of_word) {
        "" => lead,
        whole if after.starts_with(is_of_word) => whole,
        _ => lead,
    };
    let tail = match tail.trim_start_matches(is_of_word) {
        "" => tail,
        whole if before.ends_with(is_of_word) => whole,
        _ => tail,
    };
    // A mark that touches them would read as a part of what is shown.
    let shown = [lead.trim_end(), CUT, tail.trim_start()].into_iter();
    shown.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Two texts that neither begin nor end alike. What they share in between is cut if it is long.
fn differing(texts: [&str; 2]) -> [String; 2] {
    let is_searched = texts.iter().all(|text| text.len() <= MOST_SEARCHED);
    let shared = Some(texts).filter(|_| is_searched).and_then(longest_shared);
    let Some([old, new]) = shared else {
        return texts.map(|text| beginning(text, MOST_DIFFERENT));
    };
    let before = differing([&texts[0][..old.start], &texts[1][..new.start]]);
    let within = cut(&texts[0][old.clone()], [CONTEXT, CONTEXT]);
    let after = differing([&texts[0][old.end..], &texts[1][new.end..]]);
    [0, 1].map(|side| format!("{}{within}{}", before[side], after[side]))
}

/// The bytes of the longest words in succession that two texts share, if they are longer than what is shown of them.
fn longest_shared(texts: [&str; 2]) -> Option<[Range<usize>; 2]> {
    let [old, new] = texts.map(words);
    if old.len() * new.len() > MOST_PAIRS {
        return None;
    }
    let (mut longest, mut ends) = (0, [0, 0]);
    // The bytes of the words in succession that both texts share before a word of the new one.
    let mut shared = vec![0; new.len() + 1];
    for (end, word) in &old {
        let mut before = 0;
        for (at, (other_end, other)) in new.iter().enumerate() {
            let own = if word == other { before + word.len() } else { 0 };
            before = std::mem::replace(&mut shared[at + 1], own);
            if own > longest {
                (longest, ends) = (own, [*end, *other_end]);
            }
        }
    }
    let ranges = ends.map(|end| end - longest..end);
    (length(&texts[0][ranges[0].clone()]) > 2 * CONTEXT + 1).then_some(ranges)
}

/// The words of a text, signs and blanks among them, each with the byte after it. A word that is longer than what is
/// shown beside a difference is as many words as it has characters.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        let long = rest.find(|sign| !is_of_word(sign)).unwrap_or(rest.len());
        let long = if long == 0 || long > CONTEXT {
            first.len_utf8()
        } else {
            long
        };
        words.push((start + long, &rest[..long]));
        start += long;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_shown_around_their_first_difference() {
        let long = |end: &str| Json::from(format!("{}{end}", "ä".repeat(70)));
        let lead = "ä".repeat(CONTEXT);
        assert_eq!(both(&long("x"), &long("y")), format!("… {lead}x → … {lead}y"));
        assert_eq!(both(&long(""), &long("y")), format!("… {lead} → … {lead}y"));
        assert_eq!(both(&Json::from(1), &Json::from(12)), "1 → 12");
        let parts = both(&Json::from(format!("a{}", "x".repeat(80))), &Json::from("b"));
        assert_eq!(parts, format!("a{} → b", "x".repeat(80)));
        let parts = both(&Json::from("x".repeat(200)), &Json::from("b"));
        assert_eq!(parts, format!("{}… → b", "x".repeat(MOST_DIFFERENT)));
    }

    #[test]
    fn blanks_inside_of_parentheses_are_no_difference() {
        let [old, new] = ["( (self.a) && self.b == ' )' )", "((self.a) && self.b == ' )\\' )')"].map(Json::from);
        let shown = "((self.a) && self.b == ' )') → ((self.a) && self.b == ' )\\' )')";
        assert_eq!(both_rules(&old, &new), shown);
    }

    #[test]
    fn all_that_differs_is_shown_and_what_is_shared_in_between_is_cut() {
        let rule = |mode: &str, most: u32| {
            Json::from(format!(
                "self.listeners.all(l, l.mode != '{mode}' || has(l.hostname) && l.hostname.matches('^[a-z]+$')) && \
                 self.listeners.all(l, size(l.routes) <= {most})"
            ))
        };
        assert_eq!(
            both(&rule("Strict", 16), &rule("Exact", 64)),
            "… .all(l, l.mode != 'Strict' || has(l.hostname) … , size(l.routes) <= 16) → \
             … .all(l, l.mode != 'Exact' || has(l.hostname) … , size(l.routes) <= 64)"
        );
    }
}
