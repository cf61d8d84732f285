//! Which blocks of a page mention which announcements, and the dates that they give.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::grammar::{CORE, ElementKind, ElementPath, EventKind, VersionPath};
use crate::report::{AnnouncedEvent, AnnouncementReport, SubjectReport};

use super::page::Block;

/// Words for events. An event without words is announced by the name of its element alone.
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

/// Words after which a release is that of an introduction, or a bound.
const SINCE: [&str; 5] = ["since", "available", "introduc", "added", "there from"];
const BOUNDS: [&str; 4] = ["earlier than", "not before", "earliest", "at least until"];

/// A release or a day that a block gives for an event.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DateMention<'b> {
    /// Removed, deprecated or hidden.
    pub event: EventKind,
    /// As written, without `v` and punctuation.
    pub text: &'b str,
    pub is_day: bool,
    /// Whether it is given as the earliest possible one.
    pub is_bound: bool,
    /// Its place in the page.
    pub place: Range<usize>,
}

/// Which blocks mention which announcements.
pub(super) struct Mentions<'b> {
    blocks: Vec<&'b Block>,
    /// For each announcement, the positions of the blocks that announce it.
    announcing: Vec<Vec<usize>>,
    /// For each announcement, the blocks that name its subject and no other, except its replacement.
    alone: Vec<Vec<usize>>,
}

/// The subject of an announcement: an element, and of a version the first of the kinds that are announced together.
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
        let (mut announcing, mut named) = (Vec::new(), Vec::new());
        for (at, item) in items.iter().enumerate() {
            let candidates = index.candidates(&needle(item)).iter().copied();
            let naming: Vec<usize> = candidates.filter(|block| names(blocks[*block], item, &kinds)).collect();
            for block in &naming {
                subjects[*block].entry(subject(item)).or_insert(at);
            }
            let candidates = naming.iter().copied();
            announcing.push(candidates.filter(|block| announces(blocks[*block], item)).collect());
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
            announcing,
        }
    }

    /// The blocks that announce an item, by its position.
    pub(super) fn blocks(&self, item: usize) -> Vec<&'b Block> {
        self.announcing[item].iter().map(|at| self.blocks[*at]).collect()
    }

    /// The releases and days given for events of an announcement's subject, where no other subject can be meant.
    pub(super) fn dates(&self, item: usize) -> impl Iterator<Item = DateMention<'b>> {
        self.alone[item].iter().flat_map(|at| dates(self.blocks[*at]))
    }
}

