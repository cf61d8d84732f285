//! Errors in templates: file, line, and what was expected.

use std::collections::BTreeMap;

use tera::ErrorKind;

use super::filters::FILTERS;
use super::work::Counted;

/// Why a template could not be read or rendered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", self.place())]
pub struct TemplateError {
    /// The file, as the user named it.
    pub(crate) file: Option<String>,
    /// Line and column, both from 1.
    pub(crate) at: Option<(usize, usize)>,
    /// What is wrong, and what was expected.
    pub(crate) message: String,
    /// The line, with a mark below the place; empty if there is no place.
    pub excerpt: String,
}

impl TemplateError {
    /// The context cannot be serialised.
    pub(crate) fn of_data(problem: &str) -> Self {
        Self {
            file: None,
            at: None,
            message: problem.to_owned(),
            excerpt: String::new(),
        }
    }

    /// A file as a whole is wrong.
    pub(super) fn of_file(file: &str, message: &str) -> Self {
        Self {
            file: Some(file.to_owned()),
            ..Self::of_data(message)
        }
    }

    /// An error of Tera. Templates are by name, each with its file and its text; and as Tera sees them.
    pub(super) fn of(
        problem: &tera::Error,
        templates: &BTreeMap<String, (String, String)>,
        counted: &BTreeMap<&str, Counted>,
    ) -> Self {
        match problem.kind() {
            ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => {
                let place = (report.span().start_line, report.span().start_col + 1);
                Self::placed(templates, counted, report.filename(), place, report.message())
            }
            other => Self::rendered(templates, counted, other.to_string().trim_end()),
        }
    }

    fn placed(
        templates: &BTreeMap<String, (String, String)>,
        counted: &BTreeMap<&str, Counted>,
        name: &str,
        (line, column): (usize, usize),
        message: &str,
    ) -> Self {
        let column = counted.get(name).map_or(column, |counted| counted.column(line, column));
        let (origin, text) = templates
            .get(name)
            .map_or((name, ""), |(origin, text)| (origin.as_str(), text.as_str()));
        let expected = unclosed(text).filter(|_| message.ends_with("end of input"));
        let expected = expected.map(|(line, end)| format!("; expected `{end}` for the block that line {line} opens"));
        let known = FILTERS.map(|(name, _)| name).join(", ");
        let known = message
            .starts_with("Unknown filter")
            .then(|| format!("; available: those of Tera 2, and {known}"));
        Self {
            file: Some(origin.to_owned()),
            at: Some((line, column)),
            message: [message, &expected.unwrap_or_default(), &known.unwrap_or_default()].concat(),
            excerpt: excerpt(text, line, column),
        }
    }

    /// Some errors are finished text: `error: MESSAGE`, and on the next line ` --> NAME:LINE:COLUMN`.
    fn rendered(templates: &BTreeMap<String, (String, String)>, counted: &BTreeMap<&str, Counted>, text: &str) -> Self {
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let place = text.split_once(" --> ").and_then(|(_, rest)| {
            let mut parts = rest.lines().next()?.trim().rsplitn(3, ':');
            let column = parts.next()?.parse().ok()?;
            let line = parts.next()?.parse().ok()?;
            Some((parts.next()?, (line, column)))
        });
        match place {
            Some((name, at)) => Self::placed(templates, counted, name, at, message),
            None => Self::of_data(text),
        }
    }

    fn place(&self) -> String {
        match (&self.file, self.at) {
            (Some(file), Some((line, column))) => format!("{file}:{line}:{column}: "),
            (Some(file), None) => format!("{file}: "),
            (None, _) => String::new(),
        }
    }
}

/// The last block that is not closed: its line, and the tag that would close it.
fn unclosed(text: &str) -> Option<(usize, String)> {
    const BLOCKS: [&str; 6] = ["if", "for", "component", "block", "filter", "raw"];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, _) in text.match_indices("{%") {
        let tag = text[at + 2..].trim_start_matches('-').trim_start();
        let word = tag.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        let line = text[..at].matches('\n').count() + 1;
        if BLOCKS.contains(&word) {
            open.push((line, word));
        } else if word.strip_prefix("end").is_some_and(|word| BLOCKS.contains(&word)) {
            open.pop();
        }
    }
    open.pop().map(|(line, word)| (line, format!("{{% end{word} %}}")))
}

/// How many characters of a line are shown before and after a column.
const AROUND: usize = 60;

/// A line of a template, or the part around a column, with a mark below the column.
fn excerpt(text: &str, line: usize, column: usize) -> String {
    let Some(content) = text.lines().nth(line.saturating_sub(1)) else {
        return String::new();
    };
    let at = column.saturating_sub(1);
    let start = at.saturating_sub(AROUND);
    let shown: String = content.chars().skip(start).take(2 * AROUND).collect();
    let before = shown
        .chars()
        .take(at - start)
        .map(|c| if c == '\t' { '\t' } else { ' ' });
    let before: String = before.collect();
    let number = line.to_string();
    let blank = " ".repeat(number.len());
    format!("{number} | {shown}\n{blank} | {before}^")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_block_that_is_not_closed_is_found() {
        let text = "{% if a %}\n{%- for b in c -%}\n{% endfor %}\n{% if d %}";
        assert_eq!(unclosed(text), Some((4, "{% endif %}".to_owned())));
        assert_eq!(unclosed("{% if a %}{% endif %}"), None);
    }
}
