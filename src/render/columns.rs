//! Columns of text without lines between them, which fit the width of the terminal.

use std::fmt::Write as _;

use super::Style;
use super::wrap::{length, longest_word, wrapped};

/// How a text looks in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    Plain,
    Heading,
    /// Something is left to do soon.
    Caution,
    /// A deadline has passed, or a rule is broken.
    Alarm,
    /// It has come to its end.
    Faint,
}

impl Paint {
    /// The text, colored if colors are allowed.
    pub(super) fn over(self, text: &str, style: Style) -> String {
        let code = match self {
            Self::Plain => return text.to_owned(),
            _ if !style.color || text.is_empty() => return text.to_owned(),
            Self::Heading => 1,
            Self::Caution => 33,
            Self::Alarm => 31,
            Self::Faint => 2,
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// A cell.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) paint: Paint,
}

impl Cell {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            paint: Paint::Plain,
        }
    }
}

const GAP: usize = 2;

/// The widest that the first column becomes.
const MOST_FIRST: usize = 48;

/// Rows below a header; a row of one cell is a heading of those below it. A column without any text is left out. A
/// first cell that is longer than its column has lines of its own; the others are broken between words where they must.
pub(super) fn columns(header: &[&str], rows: &[Vec<Cell>], indent: usize, style: Style) -> String {
    let Some((used, widths)) = layout(header, rows, indent, style) else {
        return blocks(header, rows, indent, style);
    };
    let mut text = String::new();
    let titles: Vec<Cell> = header.iter().map(|title| heading(title)).collect();
    for row in std::iter::once(&titles).chain(rows) {
        if let [heading] = row.as_slice() {
            let _ = writeln!(text, "{}", heading.paint.over(&heading.text, style));
            continue;
        }
        let cells: Vec<(&Cell, usize)> = used
            .iter()
            .zip(&widths)
            .filter_map(|(at, width)| Some((row.get(*at)?, *width)))
            .collect();
        line(&mut text, &cells, indent, style);
    }
    text
}

/// Whether the rows fit side by side.
pub(super) fn fit(header: &[&str], rows: &[Vec<Cell>], indent: usize, style: Style) -> bool {
    layout(header, rows, indent, style).is_some()
}

/// The columns with text and their widths, if they fit.
fn layout(header: &[&str], rows: &[Vec<Cell>], indent: usize, style: Style) -> Option<(Vec<usize>, Vec<usize>)> {
    let used = (0..header.len()).filter(|at| {
        let mut cells = rows.iter().filter_map(|row| row.get(*at));
        *at == 0 || cells.any(|cell| !cell.text.is_empty())
    });
    let used: Vec<usize> = used.collect();
    let available = usize::from(style.width).saturating_sub(indent);
    let widths = widths(header, rows, &used, available);
    is_readable(rows, &used, &widths, available).then_some((used, widths))
}

/// A sentence in a column is broken into so many lines at most.
const MOST_LINES: usize = 6;

/// Whether the columns fit, and sentences are not squeezed.
fn is_readable(rows: &[Vec<Cell>], used: &[usize], widths: &[usize], available: usize) -> bool {
    let gaps = GAP * used.len().saturating_sub(1);
    let mut cells = rows.iter().flat_map(|row| {
        let cells = used.iter().zip(widths).skip(1);
        cells.filter_map(|(at, width)| Some((row.get(*at)?.text.as_str(), *width)))
    });
    widths.iter().sum::<usize>() + gaps <= available
        && cells.all(|(text, width)| text.lines().all(|line| length(line) <= MOST_LINES * width))
}

pub(super) fn heading(title: &str) -> Cell {
    Cell {
        text: title.to_owned(),
        paint: Paint::Heading,
    }
}

