//! JSON: the contract. One element, one finding and one release of a group stand on a line each.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

use crate::report::Report;

/// Entries below this many are not worth a second thread.
const WORTH_A_THREAD: usize = 4_000;

/// Prints anything of the report's.
///
/// # Errors
///
/// If the text cannot be written.
pub fn value(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Lines::default());
    value.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// Prints the report.
///
/// # Errors
///
/// If the text cannot be written.
pub fn report(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"{\n")?;
    field(out, "schema_version", &report.schema_version, true)?;
    field(out, "current", &report.current, true)?;
    list(out, "policies", &report.policies, true)?;
    field(out, "groups", &report.groups, true)?;
    list(out, "elements", &report.elements, true)?;
    if let Some(compared) = &report.compared {
        field(out, "compared", compared, true)?;
    }
    if !report.proposals.is_empty() {
        list(out, "proposals", &report.proposals, true)?;
    }
    list(out, "diagnostics", &report.diagnostics, true)?;
    list(out, "exceptions", &report.exceptions, false)?;
    out.write_all(b"}\n")
}

fn field(out: &mut impl Write, name: &str, value: &impl Serialize, more: bool) -> io::Result<()> {
    write!(out, "  \"{name}\": ")?;
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Lines { depth: 1 });
    value.serialize(&mut serializer)?;
    out.write_all(if more { b",\n" } else { b"\n" })
}

/// Entries that one thread writes while another writes as many.
const PORTION: usize = 2_000;

/// A list with an entry a line. Of a long one two portions at a time are written side by side and joined in order, so
/// that no more than a portion is ever held as text.
fn list<T: Serialize + Sync>(out: &mut impl Write, name: &str, entries: &[T], more: bool) -> io::Result<()> {
    write!(out, "  \"{name}\": [")?;
    if entries.len() < WORTH_A_THREAD {
        lines(out, entries, true)?;
    } else {
        for (at, pair) in entries.chunks(2 * PORTION).enumerate() {
            two_portions(out, pair, at == 0)?;
        }
    }
    let end: &[u8] = if entries.is_empty() { b"]" } else { b"\n  ]" };
    out.write_all(end)?;
    out.write_all(if more { b",\n" } else { b"\n" })
}

fn two_portions<T: Serialize + Sync>(out: &mut impl Write, entries: &[T], from_the_start: bool) -> io::Result<()> {
    let (first, second) = entries.split_at(entries.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let mut text = Vec::new();
            lines(&mut text, second, false).map(|()| text)
        });
        lines(out, first, from_the_start)?;
        match other.join() {
            Ok(text) => out.write_all(&text?),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn lines<T: Serialize>(out: &mut impl Write, entries: &[T], from_the_start: bool) -> io::Result<()> {
    for (at, entry) in entries.iter().enumerate() {
        out.write_all(if at == 0 && from_the_start {
            b"\n    "
        } else {
            b",\n    "
        })?;
        serde_json::to_writer(&mut *out, entry)?;
    }
    Ok(())
}

/// Breaks the lines of the outer lists and leaves what is inside their entries on one line.
#[derive(Debug, Default, Clone, Copy)]
struct Lines {
    depth: usize,
}

/// The depth at which entries stand on one line: a release of a group.
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
