//! The fields of a schema as a list of paths.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::super::snapshot::Field;
use super::schema::Schema;

/// Fields of one definition, all its versions together.
const MOST_FIELDS: usize = 100_000;

/// Bytes of the path of a field.
const LONGEST_PATH: usize = 1_000;

/// Bytes of the paths of all fields in one text: deep schemas with long names would come to much more than the text.
const MOST_BYTES: usize = 256 << 20;

/// What may still be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowance {
    fields: usize,
    bytes: usize,
}

impl Allowance {
    /// What one text may have.
    pub fn new() -> Self {
        Self {
            fields: MOST_FIELDS,
            bytes: MOST_BYTES,
        }
    }

    /// The same for the next definition.
    pub fn next(&mut self) {
        self.fields = MOST_FIELDS;
    }

    /// Takes these fields off it.
    ///
    /// # Errors
    ///
    /// If there are too many.
    pub fn take<'p>(&mut self, mut paths: impl Iterator<Item = &'p String>) -> Result<(), String> {
        paths.try_for_each(|path| self.take_one(path))
    }

    fn take_one(&mut self, path: &str) -> Result<(), String> {
        self.fields = self
            .fields
            .checked_sub(1)
            .ok_or_else(|| format!("more than {MOST_FIELDS} fields"))?;
        let left = self.bytes.checked_sub(path.len());
        self.bytes = left.ok_or_else(|| format!("more than {} MiB of field paths", MOST_BYTES >> 20))?;
        Ok(())
    }
}

/// What every object has, and no definition decides.
const OF_EVERY_OBJECT: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The fields of a schema, by path.
///
/// # Errors
///
/// If there are more fields than allowed, a path is longer than [`LONGEST_PATH`], or a name has control characters.
pub(super) fn of(schema: &Schema, allowance: &mut Allowance) -> Result<BTreeMap<String, Field>, String> {
    let mut fields = BTreeMap::new();
    below("", schema, &mut fields, allowance)?;
    Ok(fields)
}

fn below(
    path: &str,
    schema: &Schema,
    fields: &mut BTreeMap<String, Field>,
    allowance: &mut Allowance,
) -> Result<(), String> {
    let properties = schema.properties.iter().flatten();
    for (name, property) in
        properties.filter(|(name, _)| !(path.is_empty() && OF_EVERY_OBJECT.contains(&name.as_str())))
    {
        let path = step(path, name)?;
        allowance.take_one(&path)?;
        let required = schema.required.as_ref().is_some_and(|required| required.contains(name));
        fields.insert(path.clone(), field(property, required));
        within(&path, property, fields, allowance)?;
    }
    Ok(())
}

/// What is in a value: in its items too, if it is a list or a map.
fn within(
    path: &str,
    schema: &Schema,
    fields: &mut BTreeMap<String, Field>,
    allowance: &mut Allowance,
) -> Result<(), String> {
    below(path, schema, fields, allowance)?;
    for (mark, nested) in [("[]", &schema.items), ("{}", &schema.additional_properties)] {
        if let Some(nested) = &nested.0 {
            within(&format!("{path}{mark}"), nested, fields, allowance)?;
        }
    }
    Ok(())
}

fn step(path: &str, name: &str) -> Result<String, String> {
    let start: String = name.chars().take(40).collect();
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(format!(
            "the name of a field below `{path}` is empty or has control characters"
        ));
    }
    if path.len() + name.len() > LONGEST_PATH {
        return Err(format!(
            "the path of the field `{start}` is longer than {LONGEST_PATH} bytes"
        ));
    }
    Ok(match (path.is_empty(), name.contains('.')) {
        (true, false) => name.to_owned(),
        (false, false) => format!("{path}.{name}"),
        // A dot in a name is no step.
        (_, true) => format!("{path}[{name}]"),
    })
}

fn field(schema: &Schema, required: bool) -> Field {
    let items = [&schema.items, &schema.additional_properties];
    let items = items.iter().filter_map(|nested| nested.0.as_deref());
    let values = std::iter::once(schema)
        .chain(items)
        .filter_map(|schema| schema.values.as_ref());
    Field {
        kind: schema.kind.clone().unwrap_or_default(),
        required,
        default: schema.default.clone().filter(|value| !value.is_null()),
        // A value without a name cannot be declared.
        values: values
            .flatten()
            .filter_map(word)
            .filter(|word| !word.is_empty())
            .collect(),
    }
}

/// A value of an enumeration as a word; a model has no control characters in names.
fn word(value: &Json) -> Option<String> {
    match value {
        Json::Null => None,
        Json::String(word) => Some(word.clone()).filter(|word| !word.chars().any(char::is_control)),
        other => Some(other.to_string()),
    }
}
