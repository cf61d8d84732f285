//! Text in lines that fit, broken between words. A word that is longer than a line begins one, and is broken between
//! its parts, as those of an id (`.spec.template` is `.spec` and `.template`) or of JSON. One without parts has its own
//! line.

use std::fmt::Write as _;

use super::Style;

/// A text in lines of at most a width.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    text.lines().flat_map(|line| filled(line, width, width)).collect()
}

/// Adds a line; where it is too wide, what follows is indented by so much.
pub(super) fn hanging(line: &str, width: usize, indent: usize, text: &mut String) {
    let words = line.trim_start_matches(' ');
    let margin = line.len() - words.len();
    let lines = filled(words, width.saturating_sub(margin), width.saturating_sub(indent));
    for (at, part) in lines.iter().enumerate() {
        let margin = if at == 0 { margin } else { indent };
        let _ = writeln!(text, "{:margin$}{}", "", part.trim_end());
    }
}

/// Adds a line, and a place after it: a path, which is whole so that terminals make a link of it. It has its own line
/// where it does not fit.
pub(super) fn hanging_place(line: &str, place: &str, (width, indent): (usize, usize), text: &mut String) {
    hanging(line, width, indent, text);
    let last = text.trim_end_matches('\n').rsplit('\n').next().unwrap_or_default();
    if !place.is_empty() && length(last) + 1 + length(place) <= width {
        text.truncate(text.len() - 1);
        let _ = writeln!(text, " {place}");
    } else if !place.is_empty() {
        let _ = writeln!(text, "{:indent$}{place}", "");
    }
}

/// Adds a line with an indent; where it is too wide, what follows is indented further.
pub(super) fn indented(line: &str, indent: usize, style: Style, text: &mut String) {
    hanging(
        &format!("{:indent$}{line}", ""),
        usize::from(style.width),
        indent + 2,
        text,
    );
}

/// The width where there is no terminal: lists of names have no natural one.
const PIPED: u16 = 100;

/// A style in which sentences and lists of names are broken where there is no terminal, too.
pub(super) fn readable(style: Style) -> Style {
    let width = if style.width == u16::MAX { PIPED } else { style.width };
    Style { width, ..style }
}

/// Adds a command after some words. Where it is too wide, it is broken between options, and the lines end in `\`: it
/// can be pasted. An option that is too wide itself has its value on a line of its own, which is never broken.
pub(super) fn command(before: &str, command: &str, (width, indent): (usize, usize), text: &mut String) {
    let mut line = before.to_owned();
    let mut is_empty = true;
    let parts = options(command)
        .into_iter()
        .flat_map(|option| match option.split_once(' ') {
            Some((name, value)) if indent + length(&option) + 2 > width => vec![name.to_owned(), value.to_owned()],
            _ => vec![option],
        });
    for option in parts {
        if !is_empty && length(&line) + 1 + length(&option) + 2 > width {
            let _ = writeln!(text, "{line} \\");
            line = " ".repeat(indent);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(&option);
        is_empty = false;
    }
    let _ = writeln!(text, "{line}");
}

/// The words of a command, options with their values.
fn options(command: &str) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    let mut takes_value = false;
    for word in shell_words(command) {
        let is_option = word.starts_with('-');
        match options.last_mut().filter(|_| takes_value && !is_option) {
            Some(option) => {
                option.push(' ');
                option.push_str(word);
                takes_value = false;
            }
            None => {
                options.push(word.to_owned());
                takes_value = is_option;
            }
        }
    }
    options
}

