//! CSV for spreadsheets (RFC 4180): a header, then one row per element.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};

use crate::report::{DecidedBy, ElementReport, FactReport, Moment, Report};

use super::{origin, visible};

/// A moment of an element.
type At = for<'e, 'a> fn(&'e ElementReport<'a>) -> Option<Moment<'a>>;

/// A text of an element.
type Column = for<'e, 'a> fn(&'e ElementReport<'a>) -> Option<&'e str>;

/// The first columns.
const NAMES: [(&str, Column); 3] = [
    ("id", |element| Some(element.id)),
    ("kind", |element| Some(element.kind.as_str())),
    ("stability", |element| Some(element.stability.as_str())),
];

/// The events: columns for the release, the date, the kind of date, and the origin.
const EVENTS: [(&str, At); 4] = [
    ("introduced", |element| element.introduced),
    ("deprecated", |element| element.deprecated),
    ("hidden", |element| element.hidden),
    ("removed", |element| element.removed),
];

/// The bounds: columns for the release, the date, and the kind of date.
const BOUNDS: [(&str, At); 4] = [
    ("earliest_deprecation", |element| element.earliest_deprecation),
    ("latest_deprecation", |element| element.latest_deprecation),
    ("earliest_removal", |element| element.earliest_removal),
    ("removal_due", |element| element.removal_due),
];

/// The columns between `never_before_major` and `reason`.
const TEXTS: [(&str, Column); 5] = [
    ("binding", |element| element.binding.map(DecidedBy::as_str)),
    ("replacement", |element| element.replacement),
    ("migrate_to", |element| element.migrate_to),
    ("owner", |element| element.owner),
    ("tracking", |element| element.tracking),
];

/// Prints a header, then one row per element in the order of the plan. Lines end with CR LF.
///
/// A cell is empty if the event is neither declared nor planned, or has no bound. A release that begins with a digit
/// gets a `v`: a spreadsheet would read 1.20 as the number 1.2. A bound past the end of the calendar reads `v1.39 or
/// later` and has no date. The origin of an event is `declared` or `planned`. `reason` has the explanations with their
/// rules, separated by `; `. Earlier lives are left out.
///
/// No cell is a formula: one that begins with `=`, `+`, `-`, `@` (also in full width), a tab or a line break gets a
/// single quote, as OWASP advises against CSV injection. Control characters, and those that reverse the direction of
/// text, become U+FFFD.
pub(super) fn plan(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut table = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out);
    table.write_record(header())?;
    for element in report.elements.iter() {
        table.write_record(row(&element).iter().map(|cell| cell.as_bytes()))?;
    }
    table.flush()
}

fn header() -> Vec<String> {
    let mut header: Vec<String> = NAMES.iter().map(|(name, _)| (*name).to_owned()).collect();
    for (name, _) in EVENTS {
        header.extend(["release", "date", "date_kind", "origin"].map(|part| format!("{name}_{part}")));
    }
    for (name, _) in BOUNDS {
        header.extend(["release", "date", "date_kind"].map(|part| format!("{name}_{part}")));
    }
    header.push("never_before_major".to_owned());
    header.extend(TEXTS.iter().map(|(name, _)| (*name).to_owned()));
    header.push("reason".to_owned());
    header
}

fn row<'e>(element: &'e ElementReport<'_>) -> Vec<Cow<'e, str>> {
    let mut row: Vec<Cow<'e, str>> = texts(element, &NAMES).collect();
    for (_, at) in EVENTS {
        let moment = at(element);
        row.extend(when(moment));
        row.push(moment.map(origin).unwrap_or_default().into());
    }
    for (_, at) in BOUNDS {
        row.extend(when(at(element)));
    }
    row.push(element.never_before_major.as_deref().map(release).unwrap_or_default());
    row.extend(texts(element, &TEXTS));
    row.push(reason(&element.because).into());
    row.into_iter().map(harmless).collect()
}

fn texts<'e>(element: &'e ElementReport<'_>, columns: &[(&str, Column)]) -> impl Iterator<Item = Cow<'e, str>> {
    columns.iter().map(|(_, text)| text(element).unwrap_or_default().into())
}

/// The release, its date, and the kind of date.
fn when(moment: Option<Moment<'_>>) -> [Cow<'_, str>; 3] {
    match moment {
        None => Default::default(),
        Some(moment) if moment.at_least => {
            let or_later = format!("{} or later", release(moment.release));
            [or_later.into(), Cow::default(), Cow::default()]
        }
        Some(moment) => [
            release(moment.release),
            moment.date.unwrap_or_default().into(),
            moment.date_kind.as_str().into(),
        ],
    }
}

/// A release that does not read as a number; "2 releases after 1.4" does not anyway.
fn release(name: &str) -> Cow<'_, str> {
    if name.starts_with(|c: char| c.is_ascii_digit()) && !name.contains(' ') {
        format!("v{name}").into()
    } else {
        name.into()
    }
}

fn reason(because: &[FactReport<'_>]) -> String {
    let facts: Vec<String> = because.iter().map(super::fact).collect();
    facts.join("; ")
}

/// A cell that is neither a formula for a spreadsheet nor a control sequence for a terminal.
fn harmless(cell: Cow<'_, str>) -> Cow<'_, str> {
    let cell = if cell.is_ascii() && !cell.contains(|c: char| c.is_control()) {
        cell
    } else {
        visible(&cell).into()
    };
    let begins_formula = ['=', '+', '-', '@', '\t', '\n', '＝', '＋', '－', '＠'];
    if cell.starts_with(begins_formula) {
        format!("'{cell}").into()
    } else {
        cell
    }
}
