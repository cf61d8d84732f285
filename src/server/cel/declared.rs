//! What a schema declares for rules: the types of values, and how large they can be at most.

use std::collections::BTreeMap;

use serde_json::Value;

use super::types::{DeclId, Type};
use crate::cel::lexer::is_keyword;

/// Bytes of a request, within which all sizes stay.
const LARGEST_REQUEST: i64 = 3 * 1024 * 1024;

#[derive(Debug)]
pub(crate) struct Declared {
    all: Vec<Declaration>,
    root: DeclId,
}

#[derive(Debug)]
struct Declaration {
    shape: Shape,
    /// The size of a value at most: its bytes, values or entries.
    largest: u64,
    /// Bytes of the smallest value in JSON.
    smallest: i64,
}

#[derive(Debug)]
enum Shape {
    Scalar(Type),
    List(DeclId),
    Map(DeclId),
    Object(BTreeMap<String, DeclId>),
}

/// A step from a value to a part of it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part<'n> {
    Field(&'n str),
    Items,
    Values,
    Keys,
    Indices,
}

/// The key of a map, whose size servers take for 0.
const KEY: DeclId = 0;

impl Declared {
    /// The declarations of a schema; `None` if rules cannot name its values.
    pub(crate) fn of(schema: &Value, is_root: bool) -> Option<Self> {
        let key = Declaration {
            shape: Shape::Scalar(Type::Text),
            largest: 0,
            smallest: 2,
        };
        let mut declared = Self {
            all: vec![key],
            root: KEY,
        };
        declared.root = declared.declare(schema, is_root)?;
        Some(declared)
    }

    pub(super) fn root(&self) -> DeclId {
        self.root
    }

    /// How often a rule can run in one request.
    pub(super) fn most_often(&self) -> u64 {
        let smallest = self.all.get(self.root).map_or(0, |root| root.smallest);
        u64::try_from(LARGEST_REQUEST / (smallest + 1)).unwrap_or_default()
    }

    pub(super) fn largest(&self, id: DeclId) -> u64 {
        self.all.get(id).map_or(0, |of| of.largest)
    }

    pub(super) fn type_of(&self, id: DeclId) -> Type {
        match self.all.get(id).map(|of| &of.shape) {
            Some(Shape::Scalar(of)) => of.clone(),
            Some(Shape::List(of)) => Type::list(self.type_of(*of)),
            Some(Shape::Map(of)) => Type::map(Type::Text, self.type_of(*of)),
            Some(Shape::Object(_)) => Type::Object(id),
            None => Type::Dyn,
        }
    }

    /// The type of a field. A field that is a keyword can be named as it is too, where the grammar allows it.
    pub(super) fn field(&self, object: DeclId, name: &str) -> Option<Type> {
        let fields = self.fields(object)?;
        let is_keyword = is_keyword(name);
        let escaped = is_keyword.then(|| format!("__{name}__"));
        let found = fields.get(name).or_else(|| fields.get(&escaped?))?;
        Some(self.type_of(*found))
    }

    pub(super) fn fields(&self, object: DeclId) -> Option<&BTreeMap<String, DeclId>> {
        match self.all.get(object).map(|of| &of.shape) {
            Some(Shape::Object(fields)) => Some(fields),
            _ => None,
        }
    }

    pub(super) fn part(&self, of: DeclId, part: Part<'_>) -> Option<DeclId> {
        match (&self.all.get(of)?.shape, part) {
            (Shape::List(of) | Shape::Map(of), Part::Items | Part::Values) => Some(*of),
            (Shape::Map(_), Part::Keys) => Some(KEY),
            (Shape::Object(fields), Part::Field(name)) => fields.get(name).copied(),
            _ => None,
        }
    }

    fn add(&mut self, shape: Shape, largest: i64, smallest: i64) -> DeclId {
        self.all.push(Declaration {
            shape,
            largest: u64::try_from(largest).unwrap_or_default(),
            smallest,
        });
        self.all.len() - 1
    }

    fn smallest(&self, id: DeclId) -> i64 {
        self.all.get(id).map_or(2, |of| of.smallest)
    }

    fn declare(&mut self, schema: &Value, is_root: bool) -> Option<DeclId> {
        if is_true(schema, "x-kubernetes-int-or-string") {
            let largest = count(schema, "maxLength").map_or(LARGEST_REQUEST - 2, |length| length.saturating_mul(4));
            return Some(self.add(Shape::Scalar(Type::Dyn), largest, 1));
        }
        Some(match schema.get("type").and_then(Value::as_str)? {
            "array" => {
                let items = schema.get("items")?;
                let item = self.declare(items, is_embedded(items))?;
                let fitting = (LARGEST_REQUEST - 2) / (self.smallest(item) + 1);
                self.add(Shape::List(item), count(schema, "maxItems").unwrap_or(fitting), 2)
            }
            "object" => match schema.get("additionalProperties").filter(|of| of.is_object()) {
                Some(values) => {
                    let value = self.declare(values, is_embedded(values))?;
                    let fitting = (LARGEST_REQUEST - 2) / (self.smallest(value) + 6);
                    self.add(Shape::Map(value), count(schema, "maxProperties").unwrap_or(fitting), 2)
                }
                None => self.object(schema, is_root),
            },
            "string" => {
                let (of, largest, smallest) = text(schema);
                self.add(Shape::Scalar(of), largest, smallest)
            }
            "boolean" => self.add(Shape::Scalar(Type::Bool), 0, 4),
            "number" => self.add(Shape::Scalar(Type::Double), 0, 1),
            "integer" => self.add(Shape::Scalar(Type::Int), 0, 1),
            _ => return None,
        })
    }

