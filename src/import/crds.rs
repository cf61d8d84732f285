//! `CustomResourceDefinitions`, in YAML or JSON, of `apiextensions.k8s.io/v1` and `v1beta1`.
//!
//! `OpenAPI` documents share the reading of schemas (`fields`), so that both describe a field in the same way.

pub(super) mod fields;

use std::collections::{BTreeMap, BTreeSet};

use crate::schema::{self, Unrendered};
use crate::text::{LARGEST, Unreadable, at};

use super::draft::Draft;
use super::kinds::{Parts, fold_snapshots};
use super::notice::{ImportError, Imported};
use super::releases::{File, Format, Releases};
use super::snapshot::{Defined, Field, Resource, Snapshot, Version};
use fields::{Allowance, Definitions};

/// CRDs in files.
pub const FORMAT: Format<CrdFile> = Format {
    name: "CustomResourceDefinition",
    endings: &["yaml", "yml", "json"],
    is_wanted: |_| true,
    largest: LARGEST,
    leaves_out: false,
    read,
    is_empty: |file| file.definitions.is_empty() && file.unrendered.is_empty(),
    skipped: |_| &[],
};

/// The CRDs of one text.
#[derive(Debug, Default)]
pub struct CrdFile {
    /// The kinds, in their order.
    pub definitions: Vec<Defined>,
    /// Templates, which become CRDs only when they are rendered.
    pub unrendered: Vec<Unrendered>,
}

/// Makes the lives of custom resources from the CRDs of releases. `known` is what is declared before the first of them.
///
/// # Errors
///
/// If there is no CRD.
pub fn import(known: Draft, releases: &Releases<'_, CrdFile>, parts: Parts) -> Result<Imported, ImportError> {
    fold_snapshots(known, releases, parts, add)
}

fn add(snapshot: &mut Snapshot, release: &str, file: &File<CrdFile>) -> Vec<String> {
    let name = &file.label;
    let unrendered = file.content.unrendered.iter();
    let skipped = unrendered.map(|document| format!("skipped {name}:{}: {}", document.line, document.sort));
    let mut notes: Vec<String> = skipped.collect();
    for defined in &file.content.definitions {
        if !snapshot.add(defined) {
            let Defined { group, kind, .. } = defined;
            notes.push(format!(
                "skipped {name}: another file of {release} defines {group} {kind} differently; name the folder that counts"
            ));
        }
    }
    notes
}

/// Reads a text of one or more documents, within bounds. Documents that define no custom resource are passed over.
///
/// # Errors
///
/// If a document that seems to define a custom resource cannot be read: the first one.
pub fn read(text: &str) -> Result<CrdFile, Unreadable> {
    let read = schema::read(text)?;
    let mut file = CrdFile {
        definitions: Vec::with_capacity(read.definitions.len()),
        unrendered: read.unrendered,
    };
    let mut allowance = Allowance::default();
    for definition in read.definitions {
        allowance.next();
        let line = definition.place.line;
        let kind = custom_kind(definition, &mut allowance).map_err(|reason| at(line, 1, reason))?;
        file.definitions.push(kind);
    }
    Ok(file)
}

fn custom_kind(definition: schema::Definition, allowance: &mut Allowance) -> Result<Defined, String> {
    let kind = definition.kind;
    let mut versions = BTreeMap::new();
    for (name, version) in definition.versions {
        let fields = version.schema.as_ref().map(|schema| fields(schema, allowance));
        let fields = fields.transpose().map_err(|reason| format!("{kind}: {reason}"))?;
        let read = Version {
            served: version.served,
            storage: version.storage,
            deprecated: version.deprecated,
            warning: version.warning,
            subresources: version.subresources.into_keys().collect(),
            fields: fields.unwrap_or_default(),
        };
        versions.insert(name, read);
    }
    let resource = Resource {
        plural: definition.plural,
        versions,
        stored: definition.stored,
        ..Resource::default()
    };
    Ok(Defined {
        group: definition.group,
        kind,
        resource,
    })
}

/// The fields of a schema: one of a custom resource refers to no other.
fn fields(schema: &schema::Schema, allowance: &mut Allowance) -> Result<BTreeMap<String, Field>, String> {
    let mut missing = BTreeSet::new();
    let fields = fields::of(schema, &Definitions::new(), &mut missing, allowance)?;
    match missing.first() {
        Some(reference) => Err(format!("a schema of a custom resource cannot refer to `{reference}`")),
        None => Ok(fields),
    }
}
