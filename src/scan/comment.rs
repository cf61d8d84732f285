//! Comments in manifests that say which uses are known: `# lifecycle: ignore until 1.40: we move with the operator`.

use crate::source::{FileId, Span};

/// What a comment begins with, after its `#`.
const MARK: &str = "lifecycle: ignore";

/// A comment that ignores the uses in its line, or in the line below.
#[derive(Debug)]
pub(crate) struct Ignore {
    /// The lines that it is about, from 1.
    pub(crate) lines: (u32, u32),
    pub(crate) span: Span,
    /// The first release in which it no longer holds, and why it holds till then; `None` where one of these is missing.
    pub(crate) until: Option<String>,
}

/// The comments of a text that ignore something.
pub(crate) fn ignores(file: FileId, text: &str) -> Vec<Ignore> {
    if !text.contains(MARK) {
        return Vec::new();
    }
    let mut found: Vec<Ignore> = Vec::new();
    let mut start = 0;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let below = below(&lines);
    for (at, line) in lines.iter().enumerate() {
        if let Some((before, after)) = marked(line) {
            let number = number(at);
            let own = line.trim_end();
            found.push(Ignore {
                lines: (number, if before.trim().is_empty() { below[at] } else { number }),
                span: Span::of(file, start + before.len()..start + own.len()),
                until: until(after),
            });
        }
        start += line.len();
    }
    found
}

/// The number of a line by its position.
fn number(at: usize) -> u32 {
    u32::try_from(at + 1).unwrap_or(u32::MAX)
}

/// What stands before a comment that ignores something, and after its mark.
fn marked(line: &str) -> Option<(&str, &str)> {
    let (at, _) = line.match_indices('#').find(|(at, _)| {
        let rest = line.get(at + 1..).unwrap_or_default();
        rest.trim_start().starts_with(MARK)
    })?;
    let (before, comment) = line.split_at_checked(at)?;
    let (_, after) = comment.split_once(MARK)?;
    Some((before, after))
}

/// The last line that a comment with nothing before it is about, by its line: the next one with more than a comment.
fn below(lines: &[&str]) -> Vec<u32> {
    let mut next = None;
    let mut below: Vec<u32> = lines
        .iter()
        .enumerate()
        .rev()
        .map(|(at, line)| {
            let number = number(at);
            let last = next.unwrap_or(number);
            if !line.trim_start().starts_with('#') && !line.trim().is_empty() {
                next = Some(number);
            }
            last
        })
        .collect();
    below.reverse();
    below
}

/// The release in ` until 1.40: why`.
fn until(text: &str) -> Option<String> {
    let (release, reason) = text.trim().strip_prefix("until ")?.split_once(':')?;
    let is_whole = !release.trim().is_empty() && !reason.trim().is_empty();
    is_whole.then(|| release.trim().to_owned())
}
