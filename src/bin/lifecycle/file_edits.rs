//! Edits of model files: shown as a diff, or written back.

use std::fmt::Write as _;
use std::path::Path;

use lifecycle::one_line;
use lifecycle::render::visible;
use similar::TextDiff;

use crate::failure::{Failure, Result};
use crate::io::disk::{self, BYTE_ORDER_MARK, Disk, FileText, STANDARD_INPUT, from_repository_root};
use crate::io::write::{Staged, cannot_write, refuse_link};

const CONTEXT: usize = 2;

/// A file and its new content.
pub type Edit<'e> = (&'e FileText, &'e String);

/// Refuses a model that cannot be replaced by a new file, such as a pipe. `command` prints it instead.
pub fn refuse_stream(name: &str, command: &str) -> Result<()> {
    if name == STANDARD_INPUT || !disk::is_stream(Path::new(name)) {
        return Ok(());
    }
    Err(
        Failure::new(format!("{name} is not a regular file and cannot be written back")).help(format!(
            "pass the model on standard input: `{command}` prints the result"
        )),
    )
}

/// The edit as a unified diff, with paths from the root of the repository, as `git apply` takes them.
pub fn diff((before, after): Edit<'_>, for_people: bool) -> String {
    let path = from_repository_root(&before.name);
    let name = path.trim_start_matches('/');
    let (old, new) = (header(&format!("a/{name}")), header(&format!("b/{name}")));
    let (was, is) = (content(before, &before.content), content(before, after));
    let diff = TextDiff::from_lines(&was, &is);
    let text = diff
        .unified_diff()
        .context_radius(CONTEXT)
        .header(&old, &new)
        .to_string();
    if !for_people {
        return text;
    }
    // Line ends are part of the change; other control characters must not reach the terminal.
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix("\r\n") {
            Some(line) => format!("{}\r\n", visible(line)),
            None => visible(line),
        })
        .collect()
}

/// A path as Git writes it in the header of a diff: in quotes, with escapes, if it has characters that would end it.
fn header(path: &str) -> String {
    if one_line(path) == path && !path.contains(['"', '\\']) {
        return path.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in path.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if one_line(c.encode_utf8(&mut [0; 4])).len() == c.len_utf8() => quoted.push(c),
            c => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(quoted, "\\{byte:03o}");
                }
            }
        }
    }
    quoted.push('"');
    quoted
}

/// A file's new content, with the byte order mark that it had.
pub fn content(before: &FileText, after: &str) -> String {
    let mark = before.marked.then_some(BYTE_ORDER_MARK);
    mark.into_iter().map(String::from).chain([after.to_owned()]).collect()
}

/// Writes all files next to their targets first, and only then renames them. A file that has changed since it was read
/// is not overwritten.
pub fn write_back(edits: &[Edit<'_>], disk: &Disk) -> Result<()> {
    let mut staged = Vec::new();
    for (before, after) in edits {
        refuse_link(disk, &before.name)?;
        let file = Staged::new(Path::new(&before.name), content(before, after).as_bytes());
        staged.push((before, file.map_err(|problem| cannot_write(&before.name, &problem))?));
    }
    for (before, _) in &staged {
        let now = disk.read(&before.name)?;
        if (now.content.as_str(), now.marked) != (before.content.as_str(), before.marked) {
            return Err(Failure::new(format!("{} has changed since it was read", before.name))
                .help("nothing was written; run it again"));
        }
    }
    for (before, file) in staged {
        file.commit().map_err(|problem| cannot_write(&before.name, &problem))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_would_break_the_header_is_quoted_as_git_does() {
        assert_eq!(header("a/größe x.toml"), "a/größe x.toml");
        assert_eq!(header("a/\"b\".toml"), "\"a/\\\"b\\\".toml\"");
        assert_eq!(header("a\\b\n+++ c"), "\"a\\\\b\\012+++ c\"");
        assert_eq!(header("a\u{202e}"), "\"a\\342\\200\\256\"");
    }
}
