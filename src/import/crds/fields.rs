//! The fields of a schema as a list of paths.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::super::snapshot::Field;
use crate::schema::path::OF_EVERY_OBJECT;
use crate::schema::{Additional, Property, Schema};
use crate::text::DEEPEST;

pub(in super::super) type Definitions = BTreeMap<String, Property>;

/// Fields of one definition, all its versions together.
const MOST_FIELDS: usize = 100_000;

/// Fields of one text.
const MOST_IN_ALL: usize = 1_000_000;

/// Bytes of the path of a field.
const LONGEST_PATH: usize = 1_000;

/// Bytes of the paths of all fields in one text: deep schemas with long names would come to much more than the text.
const MOST_BYTES: usize = 256 << 20;

/// Schemas that are looked at in one text: those that several refer to count each time.
const MOST_SCHEMAS: usize = 4_000_000;

#[derive(Debug, Default)]
pub(in super::super) struct Allowance {
    fields: usize,
    in_all: usize,
    bytes: usize,
    schemas: usize,
}

impl Allowance {
    pub(crate) fn next(&mut self) {
        self.fields = 0;
    }

    fn take(&mut self, path: &str) -> Result<(), String> {
        self.fields += 1;
        self.in_all += 1;
        self.bytes += path.len();
        let most = MOST_BYTES >> 20;
        if self.fields > MOST_FIELDS {
            return Err(format!("more than {MOST_FIELDS} fields"));
        }
        if self.in_all > MOST_IN_ALL {
            return Err(format!("more than {MOST_IN_ALL} fields in all"));
        }
        if self.bytes > MOST_BYTES {
            return Err(format!("more than {most} MiB of field paths"));
        }
        Ok(())
    }

    fn take_schema(&mut self) -> Result<(), String> {
        self.schemas += 1;
        if self.schemas > MOST_SCHEMAS {
            return Err(format!("the schemas come to more than {MOST_SCHEMAS}"));
        }
        Ok(())
    }
}

/// The fields of a schema, by path. What it refers to is looked up in `definitions`; what is not there is added to
/// `missing`. A schema within itself is a field without anything below it.
pub(in super::super) fn of(
    schema: &Schema,
    definitions: &Definitions,
    missing: &mut BTreeSet<String>,
    allowance: &mut Allowance,
) -> Result<BTreeMap<String, Field>, String> {
    let mut walk = Walk {
        definitions,
        missing,
        allowance,
        following: Vec::new(),
        depth: 0,
        fields: BTreeMap::new(),
    };
    let whole = walk.whole(schema)?;
    walk.below("", &whole.parts)?;
    Ok(walk.fields)
}

struct Walk<'d, 'w> {
    definitions: &'d Definitions,
    missing: &'w mut BTreeSet<String>,
    allowance: &'w mut Allowance,
    /// The names of the definitions that the walk is in.
    following: Vec<&'d str>,
    /// The values within one another, and the references from one to the next.
    depth: usize,
    fields: BTreeMap<String, Field>,
}

/// A schema with all that it refers to and is composed of.
#[derive(Default)]
struct Whole<'d> {
    /// The nearest to the value first.
    parts: Vec<&'d Schema>,
    again: bool,
}