/// The words of a command as they are written; a space in quotes does not end one.
fn shell_words(command: &str) -> Vec<&str> {
    let (mut words, mut start) = (Vec::new(), 0);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, char) in command.char_indices() {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' if !is_quoted => is_escaped = true,
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => {
                words.extend(command.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    words.extend(command.get(start..));
    words.retain(|word| !word.is_empty());
    words
}

/// A line in lines of at most a width, those after the first of another one. The first is empty where no word fits.
pub(super) fn broken_after(line: &str, first: usize, width: usize) -> String {
    let begins = words(line, width).first().is_none_or(|word| length(word.text) <= first);
    let (before, first) = if begins { ("", first) } else { ("\n", width) };
    format!("{before}{}", filled(line, first, width).join("\n"))
}

pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

pub(super) fn longest_word(text: &str) -> usize {
    text.split_whitespace().map(length).max().unwrap_or(0)
}

/// The words of a line in lines of at most a width; that of the first is another one. A line that ends within a command
/// says so, so that it can be pasted.
fn filled(text: &str, first: usize, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let (mut used, mut goes_on) = (0, false);
    for (at, word) in words(text, width).into_iter().enumerate() {
        let room = if lines.is_empty() { first } else { width };
        if at > 0 && used + 1 + word.length() > room {
            line.push_str(if goes_on { CONTINUED } else { "" });
            lines.push(std::mem::take(&mut line));
            used = 0;
        } else if at > 0 {
            line.push(' ');
            used += 1;
        }
        goes_on = word.goes_on;
        let mut rest = word.text;
        let mut room = if lines.is_empty() { first } else { width };
        // What is quoted is copied as it is.
        while used == 0 && length(rest) > room && !rest.contains(['\'', '`']) {
            let Some(end) = end_of_parts(rest, room) else { break };
            lines.push(rest[..end].to_owned());
            (rest, room) = (&rest[end..], width);
        }
        line.push_str(rest);
        used += length(rest);
    }
    lines.push(line);
    lines
}

/// Where the last part of a word ends that fits, if another one follows.
fn end_of_parts(word: &str, room: usize) -> Option<usize> {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut ends = chars.windows(3).take(room).filter_map(|window| {
        let [(_, last), (end, next), (_, after)] = *window else {
            return None;
        };
        let ends = next == '.' && after.is_alphanumeric()
            || "/=,".contains(last) && next.is_alphanumeric()
            || last == ',' && "{[\"".contains(next);
        ends.then_some(end)
    });
    ends.next_back()
}

/// A word of a line, and whether a command in backticks goes on after it.
#[derive(Debug, Clone, Copy)]
struct Word<'l> {
    text: &'l str,
    goes_on: bool,
}

impl Word<'_> {
    /// What it takes if the line ends behind it.
    fn length(self) -> usize {
        length(self.text) + if self.goes_on { CONTINUED.len() } else { 0 }
    }
}

/// How a line ends within a command, which a shell reads as one with the next.
const CONTINUED: &str = " \\";

