//! Multi-line quoted strings without indentation. They are not valid YAML, but the YAML reader of Kubernetes accepts
//! them, and generated descriptions contain them.
//!
//! A line break in a quoted string reads as a blank, however far the next line is indented. So indenting the lines of
//! such a string does not change its value, and makes it valid.

/// The parser error for such a string.
const PARSER_ERROR: &str = "invalid indentation in multiline quoted scalar";

/// The added indentation: deeper than any document nests.
const FAR: &str = "                                                                ";

/// The document with the quoted string indented that the parser rejects; `None` if it rejects something else.
pub(super) fn fixed(document: &str, problem: &serde_saphyr::Error) -> Option<String> {
    let line = usize::try_from(problem.location()?.line()).ok()?;
    let is_unindented = problem.to_string().contains(PARSER_ERROR);
    is_unindented.then(|| indented(document, line)).flatten()
}

/// The document with the quoted string indented that continues in a line, from 1; `None` if there is none.
fn indented(document: &str, line: usize) -> Option<String> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(document.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let at = line.checked_sub(1).filter(|at| *at > 0 && *at < starts.len())?;
    let (begin, quote) = (0..at).rev().find_map(|above| {
        let text = document.get(starts[above]..starts[above + 1])?;
        opening(text).map(|(within, quote)| (starts[above] + within, quote))
    })?;
    let end = begin + closing(document.get(begin..)?, quote)?;
    let inner = document.get(begin..end)?;
    let fixed = inner.replace('\n', &format!("\n{FAR}"));
    Some(format!("{}{fixed}{}", &document[..begin], &document[end..]))
}

/// The start of a quoted value in a line, after its quote, and the quote.
fn opening(line: &str) -> Option<(usize, char)> {
    let marks = [": \"", ": '", "- \"", "- '"];
    let found = marks.iter().filter_map(|mark| Some((line.find(mark)?, mark)));
    let (at, mark) = found.min_by_key(|(at, _)| *at)?;
    let quote = if mark.ends_with('"') { '"' } else { '\'' };
    let within = at + mark.len();
    // A doubled quote is an escaped one.
    (quote == '"' || !line[within..].starts_with('\'')).then_some((within, quote))
}

/// The end of a quoted string.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if quote == '"' => {
                characters.next();
            }
            '\'' if quote == '\'' && characters.peek().is_some_and(|(_, next)| *next == '\'') => {
                characters.next();
            }
            found if found == quote => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_says_the_same_when_it_is_indented() {
        let document = "a:\n  b: \"one \\\" two\n  three\n\n  four\"\n  c: 'it''s\n  so'\n";
        let fixed = indented(document, 3).expect("the text of b goes on");
        assert!(
            fixed.contains("two\n    ") && fixed.ends_with("\n  c: 'it''s\n  so'\n"),
            "{fixed}"
        );
        let fixed = indented(&fixed, 7).expect("the text of c goes on");
        let read: serde_json::Value = serde_saphyr::from_str(&fixed).expect("it is YAML now");
        assert_eq!(read["a"]["b"], "one \" two three\nfour");
        assert_eq!(read["a"]["c"], "it's so");
        assert_eq!(indented(document, 1), None);
        assert_eq!(indented("a: \"b\n c", 2), None);
    }
}
