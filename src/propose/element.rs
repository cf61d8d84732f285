//! Where the model says what of an element.

use crate::diagnostic::{Change, Diagnostic};
use crate::document::Document;
use crate::import::Value;
use crate::model::{ElementId, ElementKind, Family, Group, Model};

use super::draft::Path;
use super::settle::Workshop;

/// The keys that lead to an element's entry. A part of a kind that says things version by version has one below `in`.
pub(super) fn path(workshop: &Workshop<'_>, model: &Model, id: ElementId) -> Path {
    let element = model.element(id);
    let own = element.name();
    let parent = element.parent;
    match element.kind {
        ElementKind::ApiVersion | ElementKind::ConfigVersion => version(model, id, &["version"]),
        ElementKind::Kind | ElementKind::ConfigKind => {
            let (mut path, name) = parent.map_or_else(Default::default, |parent| split(model, parent));
            path.extend(owned(&["kind", own, "version"]));
            path.push(name);
            path
        }
        ElementKind::Command => command(own),
        ElementKind::Flag => flag(model, own, parent),
        ElementKind::Gate => owned(&["gate", own]),
        ElementKind::Metric => owned(&["metric", own]),
        ElementKind::Behavior => owned(&["behavior", own]),
        ElementKind::Subresource | ElementKind::Field | ElementKind::EnumValue | ElementKind::Annotation => {
            member(workshop, model, id)
        }
    }
}

/// The entry of a part in its version.
fn member(workshop: &Workshop<'_>, model: &Model, id: ElementId) -> Path {
    let element = model.element(id);
    let Some(kind) = element.parent else { return Path::new() };
    let (group, version) = model
        .element(kind)
        .parent
        .map_or_else(Default::default, |parent| split(model, parent));
    let mut path = group;
    path.extend(owned(&["kind", model.element(kind).name()]));
    path.extend(part(element.kind, element.name()));
    let within: Path = path.iter().cloned().chain(owned(&["in"])).collect();
    if says(&workshop.documents, &within) {
        path = within;
        path.push(version);
    }
    path
}

/// The keys of a part below its kind.
pub(super) fn part(kind: ElementKind, name: &str) -> Path {
    match (kind, name.split_once('=')) {
        (ElementKind::EnumValue, Some((path, value))) => owned(&["enum", path, value]),
        (ElementKind::Subresource, _) => owned(&["subresource", name]),
        (ElementKind::Annotation, _) => owned(&["annotation", name]),
        _ => owned(&["field", name]),
    }
}

fn version(model: &Model, id: ElementId, between: &[&str]) -> Path {
    let (mut path, name) = split(model, id);
    path.extend(owned(between));
    path.push(name);
    path
}

/// The keys of a version's group, and the version's name.
pub(super) fn split(model: &Model, version: ElementId) -> (Path, String) {
    let element = model.element(version);
    let family = if element.kind == ElementKind::ConfigVersion {
        "config"
    } else {
        "group"
    };
    match element.name().rsplit_once('/') {
        Some((group, name)) => (owned(&[family, group]), name.to_owned()),
        None => (owned(&[family]), element.name().to_owned()),
    }
}

/// The keys of a group.
pub(super) fn of_group(group: &Group) -> Path {
    let family = match group.family {
        Family::Api => "group",
        Family::Config => "config",
    };
    owned(&[family, &group.name])
}

fn command(name: &str) -> Path {
    match name.split_once(' ') {
        Some((program, command)) => owned(&["cli", program, "command", command]),
        None => owned(&["cli", name]),
    }
}

fn flag(model: &Model, name: &str, parent: Option<ElementId>) -> Path {
    let above = parent.map(|parent| model.element(parent).name());
    let own = above.and_then(|above| Some((command(above), name.strip_prefix(above)?.trim_start())));
    let (mut path, flag) = match own {
        Some(own) => own,
        None => match name.split_once(' ') {
            Some((program, flag)) => (owned(&["cli", program]), flag),
            None => (owned(&["cli"]), name),
        },
    };
    path.extend(owned(&["flag", flag]));
    path
}

pub(super) fn owned(keys: &[&str]) -> Path {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

/// Whether a model's files say anything at a path.
pub(super) fn says(documents: &[Document<'_>], path: &[String]) -> bool {
    documents.iter().any(|document| value(document, path).is_some())
}

/// What a file says at a path.
pub(super) fn value<'d>(document: &'d Document<'_>, path: &[String]) -> Option<crate::document::Value<'d>> {
    let (last, above) = path.split_last()?;
    let table = above
        .iter()
        .try_fold(document.root(), |table, key| table.get(key)?.1.as_table());
    Some(table?.get(last)?.1)
}

/// The keys that a finding asks to be added to its element's entry.
pub(super) fn additions(path: &Path, finding: &Diagnostic) -> Vec<(Path, String, Value)> {
    let added = finding.fix.iter().filter_map(|change| match change {
        Change::Add { key, value, .. } => Some((path.clone(), (*key).to_owned(), plain(value)?)),
        Change::Set { .. } | Change::Delete { .. } => None,
    });
    added.collect()
}

/// A value as TOML writes it, where it is a string or a truth.
fn plain(text: &str) -> Option<Value> {
    let table: toml::Table = toml::from_str(&format!("value = {text}\n")).ok()?;
    match table.get("value")? {
        toml::Value::String(text) => Some(Value::Text(text.clone())),
        toml::Value::Boolean(flag) => Some(Value::Flag(*flag)),
        _ => None,
    }
}

/// A string, a truth or a number of a file, to be said again.
pub(super) fn copied(value: crate::document::Value<'_>) -> Value {
    match (value.as_word(), value.as_bool()) {
        (Some(word), _) => Value::Text(word.text.to_owned()),
        (None, Some(flag)) => Value::Flag(flag),
        (None, None) => {
            let text = value.plain_text();
            text.parse().map_or(Value::Text(text), Value::Number)
        }
    }
}