/// The one subject that a block names, apart from its replacement.
fn only<'i>(subjects: &BTreeMap<Subject<'i>, usize>, items: &[&AnnouncementReport<'_>]) -> Option<Subject<'i>> {
    let mut own = subjects
        .keys()
        .filter(|(id, _)| !subjects.values().any(|at| replaces(id, items[*at])));
    own.next().copied().filter(|_| own.next().is_none())
}

/// Whether an element replaces another one that is announced.
fn replaces(id: &str, item: &AnnouncementReport<'_>) -> bool {
    let mut subjects = std::iter::once(&item.element).chain(&item.kinds);
    item.element.id != id && subjects.any(|of| of.replacement == Some(id) || of.migrate_to == Some(id))
}

/// Whether a block announces an event: it, or what is above it, has a word for that, and does not negate it.
fn announces(block: &Block, item: &AnnouncementReport<'_>) -> bool {
    let event = match item.event {
        AnnouncedEvent::Event(event) if event == EventKind::Dropped => EventKind::Removed,
        AnnouncedEvent::Event(event) => event.kind,
        AnnouncedEvent::Demoted | AnnouncedEvent::DefaultChanged | AnnouncedEvent::LabelsChanged => return true,
    };
    let verbs = VERBS.iter().find(|(what, _)| *what == event);
    verbs.is_none_or(|(_, stems)| says(block, stems))
}

/// Words that turn what follows them into its opposite.
const NEGATIONS: [&str; 8] = ["not", "no", "non", "never", "nothing", "without", "isn't", "won't"];

/// Whether a block, or what is above it, has a word with one of these stems that is not negated in the two words
/// before.
pub(super) fn says(block: &Block, stems: &[&str]) -> bool {
    [&block.prose, &block.over]
        .into_iter()
        .any(|text| stems.iter().any(|stem| has_word(text, stem)))
}

fn has_word(text: &str, stem: &str) -> bool {
    text.match_indices(stem).any(|(at, _)| {
        let before = &text[..at];
        let begins = !before.ends_with(|c: char| c.is_alphanumeric());
        let clause = before.rsplit(['\n', '.', ';', ',']).next().unwrap_or_default();
        let words = clause.rsplit(|c: char| !c.is_alphanumeric() && c != '\'');
        let mut last = words.filter(|word| !word.is_empty()).take(2);
        begins && !last.any(|word| NEGATIONS.contains(&word))
    })
}

/// Whether a block names the subject of an announcement. `kinds` are the announced kinds, by version: a block that
/// names some kinds of a version is about these.
fn names(block: &Block, item: &AnnouncementReport<'_>, kinds: &BTreeSet<(&str, &str)>) -> bool {
    let of = &item.element;
    let stem = match item.event {
        AnnouncedEvent::Event(event) if event == EventKind::Preferred => Some("prefer"),
        AnnouncedEvent::Event(event) if event == EventKind::Stored => Some("stor"),
        _ => None,
    };
    if let Some((stem, to)) = stem.zip(item.to) {
        let mut owners = of.group.into_iter().chain(item.kinds.iter().map(|kind| kind.name));
        return owners.any(|owner| has(block, owner)) && has(block, to) && block.prose.contains(stem);
    }
    match of.kind.row {
        ElementKind::ApiVersion | ElementKind::ConfigVersion => {
            let mut announced = kinds.range((of.id, "")..).take_while(|(id, _)| *id == of.id);
            names_version(block, of)
                && (item.kinds.iter().any(|kind| has(block, kind.name)) || !announced.any(|(_, kind)| has(block, kind)))
        }
        ElementKind::Kind | ElementKind::ConfigKind => names_version(block, of) && has(block, of.name),
        // As in its id, `.spec.replicas`, or without the sign before it.
        ElementKind::Subresource | ElementKind::Field | ElementKind::EnumValue | ElementKind::Annotation => {
            let path = ElementPath::parse(of.id).ok();
            let own = path.and_then(|path| Some(path.member()?.with_sign()));
            has(block, of.name) || own.is_some_and(|own| has(block, &own))
        }
        // A flag is known by itself, a command by all its words.
        ElementKind::Flag => has(block, &needle(item)),
        ElementKind::Command | ElementKind::Gate | ElementKind::Metric | ElementKind::Behavior | ElementKind::Extra => {
            has(block, of.name)
        }
    }
}

/// Whether a block names a version: `apps/v1beta1`, or its name where the group is named in it or above it.
fn names_version(block: &Block, of: &SubjectReport<'_>) -> bool {
    let (Some(group), Some(version)) = (of.group, of.version) else {
        return false;
    };
    let whole = VersionPath::api(group, version).to_string();
    has(block, &whole)
        || has(block, version)
            && (group == CORE
                || contains_word(&block.text, group)
                || contains_word(&block.over, &group.to_ascii_lowercase()))
}

pub(super) fn has(block: &Block, name: &str) -> bool {
    contains_word(&block.text, name)
}

/// Whether a text has a name that is not part of a longer one: `v1` is not in `v1beta1` or `apps/v1`.
fn contains_word(text: &str, name: &str) -> bool {
    if name.is_empty() {
        return false;
    }
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + name.len()..].chars();
        let next = after.next();
        // A point or a hyphen goes on with a name only if a letter follows it.
        let goes_on = is_of_name(next) || matches!(next, Some('-' | '.' | '/')) && is_of_name(after.next());
        !is_of_name(before) && !matches!(before, Some('-' | '.' | '/')) && !goes_on
    })
}

