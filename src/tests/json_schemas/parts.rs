//! What the schemas of the model file and of policy files are built from.
//!
//! Editors know old drafts: of the keywords, only those are used that draft 4 has as well.

use serde_json::{Map, Value as Json, json};

/// The schema of a file, with the definitions that it refers to.
pub fn file(title: &str, description: &str, mut root: Json, definitions: Vec<(String, Json)>) -> Json {
    let own = root.as_object_mut().expect("a schema is an object");
    let mut whole = Map::new();
    whole.insert(
        "$schema".to_owned(),
        "https://json-schema.org/draft/2020-12/schema".into(),
    );
    whole.insert("title".to_owned(), title.into());
    whole.insert("description".to_owned(), description.into());
    whole.append(own);
    whole.insert("$defs".to_owned(), definitions.into_iter().collect());
    Json::Object(whole)
}

/// A table with these keys and no others.
pub fn table(properties: impl IntoIterator<Item = (String, Json)>, required: &[&str]) -> Json {
    let properties: Map<String, Json> = properties.into_iter().collect();
    let mut table = json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if !required.is_empty() {
        table["required"] = json!(required);
    }
    table
}

/// A table whose keys are names.
pub fn named(entry: &Json) -> Json {
    json!({ "type": "object", "additionalProperties": entry })
}

/// A schema with what it is for. Old drafts ignore what stands beside a reference.
pub fn described(schema: Json, meaning: &str) -> Json {
    match schema {
        Json::Object(mut schema) if !schema.contains_key("$ref") => {
            schema.insert("description".to_owned(), meaning.into());
            Json::Object(schema)
        }
        reference => json!({ "description": meaning, "allOf": [reference] }),
    }
}

pub fn defined(name: &str) -> Json {
    json!({ "$ref": format!("#/$defs/{name}") })
}

pub fn text() -> Json {
    json!({ "type": "string" })
}

pub fn boolean() -> Json {
    json!({ "type": "boolean" })
}

pub fn whole(least: u32, most: u32) -> Json {
    json!({ "type": "integer", "minimum": least, "maximum": most })
}

pub fn one_of(words: &[&str]) -> Json {
    json!({ "enum": words })
}

/// A string, or a list of strings.
pub fn texts() -> Json {
    either(text(), list(&text()))
}

pub fn list(item: &Json) -> Json {
    json!({ "type": "array", "items": item })
}

/// A list that is not empty.
pub fn some(item: &Json) -> Json {
    json!({ "type": "array", "minItems": 1, "items": item })
}

pub fn either(one: Json, other: Json) -> Json {
    let mut either = Map::new();
    either.insert("anyOf".to_owned(), Json::Array(vec![one, other]));
    Json::Object(either)
}

/// Words in any case. Those that editors propose come first.
pub fn in_any_case(proposed: &[&str], others: &[&str]) -> Json {
    let words: Vec<String> = proposed.iter().chain(others).map(|word| cases(word)).collect();
    either(
        one_of(proposed),
        json!({ "type": "string", "pattern": format!("^({})$", words.join("|")) }),
    )
}

fn cases(word: &str) -> String {
    let letters = word
        .chars()
        .map(|c| format!("[{}{}]", c.to_ascii_uppercase(), c.to_ascii_lowercase()));
    letters.collect()
}