/// The words of a line; a marker is one with the slashes before it: `// +optional`. So is code in backticks that fits
/// into the width; of other code, a value in quotes.
fn words(line: &str, width: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let (mut start, mut code_end, mut is_whole, mut is_command) = (0, 0, false, false);
    let mut quote = None;
    for (at, char) in line.char_indices() {
        let is_code = at < code_end;
        match char {
            '`' if !is_code => {
                if let Some((code, _)) = line[at + 1..].split_once('`') {
                    code_end = at + 1 + code.len() + 1;
                    (quote, is_whole) = (None, length(code) + 2 <= width);
                    is_command = code.starts_with("lifecycle ");
                }
            }
            '\'' | '"' if is_code && quote.is_none_or(|quote| quote == char) => {
                quote = quote.is_none().then_some(char);
            }
            ' ' if !(is_code && (is_whole || quote.is_some())) && !line[start..at].ends_with("//") => {
                let text = &line[start..at];
                let goes_on = is_code && is_command;
                words.push(Word { text, goes_on });
                start = at + 1;
            }
            _ => {}
        }
    }
    let text = &line[start..];
    words.push(Word { text, goes_on: false });
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_broken_between_their_parts_only() {
        let id = "Pod uses .spec.ports[].name=example.com/color, deprecated in 1.3";
        let lines = [
            "Pod uses",
            ".spec.ports[]",
            ".name=example",
            ".com/color,",
            "deprecated in",
            "1.3",
        ];
        assert_eq!(wrapped(id, 13), lines);
        assert_eq!(wrapped("a 0123456789 b", 4), ["a", "0123456789", "b"]);
        assert_eq!(wrapped("…äöü.ß/ü", 4), ["…äöü", ".ß/ü"]);
        assert_eq!(
            wrapped("oneOf {\"a\":[1,\"b\"]},{\"c\":[[2],[3]]} too", 10),
            ["oneOf", "{\"a\":[1,", "\"b\"]},", "{\"c\":[[2],", "[3]]} too"]
        );
        assert_eq!(wrapped("", 4).len(), 0);
    }

    #[test]
    fn later_lines_are_indented_and_markers_stay_whole() {
        let mut text = String::new();
        hanging("  one two three // +optional", 13, 4, &mut text);
        assert_eq!(text, "  one two\n    three\n    // +optional\n");
    }

    #[test]
    fn a_place_is_whole_and_has_its_own_line_where_it_does_not_fit() {
        let shown = |place: &str| {
            let mut text = String::new();
            hanging_place("  one two", place, (16, 4), &mut text);
            text
        };
        assert_eq!(shown("a.yml:3"), "  one two\n    a.yml:3\n");
        assert_eq!(shown("a.yml"), "  one two a.yml\n");
        assert_eq!(shown("of/a/b/c/d/e.yml:3"), "  one two\n    of/a/b/c/d/e.yml:3\n");
        assert_eq!(shown(""), "  one two\n");
    }

    #[test]
    fn a_command_in_a_sentence_that_is_broken_can_be_pasted() {
        let lines = wrapped("run `lifecycle what-if --set a/v1.removed=RELEASE -m b.toml` now", 30);
        let broken = [
            "run `lifecycle what-if --set \\",
            "a/v1.removed=RELEASE -m \\",
            "b.toml` now",
        ];
        assert_eq!(lines, broken);
        assert_eq!(
            wrapped("`removed = \"1.4\"` and more", 12),
            ["`removed =", "\"1.4\"` and", "more"]
        );
    }

    #[test]
    fn a_command_is_broken_between_options_only() {
        let mut text = String::new();
        let long = r"lifecycle what-if --set 'a/v1 Kind.removed=1.4' --set 'it'\''s a.removed=1.4' -m b.toml --write";
        command("  edit: ", long, (40, 4), &mut text);
        let lines = [
            r"  edit: lifecycle what-if \",
            r"    --set 'a/v1 Kind.removed=1.4' \",
            r"    --set 'it'\''s a.removed=1.4' \",
            r"    -m b.toml --write",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), lines);
        text.clear();
        command("  ", "lifecycle plan --all", (80, 4), &mut text);
        assert_eq!(text, "  lifecycle plan --all\n");
    }

    #[test]
    fn an_option_that_is_too_wide_has_its_value_on_a_line_of_its_own() {
        let mut text = String::new();
        command(
            "",
            "lifecycle what-if --set 'a/v1 SomeKind.removed=1.4' --write",
            (34, 4),
            &mut text,
        );
        let lines = [
            r"lifecycle what-if --set \",
            r"    'a/v1 SomeKind.removed=1.4' \",
            r"    --write",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn code_is_broken_outside_of_quotes_and_only_if_it_does_not_fit() {
        let line = "so `lifecycle why 'a/v1 Kind' -m b.toml` says why";
        assert_eq!(
            wrapped(line, 36),
            ["so `lifecycle why 'a/v1 Kind' -m \\", "b.toml` says why"]
        );
        assert_eq!(
            wrapped(line, 38),
            ["so", "`lifecycle why 'a/v1 Kind' -m b.toml`", "says why"]
        );
        assert_eq!(
            wrapped("why 'a/v1 Kind'` is one", 12),
            ["why 'a/v1", "Kind'` is", "one"]
        );
    }

    #[test]
    fn paragraphs_stay_apart_and_long_words_have_a_line() {
        assert_eq!(wrapped("a bb\nccccccc d", 4), ["a bb", "ccccccc", "d"]);
        assert!(wrapped("", 4).is_empty());
    }
}
