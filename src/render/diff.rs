//! What differs between two states, for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::report::{DiffReport, DifferenceReport};

use super::table::table;
use super::yaml::block;
use super::{Look, visible};

/// The changes, a table a kind, and below them why they matter and what to do instead.
pub fn diff(report: &DiffReport, look: Look) -> String {
    let mut text = String::new();
    let mut kinds: Vec<(String, Vec<&DifferenceReport>)> = Vec::new();
    for change in &report.changes {
        let name = format!("{} {}", change.group, change.kind);
        match kinds.last_mut() {
            Some((last, changes)) if *last == name => changes.push(change),
            _ => kinds.push((name, vec![change])),
        }
    }
    for (name, changes) in &kinds {
        let rows = changes.iter().map(|change| row(change)).collect();
        let header = ["LEVEL", "VERDICT", "ELEMENT", "CHANGE", "WHERE"];
        let _ = writeln!(text, "{}\n{}\n", visible(name), table(&header, rows, look));
    }
    reasons(&report.changes, &mut text);
    examples(&Examples::of(report, "  "), &mut text);
    text
}

/// Objects that are shown; the others are in the answer for machines.
const MOST_SHOWN: usize = 3;

/// Objects that show what is lost.
#[derive(Debug, Serialize)]
pub(super) struct Examples<'r> {
    shown: Vec<Example<'r>>,
    /// How many more there are.
    more: usize,
}

/// An object, and what becomes of it.
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

fn examples(examples: &Examples<'_>, text: &mut String) {
    for example in &examples.shown {
        let (element, message) = (visible(example.element), visible(example.message));
        let _ = write!(text, "for instance, {element} is {message}\n{}", example.object);
    }
    if examples.more > 0 {
        let _ = writeln!(text, "--format json shows {} more objects", examples.more);
    }
}

fn row(change: &DifferenceReport) -> [String; 5] {
    let whole = match &change.version {
        Some(version) => format!("{}/{version} {}", change.group, change.kind),
        None => format!("{} {}", change.group, change.kind),
    };
    let below = change
        .element
        .strip_prefix(&whole)
        .unwrap_or(&change.element)
        .trim_start();
    let version = change.version.as_deref().unwrap_or_default();
    [
        change.severity.to_owned(),
        verdict(change),
        visible(format!("{version} {below}").trim()),
        visible(&message(change)),
        place(change),
    ]
}

/// What happened, and in how many places more.
fn message(change: &DifferenceReport) -> String {
    if !change.losses.is_empty() {
        return format!("{}; {} lost with it", change.message, change.losses.len());
    }
    match change.also.len() {
        0 => change.message.clone(),
        1 => format!("{} (also in 1 kind more)", change.message),
        more => format!("{} (also in {more} kinds more)", change.message),
    }
}

/// Who loses.
fn verdict(change: &DifferenceReport) -> String {
    let told = match (change.requests, change.readers) {
        ("breaking", "breaking") => "breaks both",
        ("breaking", _) => "breaks requests",
        (_, "breaking") => "breaks readers",
        ("risky", "risky") => "risky for both",
        ("risky", _) => "risky for requests",
        (_, "risky") => "risky for readers",
        _ => "compatible",
    };
    told.to_owned()
}

fn place(change: &DifferenceReport) -> String {
    match (&change.file, change.line) {
        (Some(file), Some(line)) => format!("{}:{line}", visible(file)),
        (Some(file), None) => visible(file),
        (None, _) => String::new(),
    }
}

/// A line a sort of change: why it matters, and what to do instead.
fn reasons(changes: &[DifferenceReport], text: &mut String) {
    let mut told: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for change in changes {
        if let (Some(reason), Some(help)) = (&change.reason, &change.help) {
            told.entry((change.code, reason)).or_insert(help);
        }
    }
    for ((code, reason), help) in told {
        let _ = writeln!(text, "{code}: {reason}\n  instead: {help}");
    }
}
