//! The parts of kinds from release to release: subresources, fields, enumerated values.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::grammar::MemberName;
use crate::release::ReleaseName;

use super::super::draft::{Element, Kind, Life, Value};
use super::super::notice::ChangeLog;
use super::super::snapshot::{Field, Version};
use super::{Parts, Step};

/// One release in the lives of a kind's parts. `begun` are the versions in which the kind began a life before this
/// release.
pub(super) fn follow(kind: &mut Kind, step: Step<'_>, begun: &BTreeSet<String>, parts: Parts, log: &mut ChangeLog<'_>) {
    let versions: Vec<String> = kind.versions.keys().cloned().collect();
    let listed = kind.parts.values().flat_map(BTreeMap::keys);
    let listed: BTreeSet<String> = listed.cloned().collect();
    let mut changed: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    // Of parts that are neither known nor followed, only what is marked can differ from its kind.
    let marked = (parts == Parts::Changed && step.only && kind.parts.is_empty()).then(|| marked(step));
    for version in versions {
        let before = step.before(&version).filter(|before| before.served);
        let now = step.now(&version).filter(|now| now.served);
        if let (Some(before), Some(now)) = (before, now) {
            for change in changes(before, now) {
                changed.entry(change).or_default().push(version.clone());
            }
        }
        // A part whose beginning these releases do not show has existed as long as its kind. Where all parts are
        // listed, one that is not listed is new.
        let complete = parts == Parts::All && listed.contains(&version);
        let unknown = begun.contains(&version) && step.before(&version).is_none() && !complete;
        let spans = kind.versions.get(&version).filter(|_| unknown).map(spans);
        let lives = spans.unwrap_or_else(|| vec![Life::begun(step.release.clone())]);
        let present = now.into_iter().flat_map(present);
        let present = present.filter(|part| marked.as_ref().is_none_or(|marked| is_in(part, marked)));
        follow_version(kind, &version, now, present.collect(), &lives, step.release);
    }
    for ((path, change), versions) in changed {
        log.push(&format!("{} .{path} {change}", versions.join(", ")));
    }
}

fn marked(step: Step<'_>) -> BTreeSet<&str> {
    let versions = step.now.iter().flat_map(|now| now.versions.values());
    let fields = versions.flat_map(|version| &version.fields);
    let marked = fields.filter(|(_, field)| field.deprecated);
    marked.map(|(path, _)| path.as_str()).collect()
}

fn is_in(part: &MemberName<'_>, fields: &BTreeSet<&str>) -> bool {
    matches!(part, MemberName::Field(path) if fields.contains(&**path))
}

fn spans(element: &Element) -> Vec<Life> {
    let spans = element.lives.iter().map(|life| Life {
        introduced: life.introduced.clone(),
        removed: life.removed.clone(),
        ..Life::default()
    });
    spans.collect()
}

/// One release in the lives of the parts of one version. A part that is present for the first time has these lives.
fn follow_version(
    kind: &mut Kind,
    version: &str,
    now: Option<&Version>,
    present: Vec<MemberName<'static>>,
    lives: &[Life],
    release: &ReleaseName,
) {
    let mut parts: BTreeMap<MemberName<'static>, bool> = present.into_iter().map(|part| (part, true)).collect();
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
            (MemberName::Field(path), Some(now)) => Some((now.fields.get(&**path), default_of(path, now))),
            _ => None,
        };
        let versions = kind.parts.entry(part).or_default();
        let element = versions.entry(version.to_owned()).or_default();
        if element.lives.is_empty() && here {
            element.lives = of_field.unwrap_or_else(|| lives.to_vec());
        }
        element.follow(here, release);
        if let Some((field, default)) = field {
            deprecate(element, field.is_some_and(|field| field.deprecated), release);
            match default {
                Some(default) => drop(element.keys.insert("default".to_owned(), default)),
                None if field.is_some() => drop(element.keys.remove("default")),
                None => {}
            }
        }
    }
}

fn deprecate(element: &mut Element, marked: bool, release: &ReleaseName) {
    if let Some(life) = element.lives.last_mut().filter(|life| life.removed.is_none())
        && marked
        && !life.is_deprecated()
    {
        life.deprecated.push(release.clone());
    }
}

