//! What the schemas of a state describe, by id.

use serde_json::Value as Json;

use super::State;
use crate::grammar::{ElementPath, MemberName};
use crate::schema::{Additional, Schema};

impl State<'_> {
    /// Whether a CRD has a field, or lists a value of one: `example.com/v1 Widget .spec.size`.
    pub fn describes(&self, id: &str) -> bool {
        let Ok(path) = ElementPath::parse(id) else { return false };
        let (Some(kind), Some(member)) = (path.kind(), path.member()) else {
            return false;
        };
        let (field, value) = match member {
            MemberName::Value { path, value } => (path, Some(value)),
            MemberName::Field(path) => (path, None),
            _ => return false,
        };
        let definitions = self.definitions.iter().map(|source| source.definition);
        let mut own = definitions.filter(|own| own.group == kind.version.group && own.kind == kind.kind);
        own.any(|own| {
            let version = own.versions.get(&*kind.version.version);
            let schema = version.and_then(|version| schema_at(version.schema.as_deref()?, field));
            schema.is_some_and(|schema| value.is_none_or(|value| lists(schema, value)))
        })
    }
}

fn lists(schema: &Schema, value: &str) -> bool {
    let mut values = schema.values.iter().flatten();
    values.any(|listed| matches!(listed, Json::String(text) if text == value))
}

/// The schema of a field: `spec.ports[].name`.
fn schema_at<'s>(schema: &'s Schema, path: &str) -> Option<&'s Schema> {
    path.split('.').try_fold(schema, |schema, step| {
        let name = step.trim_end_matches(['[', ']', '{', '}']);
        let mut found = &*schema.properties.get(name)?.schema;
        for inner in step.as_bytes()[name.len()..].chunks(2) {
            found = match (inner, &found.additional) {
                (b"[]", _) => found.items.as_deref()?,
                (_, Some(Additional::Of(values))) => values,
                _ => return None,
            };
        }
        Some(found)
    })
}
