//! The generated part of a page that people edit: what is between two markers, which are comments.

/// Why a page cannot be updated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MarksError {
    /// The page has text, but no markers.
    #[error("it has no markers to insert the draft between")]
    Missing,
    /// A marker has no matching marker.
    #[error("line {line}: `{mark}` has no matching marker")]
    Unpaired {
        /// The line, from 1.
        line: usize,
        /// The mark.
        mark: String,
    },
    /// A marker occurs twice.
    #[error("line {line}: `{mark}` occurs a second time")]
    Twice {
        /// The line, from 1.
        line: usize,
        /// The mark.
        mark: String,
    },
    /// The draft contains a marker.
    #[error("the draft contains the marker `{0}`")]
    InDraft(String),
}

/// The two marks of a part: the lines before and after it.
pub fn marks(part: &str) -> [String; 2] {
    // Two hyphens would end the comment.
    let part: String = part
        .chars()
        .map(|c| if c.is_control() || c == '>' { ' ' } else { c })
        .collect();
    let part = part.replace("--", "- -");
    [
        format!("<!-- begin lifecycle {part} -->"),
        format!("<!-- end lifecycle {part} -->"),
    ]
}

/// A page with a draft between the marks of a part; everything else is kept byte for byte. An empty page gets marks and
/// draft. The draft gets the line ends of the page.
///
/// # Errors
///
/// If the page does not have each of the two marks once, in order.
pub fn put_between(page: &str, part: &str, draft: &str) -> Result<String, MarksError> {
    let [begin, end] = marks(part);
    if let Some(mark) = [&begin, &end]
        .into_iter()
        .find(|mark| draft.lines().any(|line| line.trim() == mark.as_str()))
    {
        return Err(MarksError::InDraft(mark.clone()));
    }
    let line_end = if page.contains("\r\n") { "\r\n" } else { "\n" };
    let draft: String = draft
        .lines()
        .flat_map(|line| [line.trim_end_matches('\r'), line_end])
        .collect();
    if page.trim().is_empty() {
        return Ok(format!("{page}{begin}{line_end}{draft}{end}{line_end}"));
    }
    let (from, to) = between(page, &begin, &end)?;
    // A mark on the last line may have no end of its own.
    let gap = if page[..from].ends_with('\n') { "" } else { line_end };
    Ok(format!("{}{gap}{draft}{}", &page[..from], &page[to..]))
}

/// From after the first mark's line to before the second mark's.
fn between(page: &str, begin: &str, end: &str) -> Result<(usize, usize), MarksError> {
    let (mut first, mut second) = (None, None);
    let mut at = 0;
    for (number, line) in (1..).zip(page.split_inclusive('\n')) {
        let (mark, place, seen) = match line.trim() {
            text if text == begin => (begin, at + line.len(), &mut first),
            text if text == end => (end, at, &mut second),
            _ => {
                at += line.len();
                continue;
            }
        };
        if seen.replace((number, place)).is_some() {
            let mark = mark.to_owned();
            return Err(MarksError::Twice { line: number, mark });
        }
        at += line.len();
    }
    let (line, mark) = match (first, second) {
        (Some((_, from)), Some((_, to))) if from <= to => return Ok((from, to)),
        (Some((line, _)), _) => (line, begin),
        (None, Some((line, _))) => (line, end),
        (None, None) => return Err(MarksError::Missing),
    };
    let mark = mark.to_owned();
    Err(MarksError::Unpaired { line, mark })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_draft_is_put_between_the_marks_and_the_rest_is_kept() {
        let page = "# Mine\r\n<!-- begin lifecycle notes 1.25 -->\r\nold\r\n<!-- end lifecycle notes 1.25 -->\r\nmore";
        let new = put_between(page, "notes 1.25", "a\nb\n").unwrap();
        assert_eq!(
            new,
            "# Mine\r\n<!-- begin lifecycle notes 1.25 -->\r\na\r\nb\r\n<!-- end lifecycle notes 1.25 -->\r\nmore"
        );
        assert_eq!(put_between(&new, "notes 1.25", "a\nb\n").unwrap(), new);
    }

    #[test]
    fn an_empty_page_gets_marks() {
        let new = put_between("", "deprecations", "a\n").unwrap();
        assert_eq!(
            new,
            "<!-- begin lifecycle deprecations -->\na\n<!-- end lifecycle deprecations -->\n"
        );
    }

    #[test]
    fn marks_that_do_not_match_are_reported_with_their_lines() {
        let [begin, end] = marks("notes 1");
        let put = |page: &str| put_between(page, "notes 1", "x");
        assert_eq!(put("text"), Err(MarksError::Missing));
        let unpaired = |line, mark: &String| {
            Err(MarksError::Unpaired {
                line,
                mark: mark.clone(),
            })
        };
        assert_eq!(put(&format!("a\n{begin}\n")), unpaired(2, &begin));
        assert_eq!(put(&format!("{end}\n{begin}\n")), unpaired(2, &begin));
        assert_eq!(put(&format!("{end}\n")), unpaired(1, &end));
        let twice = MarksError::Twice {
            line: 3,
            mark: begin.clone(),
        };
        assert_eq!(put(&format!("{begin}\n\n{begin}\n{end}\n")), Err(twice));
        assert_eq!(put_between("", "notes 1", &end), Err(MarksError::InDraft(end)));
    }
}