fn is_of_name(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// The words of a text, without punctuation around them, and where each begins.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    let pieces = text.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '/' | '(' | ')' | '[' | ']'));
    pieces.filter_map(move |piece| {
        let at = next + piece.len() - piece.trim_start_matches(is_punctuation).len();
        next += piece.len();
        let word = piece.trim_matches(is_punctuation);
        (!word.is_empty()).then_some((at, word))
    })
}

fn is_punctuation(c: char) -> bool {
    !c.is_alphanumeric() && c != '+'
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

/// How far before a release its event is searched for, in bytes.
const REACH: usize = 240;

/// The releases and days of a block, each with its event: the last one named before it in its sentence.
fn dates(block: &Block) -> Vec<DateMention<'_>> {
    let mut found = Vec::new();
    for (start, sentence) in sentences(&block.text) {
        for (at, word) in words(sentence) {
            let name = release_name(word);
            let is_day = word.len() == 10 && word.parse::<chrono::NaiveDate>().is_ok();
            let like_release = name.contains(['.', '+']) && name.chars().any(|c| c.is_ascii_digit());
            if !is_day && !like_release {
                continue;
            }
            let before = ending(&block.prose[start..start + at], REACH);
            let Some(event) = event_before(before) else { continue };
            let from = start + at + word.find(name).unwrap_or(0);
            found.push(DateMention {
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

fn ending(text: &str, length: usize) -> &str {
    let mut from = text.len().saturating_sub(length);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// The event that was named last, if no word for an introduction follows it.
fn event_before(text: &str) -> Option<EventKind> {
    let dated = VERBS.iter().filter(|(event, _)| *event != EventKind::Locked);
    let found = dated.filter_map(|(event, stems)| Some((last(text, stems)?, *event)));
    let (at, event) = found.max()?;
    last(text, &SINCE).is_none_or(|since| since < at).then_some(event)
}

fn last(text: &str, stems: &[&str]) -> Option<usize> {
    stems.iter().filter_map(|stem| text.rfind(stem)).max()
}

/// The sentences of a text, and clauses set off by a semicolon, and where each begins.
fn sentences(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let marks = text.match_indices([';', '.', '!', '?']).map(|(at, _)| at + 1);
    let ends = marks
        .filter(|end| text[*end..].starts_with(' '))
        .map(|end| end + 1)
        .chain([text.len()]);
    ends.scan(0, |start, end| {
        let from = std::mem::replace(start, end);
        Some((from, &text[from..end]))
    })
}

/// Which blocks have which words, so that a name is searched for only where it can be.
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

/// The words of a text: a name begins and ends with whole ones.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|part| !part.is_empty())
}

/// The text that a block must have to name the subject of an announcement.
fn needle<'i>(item: &'i AnnouncementReport<'_>) -> Cow<'i, str> {
    let of = &item.element;
    match (item.event, of.kind.row) {
        (AnnouncedEvent::Event(event), _) if event == EventKind::Preferred || event == EventKind::Stored => {
            item.to.unwrap_or(of.name).into()
        }
        (_, ElementKind::ApiVersion | ElementKind::ConfigVersion) => of.version.unwrap_or(of.name).into(),
        (_, ElementKind::Flag) => match ElementPath::parse(of.id) {
            Ok(ElementPath::Flag { flag, .. }) => flag,
            _ => of.name.into(),
        },
        _ => of.name.into(),
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
        let found: Vec<_> = dates(&block)
            .iter()
            .map(|date| (date.event, date.text.to_owned(), date.is_bound))
            .collect();
        let expected = [
            (EventKind::Deprecated, "1.22", false),
            (EventKind::Removed, "1.25", false),
            (EventKind::Removed, "2022-08-23", false),
        ];
        assert_eq!(
            found,
            expected.map(|(event, text, bound)| (event, text.to_owned(), bound))
        );
    }
}
