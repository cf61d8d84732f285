//! Documents of `OpenAPI`, versions 2 and 3, in JSON or YAML, as a Kubernetes API server publishes them: `/openapi/v2`,
//! or one document per group and version below `/openapi/v3`.
//!
//! What has a path is served. An operation names its kind in `x-kubernetes-group-version-kind`, and so does the schema
//! of the kind; the plural and the subresources are read off the paths. What has a schema but no path (lists, options,
//! parts of others) is no kind of its own. References are followed within the document and within bounds, for a few
//! lines of them can stand for millions of fields. A document does not show in which version objects are stored, nor
//! what is no longer served: nothing is written of the former, and the latter shows in the next release's document.

use std::collections::{BTreeMap, BTreeSet};

use crate::grammar::{CORE, VersionPath};
use crate::schema::Schema;
use crate::schema::openapi::document::{Document, GroupVersionKind, Kinds};
use crate::schema::openapi::paths::{Served, served};
use crate::schema::openapi::written;
use crate::text::{LARGEST, Unreadable, at};

use super::crds::fields::{self, Allowance, Definitions};
use super::draft::Draft;
use super::kinds::{Parts, fold_snapshots};
use super::notice::{ImportError, Imported};
use super::releases::{File, Format, Releases};
use super::snapshot::{Defined, Resource, Snapshot, Version};

/// `OpenAPI` documents in files.
pub const FORMAT: Format<OpenApiFile> = Format {
    name: "OpenAPI document with served kinds",
    endings: &["json", "yaml", "yml"],
    is_wanted: |_| true,
    largest: LARGEST,
    leaves_out: false,
    read,
    is_empty: |file| file.kinds.is_empty(),
    skipped: |_| &[],
};

/// The same without the fields of the kinds.
pub const WITHOUT_FIELDS: Format<OpenApiFile> = Format {
    read: |text| read_text(text, false),
    ..FORMAT
};

/// What one text serves.
#[derive(Debug, Default, PartialEq)]
pub struct OpenApiFile {
    /// The kinds, each in one version.
    pub kinds: Vec<Defined>,
    /// What was left out, and why: a sentence each.
    pub notes: Vec<String>,
}

/// Makes the lives of kinds from the documents of releases. `known` is what is declared before the first of them.
///
/// # Errors
///
/// If nothing is served.
pub fn import(known: Draft, releases: &Releases<'_, OpenApiFile>, parts: Parts) -> Result<Imported, ImportError> {
    fold_snapshots(known, releases, parts, add)
}

fn add(snapshot: &mut Snapshot, release: &str, file: &File<OpenApiFile>) -> Vec<String> {
    let name = &file.label;
    let notes = file.content.notes.iter();
    let mut notes: Vec<String> = notes.map(|note| format!("{name}: {note}")).collect();
    let mut different = Vec::new();
    for defined in &file.content.kinds {
        if !snapshot.add(defined) {
            let version: String = defined.resource.versions.keys().cloned().collect();
            different.push(format!("{} {version} {}", defined.group, defined.kind));
        }
    }
    if let Some(first) = different.first() {
        let kinds = match different.len() {
            1 => "one kind".to_owned(),
            several => format!("{several} kinds"),
        };
        notes.push(format!(
            "skipped {kinds} of {name} that another file of {release} describes differently, such as {first}; name the \
             file that counts"
        ));
    }
    notes
}

/// Reads a text, within bounds. One that is no document of `OpenAPI` has nothing.
///
/// # Errors
///
/// If it seems to be a document and cannot be read.
pub fn read(text: &str) -> Result<OpenApiFile, Unreadable> {
    read_text(text, true)
}

fn read_text(text: &str, with_fields: bool) -> Result<OpenApiFile, Unreadable> {
    let mut file = OpenApiFile::default();
    let mut allowance = Allowance::default();
    for (line, document) in written(text)? {
        add_kinds(document, with_fields, &mut allowance, &mut file).map_err(|reason| at(line, 1, reason))?;
    }
    Ok(file)
}

fn add_kinds(
    document: Document,
    with_fields: bool,
    allowance: &mut Allowance,
    file: &mut OpenApiFile,
) -> Result<(), String> {
    let Served { resources, notes } = served(document.paths.as_ref())?;
    file.notes.extend(notes);
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
        let group = if kind.group.is_empty() { CORE } else { &kind.group };
        let named = format!(
            "{} {}",
            VersionPath::api(group, &*kind.version).api_version(),
            kind.kind
        );
        match schemas.get(&kind).filter(|_| with_fields) {
            Some(schema) => {
                allowance.next();
                version.fields = fields::of(schema, &definitions, &mut missing, allowance)
                    .map_err(|reason| format!("{named}: {reason}; import it with `--fields none`"))?;
            }
            None if with_fields => file
                .notes
                .push(format!("{named} has no schema, so its fields are unknown")),
            None => {}
        }
        file.kinds.push(Defined {
            group: group.to_owned(),
            kind: kind.kind,
            resource: Resource {
                plural: resource.plural,
                versions: [(kind.version, version)].into(),
                served_only: true,
                ..Resource::default()
            },
        });
    }
    let missing = missing.into_iter();
    file.notes
        .extend(missing.map(|reference| format!("`{reference}` is not in the document, so its fields are unknown")));
    Ok(())
}

/// The schemas that name their kind. Of several, the first counts.
fn by_kind(definitions: &Definitions) -> BTreeMap<GroupVersionKind, &Schema> {
    let mut schemas = BTreeMap::new();
    for schema in definitions.values().map(|property| &*property.schema) {
        let kinds = schema.rest.get("x-kubernetes-group-version-kind").cloned();
        let kinds = kinds.and_then(|kinds| serde_json::from_value::<Kinds>(kinds).ok());
        for kind in kinds.iter().flat_map(Kinds::list) {
            schemas.entry(kind.clone()).or_insert(schema);
        }
    }
    schemas
}
