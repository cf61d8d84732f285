//! Release notes that people wrote, compared with what the model announces: missing items, missing marks, wrong dates.
//!
//! Names and stems of words ("remov", "deprecat") are searched for, block by block, and an item that names several
//! elements is not dated: an unclear text is not reported.

mod mention;
mod page;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::grammar::EventKind;
use crate::model::{Model, in_shell};
use crate::release::{Calendar, DateKind, Release};
use crate::report::{
    AnnouncedEvent, AnnouncementReport, ExceptionReport, Moment, NotesReport, ReleaseNotesReport, SubjectReport,
};
use crate::source::{FileId, Span};

use mention::{DateMention, Mentions};
use page::Block;

/// The page of these findings.
pub const PAGE: Page = Page {
    slug: "notes",
    title: "Release notes that people wrote, compared with what the model announces.",
    text: include_str!("notes.md"),
    codes: &[
        ("missing", Severity::Error),
        ("unmarked", Severity::Error),
        ("misdated", Severity::Error),
        ("untold", Severity::Note),
    ],
};

/// Words that mark what users must act on, in an item or above it.
const MARKS: [&str; 6] = [
    "action required",
    "action-required",
    "urgent",
    "must read",
    "breaking",
    "must do",
];

/// Compares notes with what is announced. `model` knows the names of releases.
///
/// All findings are errors; the caller sets their severity. If headings name the announced releases, only what is under
/// them counts: a changelog has other releases too.
pub(crate) fn proofread(file: FileId, text: &str, notes: &NotesReport<'_>, model: &Model) -> Vec<Diagnostic> {
    let blocks = page::blocks(text);
    let sections = Sections::of(&blocks, &model.calendar);
    let mut diagnostics = Vec::new();
    let (own, shared): (Vec<_>, Vec<_>) = notes.releases.iter().partition(|of| sections.has(of.release.release));
    for of in own {
        let part = sections.under(of.release.release);
        diagnostics.extend(compare(file, model, part, &[of]));
    }
    let rest = if sections.are_by_release() { &[][..] } else { &blocks };
    diagnostics.extend(compare(file, model, rest, &shared));
    diagnostics.dedup_by(|a, b| a.message == b.message && a.primary == b.primary);
    diagnostics
}

/// Compares a part of a page with the releases that it should announce.
fn compare(file: FileId, model: &Model, part: &[Block], releases: &[&ReleaseNotesReport<'_>]) -> Vec<Diagnostic> {
    let sections = releases.iter().flat_map(|of| &of.sections);
    let items: Vec<&AnnouncementReport<'_>> = sections.flat_map(|section| &section.items).collect();
    let reader = Reader {
        file,
        model,
        calendar: &model.calendar,
        title: part.first().map_or(0..0, |block| block.place.clone()),
        mentions: Mentions::of(part, &items),
        part,
    };
    let mut diagnostics = Vec::new();
    for (at, item) in items.iter().enumerate() {
        reader.announcement(at, item, &mut diagnostics);
    }
    for of in releases {
        let exceptions = of.exceptions.iter();
        let missing = exceptions.filter(|exception| !reader.mentions_exception(exception.element));
        diagnostics.extend(missing.map(|exception| reader.missing_exception(exception, of.release)));
    }
    diagnostics
}

/// The parts of a page that are each about one release: their headings name it, and no other.
struct Sections<'b> {
    blocks: &'b [Block],
    /// The release that a heading is about, by the heading's position.
    headings: Vec<(usize, String)>,
}

impl<'b> Sections<'b> {
    fn of(blocks: &'b [Block], calendar: &Calendar) -> Self {
        let headings = blocks.iter().enumerate().filter(|(_, block)| block.level > 0);
        Self {
            blocks,
            headings: headings
                .filter_map(|(at, heading)| Some((at, only_release(heading, calendar)?)))
                .collect(),
        }
    }

    fn has(&self, release: &str) -> bool {
        self.headings.iter().any(|(_, about)| about == release)
    }

    /// Whether the page is divided by releases, so that nothing about one of them is elsewhere.
    fn are_by_release(&self) -> bool {
        !self.headings.is_empty()
    }

    /// The heading about a release, and what is under it.
    fn under(&self, release: &str) -> &'b [Block] {
        let Some((start, _)) = self.headings.iter().find(|(_, about)| about == release) else {
            return &[];
        };
        let level = self.blocks[*start].level;
        let mut after = self.blocks[start + 1..].iter();
        let length = after.position(|block| block.level > 0 && block.level <= level);
        &self.blocks[*start..length.map_or(self.blocks.len(), |length| start + 1 + length)]
    }
}

fn only_release(heading: &Block, calendar: &Calendar) -> Option<String> {
    let words = mention::words(&heading.text).map(|(_, word)| mention::release_name(word));
    let releases = words.filter_map(|word| Some(calendar.name(calendar.find(word).ok()?)));
    let mut releases = releases.collect::<BTreeSet<String>>().into_iter();
    releases.next().filter(|_| releases.next().is_none())
}

struct Reader<'n> {
    file: FileId,
    model: &'n Model,
    calendar: &'n Calendar,
    part: &'n [Block],
    /// Where the part about the release begins.
    title: Range<usize>,
    mentions: Mentions<'n>,
}

