//! Entries of lists as a draft.

use std::collections::BTreeMap;

use crate::grammar::VersionPath;
use crate::release::ReleaseName;

use super::super::draft::{Draft, Element, Life, Value};
use super::{Api, Entry, Told};

/// A calendar is filled up between two releases of one major version that are no further apart than this.
const WIDEST_GAP: u64 = 200;

/// What a list comes to.
#[derive(Debug, Default)]
pub struct Drafted {
    /// The elements. Of each, the life that the list tells of.
    pub draft: Draft,
    /// What was left out, with lines.
    pub told: Vec<Told>,
    /// The release in which those begin of which nothing says when they were introduced, and how many they are.
    pub assumed: Option<(ReleaseName, usize)>,
}

/// Makes a draft of the entries of one product.
///
/// The model language wants to know when a version was introduced. What the list does not say of that is set to the
/// release before the first one it names, and counted. The calendar has the releases named and those between them,
/// without days. A replacement that is no entry itself begins where the list says that it is available, or else with
/// the first deprecation or removal that names it.
pub fn draft(entries: &[Entry]) -> Drafted {
    let mut drafted = Drafted::default();
    let chosen = consistent(entries, &mut drafted.told);
    let available = replacements(&chosen, |entry| entry.available.as_ref());
    let named_in = replacements(&chosen, |entry| entry.deprecated.as_ref().or(entry.removed.as_ref()));
    let named = chosen.values().flat_map(|entry| releases(entry)).cloned();
    let mut calendar: BTreeMap<ReleaseName, _> = named.map(|release| (release, None)).collect();
    let Some(begin) = calendar.keys().next().map(before) else {
        return drafted;
    };
    let mut assumed = 0;
    for (api, entry) in &chosen {
        let mut element = Element::of(life(entry, available.get(*api).copied()));
        if let Some(life) = element.lives.first_mut().filter(|life| life.introduced.is_none()) {
            life.introduced = Some(begin.clone());
            assumed += 1;
        }
        if let Some(replacement) = &entry.replacement {
            let id = Value::Text(id(replacement, &api.kind));
            element.said.insert("replacement".to_owned(), id);
        }
        add(&mut drafted.draft, api, element);
    }
    for (api, release) in named_in.into_iter().filter(|(api, _)| !chosen.contains_key(*api)) {
        let release = available.get(api).copied().unwrap_or(release);
        add(&mut drafted.draft, api, Element::of(Life::begun(release.clone())));
    }
    if assumed > 0 {
        calendar.insert(begin.clone(), None);
        drafted.assumed = Some((begin, assumed));
    }
    fill(&mut calendar);
    drafted.draft.calendar.releases = calendar;
    for group in drafted.draft.groups.values_mut() {
        group.gather();
    }
    drafted
}

/// Entries by what they are about: the first one of each, if its releases can follow one another.
pub(super) fn consistent<'e>(entries: &'e [Entry], told: &mut Vec<Told>) -> BTreeMap<&'e Api, &'e Entry> {
    let mut chosen: BTreeMap<&Api, &Entry> = BTreeMap::new();
    for entry in entries {
        let line = entry.line;
        let mut tell = |reason: String| told.push(Told { line, reason });
        if let Some(reason) = impossible(entry) {
            tell(reason);
            continue;
        }
        let Some(known) = chosen.get(&entry.api) else {
            chosen.insert(&entry.api, entry);
            continue;
        };
        let alike = Entry {
            line: known.line,
            ..entry.clone()
        };
        let again = if alike == **known { "again" } else { "otherwise" };
        tell(format!(
            "{} stands {again} in line {}, which counts",
            id(&entry.api, ""),
            known.line
        ));
    }
    chosen
}

