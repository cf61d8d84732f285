//! The parts of kinds from release to release: subresources, fields, enumerated values.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::release::ReleaseName;

use super::super::draft::{Element, Kind, Life, Value};
use super::super::snapshot::{Field, Version};
use super::{Moment, Parts, Untold, live};
use crate::grammar::MemberName;

/// One release in the lives of a kind's parts. `before` are the versions that the kind had begun a life in before this
/// release.
pub(super) fn step<'m>(
    kind: &mut Kind,
    moment: Moment<'m>,
    before: &BTreeSet<String>,
    parts: Parts,
    untold: &mut Untold<'_>,
) {
    let versions: Vec<String> = kind.versions.keys().cloned().collect();
    let listed: BTreeSet<String> = kind
        .parts
        .values()
        .flat_map(|versions| versions.keys().cloned())
        .collect();
    let mut changed: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    // Of parts that are neither known nor followed, only what is marked can differ from its kind.
    let marked = (parts == Parts::Changed && moment.only && kind.parts.is_empty()).then(|| marked(moment));
    for version in versions {
        let served = |version: Option<&'m Version>| version.filter(|version| version.served);
        let (was, now) = (served(moment.before(&version)), served(moment.now(&version)));
        if let (Some(was), Some(now)) = (was, now) {
            for change in changes(was, now) {
                changed.entry(change).or_default().push(version.clone());
            }
        }
        // What these releases do not tell the beginning of, has lived as its kind has. Where all parts are listed, what
        // is not is new.
        let complete = parts == Parts::All && listed.contains(&version);
        let unknown = before.contains(&version) && moment.before(&version).is_none() && !complete;
        let spans = kind.versions.get(&version).filter(|_| unknown).map(spans);
        let lives = spans.unwrap_or_else(|| vec![Life::begun(moment.release.clone())]);
        let there = now.into_iter().flat_map(present);
        let there = there.filter(|part| marked.as_ref().is_none_or(|marked| is_in(part, marked)));
        step_in(kind, &version, now, there.collect(), &lives, moment.release);
    }
    for ((path, what), versions) in changed {
        untold.push(&format!("{} .{path} {what}", versions.join(", ")));
    }
}

/// The fields that are marked as deprecated in a version.
fn marked(moment: Moment<'_>) -> BTreeSet<&str> {
    let versions = moment.now.iter().flat_map(|now| now.versions.values());
    let fields = versions.flat_map(|version| &version.fields);
    let marked = fields.filter(|(_, field)| field.deprecated);
    marked.map(|(path, _)| path.as_str()).collect()
}

fn is_in(part: &MemberName<'_>, fields: &BTreeSet<&str>) -> bool {
    matches!(part, MemberName::Field(path) if fields.contains(&**path))
}

/// From when to when something lived.
fn spans(element: &Element) -> Vec<Life> {
    let spans = element.lives.iter().map(|life| Life {
        introduced: life.introduced.clone(),
        removed: life.removed.clone(),
        ..Life::default()
    });
    spans.collect()
}

/// One release in the lives of the parts of one version, of which some are there. What is there for the first time has
/// these lives.
fn step_in(
    kind: &mut Kind,
    version: &str,
    now: Option<&Version>,
    there: Vec<MemberName<'static>>,
    lives: &[Life],
    release: &ReleaseName,
) {
    let mut parts: BTreeMap<MemberName<'static>, bool> = there.into_iter().map(|part| (part, true)).collect();
    let mut enumerated: BTreeSet<String> = BTreeSet::new();
    for (part, _) in kind.parts.iter().filter(|(_, versions)| versions.contains_key(version)) {
        if let MemberName::Value { path, .. } = part {
            enumerated.insert(path.to_string());
        }
        if !parts.contains_key(part) {
            parts.insert(part.clone(), is_free(part, now));
        }
    }
    // Annotations are not in the schema of a kind.
    parts.retain(|part, _| !matches!(part, MemberName::Annotation(_)));
    for (part, here) in parts {
        // Where a field lists its values for the first time, they could be given before.
        let of_field = match &part {
            MemberName::Value { path, .. } if !enumerated.contains(&**path) => {
                let field = kind.parts.get(&MemberName::Field(path.clone()));
                field.and_then(|versions| versions.get(version)).map(spans)
            }
            _ => None,
        };
        let field = match (&part, now) {
            (MemberName::Field(path), Some(now)) => Some(now.fields.get(&**path)),
            _ => None,
        };
        let versions = kind.parts.entry(part).or_default();
        let element = versions.entry(version.to_owned()).or_default();
        if element.lives.is_empty() && here {
            element.lives = of_field.unwrap_or_else(|| lives.to_vec());
        }
        live(element, here, release);
        if let Some(field) = field {
            deprecate(element, field.is_some_and(|field| field.deprecated), release);
            say(element, field);
        }
    }
}

/// A field that a schema marks is deprecated from there on.
fn deprecate(element: &mut Element, marked: bool, release: &ReleaseName) {
    if let Some(life) = element.lives.last_mut().filter(|life| life.removed.is_none())
        && marked
        && !life.is_deprecated()
    {
        life.deprecated.push(release.clone());
    }
}

