//! Minimal example objects of a schema.

use std::sync::LazyLock;

use serde_json::{Map, Number, Value as Json};

use super::compare::shape;
use super::node::{Additional, Bound, Schema};
use super::path::step;

/// The most values in an example: schemas can require more than anyone reads.
const MOST_VALUES: usize = 200;

/// The most characters and items that are generated for a minimum size.
const MOST_PADDED: u64 = 32;

/// The schema of values without one.
static ANY: LazyLock<Schema> = LazyLock::new(Schema::default);

/// A step into a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step<'s> {
    /// To a listed field.
    Field(&'s str),
    /// To the items of a list.
    Item,
    /// To the values of a map.
    Value,
}

/// What an example has at the end of its path.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Leaf<'v> {
    /// Some value of the schema.
    Some,
    /// This value.
    Is(&'v Json),
    /// No field; the schema need not list it.
    Absent,
    /// An unlisted field.
    Unlisted,
}

/// A value of a schema with something at a path of a [`super::Change`], and with everything that is required.
///
/// It respects bounds, enums and defaults, but not patterns and rules. `None` if the schema has no such path or
/// requires too much.
pub(crate) fn example(schema: &Schema, path: &str, leaf: Leaf<'_>) -> Option<Json> {
    let mut maker = Maker { left: MOST_VALUES };
    match (steps(schema, path), leaf) {
        (Ok(steps), leaf) => maker.along(schema, &steps, leaf),
        (Err(steps), Leaf::Absent) => maker.along(schema, &steps, Leaf::Some),
        (Err(_), _) => None,
    }
}

/// Whether a schema lists a path of a [`super::Change`].
pub(crate) fn lists(schema: &Schema, path: &str) -> bool {
    steps(schema, path).is_ok()
}

/// The steps of a path, as far as the schema has them. If several names match, the longest one counts.
pub(super) fn steps<'s>(schema: &'s Schema, path: &str) -> Result<Vec<Step<'s>>, Vec<Step<'s>>> {
    let (mut schema, mut rest, mut steps) = (schema, path, Vec::new());
    while !rest.is_empty() {
        let longest = if rest.starts_with('.') {
            plain(schema, rest)
        } else {
            bracketed(schema, rest)
        };
        let found = match longest {
            Some((length, name, below)) => Some((length, Step::Field(name), below)),
            None if rest.starts_with("[]") => schema.items.as_deref().map(|items| (2, Step::Item, items)),
            None if rest.starts_with("{}") => any_value(schema).map(|values| (2, Step::Value, values)),
            None => None,
        };
        let Some((length, next, below)) = found else {
            return Err(steps);
        };
        steps.push(next);
        rest = rest.get(length..).unwrap_or_default();
        schema = below;
    }
    Ok(steps)
}

/// A listed field, with the length of the step to it.
type Listed<'s> = (usize, &'s str, &'s Schema);

/// The field at the beginning of a path whose name ends where the next step begins.
fn plain<'s>(schema: &'s Schema, path: &str) -> Option<Listed<'s>> {
    let name = path.strip_prefix('.')?;
    let name = name.split(['.', '[', '{']).next()?;
    let (name, field) = schema.properties.get_key_value(name)?;
    (step(name).len() == name.len() + 1).then_some((name.len() + 1, name.as_str(), &field.schema))
}

/// The field at the beginning of a path whose name is in brackets: the longest one, as a name may have brackets too.
fn bracketed<'s>(schema: &'s Schema, path: &str) -> Option<Listed<'s>> {
    let named = schema.properties.iter().filter_map(|(name, field)| {
        let written = step(name);
        let after = path.strip_prefix(&written)?;
        let ends = after.is_empty() || after.starts_with(['.', '[', '{']);
        ends.then_some((written.len(), name.as_str(), &*field.schema))
    });
    named.max_by_key(|(length, _, _)| *length)
}

