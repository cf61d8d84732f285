//! Quoted texts over several lines that YAML wants to be indented, and that Kubernetes' own reader takes without.
//!
//! A line break in a quoted text is a blank, however far the next line is indented. So indenting the lines of such a
//! text changes nothing of what it says, and lets the parser read it.

/// What the parser says of such a text.
const COMPLAINT: &str = "invalid indentation in multiline quoted scalar";

/// How far lines are pushed: deeper than any document nests.
const FAR: &str = "                                                                ";

/// The same document with the quoted text indented of which the parser complains; `None` where that is not its
/// complaint.
pub(super) fn mended(document: &str, problem: &serde_saphyr::Error) -> Option<String> {
    let line = usize::try_from(problem.location()?.line()).ok()?;
    let complains = problem.to_string().contains(COMPLAINT);
    complains.then(|| indented(document, line)).flatten()
}

/// The same document with the quoted text indented that goes on in a line, counted from 1; `None` where there is none.
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
    let mended = inner.replace('\n', &format!("\n{FAR}"));
    Some(format!("{}{mended}{}", &document[..begin], &document[end..]))
}

/// Where a quoted value of this line begins, after its quote, and the quote.
fn opening(line: &str) -> Option<(usize, char)> {
    let marks = [": \"", ": '", "- \"", "- '"];
    let found = marks.iter().filter_map(|mark| Some((line.find(mark)?, mark)));
    let (at, mark) = found.min_by_key(|(at, _)| *at)?;
    let quote = if mark.ends_with('"') { '"' } else { '\'' };
    let within = at + mark.len();
    // A quote said twice is a quote within a text.
    (quote == '"' || !line[within..].starts_with('\'')).then_some((within, quote))
}

/// Where a quoted text ends.
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
        let mended = indented(document, 3).expect("the text of b goes on");
        assert!(
            mended.contains("two\n    ") && mended.ends_with("\n  c: 'it''s\n  so'\n"),
            "{mended}"
        );
        let mended = indented(&mended, 7).expect("the text of c goes on");
        let read: serde_json::Value = serde_saphyr::from_str(&mended).expect("it is YAML now");
        assert_eq!(read["a"]["b"], "one \" two three\nfour");
        assert_eq!(read["a"]["c"], "it's so");
        assert_eq!(indented(document, 1), None);
        assert_eq!(indented("a: \"b\n c", 2), None);
    }
}
