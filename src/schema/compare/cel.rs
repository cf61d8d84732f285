//! Texts of rules in CEL, without what has no meaning.
//!
//! Of the [language's] lexis, only white space, comments, texts and words are distinguished.
//!
//! [language's]: https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax

/// A rule without comments, and without white space but for one blank where two pieces would be read as one.
pub(in crate::schema) fn bare(rule: &str) -> String {
    let mut bare = String::with_capacity(rule.len());
    for (piece, apart) in Pieces(rule) {
        let words = bare.ends_with(is_of_word) && piece.starts_with(is_of_word);
        let signs = bare.ends_with(is_of_sign) && piece.starts_with(is_of_sign);
        if apart && (words || signs) {
            bare.push(' ');
        }
        bare.push_str(piece);
    }
    bare
}

/// Whether a rule names the value of before.
pub(in crate::schema) fn is_transition(rule: &str) -> bool {
    Pieces(rule).any(|(piece, _)| piece == "oldSelf")
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || ['_', '"', '\''].contains(&sign)
}

fn is_of_sign(sign: char) -> bool {
    "+-*/%=!<>&|?:.".contains(sign)
}

/// The words, texts and signs of a rule, each with whether white space or a comment is before it.
struct Pieces<'r>(&'r str);

impl<'r> Iterator for Pieces<'r> {
    type Item = (&'r str, bool);

    fn next(&mut self) -> Option<(&'r str, bool)> {
        let before = self.0.len();
        let rule = blank(self.0);
        let first = rule.chars().next()?;
        let length = text(rule).or_else(|| word(rule)).unwrap_or(first.len_utf8());
        let (piece, rest) = rule.split_at_checked(length)?;
        self.0 = rest;
        Some((piece, rule.len() < before))
    }
}

/// What is left behind white space and comments.
fn blank(mut rule: &str) -> &str {
    loop {
        rule = rule.trim_start();
        match rule.strip_prefix("//") {
            Some(comment) => rule = comment.split_once('\n').map_or("", |(_, rest)| rest),
            None => return rule,
        }
    }
}

/// The length of a word or a number at the beginning.
fn word(rule: &str) -> Option<usize> {
    let end = rule.find(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
    let length = end.unwrap_or(rule.len());
    (length > 0).then_some(length)
}

/// The marks that texts begin and end with, longest first.
const MARKS: [&str; 4] = ["\"\"\"", "'''", "\"", "'"];

/// The length of a text at the beginning, with the letters before it; all, if it does not end.
fn text(rule: &str) -> Option<usize> {
    let quoted = rule.trim_start_matches(['r', 'R', 'b', 'B']);
    let prefix = rule.len() - quoted.len();
    let raw = rule.get(..prefix)?.contains(['r', 'R']);
    let mark = MARKS.into_iter().find(|mark| quoted.starts_with(mark))?;
    let inner = quoted.get(mark.len()..)?;
    let mut escaped = false;
    for (at, sign) in inner.char_indices() {
        if escaped {
            escaped = false;
        } else if sign == '\\' && !raw {
            escaped = true;
        } else if inner.get(at..).is_some_and(|rest| rest.starts_with(mark)) {
            return Some(prefix + mark.len() + at + mark.len());
        }
    }
    Some(rule.len())
}
