//! A calendar to subscribe to (RFC 5545): what happens in a release is an event on its date.
//!
//! One event of the calendar covers a group, a kind of event and a release: one per element would be hundreds for
//! Kubernetes. Its UID is made of these three, so that a release that is postponed moves its events; its stamp is its
//! own date, because there is no clock here. The file is written by hand: the libraries for it read the clock or make
//! random UIDs.

mod events;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::rc::Rc;

use uuid::Uuid;

use crate::grammar::{ElementPath, heading};
use crate::release::DateKind;
use crate::report::{ElementReport, Report};

use super::{fact, origin, visible};
use events::{ElementEvent, What, events};

/// The namespace of the UIDs.
const NAMESPACE: Uuid = Uuid::from_u128(0x8f4b_6f0e_52b1_4c0a_9d3e_1b7c_2a65_e0d4);

/// The most octets in a content line before it is folded.
const WIDTH: usize = 75;

/// What identifies an event of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'r> {
    /// The day, `2022-08-23`.
    day: Option<&'r str>,
    /// The release up to its last number, and that: `X+9` comes before `X+10`.
    series: (&'r str, u64),
    release: &'r str,
    /// Whether the calendar ends before the bound: it is that release or a later one.
    or_later: bool,
    group: &'r str,
    what: What,
}

impl Key<'_> {
    /// "removed in 1.25"
    fn words(&self) -> String {
        let or_later = if self.or_later { " or later" } else { "" };
        format!("{} {}{or_later}", self.what.names().1, self.release)
    }
}

/// An element and what happens to it.
#[derive(Debug)]
struct Entry<'r> {
    element: Rc<ElementReport<'r>>,
    event: ElementEvent<'r>,
}

/// The plan as a calendar.
#[derive(Debug, Default)]
pub(super) struct Calendar<'r> {
    dated: BTreeMap<Key<'r>, Vec<Entry<'r>>>,
    undated: BTreeMap<Key<'r>, Vec<Entry<'r>>>,
}

impl<'r> Calendar<'r> {
    /// Gathers deprecations, hidings and removals, declared or planned, and the deadlines that no declared event meets.
    pub(super) fn of(report: &'r Report<'r>) -> Self {
        let mut calendar = Self::default();
        // What happens to a whole happens to its parts, which come after it in the report.
        let mut seen = BTreeSet::new();
        let wholes: BTreeSet<String> = report
            .elements
            .iter()
            .filter_map(|element| whole_of(&element))
            .collect();
        for element in report.elements.iter().map(Rc::new) {
            let group = heading(element.id).0;
            let whole = whole_of(&element);
            let has_kinds = whole.is_none() && wholes.contains(element.id);
            for event in events(&element) {
                // Each kind of an earlier life had a replacement of its own.
                if has_kinds && !event.in_last_life {
                    continue;
                }
                let (what, release) = (event.what, event.moment.release);
                let with_whole = whole
                    .as_ref()
                    .is_some_and(|whole| seen.contains(&(whole.clone(), what, release)));
                seen.insert((element.id.to_owned(), what, release));
                if !with_whole {
                    let element = Rc::clone(&element);
                    calendar.add(group, Entry { element, event });
                }
            }
        }
        calendar
    }

    fn add(&mut self, group: &'r str, entry: Entry<'r>) {
        let ElementEvent { what, moment, .. } = entry.event;
        let prefix = moment.release.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = moment.release[prefix.len()..].parse().unwrap_or_default();
        // Dates of the standard have years of four digits; a bound past the end of the calendar has no date yet.
        let day = moment.date.filter(|date| date.len() == 10 && !moment.at_least);
        let key = Key {
            day,
            series: (prefix, number),
            release: moment.release,
            or_later: moment.at_least,
            group,
            what,
        };
        let events = if day.is_some() {
            &mut self.dated
        } else {
            &mut self.undated
        };
        events.entry(key).or_default().push(entry);
    }

    /// How many events have no day, if any: their releases are symbolic, unscheduled, or past the end of the calendar.
    pub(crate) fn note_on_undated(&self) -> Option<String> {
        let undated = self.undated.len();
        let have = if undated == 1 { " has" } else { "s have" };
        (undated > 0).then(|| {
            format!(
                "{undated} event{have} no date, because the release is neither dated nor projected; a note in the \
                 calendar lists them"
            )
        })
    }

