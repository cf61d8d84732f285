//! Who is mentioned where, and what is said of when.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::grammar::{CORE, ElementKind, EventKind, VersionPath};
use crate::report::{AnnouncedEvent, AnnouncementReport, SubjectReport};

use super::page::Block;

/// Words by which an event is told. What is told of none is told by the name alone.
const VERBS: [(EventKind, &[&str]); 4] = [
    (
        EventKind::Removed,
        &[
            "remov",
            "no longer",
            "delet",
            "stop",
            "unavailable",
            "gone",
            "drop",
            "not served",
            "unserved",
        ],
    ),
    (EventKind::Deprecated, &["deprecat"]),
    (EventKind::Hidden, &["hidden", "hides", "hide "]),
    (EventKind::Locked, &["lock"]),
];

/// Words after which a release is when something came, or is said as a bound.
const SINCE: [&str; 5] = ["since", "available", "introduc", "added", "there from"];
const BOUNDS: [&str; 4] = ["earlier than", "not before", "earliest", "at least until"];

/// A release or a day that a block gives for an event.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said<'b> {
    /// Removed, deprecated or hidden.
    pub(super) event: EventKind,
    /// As written, without `v` and punctuation.
    pub(super) text: &'b str,
    /// Whether it is a day.
    pub(super) is_day: bool,
    /// Whether it is said as the soonest it can be.
    pub(super) is_bound: bool,
    /// Its place in the page.
    pub(super) place: Range<usize>,
}

/// Which blocks mention which announcements.
pub(super) struct Mentions<'b> {
    blocks: Vec<&'b Block>,
    /// Of each announcement, the blocks that tell it, by their positions.
    told: Vec<Vec<usize>>,
    /// Of each announcement, the blocks that name what it is about, and nothing else that is announced but what is to
    /// be used instead.
    alone: Vec<Vec<usize>>,
}

/// What an announcement is about: an element, of a version with the kinds that are told together.
type Subject<'i> = (&'i str, Option<&'i str>);

fn subject<'i>(item: &'i AnnouncementReport<'_>) -> Subject<'i> {
    (item.element.id, item.kinds.first().map(|kind| kind.id))
}

impl<'b> Mentions<'b> {
    pub(super) fn of(blocks: &'b [Block], items: &[&AnnouncementReport<'_>]) -> Self {
        let blocks: Vec<&Block> = blocks.iter().filter(|block| block.level == 0).collect();
        let kinds: BTreeSet<(&str, &str)> = items
            .iter()
            .flat_map(|item| item.kinds.iter().map(|kind| (item.element.id, kind.name)))
            .collect();
        let index = Index::of(&blocks);
        let mut subjects: Vec<BTreeMap<Subject<'_>, usize>> = vec![BTreeMap::new(); blocks.len()];
        let (mut told, mut named) = (Vec::new(), Vec::new());
        for (at, item) in items.iter().enumerate() {
            let candidates = index.candidates(needle(item)).iter().copied();
            let naming: Vec<usize> = candidates.filter(|block| names(blocks[*block], item, &kinds)).collect();
            for block in &naming {
                subjects[*block].entry(subject(item)).or_insert(at);
            }
            let telling = naming.iter().copied().filter(|block| tells(blocks[*block], item));
            told.push(telling.collect());
            named.push(naming);
        }
        let only: Vec<Option<Subject<'_>>> = subjects.iter().map(|subjects| only(subjects, items)).collect();
        let alone = items.iter().zip(named).map(|(item, named)| {
            let own = Some(subject(item));
            named.into_iter().filter(|block| only[*block] == own).collect()
        });
        Self {
            alone: alone.collect(),
            blocks,
            told,
        }
    }

    /// The blocks that tell an announcement, by its position.
    pub(super) fn blocks(&self, item: usize) -> Vec<&'b Block> {
        self.told[item].iter().map(|at| self.blocks[*at]).collect()
    }

    /// The releases and days given for events of what an announcement is about, where no other one can be meant.
    pub(super) fn dates(&self, item: usize) -> impl Iterator<Item = Said<'b>> {
        self.alone[item].iter().flat_map(|at| dates(self.blocks[*at]))
    }
}

