//! Pages in Markdown as a terminal shows them: wrapped to its width, tables in columns, without marks.

use std::fmt::Write as _;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::columns::{Cell, Paint, columns};
use super::wrap::{self, wrapped};
use super::{Style, visible};

/// Lines that are longer are hard to read.
const WIDEST: u16 = 100;

/// How far a block of code is moved to the right.
const CODE_INDENT: usize = 4;

/// How far the further lines of a message are moved to the right.
const MESSAGE_INDENT: usize = 2;

/// A page for a terminal.
pub fn page(markdown: &str, style: Style) -> String {
    let mut drawing = Drawing {
        style: Style {
            width: style.width.min(WIDEST),
            ..style
        },
        page: String::new(),
        words: String::new(),
        marker: None,
        lists: Vec::new(),
        rows: Vec::new(),
        code: None,
        target: None,
    };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        drawing.add(event);
    }
    drawing.end_block(Paint::Plain);
    drawing.page
}

/// A text behind its head, whose further lines begin where its first one does.
pub fn hanging(head: &str, text: &str, style: Style) -> String {
    let indent = head.chars().count();
    let width = usize::from(style.width).saturating_sub(indent);
    let mut lines = String::new();
    for (at, line) in wrapped(text, width).iter().enumerate() {
        let _ = match at {
            0 => writeln!(lines, "{head}{line}"),
            _ => writeln!(lines, "{:indent$}{line}", ""),
        };
    }
    lines
}

/// A message in lines that fit; those after the first are indented.
pub fn message(text: &str, width: u16) -> String {
    let mut lines = String::new();
    wrap::hanging(text, usize::from(width), MESSAGE_INDENT, &mut lines);
    lines.trim_end_matches('\n').to_owned()
}

struct Drawing {
    style: Style,
    page: String,
    /// What the open block has so far.
    words: String,
    /// What stands before the first line of the open item.
    marker: Option<String>,
    /// The open lists, each with the number of its next item, if it has numbers.
    lists: Vec<Option<u64>>,
    /// The rows of the open table, its head first.
    rows: Vec<Vec<Cell>>,
    code: Option<String>,
    /// Where the open link leads.
    target: Option<String>,
}

impl Drawing {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => match &mut self.code
            {
                Some(code) => code.push_str(&text),
                None => self.words.push_str(&text),
            },
            Event::SoftBreak => self.words.push(' '),
            Event::HardBreak => self.words.push('\n'),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::List(first) => {
                self.end_block(Paint::Plain);
                if self.lists.is_empty() {
                    self.gap();
                }
                self.lists.push(first);
            }
            Tag::Item => self.marker = Some(self.next_marker()),
            Tag::CodeBlock(_) => {
                self.end_block(Paint::Plain);
                self.code = Some(String::new());
            }
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            Tag::Link { dest_url, .. } => self.target = Some(dest_url.into_string()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.end_block(Paint::Heading),
            TagEnd::Paragraph | TagEnd::Item | TagEnd::HtmlBlock => self.end_block(Paint::Plain),
            TagEnd::List(_) => drop(self.lists.pop()),
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::TableCell => {
                let text = visible(&std::mem::take(&mut self.words));
                if let Some(row) = self.rows.last_mut() {
                    row.push(Cell::plain(text));
                }
            }
            TagEnd::Table => self.end_table(),
            TagEnd::Link => {
                let target = self
                    .target
                    .take()
                    .filter(|target| !self.words.ends_with(target.as_str()));
                if let Some(target) = target {
                    let _ = write!(self.words, " ({target})");
                }
            }
            _ => {}
        }
    }

    fn next_marker(&mut self) -> String {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            _ => "- ".to_owned(),
        }
    }

    /// An empty line before what follows, unless the page begins with it.
    fn gap(&mut self) {
        if !self.page.is_empty() && !self.page.ends_with("\n\n") {
            self.page.push('\n');
        }
    }

    /// Ends a heading, a paragraph or an item, if one is open.
    fn end_block(&mut self, paint: Paint) {
        let words = visible(&std::mem::take(&mut self.words));
        if words.is_empty() {
            return;
        }
        if self.lists.is_empty() {
            self.gap();
        }
        let indent = self.lists.len().saturating_sub(1) * 2;
        let marker = self.marker.take();
        let hang = if self.lists.is_empty() {
            0
        } else {
            marker.as_ref().map_or(2, String::len)
        };
        let width = usize::from(self.style.width).saturating_sub(indent + hang);
        for (at, line) in wrapped(&words, width).iter().enumerate() {
            let head = marker.as_deref().filter(|_| at == 0).unwrap_or_default();
            let _ = writeln!(self.page, "{:indent$}{head:hang$}{}", "", paint.over(line, self.style));
        }
    }

    fn end_code(&mut self) {
        self.gap();
        let indent = CODE_INDENT + self.lists.len() * 2;
        let width = usize::from(self.style.width).saturating_sub(indent);
        for line in self.code.take().unwrap_or_default().lines() {
            let line = visible(line);
            let (comment, code) = match commented(&line) {
                Some((code, comment)) if wrap::length(&line) > width => (Some(comment), code),
                _ => (None, line.as_str()),
            };
            let margin = indent + code.len() - code.trim_start().len();
            if let Some(comment) = comment {
                let _ = writeln!(self.page, "{:margin$}{comment}", "");
            }
            let line = format!("{:indent$}{code}", "");
            let _ = writeln!(self.page, "{}", line.trim_end());
        }
    }

    fn end_table(&mut self) {
        self.gap();
        let mut rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return;
        }
        let head = rows.remove(0);
        let titles: Vec<&str> = head.iter().map(|cell| cell.text.as_str()).collect();
        // A row of one cell would be a heading.
        for row in rows.iter_mut().filter(|row| row.len() == 1) {
            row.push(Cell::plain(""));
        }
        self.page.push_str(&columns(&titles, &rows, 2, self.style));
    }
}

/// A line of code and the comment behind it, which may stand above it as well.
fn commented(line: &str) -> Option<(&str, &str)> {
    let mut comments = line.match_indices(" # ");
    let (at, _) = comments.find(|(at, _)| line[..*at].matches('"').count().is_multiple_of(2))?;
    let (code, comment) = (line[..at].trim_end(), &line[at + 1..]);
    (!code.is_empty()).then_some((code, comment))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style {
        width: 40,
        color: false,
    };

    #[test]
    fn a_page_is_wrapped_and_has_no_marks() {
        let text = "# title\n\nA *word* and `code` in a paragraph that is longer\nthan [one](https://x.y) line.\n\n\
                    - first item, which is longer than one line is\n- second\n  - below\n\n1. one\n2. two\n\n\
                    ```toml\na = 1 # as it is\n```\n\n| key | what |\n| --- | --- |\n| `a` | the first |\n| `b` | the `c` \\| `d` |\n";
        let expected = "title\n\nA word and code in a paragraph that is\nlonger than one (https://x.y) line.\n\n\
                        - first item, which is longer than one\n  line is\n- second\n  - below\n\n1. one\n2. two\n\n    \
                        a = 1 # as it is\n\n  key  what\n  a    the first\n  b    the c | d\n";
        assert_eq!(page(text, STYLE), expected);
    }

    #[test]
    fn a_text_hangs_behind_its_head() {
        assert_eq!(
            hanging(
                "  #1  ",
                "some words",
                Style {
                    width: 12,
                    color: false
                }
            ),
            "  #1  some\n      words\n"
        );
    }
}