impl Reader<'_> {
    fn announcement(&self, at: usize, item: &AnnouncementReport<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let name = item.element.id;
        let what = format!("{name}: {} in {}", change(item), item.release.release);
        let blocks = self.mentions.blocks(at);
        let Some(first) = blocks.first() else {
            let code = if is_important(item) { "missing" } else { "untold" };
            let message = format!("{what}, but the notes do not mention it");
            let diagnostic = self.diagnostic(code, message, self.title.clone(), "", name);
            return diagnostics.push(diagnostic.help(self.draft_command(item.release)));
        };
        if item.action_required && !blocks.iter().any(|block| mention::says(block, &MARKS)) {
            let message = format!("{what}: users must act, but the notes do not say so");
            let diagnostic = self.diagnostic("unmarked", message, first.place.clone(), "mentioned here", name);
            let help = "write \"action required\", or move it under the urgent notes";
            diagnostics.push(diagnostic.help(help));
        }
        let dates = self.mentions.dates(at);
        diagnostics.extend(dates.filter_map(|date| self.misdated(&item.element, &date)));
    }

    /// Whether a block that names an element, or what is above it, mentions an exception.
    fn mentions_exception(&self, element: &str) -> bool {
        self.part
            .iter()
            .any(|block| mention::has(block, element) && mention::says(block, &["exception", "except"]))
    }

    fn missing_exception(&self, exception: &ExceptionReport<'_>, release: Moment<'_>) -> Diagnostic {
        let (element, rule) = (exception.element, exception.violation());
        let message = format!("{element}: an exception from {rule} is in force, but the notes do not mention it");
        self.diagnostic("missing", message, self.title.clone(), "", element)
            .help(self.draft_command(release))
    }

    /// What is wrong with a release or a date that the notes give for an event.
    fn misdated(&self, element: &SubjectReport<'_>, date: &DateMention<'_>) -> Option<Diagnostic> {
        let earliest = element.earliest_removal.filter(|_| date.event == EventKind::Removed);
        let expected = match date.event {
            EventKind::Deprecated => element.deprecated,
            EventKind::Hidden => element.hidden,
            _ => element.removed.or(element.earliest_removal),
        }?;
        let fits = if date.is_day {
            expected.date == Some(date.text) || earliest.is_some_and(|moment| moment.date == Some(date.text))
        } else {
            self.fits(self.calendar.find(date.text).ok()?, expected, earliest, date)
        };
        if fits {
            return None;
        }
        let (id, event) = (element.id, date.event);
        let (bound, moment) = if expected.declared == Some(false) {
            ("no earlier than", in_words(earliest.unwrap_or(expected)))
        } else {
            ("in", in_words(expected))
        };
        let message = format!("{id} is {event} {bound} {moment}, but the notes say {}", date.text);
        let help = format!("write {moment}");
        Some(
            self.diagnostic("misdated", message, date.place.clone(), "", id)
                .help(help),
        )
    }

    /// Whether a release is the one of an event. For a planned event, the notes may give a later one; for a declared
    /// event, they may give the earliest possible one as a bound.
    fn fits(
        &self,
        release: Release,
        expected: Moment<'_>,
        earliest: Option<Moment<'_>>,
        date: &DateMention<'_>,
    ) -> bool {
        let expected_in = self.calendar.find(expected.release).ok();
        let earliest_in = earliest.and_then(|moment| self.calendar.find(moment.release).ok());
        let is_planned = expected.declared == Some(false);
        Some(release) == expected_in
            || is_planned && earliest_in.or(expected_in).is_some_and(|earliest| release >= earliest)
            || date.is_bound && Some(release) == earliest_in
    }

    fn draft_command(&self, release: Moment<'_>) -> String {
        let draft = self
            .model
            .command_line(&format!("notes --release {}", in_shell(release.release)));
        format!("`{draft}` drafts it")
    }

    fn diagnostic(
        &self,
        code: &'static str,
        message: String,
        place: Range<usize>,
        label: &str,
        id: &str,
    ) -> Diagnostic {
        let [start, end] = [place.start, place.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        let span = Span {
            file: self.file,
            start,
            end,
        };
        Diagnostic::error(PAGE.slug, code, message).at(span, label).about(id)
    }
}

/// Whether notes without it mislead users.
fn is_important(item: &AnnouncementReport<'_>) -> bool {
    let ends = item.event.is(EventKind::Deprecated) || item.event.is(EventKind::Removed);
    item.action_required || ends
}

fn change(item: &AnnouncementReport<'_>) -> String {
    match (item.event, item.from, item.to) {
        (AnnouncedEvent::Event(what), Some(from), Some(to))
            if what == EventKind::Preferred || what == EventKind::Stored =>
        {
            format!("the {what} version moves from {from} to {to}")
        }
        (event, ..) => event.as_str().replace('-', " "),
    }
}

fn in_words(moment: Moment<'_>) -> String {
    match (moment.date, moment.date_kind) {
        (Some(date), DateKind::Projected) => format!("{} (projected {date})", moment.release),
        (Some(date), _) => format!("{} ({date})", moment.release),
        (None, _) => moment.release.to_owned(),
    }
}