fn present(version: &Version) -> impl Iterator<Item = MemberName<'static>> {
    let subresources = version.subresources.iter();
    let subresources = subresources.map(|name| MemberName::Subresource(name.clone().into()));
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

/// What a default that is no single value, and not empty, is in a model: that there is one.
const OBJECT: &str = "{…}";
const LIST: &str = "[…]";

/// The default of a field as a model has it. Fields with defaults fill an object that is empty by default.
fn default_of(path: &str, now: &Version) -> Option<Value> {
    let value = now.fields.get(path)?.default.as_ref()?;
    let within = format!("{path}.");
    Some(match value {
        Json::Bool(flag) => Value::Flag(*flag),
        Json::String(text) => Value::Text(text.clone()),
        Json::Number(number) => number
            .as_i64()
            .map_or_else(|| Value::Text(number.to_string()), Value::Number),
        Json::Object(entries) if !entries.is_empty() || has_defaults(&within, now) => Value::from(OBJECT),
        Json::Array(items) if !items.is_empty() => Value::from(LIST),
        empty => Value::Text(empty.to_string()),
    })
}

/// Whether fields right below a path have defaults.
fn has_defaults(within: &str, now: &Version) -> bool {
    let fields = now.fields.range(within.to_owned()..);
    let mut own = fields.map_while(|(path, field)| Some((path.strip_prefix(within)?, field)));
    own.any(|(name, field)| field.default.is_some() && !name.contains('.'))
}

/// What changes in the fields that stay, in words that follow the field's path.
fn changes<'v>(before: &'v Version, now: &'v Version) -> Vec<(&'v str, String)> {
    let stay = before.fields.iter();
    let stay = stay.filter_map(|(path, was)| Some((path.as_str(), was, now.fields.get(path)?)));
    stay.flat_map(|(path, was, is)| field_changes(was, is).into_iter().map(move |change| (path, change)))
        .collect()
}

fn field_changes(was: &Field, is: &Field) -> Vec<String> {
    let mut changes = Vec::new();
    if was.kind != is.kind {
        let (from, to) = (or_none(&was.kind), or_none(&is.kind));
        changes.push(format!("changes its type from {from} to {to}"));
    }
    match (was.required, is.required) {
        (false, true) => changes.push("becomes required".to_owned()),
        (true, false) => changes.push("is no longer required".to_owned()),
        _ => {}
    }
    if was.deprecated && !is.deprecated {
        changes.push("is no longer marked as deprecated".to_owned());
    }
    if was.default != is.default {
        changes.push("changes its default".to_owned());
    }
    for name in was.facets.keys().chain(is.facets.keys()).collect::<BTreeSet<_>>() {
        let [from, to] = [was, is].map(|field| field.facets.get(name).map_or("", String::as_str));
        if from != to {
            changes.push(format!("changes its {name} from {} to {}", or_none(from), or_none(to)));
        }
    }
    if !was.values.is_empty() && is.values.is_empty() {
        changes.push("no longer lists its values".to_owned());
    }
    changes
}

fn or_none(word: &str) -> &str {
    if word.is_empty() { "none" } else { word }
}

/// Keeps the parts to which something happens while their kind exists. What begins and ends with the field that it is
/// in follows from that field.
pub(super) fn keep_changed(kind: &mut Kind) {
    let kept = kind.parts.iter().filter(|(part, versions)| {
        let mut elements = versions.iter();
        let differs = elements.any(|(version, part)| differs(part, kind.versions.get(version)));
        let outer = outer(part).and_then(|path| kind.parts.get(&MemberName::Field(path.into())));
        differs && !outer.is_some_and(|outer| have_same_lives(outer, versions))
    });
    let kept: BTreeSet<MemberName<'_>> = kept.map(|(part, _)| part.clone()).collect();
    kind.parts.retain(|part, _| kept.contains(part));
}

/// Whether a part lives otherwise than its kind in one version, or is deprecated.
fn differs(part: &Element, kind: Option<&Element>) -> bool {
    let spans_of_kind = kind.map(spans).unwrap_or_default();
    spans(part) != spans_of_kind || part.lives.iter().any(|life| !life.deprecated.is_empty())
}

fn have_same_lives(one: &BTreeMap<String, Element>, other: &BTreeMap<String, Element>) -> bool {
    let [one, other] = [one, other].map(|all| all.iter().map(|(version, element)| (version, &element.lives)));
    one.eq(other)
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
