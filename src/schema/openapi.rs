//! `OpenAPI` documents of version 2 and 3, in JSON or YAML, as a Kubernetes API server publishes them: `/openapi/v2`,
//! or one document for each group and version below `/openapi/v3`.
//!
//! A kind is served if it has a path. Operations and schemas name their kind in `x-kubernetes-group-version-kind`.
//! Schemas keep their references, so a shared schema is compared once.

pub(crate) mod document;
pub(crate) mod paths;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use memchr::memmem::find;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value as Json};

use super::definition::{Definition, Version};
use super::node::{Property, Schema};
use crate::source::Location;
use crate::text::{
    LARGEST, MOST_NODES, Unreadable, at, bounded_json, check_size, documents, limits, line_below, of_json, of_problem,
};
use document::{Document as Written, GroupVersionKind, Kinds};
use paths::{Resource, Served, served};

/// The key that names the kinds of a schema.
const KINDS: &str = "x-kubernetes-group-version-kind";

/// The most names in a note.
const MOST_NAMED: usize = 5;

/// The name of the core group.
const CORE: &str = "core";

/// A group, a version and a kind.
pub(crate) type KindVersion = (String, String, String);

/// An `OpenAPI` document.
#[derive(Debug, Default)]
pub struct Document {
    /// The line at which it begins.
    pub(crate) line: u32,
    /// The kinds that it serves, with their versions, without schemas.
    pub kinds: Vec<Definition>,
    /// The names of their schemas. A kind may have none.
    pub(crate) roots: BTreeMap<KindVersion, String>,
    /// All schemas, by name.
    pub(crate) schemas: Arc<BTreeMap<String, Property>>,
    /// What was skipped, and why: one sentence each.
    pub notes: Vec<String>,
}

/// Reads a document that begins at a line of its text: as one of `OpenAPI`, or as none.
///
/// It is nested no deeper than `DEEPEST`; aliases are followed within bounds.
///
/// # Errors
///
/// If it looks like a document of `OpenAPI` and cannot be read.
pub(super) fn read_from(line: u32, document: &str) -> Result<Vec<Document>, Unreadable> {
    let written = written(document).map_err(|error| Unreadable {
        line: line_below(line, error.line.into()),
        ..error
    })?;
    let written = written.into_iter();
    written
        .map(|(own, document)| described(document, line_below(line, own.into())))
        .collect()
}

/// Whether a document may be one of `OpenAPI`.
pub(super) fn may_be_described(document: &str) -> bool {
    begins_as_json(document) || names_format(document) && document.lines().any(declares_format)
}

/// Whether one of the words that [`declares_format`] looks for is in a text at all: most CRDs have none.
fn names_format(text: &str) -> bool {
    ["swagger", "openapi"]
        .iter()
        .any(|word| find(text.as_bytes(), word.as_bytes()).is_some())
}

/// The `OpenAPI` documents in a text as written, each with its first line.
///
/// # Errors
///
/// If the text is larger than [`LARGEST`], and see [`read_from`].
pub(crate) fn written(text: &str) -> Result<Vec<(u32, Written)>, Unreadable> {
    check_size(text, LARGEST)?;
    if begins_as_json(text) {
        // The last word is in a document that breaks off before it says what it is.
        let is_likely = ["\"swagger\"", "\"openapi\"", KINDS]
            .iter()
            .any(|word| text.contains(word));
        let read = if is_likely { of_json_text(text)? } else { None };
        return Ok(read.map(|written| (1, written)).into_iter().collect());
    }
    if !names_format(text) {
        return Ok(Vec::new());
    }
    let documents = documents(text).filter(|(_, document)| document.lines().any(declares_format));
    documents
        .filter_map(|(line, document)| Some(of_yaml(document, line).transpose()?.map(|written| (line, written))))
        .collect()
}

fn begins_as_json(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with('{') && !start.starts_with("{{")
}

fn declares_format(line: &str) -> bool {
    let key = line.trim_start_matches(['"', '\'']);
    key.starts_with("swagger") || key.starts_with("openapi")
}

/// The keys that identify a document.
#[derive(Deserialize)]
#[serde(untagged)]
enum Label {
    Table {
        swagger: Option<IgnoredAny>,
        openapi: Option<IgnoredAny>,
    },
    Other(IgnoredAny),
}

impl Label {
    fn says(&self) -> bool {
        matches!(self, Self::Table { swagger, openapi } if swagger.is_some() || openapi.is_some())
    }
}

fn of_json_text(text: &str) -> Result<Option<Written>, Unreadable> {
    bounded_json(text)?;
    match serde_json::from_str::<Written>(text) {
        Ok(document) => Ok(document.is_one().then_some(document)),
        Err(problem) => match serde_json::from_str::<Label>(text) {
            Ok(label) if !label.says() => Ok(None),
            _ => Err(of_json(&problem)),
        },
    }
}

