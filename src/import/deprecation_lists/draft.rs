//! The entries of a list as a draft.

use std::collections::BTreeMap;

use crate::release::ReleaseName;
use crate::text::{Unreadable, at};

use super::super::draft::{Draft, DraftCalendar, Element, Life, Value};
use super::{Api, ListedApi, Lives};

/// Makes a draft of the entries of one product.
///
/// A model states when each version was introduced. Where the list does not, it is the release before the first one
/// that the list names. The calendar has the releases named and those between them, without dates. A replacement that
/// is not an entry itself begins in the release in which the list declares it available, or else with the first
/// deprecation or removal that names it.
pub fn draft(entries: &[ListedApi]) -> Lives {
    let mut lives = Lives::default();
    let chosen = consistent(entries, &mut lives.skipped);
    let available = replacements(&chosen, |entry| entry.available.as_ref());
    let named = chosen.values().flat_map(|entry| releases(entry));
    let mut calendar = DraftCalendar::of(named.map(|release| (release.clone(), None)).collect());
    let Some(begin) = calendar.releases.keys().next().map(before) else {
        return lives;
    };
    let mut count = 0;
    for (api, entry) in &chosen {
        let mut element = Element::of(life(entry, available.get(*api).copied()));
        if let Some(life) = element.lives.first_mut().filter(|life| life.introduced.is_none()) {
            life.introduced = Some(begin.clone());
            count += 1;
        }
        if let Some(replacement) = &entry.replacement {
            let id = Value::Text(replacement.replacing(&api.kind));
            element.keys.insert("replacement".to_owned(), id);
        }
        add(&mut lives.draft, api, element);
    }
    for (api, release) in unlisted_replacements(&chosen) {
        let release = available.get(api).copied().unwrap_or(release);
        add(&mut lives.draft, api, Element::of(Life::begun(release.clone())));
    }
    if count > 0 {
        calendar.releases.insert(begin.clone(), None);
        lives.assumed = Some((begin, count));
    }
    calendar.fill_gaps();
    lives.draft.calendar = calendar;
    for group in lives.draft.groups.values_mut() {
        group.gather();
    }
    lives
}

/// Replacements that are no entries themselves, with the first deprecation or removal that names them.
pub(super) fn unlisted_replacements<'e>(
    chosen: &BTreeMap<&'e Api, &'e ListedApi>,
) -> BTreeMap<&'e Api, &'e ReleaseName> {
    let mut named = replacements(chosen, |entry| entry.deprecated.as_ref().or(entry.removed.as_ref()));
    named.retain(|api, _| !chosen.contains_key(api));
    named
}

/// The first entry of each kind whose releases can follow one another.
pub(super) fn consistent<'e>(
    entries: &'e [ListedApi],
    skipped: &mut Vec<Unreadable>,
) -> BTreeMap<&'e Api, &'e ListedApi> {
    let mut chosen: BTreeMap<&Api, &ListedApi> = BTreeMap::new();
    for entry in entries {
        let reason = impossible(entry).or_else(|| Some(repeated(entry, chosen.get(&entry.api)?)));
        match reason {
            Some(reason) => skipped.push(at(entry.line, 1, reason)),
            None => drop(chosen.insert(&entry.api, entry)),
        }
    }
    chosen
}

/// Why an entry does not count: another one of the same kind comes first.
fn repeated(entry: &ListedApi, known: &ListedApi) -> String {
    let line = known.line;
    let is_same = ListedApi { line, ..entry.clone() } == *known;
    let how = if is_same { "" } else { " with other values" };
    format!("{} is also in line {line}{how}, which counts", entry.api)
}

fn impossible(entry: &ListedApi) -> Option<String> {
    let events = [
        ("introduced", &entry.introduced),
        ("deprecated", &entry.deprecated),
        ("removed", &entry.removed),
    ];
    if entry.deprecated.is_none() && entry.removed.is_none() {
        return Some("neither a deprecation nor a removal is stated".to_owned());
    }
    let removed = entry.removed.as_ref();
    if let Some(removed) = removed.filter(|removed| entry.introduced.as_ref() == Some(*removed)) {
        return Some(format!("introduced and removed in the same release, {removed}"));
    }
    if let Some(removed) = removed.filter(|removed| before(removed) == **removed) {
        return Some(format!("removed in {removed}, and there is no earlier release"));
    }
    let stated = events
        .into_iter()
        .filter_map(|(what, release)| Some((what, release.as_ref()?)));
    let stated: Vec<(&str, &ReleaseName)> = stated.collect();
    let wrong = stated.windows(2).find(|pair| pair[0].1 > pair[1].1)?;
    let [(before, after), (what, release)] = [wrong[0], wrong[1]];
    Some(format!("{what} in {release}, before it is {before} in {after}"))
}

/// Replacements with the first of the releases that `when` gives of the entries that name them.
pub(super) fn replacements<'e>(
    chosen: &BTreeMap<&'e Api, &'e ListedApi>,
    when: fn(&ListedApi) -> Option<&ReleaseName>,
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

fn releases(entry: &ListedApi) -> impl Iterator<Item = &ReleaseName> {
    let named = [&entry.introduced, &entry.deprecated, &entry.removed];
    let available = entry.available.as_ref().filter(|_| entry.replacement.is_some());
    named.into_iter().flatten().chain(available)
}

/// The life that an entry states. It may begin when it is available as the replacement of another kind.
fn life(entry: &ListedApi, available: Option<&ReleaseName>) -> Life {
    let available = available.filter(|release| entry.can_begin(release));
    Life {
        introduced: entry.introduced.as_ref().or(available).cloned(),
        deprecated: entry.deprecated.iter().cloned().collect(),
        removed: entry.removed.clone(),
        ..Life::default()
    }
}

fn before(release: &ReleaseName) -> ReleaseName {
    match (release.major(), release.minor()) {
        (major, 0) => ReleaseName::new(major.saturating_sub(1), 0),
        (major, minor) => ReleaseName::new(major, minor - 1),
    }
}

fn add(draft: &mut Draft, api: &Api, element: Element) {
    let group = draft.groups.entry(api.group.clone()).or_default();
    let kind = group.kinds.entry(api.kind.clone()).or_default();
    kind.versions.insert(api.version.clone(), element);
}