/// The schema to which steps lead.
pub(super) fn owner<'s>(schema: &'s Schema, steps: &[Step<'_>]) -> Option<&'s Schema> {
    steps.iter().try_fold(schema, |schema, step| below(schema, *step))
}

fn below<'s>(schema: &'s Schema, step: Step<'_>) -> Option<&'s Schema> {
    match step {
        Step::Field(name) => schema.properties.get(name).map(|field| &*field.schema),
        Step::Item => schema.items.as_deref(),
        Step::Value => any_value(schema),
    }
}

/// The schema of the values of a map.
pub(super) fn any_value(schema: &Schema) -> Option<&Schema> {
    match schema.additional.as_ref()? {
        Additional::Of(values) => Some(values),
        Additional::Allowed(true) => Some(&ANY),
        Additional::Allowed(false) => None,
    }
}

struct Maker {
    left: usize,
}

impl Maker {
    /// A value with something at the end of steps.
    fn along(&mut self, schema: &Schema, steps: &[Step<'_>], leaf: Leaf<'_>) -> Option<Json> {
        let Some((first, rest)) = steps.split_first() else {
            return self.leaf(schema, leaf);
        };
        if let (Step::Field(name), [], Leaf::Absent) = (*first, rest, leaf) {
            let mut object = self.object(schema)?;
            object.remove(name);
            return Some(Json::Object(object));
        }
        let value = self.along(below(schema, *first)?, rest, leaf)?;
        match *first {
            Step::Field(name) => {
                let mut object = self.object(schema)?;
                object.insert(name.to_owned(), value);
                Some(Json::Object(object))
            }
            Step::Item => {
                let more = padded(schema, Bound::MinItems).saturating_sub(1);
                Some(Json::Array(
                    std::iter::repeat_n(value, usize::try_from(more).ok()? + 1).collect(),
                ))
            }
            Step::Value => {
                let mut object = self.object(schema)?;
                object.insert("key".to_owned(), value);
                Some(Json::Object(object))
            }
        }
    }

    fn leaf(&mut self, schema: &Schema, leaf: Leaf<'_>) -> Option<Json> {
        match leaf {
            Leaf::Some | Leaf::Absent => self.some(schema),
            Leaf::Is(value) => Some(value.clone()),
            Leaf::Unlisted => {
                let mut object = self.object(schema)?;
                object.insert("unlisted".to_owned(), "kept".into());
                Some(Json::Object(object))
            }
        }
    }

    /// Some value of a schema.
    fn some(&mut self, schema: &Schema) -> Option<Json> {
        self.left = self.left.checked_sub(1)?;
        let stated = schema.default.as_ref().or_else(|| schema.values.as_ref()?.first());
        if let Some(stated) = stated {
            return Some(stated.clone());
        }
        match shape(schema) {
            "object" => self.object(schema).map(Json::Object),
            "array" => {
                let count = padded(schema, Bound::MinItems);
                let items = schema.items.as_deref();
                let items = (0..count).map(|_| items.map_or(Some(Json::Null), |items| self.some(items)));
                items.collect::<Option<_>>().map(Json::Array)
            }
            "boolean" => Some(Json::Bool(true)),
            "integer" | "number" | "int-or-string" => Some(number(schema)),
            "string" => Some(Json::String(text(schema))),
            _ => Some(Json::Object(Map::new())),
        }
    }

    /// The required fields of an object.
    fn object(&mut self, schema: &Schema) -> Option<Map<String, Json>> {
        let mut object = Map::new();
        for name in &schema.required {
            if let Some(field) = schema.properties.get(name) {
                object.insert(name.clone(), self.some(&field.schema)?);
            }
        }
        let least = padded(schema, Bound::MinProperties);
        for (name, field) in &schema.properties {
            if u64::try_from(object.len()).ok()? >= least {
                break;
            }
            if !object.contains_key(name) {
                object.insert(name.clone(), self.some(&field.schema)?);
            }
        }
        if let Some(values) = any_value(schema) {
            for at in u64::try_from(object.len()).ok()?..least {
                object.insert(format!("key{at}"), self.some(values)?);
            }
        }
        Some(object)
    }
}

/// A minimum size, within the limit.
fn padded(schema: &Schema, bound: Bound) -> u64 {
    let stated = schema.bounds.get(&bound).and_then(Number::as_u64);
    stated.unwrap_or(0).min(MOST_PADDED)
}

fn text(schema: &Schema) -> String {
    let (word, fill) = match schema.format.as_deref() {
        Some("date-time") => return "2000-01-01T00:00:00Z".to_owned(),
        Some("date") => return "2000-01-01".to_owned(),
        _ => ("example", 'x'),
    };
    let most = schema.bounds.get(&Bound::MaxLength).and_then(Number::as_u64);
    let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(word.len());
    let mut text: String = word.chars().take(most).collect();
    let least = padded(schema, Bound::MinLength);
    while u64::try_from(text.len()).is_ok_and(|length| length < least) {
        text.push(fill);
    }
    text
}

/// The smallest number between the bounds, if they are integers; not negative if possible.
fn number(schema: &Schema) -> Json {
    match [Bound::Minimum, Bound::Maximum].map(|bound| schema.bounds.get(&bound)) {
        [Some(least), _] if least.as_i64().is_none_or(|least| least > 0) || schema.says("exclusiveMinimum") => {
            match least.as_i64() {
                Some(least) if schema.says("exclusiveMinimum") => Json::from(least.saturating_add(1)),
                _ => Json::Number(least.clone()),
            }
        }
        [_, Some(most)] if most.as_i64().is_none_or(|most| most < 1) => match most.as_i64() {
            Some(most) if schema.says("exclusiveMaximum") => Json::from(most.saturating_sub(1)),
            _ => Json::Number(most.clone()),
        },
        _ => Json::from(1),
    }
}
