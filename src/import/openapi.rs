//! Documents of `OpenAPI`, versions 2 and 3, in JSON or YAML, as a Kubernetes API server publishes them: `/openapi/v2`,
//! or one document a group and version below `/openapi/v3`.
//!
//! Served is what has a path. An operation says its kind in `x-kubernetes-group-version-kind`, and so does the schema
//! of the kind; what has a schema but no path (lists, options, parts of others) is no kind of its own.

mod document;
mod paths;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::schema::Schema;

use super::crds::fields::{self, Allowance, Definitions};
use super::peers::CORE;
use super::snapshot::Version;
use crate::text::{LARGEST, MOST_NODES, Unreadable, at, bounded_json, documents, limits, of_json, of_problem};
use document::{Document, GroupVersionKind, Kinds};
use paths::{Served, served};

/// Words of which a document has one: the last in one that breaks off before it says what it is.
const WORDS: [&str; 3] = ["swagger", "openapi", "x-kubernetes-group-version-kind"];

/// What was found in one text.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    /// The kinds that are served.
    pub kinds: Vec<Kind>,
    /// What was left out, and why: a sentence each.
    pub notes: Vec<String>,
}

/// A kind in one version, as it is served.
#[derive(Debug, Clone, PartialEq)]
pub struct Kind {
    /// The API group; `core` for the one without a name.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The plural in URLs.
    pub plural: String,
    /// The name of the version.
    pub name: String,
    /// The rest. A document does not tell in which version objects are stored.
    pub version: Version,
}

/// Reads a text. One that is no document of `OpenAPI` has nothing.
///
/// No more than [`LARGEST`] bytes are read, nested no deeper than [`DEEPEST`](crate::text::DEEPEST); references and
/// aliases are followed within bounds, and only within the document.
///
/// # Errors
///
/// If it seems to be a document and cannot be read.
pub fn read(text: &str) -> Result<Found, Unreadable> {
    read_text(text, true)
}

/// The same without the fields of the kinds.
///
/// # Errors
///
/// As those of [`read`].
pub fn read_kinds(text: &str) -> Result<Found, Unreadable> {
    read_text(text, false)
}

fn read_text(text: &str, with_fields: bool) -> Result<Found, Unreadable> {
    let mut found = Found::default();
    let mut allowance = Allowance::new();
    if text.len() > LARGEST {
        return Err(at(1, 1, format!("larger than {} MiB", LARGEST >> 20)));
    }
    if !is_likely(text) {
        return Ok(found);
    }
    let mut add = |document: Option<Document>, line: u32| match document {
        Some(document) => {
            kinds(document, with_fields, &mut allowance, &mut found).map_err(|reason| at(line, 1, reason))
        }
        None => Ok(()),
    };
    if text.trim_start().starts_with('{') {
        add(of_json_text(text)?, 1)?;
        return Ok(found);
    }
    for (line, document) in documents(text).filter(|(_, document)| is_likely(document)) {
        add(of_yaml(document, line)?, line)?;
    }
    Ok(found)
}

fn is_likely(text: &str) -> bool {
    WORDS.iter().any(|word| text.contains(word))
}

/// As much as tells whether a text is a document.
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

fn of_json_text(text: &str) -> Result<Option<Document>, Unreadable> {
    bounded_json(text)?;
    match serde_json::from_str::<Document>(text) {
        Ok(document) => Ok(document.is_one().then_some(document)),
        Err(problem) => match serde_json::from_str::<Label>(text) {
            Ok(label) if !label.says() => Ok(None),
            _ => Err(of_json(&problem)),
        },
    }
}

fn of_yaml(text: &str, line: u32) -> Result<Option<Document>, Unreadable> {
    match serde_saphyr::from_str_with_options::<Document>(text, limits(MOST_NODES)) {
        Ok(document) => Ok(document.is_one().then_some(document)),
        Err(problem) => match serde_saphyr::from_str_with_options::<Label>(text, limits(MOST_NODES)) {
            Ok(label) if !label.says() => Ok(None),
            _ => Err(of_problem(&problem, line)),
        },
    }
}

/// The kinds that a document serves.
fn kinds(document: Document, with_fields: bool, allowance: &mut Allowance, found: &mut Found) -> Result<(), String> {
    let Served { resources, notes } = served(document.paths.as_ref())?;
    found.notes.extend(notes);
    let definitions = document.schemas();
    let mut missing = BTreeSet::new();
    let schemas = by_kind(&definitions);
    for (kind, resource) in resources {
        let mut version = Version {
            served: true,
            deprecated: resource.deprecated,
            subresources: resource.subresources,
            ..Version::default()
        };
        let named = format!("{} {}", grouped(&kind), kind.kind);
        match schemas.get(&kind).filter(|_| with_fields) {
            Some(schema) => {
                allowance.next();
                version.fields = fields::of(schema, &definitions, &mut missing, allowance)
                    .map_err(|reason| format!("{named}: {reason}; without fields it can be imported"))?;
            }
            None if with_fields => found
                .notes
                .push(format!("{named} has no schema: its fields are not known")),
            None => {}
        }
        let group = if kind.group.is_empty() { CORE } else { &kind.group };
        found.kinds.push(Kind {
            group: group.to_owned(),
            kind: kind.kind,
            plural: resource.plural,
            name: kind.version,
            version,
        });
    }
    let missing = missing.into_iter();
    found
        .notes
        .extend(missing.map(|reference| format!("`{reference}` is not in the document: its fields are not known")));
    Ok(())
}

/// A group and version in the form of `apiVersion`.
fn grouped(kind: &GroupVersionKind) -> String {
    if kind.group.is_empty() {
        kind.version.clone()
    } else {
        format!("{}/{}", kind.group, kind.version)
    }
}

/// The schemas that say which kind they are of. Of several, the first counts.
fn by_kind(definitions: &Definitions) -> BTreeMap<GroupVersionKind, &Schema> {
    let mut schemas = BTreeMap::new();
    for schema in definitions.values() {
        let kinds = schema.rest.get("x-kubernetes-group-version-kind").cloned();
        let kinds = kinds.and_then(|kinds| serde_json::from_value::<Kinds>(kinds).ok());
        for kind in kinds.iter().flat_map(Kinds::list) {
            schemas.entry(kind.clone()).or_insert(schema);
        }
    }
    schemas
}
