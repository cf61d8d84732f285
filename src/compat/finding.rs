//! Judgements as findings: with the number of a rule, a severity and a place in the schema's text.
//!
//! `check` and `diff` share this, so severity overrides, baselines and the formats for build servers treat changes of
//! schemas like any other finding.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Fact, Severity};
use crate::lint;
use crate::policy::Law;
use crate::schema::Verdict::{Breaking, Risky};
use crate::source::Location;
use crate::source::{FileId, SourceFile, Sources, Span};

use super::Judgement;

/// Places of a shared schema that a finding names.
const MOST_ALSO: usize = 8;

/// The texts of schemas, by the file names that judgements carry.
#[derive(Debug, Default)]
pub struct Texts<'t>(BTreeMap<&'t str, (FileId, Words<'t>)>);

#[derive(Debug)]
enum Words<'t> {
    InText(Box<SourceFile<'t>>),
    Found(&'t PointedWords),
}

/// The words of a text at which findings point, so that the text need not be held.
#[derive(Debug, Default)]
pub struct PointedWords {
    spans: BTreeMap<Location, Span>,
    locations: BTreeMap<u32, Location>,
    /// How many bytes were looked at.
    length: u32,
}

impl PointedWords {
    /// Finds the words at some places of the text in its next document, which begins at a line.
    pub fn find(&mut self, line: u32, document: &str, places: &BTreeSet<Location>) {
        let file = SourceFile::new("", document);
        let begin = self.length;
        self.locations.insert(0, Location { line: 1, column: 1 });
        let lines = u32::try_from(document.lines().count()).unwrap_or(u32::MAX);
        let [from, to] = [line, line.saturating_add(lines)].map(|line| Location { line, column: 0 });
        for place in places.range(from..to) {
            let own = Location {
                line: place.line - line + 1,
                ..*place
            };
            let Some(span) = lint::span(Sources::BASE, &file, own, "") else {
                continue;
            };
            for offset in [span.start, span.end] {
                self.locations.insert(begin + offset, file.location(offset).below(line));
            }
            let (start, end) = (begin + span.start, begin + span.end);
            self.spans.insert(*place, Span { start, end, ..span });
        }
        self.length = u32::try_from(document.len()).map_or(u32::MAX, |length| begin.saturating_add(length));
    }

    /// Where the words begin and end, by byte offset.
    pub fn locations(&self) -> &BTreeMap<u32, Location> {
        &self.locations
    }
}

impl<'t> Texts<'t> {
    /// No texts yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text. If two have the same name, the first one counts.
    pub fn add(&mut self, name: &'t str, file: FileId, text: &'t str) {
        self.0
            .entry(name)
            .or_insert_with(|| (file, Words::InText(Box::new(SourceFile::new(name, text)))));
    }

    /// Adds a text that is not held. If two have the same name, the first one counts.
    pub fn add_words(&mut self, name: &'t str, file: FileId, words: &'t PointedWords) {
        self.0.entry(name).or_insert((file, Words::Found(words)));
    }

    /// The word at a place of a text; the start of the text where the place is not known or not in it.
    pub(super) fn span(&self, name: &str, place: Option<Location>) -> Option<Span> {
        let (id, words) = self.0.get(name)?;
        let span = place.and_then(|place| match words {
            Words::InText(file) => lint::span(*id, file, place, ""),
            Words::Found(words) => words.spans.get(&place).map(|span| Span { file: *id, ..*span }),
        });
        Some(span.unwrap_or(Span {
            file: *id,
            start: 0,
            end: 0,
        }))
    }
}

/// Judgements as findings, ordered by place; what is off is left out. The law numbers their rules.
pub(crate) fn findings<'j>(
    judgements: impl IntoIterator<Item = &'j Judgement>,
    texts: &Texts<'_>,
    law: &Law,
) -> Vec<Diagnostic> {
    let in_force = judgements
        .into_iter()
        .filter(|judgement| judgement.severity > Severity::Off);
    let mut findings: Vec<Diagnostic> = in_force.map(|judgement| finding(judgement, texts, law)).collect();
    findings.sort_by(Diagnostic::listing_order);
    findings
}

/// A judgement as a finding.
pub(crate) fn finding(judgement: &Judgement, texts: &Texts<'_>, law: &Law) -> Diagnostic {
    let (rule, code) = (judgement.rule(), judgement.change.kind.as_str());
    let newest = law.editions().last();
    let element = judgement.element();
    let message = format!("{element}: {}", judgement.message);
    let mut finding = Diagnostic::error(rule, code, message).severity(judgement.severity);
    finding.number = newest.and_then(|newest| newest.policy.rules.get(rule)?.number.clone());
    finding.element = Some(element);
    finding.because = facts(judgement);
    finding.help.clone_from(&judgement.help);
    finding.known = judgement.known;
    let file = judgement.file.as_ref();
    match file.and_then(|name| texts.span(name, judgement.place())) {
        // What was removed has no place in the files that are checked.
        Some(span) if span.file >= Sources::BASE => finding.seen_at(span, "it was here"),
        Some(span) => finding.at(span, ""),
        None => finding,
    }
}

/// Which clients break, why, where else, and an object that shows it.
fn facts(judgement: &Judgement) -> Vec<Fact> {
    let example = judgement.example.as_ref();
    let texts = [
        affected_clients(judgement).map(str::to_owned),
        judgement.reason.clone(),
        also(judgement),
        example.map(|object| format!("for example: {object}")),
    ];
    let texts = texts.into_iter().flatten();
    texts
        .map(|text| Fact {
            text,
            ..Fact::default()
        })
        .collect()
}

fn also(judgement: &Judgement) -> Option<String> {
    let named = judgement.also.iter().take(MOST_ALSO).map(String::as_str);
    let named = named.collect::<Vec<_>>().join(", ");
    match judgement.also.len().saturating_sub(MOST_ALSO) {
        _ if named.is_empty() => None,
        0 => Some(format!("the same applies to {named}")),
        more => Some(format!("the same applies to {named} and {more} more")),
    }
}

fn affected_clients(judgement: &Judgement) -> Option<&'static str> {
    match (judgement.writers, judgement.readers) {
        (Breaking, Breaking) => Some("it breaks clients that write objects and clients that read them"),
        (Breaking, _) => Some("it breaks clients that write objects"),
        (_, Breaking) => Some("it breaks clients that read objects"),
        (Risky, Risky) => Some("it is risky for clients that write objects and for clients that read them"),
        (Risky, _) => Some("it is risky for clients that write objects"),
        (_, Risky) => Some("it is risky for clients that read objects"),
        _ => None,
    }
}