fn of_yaml(text: &str, line: u32) -> Result<Option<Written>, Unreadable> {
    match serde_saphyr::from_str_with_options::<Written>(text, limits(MOST_NODES)) {
        Ok(document) => Ok(document.is_one().then_some(document)),
        Err(problem) => match serde_saphyr::from_str_with_options::<Label>(text, limits(MOST_NODES)) {
            Ok(label) if !label.says() => Ok(None),
            _ => Err(of_problem(&problem, line)),
        },
    }
}

fn described(written: Written, line: u32) -> Result<Document, Unreadable> {
    let Served { resources, mut notes } = served(written.paths.as_ref()).map_err(|reason| at(line, 1, reason))?;
    let mut schemas = written.schemas();
    let mut names: BTreeMap<GroupVersionKind, String> = BTreeMap::new();
    let mut referred = BTreeSet::new();
    for (name, property) in &mut schemas {
        let stated = property.schema.rest.remove(KINDS).map(serde_json::from_value::<Kinds>);
        for kind in stated.iter().flatten().flat_map(Kinds::list) {
            names.entry(kind.clone()).or_insert_with(|| name.clone());
        }
        plain(&mut property.schema, &mut referred);
    }
    notes.extend(missing(&referred, &schemas));
    let mut document = Document {
        line,
        ..Document::default()
    };
    let mut kinds: BTreeMap<(String, String), Definition> = BTreeMap::new();
    for (kind, resource) in resources {
        let GroupVersionKind { version, kind: own, .. } = kind.clone();
        let group = if kind.group.is_empty() { CORE } else { &kind.group }.to_owned();
        match names.get(&kind) {
            Some(name) => {
                let key = (group.clone(), version.clone(), own.clone());
                document.roots.insert(key, name.clone());
            }
            None => notes.push(format!(
                "{group}/{version} {own} has no schema: its fields are not compared"
            )),
        }
        let known = kinds.entry((group, own)).or_default();
        add(known, &kind, version, resource, line);
    }
    document.kinds = kinds.into_values().collect();
    document.schemas = Arc::new(schemas);
    document.notes = notes;
    Ok(document)
}

/// Adds a version to a kind.
fn add(known: &mut Definition, kind: &GroupVersionKind, version: String, resource: Resource, line: u32) {
    let group = if kind.group.is_empty() { CORE } else { &kind.group };
    group.clone_into(&mut known.group);
    kind.kind.clone_into(&mut known.kind);
    known.plural = resource.plural;
    known.place = Location { line, column: 1 };
    let scope = if resource.namespaced { "Namespaced" } else { "Cluster" };
    known.scope = Some(scope.to_owned());
    let subresources = resource.subresources.into_iter();
    let version_of = Version {
        served: true,
        deprecated: resource.deprecated,
        subresources: subresources.map(|name| (name, Json::Object(Map::new()))).collect(),
        ..Version::default()
    };
    known.versions.insert(version, version_of);
}

/// Normalizes references to the bare name, without the `allOf` that version 3 wraps around a reference with other
/// keywords. Collects the names.
fn plain(schema: &mut Schema, referred: &mut BTreeSet<String>) {
    if let (None, Some([only])) = (&schema.reference, schema.logic.get("allOf").map(Vec::as_slice))
        && let Some(name) = only.reference.clone().filter(|name| *only == reference_to(name))
    {
        schema.logic.remove("allOf");
        schema.reference = Some(name);
    }
    if let Some(reference) = &mut schema.reference {
        *reference = name_of(reference);
        if !referred.contains(reference) {
            referred.insert(reference.clone());
        }
    }
    schema.parts_mut().for_each(|part| plain(part, referred));
}

/// The note about references to missing schemas.
fn missing(referred: &BTreeSet<String>, schemas: &BTreeMap<String, Property>) -> Option<String> {
    let missing = referred.iter().filter(|name| !schemas.contains_key(*name));
    let mut missing: Vec<String> = missing.map(|name| format!("`{name}`")).collect();
    let more = missing.len().saturating_sub(MOST_NAMED);
    missing.truncate(MOST_NAMED);
    let names = match (missing.is_empty(), more) {
        (true, _) => return None,
        (_, 0) => missing.join(", "),
        _ => format!("{} and {more} more", missing.join(", ")),
    };
    Some(format!(
        "the document has no schema named {names}: references to it are not compared"
    ))
}

/// A schema that is only a reference.
fn reference_to(name: &str) -> Schema {
    Schema {
        reference: Some(name.to_owned()),
        ..Schema::default()
    }
}

/// The name that a pointer ends in (RFC 6901).
fn name_of(pointer: &str) -> String {
    let within = ["#/definitions/", "#/components/schemas/"];
    let name = within.iter().find_map(|start| pointer.strip_prefix(start));
    name.unwrap_or(pointer).replace("~1", "/").replace("~0", "~")
}
