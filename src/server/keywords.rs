//! Keywords of schemas, one by one: which ones CRDs must not use, and what those of Kubernetes demand.

use super::node::Node;
use super::path::Path;
use super::refusal::{Class, Refusals};
use super::structural::LOGIC;
use super::{decode, list_types, rules};
use crate::schema::Tree;

/// What is known of the schemas around one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around {
    /// It describes the objects of a version.
    pub(super) is_root: bool,
    /// It is within the metadata of an object, or is its `kind` or `apiVersion`.
    within_metadata: bool,
    /// Why it cannot have a default.
    no_default: Option<&'static str>,
}

impl Around {
    pub(super) const ROOT: Self = Self {
        is_root: true,
        within_metadata: false,
        no_default: None,
    };

    fn below(self) -> Self {
        Self { is_root: false, ..self }
    }
}

const TYPES: [&str; 6] = ["string", "number", "integer", "boolean", "array", "object"];
const OF_EVERY_OBJECT: [&str; 3] = ["metadata", "kind", "apiVersion"];

/// Reports the keywords of a schema and all schemas in it that a server refuses.
pub(super) fn check(schema: &Node<'_, '_>, around: Around, found: &mut Refusals) {
    if !matches!(schema.value, Tree::Table(_)) {
        return;
    }
    unsupported(schema, found);
    misplaced(schema, around, found);
    list_types::check(schema, found);
    rules::check(schema, found);
    parts(schema, around, found);
}

fn parts(schema: &Node<'_, '_>, around: Around, found: &mut Refusals) {
    let below = around.below();
    if let Some(values) = schema.child("additionalProperties") {
        let forbidden = "within the `additionalProperties` of metadata";
        let no_default = below.no_default.or(below.within_metadata.then_some(forbidden));
        check(&values, Around { no_default, ..below }, found);
    }
    if let Some(properties) = schema.child("properties") {
        for (name, field) in properties.values() {
            let mut inner = below;
            let embedded = schema.value.says("x-kubernetes-embedded-resource");
            if (around.is_root || embedded) && OF_EVERY_OBJECT.contains(&name) {
                inner.within_metadata = true;
                if around.is_root {
                    inner.no_default = Some("for what every object has");
                }
            }
            check(&field, inner, found);
        }
    }
    for key in ["definitions", "dependencies"] {
        if let Some(parts) = schema.child(key) {
            parts.values().for_each(|(_, part)| check(&part, below, found));
        }
    }
    for key in LOGIC.into_iter().chain(["not", "items"]) {
        let Some(part) = schema.child(key) else { continue };
        check(&part, below, found);
        part.items().for_each(|member| check(&member, below, found));
    }
}

/// Keywords that CRDs cannot use, and what to use instead.
const UNSUPPORTED: [(&str, &str); 7] = [
    ("id", "remove it"),
    ("$ref", "write the schema where it is used"),
    ("additionalItems", "remove it"),
    (
        "patternProperties",
        "use `additionalProperties`, and a rule for the names",
    ),
    ("definitions", "write the schema where it is used"),
    ("dependencies", "use a rule in CEL"),
    ("uniqueItems", "use `x-kubernetes-list-type: set`"),
];

fn unsupported(schema: &Node<'_, '_>, found: &mut Refusals) {
    for (key, help) in UNSUPPORTED {
        let given = schema.value.get(key).is_some_and(|given| match given {
            Tree::Text(text) => key == "$ref" || !text.is_empty(),
            Tree::Table(entries) => key == "dependencies" || key == "additionalItems" || !entries.is_empty(),
            given => key == "additionalItems" || *given != Tree::Bool(false),
        });
        if given {
            found.add_key(Class::Keyword, schema, key, (format!("CRDs cannot use `{key}`"), help));
        }
    }
    if matches!(schema.value.get("items"), Some(Tree::List(items)) if !items.is_empty()) {
        let message = "`items` is a list of schemas";
        found.add_key(
            Class::Keyword,
            schema,
            "items",
            (message, "write one schema for all items"),
        );
    }
    let key = "x-kubernetes-preserve-unknown-fields";
    if schema.value.get(key) == Some(&Tree::Bool(false)) {
        let message = format!("`{key}` is `false`: it can only be `true` or absent");
        found.add_key(Class::Keyword, schema, key, (message, "remove it"));
    }
}

fn misplaced(schema: &Node<'_, '_>, around: Around, found: &mut Refusals) {
    let value = schema.value;
    let kind = value.text("type");
    if !kind.is_empty() && !TYPES.contains(&kind) {
        let help = match kind {
            "null" => "use `nullable: true` beside the type of the value".to_owned(),
            _ => format!("use one of {}", TYPES.join(", ")),
        };
        found.add_key(
            Class::Structural,
            schema,
            "type",
            (format!("`{kind}` is no type"), help),
        );
    }
    if value.entry("default").is_some()
        && let Some(reason) = around.no_default
    {
        let message = format!("a default is not allowed {reason}");
        found.add_key(Class::DefaultValue, schema, "default", (message, "remove it"));
    }
    let key = "x-kubernetes-embedded-resource";
    if around.within_metadata && value.says(key) {
        let message = format!("`{key}` is not allowed within metadata");
        found.add_key(Class::ObjectMetadata, schema, key, (message, "remove it"));
    }
    let fields = value.entries("properties").next().is_some();
    let values = value.get("additionalProperties");
    if fields && values.is_some_and(|values| *values != Tree::Bool(true)) {
        let message = "`additionalProperties` and `properties` stand beside each other";
        let help = "keep `properties` for an object with known fields, or `additionalProperties` for a map";
        found.add_key(Class::Structural, schema, "additionalProperties", (message, help));
    }
}

/// The schema of objects that have the subresource `status`: only some keywords are allowed beside `properties`, so
/// that the schema of the status can be cut out.
pub(super) fn with_status(schema: &Node<'_, '_>, found: &mut Refusals) {
    const ALLOWED: [&str; 22] = [
        "description",
        "type",
        "format",
        "title",
        "maximum",
        "exclusiveMaximum",
        "minimum",
        "exclusiveMinimum",
        "maxLength",
        "minLength",
        "pattern",
        "maxItems",
        "minItems",
        "uniqueItems",
        "multipleOf",
        "required",
        "items",
        "properties",
        "externalDocs",
        "example",
        "x-kubernetes-preserve-unknown-fields",
        "x-kubernetes-validations",
    ];
    let mut given = decode::given(schema.value).filter(|key| !ALLOWED.contains(key));
    if let Some(key) = given.next() {
        let message = format!("`{key}` is not allowed for objects with the subresource `status`");
        let help = "state it for `.spec`; rules (`x-kubernetes-validations`) are allowed";
        let path: Path<'_> = schema.path;
        let node = Node {
            place: schema.place_of(key),
            ..schema.named(path)
        };
        found.add(Class::Structural, &node, message, help);
    }
}

/// The objects themselves cannot be null.
pub(super) fn root(schema: &Node<'_, '_>, found: &mut Refusals) {
    if schema.value.says("nullable") {
        let message = "objects cannot be nullable";
        found.add_key(Class::Structural, schema, "nullable", (message, "remove `nullable`"));
    }
}
