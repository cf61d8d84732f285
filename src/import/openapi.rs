//! Documents of `OpenAPI`, versions 2 and 3, in JSON or YAML, as a Kubernetes API server publishes them: `/openapi/v2`,
//! or one document a group and version below `/openapi/v3`.
//!
//! Served is what has a path. An operation says its kind in `x-kubernetes-group-version-kind`, and so does the schema
//! of the kind; what has a schema but no path (lists, options, parts of others) is no kind of its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::grammar::CORE;
use crate::schema::Schema;
use crate::schema::openapi::document::{Document, GroupVersionKind, Kinds};
use crate::schema::openapi::paths::{Served, served};
use crate::schema::openapi::written;
use crate::text::{Unreadable, at};

use super::crds::fields::{self, Allowance, Definitions};

use super::snapshot::Version;

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
/// No more than [`LARGEST`](crate::text::LARGEST) bytes are read, nested no deeper than
/// [`DEEPEST`](crate::text::DEEPEST); references and aliases are followed within bounds, and only within the document.
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
    for (line, document) in written(text)? {
        kinds(document, with_fields, &mut allowance, &mut found).map_err(|reason| at(line, 1, reason))?;
    }
    Ok(found)
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
    for schema in definitions.values().map(|property| &property.schema) {
        let kinds = schema.rest.get("x-kubernetes-group-version-kind").cloned();
        let kinds = kinds.and_then(|kinds| serde_json::from_value::<Kinds>(kinds).ok());
        for kind in kinds.iter().flat_map(Kinds::list) {
            schemas.entry(kind.clone()).or_insert(schema);
        }
    }
    schemas
}
