//! Feeds: deprecations as JSON, one per line, and their announcements in Atom (RFC 4287).
//!
//! There is no clock here: an entry of the Atom feed is as old as the release that it is about. Its id is made of the
//! element and the event, so that a release that is added adds entries, and changes no other.

use std::fmt::Write as _;
use std::io::{self, Write};

use uuid::Uuid;

use crate::grammar::EventKind;
use crate::report::{FeedEntry, FeedReport, FeedStep};

use super::json::WithoutControls;
use super::visible;
use super::xml::Escaped;

/// The namespace of the ids.
const NAMESPACE: Uuid = Uuid::from_u128(0x2d9a_51c4_7e38_4f06_8b0d_c6e1_94a7_30f2);

/// The most entries of an Atom feed, the newest ones.
const MOST_ENTRIES: usize = 1000;

/// Prints the list in JSON, an element per line.
pub fn json(report: &FeedReport<'_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{{")?;
    writeln!(out, "  \"feed_version\": {},", report.feed_version)?;
    write!(out, "  \"current\": ")?;
    serde_json::to_writer(WithoutControls(&mut *out), &report.current)?;
    write!(out, ",\n  \"deprecations\": [")?;
    for (at, entry) in report.deprecations.iter().enumerate() {
        write!(out, "{}\n    ", if at == 0 { "" } else { "," })?;
        serde_json::to_writer(WithoutControls(&mut *out), entry)?;
    }
    let end = if report.deprecations.is_empty() { "" } else { "\n  " };
    writeln!(out, "{end}]\n}}")
}

/// Something that a release announced.
type Announcement<'r, 'a> = (&'a str, &'r FeedEntry<'a>, FeedStep<'a>);

/// Prints an Atom feed of what has shipped, the newest first; how much of that has no date. `id` is the address or name
/// of the feed.
pub fn atom(report: &FeedReport<'_>, (title, id): (&str, &str), out: &mut impl Write) -> io::Result<usize> {
    let all = report.deprecations.iter();
    let all = all.flat_map(|entry| entry.steps.iter().map(move |step| (entry, *step)));
    let shipped: Vec<(&FeedEntry<'_>, FeedStep<'_>)> = all.filter(|(_, step)| step.shipped != Some(false)).collect();
    let dated = shipped
        .iter()
        .filter_map(|(entry, step)| Some((step.at.date?, *entry, *step)));
    let mut dated: Vec<Announcement<'_, '_>> = dated.collect();
    dated.sort_by(|one, other| {
        let by_day = other.0.cmp(one.0);
        by_day.then_with(|| (one.1.subject, one.2.event).cmp(&(other.1.subject, other.2.event)))
    });
    let undated = shipped.len() - dated.len();
    dated.truncate(MOST_ENTRIES);
    let updated = dated.first().map_or("1970-01-01", |(day, ..)| *day);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<feed xmlns=\"http://www.w3.org/2005/Atom\">")?;
    writeln!(out, "  <id>{}</id>", Escaped(&address(id)))?;
    writeln!(out, "  <title>{}</title>", Escaped(&visible(title)))?;
    writeln!(out, "  <updated>{updated}T00:00:00Z</updated>")?;
    writeln!(out, "  <author><name>{}</name></author>", Escaped(&visible(title)))?;
    for announcement in dated {
        entry(id, announcement, out)?;
    }
    writeln!(out, "</feed>")?;
    Ok(undated)
}

/// An address as it is, or a name as an id.
fn address(id: &str) -> String {
    if id.contains(':') {
        return id.to_owned();
    }
    Uuid::new_v5(&NAMESPACE, id.as_bytes()).urn().to_string()
}

fn entry(feed: &str, (day, entry, step): Announcement<'_, '_>, out: &mut impl Write) -> io::Result<()> {
    let (subject, event) = (entry.subject, step.event);
    let id = Uuid::new_v5(&NAMESPACE, [feed, subject, event.as_str()].join("\n").as_bytes());
    let title = format!("{subject} {} in {}", event.verb(), step.at.release);
    writeln!(out, "  <entry>")?;
    writeln!(out, "    <id>{}</id>", id.urn())?;
    writeln!(out, "    <title>{}</title>", Escaped(&visible(&title)))?;
    writeln!(out, "    <updated>{day}T00:00:00Z</updated>")?;
    writeln!(out, "    <category term=\"{}\"/>", event.as_str())?;
    for link in &entry.links {
        writeln!(out, "    <link href=\"{}\"/>", Escaped(&visible(link)))?;
    }
    writeln!(
        out,
        "    <content type=\"text\">{}</content>",
        Escaped(&visible(&content(entry, step)))
    )?;
    writeln!(out, "  </entry>")
}

/// "gate `Frobber2D` is deprecated in 1.36. It is removed in 1.39 (planned). Use …. Owner: …."
fn content(entry: &FeedEntry<'_>, step: FeedStep<'_>) -> String {
    let mut text = format!("{} {} in {}.", entry.subject, step.event.verb(), step.at.release);
    let removed = entry.steps.iter().find(|other| other.event == EventKind::Removed);
    if let Some(removed) = removed.filter(|removed| removed.event != step.event) {
        let planned = if removed.declared { "" } else { " (planned)" };
        let _ = write!(text, " It is removed in {}{planned}.", removed.at.release);
    }
    if let Some(replacement) = entry.replacement {
        let _ = write!(text, " Use {replacement}.");
    }
    if let Some(owner) = entry.owner {
        let _ = write!(text, " Owner: {owner}.");
    }
    text
}
