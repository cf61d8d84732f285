//! Paths to fields within a schema, as rules and selectable fields write them: `.spec.ports`, `['a.b']`.

use crate::schema::Tree;

/// The schema of the field at a path.
pub(super) fn field_at<'s>(path: &str, schema: &'s Tree) -> Result<&'s Tree, &'static str> {
    let mut schema = schema;
    let mut rest = path;
    while !rest.is_empty() {
        let (name, after) = if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[', ']']).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            if name.is_empty() {
                return Err("has a dot without a name");
            }
            (name.to_owned(), after)
        } else if let Some(after) = rest.strip_prefix('[') {
            quoted(after)?
        } else {
            return Err("does not begin with a dot");
        };
        schema = step(&name, schema)?;
        rest = after;
    }
    Ok(schema)
}

/// The name between brackets, and what follows.
fn quoted(text: &str) -> Result<(String, &str), &'static str> {
    const FORM: &str = "has brackets without a name in single quotes";
    let inner = text.strip_prefix('\'').ok_or(FORM)?;
    let mut name = String::new();
    let mut signs = inner.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => match signs.next() {
                Some((_, sign @ ('\\' | '\''))) => name.push(sign),
                _ => return Err("has an escape that is not valid"),
            },
            '\'' => {
                let after = inner.get(at + 1..).unwrap_or_default();
                return Ok((name, after.strip_prefix(']').ok_or(FORM)?));
            }
            sign => name.push(sign),
        }
    }
    Err(FORM)
}

fn step<'s>(name: &str, schema: &'s Tree) -> Result<&'s Tree, &'static str> {
    const ABSENT: &str = "is not in the schema";
    if schema.entries("properties").next().is_some() {
        let properties = schema.get("properties").ok_or(ABSENT)?;
        return properties.get(name).ok_or(ABSENT);
    }
    match schema.get("additionalProperties") {
        // Below values of any kind, there is no schema to look into.
        Some(values @ (Tree::Table(_) | Tree::Bool(_))) => Ok(values),
        _ => Err(ABSENT),
    }
}