    /// Prints the calendar: all-day events by date, and a note (`VJOURNAL`) that lists the events without a date.
    ///
    /// An event is confirmed if all of it is declared and its date is not projected, and tentative otherwise. Its text
    /// says for each element whether it is declared or planned, and why. Control characters, and those that reverse the
    /// direction of text, become U+FFFD.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        begin("plan", "Deprecations and removals", out)?;
        for (key, entries) in &self.dated {
            event(out, key, entries)?;
        }
        // The standard requires at least one component.
        if !self.undated.is_empty() || self.dated.is_empty() {
            self.note(out)?;
        }
        line(out, "END:VCALENDAR")
    }

    fn note(&self, out: &mut impl Write) -> io::Result<()> {
        let count = self.undated.len();
        let (summary, list) = if count == 0 {
            ("Nothing is deprecated, hidden or removed".to_owned(), String::new())
        } else {
            let plural = if count == 1 { " has" } else { "s have" };
            let lines = self.undated.iter().map(|(key, entries)| summary(key, entries));
            let lines: Vec<String> = lines.collect();
            (format!("{count} event{plural} no date yet"), lines.join("\n"))
        };
        journal(&["no date"], &summary, &list, out)
    }
}

/// The beginning of a calendar of a command.
fn begin(command: &str, name: &str, out: &mut impl Write) -> io::Result<()> {
    line(out, "BEGIN:VCALENDAR")?;
    line(out, "VERSION:2.0")?;
    line(out, &format!("PRODID:-//lifecycle//{command}//EN"))?;
    line(out, "CALSCALE:GREGORIAN")?;
    text(out, "NAME", name)?;
    text(out, "X-WR-CALNAME", name)
}

/// A note without a date.
fn journal(names: &[&str], summary: &str, description: &str, out: &mut impl Write) -> io::Result<()> {
    line(out, "BEGIN:VJOURNAL")?;
    line(out, &format!("UID:{}", uid(names)))?;
    // The standard requires a stamp.
    line(out, "DTSTAMP:19700101T000000Z")?;
    text(out, "SUMMARY", summary)?;
    if !description.is_empty() {
        text(out, "DESCRIPTION", description)?;
    }
    line(out, "STATUS:DRAFT")?;
    line(out, "END:VJOURNAL")
}

/// The id of what an element is part of: of a kind its version, of a member the kind.
fn whole_of(element: &ElementReport<'_>) -> Option<String> {
    let path = ElementPath::parse(element.id).ok()?;
    path.kind()?;
    Some(path.owner()?.to_string())
}

fn event(out: &mut impl Write, key: &Key<'_>, entries: &[Entry<'_>]) -> io::Result<()> {
    let day = key.day.unwrap_or_default().replace('-', "");
    let slug = key.what.names().0;
    let mut moments = entries.iter().map(|entry| entry.event.moment);
    let certain = moments.all(|moment| moment.date_kind != DateKind::Projected && origin(moment) != "planned");
    let status = if certain { "CONFIRMED" } else { "TENTATIVE" };
    line(out, "BEGIN:VEVENT")?;
    line(out, &format!("UID:{}", uid(&[key.group, slug, key.release])))?;
    line(out, &format!("DTSTAMP:{day}T000000Z"))?;
    line(out, &format!("DTSTART;VALUE=DATE:{day}"))?;
    text(out, "SUMMARY", &summary(key, entries))?;
    text(out, "DESCRIPTION", &description(key, entries))?;
    text(out, "CATEGORIES", slug)?;
    line(out, &format!("STATUS:{status}"))?;
    line(out, "TRANSP:TRANSPARENT")?;
    line(out, "END:VEVENT")
}

/// "apps/v1beta1 removed in 1.16", "gates: 12 removed in 1.33 (planned)".
fn summary(key: &Key<'_>, entries: &[Entry<'_>]) -> String {
    let who = match entries {
        [entry] => entry.element.id.to_owned(),
        several => format!("{}: {}", key.group, several.len()),
    };
    let planned = entries
        .iter()
        .filter(|entry| origin(entry.event.moment) == "planned")
        .count();
    let how = match planned {
        0 => "",
        all if all == entries.len() => " (planned)",
        _ => " (partly planned)",
    };
    format!("{who} {}{how}", key.words())
}

