//! Notes that people wrote, held against what is planned: what they do not mention, do not mark, or date wrongly.

mod mention;
mod page;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::grammar::EventKind;
use crate::release::{Calendar, DateKind, Release};
use crate::report::{
    AnnouncedEvent, AnnouncementReport, ExceptionReport, Moment, NotesReport, ReleaseNotesReport, SubjectReport,
};
use crate::source::{FileId, Span};

use mention::{Mentions, Said};
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

/// Words that mark what asks users to do something, in an item or over it.
const MARKS: [&str; 6] = [
    "action required",
    "action-required",
    "urgent",
    "must read",
    "breaking",
    "must do",
];

/// Holds notes against what is announced. `calendar` tells the names of releases.
///
/// The findings are errors; whoever asks grades them. If headings name the releases told of, only what stands under
/// them counts: a changelog has other releases too.
pub fn proofread(file: FileId, text: &str, notes: &NotesReport<'_>, calendar: &Calendar) -> Vec<Diagnostic> {
    let blocks = page::blocks(text);
    let sections = Sections::of(&blocks, calendar);
    let mut found = Vec::new();
    let (own, shared): (Vec<_>, Vec<_>) = notes.releases.iter().partition(|of| sections.has(of.release.release));
    for of in own {
        found.extend(read(file, calendar, sections.under(of.release.release), &[of]));
    }
    let rest = if sections.are_by_release() { &[][..] } else { &blocks };
    found.extend(read(file, calendar, rest, &shared));
    found.dedup_by(|a, b| a.message == b.message && a.primary == b.primary);
    found
}

/// Holds a part of a page against the releases that it is to tell of.
fn read(file: FileId, calendar: &Calendar, part: &[Block], releases: &[&ReleaseNotesReport<'_>]) -> Vec<Diagnostic> {
    let sections = releases.iter().flat_map(|of| &of.sections);
    let items: Vec<&AnnouncementReport<'_>> = sections.flat_map(|section| &section.items).collect();
    let reader = Reader {
        file,
        calendar,
        title: part.first().map_or(0..0, |block| block.place.clone()),
        mentions: Mentions::of(part, &items),
        part,
    };
    let mut found = Vec::new();
    for (at, item) in items.iter().enumerate() {
        reader.read(at, item, &mut found);
    }
    for of in releases {
        let untold = of
            .exceptions
            .iter()
            .filter(|exception| !reader.tells_exception(exception.element));
        found.extend(untold.map(|exception| reader.exception(exception, of.release)));
    }
    found
}

/// The parts of a page that are each about one release: their headings name it, and no other.
struct Sections<'b> {
    blocks: &'b [Block],
    /// Which release a heading is about, by the heading's position.
    headings: Vec<(usize, String)>,
}

impl<'b> Sections<'b> {
    fn of(blocks: &'b [Block], calendar: &Calendar) -> Self {
        let headings = blocks.iter().enumerate().filter(|(_, block)| block.level > 0);
        let about = |(at, block): (usize, &Block)| {
            let words = mention::words(&block.text).map(|(_, word)| mention::release_name(word));
            let named: BTreeSet<String> = words
                .filter_map(|word| Some(calendar.name(calendar.find(word).ok()?)))
                .collect();
            let mut named = named.into_iter();
            named
                .next()
                .filter(|_| named.next().is_none())
                .map(|release| (at, release))
        };
        Self {
            blocks,
            headings: headings.filter_map(about).collect(),
        }
    }

    fn has(&self, release: &str) -> bool {
        self.headings.iter().any(|(_, about)| about == release)
    }

    /// Whether the page is divided by releases, so that what it says of one does not stand elsewhere.
    fn are_by_release(&self) -> bool {
        !self.headings.is_empty()
    }

    /// The heading about a release, and what stands under it.
    fn under(&self, release: &str) -> &'b [Block] {
        let Some((start, _)) = self.headings.iter().find(|(_, about)| about == release) else {
            return &[];
        };
        let level = self.blocks[*start].level;
        let after = &self.blocks[start + 1..];
        let ends = |block: &Block| block.level > 0 && block.level <= level;
        let length = after.iter().position(ends).unwrap_or(after.len());
        &self.blocks[*start..=start + length]
    }
}

struct Reader<'n> {
    file: FileId,
    calendar: &'n Calendar,
    part: &'n [Block],
    /// Where the part about the release begins.
    title: Range<usize>,
    mentions: Mentions<'n>,
}