/// Why no life can be as an entry says.
fn impossible(entry: &Entry) -> Option<String> {
    let events = [
        ("introduced", &entry.introduced),
        ("deprecated", &entry.deprecated),
        ("removed", &entry.removed),
    ];
    if entry.deprecated.is_none() && entry.removed.is_none() {
        return Some("it says neither when it is deprecated nor when it is removed".to_owned());
    }
    let removed = entry.removed.as_ref();
    if let Some(removed) = removed.filter(|removed| entry.introduced.as_ref() == Some(*removed)) {
        return Some(format!("it is removed in {removed}, in which it is introduced"));
    }
    if let Some(removed) = removed.filter(|removed| before(removed) == **removed) {
        return Some(format!("it is removed in {removed}, and no release comes before that"));
    }
    let mut earlier: Option<(&str, &ReleaseName)> = None;
    for (what, release) in events {
        let Some(release) = release else { continue };
        if let Some((before, after)) = earlier.filter(|(_, earlier)| *earlier > release) {
            return Some(format!("{what} in {release}, before it is {before} in {after}"));
        }
        earlier = Some((what, release));
    }
    None
}

/// Replacements with the first of the releases that this tells of the entries that name them.
pub(super) fn replacements<'e>(
    chosen: &BTreeMap<&'e Api, &'e Entry>,
    when: fn(&Entry) -> Option<&ReleaseName>,
) -> BTreeMap<&'e Api, &'e ReleaseName> {
    let mut found: BTreeMap<&Api, &ReleaseName> = BTreeMap::new();
    for entry in chosen.values() {
        if let (Some(api), Some(release)) = (&entry.replacement, when(entry)) {
            let first = found.entry(api).or_insert(release);
            *first = release.min(first);
        }
    }
    found
}

fn releases(entry: &Entry) -> impl Iterator<Item = &ReleaseName> {
    let named = [&entry.introduced, &entry.deprecated, &entry.removed];
    let available = entry.available.as_ref().filter(|_| entry.replacement.is_some());
    named.into_iter().flatten().chain(available)
}

/// What an entry says of a life, and what others do that it replaces, where the two can hold.
fn life(entry: &Entry, available: Option<&ReleaseName>) -> Life {
    let fits = |release: &ReleaseName| {
        let in_use = entry.deprecated.as_ref().is_none_or(|end| release <= end);
        in_use && entry.removed.as_ref().is_none_or(|end| release < end)
    };
    let available = available.filter(|release| fits(release));
    Life {
        introduced: entry.introduced.as_ref().or(available).cloned(),
        deprecated: entry.deprecated.iter().cloned().collect(),
        removed: entry.removed.clone(),
        ..Life::default()
    }
}

/// The release before one, as far as its name tells.
fn before(release: &ReleaseName) -> ReleaseName {
    match (release.major(), release.minor()) {
        (major, 0) => ReleaseName::new(major.saturating_sub(1), 0),
        (major, minor) => ReleaseName::new(major, minor - 1),
    }
}

/// Adds the releases between those of one major version: windows count them.
pub(in crate::import) fn fill<T: Default>(calendar: &mut BTreeMap<ReleaseName, T>) {
    let known: Vec<ReleaseName> = calendar.keys().cloned().collect();
    for (from, to) in known.iter().zip(known.iter().skip(1)) {
        let gap = to.minor().saturating_sub(from.minor());
        if from.major() == to.major() && gap <= WIDEST_GAP {
            calendar.extend((1..gap).map(|count| (from.later(count), T::default())));
        }
    }
}

fn add(draft: &mut Draft, api: &Api, element: Element) {
    let group = draft.groups.entry(api.group.clone()).or_default();
    let kind = group.kinds.entry(api.kind.clone()).or_default();
    kind.versions.insert(api.version.clone(), element);
}

/// The id of a version; of a kind in it, unless the kind is this one.
pub(super) fn id(api: &Api, kind: &str) -> String {
    let version = VersionPath::api(&*api.group, &*api.version);
    match api.kind.as_str() {
        same if same == kind => version.to_string(),
        kind => version.with_kind(kind).to_string(),
    }
}
