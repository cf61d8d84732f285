//! Changes of schemas as text.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use crate::diagnostic::Severity;
use crate::grammar::{KindPath, rest_within};
use crate::report::{DiffReport, DifferenceReport};

use super::folded;
use super::table::{fits, table};
use super::words::{place, verdict};
use super::wrap::{hanging, hanging_place};
use super::yaml::block;
use super::{Detail, Style, visible};

/// A table or list per kind, or, of many changes, those that are alike together; below them why the changes matter,
/// what to do instead, and example objects.
pub(super) fn diff(report: &DiffReport, detail: Detail, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    let width = usize::from(style.width);
    match detail {
        Detail::Summary => folded::counts(report, width, &mut text),
        Detail::Folded if detail.folds(report.changes.len()) => {
            folded::counts(report, width, &mut text);
            text.push('\n');
            folded::groups(report, style, &mut text);
            text.push('\n');
            reasons(&report.changes, width, &mut text);
            text.push_str("--expand lists each change with its place and example objects\n");
        }
        Detail::Folded | Detail::Expanded => {
            kinds(report, style, &mut text);
            reasons(&report.changes, width, &mut text);
            examples(&Examples::of(report, "  "), width, &mut text);
        }
    }
    out.write_all(text.as_bytes())
}

const HEADER: [&str; 5] = ["SEVERITY", "VERDICT", "ELEMENT", "CHANGE", "WHERE"];

/// A table per kind; where one of them does not fit, all are lists.
fn kinds(report: &DiffReport, style: Style, text: &mut String) {
    let kinds = report.changes.chunk_by(is_same_kind).filter_map(|changes| {
        let first = changes.first()?;
        let rows: Vec<[String; 5]> = changes.iter().map(row).collect();
        Some((visible(&format!("{} {}", first.group, first.kind)), rows))
    });
    let kinds: Vec<(String, Vec<[String; 5]>)> = kinds.collect();
    let are_tables = kinds.iter().all(|(_, rows)| fits(&HEADER, rows, style));
    for (name, rows) in kinds {
        if are_tables {
            let _ = writeln!(text, "{name}\n{}\n", table(&HEADER, rows, style));
        } else {
            list(&name, &rows, usize::from(style.width), text);
        }
    }
}

/// The changes of a kind, each on two lines: what happened, and where.
fn list(kind: &str, rows: &[[String; 5]], width: usize, text: &mut String) {
    let _ = writeln!(text, "{kind}");
    for [severity, verdict, element, change, place] in rows {
        hanging(&format!("  {severity}: {change} ({verdict})"), width, 6, text);
        if element.is_empty() {
            let _ = writeln!(text, "    {place}");
        } else {
            hanging_place(&format!("    {element}"), place, (width, 6), text);
        }
    }
    text.push('\n');
}

fn is_same_kind(one: &DifferenceReport, other: &DifferenceReport) -> bool {
    (&one.group, &one.kind) == (&other.group, &other.kind)
}

/// Example objects in the text; `--format json` has all of them.
const MOST_SHOWN: usize = 3;

/// Objects that show what is lost in conversion.
#[derive(Debug, Serialize)]
pub(super) struct Examples<'r> {
    shown: Vec<Example<'r>>,
    /// How many more there are.
    more: usize,
}

/// An object and what happens to it.
#[derive(Debug, Serialize)]
struct Example<'r> {
    element: &'r str,
    message: &'r str,
    /// The object in YAML, as an indented block.
    object: String,
}

impl<'r> Examples<'r> {
    /// The first objects of a report. `indent` stands before each line of them.
    pub(super) fn of(report: &'r DiffReport, indent: &str) -> Self {
        let changes = report.changes.iter();
        let changes = changes.flat_map(|change| std::iter::once(change).chain(&change.losses));
        let all = changes.filter_map(|change| Some((change, change.example.as_ref()?)));
        let more = all.clone().count().saturating_sub(MOST_SHOWN);
        let shown = all.take(MOST_SHOWN).map(|(change, object)| Example {
            element: &change.element,
            message: &change.message,
            object: block(object, indent),
        });
        let shown = shown.collect();
        Self { shown, more }
    }
}

fn examples(examples: &Examples<'_>, width: usize, text: &mut String) {
    for example in &examples.shown {
        let (element, message) = (visible(example.element), visible(example.message));
        hanging(&format!("example: {element} is {message}"), width, 2, text);
        text.push_str(&example.object);
    }
    if examples.more > 0 {
        let _ = writeln!(text, "--format json shows {} more examples", examples.more);
    }
}

fn row(change: &DifferenceReport) -> [String; 5] {
    let whole = match &change.version {
        Some(version) => KindPath::api(&*change.group, &**version, &*change.kind).to_string(),
        None => format!("{} {}", change.group, change.kind),
    };
    let below = rest_within(&change.element, &whole)
        .unwrap_or(&change.element)
        .trim_start();
    let version = change.version.as_deref().unwrap_or_default();
    [
        change.severity.to_string(),
        verdict(change.writers, change.readers).to_owned(),
        visible(format!("{version} {below}").trim()),
        visible(&message(change)),
        place(change),
    ]
}

/// What happened, and in how many other places.
fn message(change: &DifferenceReport) -> String {
    let message = &change.message;
    match (change.losses.len(), change.also.len()) {
        (0, 0) => message.clone(),
        (0, 1) => format!("{message} (also in 1 other kind)"),
        (0, more) => format!("{message} (also in {more} other kinds)"),
        (losses, _) => format!("{message}; {losses} lost in conversion"),
    }
}

/// Why the changes matter and what to do instead, with the codes that this is said of, the most severe first.
fn reasons(changes: &[DifferenceReport], width: usize, text: &mut String) {
    let mut entries: BTreeMap<(&str, &str), (Severity, BTreeSet<&str>)> = BTreeMap::new();
    for change in changes {
        if let (Some(reason), Some(help)) = (&change.reason, &change.help) {
            let (severity, codes) = entries
                .entry((reason, help))
                .or_insert((change.severity, BTreeSet::new()));
            *severity = change.severity.max(*severity);
            codes.insert(change.code.as_str());
        }
    }
    let mut entries: Vec<_> = entries
        .into_iter()
        .map(|(said, (severity, codes))| {
            (
                Reverse(severity),
                codes.into_iter().collect::<Vec<_>>().join(", "),
                said,
            )
        })
        .collect();
    entries.sort_unstable();
    for (_, codes, (reason, help)) in entries {
        hanging(&format!("{codes}: {reason}"), width, 2, text);
        hanging(&format!("  instead: {help}"), width, 4, text);
    }
}