impl Reader<'_> {
    fn read(&self, at: usize, item: &AnnouncementReport<'_>, found: &mut Vec<Diagnostic>) {
        let name = item.element.id;
        let release = item.release.release;
        let what = format!("{name}: {} in {release}", verb(item));
        let blocks = self.mentions.blocks(at);
        if blocks.is_empty() {
            let grave = item.action_required
                || matches!(
                    item.event,
                    AnnouncedEvent::Event(EventKind::Deprecated | EventKind::Removed)
                );
            let code = if grave { "missing" } else { "untold" };
            let message = format!("{what}, and the notes do not mention it");
            let help = drafts(item.release);
            found.push(self.finding(code, message, self.title.clone(), "", name).help(help));
            return;
        }
        let marked = |block: &&Block| mention::says(block, &MARKS);
        if item.action_required && !blocks.iter().any(marked) {
            let message = format!("{what}, which asks users to act, and the notes do not say so");
            let place = blocks[0].place.clone();
            let help = "write \"action required\", or move it below the urgent notes";
            found.push(
                self.finding("unmarked", message, place, "mentioned here", name)
                    .help(help),
            );
        }
        for said in self.mentions.dates(at) {
            found.extend(self.misdated(&item.element, &said));
        }
    }

    /// Whether the exception of an element is told: an item that names it, or what stands over it, speaks of one.
    fn tells_exception(&self, element: &str) -> bool {
        self.part
            .iter()
            .any(|block| mention::has(block, element) && mention::says(block, &["exception", "except"]))
    }

    fn exception(&self, exception: &ExceptionReport<'_>, release: Moment<'_>) -> Diagnostic {
        let (element, rule) = (exception.element, exception.rule);
        let message = format!("{element}: an exception from {rule} holds, and the notes do not mention it");
        self.finding("missing", message, self.title.clone(), "", element)
            .help(drafts(release))
    }

    /// What is wrong with a release or a day that the notes give for an event.
    fn misdated(&self, element: &SubjectReport<'_>, said: &Said<'_>) -> Option<Diagnostic> {
        let expected = match said.event {
            EventKind::Deprecated => element.deprecated,
            EventKind::Hidden => element.hidden,
            _ => element.removed.or(element.earliest_removal),
        };
        let soonest = if said.event == EventKind::Removed {
            element.earliest_removal
        } else {
            None
        };
        let expected = expected?;
        let fits = if said.is_day {
            [Some(expected), soonest]
                .iter()
                .flatten()
                .any(|moment| moment.date == Some(said.text))
        } else {
            let release = self.calendar.find(said.text).ok()?;
            self.fits(release, expected, soonest, said)
        };
        if fits {
            return None;
        }
        let (id, event) = (element.id, said.event);
        let planned = expected.declared == Some(false);
        let sooner = if planned { "no earlier than " } else { "" };
        let is = in_words(if planned { soonest.unwrap_or(expected) } else { expected });
        let message = format!("{id} is {event} {sooner}in {is}, and the notes say {}", said.text);
        let message = message.replace("no earlier than in", "no earlier than");
        let help = format!("write {is}");
        Some(self.finding("misdated", message, said.place.clone(), "", id).help(help))
    }

    /// Whether a release is the one of an event. What is only planned may be said to come later; of what is declared it
    /// may be said how soon it could be.
    fn fits(&self, said: Release, expected: Moment<'_>, soonest: Option<Moment<'_>>, how: &Said<'_>) -> bool {
        let find = |moment: Moment<'_>| self.calendar.find(moment.release).ok();
        let (expected_in, soonest_in) = (find(expected), soonest.and_then(find));
        let is_planned = expected.declared == Some(false);
        Some(said) == expected_in
            || is_planned && soonest_in.or(expected_in).is_some_and(|soonest| said >= soonest)
            || how.is_bound && Some(said) == soonest_in
    }

    fn finding(&self, code: &'static str, message: String, place: Range<usize>, label: &str, id: &str) -> Diagnostic {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span {
            file: self.file,
            start: offset(place.start),
            end: offset(place.end),
        };
        Diagnostic::error(PAGE.slug, code, message).at(span, label).about(id)
    }
}

fn drafts(release: Moment<'_>) -> String {
    format!("`lifecycle notes --release {}` drafts it", release.release)
}

fn verb(item: &AnnouncementReport<'_>) -> String {
    match (item.event, item.from, item.to) {
        (AnnouncedEvent::Event(what @ (EventKind::Preferred | EventKind::Stored)), Some(from), Some(to)) => {
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