/// The parts there are in a version.
fn present(version: &Version) -> impl Iterator<Item = MemberName<'static>> {
    let subresources = version
        .subresources
        .iter()
        .map(|name| MemberName::Subresource(name.clone().into()));
    let fields = version.fields.keys().map(|path| MemberName::Field(path.clone().into()));
    let values = version.fields.iter().flat_map(|(path, field)| {
        field.values.iter().map(|value| MemberName::Value {
            path: path.clone().into(),
            value: value.clone().into(),
        })
    });
    subresources.chain(fields).chain(values)
}

/// Whether a value may still be given, because its field no longer lists which ones may.
fn is_free(part: &MemberName<'_>, now: Option<&Version>) -> bool {
    match part {
        MemberName::Value { path, .. } => {
            let field = now.and_then(|now| now.fields.get(&**path));
            field.is_some_and(|field| field.values.is_empty())
        }
        _ => false,
    }
}

fn say(element: &mut Element, field: Option<&Field>) {
    match field.and_then(|field| field.default.as_ref()).map(default) {
        Some(default) => drop(element.said.insert("default".to_owned(), default)),
        None if field.is_some() => drop(element.said.remove("default")),
        None => {}
    }
}

/// A default as a model has it: that there is one, where it is no single value.
fn default(value: &Json) -> Value {
    match value {
        Json::Bool(flag) => Value::Flag(*flag),
        Json::String(text) => Value::Text(text.clone()),
        Json::Number(number) => number
            .as_i64()
            .map_or_else(|| Value::Text(number.to_string()), Value::Number),
        Json::Object(entries) if !entries.is_empty() => Value::from("{…}"),
        Json::Array(items) if !items.is_empty() => Value::from("[…]"),
        empty => Value::Text(empty.to_string()),
    }
}

/// What changes in the fields that stay, in words that follow the field's path.
fn changes<'v>(before: &'v Version, now: &'v Version) -> Vec<(&'v str, String)> {
    let mut changes = Vec::new();
    for (path, was) in &before.fields {
        let Some(is) = now.fields.get(path) else { continue };
        let mut push = |what: String| changes.push((path.as_str(), what));
        if was.kind != is.kind {
            let named = |kind: &str| {
                if kind.is_empty() {
                    "none".to_owned()
                } else {
                    kind.to_owned()
                }
            };
            push(format!(
                "changes its type from {} to {}",
                named(&was.kind),
                named(&is.kind)
            ));
        }
        match (was.required, is.required) {
            (false, true) => push("becomes required".to_owned()),
            (true, false) => push("is no longer required".to_owned()),
            _ => {}
        }
        if was.deprecated && !is.deprecated {
            push("is no longer marked as deprecated".to_owned());
        }
        if was.default != is.default {
            push("changes its default".to_owned());
        }
        for name in was.facets.keys().chain(is.facets.keys()).collect::<BTreeSet<_>>() {
            let (was, is) = (was.facets.get(name), is.facets.get(name));
            if was != is {
                let named = |word: Option<&String>| word.map_or_else(|| "none".to_owned(), Clone::clone);
                push(format!("changes its {name} from {} to {}", named(was), named(is)));
            }
        }
        if !was.values.is_empty() && is.values.is_empty() {
            push("no longer lists its values".to_owned());
        }
    }
    changes
}

/// Keeps the parts to which something happens while their kind is there. What comes and goes with the field it is in is
/// not told apart from it.
pub(super) fn keep_changed(kind: &mut Kind) {
    let lives = &kind.versions;
    let span = |life: &Life| (life.introduced.clone(), life.removed.clone());
    let changes = |(version, element): (&String, &Element)| {
        let kind = lives.get(version).map_or(&[][..], |kind| &kind.lives);
        let same = element.lives.iter().map(span).eq(kind.iter().map(span));
        !same || element.lives.iter().any(|life| !life.deprecated.is_empty())
    };
    let within = |part: &MemberName<'_>, versions: &BTreeMap<String, Element>| {
        let outer = kind.parts.get(&MemberName::Field(outer(part)?.to_owned().into()))?;
        let lives = |versions: &BTreeMap<String, Element>| -> Vec<(String, Vec<Life>)> {
            let lives = versions
                .iter()
                .map(|(version, element)| (version.clone(), element.lives.clone()));
            lives.collect()
        };
        Some(lives(outer) == lives(versions))
    };
    let kept: BTreeSet<MemberName<'_>> = kind
        .parts
        .iter()
        .filter(|(part, versions)| versions.iter().any(changes) && within(part, versions) != Some(true))
        .map(|(part, _)| part.clone())
        .collect();
    kind.parts.retain(|part, _| kept.contains(part));
}

/// The path of the field that a part is in.
fn outer<'a>(part: &'a MemberName<'_>) -> Option<&'a str> {
    match part {
        MemberName::Value { path, .. } => Some(path),
        MemberName::Field(path) => {
            let end = path.rfind(['.', '['].as_slice())?;
            Some(path[..end].trim_end_matches("[]").trim_end_matches("{}"))
        }
        MemberName::Subresource(_) | MemberName::Annotation(_) => None,
    }
}
