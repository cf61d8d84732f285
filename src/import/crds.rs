//! `CustomResourceDefinitions`, in YAML or JSON, of `apiextensions.k8s.io/v1` and `v1beta1`.

pub(super) mod fields;

use std::collections::{BTreeMap, BTreeSet};

use crate::schema::{self, Unrendered};

use super::snapshot::{Field, Resource, Version};
use fields::{Allowance, Definitions};

use crate::text::{Unreadable, at};

/// What was found in one text.
#[derive(Debug, Default)]
pub struct Found {
    /// The definitions, in their order.
    pub definitions: Vec<Definition>,
    /// Documents that become definitions only once they are rendered.
    pub unrendered: Vec<Unrendered>,
}

/// A kind as one text defines it.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The API group.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The rest.
    pub resource: Resource,
}

/// Reads a text of one or more documents. Documents that define no custom resource are passed over.
///
/// No more than [`LARGEST`](crate::text::LARGEST) bytes are read, nested no deeper than
/// [`DEEPEST`](crate::text::DEEPEST); aliases are followed within bounds.
///
/// # Errors
///
/// If a document that seems to define a custom resource cannot be read: the first one.
pub fn read(text: &str) -> Result<Found, Unreadable> {
    let read = schema::read(text)?;
    let mut found = Found {
        definitions: Vec::with_capacity(read.definitions.len()),
        unrendered: read.unrendered,
    };
    let mut allowance = Allowance::new();
    for definition in read.definitions {
        allowance.next();
        let line = definition.place.line;
        let told = self::definition(definition, &mut allowance).map_err(|reason| at(line, 1, reason))?;
        found.definitions.push(told);
    }
    Ok(found)
}

/// As much of a definition as tells of lives.
fn definition(definition: schema::Definition, allowance: &mut Allowance) -> Result<Definition, String> {
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
    Ok(Definition {
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