/// The one subject that a block names, beside what is to be used instead of it.
fn only<'i>(subjects: &BTreeMap<Subject<'i>, usize>, items: &[&AnnouncementReport<'_>]) -> Option<Subject<'i>> {
    let instead = |of: &SubjectReport<'_>, id: &str| of.replacement == Some(id) || of.migrate_to == Some(id);
    let stands_in = |id: &str| {
        subjects.values().map(|at| items[*at]).any(|item| {
            item.element.id != id && (instead(&item.element, id) || item.kinds.iter().any(|kind| instead(kind, id)))
        })
    };
    let mut own = subjects.keys().filter(|(id, _)| !stands_in(id));
    own.next().copied().filter(|_| own.next().is_none())
}

/// Whether a block tells of an event: it, or what stands over it, has a word for that, and does not say that it is not
/// so.
fn tells(block: &Block, item: &AnnouncementReport<'_>) -> bool {
    let event = match item.event {
        AnnouncedEvent::Event(EventKind::Dropped) => EventKind::Removed,
        AnnouncedEvent::Event(what) => what,
        AnnouncedEvent::Demoted | AnnouncedEvent::DefaultChanged => return true,
    };
    let Some((_, stems)) = VERBS.iter().find(|(what, _)| *what == event) else {
        return true;
    };
    says(block, stems)
}

/// Words that turn what follows them into its opposite.
const NEGATIONS: [&str; 8] = ["not", "no", "non", "never", "nothing", "without", "isn't", "won't"];

/// Whether a block, or what stands over it, has a word that begins so, and does not negate it in the two words before.
pub(super) fn says(block: &Block, stems: &[&str]) -> bool {
    [&block.prose, &block.over]
        .into_iter()
        .any(|text| stems.iter().any(|stem| has_word(text, stem)))
}

fn has_word(text: &str, stem: &str) -> bool {
    text.match_indices(stem).any(|(at, _)| {
        let before = &text[..at];
        let begins = !before.ends_with(|c: char| c.is_alphanumeric());
        let apart = |c: char| !c.is_alphanumeric() && c != '\'';
        let clause = before.rsplit(['\n', '.', ';', ',']).next().unwrap_or_default();
        let mut last = clause.rsplit(apart).filter(|word| !word.is_empty()).take(2);
        begins && !last.any(|word| NEGATIONS.contains(&word))
    })
}

/// Whether a block names what an announcement is about. `kinds` are those of versions that are announced, by version:
/// where a block names some of a version's, it speaks of these.
fn names(block: &Block, item: &AnnouncementReport<'_>, kinds: &BTreeSet<(&str, &str)>) -> bool {
    let of = &item.element;
    let stem = match item.event {
        AnnouncedEvent::Event(EventKind::Preferred) => Some("prefer"),
        AnnouncedEvent::Event(EventKind::Stored) => Some("stor"),
        _ => None,
    };
    if let Some((stem, to)) = stem.zip(item.to) {
        let who =
            of.group.is_some_and(|group| has(block, group)) || item.kinds.iter().any(|kind| has(block, kind.name));
        return who && has(block, to) && block.prose.contains(stem);
    }
    match of.kind {
        ElementKind::ApiVersion | ElementKind::ConfigVersion => {
            let own = || item.kinds.iter().any(|kind| has(block, kind.name));
            let any = || {
                kinds
                    .range((of.id, "")..)
                    .take_while(|(id, _)| *id == of.id)
                    .any(|(_, kind)| has(block, kind))
            };
            names_version(block, of) && (own() || !any())
        }
        ElementKind::Kind | ElementKind::ConfigKind => names_version(block, of) && has(block, of.name),
        // As in its id, `.spec.replicas`, or without the sign before it.
        ElementKind::Subresource | ElementKind::Field | ElementKind::EnumValue | ElementKind::Annotation => {
            has(block, of.name) || of.id.rsplit(' ').next().is_some_and(|own| has(block, own))
        }
        // A flag is known by itself, a command by all its words.
        ElementKind::Flag => has(block, of.name.rsplit(' ').next().unwrap_or(of.name)),
        _ => has(block, of.name),
    }
}

/// Whether a block names a version: `apps/v1beta1`, or its name where the group is named in it or over it.
fn names_version(block: &Block, of: &SubjectReport<'_>) -> bool {
    let (Some(group), Some(version)) = (of.group, of.version) else {
        return false;
    };
    let whole = VersionPath::api(group, version).to_string();
    let group_is_named = || {
        group == CORE || contains_word(&block.text, group) || contains_word(&block.over, &group.to_ascii_lowercase())
    };
    has(block, &whole) || has(block, version) && group_is_named()
}

pub(super) fn has(block: &Block, name: &str) -> bool {
    contains_word(&block.text, name)
}

/// Whether a text has a name that is not part of a longer one: `v1` is not in `v1beta1` or `apps/v1`.
fn contains_word(text: &str, name: &str) -> bool {
    if name.is_empty() {
        return false;
    }
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + name.len()..].chars();
        let next = after.next();
        // A point or a hyphen goes on with a name only if a letter follows it.
        let goes_on = part(next) || matches!(next, Some('-' | '.' | '/')) && part(after.next());
        !part(before) && !matches!(before, Some('-' | '.' | '/')) && !goes_on
    })
}

/// The words of a text, without punctuation around them, and where each begins.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let around = |c: char| !c.is_alphanumeric() && c != '+';
    let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '(' | ')' | '[' | ']');
    let mut next = 0;
    text.split_inclusive(ends).filter_map(move |piece| {
        let at = next + piece.len() - piece.trim_start_matches(around).len();
        next += piece.len();
        let word = piece.trim_matches(around);
        (!word.is_empty()).then_some((at, word))
    })
}

