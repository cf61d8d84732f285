//! Paths of printer columns and of the scale subresource.

use crate::diagnostic::Severity;
use crate::schema::path::OF_EVERY_OBJECT;
use crate::schema::{Additional, Schema};

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-path",
    title: "The path of a printer column or of the scale subresource leads to no field.",
    page: include_str!("path.md"),
    codes: &[("column", Severity::Off), ("scale", Severity::Off)],
    opt_in: true,
    run: Some(check),
};

/// The paths of the scale subresource.
const OF_SCALE: [&str; 3] = ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"];

fn check(node: &Node<'_>, problems: &mut Problems) {
    if !matches!(node.role, Role::Root) || node.schema.properties.is_empty() || node.definition.preserves_unknown {
        return;
    }
    for (name, column) in &node.version.columns {
        let path = column
            .get("jsonPath")
            .and_then(|path| path.as_str())
            .unwrap_or_default();
        if let Some(missing) = missing(path, node.schema) {
            problems.add(
                "column",
                format!(
                    "the column `{name}` is always empty: `{path}` leads nowhere, as the schema has no `{missing}`"
                ),
                "correct the path, or list the field in the schema",
            );
        }
    }
    for key in OF_SCALE {
        let scale = node.version.subresources.get("scale");
        let path = scale.and_then(|scale| scale.get(key)?.as_str()).unwrap_or_default();
        if let Some(missing) = missing(path, node.schema) {
            problems.add(
                "scale",
                format!("`{key}` of the scale subresource, `{path}`, leads nowhere: the schema has no `{missing}`"),
                "correct the path, or list the field in the schema",
            );
        }
    }
}

/// The first name in a path that the schema before it does not list. `None` where the path leads to a field, to where
/// servers keep what they do not know, or is not of names and indices only.
fn missing(path: &str, schema: &Schema) -> Option<String> {
    let mut schema = schema;
    for (at, step) in steps(path)?.into_iter().enumerate() {
        schema = match step {
            Step::Items => schema.items.as_deref()?,
            Step::Name(name) if at == 0 && OF_EVERY_OBJECT.contains(&name.as_str()) => return None,
            Step::Name(name) => match (schema.properties.get(&name), &schema.additional) {
                (Some(property), _) => &property.schema,
                (None, Some(Additional::Of(values))) => values,
                (None, additional) => {
                    let keeps = schema.says("x-kubernetes-preserve-unknown-fields")
                        || schema.says("x-kubernetes-embedded-resource")
                        || additional == &Some(Additional::Allowed(true));
                    return (!keeps && !schema.properties.is_empty()).then_some(name);
                }
            },
        };
    }
    None
}

/// A part of a path.
#[derive(Debug, PartialEq)]
enum Step {
    Name(String),
    /// An index, a slice or a filter: some items of a list.
    Items,
}

/// The parts of a path such as `.status.conditions[?(@.type=="Ready")].status`.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = path.trim().trim_start_matches('{').trim_end_matches('}');
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let (inner, after) = after.split_at(bracket_end(after)?);
            let quoted = inner.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\''));
            steps.push(quoted.map_or(Step::Items, |name| Step::Name(name.to_owned())));
            rest = after.strip_prefix(']')?;
        } else {
            let after = rest.strip_prefix('.')?;
            let (name, after) = name(after);
            // `..` looks for a name at every depth.
            if name.is_empty() || name == "*" {
                return None;
            }
            steps.push(Step::Name(name));
            rest = after;
        }
    }
    Some(steps)
}

/// Where the bracket ends that begins before a text.
fn bracket_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The name that a text begins with, in which a backslash stands before a dot of the name, and what follows.
fn name(text: &str) -> (String, &str) {
    let mut name = String::new();
    let mut signs = text.char_indices();
    while let Some((at, c)) = signs.next() {
        match c {
            '.' | '[' => return (name, &text[at..]),
            '\\' => name.extend(signs.next().map(|(_, c)| c)),
            _ => name.push(c),
        }
    }
    (name, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn led_to(path: &str) -> Option<String> {
        let schema = r#"{"properties": {
            "spec": {"properties": {"size": {"type": "integer"}, "labels": {"additionalProperties": {"type": "string"}},
                "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {}}}}},
            "status": {"properties": {"conditions": {"type": "array", "items": {"properties": {"status": {}}}}}}}}"#;
        missing(path, &serde_json::from_str(schema).unwrap())
    }

    #[test]
    fn paths_are_followed_through_the_schema() {
        let lead = [
            ".spec.size",
            ".spec.labels.app\\.kubernetes\\.io/name",
            ".spec.any.thing",
            ".metadata.creationTimestamp",
            ".status.conditions[?(@.type==\"Ready\")].status",
            ".status.conditions[0].status",
            ".spec['size']",
            "..size",
        ];
        for path in lead {
            assert_eq!(led_to(path), None, "{path}");
        }
        let nowhere = [
            (".spec.sizes", "sizes"),
            (".status.phase", "phase"),
            (".status.conditions[?(@.type==\"Ready\")].reason", "reason"),
            (".data", "data"),
        ];
        for (path, name) in nowhere {
            assert_eq!(led_to(path).as_deref(), Some(name), "{path}");
        }
    }
}