impl<'d> Walk<'d, '_> {
    fn whole(&mut self, schema: &'d Schema) -> Result<Whole<'d>, String> {
        let mut whole = Whole::default();
        self.gather(schema, &mut whole).map(|()| whole)
    }

    fn gather(&mut self, schema: &'d Schema, whole: &mut Whole<'d>) -> Result<(), String> {
        self.allowance.take_schema()?;
        self.deeper()?;
        whole.parts.push(schema);
        if let Some(reference) = &schema.reference {
            match self.definition(reference) {
                Some((name, definition)) if self.following.contains(&name) => {
                    whole.parts.push(definition);
                    whole.again = true;
                }
                Some((name, definition)) => {
                    self.following.push(name);
                    self.gather(definition, whole)?;
                }
                None => drop(self.missing.insert(reference.to_owned())),
            }
        }
        for part in schema.logic.get("allOf").into_iter().flatten() {
            self.gather(part, whole)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn definition(&self, reference: &str) -> Option<(&'d str, &'d Schema)> {
        let name = REFERENCES.iter().find_map(|start| reference.strip_prefix(start))?;
        let (name, property) = self.definitions.get_key_value(name)?;
        Some((name, &property.schema))
    }

    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("nested deeper than {DEEPEST} levels"));
        }
        Ok(())
    }

    fn below(&mut self, path: &str, parts: &[&'d Schema]) -> Result<(), String> {
        for (name, property) in parts.iter().flat_map(|part| &part.properties) {
            if path.is_empty() && OF_EVERY_OBJECT.contains(&name.as_str()) {
                continue;
            }
            let path = step(path, name)?;
            // Where several parts have it, the nearest one counts.
            if self.fields.contains_key(&path) {
                continue;
            }
            self.allowance.take(&path)?;
            let required = parts.iter().any(|part| part.required.contains(name));
            self.value(&path, &property.schema, Some(required))?;
        }
        Ok(())
    }

    /// A value and what is in it: a field, which may be `required`, or an item of a list or a map.
    fn value(&mut self, path: &str, schema: &'d Schema, required: Option<bool>) -> Result<(), String> {
        let before = self.following.len();
        let whole = self.whole(schema)?;
        match required {
            Some(required) => drop(self.fields.insert(path.to_owned(), field(&whole.parts, required))),
            None => {
                let list = path.strip_suffix("[]").or_else(|| path.strip_suffix("{}"));
                if let Some(list) = list.and_then(|list| self.fields.get_mut(list)) {
                    list.values.extend(values(&whole.parts));
                }
            }
        }
        if !whole.again {
            self.deeper()?;
            self.within(path, &whole.parts)?;
            self.depth -= 1;
        }
        self.following.truncate(before);
        Ok(())
    }

    fn within(&mut self, path: &str, parts: &[&'d Schema]) -> Result<(), String> {
        self.below(path, parts)?;
        if let Some(items) = parts.iter().find_map(|part| part.items.as_deref()) {
            self.value(&format!("{path}[]"), items, None)?;
        }
        if let Some(entries) = parts.iter().find_map(|part| entries_of(part)) {
            self.value(&format!("{path}{{}}"), entries, None)?;
        }
        Ok(())
    }
}

const REFERENCES: [&str; 2] = ["#/definitions/", "#/components/schemas/"];

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

fn entries_of(schema: &Schema) -> Option<&Schema> {
    match &schema.additional {
        Some(Additional::Of(values)) => Some(values),
        Some(Additional::Allowed(_)) | None => None,
    }
}

/// The value of a keyword that only `OpenAPI` documents have.
fn word_of<'s>(schema: &'s Schema, keyword: &str) -> Option<&'s str> {
    schema.rest.get(keyword)?.as_str()
}

fn merging<'s>(schema: &'s Schema, keyword: &str) -> Option<&'s str> {
    schema.merging.get(keyword).map(String::as_str)
}

fn field(parts: &[&Schema], required: bool) -> Field {
    let default = parts.iter().find_map(|part| part.default.as_ref());
    Field {
        kind: parts.iter().find_map(|part| kind(part)).unwrap_or_default(),
        required,
        deprecated: parts
            .iter()
            .any(|part| part.rest.get("deprecated") == Some(&Json::Bool(true))),
        default: default.filter(|value| !value.is_null()).cloned(),
        values: values(parts),
        facets: facets(parts),
    }
}

/// A type; several, which version 3.1 of `OpenAPI` allows, are joined.
fn kind(schema: &Schema) -> Option<String> {
    schema.kind.clone().or_else(|| {
        let names = schema.rest.get("type")?.as_array()?;
        let names: Vec<&str> = names.iter().filter_map(Json::as_str).collect();
        Some(names.join(" or "))
    })
}

/// The values that a field may have: those that are in all lists of its parts. An empty value cannot be declared.
fn values(parts: &[&Schema]) -> BTreeSet<String> {
    let lists = parts.iter().filter_map(|part| part.values.as_ref());
    lists
        .map(|values| values.iter().filter_map(word).collect::<BTreeSet<String>>())
        .reduce(|all, list| all.intersection(&list).cloned().collect())
        .unwrap_or_default()
}

fn facets(parts: &[&Schema]) -> BTreeMap<&'static str, String> {
    let mut facets = BTreeMap::new();
    for part in parts {
        let words = [
            ("format", part.format.as_deref()),
            ("list type", merging(part, "x-kubernetes-list-type")),
            ("map type", merging(part, "x-kubernetes-map-type")),
            ("patch strategy", word_of(part, "x-kubernetes-patch-strategy")),
            ("patch merge key", word_of(part, "x-kubernetes-patch-merge-key")),
        ];
        for (name, word) in words {
            if let Some(word) = word {
                facets.entry(name).or_insert_with(|| word.to_owned());
            }
        }
        if let Some(keys) = &part.keys {
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            facets.entry("list map keys").or_insert_with(|| keys.join(", "));
        }
    }
    facets
}

/// A value of an enumeration as a word; a model has no empty names and no control characters in names.
fn word(value: &Json) -> Option<String> {
    match value {
        Json::Null => None,
        Json::String(word) => Some(word.clone()).filter(|word| !word.is_empty() && !word.chars().any(char::is_control)),
        other => Some(other.to_string()),
    }
}