/// The width of each used column. Headers are broken between words; what does not fit is taken from the widest columns.
fn widths(header: &[&str], rows: &[Vec<Cell>], used: &[usize], available: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = Vec::new();
    let mut least: Vec<usize> = Vec::new();
    for at in used {
        let cells = rows
            .iter()
            .filter_map(|row| row.get(*at))
            .map(|cell| cell.text.as_str());
        let title = longest_word(header[*at]);
        let longest = cells.clone().map(length).max().unwrap_or(0);
        let word = cells.map(longest_word).max().unwrap_or(0);
        let longest = if *at == 0 { longest.min(MOST_FIRST) } else { longest };
        widths.push(longest.max(title));
        least.push(if *at == 0 { title } else { word.max(title) });
    }
    let gaps = GAP * used.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > available {
        let spare = widths
            .iter()
            .zip(&least)
            .map(|(width, least)| width.saturating_sub(*least));
        let Some((at, _)) = spare
            .enumerate()
            .filter(|(_, spare)| *spare > 0)
            .max_by_key(|(_, spare)| *spare)
        else {
            break;
        };
        widths[at] -= 1;
    }
    widths
}

/// One block per row, where no columns fit: its first cell, and below it the others that are not empty.
fn blocks(header: &[&str], rows: &[Vec<Cell>], indent: usize, style: Style) -> String {
    let mut text = String::new();
    for row in rows {
        for (at, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.text.is_empty()) {
            let indent = if row.len() == 1 {
                0
            } else {
                indent + GAP * usize::from(at > 0)
            };
            let line = match at {
                0 => cell.text.clone(),
                at => format!("{}: {}", header[at].to_lowercase(), cell.text.replace('\n', "; ")),
            };
            for part in wrapped(&line, usize::from(style.width).saturating_sub(indent)) {
                let _ = writeln!(text, "{:indent$}{}", "", cell.paint.over(&part, style));
            }
        }
    }
    text
}

/// Adds a row: its first cell alone if that is longer than its column, then the lines of its cells side by side.
fn line(text: &mut String, cells: &[(&Cell, usize)], indent: usize, style: Style) {
    let Some(((first, width), rest)) = cells.split_first() else {
        return;
    };
    let blank = Cell::plain("");
    let mut first: &Cell = first;
    if length(&first.text) > *width {
        for part in wrapped(&first.text, usize::from(style.width).saturating_sub(indent)) {
            let _ = writeln!(text, "{:indent$}{}", "", first.paint.over(&part, style));
        }
        first = &blank;
    }
    let all = std::iter::once((first, *width)).chain(rest.iter().copied());
    let broken: Vec<(Vec<String>, Paint, usize)> = all
        .map(|(cell, width)| (wrapped(&cell.text, width), cell.paint, width))
        .collect();
    let height = broken.iter().map(|(lines, ..)| lines.len()).max().unwrap_or(0);
    for at in 0..height {
        let mut line = " ".repeat(indent);
        for (lines, paint, width) in &broken {
            let part = lines.get(at).map_or("", String::as_str);
            let pad = width.saturating_sub(length(part)) + GAP;
            let _ = write!(line, "{}{:pad$}", paint.over(part, style), "");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style {
        width: 30,
        color: false,
    };

    fn row(cells: &[&str]) -> Vec<Cell> {
        cells.iter().map(|text| Cell::plain(*text)).collect()
    }

    #[test]
    fn empty_columns_are_left_out_and_long_names_have_a_line_of_their_own() {
        let rows = [
            row(&["v1", "", "1.2"]),
            row(&["v1beta1 AVeryLongKindNameIndeed", "", "1.3 and more words"]),
        ];
        let text = columns(&["ELEMENT", "NONE", "EARLIEST REMOVAL"], &rows, 2, STYLE);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let expected = [
            "ELEMENT        EARLIEST",
            "REMOVAL",
            "v1             1.2",
            "v1beta1",
            "AVeryLongKindNameIndeed",
            "1.3 and more",
            "words",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_if_its_words_are_not() {
        for width in 24..90 {
            let rows = [row(&[
                "apps/v1 Deployment",
                "deprecated",
                "1.25 (2022-08-23)",
                "the rule says so",
            ])];
            let text = columns(
                &["ELEMENT", "STATE", "REMOVED", "WHY"],
                &rows,
                0,
                Style { width, color: false },
            );
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= usize::from(width), "{width}\n{text}");
        }
    }
}
