//! The types of the values in a CRD, as the server's decoder demands them. Keys that it does not know are ignored.

use chrono::DateTime;

use super::formats::is_base64;
use super::node::Node;
use super::refusal::{Class, Refusals};
use crate::schema::Tree;

/// The type of a value.
#[derive(Debug)]
enum Shape {
    Text,
    /// A point in time.
    Time,
    /// Bytes: a text in base64, or a list of numbers.
    Bytes,
    Bool,
    /// A whole number from `-limit - 1` to `limit`.
    Whole(i64),
    Number,
    /// Any JSON.
    Any,
    List(&'static Shape),
    Map(&'static Shape),
    Table(&'static [(&'static str, &'static Shape)]),
    /// A schema.
    Schema,
    /// A schema or a list of schemas. Servers read another value as neither.
    SchemaOrList,
    /// A schema or a boolean.
    SchemaOrBool,
    /// A schema or a list of texts. Servers read another value as neither.
    SchemaOrTexts,
}

use Shape::{
    Any, Bool, Bytes, List, Map, Number, Schema, SchemaOrBool, SchemaOrList, SchemaOrTexts, Table, Text, Time, Whole,
};

const TEXTS: Shape = List(&Text);
const INT32: Shape = Whole(i32::MAX as i64);
const INT64: Shape = Whole(i64::MAX);
const BYTE: Shape = Whole(u8::MAX as i64);

/// A `CustomResourceDefinition` of `apiextensions.k8s.io/v1`.
const DEFINITION: Shape = Table(&[
    ("apiVersion", &Text),
    ("kind", &Text),
    ("metadata", &METADATA),
    ("spec", &SPEC),
    ("status", &STATUS),
]);

const METADATA: Shape = Table(&[
    ("name", &Text),
    ("generateName", &Text),
    ("namespace", &Text),
    ("labels", &Map(&Text)),
    ("annotations", &Map(&Text)),
    ("finalizers", &TEXTS),
    ("ownerReferences", &List(&OWNER)),
    ("managedFields", &List(&Table(&[]))),
    ("creationTimestamp", &Time),
    ("deletionTimestamp", &Time),
    ("deletionGracePeriodSeconds", &INT64),
    ("generation", &INT64),
    ("resourceVersion", &Text),
    ("selfLink", &Text),
    ("uid", &Text),
]);

const OWNER: Shape = Table(&[
    ("apiVersion", &Text),
    ("kind", &Text),
    ("name", &Text),
    ("uid", &Text),
    ("controller", &Bool),
    ("blockOwnerDeletion", &Bool),
]);

const STATUS: Shape = Table(&[
    ("conditions", &List(&CONDITION)),
    ("acceptedNames", &NAMES),
    ("storedVersions", &TEXTS),
    ("observedGeneration", &INT64),
]);

const CONDITION: Shape = Table(&[
    ("type", &Text),
    ("status", &Text),
    ("lastTransitionTime", &Time),
    ("reason", &Text),
    ("message", &Text),
    ("observedGeneration", &INT64),
]);

const SPEC: Shape = Table(&[
    ("group", &Text),
    ("names", &NAMES),
    ("scope", &Text),
    ("versions", &List(&VERSION)),
    ("conversion", &CONVERSION),
    ("preserveUnknownFields", &Bool),
]);

const NAMES: Shape = Table(&[
    ("plural", &Text),
    ("singular", &Text),
    ("shortNames", &TEXTS),
    ("kind", &Text),
    ("listKind", &Text),
    ("categories", &TEXTS),
]);

const VERSION: Shape = Table(&[
    ("name", &Text),
    ("served", &Bool),
    ("storage", &Bool),
    ("deprecated", &Bool),
    ("deprecationWarning", &Text),
    ("schema", &Table(&[("openAPIV3Schema", &Schema)])),
    ("subresources", &SUBRESOURCES),
    ("additionalPrinterColumns", &List(&COLUMN)),
    ("selectableFields", &List(&Table(&[("jsonPath", &Text)]))),
]);

const SUBRESOURCES: Shape = Table(&[
    ("status", &Table(&[])),
    (
        "scale",
        &Table(&[
            ("specReplicasPath", &Text),
            ("statusReplicasPath", &Text),
            ("labelSelectorPath", &Text),
        ]),
    ),
]);

const COLUMN: Shape = Table(&[
    ("name", &Text),
    ("type", &Text),
    ("format", &Text),
    ("description", &Text),
    ("priority", &INT32),
    ("jsonPath", &Text),
]);

const CONVERSION: Shape = Table(&[
    ("strategy", &Text),
    (
        "webhook",
        &Table(&[("clientConfig", &CLIENT), ("conversionReviewVersions", &TEXTS)]),
    ),
]);

const CLIENT: Shape = Table(&[
    ("url", &Text),
    ("caBundle", &Bytes),
    (
        "service",
        &Table(&[("namespace", &Text), ("name", &Text), ("path", &Text), ("port", &INT32)]),
    ),
]);

const RULE: Shape = Table(&[
    ("rule", &Text),
    ("message", &Text),
    ("messageExpression", &Text),
    ("reason", &Text),
    ("fieldPath", &Text),
    ("optionalOldSelf", &Bool),
]);

/// The keywords of schemas.
const KEYWORDS: &[(&str, &Shape)] = &[
    ("id", &Text),
    ("$schema", &Text),
    ("$ref", &Text),
    ("description", &Text),
    ("type", &Text),
    ("format", &Text),
    ("title", &Text),
    ("default", &Any),
    ("maximum", &Number),
    ("exclusiveMaximum", &Bool),
    ("minimum", &Number),
    ("exclusiveMinimum", &Bool),
    ("maxLength", &INT64),
    ("minLength", &INT64),
    ("pattern", &Text),
    ("maxItems", &INT64),
    ("minItems", &INT64),
    ("uniqueItems", &Bool),
    ("multipleOf", &Number),
    ("enum", &List(&Any)),
    ("maxProperties", &INT64),
    ("minProperties", &INT64),
    ("required", &TEXTS),
    ("items", &SchemaOrList),
    ("allOf", &List(&Schema)),
    ("oneOf", &List(&Schema)),
    ("anyOf", &List(&Schema)),
    ("not", &Schema),
    ("properties", &Map(&Schema)),
    ("additionalProperties", &SchemaOrBool),
    ("patternProperties", &Map(&Schema)),
    ("dependencies", &Map(&SchemaOrTexts)),
    ("additionalItems", &SchemaOrBool),
    ("definitions", &Map(&Schema)),
    ("externalDocs", &Table(&[("description", &Text), ("url", &Text)])),
    ("example", &Any),
    ("nullable", &Bool),
    ("x-kubernetes-preserve-unknown-fields", &Bool),
    ("x-kubernetes-embedded-resource", &Bool),
    ("x-kubernetes-int-or-string", &Bool),
    ("x-kubernetes-list-map-keys", &TEXTS),
    ("x-kubernetes-list-type", &Text),
    ("x-kubernetes-map-type", &Text),
    ("x-kubernetes-validations", &List(&RULE)),
];

impl Shape {
    fn words(&self) -> &'static str {
        match self {
            Text => "a text",
            Time => "a time",
            Bytes => "bytes in base64",
            Bool => "`true` or `false`",
            Whole(_) => "a whole number",
            Number => "a number",
            Any => "a value",
            List(_) => "a list",
            Map(_) | Table(_) => "a table",
            Schema | SchemaOrList => "a schema",
            SchemaOrBool => "a schema, `true` or `false`",
            SchemaOrTexts => "a schema or a list of texts",
        }
    }
}

/// The texts by which a server finds the type of an object.
const TYPE: [(&str, &str); 2] = [
    ("apiVersion", "apiextensions.k8s.io/v1"),
    ("kind", "CustomResourceDefinition"),
];

/// Reports a document that does not say that it is a CRD, and the values of a CRD that have the wrong type.
pub(super) fn check(definition: &Node<'_, '_>, found: &mut Refusals) {
    for (key, wanted) in TYPE {
        let message = match definition.value.get(key) {
            Some(Tree::Text(text)) if text == wanted => continue,
            Some(Tree::Text(text)) if !text.is_empty() => format!("`{key}` is `{text}`, not `{wanted}`"),
            None | Some(Tree::Text(_)) => format!("the CRD has no `{key}`"),
            // Reported with the values of wrong types.
            Some(_) => continue,
        };
        let help = format!("write `{key}: {wanted}`");
        found.add_key(Class::Undecodable, definition, key, (message, help));
    }
    value(definition, (&DEFINITION, Class::Undecodable), found);
}

/// `class`: that of a wrong value, which differs within schemas.
fn value(node: &Node<'_, '_>, (shape, class): (&Shape, Class), found: &mut Refusals) {
    match (shape, node.value) {
        (_, Tree::Null)
        | (Any, _)
        | (Text, Tree::Text(_))
        | (Bool | SchemaOrBool, Tree::Bool(_))
        | (Number, Tree::Number(_)) => {}
        (Whole(limit), Tree::Number(number)) if number.as_i64().is_some_and(|it| it <= *limit && it >= -*limit - 1) => {
        }
        (List(of), Tree::List(_)) => node.items().for_each(|item| value(&item, (of, class), found)),
        (Time, Tree::Text(text)) if DateTime::parse_from_rfc3339(text).is_ok() => {}
        (Bytes, Tree::Text(text)) if is_encoded(text) => {}
        (Bytes, Tree::List(_)) => node.items().for_each(|item| value(&item, (&BYTE, class), found)),
        (SchemaOrList, Tree::List(_)) => node.items().for_each(|item| value(&item, (&Schema, class), found)),
        (SchemaOrTexts, Tree::List(_)) => node.items().for_each(|item| value(&item, (&Text, class), found)),
        (Map(of), Tree::Table(_)) => node.values().for_each(|(_, entry)| value(&entry, (of, class), found)),
        (Table(keys), Tree::Table(_)) => table(node, (keys, class), found),
        (Schema | SchemaOrList | SchemaOrBool | SchemaOrTexts, Tree::Table(_)) => {
            table(node, (KEYWORDS, Class::KeywordValue), found);
        }
        _ if matches!(shape, SchemaOrList | SchemaOrTexts) => (),
        _ => wrong(node, (shape, class), found),
    }
}

fn table(node: &Node<'_, '_>, (keys, class): (&[(&str, &Shape)], Class), found: &mut Refusals) {
    for (key, shape) in keys {
        if let Some(entry) = node.child(key) {
            value(&entry, (shape, class), found);
        }
    }
}

fn wrong(node: &Node<'_, '_>, (shape, class): (&Shape, Class), found: &mut Refusals) {
    let wanted = shape.words();
    found.add(
        class,
        node,
        format!("`{}` is {}, not {wanted}", node.path.name(), called(node.value)),
        match (shape, node.value) {
            (Text, _) => "in YAML, put the value in quotes".to_owned(),
            (Time, _) => "write `2006-01-02T15:04:05Z`".to_owned(),
            (Bool | Whole(_) | Number, Tree::Text(_)) => "remove the quotes".to_owned(),
            (List(_), _) => "write a list: `[value]`".to_owned(),
            _ => format!("write {wanted}"),
        },
    );
}

/// Whether a text is base64, which may have line breaks in it.
fn is_encoded(text: &str) -> bool {
    let line: String = text.chars().filter(|sign| !"\r\n".contains(*sign)).collect();
    line.is_empty() || is_base64(&line)
}

/// Whether a value can be read as the metadata of an object.
pub(super) fn is_metadata(node: &Node<'_, '_>) -> bool {
    let mut found = Refusals::default();
    value(node, (&METADATA, Class::Undecodable), &mut found);
    found.is_empty()
}

fn called(value: &Tree) -> &'static str {
    match value {
        Tree::Null => "empty",
        Tree::Bool(_) => "a boolean",
        Tree::Number(_) => "a number",
        Tree::Text(_) => "a text",
        Tree::List(_) => "a list",
        Tree::Table(_) => "a table",
    }
}

/// Whether schemas have a keyword.
pub(super) fn is_keyword(key: &str) -> bool {
    KEYWORDS.iter().any(|(known, _)| *known == key)
}

/// Whether a server sees that a keyword is set: it cannot tell an empty text or `false` from none where the type of the
/// keyword has no other value for that.
pub(super) fn is_given(key: &str, value: &Tree) -> bool {
    const TEXTS: [&str; 7] = ["id", "$schema", "description", "type", "format", "title", "pattern"];
    const FLAGS: [&str; 6] = [
        "exclusiveMaximum",
        "exclusiveMinimum",
        "uniqueItems",
        "nullable",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-int-or-string",
    ];
    match value {
        Tree::Null => false,
        Tree::Text(text) => !text.is_empty() || !TEXTS.contains(&key),
        Tree::Bool(false) => !FLAGS.contains(&key),
        _ => is_keyword(key),
    }
}

/// The keywords that a schema sets.
pub(super) fn given(schema: &Tree) -> impl Iterator<Item = &'static str> {
    let keys = KEYWORDS.iter().map(|(key, _)| *key);
    keys.filter(|key| schema.entry(key).is_some_and(|entry| is_given(key, &entry.value)))
}
