//! The layout of a model file: a draft as sections of lines.

use std::collections::BTreeMap;

pub(super) use crate::grammar::below;
use crate::grammar::{ElementKind, EntryKey, ExtraKind, ExtraKinds, Family, can_name_kind};
use crate::release::ReleaseName;

use super::draft::{Draft, DraftCalendar, Element, Group, Keys, Kind, Life, Value};

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Section {
    pub(crate) comments: Vec<String>,
    pub(crate) path: Vec<String>,
    pub(crate) lines: Vec<Line>,
    /// Whether an empty line separates it from what is before.
    pub(crate) begins: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Line {
    pub(crate) key: Vec<String>,
    /// The value; `None` if the line is not needed.
    pub(crate) value: Option<Value>,
    /// The same with the versions that a member is in, for a file that names them.
    pub(crate) full: Option<Value>,
    /// The same with each version's introduction too, for a file that has one for all versions.
    pub(crate) explicit: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Forms {
    /// The shortest, for a new file.
    Shortest,
    /// All, for an existing file.
    Each,
}

pub(super) fn sections(draft: &Draft) -> Vec<Section> {
    let Draft {
        origin: _,
        calendar,
        groups,
        gates,
        metrics,
        others,
        kinds,
    } = draft;
    let mut sections = calendar_sections(calendar);
    for (name, group) in groups {
        sections.extend(group_sections(&group_path(name), group, Forms::Shortest));
    }
    for (kind, all) in [(ElementKind::Gate, gates), (ElementKind::Metric, metrics)] {
        push(&mut sections, vec![kind.as_str().to_owned()], elements(all), true);
    }
    for (section, all) in others {
        let is_known = !can_name_kind(section) || ExtraKinds::default().find(section).is_some();
        let is_known = is_known || kinds.contains(section);
        if !is_known {
            let word = line(&["word"], ExtraKind::named(section).word.as_str().into());
            push(
                &mut sections,
                vec!["element-kind".to_owned(), section.clone()],
                vec![word],
                true,
            );
        }
        push(&mut sections, vec![section.clone()], elements(all), true);
    }
    sections
}

pub(super) fn group_path(name: &str) -> [String; 2] {
    [Family::Api.section().to_owned(), name.to_owned()]
}

fn calendar_sections(calendar: &DraftCalendar) -> Vec<Section> {
    let DraftCalendar {
        releases,
        current,
        cadence,
    } = calendar;
    let mut head = Vec::new();
    if let Some(current) = current {
        head.push(line(&["current"], current.into()));
    }
    if let Some(months) = cadence {
        let months = Value::Number(i64::from(*months));
        head.push(line(&["cadence"], Value::Table(vec![("months".to_owned(), months)])));
    }
    let days = releases.iter().map(|(release, day)| {
        let day = day.map_or_else(|| Value::from("unscheduled"), Value::Day);
        line(&[&release.to_string()], day)
    });
    let mut sections = Vec::new();
    push(&mut sections, vec!["calendar".to_owned()], head, true);
    let begins = sections.is_empty();
    let path = vec!["calendar".to_owned(), "releases".to_owned()];
    push(&mut sections, path, days.collect(), begins);
    sections
}

fn elements(elements: &BTreeMap<String, Element>) -> Vec<Line> {
    let lines = elements.iter();
    let lines = lines.map(|(name, element)| line(&[name], Value::Table(entry(element, None))));
    lines.collect()
}

/// The sections of a group: its versions, kinds of one line each, and the other kinds one by one.
pub(super) fn group_sections(path: &[String], group: &Group, forms: Forms) -> Vec<Section> {
    let mut sections = Vec::new();
    let versions = elements(&group.versions);
    push(&mut sections, below(path, &["version"]), versions, true);
    sections.extend(kind_sections(path, group, forms));
    if let Some(first) = sections.first_mut() {
        first.comments.clone_from(&group.notes);
    }
    sections
}

pub(super) fn kind_sections(path: &[String], group: &Group, forms: Forms) -> Vec<Section> {
    let (mut small, mut large) = (Vec::new(), Vec::new());
    for (name, kind) in &group.kinds {
        let mut own = kind_lines(&below(path, &["kind", name]), kind, group, forms);
        match own.as_mut_slice() {
            [head] if head.lines.iter().all(|line| line.key.len() == 1) => {
                let entries = head.lines.drain(..);
                let entries = entries.filter_map(|line| Some((line.key.concat(), line.value?)));
                small.push(line(&[name], Value::Table(entries.collect())));
            }
            _ => large.extend(own),
        }
    }
    let mut sections = Vec::new();
    push(&mut sections, below(path, &["kind"]), small, false);
    sections.extend(large);
    sections
}

/// The sections of one kind; the first one has all but its members.
pub(super) fn kind_lines(path: &[String], kind: &Kind, group: &Group, forms: Forms) -> Vec<Section> {
    let Kind {
        resource,
        versions: own,
        storage,
        parts: _,
    } = kind;
    let mut lines = Vec::new();
    if let Some(resource) = resource {
        lines.push(line(&["resource"], resource.as_str().into()));
    }
    let versions = own.keys().map(|version| version.as_str().into());
    let versions = Value::List(versions.collect());
    let everywhere = own.keys().eq(group.versions.keys());
    lines.push(Line {
        key: vec!["versions".to_owned()],
        value: (!everywhere).then(|| versions.clone()),
        full: Some(versions),
        ..Line::default()
    });
    if !storage.is_empty() {
        lines.push(line(&["storage"], moves(storage)));
    }
    for (version, element) in own {
        let keys = entry(element, group.versions.get(version));
        if !keys.is_empty() {
            lines.push(line(&["version", version], Value::Table(keys)));
        }
    }
    let head = Section {
        path: path.to_vec(),
        lines,
        ..Section::default()
    };
    std::iter::once(head).chain(part_sections(path, kind, forms)).collect()
}

fn moves(moves: &BTreeMap<String, ReleaseName>) -> Value {
    let mut moves: Vec<(&String, &ReleaseName)> = moves.iter().collect();
    moves.sort_by_key(|(version, release)| (*release, *version));
    let entries = moves.into_iter();
    let entries = entries.map(|(version, release)| (version.clone(), release.into()));
    Value::Table(entries.collect())
}

fn part_sections(path: &[String], kind: &Kind, forms: Forms) -> Vec<Section> {
    let mut tables: BTreeMap<Vec<String>, Vec<Line>> = BTreeMap::new();
    for (part, versions) in &kind.parts {
        let mut table = part.keys();
        let name = table.pop().unwrap_or_default();
        let lines = tables.entry(table).or_default();
        lines.push(part_line(name, versions, kind, forms));
    }
    let mut sections = Vec::new();
    for (table, lines) in tables {
        let path = path.iter().cloned().chain(table).collect();
        push(&mut sections, path, lines, false);
    }
    sections
}

/// The entry of a member: one for all versions if they agree, and version by version.
fn part_line(name: String, versions: &BTreeMap<String, Element>, kind: &Kind, forms: Forms) -> Line {
    let mut own = tables(versions, |version, element| {
        part_in(element, kind.versions.get(version))
    });
    let full = (forms == Forms::Each).then(|| within(own.clone()));
    let explicit = (forms == Forms::Each).then(|| within(tables(versions, |_, element| entry(element, None))));
    let everywhere = versions.keys().eq(kind.versions.keys());
    let agreed = everywhere && own.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let value = match own.pop() {
        Some((_, entry)) if agreed => entry,
        last => within(own.into_iter().chain(last).collect()),
    };
    Line {
        key: vec![name],
        value: Some(value),
        full,
        explicit,
    }
}

fn tables(
    versions: &BTreeMap<String, Element>,
    entry: impl Fn(&str, &Element) -> Vec<(String, Value)>,
) -> Vec<(String, Value)> {
    let all = versions.iter();
    let all = all.map(|(version, element)| (version.clone(), Value::Table(entry(version, element))));
    all.collect()
}

/// The entry of a member in one version, without a life that is the same as its kind's.
fn part_in(element: &Element, kind: Option<&Element>) -> Vec<(String, Value)> {
    let kind = kind.map_or(&[][..], |kind| &kind.lives);
    let as_long = element.lives.iter().map(span).eq(kind.iter().map(span));
    let lives = match element.lives.as_slice() {
        own if as_long && own.iter().all(|life| life.deprecated.is_empty()) => Vec::new(),
        [own] if kind.len() == 1 => {
            let was = &kind[0];
            life_keys(&Life {
                introduced: own.introduced.clone().filter(|_| was.introduced != own.introduced),
                removed: own.removed.clone().filter(|_| was.removed != own.removed),
                ..own.clone()
            })
        }
        own => lives(own),
    };
    ordered(lives, &element.keys)
}

/// The entries of versions as one of a member.
fn within(own: Vec<(String, Value)>) -> Value {
    Value::Table(vec![("in".to_owned(), Value::Table(own))])
}

fn span(life: &Life) -> (Option<&ReleaseName>, Option<&ReleaseName>) {
    (life.introduced.as_ref(), life.removed.as_ref())
}

/// The keys of an entry that its version's entry does not have.
fn entry(element: &Element, inherited: Option<&Element>) -> Vec<(String, Value)> {
    let Element { lives: own, keys } = element;
    let mut keys = ordered(lives(own), keys);
    if let Some(inherited) = inherited {
        let known = keys_of(inherited);
        keys.retain(|(key, value)| known.get(key) != Some(value));
    }
    keys
}

/// The keys of an entry in the order of a file.
fn ordered(lives: Vec<(String, Value)>, keys: &Keys) -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> = lives.into_iter().chain(keys.clone()).collect();
    all.sort_by(|(a, _), (b, _)| (EntryKey::rank(a), a).cmp(&(EntryKey::rank(b), b)));
    all
}

pub(super) fn keys_of(element: &Element) -> BTreeMap<String, Value> {
    lives(&element.lives).into_iter().chain(element.keys.clone()).collect()
}

/// The keys of lives: those of a single life, otherwise `lives`.
fn lives(lives: &[Life]) -> Vec<(String, Value)> {
    match lives {
        [] => Vec::new(),
        [life] => life_keys(life),
        lives => {
            let all = lives.iter().map(|life| Value::Table(life_keys(life)));
            vec![("lives".to_owned(), Value::List(all.collect()))]
        }
    }
}

pub(super) fn life_keys(life: &Life) -> Vec<(String, Value)> {
    let keys = EntryKey::ALL.into_iter().filter_map(|key| match key {
        EntryKey::Event(what) => Some((key.as_str().to_owned(), releases(life.releases(what))?)),
        _ => None,
    });
    keys.collect()
}

fn releases(releases: &[ReleaseName]) -> Option<Value> {
    match releases {
        [] => None,
        [release] => Some(release.into()),
        several => Some(Value::List(several.iter().map(Value::from).collect())),
    }
}

pub(super) fn line(key: &[&str], value: Value) -> Line {
    Line {
        key: key.iter().map(|part| (*part).to_owned()).collect(),
        value: Some(value),
        ..Line::default()
    }
}

fn push(sections: &mut Vec<Section>, path: Vec<String>, lines: Vec<Line>, begins: bool) {
    if !lines.is_empty() {
        sections.push(Section {
            path,
            lines,
            begins,
            ..Section::default()
        });
    }
}
