//! CSV for spreadsheets (RFC 4180): a header, then a row an element.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};

use crate::report::{ElementReport, FactReport, Moment, Report};

use super::{origin, visible};

/// Reads a moment of an element.
type At = for<'e, 'a> fn(&'e ElementReport<'a>) -> Option<Moment<'a>>;

/// Reads a text of an element.
type Said = for<'e, 'a> fn(&'e ElementReport<'a>) -> Option<&'e str>;

/// What it is.
const NAMES: [(&str, Said); 3] = [
    ("id", |element| Some(element.id)),
    ("kind", |element| Some(element.kind)),
    ("stability", |element| Some(element.stability)),
];

/// What happens to it: a column each for the release, the date, how sure the date is, and the event's origin.
const EVENTS: [(&str, At); 4] = [
    ("introduced", |element| element.introduced),
    ("deprecated", |element| element.deprecated),
    ("hidden", |element| element.hidden),
    ("removed", |element| element.removed),
];

/// When that may and has to happen: a column each for the release, the date, and how sure the date is.
const BOUNDS: [(&str, At); 4] = [
    ("earliest_deprecation", |element| element.earliest_deprecation),
    ("latest_deprecation", |element| element.latest_deprecation),
    ("earliest_removal", |element| element.earliest_removal),
    ("removal_due", |element| element.removal_due),
];

/// What else is said of it, between the columns `never_before_major` and `reason`.
const TEXTS: [(&str, Said); 5] = [
    ("binding", |element| element.binding),
    ("replacement", |element| element.replacement),
    ("migrate_to", |element| element.migrate_to),
    ("owner", |element| element.owner),
    ("tracking", |element| element.tracking),
];

/// Prints the plan of every element: a header, then a row each, in the order of the plan. Lines end with CR LF.
///
/// An empty cell is what is neither declared nor planned, or what nothing bounds. A release that begins with a digit
/// has a `v` before it: a spreadsheet would read 1.20 as the number 1.2. A bound that the calendar ends before reads
/// `v1.39 or later` and has no date. The origin of an event is `declared` or `planned`. `reason` has the reasons with
/// their rules, set off by `; `. Lives that are over are left out.
///
/// A spreadsheet takes no cell for a formula: one that begins with `=`, `+`, `-`, `@` (also in full width), a tab or a
/// line break gets a single quote before it, as OWASP advises against CSV injection. Control characters, and those that
/// turn the direction of text, are shown as U+FFFD.
///
/// # Errors
///
/// If the text cannot be written.
pub fn plan(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
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
    let text = |(_, said): (&str, Said)| Cow::Borrowed(said(element).unwrap_or_default());
    let mut row: Vec<Cow<'e, str>> = NAMES.into_iter().map(text).collect();
    for (_, at) in EVENTS {
        let moment = at(element);
        row.extend(when(moment));
        row.push(moment.map(origin).unwrap_or_default().into());
    }
    for (_, at) in BOUNDS {
        row.extend(when(at(element)));
    }
    row.push(element.never_before_major.as_deref().map(release).unwrap_or_default());
    row.extend(TEXTS.into_iter().map(text));
    row.push(reason(&element.because).into());
    row.into_iter().map(harmless).collect()
}

/// The release, its date, and how sure that is.
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

/// A release as no number.
fn release(name: &str) -> Cow<'_, str> {
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("v{name}").into()
    } else {
        name.into()
    }
}

fn reason(because: &[FactReport<'_>]) -> String {
    let facts: Vec<String> = because.iter().map(super::fact).collect();
    facts.join("; ")
}

/// A cell that no spreadsheet takes for a formula, and no terminal for a command.
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
