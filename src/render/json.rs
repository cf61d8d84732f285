//! JSON: the contract. One element, one finding and one release of a group stand on a line each.

use std::collections::VecDeque;
use std::io::{self, Write};

use memchr::memchr2;
use serde::Serialize;
use serde_json::ser::Formatter;

use crate::report::{ElementReports, GroupReports, Report};

/// Writes JSON without the control characters that it may have as they are: a terminal would obey them.
#[derive(Debug)]
pub(super) struct WithoutControls<W>(pub(super) W);

impl<W: Write> Write for WithoutControls<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some(at) = memchr2(0x7f, 0xc2, rest) {
            let (before, from) = rest.split_at(at);
            self.0.write_all(before)?;
            let written = match from {
                [0x7f, ..] => Some((0x7f, 1)),
                [0xc2, next @ 0x80..=0x9f, ..] => Some((*next, 2)),
                _ => None,
            };
            let length = match written {
                Some((control, length)) => {
                    write!(self.0, "\\u{control:04x}")?;
                    length
                }
                None => {
                    self.0.write_all(&from[..1])?;
                    1
                }
            };
            rest = &from[length..];
        }
        self.0.write_all(rest)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Prints any part of a report.
pub fn value(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let out = &mut WithoutControls(out);
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Lines::default());
    value.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// Prints the report.
pub fn report(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let out = &mut WithoutControls(out);
    // A key that is added has to be written.
    let Report {
        schema_version,
        current,
        policies,
        groups: all_groups,
        elements: all_elements,
        compared,
        proposals,
        diagnostics,
        finding_groups,
        exceptions,
        moves,
    } = report;
    out.write_all(b"{\n")?;
    field(out, "schema_version", schema_version, true)?;
    field(out, "current", current, true)?;
    list(out, "policies", policies.iter(), true)?;
    groups(out, all_groups)?;
    elements(out, all_elements)?;
    if let Some(compared) = compared {
        field(out, "compared", compared, true)?;
    }
    if !proposals.is_empty() {
        list(out, "proposals", proposals.iter(), true)?;
    }
    list(out, "diagnostics", diagnostics.iter(), true)?;
    if !finding_groups.is_empty() {
        list(out, "finding_groups", finding_groups.iter(), true)?;
    }
    list(out, "exceptions", exceptions.iter(), moves.is_some())?;
    if let Some(moves) = moves {
        field(out, "moves", moves, false)?;
    }
    out.write_all(b"}\n")
}

fn field(out: &mut impl Write, name: &str, value: &impl Serialize, more: bool) -> io::Result<()> {
    write!(out, "  \"{name}\": ")?;
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Lines { depth: 1 });
    value.serialize(&mut serializer)?;
    out.write_all(if more { b",\n" } else { b"\n" })
}

/// A list with one entry per line.
fn list(out: &mut impl Write, name: &str, entries: impl Iterator<Item: Serialize>, more: bool) -> io::Result<()> {
    write!(out, "  \"{name}\": [")?;
    let mut separator: &[u8] = b"\n    ";
    let mut end: &[u8] = b"]";
    // Appending the many small pieces of an entry to a list of bytes costs less than handing on each.
    let mut line = Vec::new();
    for entry in entries {
        line.clear();
        line.extend_from_slice(separator);
        serde_json::to_writer(&mut line, &entry)?;
        out.write_all(&line)?;
        (separator, end) = (b",\n    ", b"\n  ]");
    }
    out.write_all(end)?;
    out.write_all(if more { b",\n" } else { b"\n" })
}

/// The list of groups, whose releases are on one line each. Each group is written as a whole: see [`list`].
fn groups(out: &mut impl Write, groups: &GroupReports<'_>) -> io::Result<()> {
    out.write_all(b"  \"groups\": [")?;
    let mut separator: &[u8] = b"\n    ";
    let mut end: &[u8] = b"],\n";
    let mut text = Vec::new();
    for group in groups.iter() {
        text.clear();
        text.extend_from_slice(separator);
        group.serialize(&mut serde_json::Serializer::with_formatter(
            &mut text,
            Lines { depth: 2 },
        ))?;
        out.write_all(&text)?;
        (separator, end) = (b",\n    ", b"\n  ],\n");
    }
    out.write_all(end)
}

/// So many different answers are kept for elements that follow.
const MOST_KEPT: usize = 32;

/// The list of elements. Many differ in their ids only, as the fields of a kind do: what follows an id is kept for the
/// others.
fn elements(out: &mut impl Write, elements: &ElementReports<'_>) -> io::Result<()> {
    let Some(maker) = elements.maker() else {
        return list(out, "elements", elements.iter(), true);
    };
    out.write_all(b"  \"elements\": [")?;
    // The newest first: what is alike is near.
    let mut kept: VecDeque<(usize, Vec<u8>)> = VecDeque::with_capacity(MOST_KEPT);
    let mut line = Vec::new();
    for at in 0..maker.count() {
        let separator: &[u8] = if at == 0 { b"\n    " } else { b",\n    " };
        line.clear();
        line.extend_from_slice(separator);
        line.extend_from_slice(b"{\"id\":");
        serde_json::to_writer(&mut line, maker.id(at))?;
        if let Some((_, rest)) = kept.iter().find(|(other, _)| maker.are_alike(*other, at)) {
            out.write_all(&line)?;
            out.write_all(rest)?;
        } else {
            let end_of_id = line.len();
            line.truncate(separator.len());
            serde_json::to_writer(&mut line, &maker.element(at))?;
            kept.truncate(MOST_KEPT - 1);
            kept.push_front((at, line[end_of_id..].to_vec()));
            out.write_all(&line)?;
        }
    }
    out.write_all(if elements.is_empty() { b"],\n" } else { b"\n  ],\n" })
}

/// Breaks lines within the outer lists and writes each of their entries on one line.
#[derive(Debug, Default, Clone, Copy)]
struct Lines {
    depth: usize,
}

/// The depth from which an entry is on one line: a release of a group.
const INNERMOST: usize = 4;

impl Lines {
    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        out.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.depth < INNERMOST {
            self.indent(out)?;
        }
        out.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(if self.depth <= INNERMOST { b"," } else { b", " })?;
        }
        if self.depth <= INNERMOST {
            self.indent(out)
        } else {
            Ok(())
        }
    }

    fn indent<W: ?Sized + Write>(self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_printed_as_it_is() {
        let mut out = Vec::new();
        value(&"a\u{1b}b\u{7f}c\u{9b}d\u{a0}é", &mut out).expect("it can be written");
        let expected = "\"a\\u001bb\\u007fc\\u009bd\u{a0}é\"\n";
        assert_eq!(String::from_utf8(out).expect("it is text"), expected);
    }
}