/// A word as the name of a release: without `v` before and `+` or `.0` after it.
pub(super) fn release_name(word: &str) -> &str {
    let bare = word.strip_prefix('v').unwrap_or(word);
    let bare = if bare.starts_with(|c: char| c.is_ascii_digit()) {
        bare.trim_end_matches('+')
    } else {
        bare
    };
    match bare.strip_suffix(".0") {
        Some(minor) if minor.contains('.') => minor,
        _ => bare,
    }
}

fn is_day(word: &str) -> bool {
    word.len() == 10 && word.parse::<chrono::NaiveDate>().is_ok()
}

/// How far back the event that a release is said of is looked for, in bytes.
const REACH: usize = 240;

/// The releases and days of a block with the event that each is said of: the last one named before it in its sentence.
fn dates(block: &Block) -> Vec<Said<'_>> {
    let mut found = Vec::new();
    for (start, sentence) in sentences(&block.text) {
        for (at, word) in words(sentence) {
            let name = release_name(word);
            let is_day = is_day(word);
            let like_release = name.contains(['.', '+']) && name.chars().any(|c| c.is_ascii_digit());
            if !is_day && !like_release {
                continue;
            }
            let before = ending(&block.prose[start..start + at], REACH);
            let Some(event) = event_before(before) else { continue };
            let from = start + at + word.find(name).unwrap_or(0);
            found.push(Said {
                event,
                text: name,
                is_day,
                is_bound: BOUNDS.iter().any(|bound| before.contains(bound)),
                place: block.place_of(from..from + name.len()),
            });
        }
    }
    found
}

/// The end of a text, of about a length.
fn ending(text: &str, length: usize) -> &str {
    let mut from = text.len().saturating_sub(length);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// The event that was named last, if nothing says since then that something is there since.
fn event_before(text: &str) -> Option<EventKind> {
    let last = |stems: &[&str]| stems.iter().filter_map(|stem| text.rfind(stem)).max();
    let dated = VERBS.iter().filter(|(event, _)| *event != EventKind::Locked);
    let (at, event) = dated.filter_map(|(event, stems)| Some((last(stems)?, *event))).max()?;
    last(&SINCE).is_none_or(|since| since < at).then_some(event)
}

/// The sentences of a text, and clauses set off by a semicolon, and where each begins.
fn sentences(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices([';', '.', '!', '?']) {
        if text[at + 1..].starts_with(' ') {
            found.push((start, &text[start..at + 2]));
            start = at + 2;
        }
    }
    found.push((start, &text[start..]));
    found
}

/// Which blocks have which words: so that each name is looked for only where it can be.
struct Index<'b>(BTreeMap<&'b str, Vec<usize>>);

impl<'b> Index<'b> {
    fn of(blocks: &[&'b Block]) -> Self {
        let mut index: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, block) in blocks.iter().enumerate() {
            for word in parts(&block.text) {
                let places = index.entry(word).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
        Self(index)
    }

    /// The blocks that have every word of a name, and perhaps some that do not have the name.
    fn candidates(&self, name: &str) -> &[usize] {
        let lists = parts(name).map(|part| self.0.get(part).map_or(&[][..], Vec::as_slice));
        lists.min_by_key(|list| list.len()).unwrap_or_default()
    }
}

/// The words of a text at whose ends a name can begin or end.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|part| !part.is_empty())
}

/// What a block has to have to name what an announcement is about.
fn needle<'i>(item: &'i AnnouncementReport<'_>) -> &'i str {
    let of = &item.element;
    match (item.event, of.kind) {
        (AnnouncedEvent::Event(EventKind::Preferred | EventKind::Stored), _) => item.to.unwrap_or(of.name),
        (_, ElementKind::ApiVersion | ElementKind::ConfigVersion) => of.version.unwrap_or(of.name),
        (_, ElementKind::Flag) => of.name.rsplit(' ').next().unwrap_or(of.name),
        _ => of.name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_within_another_is_no_mention() {
        assert!(contains_word("the v1 of it", "v1"));
        assert!(contains_word("use apps/v1.", "apps/v1"));
        for text in ["v1beta1", "apps/v1", "v1.5", "xv1", "v1_2", "my-v1"] {
            assert!(!contains_word(text, "v1"), "{text}");
        }
    }

    #[test]
    fn a_release_belongs_to_the_event_named_before_it() {
        let text = "a/v1 (deprecated in v1.22+) will be removed in 1.25 on 2022-08-23; use a/v2, available since 1.20. No earlier than 1.26 it is gone";
        let block = Block {
            text: text.to_owned(),
            prose: text.to_ascii_lowercase(),
            ..Block::default()
        };
        let said: Vec<_> = dates(&block)
            .iter()
            .map(|said| (said.event, said.text.to_owned(), said.is_bound))
            .collect();
        let expected = [
            (EventKind::Deprecated, "1.22", false),
            (EventKind::Removed, "1.25", false),
            (EventKind::Removed, "2022-08-23", false),
        ];
        assert_eq!(
            said,
            expected.map(|(event, text, bound)| (event, text.to_owned(), bound))
        );
    }
}