/// The kind of date, each element with its origin and its replacement, and the explanations.
fn description(key: &Key<'_>, entries: &[Entry<'_>]) -> String {
    let kind = entries.first().map(|entry| entry.event.moment.date_kind);
    let sure = match kind {
        Some(DateKind::Actual) => "has shipped",
        Some(DateKind::Announced) => "is announced for this day",
        Some(DateKind::Projected | DateKind::Symbolic) | None => {
            "has no date yet: this day is projected from the cadence"
        }
    };
    let mut text = format!("{} {sure}.\n", key.release);
    for Entry { element, event } in entries {
        let _ = write!(text, "\n{}", element.id);
        if !key.what.is_deadline() {
            let _ = write!(text, " ({})", origin(event.moment));
        }
        for (label, value) in [
            ("use ", element.migrate_to.filter(|_| event.in_last_life)),
            ("owner ", element.owner),
            ("see ", element.tracking),
        ] {
            if let Some(value) = value {
                let _ = write!(text, ", {label}{value}");
            }
        }
    }
    let mut seen = BTreeSet::new();
    // Reasons are about the last life.
    let last = entries.iter().filter(|entry| entry.event.in_last_life);
    for reason in last.flat_map(|entry| &entry.element.because) {
        let reason = fact(reason);
        if seen.is_empty() {
            text.push_str("\n\nWhy:");
        }
        if seen.insert(reason.clone()) {
            let _ = write!(text, "\n{reason}");
        }
    }
    text
}

/// A UID made of names.
fn uid(names: &[&str]) -> Uuid {
    // No name has a line break in it.
    Uuid::new_v5(&NAMESPACE, names.join("\n").as_bytes())
}

/// Writes a property whose value is text.
fn text(out: &mut impl Write, name: &str, value: &str) -> io::Result<()> {
    let mut content = format!("{name}:");
    for c in visible(value).chars() {
        match c {
            '\\' | ';' | ',' => content.extend(['\\', c]),
            // Some readers take Unicode's separators for the end of a content line.
            '\n' | '\u{2028}' | '\u{2029}' => content.push_str("\\n"),
            c => content.push(c),
        }
    }
    line(out, &content)
}

/// Writes a content line, folded so that none is too long and no character is cut.
fn line(out: &mut impl Write, content: &str) -> io::Result<()> {
    let mut rest = content;
    let mut width = WIDTH;
    while rest.len() > width {
        let end = (0..=width).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(width);
        let (part, after) = rest.split_at(end);
        write!(out, "{part}\r\n ")?;
        rest = after;
        // The space before the continuation counts.
        width = WIDTH - 1;
    }
    write!(out, "{rest}\r\n")
}

/// Something to be done on a day.
#[derive(Debug)]
pub(super) struct Task {
    /// `2022-08-23`
    pub(super) day: String,
    /// What identifies it.
    pub(super) names: [String; 3],
    pub(super) summary: String,
    pub(super) description: String,
    /// Whether it is declared.
    pub(super) is_certain: bool,
}

/// What a calendar says beside its events.
#[derive(Debug)]
pub(super) struct Note {
    /// What identifies it.
    pub(super) names: [&'static str; 2],
    pub(super) summary: &'static str,
    pub(super) description: String,
}

/// Prints a calendar of tasks, all-day events, and a note; without any of these, a note that there is none.
pub(super) fn tasks(name: &str, tasks: &[Task], note: Option<&Note>, out: &mut impl Write) -> io::Result<()> {
    begin("agenda", name, out)?;
    for task in tasks {
        let day = task.day.replace('-', "");
        let [element, what, how] = &task.names;
        line(out, "BEGIN:VEVENT")?;
        line(out, &format!("UID:{}", uid(&["task", element, what, how])))?;
        line(out, &format!("DTSTAMP:{day}T000000Z"))?;
        line(out, &format!("DTSTART;VALUE=DATE:{day}"))?;
        text(out, "SUMMARY", &task.summary)?;
        text(out, "DESCRIPTION", &task.description)?;
        text(out, "CATEGORIES", how)?;
        line(
            out,
            &format!("STATUS:{}", if task.is_certain { "CONFIRMED" } else { "TENTATIVE" }),
        )?;
        line(out, "TRANSP:TRANSPARENT")?;
        line(out, "END:VEVENT")?;
    }
    match note {
        Some(note) => journal(&note.names, note.summary, &note.description, out)?,
        None if tasks.is_empty() => journal(&["task", "none"], "Nothing to do on a known day", "", out)?,
        None => {}
    }
    line(out, "END:VCALENDAR")
}