    fn object(&mut self, schema: &Value, is_root: bool) -> DeclId {
        let added = (is_root && !has_metadata(schema)).then(metadata);
        let added = added.as_ref().and_then(Value::as_object);
        let written = schema.get("properties").and_then(Value::as_object);
        let properties = written
            .into_iter()
            .flatten()
            .filter(|(name, _)| !added.is_some_and(|added| added.contains_key(*name)))
            .chain(added.into_iter().flatten());
        let required = schema.get("required").and_then(Value::as_array);
        let mut fields = BTreeMap::new();
        let mut smallest = 2;
        for (name, property) in properties {
            let Some(of) = self.declare(property, is_embedded(property)) else {
                continue;
            };
            if let Some(escaped) = escaped(name) {
                fields.insert(escaped, of);
            }
            let has_default = property.get("default").is_some_and(|default| !default.is_null());
            let is_required = required.is_some_and(|all| all.iter().any(|one| one == name));
            if is_required && !has_default {
                let length = i64::try_from(name.len()).unwrap_or(i64::MAX);
                smallest += length.saturating_add(self.smallest(of) + 4);
            }
        }
        self.add(Shape::Object(fields), 0, smallest)
    }
}

/// What a string stands for, its length at most and at least.
fn text(schema: &Value) -> (Type, i64, i64) {
    let longest = count(schema, "maxLength");
    match schema.get("format").and_then(Value::as_str) {
        Some("byte") => (Type::Bytes, longest.unwrap_or(LARGEST_REQUEST - 2), 2),
        Some("duration") => (Type::Duration, 32, 3),
        Some("date") => (Type::Timestamp, 12, 12),
        Some("date-time") => (Type::Timestamp, 32, 21),
        _ => {
            let values = schema
                .get("enum")
                .and_then(Value::as_array)
                .filter(|all| !all.is_empty());
            let longest_value = values.map(|all| all.iter().filter_map(Value::as_str).map(str::len).max().unwrap_or(0));
            let largest = match (longest, longest_value) {
                (Some(longest), _) => longest.saturating_mul(4),
                (None, Some(length)) => i64::try_from(length).unwrap_or(i64::MAX),
                (None, None) => LARGEST_REQUEST - 2,
            };
            (Type::Text, largest, 2)
        }
    }
}

fn count(schema: &Value, key: &str) -> Option<i64> {
    let value = schema.get(key)?;
    let number = value.as_i64().or_else(|| value.as_f64().map(whole))?;
    Some(number.max(0))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a bound beyond all integers is as good as the largest"
)]
fn whole(number: f64) -> i64 {
    number as i64
}

fn is_true(schema: &Value, key: &str) -> bool {
    schema.get(key).and_then(Value::as_bool) == Some(true)
}

fn is_embedded(schema: &Value) -> bool {
    is_true(schema, "x-kubernetes-embedded-resource")
}

/// Whether an object declares all that every object has.
fn has_metadata(schema: &Value) -> bool {
    let types = [
        ("/properties/kind/type", "string"),
        ("/properties/apiVersion/type", "string"),
        ("/properties/metadata/type", "object"),
        ("/properties/metadata/properties/name/type", "string"),
        ("/properties/metadata/properties/generateName/type", "string"),
    ];
    types
        .iter()
        .all(|(path, of)| schema.pointer(path).and_then(Value::as_str) == Some(of))
}

/// What every object has.
fn metadata() -> Value {
    let text = serde_json::json!({"type": "string"});
    serde_json::json!({
        "kind": text,
        "apiVersion": text,
        "metadata": {"type": "object", "properties": {"name": text, "generateName": text}},
    })
}

/// The name of a field in rules; `None` if it cannot have one.
fn escaped(name: &str) -> Option<String> {
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if is_keyword(name) {
        return Some(format!("__{name}__"));
    }
    let mut found = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let (part, length) = match first {
            '_' if rest.starts_with("__") => ("__underscores__", 2),
            '.' => ("__dot__", 1),
            '-' => ("__dash__", 1),
            '/' => ("__slash__", 1),
            _ if first.is_ascii_alphanumeric() || first == '_' => (rest.get(..1)?, 1),
            _ => return None,
        };
        found.push_str(part);
        rest = rest.get(length..)?;
    }
    Some(found)
}
